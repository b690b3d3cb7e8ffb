// SPDX-License-Identifier: MIT
import * as THREE from 'three';

const TURNS = 10, SEGMENTS = 120;

/** The spring by which a body is pulled: a coil from the point that is held to where it is to go, seen through everything. */
export class Spring {
  constructor() {
    this.group = new THREE.Group();
    this.material = new THREE.MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, toneMapped: false, fog: false });
    this.ends = [0, 1].map(() => new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), this.material));
    this.coil = new THREE.Mesh(new THREE.BufferGeometry(), this.material);
    for (const mesh of [...this.ends, this.coil]) {
      mesh.renderOrder = 9;
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    this.group.visible = false;
  }

  /** Shows it from `from` to `to` (THREE.Vector3) with wire of this radius [m], or hides it without them. */
  update(from, to, radius, color) {
    this.group.visible = Boolean(from);
    if (!from) return;
    this.material.color.set(color);
    this.ends[0].position.copy(from);
    this.ends[1].position.copy(to);
    this.ends.forEach((mesh, i) => mesh.scale.setScalar(radius * (i === 0 ? 2.2 : 3.2)));
    this.coil.geometry.dispose();
    const length = from.distanceTo(to);
    this.coil.visible = length > 4 * radius;
    if (!this.coil.visible) return;
    const along = to.clone().sub(from).normalize();
    const side = new THREE.Vector3(0, 0, 1).cross(along).length() > 0.1 ? new THREE.Vector3(0, 0, 1).cross(along).normalize() : new THREE.Vector3(1, 0, 0).cross(along).normalize();
    const other = along.clone().cross(side), points = [];
    // Straight at both ends, narrower the longer it is drawn out.
    const wide = Math.min(5 * radius, length / 8);
    for (let i = 0; i <= SEGMENTS; i++) {
      const t = i / SEGMENTS, angle = 2 * Math.PI * TURNS * t, r = t < 0.08 || t > 0.92 ? 0 : wide;
      points.push(from.clone().addScaledVector(along, length * t).addScaledVector(side, r * Math.cos(angle)).addScaledVector(other, r * Math.sin(angle)));
    }
    this.coil.geometry = new THREE.TubeGeometry(new THREE.CatmullRomCurve3(points), 2 * SEGMENTS, 0.55 * radius, 6);
  }
}
