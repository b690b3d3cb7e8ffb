// SPDX-License-Identifier: MIT
import * as THREE from 'three';

const UP = new THREE.Vector3(0, 0, 1);

function alongZ(geometry) { return geometry.rotateX(Math.PI / 2); }

/** Cosine between facets above which the edge between them is not drawn: 20 degrees. */
const SHARP = 0.94;

/** For each side of each triangle whether it is an edge to be seen: open, or between facets that turn enough. */
function sharpSides({ vertices, triangles }) {
  const v = (i) => new THREE.Vector3(...vertices[i]);
  const normals = triangles.map(([a, b, c]) => v(b).sub(v(a)).cross(v(c).sub(v(a))).normalize());
  const sides = new Map(), name = (i, j) => (i < j ? `${i} ${j}` : `${j} ${i}`);
  triangles.forEach((t, f) => t.forEach((_, k) => {
    const key = name(t[(k + 1) % 3], t[(k + 2) % 3]);
    sides.set(key, [...(sides.get(key) ?? []), f]);
  }));
  // Side k lies opposite corner k.
  return triangles.map((t) => t.map((_, k) => {
    const faces = sides.get(name(t[(k + 1) % 3], t[(k + 2) % 3]));
    return faces.length !== 2 || normals[faces[0]].dot(normals[faces[1]]) < SHARP;
  }));
}

/** Mesh of the shape's vertices and triangles, with facets. `mark` is 0 on edges that are to be seen. */
function facets(shape) {
  const plain = new THREE.BufferGeometry();
  plain.setAttribute('position', new THREE.BufferAttribute(new Float32Array(shape.vertices.flat()), 3));
  plain.setIndex(shape.triangles.flat());
  const geometry = plain.toNonIndexed();
  geometry.computeVertexNormals();
  const mark = new Float32Array(9 * shape.triangles.length);
  sharpSides(shape).forEach((sharp, f) => {
    for (let corner = 0; corner < 3; corner++) {
      for (let k = 0; k < 3; k++) mark[9 * f + 3 * corner + k] = (corner === k ? 1 : 0) + (sharp[k] ? 0 : 1);
    }
  });
  geometry.setAttribute('mark', new THREE.BufferAttribute(mark, 3));
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
    case 'plane':
    case 'point cloud':
      return null;
    default: // Whatever comes as triangles.
      return { key: `facets ${shape.vertices.length} ${JSON.stringify(shape.vertices.slice(0, 40))} ${JSON.stringify(shape.triangles.slice(0, 40))}`,
        make: () => facets(shape), scale: [1, 1, 1], marks: 'facets' };
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
