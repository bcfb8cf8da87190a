// An arrow from one point to another: forces and other vectors.
import { Tube } from "./tube.js";

const WALL = 0;
const LEANS = [-1, -1, WALL, WALL, -1, -1, 0.35, 0.35];

export class Arrow {
  constructor({ radius, lengths }, material, size) {
    this.radius = radius ?? 0.0042 * size;
    this.head = Math.min(7 * this.radius, 0.6 * (lengths[1] || size));
    this.tube = new Tube(LEANS.length, material, { around: 14, leans: LEANS });
    this.meshes = [this.tube.mesh];
  }

  update(points) {
    const end = points.length - 3;
    const d = [points[end] - points[0], points[end + 1] - points[1], points[end + 2] - points[2]];
    const length = Math.hypot(...d);
    const head = Math.min(this.head, length);
    const scale = this.head > 0 ? head / this.head : 0;
    const [shaft, wide] = [scale * this.radius, scale * 2.6 * this.radius];
    const ways = [0, 0, 0, length - head, length - head, length - head, length - head, length];
    const radii = [0, shaft, shaft, shaft, shaft, wide, wide, 0];
    for (let i = 0; i < ways.length; i++) {
      const part = length > 0 ? ways[i] / length : 0;
      for (let k = 0; k < 3; k++) this.tube.points[3 * i + k] = points[k] + part * d[k];
      this.tube.radii[i] = radii[i];
    }
    this.tube.update();
  }
}
