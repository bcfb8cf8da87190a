// A cylinder with a rod that slides in it, between two points: dampers and actuators.
import { Tube } from "./tube.js";

const WALL = 0;
const LEANS = [-1, -1, WALL, WALL, -1, -1, WALL, WALL, 1, 1, WALL, WALL, 1, 1];

export class Telescope {
  constructor({ radius, lengths }, material, size, thickness) {
    this.radius = Math.min(radius ?? thickness * size, 0.18 * Math.max(lengths[1], 0.05 * size));
    this.rod = 0.38 * this.radius;
    this.barrel = Math.max(0.62 * lengths[0], 0.3 * lengths[1]);
    this.tube = new Tube(LEANS.length, material, { around: 22, leans: LEANS });
    this.meshes = [this.tube.mesh];
  }

  update(points) {
    const end = points.length - 3;
    const d = [points[end] - points[0], points[end + 1] - points[1], points[end + 2] - points[2]];
    const length = Math.hypot(...d);
    const barrel = Math.min(this.barrel, 0.8 * length);
    const near = Math.min(0.12 * this.barrel, 0.1 * length);
    const ways = [0, 0, 0, near, near, near, near, near + barrel, near + barrel, near + barrel, near + barrel, length, length, length];
    const { rod, radius } = this;
    const radii = [0, rod, rod, rod, rod, radius, radius, radius, radius, rod, rod, rod, rod, 0];
    for (let i = 0; i < ways.length; i++) {
      const part = length > 0 ? ways[i] / length : 0;
      for (let k = 0; k < 3; k++) this.tube.points[3 * i + k] = points[k] + part * d[k];
      this.tube.radii[i] = radii[i];
    }
    this.tube.update();
  }
}
