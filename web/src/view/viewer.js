// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { STATIC } from '../data/run.js';
import { Bodies } from './bodies.js';
import { THEMES } from './colors.js';
import { Contacts } from './contacts.js';
import { Joints } from './joints.js';
import { bodyFrameBox, drawing, reach } from './geometry.js';
import { Spring } from './spring.js';
import { Triad } from './triad.js';

/** Share of the picture's height and width that a framed box takes. */
const FILL = 0.9;
/** Frames that take longer than this [ms], so many on end, make the picture plainer. */
const SLOW_FRAME = 60, SLOW_FRAMES = 6;

/** The picture of the scene. Draws only when something changed. */
export class Viewer {
  constructor(canvas, run) {
    this.canvas = canvas;
    this.run = run;
    this.box = homeBox(run);
    this.size = Math.max(1e-6, this.box.getSize(new THREE.Vector3()).length());
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(38, 1, this.size * 1e-3, this.size * 200);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.invalidate());
    this.controls.addEventListener('start', () => { this.lookedAround = true; });
    this.#addLights();
    this.bodies = new Bodies(run, this.size);
    this.contacts = new Contacts(run, this.size);
    this.joints = new Joints(run, this.size, this.bodies);
    this.halo = new THREE.Group();
    this.spring = new Spring();
    this.scene.add(this.bodies.group, this.contacts.group, this.joints.group, this.halo, this.spring.group);
    this.triad = new Triad();
    this.#addGrid();
    this.raycaster = new THREE.Raycaster();
    this.slow = 0;
    this.onrender = () => {};
    this.setTheme('light');
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  /** A grid below what floats: without anything that stands still there is no floor to carry one. */
  #addGrid() {
    if (this.run.bodies.some((b) => b.type === STATIC && b.shapes.length > 0)) return;
    const { cell } = this.bodies, wide = 2 * Math.ceil((2 * this.size) / cell);
    this.grid = new THREE.GridHelper(wide * cell, wide, '#888', '#888');
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.set(0, 0, this.box.min.z);
    Object.assign(this.grid.material, { transparent: true, opacity: 0.35 });
    this.scene.add(this.grid);
  }

  #addLights() {
    this.sky = new THREE.HemisphereLight('#fff', '#888', 1.5);
    this.sky.position.set(0, 0, 1);
    this.sun = new THREE.DirectionalLight('#fff', 2.0);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = this.size * 0.002;
    this.sun.shadow.radius = 3;
    this.scene.add(this.sky, this.sun, this.sun.target);
  }

  setTheme(name) {
    this.theme = THEMES[name];
    this.scene.background = new THREE.Color(this.theme.background);
    this.scene.fog = new THREE.Fog(this.theme.background, this.size * 6, this.size * 30);
    this.sky.color.set(this.theme.sky);
    this.sky.groundColor.set(this.theme.earth);
    this.invalidate();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement;
    if (w === 0 || h === 0) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    // Until somebody looks from elsewhere, the first view fits whatever room there is.
    if (this.bodies && !this.lookedAround) this.#goHome();
    this.invalidate();
  }

  #goHome() { this.frame(this.box, new THREE.Vector3(-0.55, -1, 0.5)); }

  /** Shows the run at time t; what is picked stands out. */
  show(t, pick) {
    this.time = t;
    this.pick = pick;
    this.poseFrame = this.run.poseAt(t);
    this.rows = this.run.contactRows(t);
    this.stale = true;
    this.invalidate();
  }

  invalidate() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.#draw();
    });
  }

  /** Puts everything where it is at the present time; false if it stood there already. */
  #arrange() {
    if (!this.stale) return false;
    this.stale = false;
    const key = this.pick?.kind === 'contact' ? this.pick.key : null;
    this.bodies.update(this.poseFrame, this.rows, this.theme, this.#pickedBodies());
    this.contacts.update(this.rows, this.theme, key);
    this.joints.update(this.poseFrame, this.run.axisRows(this.time), this.theme, this.pick?.kind === 'joint' ? this.pick.joint : null);
    this.#placeHalo();
    this.#placeSpring();
    this.moved = true;
    return true;
  }

  #draw() {
    this.#arrange();
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.shadowMap.needsUpdate = this.moved;
    this.moved = false;
    this.renderer.render(this.scene, this.camera);
    this.triad.render(this.renderer, this.camera, this.controls.target, this.theme);
    this.onrender(this.bodies.legend);
  }

  /** Bodies that stand out, the picked one or those of the picked contact; null if nothing is picked. */
  #pickedBodies() {
    if (!this.pick) return null;
    if (this.pick.kind === 'body') return { strong: new Set([this.pick.body]), select: this.theme.select };
    if (this.pick.kind === 'joint') {
      const { body1, body2 } = this.run.joints[this.pick.joint];
      return { strong: new Set([body1, body2].filter((b) => b < this.run.numBodies)), select: null };
    }
    const row = this.run.contacts.key.indexOf(this.pick.key), c = this.run.contacts;
    return { strong: new Set(row < 0 ? [] : [c.body1[row], c.body2[row]]), select: null };
  }

  /** The present picture as a PNG. */
  picture() {
    this.#draw();
    return new Promise((done) => { this.canvas.toBlob(done, 'image/png'); });
  }

  /** Told the time between frames while playing: a machine that cannot keep up gets a plainer picture. */
  pace(milliseconds) {
    this.slow = milliseconds > SLOW_FRAME ? this.slow + 1 : 0;
    if (this.slow < SLOW_FRAMES) return;
    this.slow = 0;
    if (this.sun.castShadow) this.setShadows(false);
    else if (this.renderer.getPixelRatio() > 1) this.renderer.setPixelRatio(1);
  }

  setShadows(on) {
    this.sun.castShadow = on;
    this.stale = true;
    this.invalidate();
  }

  /** The picked body again, a little larger and seen from within: a rim of colour. */
  #placeHalo() {
    this.halo.clear();
    if (this.pick?.kind !== 'body') return;
    const material = new THREE.MeshBasicMaterial({ color: this.theme.select, side: THREE.BackSide, toneMapped: false, fog: false });
    const at = this.bodies.bodyMatrix(this.pick.body, this.poseFrame, new THREE.Matrix4());
    for (const shape of this.run.bodies[this.pick.body].shapes) {
      const drawn = drawing(shape);
      if (!drawn) continue;
      const rim = 0.004 * this.camera.position.distanceTo(this.controls.target);
      const mesh = new THREE.Mesh(this.#haloGeometry(drawn), material);
      const local = new THREE.Matrix4().compose(new THREE.Vector3(...shape.position),
        new THREE.Quaternion(shape.orientation[1], shape.orientation[2], shape.orientation[3], shape.orientation[0]),
        new THREE.Vector3(...drawn.scale.map((s) => s + rim * (shape.type === 'box' ? 2 : shape.type === 'sphere' ? 1 : s / Math.max(1e-9, reach(shape))))));
      mesh.matrixAutoUpdate = false;
      mesh.matrix.multiplyMatrices(at, local);
      this.halo.add(mesh);
    }
  }

  /** Shows the spring { body, point (of the body), target } by which a body is pulled, or none for null. */
  setSpring(pull) {
    if (!pull && !this.pull) return;
    this.pull = pull;
    this.stale = true;
    this.invalidate();
  }

  #placeSpring() {
    if (!this.pull) { this.spring.update(null); return; }
    const at = this.bodies.bodyMatrix(this.pull.body, this.poseFrame, new THREE.Matrix4());
    const from = new THREE.Vector3(...this.pull.point).applyMatrix4(at), to = new THREE.Vector3(...this.pull.target);
    this.spring.update(from, to, 0.0035 * this.camera.position.distanceTo(from), this.theme.pull);
  }

  #haloGeometry(drawn) {
    this.haloCache ??= new Map();
    if (!this.haloCache.has(drawn.key)) this.haloCache.set(drawn.key, drawn.make(1));
    return this.haloCache.get(drawn.key);
  }

  /** Turns the camera to a box, from the present side or from `side`. */
  frame(box, side = null) {
    const center = box.getCenter(new THREE.Vector3());
    const from = (side ?? this.camera.position.clone().sub(this.controls.target)).normalize();
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(from, this.#distanceFor(box, center, from));
    this.controls.update();
    this.sun.target.position.copy(this.box.getCenter(new THREE.Vector3()));
    this.sun.position.copy(this.sun.target.position).add(new THREE.Vector3(-0.5, -0.35, 1).normalize().multiplyScalar(this.size * 1.5));
    const shadow = this.sun.shadow.camera, half = this.size * 0.75;
    Object.assign(shadow, { left: -half, right: half, top: half, bottom: -half, near: this.size * 0.1, far: this.size * 4 });
    shadow.updateProjectionMatrix();
    this.stale = true;
    this.invalidate();
  }

  /** How far from the centre the camera has to stand, looking back along `from`, to see the box's corners. */
  #distanceFor(box, center, from) {
    const right = new THREE.Vector3().crossVectors(this.camera.up, from).normalize();
    const up = new THREE.Vector3().crossVectors(from, right);
    const high = Math.tan((this.camera.fov * Math.PI) / 360) * FILL, wide = high * this.camera.aspect;
    let distance = 1e-6;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y,
        k & 4 ? box.max.z : box.min.z).sub(center);
      const across = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / high);
      distance = Math.max(distance, across + corner.dot(from));
    }
    return distance;
  }

  /** Box about what moves now, or about the picked body. */
  boxNow() {
    if (this.pick?.kind === 'body') return bodyBox(this.run, [this.run.bodies[this.pick.body]], [this.poseFrame]);
    return movingBox(this.run, [this.poseFrame]);
  }

  /** Pixel of a point in the world, and whether it is in front of the camera. */
  project(x, y, z) {
    const v = new THREE.Vector3(x, y, z).project(this.camera);
    const { clientWidth: w, clientHeight: h } = this.canvas;
    return { x: ((v.x + 1) / 2) * w, y: ((1 - v.y) / 2) * h, inside: v.z < 1 && Math.abs(v.x) <= 1 && Math.abs(v.y) <= 1, depth: v.z };
  }

  #aim(x, y) {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    this.raycaster.setFromCamera(new THREE.Vector2((x / w) * 2 - 1, 1 - (y / h) * 2), this.camera);
    return this.raycaster;
  }

  /** The body at a pixel: { body, local: the point in its centre frame, plane: through it and across the view }, or null. */
  grabAt(x, y) {
    this.#arrange();
    const hit = this.bodies.hit(this.#aim(x, y));
    if (!hit) return null;
    const at = this.bodies.bodyMatrix(hit.body, this.poseFrame, new THREE.Matrix4());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new THREE.Vector3()), hit.point);
    return { body: hit.body, local: hit.point.clone().applyMatrix4(at.invert()).toArray(), plane };
  }

  /** Where the ray through a pixel meets a plane: [x, y, z], or null. */
  pointOnPlane(x, y, plane) { return this.#aim(x, y).ray.intersectPlane(plane, new THREE.Vector3())?.toArray() ?? null; }

  /** What is at a pixel: a contact or joint within a few pixels if these are shown, else a body, else null. */
  pickAt(x, y) {
    this.#arrange();
    if (this.contacts.show.contacts) {
      let best = null;
      for (let r = this.rows.from; r < this.rows.to; r++) {
        const p = this.project(...this.run.vec(this.run.contacts.position, r));
        const near = Math.hypot(p.x - x, p.y - y);
        if (p.inside && near < 9 && (!best || near + p.depth < best.near)) best = { near: near + p.depth, r };
      }
      if (best) return { kind: 'contact', key: this.run.contacts.key[best.r] };
    }
    if (this.joints.shown) {
      let best = null;
      for (const j of this.run.jointsAt(this.run.axisRows(this.time))) {
        const p = this.project(...this.joints.places[j].toArray()), near = Math.hypot(p.x - x, p.y - y);
        if (p.inside && near < 9 && (!best || near + p.depth < best.near)) best = { near: near + p.depth, j };
      }
      if (best) return { kind: 'joint', joint: best.j };
    }
    const hit = this.bodies.hit(this.#aim(x, y));
    return hit ? { kind: 'body', body: hit.body } : null;
  }
}

function bodyBox(run, bodies, frames) {
  const box = new THREE.Box3(), at = new THREE.Matrix4();
  const position = new THREE.Vector3(), turn = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1);
  for (const body of bodies) {
    const own = bodyFrameBox(body), q = run.poses.orientation;
    if (own.isEmpty()) continue;
    for (const f of frames) {
      const row = f * run.numBodies + body.index;
      position.fromArray(run.poses.position, 3 * row);
      turn.set(q[4 * row + 1], q[4 * row + 2], q[4 * row + 3], q[4 * row]);
      box.union(own.clone().applyMatrix4(at.compose(position, turn, one)));
    }
  }
  return box;
}

/** What is in sight from so far [as a share of the scene's size] counts as part of the scene. */
const NEAR = 0.5;
/** Still bodies larger than so many times what moves are ground, and not framed. */
const GROUND = 4;

/**
 * Box for the first look: the moving bodies at the beginning with the still ones that are not much larger, and where
 * bodies go later as long as that is near. Where most leave, the middle of where they are.
 */
function homeBox(run) {
  const box = movingBox(run, [0]), size = box.getSize(new THREE.Vector3()).length();
  const still = run.bodies.filter((b) => b.type === STATIC && b.shapes.some((s) => reach(s) > 0));
  for (const body of still) {
    const own = bodyBox(run, [body], [0]);
    if (own.getSize(new THREE.Vector3()).length() <= GROUND * size) box.union(own);
  }
  const near = box.clone().expandByScalar(NEAR * box.getSize(new THREE.Vector3()).length());
  const last = run.poses.time.length - 1, at = new THREE.Vector3(), seen = [], all = [];
  for (const body of movingBodies(run)) {
    for (const f of new Set([0.25, 0.5, 0.75, 1].map((x) => Math.floor(x * Math.max(0, last))))) {
      at.fromArray(run.poses.position, 3 * (f * run.numBodies + body.index));
      all.push(at.clone());
      if (near.containsPoint(at)) seen.push([body, f]);
    }
  }
  if (seen.length >= all.length / 2) for (const [body, f] of seen) box.union(bodyBox(run, [body], [f]));
  else for (const axis of ['x', 'y', 'z']) {
    const values = all.map((p) => p[axis]).sort((a, b) => a - b), quantile = (x) => values[Math.floor(x * (values.length - 1))];
    box.min[axis] = Math.min(box.min[axis], quantile(0.1));
    box.max[axis] = Math.max(box.max[axis], quantile(0.9));
  }
  return box;
}

/** Bodies that are not static, or all if there is none. */
function movingBodies(run) {
  const drawn = run.bodies.filter((b) => b.shapes.some((s) => reach(s) > 0)), moving = drawn.filter((b) => b.type !== STATIC);
  return moving.length > 0 ? moving : drawn;
}

/** Box about the bodies that are not static, in some frames; the outermost hundredth may be left out. */
function movingBox(run, frames) {
  let bodies = movingBodies(run);
  if (bodies.length > 20) bodies = withoutOutliers(run, bodies, frames);
  const box = bodyBox(run, bodies, frames);
  return box.isEmpty() ? box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1)) : box;
}

function withoutOutliers(run, bodies, frames) {
  const place = (b, f) => run.vec(run.poses.position, f * run.numBodies + b.index);
  const middle = [0, 1, 2].map((k) => bodies.map((b) => place(b, frames[0])[k]).sort((a, b) => a - b)[bodies.length >> 1]);
  const far = (b) => Math.max(...frames.map((f) => Math.hypot(...place(b, f).map((v, k) => v - middle[k]))));
  return bodies.map((b) => [far(b), b]).sort((a, b) => a[0] - b[0]).slice(0, Math.ceil(0.98 * bodies.length)).map(([, b]) => b);
}
