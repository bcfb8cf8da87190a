// A round tube through points that move: ropes, springs, rods and cylinders are made of it.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh } from "three";

export class Tube {
  /** A tube of `rings` rings; `leans` gives the part of the axial direction in each ring's normal: 0 on a wall. */
  constructor(rings, material, { around = 8, leans = null } = {}) {
    Object.assign(this, { rings, around, leans, points: new Float32Array(3 * rings), radii: new Float32Array(rings) });
    this.colours = material.vertexColors ? new Float32Array(3 * rings) : null;
    this.geometry = new BufferGeometry();
    const attribute = () => {
      const made = new BufferAttribute(new Float32Array(3 * rings * around), 3);
      made.setUsage(DynamicDrawUsage);
      return made;
    };
    this.geometry.setAttribute("position", attribute());
    this.geometry.setAttribute("normal", attribute());
    if (this.colours) this.geometry.setAttribute("color", attribute());
    this.geometry.setIndex(triangles(rings, around));
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.castShadow = true;
    this.circle = Array.from({ length: around }, (_, j) => {
      const angle = (2 * Math.PI * j) / around;
      return [Math.cos(angle), Math.sin(angle)];
    });
  }

  /** Lay the surface around `points` with `radii`; frames are carried along the line without twist. */
  update() {
    const { points, radii, rings, around, leans } = this;
    const place = this.geometry.attributes.position;
    const normal = this.geometry.attributes.normal;
    const t = firstDirection(points);
    const n = [0, 0, 0];
    for (let i = 0; i < rings; i++) {
      tangent(points, i, rings, t);
      perpendicular(t, n);
      const b = [t[1] * n[2] - t[2] * n[1], t[2] * n[0] - t[0] * n[2], t[0] * n[1] - t[1] * n[0]];
      const lean = leans ? leans[i] : 0;
      const level = 1 - Math.abs(lean);
      for (let j = 0; j < around; j++) {
        const [c, s] = this.circle[j];
        const at = 3 * (i * around + j);
        for (let k = 0; k < 3; k++) {
          const outward = c * n[k] + s * b[k];
          place.array[at + k] = points[3 * i + k] + radii[i] * outward;
          normal.array[at + k] = level * outward + lean * t[k];
        }
      }
    }
    place.needsUpdate = normal.needsUpdate = true;
    if (this.colours) this.paint();
    this.geometry.computeBoundingSphere();
  }

  /** Give every ring its colour. */
  paint() {
    const { colours, rings, around } = this;
    const colour = this.geometry.attributes.color;
    for (let i = 0; i < rings; i++) {
      for (let j = 0; j < around; j++) {
        for (let k = 0; k < 3; k++) colour.array[3 * (i * around + j) + k] = colours[3 * i + k];
      }
    }
    colour.needsUpdate = true;
  }
}

function triangles(rings, around) {
  const index = [];
  for (let i = 0; i + 1 < rings; i++) {
    for (let j = 0; j < around; j++) {
      const a = i * around + j;
      const b = i * around + ((j + 1) % around);
      index.push(a, b, a + around, b, b + around, a + around);
    }
  }
  return index;
}

/** Return the unit direction of the first stretch that has a length. */
function firstDirection(points) {
  for (let i = 3; i < points.length; i += 3) {
    const d = [points[i] - points[i - 3], points[i + 1] - points[i - 2], points[i + 2] - points[i - 1]];
    const length = Math.hypot(...d);
    if (length > 1e-12) return d.map((x) => x / length);
  }
  return [1, 0, 0];
}

/** Put the unit direction of the line at point `i` into `t`; where points coincide, it stays what it was. */
function tangent(points, i, count, t) {
  const a = 3 * Math.max(i - 1, 0);
  const b = 3 * Math.min(i + 1, count - 1);
  const d = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
  const length = Math.hypot(...d);
  if (length > 1e-12) for (let k = 0; k < 3; k++) t[k] = d[k] / length;
}

/** Make `n` a unit vector across the unit vector `t`, as near as can be to what it was. */
export function perpendicular(t, n) {
  for (let attempt = 0; attempt < 2; attempt++) {
    const along = n[0] * t[0] + n[1] * t[1] + n[2] * t[2];
    for (let k = 0; k < 3; k++) n[k] -= along * t[k];
    const length = Math.hypot(...n);
    if (length > 1e-6) {
      for (let k = 0; k < 3; k++) n[k] /= length;
      return;
    }
    const least = [0, 1, 2].reduce((best, k) => (Math.abs(t[k]) < Math.abs(t[best]) - 1e-9 ? k : best), 0);
    for (let k = 0; k < 3; k++) n[k] = k === least ? 1 : 0;
  }
}
