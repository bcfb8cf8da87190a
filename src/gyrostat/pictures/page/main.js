// The page: reads its scene, builds what is seen, and lets time run.
import { Bodies } from "./bodies.js";
import { Corner } from "./corner.js";
import { bindControls } from "./controls.js";
import { Grains } from "./grains.js";
import { Ground } from "./ground.js";
import { Hover } from "./hover.js";
import { Joints } from "./joints.js";
import { bindKeyboard } from "./keyboard.js";
import { Lines } from "./lines.js";
import { explain, say } from "./messages.js";
import { Paths } from "./paths.js";
import { Plots } from "./plots.js";
import { Runs } from "./runs.js";
import { readScene } from "./scene_data.js";
import { Stage } from "./stage.js";
import { Theme } from "./theme.js";
import { Timeline } from "./timeline.js";

async function start() {
  const theme = new Theme();
  const data = await readScene();
  const timeline = new Timeline(data.times, data.header.step);
  const stage = new Stage(document.getElementById("stage"), data.header, theme);
  const runs = new Runs(data.header.runs, stage);
  const bodies = new Bodies(data, runs);
  const lines = new Lines(data, runs);
  const grains = new Grains(data, runs);
  const joints = new Joints(data, bodies, runs);
  const paths = new Paths(data, bodies, runs, stage);
  const ground = new Ground(data.header, stage, theme);
  const plots = new Plots(data, timeline, theme);
  const hover = new Hover(stage, data, [bodies, lines, joints]);
  const corner = new Corner(data.header, stage, ground);
  const page = { data, timeline, stage, theme, runs, bodies, lines, grains, joints, paths, ground, plots, hover, corner };

  const controls = bindControls(page);
  bindKeyboard(page, controls);
  timeline.onChange = () => {
    for (const part of [bodies, lines, grains, paths, plots, controls]) part.show(timeline);
    stage.follow(bodies);
    stage.invalidate();
  };
  stage.onFrame = (seconds) => {
    timeline.advance(seconds);
    hover.show(timeline);
    corner.show();
    return timeline.playing;
  };
  theme.onChange = () => {
    ground.paint();
    plots.rebuild();
    timeline.onChange();
  };

  theme.apply();
  stage.fit();
  timeline.seek(data.times[0]);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) timeline.play();
  window.gyrostat = page;
  stage.afterNextFrame(() => { document.documentElement.dataset.state = "ready"; });
}

start().catch((error) => {
  console.error(error);
  say(explain(error));
  document.documentElement.dataset.state = "failed";
});
