// SPDX-License-Identifier: MIT
// The report page in a real browser: node page_test.mjs TOOL FOLDER. Screenshots go to the folder.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { check, finish, launch, near, open, root, skip } from './browser.mjs';

const [tool, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

/** Runs the tool's report verb; the page's URL. */
function report(scene, name) {
  const file = path.join(folder, name);
  try {
    execFileSync(tool, ['report', scene, '-o', file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (/built without|could not be bundled/.test(error.stderr)) skip(error.stderr.trim());
    throw error;
  }
  return `file://${file}`;
}

const scenePath = (name) => path.join(root, 'scenes', `${name}.json`);
const clock = (page) => page.locator('#clock b').textContent().then((t) => Number(t.match(/([\d.]+) s/)[1]));
const pressed = (page, id) => page.locator(id).getAttribute('aria-pressed');

/** Seed 001's books, as the page shows them. */
async function ledger(browser) {
  const { page, complaints, requests } = await open(browser, report(scenePath('capsule_spin'), 'capsule.html'));
  await page.keyboard.press('End');
  const shown = await page.locator('#plots-run .plot').first().innerText();
  const value = (name) => Number(shown.match(new RegExp(`${name}\\s+([−\\d.e]+)`))[1].replaceAll('−', '-'));
  // Density 7.874, dt = 1 ms, contact once it penetrates: W_driver = 12.6329 J, half of it lost.
  // The signs are those of EnergyAccount and of abut run: positive where energy enters the bodies.
  check('drivers gave 12.633 J', near(value('drivers'), 12.633, 5e-4), value('drivers'));
  check('the lever has 6.3165 J', near(value('kinetic'), 6.3165, 5e-5), value('kinetic'));
  check('the impact took 6.3165 J', near(value('impact'), -6.3165, 5e-5), value('impact'));
  check('the ledger closes', Math.abs(value('unaccounted')) < 1e-12, value('unaccounted'));
  await page.keyboard.press('e');
  await page.keyboard.press('Shift+E');
  check('the touch is in the list of events', (await page.locator('#event-list').innerText()).includes('touch'));
  await page.locator('#find').fill('rotor');
  await page.locator('#find').press('Enter');
  check('a driver shows the power it supplies', (await page.locator('#plots-pick').innerText()).includes('Power supplied'));
  check('the page asks for nothing but itself', requests.every((u) => u.startsWith('file:') || u.startsWith('data:') || u.startsWith('blob:')), requests.join(' '));
  check('nothing complained (capsule)', complaints.length === 0, complaints.join('; '));
  await page.context().close();
}

/** A run with a variable step: impacts where they were located, and no claim about books that it does not keep. */
async function variable(browser) {
  const { page, complaints } = await open(browser, report(scenePath('bouncing_located'), 'located.html'));
  const bar = await page.locator('#summary').innerText();
  check('the bar says that the step varies', /step variable/.test(bar), bar);
  check('it does not speak of unaccounted energy', !bar.includes('unaccounted'), bar);
  await page.keyboard.press('Home');
  await page.keyboard.press('e');
  const list = await page.locator('#event-list').innerText();
  // All balls fall 1 m: sqrt(2 / 9.81) s.
  check('the first impact is at its time', list.includes('0.451523641 s') && list.includes('impact'), list.slice(0, 80));
  const shown = await page.locator('#plots-run').innerText();
  check('there is no solver residual to show', !shown.includes('Solver residual') && shown.includes('Integrator work'));
  await page.keyboard.press('End');
  const count = await page.evaluate(() => window.abutPage.run.series.contacts.at(-1));
  check('three balls rest at the end', count === 3, count);
  check('nothing complained (variable step)', complaints.length === 0, complaints.join('; '));
  await page.screenshot({ path: path.join(folder, 'located.png') });
  await page.context().close();
}

async function time(page) {
  await page.keyboard.press('Home');
  check('Home goes to the beginning', (await clock(page)) === 0);
  await page.locator('#play').click();
  // A machine that draws slowly takes its time.
  for (let k = 0; k < 600 && (await clock(page)) <= 0.05; k++) await page.waitForTimeout(100);
  await page.keyboard.press(' ');
  const played = await clock(page);
  check('it plays', played > 0.05, played);
  await page.waitForTimeout(300);
  check('Space pauses', (await clock(page)) === played);
  const line = await page.locator('#timeline').boundingBox();
  await page.mouse.move(line.x + line.width * 0.1, line.y + 20);
  await page.mouse.down();
  await page.mouse.move(line.x + line.width * 0.5, line.y + 20, { steps: 5 });
  await page.mouse.up();
  check('dragging on the time line scrubs to the middle', near(await clock(page), 1.5, 0.02), await clock(page));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  check('arrows step by a frame of 10 ms', near(await clock(page), 1.51, 0.011), await clock(page));
  const plot = await page.locator('#plots-run .u-over').first().boundingBox();
  await page.mouse.click(plot.x + plot.width / 3, plot.y + plot.height / 2);
  check('a click in a plot goes there', near(await clock(page), 1.0, 0.05), await clock(page));
}

/** Clicks on the contact of two bodies where it is drawn; the force it then shows, in newtons. */
async function pickedForce(page, name1, name2) {
  const at = await page.evaluate(([n1, n2]) => {
    const { run, viewer } = window.abutPage, c = run.contacts, { from, to } = run.contactRows(window.abutPage.time);
    for (let r = from; r < to; r++) {
      const names = [run.name(c.body1[r]), run.name(c.body2[r])];
      if (names.includes(n1) && names.includes(n2)) return viewer.project(...run.vec(c.position, r));
    }
    return null;
  }, [name1, name2]);
  if (!at) return { force: NaN, title: 'no such contact' };
  const canvas = await page.locator('#canvas').boundingBox();
  await page.mouse.click(canvas.x + at.x, canvas.y + at.y);
  const cells = await page.locator('[data-fact=force] td').allInnerTexts();
  const scale = { N: 1, kN: 1e3, mN: 1e-3 }[cells[1]];
  return { force: Number(cells[0]) * scale, title: await page.locator('#picked-title').textContent() };
}

async function picking(page) {
  const ball = await pickedForce(page, 'ball', 'floor');
  // A ball of radius 0.2 m and 700 kg/m3: m g = 700 * 4/3 pi 0.2^3 * 9.81 = 230.1183 N.
  check('the picked contact carries the ball', near(ball.force, 230.118, 5e-3), `${ball.force} N, ${ball.title}`);
  check('its tab names both bodies', /ball/.test(ball.title) && /floor/.test(ball.title), ball.title);
  const canvas = await page.locator('#canvas').boundingBox();
  const at = await page.evaluate(() => {
    const { run, viewer } = window.abutPage, b = run.bodies.findIndex((x) => x.name === 'ball');
    return viewer.project(...run.motion(b, run.poseAt(window.abutPage.time)).position);
  });
  await page.mouse.click(canvas.x + at.x, canvas.y + at.y);
  check('a click on the ball picks it', (await page.locator('#picked-title').textContent()) === 'ball');
  // 700 * 4/3 pi 0.2^3 = 23.4572 kg.
  check('its mass is shown', (await page.locator('#facts').innerText()).includes('23.4572'));
  await page.keyboard.press('n');
  check('N picks a contact', (await page.locator('#picked-title').textContent()).startsWith('Contact'));
  await page.keyboard.press('Escape');
  check('Escape lets go', (await page.locator('#tab-run').getAttribute('aria-selected')) === 'true');
}

async function keys(page) {
  await page.keyboard.press('c');
  check('C hides contacts', (await pressed(page, '#contacts')) === 'false');
  await page.keyboard.press('c');
  await page.keyboard.press('k');
  check('K shows cones', (await pressed(page, '#cones')) === 'true');
  await page.keyboard.press('f');
  await page.keyboard.press('?');
  check('? opens the help', await page.locator('#help').isVisible());
  await page.keyboard.press('Escape');
  check('Escape closes it', !(await page.locator('#help').isVisible()));
  for (const color of ['island', 'depth', 'speed', 'kind']) await page.locator('#color').selectOption(color);
  const before = await page.evaluate(() => document.documentElement.dataset.theme);
  await page.locator('#theme').click();
  check('the theme changes', (await page.evaluate(() => document.documentElement.dataset.theme)) !== before);
}

/** Sharp screens: axis labels of the size that was asked for, and the first view fills the picture. */
async function sharp(browser, url) {
  const { page } = await open(browser, url, { deviceScaleFactor: 2, colorScheme: 'dark' });
  await page.waitForTimeout(300);
  const font = await page.evaluate(() => document.querySelector('.u-wrap canvas').getContext('2d').font);
  check('axis labels have 11 px on a screen of ratio 2', font.startsWith('22px'), font);
  const fills = await page.evaluate(() => {
    const { viewer } = window.abutPage, { box } = viewer;
    let most = 0;
    for (let k = 0; k < 8; k++) {
      const p = viewer.project(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z);
      most = Math.max(most, Math.abs((2 * p.x) / viewer.canvas.clientWidth - 1), Math.abs((2 * p.y) / viewer.canvas.clientHeight - 1));
    }
    return most;
  });
  check('the first view reaches the edges it should', near(fills, 0.9, 0.02), fills);
  await page.screenshot({ path: path.join(folder, 'page-sharp.png') });
  await page.context().close();
}

/** What falls out of sight does not move the first view away. */
async function lost(browser) {
  const scene = path.join(folder, 'lost.json');
  writeFileSync(scene, JSON.stringify({ step: 0.01, duration: 4, bodies: [
    { name: 'table', type: 'static', shapes: [{ box: { size: [2, 2, 0.1] } }] },
    { name: 'stays', position: [0, 0, 0.3], shapes: [{ box: { size: [0.4, 0.4, 0.4] } }] },
    { name: 'falls', position: [1.5, 0, 0.3], shapes: [{ sphere: { radius: 0.2 } }] }] }));
  const { page } = await open(browser, report(scene, 'lost.html'));
  const size = await page.evaluate(() => window.abutPage.viewer.size);
  // The ball falls 78 m. The table's diagonal is 2.8 m, with what stands on it at most 4 m.
  check('the view stays where the scene is', size < 6, size);
  await page.context().close();
}

/** Pictures, numbers, frames and links. */
async function saving(page) {
  await page.keyboard.press('Home');
  const got = await page.evaluate(async () => {
    const p = window.abutPage, png = (b) => b[0] === 0x89 && b[1] === 0x50;
    const picture = new Uint8Array(await (await p.viewer.picture()).arrayBuffer());
    const table = p.plotTable().split('\n');
    p.seek(p.run.duration - 0.1 * p.speed);
    const frames = await p.pictures(() => {});
    return { picture: png(picture), head: table[0], rows: table.length, frames: frames.length, pngs: frames.every((f) => png(f.bytes)), names: frames.map((f) => f.name) };
  });
  check('a picture is a PNG', got.picture);
  check('the table names ledger and units', got.head.includes('"Energy ledger, kinetic [J]"') && got.head.includes('Contact force, largest [N]'), got.head);
  check('the table has a row for each frame', got.rows > 300, got.rows);
  // 0.1 s of film at 30 pictures a second, with the first: 4.
  check('frames are pictures in order', got.frames === 4 && got.pngs && got.names[3] === '00003.png', JSON.stringify(got.names));
  await page.evaluate(() => { window.abutPage.seek(1.25); window.abutPage.setPick({ kind: 'body', body: window.abutPage.run.bodies.findIndex((b) => b.name === 'ball') }); });
  const link = await page.evaluate(() => window.abutPage.link);
  check('a link names time and body', link.includes('t=1.25') && link.includes('body=ball'), link);
  await page.evaluate(() => { window.abutPage.setPick(null); window.abutPage.seek(0); });
  await page.evaluate((l) => { location.hash = new URL(l).hash; }, link);
  await page.waitForTimeout(100);
  check('a link leads there', near(await clock(page), 1.25, 0.011) && (await page.locator('#picked-title').textContent()) === 'ball', await clock(page));
  await page.locator('#event-filter').blur();
  await page.keyboard.press('p');
  check('P opens what can be saved', await page.locator('#save').isVisible());
  await page.keyboard.press('Escape');
  await page.evaluate(() => window.abutPage.setPick(null));
}

async function filters(page) {
  const shown = async (filter) => {
    await page.locator('#event-filter').fill(filter);
    return page.evaluate(() => window.abutPage.events.events.map((e) => [e.kind, e.impulse, window.abutPage.run.name(e.body1), window.abutPage.run.name(e.body2)]));
  };
  const all = await shown(''), ball = await shown('ball'), hard = await shown('touch >1');
  check('a filter by body leaves its events', ball.length > 0 && ball.length < all.length && ball.every((e) => e.includes('ball')), `${ball.length} of ${all.length}`);
  check('a filter by impulse leaves the hard touches', hard.length > 0 && hard.every(([kind, impulse]) => kind === 'begin' && impulse >= 1), hard.length);
  await shown('');
  check('events show their impulse', /N s/.test(await page.locator('#event-list').innerText()));
}

/** Phones: nothing sticks out, the view has room, events are a tab, buttons are large enough for fingers. */
async function phones(browser, url) {
  for (const [name, width, height, least] of [['portrait', 390, 844, 250], ['landscape', 844, 390, 300], ['tablet', 820, 1180, 300], ['small', 1024, 700, 300]]) {
    const { page, complaints } = await open(browser, url, { viewport: { width, height }, deviceScaleFactor: 2 });
    await page.waitForTimeout(300);
    const wide = await page.evaluate(() => [document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]);
    check(`nothing sticks out (${name})`, wide.every(Boolean), wide.join());
    const view = await page.locator('#view').boundingBox();
    check(`the view has room (${name})`, view.height >= least, view.height);
    if (name !== 'small') {
      await page.locator('#tab-events').click();
      check(`events are a tab (${name})`, await page.locator('#event-list .event').first().isVisible());
      await page.locator('#tab-run').click();
      check(`and plots too (${name})`, await page.locator('#plots-run .plot').first().isVisible());
    }
    if (name === 'portrait') {
      const heights = await page.$$eval('#bar button, #transport button', (list) => list.filter((b) => b.offsetParent).map((b) => b.offsetHeight));
      check('buttons are large enough for fingers', Math.min(...heights) >= 36, Math.min(...heights));
    }
    check(`nothing complained (${name})`, complaints.length === 0, complaints.join('; '));
    await page.screenshot({ path: path.join(folder, `page-${name}.png`) });
    await page.context().close();
  }
}

async function player(browser) {
  const url = report(scenePath('contact_cache'), 'contact_cache.html');
  for (const colorScheme of ['light', 'dark']) {
    const { page, complaints } = await open(browser, url, { colorScheme });
    await page.keyboard.press('k');
    await page.waitForTimeout(400);
    await page.screenshot({ path: path.join(folder, `page-${colorScheme}.png`) });
    await page.keyboard.press('k');
    if (colorScheme === 'light') {
      await time(page);
      await picking(page);
      await keys(page);
      await filters(page);
      await saving(page);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight);
    check(`nothing sticks out of 1366 x 768 (${colorScheme})`, wide);
    check(`nothing complained (${colorScheme})`, complaints.length === 0, complaints.join('; '));
    await page.context().close();
  }
  await sharp(browser, url);
  await phones(browser, url);
}

/** Names are text, whatever they look like. */
async function names(browser) {
  const evil = '</script><img src=x onerror="window.hacked=1">';
  const scene = path.join(folder, 'names.json');
  writeFileSync(scene, JSON.stringify({ name: `${evil}-->`, step: 0.01, duration: 0.2, bodies: [
    { name: '<b>floor</b>&amp;', type: 'static', shapes: [{ plane: { normal: [0, 0, 1] } }] },
    { name: evil, position: [0, 0, 0.5], shapes: [{ box: { size: [1, 1, 1] } }] }] }));
  const { page, complaints } = await open(browser, report(scene, 'names.html'));
  await page.keyboard.press('b');
  await page.keyboard.press('End');
  await page.waitForTimeout(200);
  check('a name cannot run a script', (await page.evaluate(() => window.hacked)) === undefined);
  check('no element came from a name', (await page.locator('img, #event-list b').count()) === 0);
  check('the name is shown as it is', (await page.locator('#title').textContent()) === `${evil}-->`);
  check('nothing complained (names)', complaints.length === 0, complaints.join('; '));
  await page.context().close();
}

/** `abut view`: the same page, fed while the simulation runs. */
async function live(browser) {
  const server = spawn(tool, ['view', scenePath('bouncing'), '--speed', '4'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await new Promise((done, fail) => {
      server.stdout.on('data', (text) => { const m = String(text).match(/http:\S+/); if (m) done(m[0]); });
      server.on('exit', () => fail(new Error('abut view ended')));
    });
    const { origin } = new URL(url);
    const { page, complaints, requests } = await open(browser, url);
    await page.waitForFunction(() => window.abutPage.run.over, null, { timeout: 20000 });
    await page.waitForTimeout(200);
    check('a live run arrives whole', near(await clock(page), 4, 1e-9), await clock(page));
    check('live requests stay on this machine', requests.every((u) => u.startsWith(`${origin}/`) || u.startsWith('data:')), requests.find((u) => !u.startsWith(origin)));
    const status = async (path, headers = {}, method = 'GET') => (await fetch(`${origin}/${path}`, { headers, method })).status;
    check('another origin is refused', (await status('header', { Origin: 'http://example.org' })) === 403);
    check('only GET for what is only read', (await status('header', {}, 'POST')) === 405);
    check('and HEAD', (await status('header', {}, 'HEAD')) === 200);
    check('no other path', (await status('etc/passwd')) === 404);
    check('nothing complained (live)', complaints.length === 0, complaints.join('; '));
    await page.context().close();
  } finally {
    server.removeAllListeners('exit');
    server.kill('SIGINT');
  }
}

/** Clients that ask for much and do not read do not keep others waiting. */
async function flood() {
  const scene = path.join(folder, 'flood.json');
  writeFileSync(scene, JSON.stringify({ step: 0.01, duration: 0.6, bodies: [{ name: 'ball', repeat: [{ count: 30, step: [1, 0, 0] }, { count: 30, step: [0, 1, 0] }],
    shapes: [{ sphere: { radius: 0.1 } }] }] }));
  const server = spawn(tool, ['view', scene, '--speed', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const sockets = [];
  try {
    const url = await new Promise((done, fail) => {
      let said = '';
      server.stdout.on('data', (text) => { said += text; if (said.includes('over')) done(said.match(/http:\S+/)[0]); });
      server.on('exit', () => fail(new Error('abut view ended')));
    });
    const { port } = new URL(url);
    for (let i = 0; i < 64; i++) {
      const socket = connect({ host: '127.0.0.1', port: Number(port) });
      socket.on('error', () => {});
      socket.pause();
      socket.write(`GET /frames?from=0 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
      sockets.push(socket);
    }
    await new Promise((done) => { setTimeout(done, 300); });
    const answer = await fetch(`${new URL(url).origin}/frames?from=0`, { signal: AbortSignal.timeout(5000) }).then((a) => a.arrayBuffer(), () => null);
    check('a flood of silent clients keeps nobody waiting', answer !== null && answer.byteLength > 1e6, answer?.byteLength);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.removeAllListeners('exit');
    server.kill('SIGINT');
  }
}

const browser = await launch();
try {
  await flood();
  await ledger(browser);
  await variable(browser);
  await player(browser);
  await lost(browser);
  await names(browser);
  await live(browser);
} finally {
  await browser.close();
}
finish();
