// Lines on round shapes, by which one sees them turn.

const STEPS = 48;

/** For each round kind lines through points in its own axes, on its surface and a little above it. */
const MARKS = {
  cylinder: ({ radius, length }) => [profile([[0, length / 2], [radius, length / 2], [radius, -length / 2], [0, -length / 2]])],
  cone: ({ radius, length }) => [profile([[0, 0.75 * length], [radius, -0.25 * length], [0, -0.25 * length]])],
  tube: ({ inner_radius: inner, outer_radius: outer, length }) => [
    profile([[inner, length / 2], [outer, length / 2], [outer, -length / 2], [inner, -length / 2], [inner, length / 2]]),
  ],
  sphere: ({ radius }) => circles([radius, radius, radius]),
  ellipsoid: (shape) => circles(shape.semi_axes),
  ring: ({ radius, wire_radius: wire }) => [profile(around(([c, s]) => [radius + wire * c, wire * s]))],
};

/** Return pairs of points, as a flat list, of the lines that mark a shape; none where its turning is seen anyway. */
export function spinMarks(shape) {
  const lines = MARKS[shape.kind]?.(shape) ?? [];
  return lines.flatMap((line) => line.slice(1).flatMap((point, k) => [...line[k], ...point])).map((x) => 1.002 * x);
}

const profile = (points) => points.map(([r, z]) => [r, 0, z]);
const around = (place) => Array.from({ length: STEPS + 1 }, (_, k) => {
  const angle = (2 * Math.PI * k) / STEPS;
  return place([Math.cos(angle), Math.sin(angle)]);
});
const circles = ([a, b, c]) => [around(([x, y]) => [a * x, b * y, 0]), around(([x, y]) => [a * x, 0, c * y])];
