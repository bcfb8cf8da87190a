// Geometry of the shapes; those of revolution have z as their axis.
import {
  BoxGeometry, ConeGeometry, CylinderGeometry, LatheGeometry, Quaternion, SphereGeometry, TorusGeometry, Vector2, Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

const AROUND = 48;
const upright = (geometry) => geometry.rotateX(Math.PI / 2);
const Z = new Vector3(0, 0, 1);

const MAKERS = {
  box: ({ size }) => new BoxGeometry(...size),
  cylinder: ({ radius, length }) => upright(new CylinderGeometry(radius, radius, length, AROUND)),
  tube: (shape) => upright(hollow(shape.inner_radius, shape.outer_radius, shape.length / 2)),
  sphere: ({ radius }) => upright(new SphereGeometry(radius, 40, 24)),
  ellipsoid: (shape) => upright(new SphereGeometry(1, 40, 24)).scale(...shape.semi_axes),
  cone: ({ radius, length }) => upright(new ConeGeometry(radius, length, AROUND)).translate(0, 0, length / 4),
  ring: (shape) => new TorusGeometry(shape.radius, shape.wire_radius, 16, 72),
  line: ({ points, radius }, size) => bentBar(points, radius || 0.0035 * size),
  point: (_, size) => new SphereGeometry(0.012 * size, 24, 16),
};

/** Kinds whose edges are drawn. */
export const EDGED = new Set(["box", "cylinder", "tube", "cone"]);

/** Return the geometry of a shape in a scene of some size. */
export function geometryOf(shape, size) {
  const make = MAKERS[shape.kind];
  if (!make) throw new Error(`its shape '${shape.kind}' is not known to this page`);
  return make(shape, size);
}

function hollow(inner, outer, half) {
  const walls = [[outer, -half, outer, half], [outer, half, inner, half], [inner, half, inner, -half], [inner, -half, outer, -half]];
  return mergeGeometries(walls.map(([a, b, c, d]) => new LatheGeometry([new Vector2(a, b), new Vector2(c, d)], AROUND)));
}

function bentBar(points, radius) {
  const corners = points.map((point) => new Vector3(...point));
  const pieces = corners.map((corner) => new SphereGeometry(radius, 16, 12).translate(...corner.toArray()));
  for (let k = 1; k < corners.length; k++) pieces.push(rod(corners[k - 1], corners[k], radius));
  return mergeGeometries(pieces);
}

/** Return a round rod between two points. */
export function rod(from, to, radius, tip = radius) {
  const along = to.clone().sub(from);
  const length = along.length();
  const turn = new Quaternion().setFromUnitVectors(Z, length > 0 ? along.divideScalar(length) : Z);
  const middle = from.clone().add(to).multiplyScalar(0.5);
  return upright(new CylinderGeometry(tip, radius, length, 20)).applyQuaternion(turn).translate(...middle.toArray());
}
