// SPDX-License-Identifier: MIT
// What the tests of the page share: Chromium, checks, and a reason to skip.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const SKIP = 77; // ctest's SKIP_RETURN_CODE

export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(SKIP);
}

/** A headless Chromium that draws without a graphics card and calls nobody. */
export async function launch() {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (!executablePath) skip('no Chromium; scripts/setup installs it');
  let chromium;
  try {
    ({ chromium } = createRequire(path.join(root, 'web/package.json'))('playwright-core'));
  } catch {
    skip('no playwright-core; it comes with web/node_modules when the tool is built');
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
}

let checks = 0, failures = 0;

export function check(fact, holds, detail = '') {
  checks++;
  if (!holds) failures++;
  if (!holds || process.env.VERBOSE) console.log(`${holds ? 'ok    ' : 'FAILED'} ${fact}${detail === '' ? '' : `: ${detail}`}`);
}

export const near = (a, b, tolerance) => Math.abs(a - b) <= tolerance;

/** Opens a page, with everything it complains about and asks for. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, ...options });
  context.setDefaultTimeout(600000);  // A slow machine takes its time.
  const page = await context.newPage();
  const complaints = [], requests = [];
  page.on('console', (m) => { if (m.type() === 'error') complaints.push(m.text()); });
  page.on('pageerror', (e) => complaints.push(e.message));
  page.on('request', (r) => requests.push(r.url()));
  await page.goto(url);
  await page.waitForFunction(() => window.abutPage, null, { timeout: 600000 });
  return { page, complaints, requests };
}

export function finish() {
  console.log(`${checks - failures} of ${checks} facts hold`);
  process.exit(failures === 0 && checks > 0 ? 0 : 1);
}
