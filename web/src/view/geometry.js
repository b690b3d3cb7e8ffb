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
 * How a shape is drawn: { key, make(), scale, marks, turn? }. Shapes with one key share a geometry and
 * one draw call; `scale` stretches it. Null for what is drawn otherwise (planes, clouds).
 */
export function drawing(shape) {
  const [a, b] = shape.size;
  switch (shape.type) {
    case 'sphere':
      return { key: 'sphere', make: () => new THREE.SphereGeometry(1, 32, 20), scale: [a, a, a], marks: 'quarters' };
    case 'box':
      return { key: 'box', make: () => new THREE.BoxGeometry(1, 1, 1), scale: shape.size, marks: 'edges' };
    case 'capsule': {
      const ratio = b / a;
      return { key: `capsule ${ratio.toPrecision(6)}`, make: () => alongZ(new THREE.CapsuleGeometry(1, ratio, 10, 24)),
        scale: [a, a, a], marks: 'quarters' };
    }
    case 'cylinder':
      return { key: 'cylinder', make: () => alongZ(new THREE.CylinderGeometry(1, 1, 1, 40)), scale: [a, a, b], marks: 'quarters' };
    case 'cone':
      return { key: 'cone', make: () => alongZ(new THREE.ConeGeometry(1, 1, 40)), scale: [a, a, b], marks: 'quarters' };
    case 'convex':
    case 'mesh':
    case 'height field':
      return { key: `facets ${shape.vertices.length} ${JSON.stringify(shape.vertices.slice(0, 40))} ${JSON.stringify(shape.triangles.slice(0, 40))}`,
        make: () => facets(shape), scale: [1, 1, 1], marks: 'none' };
    default:
      return null;
  }
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
