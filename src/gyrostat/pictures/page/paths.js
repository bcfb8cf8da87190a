// Paths of points: the whole way faintly, the way so far clearly.
import { Group, Quaternion, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { poseAt } from "./moment.js";

export class Paths {
  constructor(data, bodies, runs, stage) {
    this.data = data;
    this.groups = [];
    this.list = data.header.paths.map((path) => this.build(path, path.colour ?? bodies.colours[path.body], runs, stage));
  }

  build(path, colour, runs, stage) {
    const pieces = this.pieces(path);
    const group = new Group();
    const line = (opacity, linewidth) => {
      const material = new LineMaterial({ color: colour, linewidth, transparent: true, opacity, depthWrite: false });
      stage.onResize((width, height) => material.resolution.set(width, height));
      return material;
    };
    const [faint, clear] = [line(0.22, 1.2), line(0.95, 2.4)];
    const lines = pieces.map(({ first, places }) => {
      const geometry = () => new LineGeometry().setPositions(places);
      const [whole, past] = [new Line2(geometry(), faint), new Line2(geometry(), clear)];
      past.frustumCulled = whole.frustumCulled = false;
      group.add(whole, past);
      return { first, places, past, changed: -1 };
    });
    runs.group(path.run).add(group);
    this.groups.push(group);
    return { path, lines };
  }

  /** Return the runs of frames in which the point is known, with its places. */
  pieces(path) {
    const { times, header } = this.data;
    const pieces = [];
    let piece = null;
    for (let frame = 0; frame < times.length; frame++) {
      const place = this.place(path, { before: frame, after: frame, part: 0 });
      if (!Number.isFinite(place.x)) piece = null;
      else if (piece) piece.places.push(place.x, place.y, place.z);
      else pieces.push((piece = { first: frame, places: [place.x, place.y, place.z] }));
    }
    return header.bodies.length ? pieces.filter(({ places }) => places.length > 3) : [];
  }

  place(path, moment) {
    const [position, turn] = [new Vector3(), new Quaternion()];
    poseAt(this.data, path.body, this.data.header.bodies.length, moment, position, turn);
    return new Vector3(...path.point).applyQuaternion(turn).add(position);
  }

  set visible(shown) {
    for (const group of this.groups) group.visible = shown;
  }

  show({ moment }) {
    for (const { path, lines } of this.list) {
      for (const line of lines) {
        const { first, places, past } = line;
        const here = moment.before - first;
        const segments = places.length / 3 - 1;
        const count = Math.min(segments, here + (moment.part > 0 ? 1 : 0));
        past.visible = here >= 0 && count > 0;
        past.geometry.instanceCount = Math.max(0, count);
        const buffer = past.geometry.attributes.instanceStart.data;
        if (line.changed >= 0) {
          buffer.array.set(places.slice(3 * line.changed + 3, 3 * line.changed + 6), 6 * line.changed + 3);
          line.changed = -1;
          buffer.needsUpdate = true;
        }
        if (here >= 0 && here < segments && moment.part > 0) {
          buffer.array.set(this.place(path, moment).toArray(), 6 * here + 3);
          line.changed = here;
          buffer.needsUpdate = true;
        }
      }
    }
  }
}
