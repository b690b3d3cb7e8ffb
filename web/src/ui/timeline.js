// SPDX-License-Identifier: MIT
import { cssVar } from './dom.js';
import { MILD } from './events.js';
import { minus } from './format.js';

/** The time line: how many contacts there are, marks of events, the present. A slider for the keyboard. */
export class Timeline {
  constructor(canvas, run, onseek) {
    this.canvas = canvas;
    this.run = run;
    this.onseek = onseek;
    this.time = 0;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      canvas.focus();
      this.#seek(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) this.#seek(event);
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  #seek(event) {
    const { left, width } = this.canvas.getBoundingClientRect();
    this.onseek(Math.min(1, Math.max(0, (event.clientX - left) / width)) * this.run.duration);
  }

  setTime(t, label) {
    this.time = t;
    this.canvas.setAttribute('aria-valuemax', String(this.run.duration));
    this.canvas.setAttribute('aria-valuenow', String(t));
    this.canvas.setAttribute('aria-valuetext', label);
    this.draw();
  }

  draw() {
    const { canvas, run } = this, ratio = devicePixelRatio;
    const w = canvas.clientWidth, h = canvas.clientHeight;
    if (w === 0) return;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
    }
    const ctx = canvas.getContext('2d');
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, w, h);
    const x = (t) => (t / (run.duration || 1)) * w;
    ctx.drawImage(this.#background(w, h, ratio, x), 0, 0, w, h);
    ctx.fillStyle = cssVar('--accent');
    const at = Math.min(w - 1, Math.max(1, x(this.time)));
    ctx.fillRect(at - 0.75, 0, 1.5, h - 14);
    ctx.beginPath();
    ctx.moveTo(at - 5, 0);
    ctx.lineTo(at + 5, 0);
    ctx.lineTo(at, 7);
    ctx.fill();
  }

  /** Everything but the present, drawn once. */
  #background(w, h, ratio, x) {
    const { run } = this;
    const state = [w, h, ratio, cssVar('--text'), run.series.time.length, run.events.length].join(' ');
    if (state === this.state) return this.layer;
    this.state = state;
    this.layer ??= document.createElement('canvas');
    this.layer.width = Math.round(w * ratio);
    this.layer.height = Math.round(h * ratio);
    const ctx = this.layer.getContext('2d');
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#drawScale(ctx, w, h, run.duration || 1, x);
    this.#drawCounts(ctx, w, h - 14, x);
    this.#drawEvents(ctx, h - 14, x, w);
    return this.layer;
  }

  #drawScale(ctx, w, h, length, x) {
    const wanted = length / Math.max(2, w / 90), ten = 10 ** Math.floor(Math.log10(wanted));
    const step = ten * ([1, 2, 5].find((m) => m * ten >= wanted) ?? 10);
    ctx.fillStyle = cssVar('--muted');
    ctx.font = '10.5px system-ui, sans-serif';
    for (let t = 0, k = 0; t <= length * (1 + 1e-9); t = ++k * step) {
      const label = `${minus(String(Number(t.toPrecision(6))))} s`;
      const wide = ctx.measureText(label).width;
      ctx.fillRect(x(t), h - 14, 1, 3);
      ctx.fillText(label, Math.min(w - wide, Math.max(0, x(t) - wide / 2)), h - 1);
    }
  }

  #drawCounts(ctx, w, h, x) {
    const { time, contacts } = this.run.series;
    const most = contacts.reduce((m, v) => Math.max(m, v), 0);
    ctx.fillStyle = cssVar('--well');
    ctx.fillRect(0, 0, w, h);
    if (most === 0) return;
    ctx.fillStyle = cssVar('--well-fill');
    ctx.beginPath();
    ctx.moveTo(0, h);
    const every = Math.max(1, Math.floor(time.length / (2 * w)));
    for (let i = 0; i < time.length; i += every) ctx.lineTo(x(time[i]), h - (contacts[i] / most) * (h - 10));
    ctx.lineTo(x(time[time.length - 1]), h);
    ctx.fill();
  }

  #drawEvents(ctx, h, x, w) {
    const drawn = new Set();
    for (const event of this.run.events) {
      const at = Math.round(x(event.time));
      if (event.until !== undefined) {
        ctx.fillStyle = cssVar(event.error > MILD ? '--alarm' : '--end');
        ctx.fillRect(at, 0, Math.max(2, x(event.until) - at), 3);
        continue;
      }
      if (at > w || drawn.has(`${event.kind} ${at}`)) continue;
      drawn.add(`${event.kind} ${at}`);
      const begins = event.kind === 'begin' || event.kind === 'impact';
      ctx.fillStyle = cssVar(begins ? '--begin' : '--end');
      if (begins) ctx.fillRect(at, h - 7, 1.5, 7);
      else ctx.fillRect(at, 8, 1.5, 5);
    }
  }
}
