// A round line through all points: ropes, beams, links.
import { Color } from "three";
import { Tube } from "./tube.js";

const MOST_SMOOTHED = 60;
const HALF = new Color("#e0b040");
const FULL = new Color("#c22a2a");

export class Rope {
  constructor({ radius }, material, size, thickness, count, smooth) {
    this.pieces = smooth && count > 2 && count <= MOST_SMOOTHED ? 4 : 1;
    this.count = count;
    const rings = (count - 1) * this.pieces + 1;
    this.tube = new Tube(rings + 2, material, { around: 10 });
    this.tube.radii.fill(radius ?? thickness * size);
    this.tube.radii[0] = this.tube.radii[rings + 1] = 0;
    this.meshes = [this.tube.mesh];
  }

  update(points, tones, colour) {
    if (tones) this.tint(tones, colour);
    const out = this.tube.points;
    let at = 3;
    for (let i = 0; i + 1 < this.count; i++) {
      for (let piece = 0; piece < this.pieces; piece++, at += 3) {
        for (let k = 0; k < 3; k++) out[at + k] = this.between(points, i, piece / this.pieces, k);
      }
    }
    const last = points.length - 3;
    for (let k = 0; k < 3; k++) {
      out[k] = points[k];
      out[at + k] = out[at + 3 + k] = points[last + k];
    }
    this.tube.update();
  }

  /** Colour the rings by numbers at the points, from the line's own colour at 0 over yellow to red at 1. */
  tint(tones, colour) {
    const { colours, rings } = this.tube;
    const mixed = new Color();
    for (let i = 0; i < rings; i++) {
      const at = Math.min(Math.max((i - 1) / this.pieces, 0), this.count - 1);
      const before = Math.min(Math.floor(at), this.count - 2);
      const tone = tones[before] + (at - before) * (tones[before + 1] - tones[before]);
      if (tone < 0.5) mixed.lerpColors(colour, HALF, 2 * tone);
      else mixed.lerpColors(HALF, FULL, 2 * tone - 1);
      mixed.toArray(colours, 3 * i);
    }
  }

  /** Return component k on the cubic through neighbouring points (Catmull–Rom). */
  between(points, i, part, k) {
    const p = (j) => points[3 * Math.min(Math.max(j, 0), this.count - 1) + k];
    if (part === 0) return p(i);
    const [a, b, c, d] = [p(i - 1), p(i), p(i + 1), p(i + 2)];
    return b + 0.5 * part * (c - a + part * (2 * a - 5 * b + 4 * c - d + part * (3 * (b - c) + d - a)));
  }
}
