// A coil spring between two points.
import { perpendicular, Tube } from "./tube.js";

const PER_TURN = 14;
const STRAIGHT = 0.1;

export class Coil {
  constructor({ radius, lengths }, material, size) {
    const mean = (lengths[0] + lengths[1]) / 2 || 0.1 * size;
    this.radius = Math.min(radius ?? 0.016 * size, 0.2 * Math.max(lengths[1], 0.05 * size));
    this.turns = Math.min(16, Math.max(5, Math.round(mean / (1.6 * this.radius))));
    this.count = this.turns * PER_TURN + 3;
    this.tube = new Tube(this.count, material, { around: 7 });
    this.tube.radii.fill(0.16 * this.radius);
    this.across = [0, 0, 0];
    this.along = [1, 0, 0];
    this.meshes = [this.tube.mesh];
  }

  /** Lay the coil between the first and the last of some points. */
  update(points) {
    const end = points.length - 3;
    const d = [points[end] - points[0], points[end + 1] - points[1], points[end + 2] - points[2]];
    const length = Math.hypot(...d);
    if (length > 1e-12) this.along = d.map((x) => x / length);
    const [t, n] = [this.along, this.across];
    perpendicular(t, n);
    const b = [t[1] * n[2] - t[2] * n[1], t[2] * n[0] - t[0] * n[2], t[0] * n[1] - t[1] * n[0]];
    const set = (i, way, radius, angle) => {
      const [c, s] = [radius * Math.cos(angle), radius * Math.sin(angle)];
      for (let k = 0; k < 3; k++) this.tube.points[3 * i + k] = points[k] + way * length * t[k] + c * n[k] + s * b[k];
    };
    set(0, 0, 0, 0);
    set(this.count - 1, 1, 0, 0);
    const steps = this.count - 3;
    for (let i = 0; i <= steps; i++) {
      const near = Math.min(1, Math.min(i, steps - i) / (0.5 * PER_TURN));
      set(i + 1, STRAIGHT + (1 - 2 * STRAIGHT) * (i / steps), this.radius * near, (2 * Math.PI * i) / PER_TURN);
    }
    this.tube.update();
  }
}
