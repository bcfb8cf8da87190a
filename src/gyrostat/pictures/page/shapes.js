// Geometry of the shapes; those of revolution have z as their axis.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, LatheGeometry, Quaternion, SphereGeometry,
  TorusGeometry, Vector2, Vector3,
} from "three";
import { mergeGeometries, toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";

const [FINE, COARSE, CROWD] = [48, 24, 60];
const upright = (geometry) => geometry.rotateX(Math.PI / 2);
const Z = new Vector3(0, 0, 1);

/** For each kind a maker; `n` is how finely round things are divided. */
const MAKERS = {
  box: ({ size }) => new BoxGeometry(...size),
  cylinder: ({ radius, length }, n) => upright(new CylinderGeometry(radius, radius, length, n)),
  tube: (shape, n) => upright(hollow(shape.inner_radius, shape.outer_radius, shape.length / 2, n)),
  sphere: ({ radius }, n) => upright(new SphereGeometry(radius, n, n / 2)),
  ellipsoid: (shape, n) => upright(new SphereGeometry(1, n, n / 2)).scale(...shape.semi_axes),
  cone: ({ radius, length }, n) => upright(new ConeGeometry(radius, length, n)).translate(0, 0, length / 4),
  ring: (shape, n) => new TorusGeometry(shape.radius, shape.wire_radius, n / 3, 1.5 * n),
  line: ({ points, radius }, n, size) => bentBar(points, radius || 0.0035 * size),
  point: (_, n, size) => new SphereGeometry(0.012 * size, n / 2, n / 4),
};

/** Kinds whose edges are drawn. */
export const EDGED = new Set(["box", "cylinder", "tube", "cone"]);

/** Return the geometry of a shape in a scene of some size with a number of bodies. */
export function geometryOf(shape, { size, bodies }, meshes) {
  if (shape.kind === "mesh") return triangles(meshes[shape.mesh]);
  const make = MAKERS[shape.kind];
  if (!make) throw new Error(`its shape '${shape.kind}' is not known to this page`);
  return make(shape, bodies.length > CROWD ? COARSE : FINE, size);
}

/** Return the surface of a mesh; its edges are sharp where it turns by more than 35 degrees. */
function triangles(mesh) {
  const surface = new BufferGeometry().setAttribute("position", new BufferAttribute(mesh.vertices, 3));
  surface.setIndex(new BufferAttribute(Uint32Array.from(mesh.triangles), 1));
  return toCreasedNormals(surface, (35 * Math.PI) / 180);
}

function hollow(inner, outer, half, n) {
  const walls = [[outer, -half, outer, half], [outer, half, inner, half], [inner, half, inner, -half], [inner, -half, outer, -half]];
  return mergeGeometries(walls.map(([a, b, c, d]) => new LatheGeometry([new Vector2(a, b), new Vector2(c, d)], n)));
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
