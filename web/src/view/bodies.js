// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { DYNAMIC, KINEMATIC, NO_ISLAND, STATIC } from '../data/run.js';
import { islandColor, ramp } from './colors.js';
import { drawing, reach, turnTo } from './geometry.js';
import { bodyMaterial, groundMaterial } from './materials.js';

/** From so many equal shapes on, round ones are drawn with fewer triangles. */
const MANY = 150;

const matrix = new THREE.Matrix4(), position = new THREE.Vector3(), turn = new THREE.Quaternion();
const local = new THREE.Matrix4(), world = new THREE.Matrix4(), scale = new THREE.Vector3();
const color = new THREE.Color(), dimmed = new THREE.Color(), tint = new THREE.Color();

/** All bodies as instanced meshes: one draw call for each kind of shape. */
export class Bodies {
  constructor(run, size) {
    this.run = run;
    this.group = new THREE.Group();
    this.uniforms = { uCell: { value: gridCell(size) }, uReach: { value: size * 12 }, uLine: { value: new THREE.Color() } };
    this.batches = [];
    this.planes = [];
    this.colorBy = 'kind';
    this.legend = null;
    this.#build(size);
  }

  get cell() { return this.uniforms.uCell.value; }

  #build(size) {
    const groups = new Map();
    const add = (body, drawn, pose, walls) => {
      const still = body.type === STATIC;
      const key = `${still ? (walls ? 'wall' : 'still') : 'moving'} ${drawn.key}`;
      if (!groups.has(key)) groups.set(key, { drawn, still, walls, items: [] });
      groups.get(key).items.push({ body: body.index, local: pose });
    };
    for (const body of this.run.bodies) {
      for (const shape of body.shapes) {
        const at = poseMatrix(shape.position, shape.orientation);
        if (shape.type === 'plane') this.#addPlane(body, shape, at, size);
        else if (shape.type === 'point cloud') {
          const ball = drawing({ type: 'sphere', size: [shape.size[0], 0, 0] });
          for (const v of shape.vertices) add(body, ball, at.clone().multiply(new THREE.Matrix4().makeTranslation(...v).scale(scale.set(...ball.scale))));
        } else {
          const drawn = drawing(shape);
          add(body, drawn, at.clone().scale(scale.set(...drawn.scale)), this.#hides(body, shape));
        }
      }
    }
    for (const group of groups.values()) this.#addBatch(group);
  }

  /** Whether a still shape stands around the moving ones, so that it has to be seen through. */
  #hides(body, shape) {
    if (body.type !== STATIC || shape.type !== 'box' || !this.#crowd()) return false;
    const level = Math.abs(shape.orientation[0]) > 0.999 &&
      Math.abs(this.run.poses.orientation[4 * body.index]) > 0.999;
    if (level && shape.size[2] <= Math.min(shape.size[0], shape.size[1])) return false; // a floor, a table
    const rise = level ? shape.size[2] / 2 : reach(shape) * 0.7;
    const top = this.run.poses.position[3 * body.index + 2] + shape.position[2] + rise;
    return top > this.#crowd().height && reach(shape) > 2 * this.#crowd().reach;
  }

  /** Of the dynamic bodies: the lower of their middle heights at the beginning and the end, and their reach. */
  #crowd() {
    if (this.crowd !== undefined) return this.crowd;
    const dynamic = this.run.bodies.filter((b) => b.type === DYNAMIC), { poses, numBodies } = this.run;
    const middle = (f) => dynamic.map((b) => poses.position[3 * (f * numBodies + b.index) + 2])
      .sort((a, b) => a - b)[dynamic.length >> 1];
    this.crowd = dynamic.length === 0 ? null : { height: Math.min(middle(0), middle(Math.max(0, poses.time.length - 1))),
      reach: dynamic.reduce((most, b) => Math.max(most, ...b.shapes.map(reach)), 0) };
    return this.crowd;
  }

  #addBatch({ drawn, still, walls, items }) {
    const geometry = drawn.make(items.length > MANY ? 0.5 : 1);
    const material = still
      ? groundMaterial(this.uniforms, walls ? { transparent: true, opacity: 0.16, depthWrite: false, side: THREE.DoubleSide } : {})
      : bodyMaterial(drawn.marks);
    const mesh = new THREE.InstancedMesh(geometry, material, items.length);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.castShadow = !walls;
    mesh.receiveShadow = !walls;
    mesh.frustumCulled = false;
    mesh.userData.items = items;
    mesh.userData.walls = walls;
    mesh.renderOrder = walls ? 2 : 0;
    for (let i = 0; i < items.length; i++) mesh.setColorAt(i, color.set('#888'));
    this.batches.push(mesh);
    this.group.add(mesh);
  }

  #addPlane(body, shape, at, size) {
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(size * 60, size * 60), groundMaterial(this.uniforms));
    mesh.receiveShadow = true;
    mesh.userData.items = [{ body: body.index }];
    mesh.userData.local = at.clone().multiply(new THREE.Matrix4().makeTranslation(
      ...shape.size.map((n) => n * shape.offset)).multiply(new THREE.Matrix4().makeRotationFromQuaternion(turnTo(shape.size))));
    mesh.matrixAutoUpdate = false;
    this.planes.push(mesh);
    this.group.add(mesh);
  }

  /** Where body b is in pose frame f. */
  bodyMatrix(b, f, out = matrix) {
    const row = f * this.run.numBodies + b, p = this.run.poses;
    position.fromArray(p.position, 3 * row);
    turn.set(p.orientation[4 * row + 1], p.orientation[4 * row + 2], p.orientation[4 * row + 3], p.orientation[4 * row]);
    return out.compose(position, turn, scale.set(1, 1, 1));
  }

  /** Puts all bodies where they are in pose frame f and colours them. */
  /** `picked`, if there is any: { strong: bodies that stand out, select: colour that tints them, or null }. */
  update(f, rows, theme, picked) {
    this.#place(f);
    this.#paint(f, rows, theme, picked);
  }

  #place(f) {
    if (this.placed === f) return;
    for (const mesh of this.batches) {
      const { items } = mesh.userData;
      for (let i = 0; i < items.length; i++) {
        this.bodyMatrix(items[i].body, f, world).multiply(items[i].local);
        mesh.setMatrixAt(i, world);
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
    for (const mesh of this.planes) {
      mesh.matrix.multiplyMatrices(this.bodyMatrix(mesh.userData.items[0].body, f, local), mesh.userData.local);
      mesh.matrixWorldNeedsUpdate = true;
    }
    this.placed = f;
  }

  #paint(f, rows, theme, picked) {
    const dim = dimmed.set(theme.background);
    this.uniforms.uLine.value.set(theme.line);
    for (const mesh of this.planes) mesh.material.color.set(theme.ground);
    const value = this.#values(f, rows);
    const top = value?.top ?? 0;
    this.legend = value;
    for (const mesh of this.batches) {
      const { items } = mesh.userData;
      for (let i = 0; i < items.length; i++) {
        const own = this.#colorOf(items[i].body, value, top, theme);
        if (picked?.strong.has(items[i].body)) { if (picked.select) own.lerp(tint.set(picked.select), 0.55); }
        else if (picked && this.run.bodies[items[i].body].type !== STATIC) own.lerp(dim, 0.6);
        mesh.setColorAt(i, own);
      }
      mesh.instanceColor.needsUpdate = true;
    }
  }

  #colorOf(b, value, top, theme) {
    const { type } = this.run.bodies[b];
    if (type === STATIC) return color.set(theme.static);
    if (this.colorBy === 'kind' || (type === KINEMATIC && this.colorBy !== 'speed')) {
      return color.set(type === KINEMATIC ? theme.kinematic : theme.dynamic);
    }
    if (this.colorBy === 'island') {
      const island = value.values[b];
      return island === NO_ISLAND ? color.set(theme.idle) : islandColor(island, color);
    }
    return top > 0 ? ramp(value.values[b] / top, color) : color.set(theme.idle);
  }

  /** What colours stand for: { values by body, top, unit, label }. */
  #values(f, { from, to }) {
    const { run } = this, n = run.numBodies;
    if (this.colorBy === 'speed') {
      const values = new Float64Array(n), v = run.poses.linearVelocity;
      for (let b = 0; b < n; b++) {
        const row = 3 * (f * n + b);
        values[b] = Math.hypot(v[row], v[row + 1], v[row + 2]);
      }
      this.topSpeed ??= percentile(run.poses.linearVelocity);
      return { values, top: this.topSpeed, unit: 'm/s', label: 'speed' };
    }
    if (this.colorBy === 'depth') {
      const values = new Float64Array(n), c = run.contacts;
      for (let r = from; r < to; r++) {
        for (const b of [c.body1[r], c.body2[r]]) values[b] = Math.max(values[b], c.depth[r]);
      }
      return { values, top: Math.max(...run.series.greatestDepth.filter(Number.isFinite), 0), unit: 'm', label: 'deepest contact' };
    }
    if (this.colorBy === 'island') {
      return { values: run.poses.island.subarray(f * n, (f + 1) * n), label: 'island', unit: '' };
    }
    return null;
  }

  /** What a ray meets first: { body, point }, or null; walls are looked through. */
  hit(raycaster) {
    const hits = [];
    for (const mesh of [...this.batches.filter((m) => !m.userData.walls), ...this.planes]) raycaster.intersectObject(mesh, false, hits);
    if (hits.length === 0) return null;
    hits.sort((a, b) => a.distance - b.distance);
    const { object, instanceId, point } = hits[0];
    return { body: object.userData.items[instanceId ?? 0].body, point };
  }
}

function poseMatrix(at, q) {
  return new THREE.Matrix4().compose(new THREE.Vector3(...at), new THREE.Quaternion(q[1], q[2], q[3], q[0]),
    new THREE.Vector3(1, 1, 1));
}

/** Speed that all but a hundredth of the samples stay below. */
function percentile(velocity) {
  const stride = Math.max(1, Math.floor(velocity.length / 3 / 20000)), speeds = [];
  for (let i = 0; i < velocity.length / 3; i += stride) {
    speeds.push(Math.hypot(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]));
  }
  speeds.sort((a, b) => a - b);
  return speeds[Math.floor(0.99 * (speeds.length - 1))] || speeds[speeds.length - 1] || 0;
}

/** 1, 2 or 5 times a power of ten, about a twelfth of the scene. */
function gridCell(size) {
  const wanted = size / 6, ten = 10 ** Math.floor(Math.log10(wanted));
  return ten * (wanted / ten >= 5 ? 5 : wanted / ten >= 2 ? 2 : 1);
}
