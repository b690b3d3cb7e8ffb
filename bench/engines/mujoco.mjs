// SPDX-License-Identifier: MIT
import load from '@mujoco/mujoco';

import { DENSITY, FRICTION, GRAVITY, STEP } from './scene.mjs';

const mujoco = await load();
/// Above so many bodies a step takes seconds, or memory ends.
const MOST_BODIES = 600;

function geomOf({ kind, half, points }, meshes) {
  switch (kind) {
    case 'sphere': return `type="sphere" size="${half[0]}"`;
    case 'capsule': return `type="capsule" size="${half[0]} ${half[1]}"`;
    case 'cylinder': return `type="cylinder" size="${half[0]} ${half[1]}"`;
    case 'hull': {
      const text = points.flat().join(' ');
      if (!meshes.has(text)) meshes.set(text, `hull${meshes.size}`);
      return `type="mesh" mesh="${meshes.get(text)}"`;
    }
    case 'mesh': throw new Error('run this scene: a mesh is its convex hull here');
    default: return `type="box" size="${half.join(' ')}"`;
  }
}

export function makeWorld(scene) {
  if (scene.bodies.length > MOST_BODIES) throw new Error(`run this scene: more than ${MOST_BODIES} bodies`);
  if (scene.sleeps) throw new Error('run this scene: nothing sleeps here');
  const meshes = new Map();
  const bodies = scene.bodies.map((body) => `<body pos="${body.position.join(' ')}" quat="${Math.cos(body.yaw / 2)} 0 0 ${Math.sin(body.yaw / 2)}">` +
    `${body.isStatic ? '' : '<freejoint/>'}<geom ${geomOf(body, meshes)} density="${DENSITY}" friction="${FRICTION}"/></body>`).join('\n');
  const assets = [...meshes].map(([points, name]) => `<mesh name="${name}" vertex="${points}"/>`).join('\n');
  const model = mujoco.MjModel.from_xml_string(`<mujoco><compiler angle="radian"/><option timestep="${STEP}" gravity="0 0 ${-GRAVITY}"/>
<asset>${assets}</asset><worldbody>${bodies}</worldbody></mujoco>`);
  const data = new mujoco.MjData(model);
  // Where the free ones are among coordinates and velocities: seven and six each.
  let free = 0;
  const places = scene.bodies.map((body) => (body.isStatic ? -1 : free++));
  scene.bodies.forEach((body, i) => { if (places[i] >= 0) body.velocity.forEach((v, k) => { data.qvel[6 * places[i] + k] = v; }); });
  const rotate = ([x, y, z, w], v) => {
    const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
  };
  return {
    step: () => mujoco.mj_step(model, data),
    state: (i) => {
      const body = scene.bodies[i];
      if (places[i] < 0) return { position: body.position, rotation: [0, 0, Math.sin(body.yaw / 2), Math.cos(body.yaw / 2)], linear: [0, 0, 0], angular: [0, 0, 0] };
      const q = data.qpos.subarray(7 * places[i], 7 * places[i] + 7), v = data.qvel.subarray(6 * places[i], 6 * places[i] + 6);
      const rotation = [q[4], q[5], q[6], q[3]];
      // Turns come in the body's frame.
      return { position: [q[0], q[1], q[2]], rotation, linear: [v[0], v[1], v[2]], angular: rotate(rotation, [v[3], v[4], v[5]]) };
    },
    contacts: () => data.ncon,
    free: () => { data.delete(); model.delete(); },
  };
}
