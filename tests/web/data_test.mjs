// SPDX-License-Identifier: MIT
// The numbers in a page are those of the recording: node data_test.mjs TOOL FOLDER. No browser.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { openContainer } from '../../web/src/data/decode.js';
import { Run } from '../../web/src/data/run.js';
import { check, finish, skip } from './browser.mjs';

const [tool, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

function abut(...args) {
  try {
    return execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (/built without|could not be bundled/.test(error.stderr)) skip(error.stderr.trim());
    throw error;
  }
}

/** The run that a page holds. */
function readPage(file) {
  const parts = [...readFileSync(file, 'utf8').matchAll(/<script type="application\/x-abut">([^<]*)</g)]
    .map((m) => openContainer(new Uint8Array(inflateSync(Buffer.from(m[1], 'base64')))));
  const run = new Run(parts[0]);
  for (const part of parts.slice(1)) run.append(part);
  return run;
}

/** Rows of a CSV file as objects by title, vectors as arrays; texts in quotes without commas inside. */
function readTable(file) {
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const titles = head.split(',').map((t) => t.replace(/ \[.*\]/, ''));
  return lines.map((line) => {
    const out = {};
    line.split(',').forEach((cell, k) => {
      const value = cell[0] === '"' ? cell.slice(1, -1) : Number(cell), vector = titles[k].match(/^(.*) [wxyz]$/);
      if (vector) (out[vector[1]] ??= []).push(value);
      else out[titles[k]] = value;
    });
    return out;
  });
}

/** Rows x rows balls that bounce and roll. */
function ballScene(rows) {
  return { name: 'balls', step: 0.01, duration: 2.4, materials: { b: { restitution: 0.6 } }, bodies: [
    { name: 'floor', type: 'static', shapes: [{ plane: { normal: [0, 0, 1] } }] },
    { name: 'ball', position: [-4, -4, 0.5], angularVelocity: [1, 2, 3], linearVelocity: [0.1, 0, 0],
      repeat: [{ count: rows, step: [0.5, 0.01, 0.1] }, { count: rows, step: [0.02, 0.5, 0.05] }],
      shapes: [{ sphere: { radius: 0.1 }, material: 'b' }] }] };
}

/** Largest differences between a page and the recording's own tables, by column. */
function compare(name, rows) {
  const file = (end) => path.join(folder, `${name}${end}`);
  writeFileSync(file('.json'), JSON.stringify(ballScene(rows)));
  abut('run', file('.json'), '--record', file('.abut'));
  abut('report', file('.abut'), '-o', file('.html'));
  abut('export', file('.abut'), file('.csv'));
  abut('export', file('.abut'), file('-contacts.csv'), '--table', 'contacts');
  const run = readPage(file('.html')), off = { position: 0, orientation: 0, velocity: 0, spin: 0, contact: 0, force: 0 };
  const worst = (key, values, truth) => values.forEach((v, k) => { off[key] = Math.max(off[key], Math.abs(v - truth[k])); });
  const index = new Map(run.bodies.map((b) => [b.name, b.index]));
  for (const row of readTable(file('.csv'))) {
    const m = run.motion(index.get(row.body), run.poseAt(row.time));
    worst('position', m.position, row.position);
    // q and -q are the same turn.
    const sign = m.orientation.reduce((sum, v, k) => sum + v * row.orientation[k], 0) < 0 ? -1 : 1;
    worst('orientation', m.orientation.map((v) => sign * v), row.orientation);
    worst('velocity', m.velocity, row['linear velocity']);
    worst('spin', m.spin, row['angular velocity']);
  }
  const c = run.contacts, table = readTable(file('-contacts.csv'));
  table.forEach((t, row) => {
    if (run.name(c.body1[row]) !== t['body 1']) off.contact = Infinity;
    worst('contact', run.vec(c.position, row), t.position);
    off.force = Math.max(off.force, Math.abs(c.normalForce[row] - t['normal force']) / Math.max(1, t['normal force']));
  });
  return { off, run, contacts: table.length };
}

const small = compare('few balls', 4);
check('a small page has every digit', Object.values(small.off).every((v) => v === 0), JSON.stringify(small.off));
check('and says so', small.run.notes.precision.includes('last digit'));
check('no contact is missing (small)', small.run.contacts.key.length === small.contacts);

// 257 bodies in 241 frames: more than the 60 000 poses that are kept exactly. The largest coordinate
// is below 10 m, so half a step of 2^-23 of it is below 6e-7 m; speeds stay below 10 m/s: 2e-5 m/s.
const large = compare('many balls', 16);
check('a large page is rounded', large.off.position > 0);
check('places within 6e-7 m', large.off.position < 6e-7, large.off.position);
check('turns within 2e-6', large.off.orientation < 2e-6, large.off.orientation);
check('velocities within 2e-5 m/s', large.off.velocity < 2e-5, large.off.velocity);
check('contacts within 6e-7 m', large.off.contact < 6e-7, large.off.contact);
check('forces to 16 bits', large.off.force < 2 ** -16, large.off.force);
check('no contact is missing (large)', large.run.contacts.key.length === large.contacts);

// The series: books close at each frame, and momentum of balls in flight is that of the bodies.
const s = large.run.series;
const sum = s.time.map((_, i) => s.kinetic[i] + s.potential[i] - s.drivers[i] - s.forces[i] - s.impact[i] - s.friction[i] - s.correction[i] - s.integrator[i]);
check('the books close in every frame', sum.every((v) => Math.abs(v) < 1e-9), Math.max(...sum.map(Math.abs)));
const mass = large.run.bodies.reduce((m, b) => m + b.mass, 0);
check('momentum at the start is m v', Math.abs(s.momentumX[0] - 0.1 * mass) < 1e-9, s.momentumX[0]);
finish();
