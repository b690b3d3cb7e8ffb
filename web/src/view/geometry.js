// SPDX-License-Identifier: MIT
import * as THREE from 'three';

const UP = new THREE.Vector3(0, 0, 1);

function alongZ(geometry) { return geometry.rotateX(Math.PI / 2); }

/** Mesh of the shape's vertices and triangles, with facets unless it is finely divided. */
function facets(shape) {
  const plain = new THREE.BufferGeometry();
  plain.setAttribute('position', new THREE.BufferAttribute(new Float32Array(shape.vertices.flat()), 3));
  plain.setIndex(shape.triangles.flat());
  const geometry = plain.toNonIndexed();
  geometry.computeVertexNormals();
  const n = geometry.getAttribute('position').count;
  geometry.setAttribute('uv', new THREE.BufferAttribute(new Float32Array(2 * n).fill(0.5), 2));
  return geometry;
}

/**
 * How a shape is drawn: { key, make(detail), scale, marks }. Shapes with one key share a geometry and
 * one draw call; `scale` stretches it, detail (0.5 or 1) is how finely round shapes are divided. Null for what is drawn otherwise (planes, clouds).
 */
export function drawing(shape) {
  const [a, b] = shape.size;
  switch (shape.type) {
    case 'sphere':
      return { key: 'sphere', make: (d) => new THREE.SphereGeometry(1, 32 * d, 20 * d), scale: [a, a, a], marks: 'quarters' };
    case 'box':
      return { key: 'box', make: () => new THREE.BoxGeometry(1, 1, 1), scale: shape.size, marks: 'edges' };
    case 'capsule': {
      const ratio = b / a;
      return { key: `capsule ${ratio.toPrecision(6)}`, make: (d) => alongZ(new THREE.CapsuleGeometry(1, ratio, 10 * d, 24 * d)),
        scale: [a, a, a], marks: 'quarters' };
    }
    case 'cylinder':
      return { key: 'cylinder', make: (d) => alongZ(new THREE.CylinderGeometry(1, 1, 1, 40 * d)), scale: [a, a, b], marks: 'quarters' };
    case 'cone':
      return { key: 'cone', make: (d) => alongZ(new THREE.ConeGeometry(1, 1, 40 * d)), scale: [a, a, b], marks: 'quarters' };
    case 'convex':
    case 'mesh':
    case 'height field':
      return { key: `facets ${shape.vertices.length} ${JSON.stringify(shape.vertices.slice(0, 40))} ${JSON.stringify(shape.triangles.slice(0, 40))}`,
        make: () => facets(shape), scale: [1, 1, 1], marks: 'none' };
    default:
      return null;
  }
}

/** Half sizes and middle of a box about the shape, in its own frame; null for planes. */
function ownBox(shape) {
  const [a, b, c] = shape.size, box = new THREE.Box3();
  const about = (x, y, z) => box.set(new THREE.Vector3(-x, -y, -z), new THREE.Vector3(x, y, z));
  switch (shape.type) {
    case 'sphere': return about(a, a, a);
    case 'box': return about(a / 2, b / 2, c / 2);
    case 'capsule': return about(a, a, a + b / 2);
    case 'cylinder': case 'cone': return about(a, a, b / 2);
    case 'plane': return null;
    default:
      for (const v of shape.vertices) box.expandByPoint(new THREE.Vector3(...v));
      return shape.type === 'point cloud' ? box.expandByScalar(a) : box;
  }
}

/** Box about a body's shapes in its centre frame; empty if it has only planes. */
export function bodyFrameBox(body) {
  const box = new THREE.Box3();
  for (const shape of body.shapes) {
    const own = ownBox(shape), q = shape.orientation;
    if (!own) continue;
    box.union(own.applyMatrix4(new THREE.Matrix4().compose(new THREE.Vector3(...shape.position),
      new THREE.Quaternion(q[1], q[2], q[3], q[0]), new THREE.Vector3(1, 1, 1))));
  }
  return box;
}

/** Radius [m] of a ball about the shape's origin that holds it; 0 for planes. */
export function reach(shape) {
  const [a, b, c] = shape.size;
  switch (shape.type) {
    case 'sphere': return a;
    case 'box': return Math.hypot(a, b, c) / 2;
    case 'capsule': return a + b / 2;
    case 'cylinder': case 'cone': return Math.hypot(a, b / 2);
    case 'plane': return 0;
    default: return Math.max(0, ...shape.vertices.map((v) => Math.hypot(...v))) + (shape.type === 'point cloud' ? a : 0);
  }
}

/** Turns z to the given unit vector. */
export function turnTo(normal) {
  return new THREE.Quaternion().setFromUnitVectors(UP, new THREE.Vector3(...normal));
}
