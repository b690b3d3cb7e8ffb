// SPDX-License-Identifier: MIT
import { bytesOfBase64, inflate, openContainer } from './data/decode.js';
import { Run } from './data/run.js';
import { followLive } from './data/live.js';
import { Page } from './page.js';
import { byId } from './ui/dom.js';

/** Data in the page itself: one element for the header, then any number for frames. */
async function embedded() {
  const parts = [...document.querySelectorAll('script[type="application/x-abut"]')];
  if (parts.length === 0) return null;
  const open = async (part) => {
    const bytes = await inflate(bytesOfBase64(part.textContent.trim()));
    part.remove();
    return openContainer(bytes);
  };
  const run = new Run(await open(parts[0]));
  for (const part of parts.slice(1)) run.append(await open(part));
  run.over = true;
  return run;
}

async function start() {
  const notice = byId('notice');
  notice.textContent = 'Reading the run…';
  try {
    const run = await embedded();
    if (run) {
      notice.textContent = '';
      window.abutPage = new Page(run);
    } else if (location.protocol === 'http:') {
      notice.textContent = 'Waiting for the simulation…';
      window.abutPage = await followLive((live) => {
        notice.textContent = '';
        return new Page(live, { live: true, token: new URLSearchParams(location.search).get('token') ?? '' });
      });
    } else {
      notice.textContent = 'This page holds no run. Make one with: abut run scene.json --report report.html';
    }
  } catch (error) {
    notice.textContent = `This page cannot be shown: ${error.message}`;
    console.error(error);
  }
}

start();
