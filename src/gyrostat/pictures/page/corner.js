// The corner: how the axes and gravity lie as seen from here, and the size of the grid.
import { Vector3 } from "three";
import { AXIS_COLOURS } from "./ground.js";
import { shown } from "./numbers.js";

const SVG = "http://www.w3.org/2000/svg";

export class Corner {
  constructor(header, stage, ground) {
    this.stage = stage;
    this.place = document.getElementById("triad");
    this.arrows = ["x", "y", "z"].map((name, k) => this.arrow(new Vector3().setComponent(k, 1), name, AXIS_COLOURS[k]));
    const gravity = new Vector3(...header.gravity);
    if (gravity.length() > 0) {
      const arrow = this.arrow(gravity.normalize(), "g", "var(--faint)");
      arrow.line.setAttribute("stroke-dasharray", "3 4");
      this.arrows.push(arrow);
    }
    document.getElementById("scale").textContent = `grid ${shown(ground.spacing)} m`;
  }

  arrow(direction, name, colour) {
    const line = document.createElementNS(SVG, "line");
    const text = document.createElementNS(SVG, "text");
    const head = document.createElementNS(SVG, "polygon");
    line.style.stroke = text.style.fill = head.style.fill = colour;
    text.textContent = name;
    this.place.append(line, head, text);
    return { direction, line, head, text };
  }

  show() {
    const turn = this.stage.camera.quaternion;
    if (this.last && this.last.equals(turn)) return;
    this.last = turn.clone();
    const inverse = turn.clone().invert();
    for (const { direction, line, head, text } of this.arrows) {
      const { x, y } = direction.clone().applyQuaternion(inverse);
      const length = Math.hypot(x, y);
      const [a, b] = length > 1e-3 ? [x / length, -y / length] : [0, 0];
      const [endX, endY] = [27 * x, -27 * y];
      line.setAttribute("x2", endX);
      line.setAttribute("y2", endY);
      const wing = Math.min(1, 2 * length);
      const corners = [[5, 0], [-4, 3.4], [-4, -3.4]].map(([f, s]) => [endX + wing * (f * a - s * b), endY + wing * (f * b + s * a)]);
      head.setAttribute("points", corners.map((corner) => corner.map((v) => v.toFixed(2)).join(",")).join(" "));
      text.setAttribute("x", endX + 12 * a);
      text.setAttribute("y", endY + 12 * b);
      text.style.opacity = length > 0.12 ? 1 : 0;
    }
  }
}
