// SPDX-License-Identifier: MIT
// abut view in a real browser, with mouse, keys and fingers: node view_test.mjs TOOL FOLDER. Screenshots go to the folder.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { check, finish, launch, near, open, skip } from './browser.mjs';

const [tool, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const scene = path.join(folder, 'play.json'), recording = path.join(folder, 'play.abut');
writeFileSync(scene, JSON.stringify({ name: 'play', step: 0.005, duration: 600, materials: { wood: { friction: 0.5 }, ice: { friction: 0.02 } }, bodies: [
  { name: 'floor', type: 'static', shapes: [{ plane: { normal: [0, 0, 1] }, material: 'wood' }] },
  { name: 'crate', position: [-1.2, 0, 0.5], repeat: { count: 3, step: [0, 0, 1] }, shapes: [{ box: { size: [1, 1, 1] }, material: 'wood' }] },
  { name: 'ball', position: [1.2, 0, 0.5], shapes: [{ sphere: { radius: 0.5 }, material: 'ice' }] }] }));

function serve(...options) {
  const server = spawn(tool, ['view', scene, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  const url = new Promise((done, fail) => {
    let said = '';
    server.stderr.on('data', (text) => { said += text; });
    server.stdout.on('data', (text) => { const m = String(text).match(/http:\S+/); if (m) done(m[0]); });
    server.on('exit', () => (/built without|could not be bundled/.test(said) ? skip(said.trim()) : fail(new Error(`abut view ended: ${said}`))));
  });
  const end = () => new Promise((done) => {
    server.removeAllListeners('exit');
    server.on('exit', done);
    server.kill('SIGINT');
  });
  return { url, end };
}

const state = (page) => page.evaluate(() => window.abutPage.control.state);
const until = (page, what, arg) => page.waitForFunction(what, arg, { timeout: 120000 }).then(() => true, () => false);
const height = (page, name) => page.evaluate((n) => {
  const { run } = window.abutPage, b = run.bodies.findIndex((x) => x.name === n);
  return run.motion(b, run.poses.time.length - 1).position[2];
}, name);

/** Where a body is on the screen. */
async function placeOf(page, name) {
  const at = await page.evaluate((n) => {
    const { run, viewer } = window.abutPage, b = run.bodies.findIndex((x) => x.name === n);
    return viewer.project(...run.motion(b, run.poses.time.length - 1).position);
  }, name);
  const box = await page.locator('#canvas').boundingBox();
  return { x: box.x + at.x, y: box.y + at.y };
}

async function buttons(page) {
  check('it begins paused', (await state(page)).state === 'paused' && (await page.locator('#sim-state').textContent()) === 'paused');
  await page.locator('#sim-step').click();
  check('a click makes one step', await until(page, () => window.abutPage.control.state.step === 1 && window.abutPage.run.poses.time.length === 2));
  await page.keyboard.press('.');
  await page.keyboard.press('.');
  check('each press of . makes one', await until(page, () => window.abutPage.control.state.step === 3));
  await page.locator('#sim-pause').click();
  check('the button runs it', await until(page, () => window.abutPage.control.state.state === 'running' && window.abutPage.run.duration > 0.2));
  check('the button then pauses', (await page.locator('#sim-pause').getAttribute('aria-label')) === 'Pause the simulation');
  await page.keyboard.press('Escape');
  await page.keyboard.press(' ');
  check('Space pauses it', await until(page, () => window.abutPage.control.state.state === 'paused'));
  await page.locator('#sim-speed').selectOption('0.25');
  check('the speed is taken', await until(page, () => window.abutPage.control.state.speed === 0.25));
  await page.locator('#sim-speed').selectOption('1');
}

async function pulling(page) {
  await page.keyboard.press(' ');
  await until(page, () => window.abutPage.control.state.state === 'running');
  const camera = await page.evaluate(() => window.abutPage.viewer.camera.position.toArray());
  const at = await placeOf(page, 'crate[2]');
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 60, at.y - 40, { steps: 4 });
  await page.mouse.move(at.x + 160, at.y - 60, { steps: 6 });
  check('the server pulls', await until(page, () => window.abutPage.control.state.pull?.body === 'crate[2]'));
  check('a spring is shown', await page.evaluate(() => window.abutPage.viewer.spring.group.visible));
  const before = await height(page, 'crate[2]');
  await page.waitForTimeout(700);
  const lifted = await height(page, 'crate[2]');
  check('the crate follows', Math.abs(lifted - before) > 0.05 || lifted > 2.6, `${before} -> ${lifted}`);
  await page.screenshot({ path: path.join(folder, 'view-pull.png') });
  await page.mouse.up();
  check('letting go lets go', await until(page, () => window.abutPage.control.state.pull === null && !window.abutPage.viewer.spring.group.visible));
  const after = await page.evaluate(() => window.abutPage.viewer.camera.position.toArray());
  check('pulling does not turn the view', camera.every((x, k) => near(x, after[k], 1e-9)));
  const forces = await page.evaluate(() => window.abutPage.run.series.forces.at(-1));
  check('the spring is booked under forces', forces !== 0, forces);
  const off = await page.evaluate(() => [window.abutPage.run.series.unaccounted.at(-1), window.abutPage.run.series.kinetic.length]);
  check('and nothing is unaccounted for', Math.abs(off[0]) < 1e-6, off);
  await page.keyboard.press('g');
  const ball = await placeOf(page, 'ball');
  await page.mouse.move(ball.x, ball.y);
  await page.mouse.down();
  await page.mouse.move(ball.x + 50, ball.y + 10, { steps: 5 });
  await page.mouse.up();
  const turned = await page.evaluate(() => window.abutPage.viewer.camera.position.toArray());
  check('with pulling off a drag turns the view', turned.some((x, k) => !near(x, after[k], 1e-6)));
  check('and pulls nothing', (await state(page)).pull === null);
  await page.keyboard.press('g');
  await page.mouse.move(5 + ball.x, ball.y);
  const again = await placeOf(page, 'ball');
  await page.mouse.click(again.x, again.y);
  check('a click still picks', (await page.locator('#picked-title').textContent()) === 'ball');
  await page.keyboard.press('Escape');
}

async function numbers(page) {
  await page.locator('#sim-more').click();
  check('Change shows sliders', await page.locator('#sim-gravity').isVisible() && (await page.locator('#sim-more').getAttribute('aria-expanded')) === 'true');
  await page.locator('#sim-gravity').fill('0');
  check('gravity goes off', await until(page, () => Math.hypot(...window.abutPage.control.state.gravity) === 0));
  await page.locator('#sim-material').selectOption('ice');
  await page.locator('#sim-friction').fill('0.5');
  check('friction of a material changes', await until(page, () => window.abutPage.control.state.friction.find((f) => f.material === 'ice').value === 0.5));
  for (const [name, label] of [['sim-gravity', 'Gravity'], ['sim-friction', 'Friction of']]) {
    check(`${name} has its label`, (await page.locator(`label[for=${name}]`).textContent()) === label);
  }
  await page.screenshot({ path: path.join(folder, 'view-numbers.png') });
  await page.locator('#sim-more').click();
}

async function again(page) {
  await page.keyboard.press('Escape');
  const before = await page.evaluate(() => window.abutPage.run.duration);
  await page.keyboard.press('Shift+R');
  // A page that draws slowly may first see the new run when it is some seconds old.
  check('Shift R begins again', await until(page, (was) => window.abutPage.control.state.run === 2 && window.abutPage.run.duration < was, before));
  check('with the numbers of the scene', await until(page, () => window.abutPage.control.state.gravity[2] === -9.81));
  await page.waitForTimeout(300);
  const times = await page.evaluate(() => window.abutPage.run.poses.time.every((t, i, all) => i === 0 || t > all[i - 1]));
  check('times increase after a restart', times);
}

async function desktop(browser) {
  const server = serve('--paused', '--record', recording);
  try {
    const { page, complaints } = await open(browser, await server.url);
    const link = await page.evaluate(() => window.abutPage.link);
    check('links hold no token', !link.includes('token'), link);
    await buttons(page);
    await pulling(page);
    await numbers(page);
    await again(page);
    const unnamed = await page.$$eval('#control button, #control select, #control input', (all) => all
      .filter((x) => !x.getAttribute('aria-label') && !x.textContent.trim() && !(x.labels && x.labels.length)).map((x) => x.id));
    check('everything has a name', unnamed.length === 0, unnamed.join());
    check('nothing complained (view)', complaints.length === 0, complaints.join('; '));
    await page.context().close();
    const onlooker = await open(browser, new URL(await server.url).origin);
    check('without the token there are no controls', !(await onlooker.page.locator('#control').isVisible()));
    await onlooker.page.context().close();
  } finally {
    await server.end();
  }
  const said = execFileSync(tool, ['replay', recording, '--verify'], { encoding: 'utf8' });
  check('what was played replays to the bit', said.includes('bit for bit'), said);
}

/** Fingers on a phone, upright and on its side, light and dark. */
async function phones(browser) {
  for (const [name, width, height, colorScheme, ratio] of [['portrait', 390, 844, 'light', 2], ['landscape', 844, 390, 'dark', 2], ['dark', 1366, 768, 'dark', 1], ['sharp', 1366, 768, 'light', 2]]) {
    const server = serve();
    try {
      const { page, complaints } = await open(browser, await server.url, { viewport: { width, height }, deviceScaleFactor: ratio, colorScheme, hasTouch: true });
      await page.waitForTimeout(400);
      const at = await placeOf(page, 'crate[2]'), session = await page.context().newCDPSession(page);
      const touch = (type, x, y) => session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
      await touch('touchStart', at.x, at.y);
      for (let k = 1; k <= 8; k++) await touch('touchMove', at.x + 8 * k, at.y - 5 * k);
      check(`a finger pulls (${name})`, await until(page, () => window.abutPage.control.state.pull?.body === 'crate[2]'));
      await page.waitForTimeout(500);
      await page.screenshot({ path: path.join(folder, `view-${name}.png`) });
      await touch('touchEnd');
      check(`and lets go (${name})`, await until(page, () => window.abutPage.control.state.pull === null));
      await page.locator('#sim-more').click();
      await page.waitForTimeout(200);
      await page.screenshot({ path: path.join(folder, `view-${name}-numbers.png`) });
      const wide = await page.evaluate(() => [document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]);
      check(`nothing sticks out (${name})`, wide.every(Boolean), wide.join());
      const inside = await page.evaluate(() => {
        const view = document.getElementById('view').getBoundingClientRect(), c = document.getElementById('control').getBoundingClientRect();
        return c.left >= view.left && c.right <= view.right && c.bottom <= view.bottom;
      });
      check(`the controls stay in the view (${name})`, inside);
      if (name === 'portrait') {
        const heights = await page.$$eval('#control button, #control select', (all) => all.filter((b) => b.offsetParent).map((b) => b.offsetHeight));
        check('controls are large enough for fingers', Math.min(...heights) >= 36, Math.min(...heights));
      }
      check(`nothing complained (${name})`, complaints.length === 0, complaints.join('; '));
      await page.context().close();
    } finally {
      await server.end();
    }
  }
}

const browser = await launch();
try {
  await desktop(browser);
  await phones(browser);
} finally {
  await browser.close();
}
finish();
