// Runs that are compared: each has a colour, and can be hidden.
import { Group, Vector3 } from "three";
import { paletteColour } from "./theme.js";

export class Runs {
  constructor(names, stage) {
    this.several = names.length > 1;
    this.groups = (names.length ? names : [""]).map(() => {
      const group = new Group();
      stage.scene.add(group);
      return group;
    });
    this.stage = stage;
    this.names = names;
    this.apart = false;
    if (this.several) this.list(names);
  }

  /** Put the runs side by side, or over each other. */
  set beside(apart) {
    this.apart = apart && this.several;
    const shifts = this.shifts();
    this.groups.forEach((group, run) => group.position.copy(shifts[run]));
    this.stage.shifts = shifts;
    if (this.stage.fitted) this.stage.fit(this.stage.fitted);
    this.stage.invalidate();
  }

  /** Return by how much each run is moved aside, as seen when all fits. */
  shifts() {
    const { header, axes } = this.stage;
    const towards = new Vector3(...header.direction).normalize();
    const right = new Vector3().crossVectors(axes.up, towards);
    if (right.length() < 1e-3) right.copy(axes.right);
    right.normalize();
    const along = header.outline.map((point) => new Vector3(...point).dot(right));
    const width = 1.12 * (Math.max(...along) - Math.min(...along)) || header.size;
    return this.groups.map((_, run) => right.clone().multiplyScalar(this.apart ? run * width : 0));
  }

  /** Return the group that holds what is seen of a run. */
  group(run) {
    return this.groups[run];
  }

  /** Return the colour of the k-th body, of its run where several are compared. */
  colour(own, k, run) {
    return this.several ? paletteColour(run) : own ?? paletteColour(k);
  }

  opacity(run) {
    return run > 0 && !this.stage.header.beside ? 0.5 : 1;
  }

  list(names) {
    const place = document.getElementById("runs");
    names.forEach((name, run) => {
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: true });
      box.addEventListener("change", () => {
        this.groups[run].visible = box.checked;
        this.stage.invalidate();
      });
      const chip = Object.assign(document.createElement("span"), { className: "chip" });
      chip.style.color = paletteColour(run);
      label.append(box, chip, name);
      const item = document.createElement("li");
      item.append(label);
      place.append(item);
    });
    place.hidden = false;
  }
}
