// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { DYNAMIC } from '../data/run.js';

const UP = new THREE.Vector3(0, 0, 1);
const at = new THREE.Vector3(), direction = new THREE.Vector3(), turn = new THREE.Quaternion();
const tone = new THREE.Color();
const scale = new THREE.Vector3(), matrix = new THREE.Matrix4(), along = new THREE.Vector3();

/** Longest arrow, as a multiple of the length that stands for the reference force. */
const LONGEST = 4;
/** A force below this share of the reference is drawn as a point only. */
const SHORTEST = 1e-4;
/** Up to so many contacts what solids hide of arrows is drawn faintly; more would be a fog. */
const MOST_THROUGH = 400;
const FAINT = 0.22;
const PARTS = ['dots', 'normals', 'shafts', 'heads', 'impulseShafts', 'impulseHeads'];

/** Contacts as points, normals, force arrows and friction cones; one draw call each. */
export class Contacts {
  constructor(run, size) {
    this.run = run;
    this.group = new THREE.Group();
    this.arrow = 0.12 * size;
    this.dot = 0.005 * size;
    this.gain = 1;
    this.show = { contacts: true, cones: false };
    /** Forces below this share of the greatest at the time are points only. */
    this.threshold = 0.05;
    this.capacity = 0;
    this.weak = new THREE.Color();
    this.strong = new THREE.Color();
    this.up = new THREE.Vector3(...(run.head.gravity ?? [0, 0, 0])).negate();
    this.measure();
  }

  /** Takes the scale of the arrows from the run; again after it has grown. */
  measure() {
    const { largestForce, impulse } = this.run.series;
    this.force = quantile(largestForce, 0.5);
    this.impulse = quantile(impulse, 0.9);
  }

  /** Newtons that an arrow of one metre stands for. */
  get newtonsPerMetre() { return this.force / (this.arrow * this.gain); }

  get impulsePerMetre() { return this.impulse / (this.arrow * this.gain); }

  #reserve(n) {
    if (this.capacity > 0 && n <= this.capacity) return;
    this.capacity = Math.max(64, 2 * n);
    this.group.clear();
    const many = this.capacity > 1500;
    const shaft = new THREE.CylinderGeometry(1, 1, 1, many ? 4 : 8, 1, many).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(1, 1, many ? 5 : 12).rotateX(Math.PI / 2).translate(0, 0, -0.5);
    const cone = new THREE.ConeGeometry(1, 1, 28, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    const make = (geometry, options = {}) => {
      const material = new THREE.MeshBasicMaterial({ toneMapped: false, ...options });
      const mesh = new THREE.InstancedMesh(geometry, material, this.capacity);
      mesh.frustumCulled = false;
      mesh.renderOrder = 5;
      this.group.add(mesh);
      return mesh;
    };
    this.dots = make(many ? new THREE.OctahedronGeometry(1) : new THREE.SphereGeometry(1, 12, 8), { transparent: true, opacity: 0.9 });
    this.normals = make(shaft, { transparent: true, opacity: 0.75 });
    this.shafts = make(shaft);
    this.heads = make(head);
    this.impulseShafts = make(shaft);
    this.impulseHeads = make(head);
    this.cones = make(cone, { transparent: true, opacity: 0.22, side: THREE.DoubleSide, depthWrite: false });
    this.picked = make(new THREE.SphereGeometry(1, 24, 16), { depthTest: false, transparent: true });
    this.picked.renderOrder = 7;
    this.picked.count = 0;
    // The same instances again, faintly, where something stands before them.
    this.behind = PARTS.map((name) => {
      const twin = make(this[name].geometry, { transparent: true, opacity: FAINT, depthWrite: false, depthFunc: THREE.GreaterDepth });
      twin.instanceMatrix = this[name].instanceMatrix;
      twin.renderOrder = 4;
      return twin;
    });
  }

  update({ from, to }, theme, pickedKey) {
    const state = `${from} ${to} ${theme.force} ${pickedKey} ${this.threshold} ${this.gain} ${this.force} ${this.impulse} ${JSON.stringify(this.show)}`;
    if (state === this.state) return;
    this.state = state;
    this.#reserve(to - from);
    this.shrink = Math.min(1, Math.max(0.35, Math.sqrt(250 / Math.max(1, to - from))));
    this.group.visible = this.show.contacts || pickedKey !== null;
    this.most = this.#greatest(from, to);
    this.least = this.threshold * this.most;
    this.weak.set(theme.static);
    this.strong.set(theme.force);
    const counts = { picked: 0, dots: 0, normals: 0, shafts: 0, heads: 0, impulseShafts: 0, impulseHeads: 0, cones: 0 };
    for (let r = from; r < to; r++) {
      const picked = this.run.contacts.key[r] === pickedKey;
      if (this.show.contacts || picked) this.#add(r, picked, counts);
    }
    for (const [name, n] of Object.entries(counts)) {
      this[name].count = n;
      this[name].instanceMatrix.needsUpdate = true;
      if (this[name].instanceColor) this[name].instanceColor.needsUpdate = true;
    }
    this.dots.material.color.set(theme.force);
    this.normals.material.color.set(theme.normal);
    this.impulseShafts.material.color.set(theme.impulse);
    this.impulseHeads.material.color.set(theme.impulse);
    this.cones.material.color.set(theme.cone);
    this.picked.material.color.set(theme.select);
    PARTS.forEach((name, k) => {
      this.behind[k].count = counts[name];
      this.behind[k].visible = to - from <= MOST_THROUGH;
      this.behind[k].material.color.set(name === 'normals' ? theme.normal : name.startsWith('impulse') ? theme.impulse : theme.force);
    });
  }

  /** The greatest normal force at the time. */
  #greatest(from, to) {
    let most = 0;
    for (let r = from; r < to; r++) most = Math.max(most, this.run.contacts.normalForce[r]);
    return most;
  }

  /** Adds an instance at `at`, turned by `turn`, stretched by x, y, z. */
  #put(name, counts, x, y, z) {
    this[name].setMatrixAt(counts[name]++, matrix.compose(at, turn, scale.set(x, y, z)));
  }

  #add(r, picked, counts) {
    const c = this.run.contacts, n = c.normalForce[r];
    at.fromArray(c.position, 3 * r);
    direction.fromArray(c.normal, 3 * r);
    const sign = this.#sign(r, direction);
    direction.multiplyScalar(sign);
    turn.setFromUnitVectors(UP, direction);
    const struck = c.impactImpulse[3 * r] !== 0 || c.impactImpulse[3 * r + 1] !== 0 || c.impactImpulse[3 * r + 2] !== 0;
    const active = n > 0 || struck;
    const radius = this.dot * this.shrink * (picked ? 2.2 / this.shrink : active ? 1 : 0.5);
    this.#put(picked ? 'picked' : 'dots', counts, radius, radius, radius);
    if (!picked && (!active || (n < this.least && !struck))) return;
    const stub = this.arrow * 0.2 * this.shrink;
    this.#put('normals', counts, radius * 0.22, radius * 0.22, stub);
    if ((this.show.cones || picked) && n > SHORTEST * this.force && c.friction[r] > 0) {
      const height = Math.min(LONGEST, this.gain * n / this.force) * this.arrow, wide = c.friction[r] * height;
      this.#put('cones', counts, wide, wide, height);
    }
    along.fromArray(c.frictionForce, 3 * r).multiplyScalar(sign).addScaledVector(direction, n);
    this.#arrow(along, this.force, radius, 'shafts', 'heads', counts);
    along.fromArray(c.impactImpulse, 3 * r).multiplyScalar(sign);
    this.#arrow(along, this.impulse, radius, 'impulseShafts', 'impulseHeads', counts);
  }

  /** Arrows show the force on the dynamic body, or of two on the one that is held up: 1 or -1. */
  #sign(r, normal) {
    const c = this.run.contacts, dynamic = (b) => this.run.bodies[b].type === DYNAMIC;
    const one = dynamic(c.body1[r]), two = dynamic(c.body2[r]);
    if (one !== two) return one ? 1 : -1;
    return normal.dot(this.up) < 0 ? -1 : 1;
  }

  #arrow(vector, reference, radius, shafts, heads, counts) {
    const size = vector.length();
    if (!(size > SHORTEST * reference) || !(reference > 0)) return;
    const length = Math.min(LONGEST, this.gain * size / reference) * this.arrow;
    turn.setFromUnitVectors(UP, vector.divideScalar(size));
    const tip = Math.min(length * 0.45, radius * 3.4), thin = Math.min(radius * 0.5, length * 0.08);
    if (shafts === 'shafts') {
      // The stronger the force, the fuller the colour.
      tone.lerpColors(this.weak, this.strong, 0.3 + 0.7 * Math.sqrt(Math.min(1, size / this.most)));
      this.shafts.setColorAt(counts.shafts, tone);
      this.heads.setColorAt(counts.heads, tone);
    }
    this.#put(shafts, counts, thin, thin, length - tip);
    matrix.compose(vector.multiplyScalar(length).add(at), turn, scale.set(tip * 0.38, tip * 0.38, tip));
    this[heads].setMatrixAt(counts[heads]++, matrix);
  }
}

/** Of the positive values the one at share x of the way up, or 0. */
function quantile(values, x) {
  const some = values.filter((v) => v > 0).sort();
  return some.length ? some[Math.floor(x * (some.length - 1))] : 0;
}
