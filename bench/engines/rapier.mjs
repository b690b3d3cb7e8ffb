// SPDX-License-Identifier: MIT
import RAPIER from '@dimforge/rapier3d-compat';

import { DENSITY, FRICTION, GRAVITY, STEP } from './scene.mjs';

await RAPIER.init();

// Its round shapes lie along y.
const Y_TO_Z = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };

function colliderOf({ kind, half, points, triangles }) {
  switch (kind) {
    case 'sphere': return RAPIER.ColliderDesc.ball(half[0]);
    case 'capsule': return RAPIER.ColliderDesc.capsule(half[1], half[0]).setRotation(Y_TO_Z);
    case 'cylinder': return RAPIER.ColliderDesc.cylinder(half[1], half[0]).setRotation(Y_TO_Z);
    case 'hull': return RAPIER.ColliderDesc.convexHull(new Float32Array(points.flat()));
    case 'mesh': return RAPIER.ColliderDesc.trimesh(new Float32Array(points.flat()), new Uint32Array(triangles.flat()));
    default: return RAPIER.ColliderDesc.cuboid(...half);
  }
}

export function makeWorld(scene) {
  const world = new RAPIER.World({ x: 0, y: 0, z: -GRAVITY });
  world.timestep = STEP;
  const bodies = scene.bodies.map((body) => {
    const description = body.isStatic ? RAPIER.RigidBodyDesc.fixed() : RAPIER.RigidBodyDesc.dynamic();
    description.setTranslation(...body.position).setRotation({ x: 0, y: 0, z: Math.sin(body.yaw / 2), w: Math.cos(body.yaw / 2) });
    if (!body.isStatic) description.setLinvel(...body.velocity).setCanSleep(scene.sleeps);
    const made = world.createRigidBody(description);
    world.createCollider(colliderOf(body).setDensity(DENSITY).setFriction(FRICTION).setRestitution(0), made);
    return made;
  });
  return {
    step: () => world.step(),
    state: (i) => {
      const [p, q, v, w] = [bodies[i].translation(), bodies[i].rotation(), bodies[i].linvel(), bodies[i].angvel()];
      return { position: [p.x, p.y, p.z], rotation: [q.x, q.y, q.z, q.w], linear: [v.x, v.y, v.z], angular: [w.x, w.y, w.z] };
    },
    contacts: () => -1,
    free: () => world.free(),
  };
}
