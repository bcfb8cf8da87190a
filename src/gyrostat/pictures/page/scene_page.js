// What is seen of a scene, and how its parts work together.
import { Bodies } from "./bodies.js";
import { Corner } from "./corner.js";
import { bindControls } from "./controls.js";
import { Film } from "./film.js";
import { Grains } from "./grains.js";
import { Ground } from "./ground.js";
import { Hover } from "./hover.js";
import { Joints } from "./joints.js";
import { Lines } from "./lines.js";
import { Paths } from "./paths.js";
import { Plots } from "./plots.js";
import { Runs } from "./runs.js";
import { Spoken } from "./spoken.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";

export class ScenePage {
  /** Build what is seen of a scene; `plots` makes the plots where they are laid out in another way. */
  constructor(data, theme, plots = (...given) => new Plots(...given)) {
    this.data = data;
    this.theme = theme;
    this.timeline = new Timeline(data.times, data.header.step);
    this.stage = new Stage(document.getElementById("stage"), data.header, theme);
    this.runs = new Runs(data.header.runs, this.stage);
    this.fill();
    this.ground = new Ground(data.header, this.stage, theme);
    this.plots = plots(data, this.timeline, theme);
    this.hover = new Hover(this.stage, data, [this.bodies, this.lines, this.joints]);
    this.corner = new Corner(data.header, this.stage, this.ground);
    this.film = new Film(this.stage, this.timeline, data.header.title);
    this.spoken = new Spoken(data, this.timeline);
    this.controls = bindControls(this);
    this.connect();
  }

  /** Build bodies, lines, grains, joints and paths. */
  fill() {
    this.bodies = new Bodies(this.data, this.runs);
    this.lines = new Lines(this.data, this.runs);
    this.grains = new Grains(this.data, this.runs);
    this.joints = new Joints(this.data, this.bodies, this.runs);
    this.paths = new Paths(this.data, this.bodies, this.runs, this.stage);
    this.stage.bodies = this.bodies;
  }

  connect() {
    const { timeline, stage, theme } = this;
    timeline.onChange = () => {
      const parts = [this.bodies, this.lines, this.grains, this.paths, this.plots, this.controls, this.spoken];
      for (const part of parts) part.show(timeline);
      stage.follow(this.bodies);
      stage.invalidate();
    };
    stage.onFrame = (seconds) => {
      timeline.advance(seconds);
      this.hover.show(timeline);
      this.corner.show();
      return timeline.playing;
    };
    theme.onChange = () => {
      this.ground.paint();
      this.plots.rebuild();
      timeline.onChange();
    };
  }
}
