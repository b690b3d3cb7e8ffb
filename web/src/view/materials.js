// SPDX-License-Identifier: MIT
import * as THREE from 'three';

// Marks in the surface itself, so that turning can be seen and stacked boxes stay apart:
// boxes get dark edges, round shapes are quartered in two tones.
const EDGES = `
  vec2 edgeNear = min(vMarkUv, 1.0 - vMarkUv) / max(fwidth(vMarkUv), vec2(1e-6));
  float edge = 1.0 - smoothstep(0.6, 1.6, min(edgeNear.x, edgeNear.y));
  diffuseColor.rgb *= 1.0 - 0.45 * edge;`;
const FACETS = `
  vec3 sideNear = vMark / max(fwidth(vMark), vec3(1e-6));
  float side = 1.0 - smoothstep(0.6, 1.6, min(sideNear.x, min(sideNear.y, sideNear.z)));
  diffuseColor.rgb *= 1.0 - 0.45 * side;`;
const QUARTERS = `
  diffuseColor.rgb *= 1.0 - 0.17 * step(0.0, vMarkPosition.x * vMarkPosition.y);`;
const GRID = `
  vec2 gridAt = vGridPosition.xy / uCell;
  vec2 gridWidth = fwidth(gridAt);
  vec2 gridNear = abs(fract(gridAt - 0.5) - 0.5) / max(gridWidth, vec2(1e-6));
  float gridLine = (1.0 - min(min(gridNear.x, gridNear.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, max(gridWidth.x, gridWidth.y)));
  float gridFlat = smoothstep(0.9, 0.99, abs(vGridNormal.z));
  float gridFade = 1.0 - smoothstep(uReach * 0.25, uReach, length(vGridPosition - cameraPosition));
  diffuseColor.rgb = mix(diffuseColor.rgb, uLine, 0.75 * gridLine * gridFlat * gridFade);`;

// Marks: what the vertex shader hands on, and what the fragment shader makes of it.
const MARKS = {
  edges: { pass: 'varying vec2 vMarkUv;', set: 'vMarkUv = uv;', code: EDGES },
  quarters: { pass: 'varying vec3 vMarkPosition;', set: 'vMarkPosition = position;', code: QUARTERS },
  facets: { pass: 'varying vec3 vMark;', declare: 'attribute vec3 mark;', set: 'vMark = mark;', code: FACETS },
};

/** Material of bodies; marks: 'edges' (boxes), 'quarters' (round ones) or 'facets'. Colours come from the instances. */
export function bodyMaterial(marks) {
  const material = new THREE.MeshStandardMaterial({ roughness: 0.72, metalness: 0.0 });
  const { pass, declare = '', set, code } = MARKS[marks];
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = `${declare}\n${pass}\n${shader.vertexShader}`
      .replace('#include <begin_vertex>', `#include <begin_vertex>\n${set}`);
    shader.fragmentShader = `${pass}\n${shader.fragmentShader}`
      .replace('#include <color_fragment>', `#include <color_fragment>\n${code}`);
  };
  material.customProgramCacheKey = () => `marks-${marks}`;
  return material;
}

/** Material of what stands still: level faces carry the grid. `shared` holds the uniforms. */
export function groundMaterial(shared, options = {}) {
  const material = new THREE.MeshStandardMaterial({ roughness: 0.95, metalness: 0, ...options });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, shared);
    shader.vertexShader = `varying vec3 vGridPosition;\nvarying vec3 vGridNormal;\n${shader.vertexShader}`
      .replace('#include <begin_vertex>', `#include <begin_vertex>
        vec4 gridWorld = vec4(position, 1.0);
        vec3 gridNormal = normal;
        #ifdef USE_INSTANCING
          gridWorld = instanceMatrix * gridWorld;
          gridNormal = mat3(instanceMatrix) * gridNormal;
        #endif
        vGridPosition = (modelMatrix * gridWorld).xyz;
        vGridNormal = normalize(mat3(modelMatrix) * gridNormal);`);
    shader.fragmentShader = `uniform float uCell;\nuniform float uReach;\nuniform vec3 uLine;\nvarying vec3 vGridPosition;\nvarying vec3 vGridNormal;\n${shader.fragmentShader}`
      .replace('#include <color_fragment>', `#include <color_fragment>\n${GRID}`);
  };
  material.customProgramCacheKey = () => 'ground';
  return material;
}
