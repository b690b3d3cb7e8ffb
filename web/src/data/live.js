// SPDX-License-Identifier: MIT
// A run that is still going on, read from the server that sent the page.
import { openContainer } from './decode.js';
import { Run } from './run.js';

const PAUSE = 80; // ms between questions when there was nothing new
const CALM = 300; // ms between questions when the run is over: somebody may begin it again

async function ask(path) {
  const answer = await fetch(path, { cache: 'no-store' });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return answer;
}

const container = async (answer) => openContainer(new Uint8Array(await answer.arrayBuffer()));

/** Frames of a run as they come: next() takes what is new. */
class Feed {
  constructor(run) {
    this.run = run;
    this.next = 0;
  }

  async state() {
    const state = await (await ask('state')).json();
    if (this.number !== undefined && state.run !== this.number) {
      this.restarted = true; // Until its first frames are here the old ones stay.
      this.next = 0;
    }
    this.number = state.run;
    if (this.bodies !== undefined && state.bodies !== this.bodies) {
      window.location.reload(); // Other bodies than the page was made of.
      return new Promise(() => {});
    }
    this.bodies = state.bodies;
    return state;
  }

  /** Adds what is new; how many frames that were. A run that is gone gives none: ask for the state again. */
  async frames() {
    const answer = await ask(`frames?run=${this.number}&from=${this.next}`);
    if (answer.status === 204) return 0;
    const chunk = await container(answer);
    this.next = chunk.head.first + chunk.head.frames;
    if (this.restarted && chunk.head.frames > 0) {
      this.restarted = false;
      this.run.reset();
    }
    if (chunk.head.frames > 0) this.run.append(chunk);
    this.run.over = Boolean(chunk.head.over);
    return chunk.head.frames;
  }
}

/** Makes a page with `make(run)` from the first frames and keeps feeding it. */
export async function followLive(make) {
  const feed = new Feed(new Run(await container(await ask('header'))));
  let state = await feed.state();
  while ((await feed.frames()) === 0) {
    await pause(PAUSE);
    state = await feed.state();
  }
  const page = make(feed.run);
  page.control?.setState(state);
  const loop = async () => {
    for (;;) {
      try {
        state = await feed.state();
        const again = feed.restarted, was = feed.run.over, some = await feed.frames();
        page.control?.setState(state);
        if (again && some > 0) page.restarted();
        else if (some > 0 || was !== feed.run.over) page.grown();
        await pause(some > 0 ? 30 : feed.run.over && !page.control ? CALM : PAUSE);
      } catch (error) {
        page.lost(error);
        return;
      }
    }
  };
  loop();
  return page;
}

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
