// SPDX-License-Identifier: MIT
// A run as the page sees it. Three tracks with their own times, because long runs are thinned:
//   series    one row a recorded frame: accounts, the step's report, momentum, totals
//   poses     where the bodies are
//   contacts  what touches, with which force; rows of frame f are start[f] to start[f + 1]
// and beside the series what drivers supplied (`drivers`, with starts too), and where the axes of joints are
// (`joints`, likewise; a row is an axis, `joint` its number in head.joints). Which columns a track has, their
// units and widths is written in the data's head, from io/recording/fields.hpp; energies are changes since the
// beginning. Columns: series.kinetic, poses.linearVelocity, contacts.normalForce, ...
// A live run grows by append(); a report is one append().

export const STATIC = 0, KINEMATIC = 1, DYNAMIC = 2;
export const NO_ISLAND = 0xffffffff;

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
    this.joints = (head.joints ?? []).map((joint, index) => ({ ...joint, index }));
    this.column = column;
    this.reset();
  }

  /** Forgets all frames: the run begins again. */
  reset() {
    const empty = () => ({ time: new Float64Array(0) });
    this.series = empty();
    this.poses = empty();
    this.contacts = { ...empty(), start: new Uint32Array([0]) };
    this.drivers = { ...empty(), start: new Uint32Array([0]) };
    this.axes = { ...empty(), start: new Uint32Array([0]) };
    /** By track the columns as the head lists them: [{ name, unit, width }]. */
    this.columns = {};
    this.events = [];
    this.over = false;
    this.notes = {};
    this.checked = 0;
    this.fault = null;
  }

  get duration() {
    const t = this.series.time;
    return t.length ? t[t.length - 1] : 0;
  }

  /** Adds frames: an opened container of kind "frames". */
  append({ head, column }) {
    this.columns = head.tracks;
    for (const track of ['series', 'poses', 'contacts', 'drivers', 'joints']) {
      if (!head.tracks[track]) continue;
      const to = track === 'joints' ? this.axes : this[track];
      to.time = concat(to.time, column(`${track}.time`));
      for (const { name } of head.tracks[track]) to[name] = concat(to[name], column(`${track}.${name}`));
      if (!to.start) continue;
      const before = to.start[to.start.length - 1];
      to.start = concat(to.start, column(`${track}.start`).slice(1).map((row) => row + before));
    }
    this.#appendEvents(column);
    Object.assign(this.notes, head.notes);
    if (head.over) this.over = true;
  }

  /** Whether steps follow the motion: events are located in time, and the ledger does not hold all work. */
  get variable() { return !(this.head.step > 0); }

  #appendEvents(column) {
    const [time, kind, body1, body2, impulse, normalImpulse] = ['time', 'kind', 'body1', 'body2', 'impulse', 'normalImpulse']
      .map((n) => column(`events.${n}`));
    for (let i = 0; i < time.length; i++) {
      this.events.push({ time: time[i], kind: EVENT_KINDS[kind[i]] ?? 'end', body1: body1[i], body2: body2[i],
        impulse: Math.hypot(...this.vec(impulse, i)), normalImpulse: normalImpulse[i] });
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
      if (s.worstError[i] >= this.fault.error) Object.assign(this.fault, { error: s.worstError[i], body1: s.worst1[i], body2: s.worst2[i] });
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
    return { position: this.vec(p.position, row), velocity: this.vec(p.linearVelocity, row), spin: this.vec(p.angularVelocity, row),
      orientation: [0, 1, 2, 3].map((k) => p.orientation[4 * row + k]), island: p.island[row], asleep: p.asleep[row] === 1 };
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
      out.friction.push(has ? Math.hypot(...this.vec(c.frictionForce, row)) : null);
      out.limit.push(has ? c.friction[row] * c.normalForce[row] : null);
      out.depth.push(has ? c.depth[row] : null);
      out.slip.push(has ? Math.hypot(...this.vec(c.slip, row)) : null);
      out.impulse.push(has ? Math.hypot(...this.vec(c.impactImpulse, row)) : null);
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
      for (let k = 0; k < 3; k++) sum[k] += sign * (c.normal[3 * r + k] * c.normalForce[r] + c.frictionForce[3 * r + k]);
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
      out.speed.push(Math.hypot(...this.vec(p.linearVelocity, row)));
      out.spin.push(Math.hypot(...this.vec(p.angularVelocity, row)));
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
    for (let f = 0, i = 0; f < d.time.length; f++) {
      for (i = d.start[f]; i < d.start[f + 1] && d.body[i] !== b;) i++;
      if (i === d.start[f + 1]) continue;
      out.time.push(d.time[f]);
      out.power.push(step > 0 ? d.work[i] / step : null);
      out.force.push(Math.hypot(...this.vec(d.force, i)));
      out.torque.push(Math.hypot(...this.vec(d.torque, i)));
    }
    return out.time.length ? out : null;
  }

  /** Rows [from, to) of the axes at t. */
  axisRows(t) {
    const { time, start } = this.axes;
    if (time.length === 0) return { from: 0, to: 0 };
    const frame = Run.indexAt(time, t);
    return { from: start[frame], to: start[frame + 1] };
  }

  /** Numbers of the joints that there are in these rows. */
  jointsAt({ from, to }) { return new Set(from < to ? this.axes.joint.subarray(from, to) : []); }

  /** Rows of a joint at t, one an axis. */
  rowsOfJoint(joint, t) {
    const { from, to } = this.axisRows(t), rows = [];
    for (let r = from; r < to; r++) if (this.axes.joint[r] === joint) rows.push(r);
    return rows;
  }

  /** History of a joint: { time, force, torque, work, axes: [{ position, rate, drive }] }; null where it is broken. */
  jointHistory(joint) {
    const a = this.axes, count = Math.max(1, this.joints[joint].axes.length);
    const out = { time: Array.from(a.time), force: [], torque: [], power: [],
      axes: Array.from({ length: count }, () => ({ position: [], rate: [], drive: [] })) };
    const { step } = this.head;
    for (let f = 0; f < a.time.length; f++) {
      let first = -1;
      for (let r = a.start[f]; r < a.start[f + 1] && first < 0; r++) if (a.joint[r] === joint) first = r;
      const has = first >= 0;
      out.force.push(has ? Math.hypot(...this.vec(a.force, first)) : null);
      out.torque.push(has ? Math.hypot(...this.vec(a.torque, first)) : null);
      out.power.push(has && step > 0 ? a.driveWork[first] / step : null);
      out.axes.forEach((axis, k) => {
        axis.position.push(has ? a.position[first + k] : null);
        axis.rate.push(has ? a.rate[first + k] : null);
        axis.drive.push(has ? a.driveForce[first + k] : null);
      });
    }
    return out;
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
