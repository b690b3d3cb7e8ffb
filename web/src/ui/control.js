// SPDX-License-Identifier: MIT
// What a page that was opened with the token may do to a running simulation: pause, single steps, restart, speed,
// pulling bodies, gravity, friction. Everything goes to the server as a wish; what holds comes back as its state.
import { DYNAMIC } from '../data/run.js';
import { byId, el } from './dom.js';

const PLAY_ICON = 'M4 2v12l9-6z', PAUSE_ICON = 'M4 2h3v12H4zM9 2h3v12H9z';
const SPEEDS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4];
const WORDS = { running: 'running', paused: 'paused', over: 'at its end', failed: 'a step failed' };
/** A press that moves less than this [px] is a click. */
const STILL = 4;

/** The address without its token, for links that only show. */
export function withoutToken(href) {
  const url = new URL(href);
  url.searchParams.delete('token');
  return url.href;
}

/** Sends wishes one after the other; of those of one kind that wait the last counts. */
class Wishes {
  constructor(token, onstate, onerror) {
    Object.assign(this, { token, onstate, onerror, waiting: new Map(), busy: false });
  }

  send(wish, kind = wish.do) {
    this.waiting.delete(kind);
    this.waiting.set(kind, wish);
    if (!this.busy) this.#work();
  }

  async #work() {
    this.busy = true;
    while (this.waiting.size > 0) {
      const [kind, wish] = this.waiting.entries().next().value;
      this.waiting.delete(kind);
      try {
        const answer = await fetch('control', { method: 'POST', headers: { 'X-Abut-Token': this.token }, body: JSON.stringify(wish) });
        if (answer.ok) this.onstate(await answer.json());
        else this.onerror((await answer.text()).trim());
      } catch {
        this.onerror('The simulation does not answer.');
      }
    }
    this.busy = false;
  }
}

export class Control {
  constructor(page, token) {
    this.page = page;
    this.viewer = page.viewer;
    this.pulls = true;
    this.state = null;
    this.wishes = new Wishes(token, (s) => this.setState(s), (why) => this.#say(why));
    this.#setUpButtons();
    this.#setUpPulling();
    byId('control').hidden = false;
    document.body.classList.add('controlled');
  }

  // --- buttons ---

  #setUpButtons() {
    byId('sim-pause').addEventListener('click', () => this.toggle());
    byId('sim-step').addEventListener('click', () => this.step());
    byId('sim-restart').addEventListener('click', () => this.restart());
    byId('sim-pull').addEventListener('click', () => this.togglePulls());
    byId('sim-more').addEventListener('click', () => this.#open(byId('sim-changes').hidden));
    const speed = byId('sim-speed');
    speed.append(...SPEEDS.map((s) => el('option', { value: String(s) }, s < 1 ? `1/${1 / s} ×` : `${s} ×`)), el('option', { value: '0' }, 'fastest'));
    speed.addEventListener('change', () => this.wishes.send({ do: 'speed', value: Number(speed.value) }));
    byId('sim-gravity').addEventListener('input', (e) => this.#wishGravity(Number(e.target.value)));
    byId('sim-material').addEventListener('change', () => this.#showFriction());
    byId('sim-friction').addEventListener('input', (e) => {
      const value = Number(e.target.value);
      byId('sim-friction-value').textContent = value.toFixed(2);
      this.wishes.send({ do: 'friction', material: byId('sim-material').value, value }, `friction ${byId('sim-material').value}`);
    });
  }

  #open(open) {
    byId('sim-changes').hidden = !open;
    byId('sim-more').setAttribute('aria-expanded', String(open));
  }

  toggle() {
    const runs = this.state?.state === 'running';
    if (!runs) this.page.follow();
    this.wishes.send({ do: runs ? 'pause' : 'resume' }, 'pause');
  }

  step() {
    this.page.follow();
    this.wishes.send({ do: 'step', count: 1 }, `step ${performance.now()}`);
  }

  restart() {
    this.page.follow();
    this.wishes.send({ do: 'restart' });
  }

  togglePulls() {
    this.pulls = !this.pulls;
    byId('sim-pull').setAttribute('aria-pressed', String(this.pulls));
  }

  // --- numbers ---

  /** Takes what holds now; the first time it also says how far sliders go. */
  setState(state) {
    const first = this.state === null;
    this.state = state;
    if (first) this.#setUpSliders(state);
    const runs = state.state === 'running', button = byId('sim-pause');
    button.querySelector('path').setAttribute('d', runs ? PAUSE_ICON : PLAY_ICON);
    button.setAttribute('aria-label', runs ? 'Pause the simulation' : 'Run the simulation');
    button.title = `${runs ? 'Pause' : 'Run'} the simulation (Space)`;
    for (const id of ['sim-pause', 'sim-step']) byId(id).disabled = state.state === 'failed';
    for (const id of ['sim-pull', 'sim-more']) byId(id).disabled = !state.editable;
    if (!state.editable) this.#open(false);
    const speed = byId('sim-speed'), known = [...speed.options].some((o) => Number(o.value) === state.speed);
    if (!known) speed.append(el('option', { value: String(state.speed) }, `${state.speed} ×`));
    if (document.activeElement !== speed) speed.value = String(state.speed);
    this.#say(state.message || WORDS[state.state], state.message !== '');
    if (document.activeElement !== byId('sim-gravity')) this.#showGravity();
    if (document.activeElement !== byId('sim-friction')) this.#showFriction();
    this.#showPull();
  }

  #say(words, alarm = true) {
    const said = byId('sim-state');
    if (said.textContent !== words) said.textContent = words;
    said.classList.toggle('alarm', alarm);
  }

  #setUpSliders({ gravity, friction }) {
    const size = Math.hypot(...gravity);
    /** Which way gravity points; without any, down. */
    this.down = size > 0 ? gravity.map((x) => x / size) : [0, 0, -1];
    byId('sim-gravity').max = String(size > 0 ? 2 * size : 20);
    byId('sim-gravity').step = String((size > 0 ? 2 * size : 20) / 200);
    byId('sim-material').replaceChildren(...friction.map(({ material }) => el('option', { value: material }, material)));
    const used = this.page.run.bodies.find((b) => b.type === DYNAMIC)?.shapes[0]?.material;
    if (friction.some((f) => f.material === used)) byId('sim-material').value = used;
    this.mostFriction = Math.max(1.5, ...friction.map((f) => 2 * f.value));
    byId('sim-friction').max = String(this.mostFriction);
    byId('sim-friction').step = String(this.mostFriction / 150);
  }

  #wishGravity(size) {
    byId('sim-gravity-value').textContent = `${size.toFixed(2)} m/s²`;
    this.wishes.send({ do: 'gravity', value: this.down.map((x) => (x * size) || 0) });
  }

  #showGravity() {
    const size = Math.hypot(...this.state.gravity);
    byId('sim-gravity').value = String(size);
    byId('sim-gravity-value').textContent = `${size.toFixed(2)} m/s²`;
  }

  #showFriction() {
    const now = this.state.friction.find((f) => f.material === byId('sim-material').value);
    if (!now) return;
    byId('sim-friction').value = String(now.value);
    byId('sim-friction-value').textContent = now.value.toFixed(2);
  }

  // --- pulling ---

  #setUpPulling() {
    const { canvas } = this.viewer, options = { capture: true };
    canvas.addEventListener('pointerdown', (e) => this.#grab(e), options);
    canvas.addEventListener('pointermove', (e) => this.#drag(e), options);
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) canvas.addEventListener(name, (e) => this.#release(e), options);
    window.addEventListener('blur', () => this.#release());
  }

  /** A press on a dynamic body takes hold of it, so that dragging does not turn the view. */
  #grab(event) {
    // A second finger means the view.
    if (this.held) { this.#release(); return; }
    if (!this.pulls || !this.state?.editable || event.button !== 0 || !event.isPrimary || !this.page.following) return;
    const hit = this.viewer.grabAt(event.offsetX, event.offsetY);
    if (!hit || this.page.run.bodies[hit.body].type !== DYNAMIC) return;
    this.held = { ...hit, pointer: event.pointerId, from: [event.offsetX, event.offsetY], moved: false };
    this.viewer.controls.enabled = false;
    this.viewer.canvas.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    if (!held.moved && Math.hypot(event.offsetX - held.from[0], event.offsetY - held.from[1]) <= STILL) return;
    held.moved = true;
    held.target = this.viewer.pointOnPlane(event.offsetX, event.offsetY, held.plane);
    if (!held.target) return;
    this.#showPull();
    this.wishes.send({ do: 'pull', body: this.page.run.name(held.body), point: held.local, target: held.target }, 'pull');
  }

  #release(event) {
    const { held } = this;
    if (!held || (event?.pointerId !== undefined && event.pointerId !== held.pointer)) return;
    this.held = null;
    this.viewer.controls.enabled = true;
    if (held.moved) this.wishes.send({ do: 'release' }, 'pull');
    if (this.state) this.state.pull = null;
    this.#showPull();
  }

  /** The spring: the own one where the hand is, else the one that holds. */
  #showPull() {
    const { held, state, page } = this;
    if (held?.moved && held.target) { this.viewer.setSpring({ body: held.body, point: held.local, target: held.target }); return; }
    const body = state?.pull ? page.run.bodies.findIndex((b) => b.name === state.pull.body) : -1;
    this.viewer.setSpring(body < 0 ? null : { body, point: state.pull.point, target: state.pull.target });
  }
}
