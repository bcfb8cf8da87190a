// Names and values of what one points at.
import { Color, Raycaster, Vector2 } from "three";
import { momentAt, valueAt } from "./moment.js";
import { steady } from "./numbers.js";

export class Hover {
  constructor(stage, data, parts) {
    Object.assign(this, { stage, data, parts, caster: new Raycaster(), pointer: null, mesh: null });
    this.tip = document.getElementById("tip");
    const { canvas } = stage;
    canvas.addEventListener("pointermove", (event) => this.point(event.buttons ? null : event));
    canvas.addEventListener("pointerdown", () => this.point(null));
    canvas.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") this.point(null); });
    canvas.addEventListener("pointerdown", (event) => { this.tapped = event.pointerType === "touch" ? event : null; });
    canvas.addEventListener("pointerup", (event) => {
      const near = this.tapped && Math.hypot(event.clientX - this.tapped.clientX, event.clientY - this.tapped.clientY) < 8;
      if (near) this.point(event);
    });
    canvas.addEventListener("dblclick", (event) => {
      const item = this.pick(event)?.userData.item;
      if (item?.body >= 0 && item.shapes) stage.hold(item.body, parts[0].groups[item.body].position);
      else stage.letGo();
    });
  }

  point(event) {
    this.pointer = event && { clientX: event.clientX, clientY: event.clientY };
    this.stage.invalidate();
  }

  /** Return the nearest mesh under the pointer. */
  pick({ clientX, clientY }) {
    const box = this.stage.canvas.getBoundingClientRect();
    const at = new Vector2((2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height);
    this.stage.scene.updateMatrixWorld();
    this.caster.setFromCamera(at, this.stage.camera);
    const meshes = this.parts.flatMap((part) => part.pickable).filter(isShown);
    return this.caster.intersectObjects(meshes, false)[0]?.object ?? null;
  }

  show({ time }) {
    const mesh = this.pointer && this.pick(this.pointer);
    if (mesh !== this.mesh) {
      glow(this.mesh, 0);
      glow(mesh, 0.18);
      this.mesh = mesh;
    }
    this.tip.hidden = !mesh;
    if (!mesh) return;
    this.write(mesh.userData.item, time);
    const box = this.stage.canvas.getBoundingClientRect();
    const [x, y] = [this.pointer.clientX - box.left, this.pointer.clientY - box.top];
    const { offsetWidth: width, offsetHeight: height } = this.tip;
    this.tip.style.left = `${x + 16 + width > box.width ? Math.max(0, x - 12 - width) : x + 16}px`;
    this.tip.style.top = `${Math.max(0, Math.min(y + 14, box.height - height - 4))}px`;
  }

  write(item, time) {
    const rows = this.rows(item, time);
    const heading = document.createElement("strong");
    heading.textContent = item.name;
    const table = document.createElement("table");
    for (const cells of rows) {
      const row = table.insertRow();
      for (const text of cells) row.insertCell().textContent = text;
    }
    this.tip.replaceChildren(heading, table);
  }

  rows(item, time) {
    const rows = [];
    const told = new Set(item.readings.map(({ label }) => label));
    if (item.shapes) {
      const { size } = this.data.header;
      const { position } = this.parts[0].groups[item.body];
      for (const name of ["x", "y", "z"]) if (!told.has(name)) rows.push([name, `${steady(position[name], size)} m`]);
    }
    const moment = momentAt(this.data.signalTimes, time);
    for (const { label, unit, signal } of item.readings) {
      const value = valueAt(this.data.signals[signal], moment);
      rows.push([label, `${steady(value, value || 1)} ${unit}`.trim()]);
    }
    return rows;
  }
}

function isShown(object) {
  for (let at = object; at; at = at.parent) if (!at.visible) return false;
  return true;
}

function glow(mesh, strength) {
  if (mesh) mesh.material.emissive.copy(strength ? mesh.material.color : new Color(0)).multiplyScalar(strength * 1.6);
}
