// Runs that are compared: each has a colour, and can be hidden.
import { Group } from "three";
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
    if (this.several) this.list(names);
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
    return run > 0 ? 0.5 : 1;
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
