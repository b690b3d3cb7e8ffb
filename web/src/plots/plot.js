// SPDX-License-Identifier: MIT
import uPlot from 'uplot';
import { Run } from '../data/run.js';
import { cssVar, el } from '../ui/dom.js';
import { minus, power, quantity } from '../ui/format.js';

const SYNC = 'time';
/** Height [px] of a plot without its heading. */
const PLAIN = 58;
/** What words of the ledger mean, where they are pointed at. */
const MEANINGS = {
  kinetic: 'change of the kinetic energy of all bodies since the beginning',
  potential: 'change of the energy of all bodies in gravity since the beginning',
  drivers: 'work of kinematic bodies and moving surfaces on the others',
  forces: 'work of applied forces',
  impact: 'work of impacts; what they take is negative',
  friction: 'work of friction and of resistances against rolling; negative where it takes energy',
  correction: 'work of moving overlapping bodies apart',
  elastic: 'in the springs of joints',
  motors: 'work of the drives of joints',
  dampers: 'lost in the dampers of joints',
  limits: 'lost at the ends of joints\' ways',
  jointFriction: 'lost to dry friction in joints',
  joints: 'lost where impacts meet what joints lock',
  compliance: 'taken up by contacts that give way a little',
  integrator: 'what the rotation of bodies in contact does not conserve in a step of this length',
  unaccounted: 'what the entries do not explain: rounding',
  contacts: 'work of contacts that last, of drivers and of forces',
};
/** Samples up to which a log plot marks each, so that lone ones between zeros are seen. */
const MOST_POINTS = 1500;

/** Index of the sample that holds at t. */
export const sampleAt = (times, t) => Run.indexAt(times, t);

/**
 * A small plot over time with a heading that shows the values at the page's time.
 * spec: { title, unit, log, series: [{ label, color (css variable), values }], time, height }
 */
export class Plot {
  constructor(spec, onseek) {
    this.spec = spec;
    this.onseek = onseek;
    this.time = 0;
    this.values = el('span', { class: 'plot-values' });
    this.holder = el('div', { class: 'plot-canvas' });
    this.root = el('section', { class: 'plot', 'aria-label': spec.title },
      el('header', {}, el('h3', {}, spec.title), this.values), this.holder);
  }

  /** Numbers to draw, [time, ...]. On a log scale what is not positive is left out. */
  data() {
    const { time, series, log } = this.spec;
    const positive = (values) => Array.from(values, (v) => (v > 0 ? v : null));
    return [time, ...series.map((s) => (log ? positive(s.values) : s.values))];
  }

  mount(width) {
    if (this.chart) return;
    this.chart = new uPlot(this.options(width), this.data(), this.holder);
    this.cursor = el('div', { class: 'plot-now' });
    this.chart.over.append(this.cursor);
    this.chart.over.addEventListener('pointerdown', (event) => this.#drag(event));
  }

  #drag(event) {
    const seek = (e) => this.onseek(this.chart.posToVal(e.clientX - this.chart.over.getBoundingClientRect().left, 'x'));
    const stop = () => {
      window.removeEventListener('pointermove', seek);
      window.removeEventListener('pointerup', stop);
    };
    event.preventDefault();
    seek(event);
    window.addEventListener('pointermove', seek);
    window.addEventListener('pointerup', stop);
  }

  options(width) {
    const { log, series, time, height = PLAIN, unit, range, clock } = this.spec;
    const axis = { stroke: () => cssVar('--muted'), grid: { stroke: () => cssVar('--grid'), width: 1 }, ticks: { show: false },
      font: '11px system-ui, sans-serif' }; // whole pixels: uPlot scales the digits before "px" alone
    return {
      width, height, legend: { show: false }, padding: [7, 8, clock ? 0 : 4, 0],
      cursor: { sync: { key: SYNC }, drag: { x: false, y: false, setScale: false }, points: { show: false }, y: false },
      scales: { x: { time: false }, y: log
        ? { distr: 3, range: (u, low, high) => logRange(low, high) }
        : { range: range ?? ((u, low, high) => linearRange(low, high)) } },
      axes: [
        { ...axis, size: clock ? 18 : 4, gap: 2, values: (u, ticks) => ticks.map((t) => (clock ? `${trim(t)} s` : '')), space: 70 },
        { ...axis, size: 54, gap: 4, space: 20,
          ...(log ? { splits: (u) => decades(u.scales.y.min, u.scales.y.max), filter: (u, splits) => splits } : {}), values: (u, ticks) => ticks.map((v) => tick(v, unit, log)) },
      ],
      series: [{}, ...series.map((s) => ({ label: s.label, stroke: () => cssVar(s.color), width: s.width ?? 1.25, points: { show: Boolean(log) && time.length < MOST_POINTS, size: 2.5, width: 0, fill: () => cssVar(s.color) },
        spanGaps: false, ...s.draw }))],
      hooks: { draw: [(u) => this.overlay(u)] },
    };
  }

  /** Drawn below the time line; for plots of other kinds. */
  overlay(u) {
    const { log, series } = this.spec;
    if (!log || series.some((s) => s.values.some((v) => v > 0))) return;
    const { left, top, width, height } = u.bbox;
    u.ctx.save();
    u.ctx.fillStyle = cssVar('--muted');
    u.ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    u.ctx.textAlign = 'center';
    u.ctx.fillText('zero throughout', left + width / 2, top + height / 2);
    u.ctx.restore();
  }

  /** Puts the line of the present where it belongs; an element of its own, so nothing is drawn anew. */
  #placeCursor() {
    const { chart } = this;
    if (!chart) return;
    const x = chart.valToPos(this.time, 'x');
    this.cursor.style.display = x >= -0.5 && x <= chart.over.clientWidth + 0.5 ? '' : 'none';
    this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  /** New numbers of a growing run. */
  update(spec) {
    Object.assign(this.spec, spec);
    this.chart?.setData(this.data());
    this.#placeCursor();
  }

  setTime(t) {
    this.time = t;
    this.showValues();
    this.#placeCursor();
  }

  redraw() { this.chart?.redraw(false, true); }

  showValues() {
    const { time, series, unit } = this.spec;
    const i = time.length ? sampleAt(time, this.time) : -1;
    this.setValues(series.map((s) => [s.label, s.color, i < 0 ? null : s.values[i], unit]));
  }

  setValues(list) {
    this.cells ??= list.map(([label, color]) => {
      const number = el('b', {}), u = el('i', {});
      const meaning = MEANINGS[label] ?? '';
      const swatch = el('span', { class: 'swatch' });
      swatch.style.background = `var(${color})`;
      this.values.append(el('span', { class: 'value', title: meaning }, swatch, el('span', { class: 'label' }, label), number, u));
      return { number, u };
    });
    list.forEach(([, , value, unit], i) => {
      const [number, u] = quantity(value, unit, 5);
      this.cells[i].number.textContent = number;
      this.cells[i].u.textContent = u;
    });
  }

  /** Its numbers, for tables: { title, unit, time, series: [{ label, values }] }. */
  table() { return this.spec; }

  resize(width) {
    this.chart?.setSize({ width, height: this.spec.height ?? PLAIN });
    this.#placeCursor();
  }

  destroy() {
    this.chart?.destroy();
    this.root.remove();
  }
}

function logRange(low, high) {
  if (!(low > 0) || !(high > 0)) return [1e-16, 1];
  const from = 10 ** Math.floor(Math.log10(low)), to = 10 ** Math.ceil(Math.log10(high));
  return from === to ? [from / 10, to * 10] : [from, to];
}

function linearRange(low, high) {
  if (low === null || high === null || !Number.isFinite(low)) return [0, 1];
  const zeroed = [Math.min(0, low), Math.max(0, high)];
  const span = zeroed[1] - zeroed[0] || 1;
  return [zeroed[0] < 0 ? zeroed[0] - 0.06 * span : 0, zeroed[1] > 0 ? zeroed[1] + 0.06 * span : 0.06 * span];
}

/** Up to four powers of ten within a range. */
function decades(low, high) {
  const from = Math.round(Math.log10(low)), to = Math.round(Math.log10(high));
  const every = Math.max(1, Math.ceil((to - from) / 3)), out = [];
  for (let k = from; k <= to; k += every) out.push(10 ** k);
  return out;
}

const trim = (v) => minus(String(Number(v.toPrecision(6))));

function tick(v, unit, log) {
  if (v === null || v === undefined) return '';
  if (log) return power(v, 1);
  if (v === 0) return '0';
  const size = Math.abs(v);
  if (size >= 1e4 || size < 1e-2) {
    const exponent = Math.floor(Math.log10(size) / 3) * 3;
    return `${trim(Number((v / 10 ** exponent).toPrecision(4)))}e${minus(String(exponent))}`;
  }
  return trim(v);
}
