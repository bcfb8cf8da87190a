// Grains: instances of one sphere, at times of their own.
import { DynamicDrawUsage, IcosahedronGeometry, InstancedMesh, Matrix4, MeshStandardMaterial } from "three";
import { momentAt, rowAt } from "./moment.js";

const FINE = 2000;

export class Grains {
  constructor(data, runs) {
    this.list = (data.header.grains ?? []).map((grains, k) => this.build(grains, data.grains[k], runs));
  }

  build(grains, { times, points, radii }, runs) {
    const opacity = runs.opacity(grains.run);
    const colour = runs.several ? runs.colour(null, 0, grains.run) : grains.colour;
    const material = new MeshStandardMaterial({ color: colour, roughness: 0.85, transparent: opacity < 1, opacity });
    const mesh = new InstancedMesh(new IcosahedronGeometry(1, radii.length > FINE ? 1 : 2), material, radii.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    runs.group(grains.run).add(mesh);
    return { mesh, times, points, radii, row: new Float32Array(3 * radii.length), matrix: new Matrix4() };
  }

  show({ time }) {
    for (const { mesh, times, points, radii, row, matrix } of this.list) {
      rowAt(points, row.length, momentAt(times, time), row);
      for (let i = 0; i < radii.length; i++) {
        matrix.makeScale(radii[i], radii[i], radii[i]);
        matrix.setPosition(row[3 * i], row[3 * i + 1], row[3 * i + 2]);
        mesh.setMatrixAt(i, matrix);
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
