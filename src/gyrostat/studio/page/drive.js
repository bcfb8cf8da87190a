// Driving by hand: bodies are dragged with the pointer, joints pushed and inputs set with sliders.
import { BufferGeometry, Float32BufferAttribute, Line, LineBasicMaterial, Plane, Raycaster, Vector2, Vector3 } from "three";

const around = (reach) => Array.from({ length: 8 }, (_, k) => [reach * Math.cos((k * Math.PI) / 4), reach * Math.sin((k * Math.PI) / 4)]);
const AIMS = [[0, 0], ...around(6), ...around(12), ...around(20)]; // pixels from the pointer, the nearest first

export class Drive {
  constructor(send, panel) {
    Object.assign(this, { send, panel, on: false, held: null, caster: new Raycaster(), inputs: [] });
  }

  /** Listen to the pointer on a new stage. */
  attach(page) {
    this.page = page;
    this.held = null;
    const { canvas, scene } = page.stage;
    this.line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: "#e0862f", depthTest: false, transparent: true }));
    this.line.renderOrder = 10;
    this.line.frustumCulled = false;
    this.line.visible = false;
    scene.add(this.line);
    canvas.addEventListener("pointerdown", (event) => this.grab(event), true);
    canvas.addEventListener("pointermove", (event) => this.move(event), true);
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.release(event), true);
  }

  ray({ clientX, clientY }, [right, down] = [0, 0]) {
    const { canvas, camera, scene } = this.page.stage;
    const box = canvas.getBoundingClientRect();
    scene.updateMatrixWorld();
    this.caster.setFromCamera(new Vector2((2 * (clientX + right - box.left)) / box.width - 1, 1 - (2 * (clientY + down - box.top)) / box.height), camera);
    return this.caster.ray;
  }

  /** Return what is hit of a body at the pointer, or near it: thin bodies that move are hard to meet. */
  hit(event) {
    for (const aside of AIMS) {
      this.ray(event, aside);
      const hit = this.caster.intersectObjects(this.page.bodies.pickable, false)[0];
      if (hit && hit.object.userData.item.name !== "ground") return hit;
    }
    return null;
  }

  grab(event) {
    if (!this.on || event.button !== 0) return;
    const hit = this.hit(event);
    if (!hit) return;
    const { item } = hit.object.userData;
    event.stopImmediatePropagation();
    event.preventDefault();
    const { stage, bodies } = this.page;
    stage.canvas.setPointerCapture(event.pointerId);
    const local = bodies.groups[item.body].worldToLocal(hit.point.clone());
    const normal = stage.camera.getWorldDirection(new Vector3());
    this.held = { body: item.body, local, target: hit.point.clone(), plane: new Plane().setFromNormalAndCoplanarPoint(normal, hit.point) };
    this.send({ type: "hand", action: "grab", body: item.name, point: local.toArray(), target: hit.point.toArray() });
  }

  move(event) {
    if (!this.held) return;
    event.stopImmediatePropagation();
    const target = this.ray(event).intersectPlane(this.held.plane, new Vector3());
    if (!target) return;
    this.held.target.copy(target);
    this.send({ type: "hand", action: "move", target: target.toArray() });
  }

  release(event) {
    if (!this.held) return;
    event.stopImmediatePropagation();
    this.held = null;
    this.line.visible = false;
    this.send({ type: "hand", action: "release" });
    this.page.stage.invalidate();
  }

  /** Draw the line from the body to the pointer. */
  draw() {
    if (!this.held || !this.page) return;
    const group = this.page.bodies.groups[this.held.body];
    group.updateMatrixWorld();
    const from = group.localToWorld(this.held.local.clone());
    this.line.geometry.setAttribute("position", new Float32BufferAttribute([...from.toArray(), ...this.held.target.toArray()], 3));
    this.line.visible = true;
  }

  /** Offer sliders for inputs, and for joints that can be pushed; a push ends when its slider is let go. */
  offer(pushes, inputs, size) {
    const rows = [
      ...inputs.map(({ name, unit }) => this.row(name, name, unit, size, false)),
      ...pushes.map(({ name, joint, unit }) => this.row(name, `push ${joint}`, unit, size, true)),
    ];
    const text = "Drag a body in the view. Sliders set inputs and push joints while the motion runs in real time.";
    this.panel.replaceChildren(Object.assign(document.createElement("p"), { className: "faint", textContent: text }), ...rows);
  }

  row(name, label, unit, size, springs) {
    const element = Object.assign(document.createElement("div"), { className: "knob" });
    const title = Object.assign(document.createElement("label"), { className: "name", textContent: label });
    const field = Object.assign(document.createElement("output"), { className: "field", textContent: "0" });
    const of = Object.assign(document.createElement("span"), { className: "unit", textContent: unit });
    const slider = Object.assign(document.createElement("input"), { type: "range", min: -size, max: size, step: "any", value: 0 });
    slider.dataset.input = name;
    slider.setAttribute("aria-label", label);
    const set = () => {
      field.textContent = Number(Number(slider.value).toPrecision(3));
      slider.style.setProperty("--part", `${50 + (50 * slider.value) / size}%`);
      this.send({ type: "hand", action: "input", name, value: Number(slider.value) });
    };
    slider.addEventListener("input", set);
    if (springs) slider.addEventListener("change", () => { slider.value = 0; set(); });
    slider.addEventListener("dblclick", () => { slider.value = 0; set(); });
    slider.style.setProperty("--part", "50%");
    element.append(title, field, of, slider);
    return element;
  }
}
