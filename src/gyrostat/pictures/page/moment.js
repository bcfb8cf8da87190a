// A moment between two frames.

/** Return the frame before a time, the frame after it, and the part of the way between them. */
export function momentAt(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  const after = Math.min(low + 1, times.length - 1);
  const span = times[after] - times[low];
  return { before: low, after, part: span > 0 ? Math.min(1, Math.max(0, (time - times[low]) / span)) : 0 };
}

/** Return a curve's value at a moment. */
export function valueAt(values, { before, after, part }) {
  return part === 0 ? values[before] : values[before] * (1 - part) + values[after] * part;
}

/** Put rows of `width` numbers at a moment into `target`. */
export function rowAt(values, width, { before, after, part }, target) {
  const a = before * width;
  const b = after * width;
  for (let k = 0; k < width; k++) {
    target[k] = part === 0 ? values[a + k] : values[a + k] * (1 - part) + values[b + k] * part;
  }
}

/** Put the pose of body `k` of `count` at a moment into a position and a quaternion, along the shorter arc. */
export function poseAt(data, k, count, { before, after, part }, position, quaternion) {
  const { positions: p, quaternions: q } = data;
  const a = before * count + k;
  const b = after * count + k;
  const mix = (x, i, j) => (part === 0 ? x[i] : x[i] * (1 - part) + x[j] * part);
  position.set(mix(p, 3 * a, 3 * b), mix(p, 3 * a + 1, 3 * b + 1), mix(p, 3 * a + 2, 3 * b + 2));
  let cosine = 0;
  for (let i = 0; i < 4; i++) cosine += q[4 * a + i] * q[4 * b + i];
  const far = part === 0 ? 0 : cosine < 0 ? -part : part;
  const turn = (i) => (part === 0 ? q[4 * a + i] : q[4 * a + i] * (1 - part) + q[4 * b + i] * far);
  quaternion.set(turn(1), turn(2), turn(3), turn(0)).normalize();
}
