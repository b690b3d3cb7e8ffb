// SPDX-License-Identifier: MIT
import initJolt from 'jolt-physics/wasm-compat';

import { DENSITY, FRICTION, GRAVITY, STEP } from './scene.mjs';

const Jolt = await initJolt();
const STILL = 0, MOVING = 1, LAYERS = 2;
/// The memory of its steps is fixed, and enough for ten thousand pairs in contact; what is beyond is left out of the solution.
const MOST_BODIES = 2500;

function vec(v) {
  return new Jolt.Vec3(...v);
}

/// A convex shape's settings with the density, turned so that what lies along y lies along z.
function settingsOf({ kind, half, points }) {
  let made, turned = false;
  switch (kind) {
    case 'sphere': made = new Jolt.SphereShapeSettings(half[0]); break;
    case 'capsule': made = new Jolt.CapsuleShapeSettings(half[1], half[0]); turned = true; break;
    case 'cylinder': made = new Jolt.CylinderShapeSettings(half[1], half[0]); turned = true; break;
    case 'hull':
      made = new Jolt.ConvexHullShapeSettings();
      for (const point of points) made.mPoints.push_back(vec(point));
      break;
    default: made = new Jolt.BoxShapeSettings(vec(half));
  }
  made.mDensity = DENSITY;
  if (!turned) return made;
  return new Jolt.RotatedTranslatedShapeSettings(vec([0, 0, 0]), new Jolt.Quat(Math.SQRT1_2, 0, 0, Math.SQRT1_2), made);
}

function meshOf({ points, triangles }) {
  const vertices = new Jolt.VertexList(), faces = new Jolt.IndexedTriangleList();
  for (const point of points) vertices.push_back(new Jolt.Float3(...point));
  for (const [a, b, c] of triangles) faces.push_back(new Jolt.IndexedTriangle(a, b, c, 0));
  return new Jolt.MeshShapeSettings(vertices, faces, new Jolt.PhysicsMaterialList());
}

function makeInterface(count) {
  const settings = new Jolt.JoltSettings();
  settings.mMaxBodies = count + 16;
  const collides = new Jolt.ObjectLayerPairFilterTable(LAYERS);
  collides.EnableCollision(STILL, MOVING);
  collides.EnableCollision(MOVING, MOVING);
  const layers = new Jolt.BroadPhaseLayerInterfaceTable(LAYERS, LAYERS);
  layers.MapObjectToBroadPhaseLayer(STILL, new Jolt.BroadPhaseLayer(STILL));
  layers.MapObjectToBroadPhaseLayer(MOVING, new Jolt.BroadPhaseLayer(MOVING));
  settings.mObjectLayerPairFilter = collides;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, LAYERS, collides, LAYERS);
  return new Jolt.JoltInterface(settings);
}

export function makeWorld(scene) {
  if (scene.bodies.length > MOST_BODIES) throw new Error(`run this scene: more than ${MOST_BODIES} bodies`);
  const jolt = makeInterface(scene.bodies.length);
  const system = jolt.GetPhysicsSystem(), all = system.GetBodyInterface();
  system.SetGravity(vec([0, 0, -GRAVITY]));
  const bodies = scene.bodies.map((body) => {
    const made = (body.kind === 'mesh' ? meshOf(body) : settingsOf(body)).Create();
    if (made.HasError()) throw new Error(made.GetError().c_str());
    const [x, y, z] = body.position;
    const turn = new Jolt.Quat(0, 0, Math.sin(body.yaw / 2), Math.cos(body.yaw / 2));
    const settings = new Jolt.BodyCreationSettings(made.Get(), new Jolt.RVec3(x, y, z), turn,
      body.isStatic ? Jolt.EMotionType_Static : Jolt.EMotionType_Dynamic, body.isStatic ? STILL : MOVING);
    settings.mFriction = FRICTION;
    settings.mRestitution = 0;
    settings.mAllowSleeping = scene.sleeps;
    if (!body.isStatic) settings.mLinearVelocity = vec(body.velocity);
    const placed = all.CreateBody(settings);
    all.AddBody(placed.GetID(), body.isStatic ? Jolt.EActivation_DontActivate : Jolt.EActivation_Activate);
    return placed;
  });
  system.OptimizeBroadPhase();
  const list = (v) => [v.GetX(), v.GetY(), v.GetZ()];
  return {
    step: () => jolt.Step(STEP, 1),
    state: (i) => {
      const body = bodies[i], q = body.GetRotation();
      return { position: list(body.GetPosition()), rotation: [q.GetX(), q.GetY(), q.GetZ(), q.GetW()],
        linear: scene.bodies[i].isStatic ? [0, 0, 0] : list(body.GetLinearVelocity()),
        angular: scene.bodies[i].isStatic ? [0, 0, 0] : list(body.GetAngularVelocity()) };
    },
    contacts: () => -1,
    free: () => Jolt.destroy(jolt),
  };
}
