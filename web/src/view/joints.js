// SPDX-License-Identifier: MIT
import * as THREE from 'three';

/** As JointType in abut/joints/joint.hpp. */
export const JOINT_TYPES = ['fixed', 'ball', 'hinge', 'slider', 'universal', 'distance', 'tether', 'six axes', 'gimbal'];
const [, BALL, HINGE, SLIDER, UNIVERSAL, DISTANCE, TETHER] = JOINT_TYPES.keys();
/** Pieces of a whole circle; more joints than this are points only. */
const CIRCLE = 48, MOST_DRAWN = 2000;
const one = new THREE.Vector3(1, 1, 1);

function frameOf(position, [w, x, y, z]) {
  return new THREE.Matrix4().compose(new THREE.Vector3(...position), new THREE.Quaternion(x, y, z, w), one);
}

/** Joints as points, with their axes and how far these may go; a hand shows where they are. */
export class Joints {
  constructor(run, size, bodies) {
    this.run = run;
    this.bodies = bodies;
    this.group = new THREE.Group();
    this.shown = false;
    this.dot = 0.004 * size;
    this.reach = 0.03 * size;
    this.frames = run.joints.map((j) => [frameOf(j.position1, j.orientation1), frameOf(j.position2, j.orientation2)]);
    const n = Math.max(1, run.joints.length), overAll = { depthTest: false, transparent: true, toneMapped: false };
    this.dots = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 12, 8), new THREE.MeshBasicMaterial(overAll), n);
    this.picked = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 12), new THREE.MeshBasicMaterial(overAll));
    this.axes = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial(overAll));
    this.limits = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial(overAll));
    for (const part of [this.dots, this.picked, this.axes, this.limits]) {
      part.frustumCulled = false;
      part.renderOrder = 6;
      this.group.add(part);
    }
    /** Where each joint is in the picture. */
    this.places = run.joints.map(() => new THREE.Vector3());
  }

  /** Frame 1 or 2 of a joint in the world. */
  #place(j, side, poseFrame) {
    const body = side === 0 ? this.run.joints[j].body1 : this.run.joints[j].body2, own = this.frames[j][side];
    if (!(body < this.run.numBodies)) return own.clone();
    return this.bodies.bodyMatrix(body, poseFrame, new THREE.Matrix4()).multiply(own);
  }

  update(poseFrame, rows, theme, pick) {
    const { joints } = this.run;
    this.group.visible = joints.length > 0 && (this.shown || pick !== null);
    if (!this.group.visible) return;
    const lines = [], bounds = [], matrix = new THREE.Matrix4(), there = this.run.jointsAt(rows);
    let count = 0;
    joints.forEach((joint, j) => {
      const two = this.#place(j, 1, poseFrame);
      this.places[j].setFromMatrixPosition(two);
      if (!there.has(j) || (!this.shown && pick !== j)) return;
      const r = pick === j ? 1.6 * this.dot : this.dot;
      this.dots.setMatrixAt(count++, matrix.makeScale(r, r, r).setPosition(this.places[j]));
      if (joints.length <= MOST_DRAWN || pick === j) this.#draw(joint, this.#place(j, 0, poseFrame), two, lines, bounds);
    });
    this.dots.count = count;
    this.dots.instanceMatrix.needsUpdate = true;
    this.dots.material.color.set(theme.select);
    this.picked.visible = pick !== null && there.has(pick);
    if (this.picked.visible) {
      this.picked.position.copy(this.places[pick]);
      this.picked.scale.setScalar(2 * this.dot);
    }
    this.picked.material.color.set(theme.pull);
    this.axes.material.color.set(theme.select);
    this.limits.material.color.set(theme.cone);
    this.axes.geometry.setAttribute('position', new THREE.Float32BufferAttribute(lines, 3));
    this.limits.geometry.setAttribute('position', new THREE.Float32BufferAttribute(bounds, 3));
  }

  #draw(joint, one, two, lines, bounds) {
    const r = this.reach, x = new THREE.Vector3(), y = new THREE.Vector3(), z = new THREE.Vector3();
    const at = new THREE.Vector3().setFromMatrixPosition(one), end = new THREE.Vector3().setFromMatrixPosition(two);
    one.extractBasis(x, y, z);
    const line = (to, a, b) => to.push(...a.toArray(), ...b.toArray());
    const onCircle = (angle, radius, up = 0) => at.clone().addScaledVector(x, radius * Math.cos(angle))
      .addScaledVector(y, radius * Math.sin(angle)).addScaledVector(z, up);
    const arc = (from, to, radius, up) => {
      const n = Math.max(2, Math.ceil((CIRCLE * Math.abs(to - from)) / (2 * Math.PI)));
      for (let i = 0; i < n; i++) line(bounds, onCircle(from + ((to - from) * i) / n, radius, up), onCircle(from + ((to - from) * (i + 1)) / n, radius, up));
    };
    const { axes } = joint, along = (v, s) => at.clone().addScaledVector(v, s);
    if (joint.type === HINGE) {
      line(lines, along(z, -r), along(z, r));
      line(lines, end, end.clone().addScaledVector(new THREE.Vector3().setFromMatrixColumn(two, 0), r));
      const { lower, upper } = axes[0];
      if (lower === undefined || upper === undefined) return;
      arc(lower, Math.min(upper, lower + 2 * Math.PI), r, 0);
      for (const angle of [lower, upper]) line(bounds, at, onCircle(angle, r));
    } else if (joint.type === SLIDER) {
      const { lower = -r, upper = r } = axes[0];
      line(lines, along(z, Math.min(lower, -r / 4)), along(z, Math.max(upper, r / 4)));
      for (const [stop, is] of [[lower, axes[0].lower], [upper, axes[0].upper]]) {
        if (is !== undefined) line(bounds, along(z, stop).addScaledVector(x, -r / 3), along(z, stop).addScaledVector(x, r / 3));
      }
    } else if (joint.type === BALL) {
      line(lines, end, end.clone().addScaledVector(new THREE.Vector3().setFromMatrixColumn(two, 2), r));
      const swing = axes[1]?.upper;
      if (swing !== undefined && swing < Math.PI) arc(0, 2 * Math.PI, r * Math.sin(swing), r * Math.cos(swing));
    } else if (joint.type === UNIVERSAL) {
      line(lines, along(z, -r), along(z, r));
      const other = new THREE.Vector3().setFromMatrixColumn(two, 0);
      line(lines, end.clone().addScaledVector(other, -r), end.clone().addScaledVector(other, r));
    } else if (joint.type === DISTANCE || joint.type === TETHER) {
      line(lines, at, end);
    } else {
      for (const v of [x, y, z]) line(lines, at, along(v, r / 2));
    }
  }
}
