// Marks of joints, fixed to bodies.
import { BoxGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3 } from "three";

const Z = new Vector3(0, 0, 1);
const upright = (geometry) => geometry.rotateX(Math.PI / 2);
const FORMS = {
  hinge: (r) => upright(new CylinderGeometry(r, r, 3.6 * r, 28)),
  slider: (r) => new BoxGeometry(2.4 * r, 2.4 * r, 5 * r),
  sleeve: (r) => upright(new CylinderGeometry(1.4 * r, 1.4 * r, 5 * r, 28)),
  ball: (r) => new SphereGeometry(1.35 * r, 28, 18),
  plate: (r) => new BoxGeometry(5 * r, 5 * r, 0.6 * r),
  dot: (r) => new SphereGeometry(0.8 * r, 20, 14),
};

export class Joints {
  constructor(data, bodies, runs) {
    this.pickable = [];
    this.groups = [];
    const radius = 0.0085 * data.header.size;
    for (const joint of data.header.joints) {
      const opacity = runs.opacity(joint.run);
      const material = new MeshStandardMaterial({ color: "#4b5765", roughness: 0.4, metalness: 0.3, transparent: opacity < 1, opacity });
      const mesh = new Mesh(FORMS[joint.mark](joint.share * radius), material);
      mesh.castShadow = true;
      mesh.position.fromArray(joint.point);
      mesh.quaternion.copy(new Quaternion().setFromUnitVectors(Z, new Vector3(...joint.axis)));
      mesh.userData.item = joint;
      const group = new Group();
      group.add(mesh);
      (joint.body < 0 ? runs.group(joint.run) : bodies.groups[joint.body]).add(group);
      this.groups.push(group);
      this.pickable.push(mesh);
    }
  }

  set visible(shown) {
    for (const group of this.groups) group.visible = shown;
  }
}
