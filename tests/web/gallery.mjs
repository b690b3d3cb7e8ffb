// SPDX-License-Identifier: MIT
// Pictures of scenes for the guide, from pages that the tool wrote: node gallery.mjs FOLDER OUT NAME=TIME ...
// FOLDER holds NAME.html; OUT gets NAME.jpg, the view alone at that time [s].
import path from 'node:path';
import { launch, open } from './browser.mjs';

const [folder, out, ...wanted] = process.argv.slice(2);
const browser = await launch();
for (const item of wanted) {
  const [name, time] = item.split('=');
  const { page, complaints } = await open(browser, `file://${path.resolve(folder, `${name}.html`)}`,
    { colorScheme: 'light', viewport: { width: 1000, height: 620 } });
  // The view has the window to itself.
  await page.addStyleTag({ content: 'body { grid-template: minmax(0, 1fr) / minmax(0, 1fr) !important; grid-template-areas: "view" !important } #bar, #side, #transport, #events { display: none !important }' });
  await page.setViewportSize({ width: 560, height: 350 });
  await page.evaluate((t) => window.abutPage.seek(t), Number(time));
  await page.keyboard.press('f');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: path.join(out, `${name}.jpg`), type: 'jpeg', quality: 82, timeout: 180000 });
  if (complaints.length) console.log(`${name}: ${complaints.join('; ')}`);
  await page.context().close();
  console.log(`${name} at ${time} s`);
}
await browser.close();
