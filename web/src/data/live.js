// SPDX-License-Identifier: MIT
// A run that is still going on, read from the server that sent the page.
import { openContainer } from './decode.js';
import { Run } from './run.js';

const PAUSE = 80; // ms between questions when there was nothing new

async function get(path) {
  const answer = await fetch(path, { cache: 'no-store' });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return openContainer(new Uint8Array(await answer.arrayBuffer()));
}

/** Makes a page with `make(run)` from the first frames and keeps feeding it. */
export async function followLive(make) {
  const run = new Run(await get('header'));
  let page = null, next = 0;
  const ask = async () => {
    const chunk = await get(`frames?from=${next}`);
    const some = chunk.head.frames > 0;
    next = chunk.head.first + chunk.head.frames;
    if (some) run.append(chunk);
    if (chunk.head.over) run.over = true;
    return some;
  };
  while (!(await ask()) && !run.over) await pause(PAUSE);
  page = make(run);
  const loop = async () => {
    while (!run.over) {
      try {
        const some = await ask();
        if (some || run.over) page.grown();
        if (!some) await pause(PAUSE);
      } catch (error) {
        page.lost(error);
        return;
      }
      await pause(30);
    }
    page.grown();
  };
  loop();
  return page;
}

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
