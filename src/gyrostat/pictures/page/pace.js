// Pace: where drawing is slow, as without a graphics card, it does with less, step by step.

const SLOW = 0.06; // seconds for a frame
const PATIENCE = 0.4; // seconds of slow frames in a row before something is given up

export class Pace {
  constructor(stage) {
    this.slow = 0;
    this.savings = [
      () => this.withoutShadows(stage),
      () => this.withoutEdges(stage),
      () => this.withFewerPixels(stage),
    ];
  }

  /** Take note of a frame that took some seconds. */
  count(seconds) {
    this.slow = seconds > SLOW ? this.slow + seconds : 0;
    if (this.slow < PATIENCE || !this.savings.length) return;
    this.slow = 0;
    this.savings.shift()();
  }

  withoutShadows({ scene, renderer }) {
    renderer.shadowMap.autoUpdate = false;
    scene.traverse((object) => {
      if (object.material?.isShadowMaterial) object.visible = false;
      else object.receiveShadow = false;
    });
  }

  withoutEdges({ scene }) {
    scene.traverse((object) => {
      if (object.isLineSegments && !object.isLineSegments2) object.visible = false;
    });
  }

  withFewerPixels(stage) {
    stage.ratio = Math.min(1, 0.7 * stage.ratio);
    stage.resize();
  }
}
