// SPDX-License-Identifier: MIT
// A run as the page sees it. Three tracks with their own times, because long runs are thinned:
//   series    one row a recorded frame: accounts, momentum, totals
//   poses     where the bodies are
//   contacts  what touches, with which force
// A live run grows by append(); a report is one append().

export const STATIC = 0, KINEMATIC = 1, DYNAMIC = 2;
export const NO_ISLAND = 0xffffffff;

/** Columns of the series, all doubles; energies are changes since the beginning. */
export const SERIES = ['time', 'kinetic', 'potential', 'drivers', 'forces', 'impact', 'friction', 'correction',
  'integrator', 'unaccounted', 'error', 'contacts', 'islands', 'depth', 'sweeps', 'converged', 'normalForce',
  'largestForce', 'impulse', 'momentumX', 'momentumY', 'momentumZ', 'angularX', 'angularY', 'angularZ'];

const CONTACT_WIDTH = { key: 1, body1: 1, body2: 1, position: 3, normal: 3, depth: 1, normalForce: 1, friction: 3,
  impulse: 3, slip: 3, mu: 1 };

function concat(a, b) {
  if (!a || a.length === 0) return b;
  if (b.length === 0) return a;
  const out = new (a.constructor)(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

/** As EventKind in io/recording/frame.hpp. */
const EVENT_KINDS = ['begin', 'end', 'impact', 'force vanishes', 'force returns', 'stick', 'slip'];

export class Run {
  /** `header` is the opened container of kind "header". */
  constructor(header) {
    const { head, column } = header;
    this.head = head;
    this.title = head.scene || 'scene';
    this.bodies = head.bodies.map((body, index) => ({ ...body, index }));
    this.numBodies = this.bodies.length;
    this.column = column;
    this.series = Object.fromEntries(SERIES.map((name) => [name, new Float64Array(0)]));
    this.poses = { time: new Float64Array(0), position: new Float32Array(0), orientation: new Float32Array(0),
      velocity: new Float32Array(0), spin: new Float32Array(0), island: new Uint32Array(0) };
    this.contacts = { time: new Float64Array(0), start: new Uint32Array([0]) };
    for (const name of Object.keys(CONTACT_WIDTH)) this.contacts[name] = null;
    this.drivers = { time: new Float64Array(0), body: new Uint32Array(0), work: new Float64Array(0),
      force: new Float64Array(0), torque: new Float64Array(0) };
    this.events = [];
    this.over = false;
    this.notes = {};
  }

  get duration() {
    const t = this.series.time;
    return t.length ? t[t.length - 1] : 0;
  }

  /** Adds frames: an opened container of kind "frames". */
  append({ head, column }) {
    for (const name of SERIES) this.series[name] = concat(this.series[name], column(`series.${name}`));
    for (const name of ['time', 'position', 'orientation', 'velocity', 'spin', 'island']) {
      this.poses[name] = concat(this.poses[name], column(`poses.${name}`));
    }
    const c = this.contacts;
    const before = c.start[c.start.length - 1];
    const start = column('contacts.start').slice(1);
    for (let i = 0; i < start.length; i++) start[i] += before;
    c.start = concat(c.start, start);
    c.time = concat(c.time, column('contacts.time'));
    for (const name of Object.keys(CONTACT_WIDTH)) c[name] = concat(c[name], column(`contacts.${name}`));
    for (const name of Object.keys(this.drivers)) {
      this.drivers[name] = concat(this.drivers[name], column(`drivers.${name}`));
    }
    this.#appendEvents(column);
    Object.assign(this.notes, head.notes);
    if (head.over) this.over = true;
  }

  /** Whether steps follow the motion: events are located in time, and the ledger does not hold all work. */
  get variable() { return !(this.head.step > 0); }

  #appendEvents(column) {
    const [time, kind, body1, body2] = ['time', 'kind', 'body1', 'body2'].map((n) => column(`events.${n}`));
    for (let i = 0; i < time.length; i++) {
      this.events.push({ time: time[i], kind: EVENT_KINDS[kind[i]] ?? 'end', body1: body1[i], body2: body2[i] });
    }
    this.#appendFaults();
    this.events.sort((a, b) => a.time - b.time);
  }

  /** Frames on end whose step did not converge are one event, with the worst error. */
  #appendFaults() {
    const s = this.series;
    for (let i = this.checked ?? 0; i < s.time.length; i++) {
      if (s.converged[i] !== 0) { this.fault = null; continue; }
      if (!this.fault) {
        this.fault = { time: s.time[i], kind: 'not converged', error: 0, frames: 0 };
        this.events.push(this.fault);
      }
      this.fault.until = s.time[i];
      this.fault.error = Math.max(this.fault.error, s.error[i]);
      this.fault.frames++;
    }
    this.checked = s.time.length;
  }

  /** Last index whose time is not after t (with half a nanosecond of mercy); 0 if there is none. */
  static indexAt(times, t) {
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= t + 5e-10) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  seriesAt(t) { return Run.indexAt(this.series.time, t); }
  poseAt(t) { return Run.indexAt(this.poses.time, t); }

  /** Rows [from, to) of the contacts that hold at t, and the time they were recorded. */
  contactRows(t) {
    const { time, start } = this.contacts;
    if (time.length === 0 || time[0] > t + 5e-10) return { from: 0, to: 0, time: 0 };
    const frame = Run.indexAt(time, t);
    return { from: start[frame], to: start[frame + 1], time: time[frame] };
  }

  /** Row of the contact with this key at t, or -1. */
  contactRow(key, t) {
    const { from, to } = this.contactRows(t);
    for (let row = from; row < to; row++) if (this.contacts.key[row] === key) return row;
    return -1;
  }

  vec(array, row) { return [array[3 * row], array[3 * row + 1], array[3 * row + 2]]; }

  name(body) { return this.bodies[body]?.name ?? '?'; }

  /** Body b in pose frame f. */
  motion(b, f) {
    const row = f * this.numBodies + b, p = this.poses;
    return { position: this.vec(p.position, row), velocity: this.vec(p.velocity, row), spin: this.vec(p.spin, row),
      orientation: [0, 1, 2, 3].map((k) => p.orientation[4 * row + k]), island: p.island[row] };
  }

  /** History of one contact: { time, normal, friction, limit, depth, slip }, gaps where it did not exist. */
  contactHistory(key) {
    const c = this.contacts, out = { time: [], normal: [], friction: [], limit: [], depth: [], slip: [], impulse: [] };
    for (let f = 0; f < c.time.length; f++) {
      let row = -1;
      for (let r = c.start[f]; r < c.start[f + 1] && row < 0; r++) if (c.key[r] === key) row = r;
      out.time.push(c.time[f]);
      const has = row >= 0;
      out.normal.push(has ? c.normalForce[row] : null);
      out.friction.push(has ? Math.hypot(...this.vec(c.friction, row)) : null);
      out.limit.push(has ? c.mu[row] * c.normalForce[row] : null);
      out.depth.push(has ? c.depth[row] : null);
      out.slip.push(has ? Math.hypot(...this.vec(c.slip, row)) : null);
      out.impulse.push(has ? Math.hypot(...this.vec(c.impulse, row)) : null);
    }
    return out;
  }

  /** Net contact force on a body in the rows [from, to): [x, y, z], and how many contacts it has. */
  contactForceOn(b, from, to) {
    const c = this.contacts, sum = [0, 0, 0];
    let count = 0;
    for (let r = from; r < to; r++) {
      const sign = c.body1[r] === b ? 1 : c.body2[r] === b ? -1 : 0;
      if (sign === 0) continue;
      count++;
      for (let k = 0; k < 3; k++) sum[k] += sign * (c.normal[3 * r + k] * c.normalForce[r] + c.friction[3 * r + k]);
    }
    return { force: sum, count };
  }

  /** History of a body: columns over the poses' times, and its contact force over the contacts' times. */
  bodyHistory(b) {
    const p = this.poses, frames = p.time.length;
    const out = { time: p.time, x: [], y: [], z: [], speed: [], spin: [] };
    for (let f = 0; f < frames; f++) {
      const row = f * this.numBodies + b;
      out.x.push(p.position[3 * row]);
      out.y.push(p.position[3 * row + 1]);
      out.z.push(p.position[3 * row + 2]);
      out.speed.push(Math.hypot(...this.vec(p.velocity, row)));
      out.spin.push(Math.hypot(...this.vec(p.spin, row)));
    }
    out.forceTime = this.contacts.time;
    out.force = [];
    const { start } = this.contacts;
    for (let f = 0; f < this.contacts.time.length; f++) {
      out.force.push(Math.hypot(...this.contactForceOn(b, start[f], start[f + 1]).force));
    }
    return out;
  }

  /** What a kinematic body or moving surface supplied: { time, power, force, torque }, or null. */
  driverHistory(b) {
    const d = this.drivers, out = { time: [], power: [], force: [], torque: [] };
    const step = this.head.step;
    for (let i = 0; i < d.time.length; i++) {
      if (d.body[i] !== b) continue;
      out.time.push(d.time[i]);
      out.power.push(step > 0 ? d.work[i] / step : null);
      out.force.push(Math.hypot(...this.vec(d.force, i)));
      out.torque.push(Math.hypot(...this.vec(d.torque, i)));
    }
    return out.time.length ? out : null;
  }

  /** Kinetic energy [J] of a body: m v^2 / 2 + w . I w / 2 with the inertia turned into the world. */
  kineticEnergy(b, motion) {
    const { mass, inertia, products } = this.bodies[b];
    if (!(mass > 0)) return 0;
    const [w, x, y, z] = motion.orientation, s = motion.spin;
    // Spin in the body's frame: the conjugate turns it back.
    const t = [2 * (-y * s[2] + z * s[1]), 2 * (-z * s[0] + x * s[2]), 2 * (-x * s[1] + y * s[0])];
    const l = [s[0] + w * t[0] - y * t[2] + z * t[1], s[1] + w * t[1] - z * t[0] + x * t[2], s[2] + w * t[2] - x * t[1] + y * t[0]];
    const rotation = inertia[0] * l[0] ** 2 + inertia[1] * l[1] ** 2 + inertia[2] * l[2] ** 2 +
      2 * (products[0] * l[0] * l[1] + products[1] * l[0] * l[2] + products[2] * l[1] * l[2]);
    return (mass * motion.velocity.reduce((sum, v) => sum + v * v, 0) + rotation) / 2;
  }
}
