// SPDX-License-Identifier: MIT
import { el } from './dom.js';
import { power } from './format.js';

const ROW = 22;
/** A step that missed its tolerance by no more than this error is no alarm. */
export const MILD = 1e-6;
const WORDS = { begin: 'touch', end: 'part' };

/** The list of events: only the rows in sight exist, so a hundred thousand of them are no burden. */
export class EventList {
  constructor(root, run, decimals, onpick) {
    this.root = root;
    this.run = run;
    this.decimals = decimals;
    this.onpick = onpick;
    this.tall = el('div', { class: 'event-space' });
    this.rows = el('div', { class: 'event-rows' });
    root.classList.toggle('located', run.variable);
    root.append(this.tall, this.rows);
    root.addEventListener('scroll', () => this.draw());
    root.addEventListener('keydown', (event) => this.#key(event));
    this.current = -1;
    this.selected = -1;
    new ResizeObserver(() => this.draw()).observe(root);
  }

  #key(event) {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (!move || this.run.events.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.select(Math.min(this.run.events.length - 1, Math.max(0, this.selected + move)));
  }

  select(index) {
    this.selected = index;
    this.reveal(index);
    this.onpick(this.run.events[index]);
    this.draw();
  }

  reveal(index) {
    const top = index * ROW, { scrollTop, clientHeight } = this.root;
    if (top < scrollTop || top + ROW > scrollTop + clientHeight) this.root.scrollTop = top - clientHeight / 2;
  }

  /** Marks the last event that has happened at time t. */
  setTime(t) {
    const { events } = this.run;
    let low = 0, high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (events[middle].time <= t + 5e-10) low = middle + 1;
      else high = middle;
    }
    if (low - 1 === this.current) return;
    this.current = low - 1;
    if (!this.root.matches(':hover, :focus')) this.reveal(Math.max(0, this.current));
    this.draw();
  }

  draw() {
    const { events } = this.run;
    this.tall.style.height = `${events.length * ROW}px`;
    const first = Math.max(0, Math.floor(this.root.scrollTop / ROW) - 2);
    const last = Math.min(events.length, first + Math.ceil(this.root.clientHeight / ROW) + 5);
    this.rows.style.transform = `translateY(${first * ROW}px)`;
    const nodes = [];
    for (let i = first; i < last; i++) nodes.push(this.#row(events[i], i));
    if (events.length === 0) nodes.push(el('div', { class: 'event empty' }, 'Nothing touched or parted in this run.'));
    this.rows.replaceChildren(...nodes);
  }

  #row(event, i) {
    const who = event.kind === 'not converged' ? `error ${power(event.error)}, ${event.frames} frame${event.frames === 1 ? '' : 's'}`
      : `${this.run.name(event.body1)}  ·  ${this.run.name(event.body2)}`;
    const state = `${event.error <= MILD ? ' mild' : ''}${i === this.current ? ' now' : ''}${i > this.current ? ' ahead' : ''}${i === this.selected ? ' selected' : ''}`;
    return el('div', { class: `event ${event.kind.replaceAll(' ', '-')}${state}`, onclick: () => this.select(i) },
      el('span', { class: 'event-time' }, `${event.time.toFixed(this.decimals)} s`),
      el('span', { class: 'event-kind' }, WORDS[event.kind] ?? event.kind), el('span', { class: 'event-who', title: who }, who));
  }
}
