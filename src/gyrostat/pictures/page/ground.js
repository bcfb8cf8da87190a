// The ground: a grid that fades out, shadows on it, and the axes of the world.
import {
  Color, Group, Matrix4, Mesh, MeshBasicMaterial, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector2, Vector3,
} from "three";
import { niceBelow } from "./basis.js";
import { rod } from "./shapes.js";

export const AXIS_COLOURS = ["#d8504d", "#4c9f50", "#4a7fd6"];

const VERTEX = `
  uniform vec2 origin;
  varying vec2 place;
  varying vec2 away;
  void main() {
    place = position.xy + origin;
    away = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const FRAGMENT = `
  uniform vec3 colour;
  uniform float spacing;
  uniform float reach;
  varying vec2 place;
  varying vec2 away;
  float lines(float gap) {
    vec2 at = place / gap;
    vec2 pixel = max(fwidth(at), 1e-6);
    vec2 near = abs(fract(at - 0.5) - 0.5) / pixel;
    vec2 line = (1.0 - min(near, 1.0)) * clamp(1.3 - 3.0 * pixel, 0.0, 1.0);
    return max(line.x, line.y);
  }
  void main() {
    float fade = 1.0 - smoothstep(0.45, 1.0, length(away) / reach);
    float strength = max(0.28 * lines(spacing), 0.5 * lines(5.0 * spacing));
    gl_FragColor = vec4(colour, strength * fade);
    #include <colorspace_fragment>
  }`;

export class Ground {
  constructor(header, stage, theme) {
    Object.assign(this, { stage, theme });
    const { size } = header;
    const { up, right, front } = stage.axes;
    this.spacing = niceBelow(size / 9);
    const stated = Number.isFinite(header.floor);
    const reach = groundReach(stage, stated) + (header.travel ?? 0);
    const level = stated ? header.floor : groundLevel(stage.corners().map((corner) => corner.dot(up)), size);
    const middle = stage.centre.clone().addScaledVector(up, level - stage.centre.dot(up));
    const plane = new PlaneGeometry(2 * reach, 2 * reach);
    this.grid = new Mesh(plane, new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      uniforms: {
        colour: { value: new Color() },
        spacing: { value: this.spacing },
        reach: { value: reach },
        origin: { value: new Vector2(middle.dot(right), -middle.dot(front)) },
      },
    }));
    this.shade = new Mesh(plane, new ShadowMaterial({ transparent: true, depthWrite: false }));
    this.shade.receiveShadow = true;
    this.group = new Group();
    for (const mesh of [this.grid, this.shade]) {
      mesh.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(right, front.clone().negate(), up));
      mesh.position.copy(middle);
      mesh.renderOrder = -1;
      this.group.add(mesh);
    }
    for (let k = 0; k < 3; k++) this.group.add(axis(k, 0.075 * size));
    stage.scene.add(this.group);
  }

  set visible(shown) {
    this.group.visible = shown;
  }

  paint() {
    this.grid.material.uniforms.colour.value.set(this.theme.colour("grid"));
    this.shade.material.opacity = this.theme.dark ? 0.42 : 0.2;
  }
}

/** Return how far the ground reaches: as far as what stands on it, a little more where the model states the ground. */
function groundReach(stage, stated) {
  const { up } = stage.axes;
  const flat = stage.corners().map((corner) => corner.sub(stage.centre).projectOnPlane(up).length());
  return Math.max((stated ? 1.5 : 1.15) * Math.max(...flat), 0.3 * stage.header.size);
}

/** Return the height of the ground: at zero where the lowest point is near it, else a little below that point. */
function groundLevel(heights, size) {
  const lowest = Math.min(...heights);
  return lowest > -0.004 * size && lowest < 0.08 * size ? 0 : lowest - 0.025 * size;
}

function axis(k, length) {
  const direction = new Vector3().setComponent(k, 1);
  const material = new MeshBasicMaterial({ color: AXIS_COLOURS[k] });
  const group = new Group();
  const neck = direction.clone().multiplyScalar(0.78 * length);
  group.add(new Mesh(rod(new Vector3(), neck, 0.017 * length), material));
  group.add(new Mesh(rod(neck, direction.multiplyScalar(length), 0.06 * length, 0), material));
  return group;
}
