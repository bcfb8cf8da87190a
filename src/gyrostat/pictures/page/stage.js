// The stage: renderer, lights and camera. It draws only when something has changed.
import {
  DirectionalLight, HemisphereLight, PerspectiveCamera, PCFShadowMap, Scene, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { basis } from "./basis.js";
import { hush, say } from "./messages.js";
import { Pace } from "./pace.js";

const MARGIN = 0.86;
const REST = 300; // milliseconds without a change after which shadows are drawn where there is no graphics card

export class Stage {
  constructor(element, header, theme) {
    Object.assign(this, { element, header, theme, drawn: 0, complete: 0, onFrame: () => false, resizers: [] });
    this.canvas = element.querySelector("canvas");
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene = new Scene();
    this.centre = new Vector3(...header.low).add(new Vector3(...header.high)).multiplyScalar(0.5);
    this.axes = basis(header.up);
    this.camera = new PerspectiveCamera(32, 1, header.size / 200, header.size * 60);
    this.camera.up.copy(this.axes.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => { this.fitted = null; });
    this.shifts = [new Vector3()];
    this.light();
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    this.software = drawnInSoftware(this.renderer.getContext());
    this.pace = new Pace(this);
    new ResizeObserver(() => this.resize()).observe(element);
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
      say("The graphics card was taken away from this page for a moment. It goes on when it is back.");
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.lost = false;
      hush();
      this.invalidate();
    });
    this.resize();
  }

  light() {
    const { up, right, front } = this.axes;
    const { size } = this.header;
    const sky = new HemisphereLight(0xffffff, 0xb9c0c9, 2.1);
    sky.position.copy(up);
    const sun = new DirectionalLight(0xffffff, 2.1);
    sun.position.copy(this.centre).addScaledVector(up, 1.5 * size).addScaledVector(front, 0.7 * size).addScaledVector(right, -0.55 * size);
    sun.target.position.copy(this.centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 3;
    const reach = 0.75 * size;
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * size, far: 4 * size });
    sun.shadow.normalBias = 0.003 * size;
    const fill = new DirectionalLight(0xffffff, 0.5);
    fill.position.copy(right).addScaledVector(front, 0.6).addScaledVector(up, 0.2);
    this.scene.add(sky, sun, sun.target, fill);
    this.sun = sun;
  }

  onResize(listener) {
    this.resizers.push(listener);
    listener(this.width, this.height);
  }

  resize() {
    this.width = this.element.clientWidth || 1;
    this.height = this.element.clientHeight || 1;
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(this.width, this.height, false);
    this.camera.aspect = this.width / this.height;
    this.camera.updateProjectionMatrix();
    for (const listener of this.resizers) listener(this.width, this.height);
    if (this.fitted) this.fit(this.fitted);
    this.invalidate();
  }

  invalidate() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    this.pending = false;
    const seconds = this.before === undefined ? 0 : Math.min(0.25, (now - this.before) / 1000);
    this.before = now;
    const again = this.onFrame(seconds);
    if (again) this.pace.count(seconds);
    if (!this.lost) this.draw(again);
    for (const listener of this.waiting?.splice(0) ?? []) listener();
    if (again) this.invalidate();
    else this.before = undefined;
  }

  /** Draw what is seen; without a graphics card with shadows only when it has come to rest, as they take half of the time. */
  draw(moving) {
    if (this.software) {
      this.sun.castShadow = false;
      clearTimeout(this.resting);
      if (!moving) this.resting = setTimeout(() => this.finish(), REST);
    }
    this.renderer.render(this.scene, this.camera);
    this.drawn += 1;
    if (!this.software) this.complete += 1;
    this.onDrawn?.();
  }

  /** Draw with shadows. */
  finish() {
    if (this.lost || this.pending) return;
    this.sun.castShadow = true;
    this.renderer.render(this.scene, this.camera);
    this.complete += 1; // pictures with shadows
  }

  afterNextFrame(listener) {
    (this.waiting ??= []).push(listener);
    this.invalidate();
  }

  /** Turn the camera by angles about what it looks at, and go nearer by a factor. */
  turn(aside, upward, nearer) {
    const from = this.camera.position.clone().sub(this.controls.target);
    const side = new Vector3().crossVectors(this.axes.up, from).normalize();
    const lifted = from.clone().applyAxisAngle(side, -upward);
    if (Math.abs(lifted.clone().normalize().dot(this.axes.up)) < 0.999) from.copy(lifted);
    from.applyAxisAngle(this.axes.up, aside).divideScalar(nearer);
    this.fitted = null;
    this.camera.position.copy(this.controls.target).add(from);
    this.controls.update();
    this.invalidate();
  }

  /** Look from a direction, so near that all motion just fits. */
  fit(direction = new Vector3(...this.header.direction)) {
    const towards = direction.clone().normalize();
    if (Math.abs(towards.dot(this.axes.up)) > 0.9999) towards.addScaledVector(this.axes.front, 1e-3).normalize();
    this.letGo();
    this.camera.position.copy(this.centre).add(towards);
    this.camera.lookAt(this.centre);
    this.camera.updateMatrixWorld();
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360) * MARGIN;
    const across = this.room(right, towards, tall * this.camera.aspect);
    const upward = this.room(up, towards, tall);
    const distance = Math.max(across.distance, upward.distance, 0.05 * this.header.size);
    const target = this.centre.clone().addScaledVector(right, across.shift).addScaledVector(up, upward.shift);
    const moved = this.travelled();
    target.add(moved);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(towards, distance);
    this.controls.update();
    this.camera.updateMatrixWorld();
    this.fitted = direction;
    if (this.header.follow >= 0 && this.bodies) this.held = { body: this.header.follow, last: this.followed().clone() };
    this.invalidate();
  }

  /** Return how far away the camera must be, and how far aside, to see the outline within a slope to either side. */
  room(side, towards, slope) {
    let [one, other] = [-Infinity, -Infinity];
    for (const shift of this.shifts) {
      for (const point of this.header.outline) {
        const from = new Vector3(...point).sub(this.centre).add(shift);
        const [aside, near] = [from.dot(side), slope * from.dot(towards)];
        one = Math.max(one, near + aside);
        other = Math.max(other, near - aside);
      }
    }
    return { distance: (one + other) / (2 * slope), shift: (one - other) / 2 };
  }

  corners() {
    const { low, high } = this.header;
    return Array.from({ length: 8 }, (_, i) => new Vector3(...[0, 1, 2].map((k) => ((i >> k) & 1 ? high[k] : low[k]))));
  }

  /** Return the position of the body that the camera follows where a mechanism travels far. */
  followed() {
    return this.bodies.groups[this.header.follow].position;
  }

  /** Return how far that body is from where it began. */
  travelled() {
    if (!(this.header.follow >= 0) || !this.bodies) return new Vector3();
    this.begin ??= this.followed().clone();
    return this.followed().clone().sub(this.begin);
  }

  /** Keep the camera with a body as it moves. */
  hold(body, position) {
    this.fitted = null;
    this.held = { body, last: position.clone() };
  }

  letGo() {
    this.held = null;
  }

  follow({ groups }) {
    if (!this.held) return;
    const { position, visible } = groups[this.held.body];
    if (!visible) return;
    const moved = position.clone().sub(this.held.last);
    this.camera.position.add(moved);
    this.controls.target.add(moved);
    this.sun.position.add(moved);
    this.sun.target.position.add(moved);
    this.held.last.copy(position);
    this.controls.update();
  }

  /** Return where a point of the world is seen, in pixels from the stage's upper left corner. */
  project(point) {
    const seen = point.clone().project(this.camera);
    return [((seen.x + 1) / 2) * this.width, ((1 - seen.y) / 2) * this.height];
  }
}

/** Return whether the processor draws in the place of a graphics card. */
function drawnInSoftware(context) {
  const facts = context.getExtension("WEBGL_debug_renderer_info");
  return facts !== null && /swiftshader|llvmpipe|softpipe|software|basic render/i.test(context.getParameter(facts.UNMASKED_RENDERER_WEBGL));
}
