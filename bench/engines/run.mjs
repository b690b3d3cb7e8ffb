// SPDX-License-Identifier: MIT
// One engine of npm for bench_scenes: node run.mjs jolt|rapier|mujoco. Each line of standard input is a command, each has one line as answer.
//   {"bodies": [...]}   builds a scene: "built", or "cannot REASON"
//   step                a step of a sixtieth of a second: its processor time [ms], the energy after it [J], contacts (-1: not told)
//   poses               seven numbers a body: position [m], quaternion x y z w
import { createInterface } from 'node:readline';

import { GRAVITY } from './scene.mjs';

const name = process.argv[2] ?? '';
let makeWorld;
try {
  ({ makeWorld } = await import(`./${name}.mjs`));
} catch (error) {
  console.log(`cannot be loaded: ${String(error.message).split('\n')[0]}`);
  process.exit(1);
}
console.log('ready');

let scene = null, world = null;

/// Kinetic and potential energy, the same way for all engines.
function energy() {
  let sum = 0;
  scene.bodies.forEach((body, i) => {
    if (body.isStatic) return;
    const { position, rotation: q, linear: v, angular: w } = world.state(i);
    // The turn about the body's own axes.
    const t = [q[1] * w[2] - q[2] * w[1], q[2] * w[0] - q[0] * w[2], q[0] * w[1] - q[1] * w[0]].map((c) => -2 * c);
    const own = [w[0] + q[3] * t[0] - (q[1] * t[2] - q[2] * t[1]), w[1] + q[3] * t[1] - (q[2] * t[0] - q[0] * t[2]),
      w[2] + q[3] * t[2] - (q[0] * t[1] - q[1] * t[0])];
    sum += body.mass * (0.5 * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2) + GRAVITY * position[2]);
    body.inertia.forEach((inertia, axis) => { sum += 0.5 * inertia * own[axis] ** 2; });
  });
  return sum;
}

function answer(line) {
  if (line === 'step') {
    const start = process.cpuUsage();
    world.step();
    const used = process.cpuUsage(start);
    return `${(used.user + used.system) / 1000} ${energy()} ${world.contacts()}`;
  }
  if (line === 'poses') {
    return scene.bodies.map((_, i) => { const s = world.state(i); return [...s.position, ...s.rotation].join(' '); }).join(' ');
  }
  world?.free();
  world = null;
  scene = JSON.parse(line);
  try {
    world = makeWorld(scene);
  } catch (error) {
    return `cannot ${String(error.message ?? error).split('\n')[0]}`;
  }
  return 'built';
}

for await (const line of createInterface({ input: process.stdin })) console.log(answer(line));
