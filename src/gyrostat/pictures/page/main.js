// The page: reads its scene, builds what is seen, and lets time run.
import { bindKeyboard } from "./keyboard.js";
import { explain, say } from "./messages.js";
import { readScene } from "./scene_data.js";
import { ScenePage } from "./scene_page.js";
import { Theme } from "./theme.js";

async function start() {
  const theme = new Theme();
  const data = await readScene();
  const page = new ScenePage(data, theme);
  const { stage, timeline } = page;
  bindKeyboard(page, page.controls);

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
