// Directions of the scene: up, to the right, and to the front.
import { Vector3 } from "three";

/** Return three perpendicular unit vectors; seen from the front with up upwards, `right` points to the right. */
export function basis(up) {
  const upward = new Vector3(...up).normalize();
  const right = Math.abs(upward.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  right.addScaledVector(upward, -right.dot(upward)).normalize();
  return { up: upward, right, front: new Vector3().crossVectors(right, upward) };
}

/** Return 1, 2 or 5 times a power of ten, at most x. */
export function niceBelow(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return ([5, 2].find((k) => k * power <= x) ?? 1) * power;
}
