// The page: reads its scene, builds what is seen, and lets time run.
import { bindKeyboard } from "./keyboard.js";
import { explain, say } from "./messages.js";
import { readScene } from "./scene_data.js";
import { ScenePage } from "./scene_page.js";
import { bindSplitter } from "./splitter.js";
import { Theme } from "./theme.js";
import { showScale } from "./tones.js";

async function start() {
  const theme = new Theme();
  const data = await readScene();
  const page = new ScenePage(data, theme);
  const { stage, timeline, runs } = page;
  bindKeyboard(page, page.controls);

  theme.apply();
  showScale(data.header.scale);
  bindSplitter(document.getElementById("border"), document.getElementById("plots"));
  timeline.seek(data.times[0]);
  runs.beside = data.header.beside;
  stage.fit();
  const poster = data.header.poster ?? null;
  if (poster !== null) timeline.seek(poster);
  else if (!matchMedia("(prefers-reduced-motion: reduce)").matches) timeline.play();
  window.gyrostat = page;
  stage.afterNextFrame(() => { document.documentElement.dataset.state = "ready"; });
}

start().catch((error) => {
  console.error(error);
  say(explain(error));
  document.documentElement.dataset.state = "failed";
});
