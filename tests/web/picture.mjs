// SPDX-License-Identifier: MIT
// A picture of a report page: node picture.mjs PAGE.html OUT.png [time [light|dark [width height [ratio]]]]
import path from 'node:path';
import { launch, open } from './browser.mjs';

const [page, out, time = '0', colorScheme = 'light', width = '1366', height = '768', ratio = '1'] = process.argv.slice(2);
const browser = await launch();
const opened = await open(browser, `file://${path.resolve(page)}`,
  { colorScheme, viewport: { width: Number(width), height: Number(height) }, deviceScaleFactor: Number(ratio) });
await opened.page.evaluate((t) => window.abutPage.seek(t), Number(time));
await opened.page.waitForTimeout(1500);
await opened.page.screenshot({ path: out });
await browser.close();
