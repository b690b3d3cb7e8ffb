// SPDX-License-Identifier: MIT
import { cssVar } from '../ui/dom.js';
import { Plot, sampleAt } from './plot.js';

// Where energy came from and where it went [J]. Entries have the ledger's own sign everywhere, > 0 where
// energy enters the bodies; what bodies hold more than at the beginning is drawn with the opposite sign
// (`held`), so that the areas above and below zero are equally high: above what came, below where it went.
const ENTRIES = [
  { label: 'kinetic', color: '--e-kinetic', held: true },
  { label: 'potential', color: '--e-potential', held: true },
  { label: 'elastic', color: '--e-elastic', held: true },
  { label: 'drivers', color: '--e-drivers' },
  { label: 'forces', color: '--e-forces' },
  { label: 'impact', color: '--e-impact' },
  { label: 'friction', color: '--e-friction' },
  { label: 'correction', color: '--e-correction' },
  { label: 'integrator', color: '--e-integrator' },
  { label: 'motors', color: '--e-drivers' },
  { label: 'dampers', color: '--e-friction' },
  { label: 'limits', color: '--e-impact' },
  { label: 'jointFriction', color: '--e-friction' },
  { label: 'joints', color: '--e-correction' },
  { label: 'compliance', color: '--e-impact' },
];

/** With a variable step the work of contacts that last is not booked by itself: it is the rest. */
const REST = { label: 'contacts', color: '--e-friction', column: 'unaccounted' };

/** An entry is worth drawing if it ever exceeds this share of the largest. */
const VISIBLE = 1e-4;

/** Edges of the stacked areas: { entries worth drawing, all columns, top, bottom, bands: [{ color, low, high }] }. */
export function stack(series, variable = false) {
  const n = series.time.length;
  const columns = (variable ? [...ENTRIES, REST] : ENTRIES).map((e) => ({ ...e, values: series[e.column ?? e.label] ?? new Float64Array(n) }));
  const size = columns.map((c) => c.values.reduce((m, v) => Math.max(m, Math.abs(v)), 0));
  const largest = Math.max(...size, 0);
  const entries = columns.filter((c, k) => size[k] > VISIBLE * largest && size[k] > 0);
  const top = new Float64Array(n), bottom = new Float64Array(n);
  const bands = entries.map((entry) => {
    const low = new Float64Array(n), high = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const v = entry.held ? -entry.values[i] : entry.values[i];
      if (v >= 0) {
        low[i] = top[i];
        high[i] = top[i] += v;
      } else {
        high[i] = bottom[i];
        low[i] = bottom[i] += v;
      }
    }
    return { color: entry.color, low, high };
  });
  return { entries, columns, top, bottom, bands };
}

/** The ledger as stacked areas about zero. */
export class LedgerPlot extends Plot {
  constructor(series, onseek, variable) {
    super({ title: 'Energy ledger', unit: 'J', height: 150, clock: true, time: series.time, series: [] }, onseek);
    this.variable = variable;
    this.update({ ledger: series });
  }

  update({ ledger }) {
    this.ledger = ledger;
    this.stacked = stack(ledger, this.variable);
    super.update({
      time: ledger.time,
      series: [{ label: 'above', color: '--muted', values: this.stacked.top, draw: { show: true, stroke: 'transparent' } },
        { label: 'below', color: '--muted', values: this.stacked.bottom, draw: { show: true, stroke: 'transparent' } }],
    });
    this.values.replaceChildren();
    this.cells = null;
  }

  table() {
    const rest = this.variable ? [] : [{ label: 'unaccounted', values: this.ledger.unaccounted }];
    return { title: 'Energy ledger', unit: 'J', time: this.ledger.time, series: [...this.stacked.columns, ...rest] };
  }

  overlay(u) {
    const { ctx, bbox } = u, { bands } = this.stacked, time = this.ledger.time;
    if (time.length === 0) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    const every = Math.max(1, Math.floor(time.length / bbox.width));
    const rows = [];
    for (let i = 0; i < time.length; i += every) rows.push(i);
    if (rows[rows.length - 1] !== time.length - 1) rows.push(time.length - 1);
    const xs = rows.map((i) => u.valToPos(time[i], 'x', true));
    for (const { color, low, high } of bands) {
      ctx.beginPath();
      rows.forEach((i, k) => ctx.lineTo(xs[k], u.valToPos(high[i], 'y', true)));
      for (let k = rows.length - 1; k >= 0; k--) ctx.lineTo(xs[k], u.valToPos(low[rows[k]], 'y', true));
      ctx.closePath();
      ctx.fillStyle = cssVar(color);
      ctx.fill();
    }
    ctx.strokeStyle = cssVar('--text');
    ctx.lineWidth = Math.max(1, devicePixelRatio);
    ctx.beginPath();
    rows.forEach((i, k) => ctx.lineTo(xs[k], u.valToPos(this.variable ? 0 : this.ledger.unaccounted[i], 'y', true)));
    ctx.stroke();
    ctx.restore();
  }

  showValues() {
    const s = this.ledger, i = s.time.length ? sampleAt(s.time, this.time) : -1;
    const list = this.stacked.entries.map((e) => [e.label, e.color, i < 0 ? null : e.values[i], 'J']);
    if (!this.variable) list.push(['unaccounted', '--text', i < 0 ? null : s.unaccounted[i], 'J']);
    this.setValues(list);
  }
}
