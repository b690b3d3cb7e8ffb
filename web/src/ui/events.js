// SPDX-License-Identifier: MIT
import { el } from './dom.js';
import { power, text } from './format.js';

const ROW = 22;
/** A step that missed its tolerance by no more than this error is no alarm. */
export const MILD = 1e-6;
const WORDS = { begin: 'touch', end: 'part' };

/**
 * Whether an event is wanted by a filter: words that its bodies or its kind must hold, all of them, and ">5" for impulses
 * of at least 5 N s.
 */
export function matcher(run, filter) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const least = words.filter((w) => /^>[\d.e+-]+$/.test(w)).map((w) => Number(w.slice(1)));
  const parts = words.filter((w) => !w.startsWith('>'));
  return (event) => {
    if (least.some((v) => !(event.impulse >= v))) return false;
    const said = `${WORDS[event.kind] ?? event.kind} ${run.name(event.body1)} ${run.name(event.body2)}`.toLowerCase();
    return parts.every((w) => said.includes(w));
  };
}

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
    this.filter = '';
    new ResizeObserver(() => {  // Also when its tab is opened.
      this.reveal(Math.max(0, this.selected, this.current));
      this.draw();
    }).observe(root);
  }

  /** The events that are listed. */
  get events() {
    if (this.filter === '') return this.run.events;
    if (this.filtered?.filter !== this.filter || this.filtered.of !== this.run.events.length) {
      this.filtered = { filter: this.filter, of: this.run.events.length, list: this.run.events.filter(matcher(this.run, this.filter)) };
    }
    return this.filtered.list;
  }

  setFilter(filter) {
    this.filter = filter.trim();
    this.selected = -1;
    this.current = -2;
    this.root.scrollTop = 0;
    this.setTime(this.time ?? 0);
    this.draw();
  }

  #key(event) {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (!move || this.events.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.select(Math.min(this.events.length - 1, Math.max(0, this.selected + move)));
  }

  select(index) {
    this.selected = index;
    this.reveal(index);
    this.onpick(this.events[index]);
    this.draw();
  }

  reveal(index) {
    if (this.root.clientHeight === 0) return;
    const top = index * ROW, { scrollTop, clientHeight } = this.root;
    if (top < scrollTop || top + ROW > scrollTop + clientHeight) this.root.scrollTop = ROW * Math.max(0, Math.round((top - clientHeight / 2) / ROW)); // No row is cut in two at the top.
  }

  /** Marks the last event that has happened at time t. */
  setTime(t) {
    this.time = t;
    const { events } = this;
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
    const { events } = this;
    this.tall.style.height = `${events.length * ROW + this.root.clientHeight % ROW}px`; // At its end too, whole rows.
    const first = Math.max(0, Math.floor(this.root.scrollTop / ROW) - 2);
    const last = Math.min(events.length, first + Math.ceil(this.root.clientHeight / ROW) + 5);
    this.rows.style.transform = `translateY(${first * ROW}px)`;
    const nodes = [];
    for (let i = first; i < last; i++) nodes.push(this.#row(events[i], i));
    if (events.length === 0) nodes.push(el('div', { class: 'event empty' }, this.filter ? 'No event matches.' : 'Nothing touched or parted in this run.'));
    this.rows.replaceChildren(...nodes);
  }

  #row(event, i) {
    const pair = `${this.run.name(event.body1)}  ·  ${this.run.name(event.body2)}`;
    const fault = event.kind === 'not converged';
    const who = fault ? `error ${power(event.error)}, ${event.frames} frame${event.frames === 1 ? '' : 's'}${event.body1 < this.run.numBodies ? `, worst ${pair}` : ''}` : pair;
    const size = !fault && event.impulse > 0 ? text(event.impulse, 'N s', 3) : '';
    const state = `${event.error <= MILD ? ' mild' : ''}${i === this.current ? ' now' : ''}${i > this.current ? ' ahead' : ''}${i === this.selected ? ' selected' : ''}`;
    return el('div', { class: `event ${event.kind.replaceAll(' ', '-')}${state}`, onclick: () => this.select(i) },
      el('span', { class: 'event-time' }, `${event.time.toFixed(this.decimals)} s`),
      el('span', { class: 'event-kind' }, WORDS[event.kind] ?? event.kind),
      el('span', { class: 'event-size', title: 'impulse of the first step of touching, or of the impact' }, size),
      el('span', { class: 'event-who', title: who }, who));
  }
}
