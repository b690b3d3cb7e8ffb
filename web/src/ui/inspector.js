// SPDX-License-Identifier: MIT
import { DYNAMIC, KINEMATIC, NO_ISLAND, Run } from '../data/run.js';
import { el } from './dom.js';
import { quantity } from './format.js';
import { JOINT_TYPES } from '../view/joints.js';

const KINDS = ['static', 'kinematic', 'dynamic'];
/** Slip below this [m/s] counts as sticking in words; the number is shown beside it. */
const STICKING = 1e-6;
const LOCKS = ['x', 'y', 'z', 'turning about x', 'turning about y', 'turning about z'];

const norm = (v) => Math.hypot(...v);

/** Rows [label, values, unit] of what is picked, at a time. A text instead of values stands alone. */
export function factsOf(run, pick, t) {
  if (pick.kind === 'joint') return jointFacts(run, pick.joint, t);
  return pick.kind === 'body' ? bodyFacts(run, pick.body, t) : contactFacts(run, pick.key, t);
}

export function titleOf(run, pick) {
  if (pick.kind === 'body') return run.name(pick.body);
  if (pick.kind === 'joint') return run.joints[pick.joint].name;
  const row = anyRow(run, pick.key);
  return row < 0 ? 'contact' : `${run.name(run.contacts.body1[row])}  ·  ${run.name(run.contacts.body2[row])}`;
}

function anyRow(run, key) { return run.contacts.key.indexOf(key); }

function bodyFacts(run, b, t) {
  const body = run.bodies[b], m = run.motion(b, run.poseAt(t)), { from, to } = run.contactRows(t);
  const { force, count } = run.contactForceOn(b, from, to);
  const facts = [
    ['kind', `${KINDS[body.type]}, ${[...new Set(body.shapes.map((s) => s.type))].join(' + ')}`],
    body.type === DYNAMIC ? ['mass', [body.mass], 'kg'] : null,
    body.locks ? ['locked', LOCKS.filter((_, i) => body.locks & (1 << i)).join(', ')] : null,
    ['position', m.position, 'm'],
    ['velocity', m.velocity, 'm/s'],
    ['speed', [norm(m.velocity)], 'm/s'],
    ['turning', m.spin, 'rad/s'],
    ['orientation', m.orientation, ''],
    body.type === DYNAMIC ? ['kinetic energy', [run.kineticEnergy(b, m)], 'J'] : null,
    ['contacts', [count], ''],
    ['contact force', force, 'N'],
    ['  magnitude', [norm(force)], 'N'],
    jointsOf(run, b).length ? ['joints', jointsOf(run, b).map((j) => j.name).join(', ')] : null,
    body.type === DYNAMIC ? ['island', m.asleep ? 'asleep' : m.island === NO_ISLAND ? 'none' : String(m.island)] : null,
  ];
  if (body.type === KINEMATIC || run.driverHistory(b)) facts.push(...driverFacts(run, b, t));
  return facts.filter(Boolean);
}

function jointsOf(run, b) { return run.joints.filter((j) => j.body1 === b || j.body2 === b); }

function driverFacts(run, b, t) {
  const d = run.drivers, frame = d.time.length ? Run.indexAt(d.time, t) : 0;
  let row = -1;
  for (let i = d.start[frame]; i < d.start[frame + 1]; i++) if (d.body[i] === b) row = i;
  const now = row >= 0;
  const { step } = run.head;
  return [
    ['power supplied', [now && step > 0 ? d.work[row] / step : 0], 'W'],
    ['force borne', now ? run.vec(d.force, row) : [0, 0, 0], 'N'],
    ['torque borne', now ? run.vec(d.torque, row) : [0, 0, 0], 'N m'],
  ];
}

function jointFacts(run, j, t) {
  const joint = run.joints[j], rows = run.rowsOfJoint(j, t), a = run.axes;
  const end = (body) => (body < run.numBodies ? run.name(body) : 'the world');
  const facts = [['kind', JOINT_TYPES[joint.type]], ['bodies 1, 2', `${end(joint.body1)}, ${end(joint.body2)}`]];
  if (rows.length === 0) return [...facts, ['state', 'broken']];
  joint.axes.forEach((axis, k) => {
    const number = joint.axes.length > 1 ? ` ${k + 1}` : '', unit = axis.turns ? 'rad' : 'm', row = rows[k];
    facts.push([`position${number}`, [a.position[row]], unit], [`rate${number}`, [a.rate[row]], `${unit}/s`]);
    if (axis.lower !== undefined || axis.upper !== undefined) {
      facts.push([`  limits${number}`, `${axis.lower ?? '−∞'} to ${axis.upper ?? '∞'} ${unit}`]);
    }
    facts.push([`drive${number}`, axis.drive === 0 && a.driveForce[row] === 0 ? 'off' : [a.driveForce[row]], axis.turns ? 'N m' : 'N']);
  });
  const { step } = run.head, force = run.vec(a.force, rows[0]), torque = run.vec(a.torque, rows[0]);
  return [...facts, ['power of its drives', [step > 0 ? a.driveWork[rows[0]] / step : 0], 'W'],
    ['force on 2', force, 'N'], ['  magnitude', [norm(force)], 'N'], ['torque on 2', torque, 'N m']];
}

function contactFacts(run, key, t) {
  const row = run.contactRow(key, t), c = run.contacts;
  if (row < 0) return [['state', 'not touching at this time']];
  const friction = run.vec(c.frictionForce, row), slip = run.vec(c.slip, row), limit = c.friction[row] * c.normalForce[row];
  const sliding = norm(slip) > STICKING;
  return [
    ['state', c.normalForce[row] <= 0 ? (c.depth[row] < 0 ? 'near, no force' : 'touching, no force') : sliding ? 'sliding' : 'sticking'],
    ['normal force', [c.normalForce[row]], 'N', 'force'],
    ['friction force', [norm(friction)], 'N'],
    ['  vector on 1', friction, 'N'],
    ['cone µN', [limit], 'N'],
    ['  used', [limit > 0 ? (100 * norm(friction)) / limit : 0], '%'],
    ['friction µ', String(Number(c.friction[row].toPrecision(6)))],
    ['impact impulse', [norm(run.vec(c.impactImpulse, row))], 'N s'],
    ['depth', [c.depth[row]], 'm'],
    ['slip of 1 over 2', [norm(slip)], 'm/s'],
    ['position', run.vec(c.position, row), 'm'],
    ['normal, 2 to 1', run.vec(c.normal, row), ''],
    ['bodies 1, 2', `${run.name(c.body1[row])}, ${run.name(c.body2[row])}`],
    ...otherFacts(run, row),
  ];
}

/** What the rows above say in words of their own. */
const TOLD = new Set(['body1', 'body2', 'key', 'position', 'normal', 'depth', 'friction', 'impactImpulse', 'normalForce', 'frictionForce', 'slip']);

/** Every other number that the run has of a contact. */
function otherFacts(run, row) {
  return run.columns.contacts.filter(({ name }) => !TOLD.has(name)).map(({ name, unit, width }) => {
    const values = Array.from(run.contacts[name].subarray(width * row, width * (row + 1)));
    const label = name.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`);
    return name === 'island' ? [label, values[0] === NO_ISLAND ? 'none' : String(values[0])] : [label, values, unit];
  });
}

/** The table of facts. */
export function factsTable(facts) {
  const body = el('tbody', {});
  for (const [label, values, unit, id] of facts) {
    const cells = typeof values === 'string'
      ? [el('td', { class: 'text', colSpan: 5 }, values)] : numberCells(values, unit);
    const row = el('tr', id ? { 'data-fact': id } : {}, el('th', { scope: 'row' }, label), ...cells);
    body.append(row);
  }
  return el('table', { class: 'facts' }, body);
}

/** Numbers of one row share a prefix, so that columns compare. */
function numberCells(values, unit) {
  const largest = values.reduce((m, v) => (Math.abs(v) > Math.abs(m) ? v : m), 0);
  const [, shown] = quantity(largest, unit);
  const scale = largest !== 0 && shown !== unit ? prefixScale(shown, unit) : 1;
  const digits = { 1: 6, 4: 4 }[values.length] ?? 5;
  const cells = values.map((v) => el('td', { class: 'number', colSpan: values.length === 1 ? 4 : 1 }, fixed(v / scale, largest / scale, digits)));
  if (values.length === 3) cells.push(el('td', {}));
  return [...cells, el('td', { class: 'unit' }, shown)];
}

function prefixScale(shown, unit) {
  const prefix = shown.slice(0, shown.length - unit.length);
  return { G: 1e9, M: 1e6, k: 1e3, m: 1e-3, µ: 1e-6, n: 1e-9 }[prefix] ?? 1;
}

/** As many decimals as the largest of the row needs for its digits. */
function fixed(v, largest, digits) {
  if (largest === 0) return '0';
  const size = Math.abs(largest);
  if (size < 1e-4 || size >= 1e7) return quantity(v, '', 3)[0];
  const decimals = Math.max(0, Math.min(8, digits - 1 - Math.floor(Math.log10(size))));
  if (Number.isInteger(v) && Number.isInteger(largest) && digits === 6) return String(v);
  const text = v.toFixed(decimals);
  return (Number(text) === 0 ? text.replace('-', '') : text).replace('-', '−');
}
