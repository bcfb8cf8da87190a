// The bar below the scene, and the views above it.
import { Vector3 } from "three";

const SPEEDS = [1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 100, 1000, 10000];
const [SHORT, LONG, COMFORTABLE] = [0.8, 150, 10]; // seconds

const $ = (id) => document.getElementById(id);

/** Bind the buttons; return what the keyboard needs of them. */
export function bindControls(page) {
  const { data, timeline, stage, paths, joints, ground, plots, theme, lines, runs, film } = page;
  const { header } = data;
  const scrub = $("scrub");
  const span = timeline.end - timeline.start || 1;
  const decimals = Math.min(6, Math.max(2, Math.ceil(1.5 - Math.log10(span))));

  $("play").onclick = () => timeline.toggle();
  $("back").onclick = () => timeline.step(-1);
  $("forth").onclick = () => timeline.step(1);
  scrub.oninput = () => {
    timeline.playing = false;
    timeline.seek(timeline.start + Number(scrub.value) * span);
  };
  offerSpeeds(timeline);
  $("speed").onchange = () => { timeline.speed = Number($("speed").value); };
  $("theme").onclick = () => theme.set(!theme.dark);
  $("ask").onclick = () => $("help").showModal();
  $("help").onclick = () => $("help").close();
  const [kept, frames] = header.kept;
  $("note").textContent = kept < frames ? `Drawn from ${kept} of ${frames} frames; the others differ by less than the eye sees.` : "";

  const toggles = {
    loop: (on) => { timeline.loop = on; },
    "show-paths": (on) => { paths.visible = on; },
    "show-joints": (on) => { joints.visible = on; },
    "show-ground": (on) => { ground.visible = on; },
    "show-plots": (on) => { plots.visible = on; },
    "show-arrows": (on) => { lines.arrows = on; },
    beside: (on) => { runs.beside = on; },
  };
  const toggle = (id) => {
    const on = $(id).getAttribute("aria-pressed") !== "true";
    $(id).setAttribute("aria-pressed", on);
    toggles[id](on);
    timeline.onChange();
  };
  for (const id of Object.keys(toggles)) $(id).onclick = () => toggle(id);
  $("show-paths").hidden = !header.paths.length;
  $("show-joints").hidden = !header.joints.length;
  $("show-plots").hidden = !header.plots.length;
  $("show-arrows").hidden = !header.lines.some(({ kind }) => kind === "arrow");
  $("beside").hidden = !runs.several;
  $("beside").setAttribute("aria-pressed", Boolean(header.beside));
  $("picture").onclick = () => film.savePicture();
  $("record").hidden = !film.possible || timeline.end === timeline.start;
  $("record").onclick = async () => {
    $("record").setAttribute("aria-pressed", true);
    await film.record();
    $("record").setAttribute("aria-pressed", false);
  };

  const look = (view, other = false) => stage.fit(direction(stage, view, other));
  for (const button of document.querySelectorAll("#views button")) {
    button.onclick = (event) => look(button.dataset.view, event.shiftKey);
  }
  markEvents(header.events, timeline, span);

  const faster = (by) => {
    $("speed").selectedIndex = Math.min($("speed").length - 1, Math.max(0, $("speed").selectedIndex + by));
    $("speed").onchange();
  };
  let icon = null;
  const show = () => {
    scrub.value = (timeline.time - timeline.start) / span;
    scrub.setAttribute("aria-valuetext", `${timeline.time.toFixed(decimals)} seconds`);
    const total = document.createElement("span");
    total.textContent = ` / ${timeline.end.toFixed(decimals)} s`;
    $("clock").replaceChildren(timeline.time.toFixed(decimals), total);
    const wanted = timeline.playing ? "pause" : "play";
    if (wanted !== icon) {
      icon = wanted;
      $("play").querySelector("use").setAttribute("href", `#icon-${icon}`);
      $("play").setAttribute("aria-label", timeline.playing ? "Pause" : "Play");
    }
  };
  const turn = (aside, upward, nearer) => stage.turn(aside, upward, nearer);
  return { show, toggle, look, faster, turn };
}

/** Return the direction to the camera for a view by name. */
function direction({ axes, header }, view, other) {
  const { up, right, front } = axes;
  if (view === "fit") return new Vector3(...header.direction);
  if (view === "iso") return front.clone().add(right.clone().multiplyScalar(0.8)).addScaledVector(up, 0.75);
  const along = new Vector3().setComponent("xyz".indexOf(view), 1);
  const usual = along.dot(front) < -0.5 ? -1 : 1;
  return along.multiplyScalar(other ? -usual : usual);
}

/** Offer speeds, and choose the usual one or, for very short and very long runs, one that a viewer can follow. */
function offerSpeeds(timeline) {
  const duration = timeline.end - timeline.start;
  if (duration > 0 && (duration < SHORT || duration > LONG)) {
    timeline.speed = SPEEDS.reduce((best, speed) => (unease(duration / speed) < unease(duration / best) ? speed : best));
  }
  for (const speed of SPEEDS) {
    const chosen = speed === timeline.speed;
    $("speed").append(new Option(`${speed}×`, speed, chosen, chosen));
  }
}

/** Return how far a time to watch is from a comfortable one, in orders of magnitude. */
const unease = (seconds) => Math.abs(Math.log(seconds / COMFORTABLE));

function markEvents(events, timeline, span) {
  for (const { time, name } of events) {
    const mark = document.createElement("i");
    mark.title = `${name}, ${time.toPrecision(4)} s`;
    const part = Math.min(1, Math.max(0, (time - timeline.start) / span));
    mark.style.left = `calc(${100 * part}% + ${8 - 16 * part}px)`;
    mark.onclick = () => timeline.seek(time);
    $("events").append(mark);
  }
}
