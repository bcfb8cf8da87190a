// Bodies: groups of shapes that follow their poses.
import {
  BufferGeometry, EdgesGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial,
} from "three";
import { poseAt, valueAt } from "./moment.js";
import { EDGED, geometryOf } from "./shapes.js";
import { spinMarks } from "./spin_marks.js";
import { toneColour } from "./tones.js";

const MOST_EDGED = 80;
const LAYERS = 3; // successive bodies whose faces in one plane are kept apart, as in stills

export class Bodies {
  constructor(data, runs) {
    this.data = data;
    this.list = data.header.bodies;
    this.colours = this.list.map((body, k) => runs.colour(body.colour, k, body.run));
    this.pickable = [];
    this.geometries = new Map();
    this.inks = this.list.map(() => []);
    this.groups = this.list.map((body, k) => this.build(body, k, runs));
  }

  build(body, k, runs) {
    const group = new Group();
    for (const shape of body.shapes) {
      const mesh = this.mesh(shape, this.colours[k], runs.opacity(body.run) * shape.opacity, LAYERS - (k % LAYERS));
      mesh.userData.item = { ...body, body: k };
      if (!shape.colour) this.inks[k].push(mesh.material);
      group.add(mesh);
      this.pickable.push(mesh);
    }
    runs.group(body.run).add(group);
    return group;
  }

  /** Return the mesh of a shape; of faces in one plane that of the lower layer is seen, and edges before both. */
  mesh(shape, colour, opacity, layer) {
    const { surface, edges } = this.geometry(shape);
    const material = new MeshStandardMaterial({
      color: shape.colour ?? colour, roughness: 0.5, metalness: 0.08, transparent: opacity < 1, opacity,
      polygonOffset: true, polygonOffsetFactor: layer, polygonOffsetUnits: 4 * layer,
    });
    const mesh = new Mesh(surface, material);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.position.fromArray(shape.position);
    const [w, x, y, z] = shape.quaternion;
    mesh.quaternion.set(x, y, z, w);
    if (edges) {
      const ink = new LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.34 * opacity });
      mesh.add(new LineSegments(edges, ink));
    }
    return mesh;
  }

  /** Return surface and edges of a shape; equal shapes share them. */
  geometry(shape) {
    const { position, quaternion, colour, opacity, ...form } = shape;
    const key = JSON.stringify(form);
    if (!this.geometries.has(key)) {
      const surface = geometryOf(shape, this.data.header, this.data.meshes);
      this.geometries.set(key, { surface, edges: this.list.length > MOST_EDGED ? null : edgesOf(shape, surface) });
    }
    return this.geometries.get(key);
  }

  show({ moment }) {
    const count = this.groups.length;
    for (let k = 0; k < count; k++) {
      const { position, quaternion } = this.groups[k];
      poseAt(this.data, k, count, moment, position, quaternion);
      const known = Number.isFinite(position.x + position.y + position.z + quaternion.w);
      this.groups[k].visible = known;
      const tones = this.data.bodyTones?.[k];
      if (tones) for (const material of this.inks[k]) toneColour(valueAt(tones, moment), material.color);
      if (!known) {
        position.set(0, 0, 0);
        quaternion.identity();
      }
    }
  }
}

/** Return the lines on a shape: its edges, and marks by which one sees it turn. */
function edgesOf(shape, surface) {
  const sharp = EDGED.has(shape.kind) ? new EdgesGeometry(surface, 35).attributes.position.array : [];
  const points = [...sharp, ...spinMarks(shape)];
  if (!points.length) return null;
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
}
