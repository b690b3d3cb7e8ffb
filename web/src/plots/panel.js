// SPDX-License-Identifier: MIT
import { STATIC } from '../data/run.js';
import { LedgerPlot } from './ledger.js';
import { Plot } from './plot.js';

/** A stack of plots that share the time. */
export class Panel {
  constructor(root, onseek) {
    this.root = root;
    this.onseek = onseek;
    this.plots = [];
    this.time = 0;
    new ResizeObserver(() => this.resize()).observe(root);
  }

  set(plots) {
    for (const plot of this.plots) plot.destroy();
    this.plots = plots;
    this.root.append(...plots.map((p) => p.root));
    this.resize();
    this.setTime(this.time);
  }

  /** Width [px] of a plot; 0 while the panel is hidden. */
  get width() { return Math.max(0, this.root.clientWidth - 24); }

  resize() {
    if (this.width === 0) return;
    for (const plot of this.plots) {
      plot.mount(this.width);
      if (plot.chart.width !== this.width) plot.resize(this.width);
    }
  }

  setTime(t) {
    this.time = t;
    if (this.width > 0) for (const plot of this.plots) plot.setTime(t);
  }

  redraw() { for (const plot of this.plots) plot.redraw(); }
}

const norm = (x, y, z) => Float64Array.from(x, (_, i) => Math.hypot(x[i], y[i], z[i]));

/** Specifications of the run's plots after the ledger. */
function runSpecs(run) {
  const s = run.series, { time } = s;
  return [
    { title: 'Contact force', unit: 'N', time, series: [
      { label: 'all normal', color: '--p-1', values: s.normalForce }, { label: 'largest', color: '--p-2', values: s.largestForce }] },
    { title: 'Penetration', unit: 'm', log: true, time, series: [{ label: 'deepest', color: '--p-3', values: s.greatestDepth }] },
    ...(run.variable ? [] : [{ title: 'Solver residual', unit: '', log: true, time, series: [{ label: 'worst island', color: '--p-4', values: s.worstError }] }]),
    { title: 'Contacts', unit: '', time, series: [
      { label: 'contacts', color: '--p-1', values: s.contacts }, { label: 'islands', color: '--p-2', values: s.islands }] },
    { title: 'Momentum', unit: 'N s', time, series: [
      { label: '|p|', color: '--p-1', values: norm(s.momentumX, s.momentumY, s.momentumZ) }] },
    { title: 'Angular momentum', unit: 'N m s', time, series: [
      { label: '|L| about the origin', color: '--p-2', values: norm(s.angularX, s.angularY, s.angularZ) }] },
    { title: run.variable ? 'Integrator work' : 'Solver work', unit: '', time, series: [{ label: run.variable ? 'steps a frame' : 'sweeps', color: '--p-4', values: s.sweeps },
      ...(run.variable ? [] : [{ label: 'Newton steps', color: '--p-2', values: s.newtonSteps }])] },
  ];
}

export function runPlots(run, onseek) {
  return [new LedgerPlot(run.series, onseek, run.variable), ...runSpecs(run).map((spec) => new Plot(spec, onseek))];
}

/** Gives the plots of a growing run their new numbers. */
export function updateRunPlots(run, [ledger, ...plots]) {
  ledger.update({ ledger: run.series });
  runSpecs(run).forEach((spec, i) => plots[i].update(spec));
}

export function bodyPlots(run, b, onseek) {
  const h = run.bodyHistory(b), driver = run.driverHistory(b);
  const motion = run.bodies[b].type === STATIC ? [] : [
    { title: 'Position', unit: 'm', time: h.time, series: [{ label: 'x', color: '--p-1', values: h.x },
      { label: 'y', color: '--p-3', values: h.y }, { label: 'z', color: '--p-2', values: h.z }] },
    { title: 'Speed', unit: 'm/s', time: h.time, series: [{ label: '|v|', color: '--p-1', values: h.speed }] },
    { title: 'Turning', unit: 'rad/s', time: h.time, series: [{ label: '|ω|', color: '--p-2', values: h.spin }] },
  ];
  const specs = [...motion,
    { title: 'Contact force on it', unit: 'N', time: h.forceTime, series: [{ label: 'net', color: '--p-1', values: h.force }] },
  ];
  if (driver) {
    specs.unshift({ title: 'Power supplied', unit: 'W', time: driver.time, series: [{ label: 'to the others', color: '--e-drivers', values: driver.power }] });
    specs.push({ title: 'Torque borne', unit: 'N m', time: driver.time, series: [{ label: '|M|', color: '--e-drivers', values: driver.torque }] });
  }
  return specs.map((spec) => new Plot(spec, onseek));
}

/** How far, how fast and how hard each axis of a joint goes; limits are drawn as lines. */
export function jointPlots(run, j, onseek) {
  const h = run.jointHistory(j), { axes } = run.joints[j], specs = [], flat = (v) => h.time.map(() => v);
  axes.forEach((axis, k) => {
    const number = axes.length > 1 ? ` ${k + 1}` : '', unit = axis.turns ? 'rad' : 'm', own = h.axes[k];
    const limits = ['lower', 'upper'].filter((end) => axis[end] !== undefined)
      .map((end) => ({ label: end, color: '--e-forces', values: flat(axis[end]) }));
    specs.push({ title: `Position${number}`, unit, time: h.time, clock: k === 0, series: [{ label: 'position', color: '--p-1', values: own.position }, ...limits] });
    specs.push({ title: `Rate${number}`, unit: `${unit}/s`, time: h.time, series: [{ label: 'rate', color: '--p-2', values: own.rate }] });
    if (axis.drive > 0 || own.drive.some((v) => v)) {
      specs.push({ title: `Drive${number}`, unit: axis.turns ? 'N m' : 'N', time: h.time, series: [{ label: 'of the drive', color: '--e-drivers', values: own.drive }] });
    }
  });
  if (h.power.some((v) => v)) specs.push({ title: 'Power of its drives', unit: 'W', time: h.time, series: [{ label: 'to the bodies', color: '--e-drivers', values: h.power }] });
  specs.push({ title: 'Force that it carries', unit: 'N', time: h.time, series: [{ label: '|F|', color: '--p-3', values: h.force }] });
  specs.push({ title: 'Torque that it carries', unit: 'N m', time: h.time, series: [{ label: '|M|', color: '--p-4', values: h.torque }] });
  return specs.map((spec) => new Plot(spec, onseek));
}

export function contactPlots(run, key, onseek) {
  const h = run.contactHistory(key);
  const specs = [
    { title: 'Force', unit: 'N', time: h.time, height: 110, clock: true, series: [{ label: 'normal', color: '--p-1', values: h.normal },
      { label: 'friction', color: '--p-2', values: h.friction }, { label: 'cone', color: '--e-forces', values: h.limit }] },
    { title: 'Impact impulse', unit: 'N s', time: h.time, series: [{ label: '|J|', color: '--p-3', values: h.impulse }] },
    { title: 'Depth', unit: 'm', time: h.time, series: [{ label: 'depth', color: '--p-3', values: h.depth }] },
    { title: 'Slip', unit: 'm/s', time: h.time, series: [{ label: '|slip|', color: '--p-4', values: h.slip }] },
  ];
  return specs.map((spec) => new Plot(spec, onseek));
}
