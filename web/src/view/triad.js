// SPDX-License-Identifier: MIT
import * as THREE from 'three';

/** Side [px] of the square in the lower right corner, and its distance from the edges. */
const SIDE = 76, MARGIN = 6;
const AXES = [['x', '#d1493f'], ['y', '#3f9a4b'], ['z', '#3f7fd1']];

/** The directions of x, y and z, in a corner of the view. */
export class Triad {
  constructor() {
    this.scene = new THREE.Scene();
    this.camera = new THREE.OrthographicCamera(-1.5, 1.5, 1.5, -1.5, 0.1, 10);
    this.camera.up.set(0, 0, 1);
    AXES.forEach(([name, color], k) => {
      const direction = new THREE.Vector3().setComponent(k, 1);
      this.scene.add(new THREE.ArrowHelper(direction, new THREE.Vector3(), 1, color, 0.28, 0.16));
      const label = new THREE.Sprite(new THREE.SpriteMaterial({ map: letter(name, color), depthTest: false }));
      label.position.copy(direction).multiplyScalar(1.25);
      label.scale.setScalar(0.5);
      this.scene.add(label);
    });
  }

  /** Draws it over the picture, turned as the camera is. */
  render(renderer, camera, target) {
    this.camera.position.copy(camera.position).sub(target).normalize().multiplyScalar(5);
    this.camera.lookAt(0, 0, 0);
    const size = renderer.getSize(new THREE.Vector2()), x = size.x - SIDE - MARGIN;
    renderer.autoClear = false;
    renderer.setViewport(x, MARGIN, SIDE, SIDE);
    renderer.setScissor(x, MARGIN, SIDE, SIDE);
    renderer.setScissorTest(true);
    renderer.clearDepth();
    renderer.render(this.scene, this.camera);
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, size.x, size.y);
    renderer.autoClear = true;
  }
}

function letter(name, color) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const ctx = canvas.getContext('2d');
  ctx.font = 'bold 46px system-ui, sans-serif';
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = color;
  ctx.fillText(name, 32, 32);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}
