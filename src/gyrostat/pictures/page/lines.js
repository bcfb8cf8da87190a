// Springs, dampers, actuators, ropes, beams and links.
import { Color, Group, MeshStandardMaterial } from "three";
import { Arrow } from "./arrow.js";
import { Coil } from "./coil.js";
import { rowAt } from "./moment.js";
import { Rope } from "./rope.js";
import { Telescope } from "./telescope.js";

const METAL = { roughness: 0.35, metalness: 0.35 };
const DULL = { roughness: 0.8, metalness: 0 };
const KINDS = {
  spring: { colour: "#8d99a8", finish: METAL, build: (line, paint, size) => [new Coil(line, paint, size)] },
  damper: { colour: "#7a8796", finish: METAL, build: (line, paint, size) => [new Telescope(line, paint, size, 0.01)] },
  spring_damper: {
    colour: "#8d99a8",
    finish: METAL,
    build: (line, paint, size) => [new Coil(line, paint, size), new Telescope(line, paint, size, 0.008)],
  },
  actuator: { colour: "#c98a2b", finish: METAL, build: (line, paint, size) => [new Telescope(line, paint, size, 0.014)] },
  rope: { colour: "#a98657", finish: DULL, build: (line, paint, size, count) => [new Rope(line, paint, size, 0.004, count, true)] },
  beam: { colour: "#7a8796", finish: DULL, build: (line, paint, size, count) => [new Rope(line, paint, size, 0.009, count, true)] },
  arrow: { colour: "#d1495b", finish: DULL, build: (line, paint, size) => [new Arrow(line, paint, size)] },
  link: { colour: "#7a8796", finish: METAL, build: (line, paint, size, count) => [new Rope(line, paint, size, 0.005, count, false)] },
};

export class Lines {
  constructor(data, runs) {
    this.pickable = [];
    this.list = data.header.lines.map((line, k) => this.build(line, data.linePoints[k], data.header.size, runs));
  }

  build(line, points, size, runs) {
    const { colour, finish, build } = KINDS[line.kind];
    const opacity = runs.opacity(line.run);
    const tint = line.colour ?? (runs.several ? runs.colour(null, 0, line.run) : colour);
    const vertexColors = points.tones !== null;
    const color = vertexColors ? "#ffffff" : tint;
    const material = new MeshStandardMaterial({ color, vertexColors, transparent: opacity < 1, opacity, ...finish });
    const parts = build(line, material, size, points.count);
    const group = new Group();
    for (const mesh of parts.flatMap((part) => part.meshes)) {
      mesh.userData.item = line;
      group.add(mesh);
      this.pickable.push(mesh);
    }
    runs.group(line.run).add(group);
    const row = new Float32Array(3 * points.count);
    return { parts, group, arrow: line.kind === "arrow", ...points, row, colour: new Color(tint), shades: new Float32Array(points.count) };
  }

  /** Whether arrows are shown. */
  set arrows(shown) {
    this.hidden = !shown;
  }

  show({ moment }) {
    for (const { parts, group, arrow, values, row, tones, shades, colour } of this.list) {
      rowAt(values, row.length, moment, row);
      group.visible = row.every(Number.isFinite) && !(arrow && this.hidden);
      if (tones) rowAt(tones, shades.length, moment, shades);
      if (group.visible) for (const part of parts) part.update(row, tones ? shades : null, colour);
    }
  }
}
