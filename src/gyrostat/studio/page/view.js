// The view of a motion, a mode or a driven motion: the animation page's parts, filled anew as numbers change.
import { Vector3 } from "three";
import { Plots } from "../../pictures/page/plots.js";
import { bindControls } from "../../pictures/page/controls.js";
import { explain, say } from "../../pictures/page/messages.js";
import { sceneOf } from "../../pictures/page/scene_data.js";
import { ScenePage } from "../../pictures/page/scene_page.js";

const $ = (id) => document.getElementById(id);
const PARTS = ["bodies", "lines", "grains", "joints", "paths", "meshes", "runs"];

/** Plots side by side, as there is width for. */
class WidePlots extends Plots {
  constructor(...given) {
    super(...given);
    this.place.hidden = false;
  }

  set visible(shown) {
    this.place.hidden = !shown;
  }

  get columns() {
    const count = Math.max(1, this.data.header.plots.length);
    return Math.max(1, Math.min(count, Math.floor(this.place.clientWidth / 300)));
  }

  size() {
    const { columns } = this;
    this.place.style.setProperty("--columns", columns);
    const rows = Math.ceil(Math.max(1, this.data.header.plots.length) / columns);
    const caption = 24;
    const height = (this.place.clientHeight - 16) / Math.min(rows, 2) - caption - 8;
    return { width: Math.max(160, Math.floor((this.place.clientWidth - 20) / columns - 10)), height: Math.max(90, Math.min(320, height)) };
  }
}

export class View {
  constructor(theme) {
    this.theme = theme;
    this.page = null;
    this.kind = null;
    this.markup = { layout: $("layout").innerHTML, bar: $("bar").innerHTML };
    this.onBuilt = () => {};
  }

  /** Show the scene of a message; `anew` where the mechanism is another one. */
  show(message, anew) {
    const header = { ...message.header, arrays: message.table };
    if (message.type === "live") message.arrays.times = message.arrays.signal_times = new Float64Array([0]);
    const data = sceneOf(header, message.arrays);
    try {
      if (!this.page || anew || this.kind !== message.type) this.build(data, message.type);
      else this.refill(data);
    } catch (error) {
      console.error(error);
      say(explain(error));
      document.documentElement.dataset.view = "failed";
    }
  }

  build(data, kind) {
    const before = this.page?.timeline;
    this.dispose();
    Object.assign(this, { replaced: [], seen: 0 });
    $("layout").innerHTML = this.markup.layout;
    $("bar").innerHTML = this.markup.bar;
    $("pane-plots").replaceChildren($("plots"));
    this.kind = kind;
    this.page = new ScenePage(data, this.theme, (...given) => new WidePlots(...given));
    this.page.plots.place.hidden = false;
    document.querySelector("#heading h1").textContent = data.header.title;
    window.gyrostat = this.page;
    this.theme.apply();
    this.page.timeline.seek(data.times[0]);
    this.page.stage.fit();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (kind === "mode" || (before ? before.playing : !still)) this.page.timeline.play();
    this.onBuilt(this.page);
  }

  dispose() {
    if (!this.page) return;
    const { stage, plots } = this.page;
    for (const { chart } of plots.list) chart.destroy();
    stage.onFrame = () => false;
    stage.lost = true;
    stage.canvas.addEventListener("webglcontextlost", (event) => event.stopImmediatePropagation(), true);
    stage.renderer.dispose();
    stage.renderer.forceContextLoss();
  }

  /** Put other numbers into the parts that exist; parts whose shapes have changed are built again. */
  refill(data) {
    const { page } = this;
    const old = page.data.header;
    const changed = (name) => JSON.stringify(old[name]) !== JSON.stringify(data.header[name]);
    const same = !PARTS.some(changed);
    const counted = data.times.length === page.data.times.length;
    const events = changed("events");
    const plots = changed("plots");
    Object.assign(page.data, data);
    page.stage.header = data.header;
    const { timeline } = page;
    const spans = [timeline.start, timeline.end];
    Object.assign(timeline, { times: data.times, start: data.times[0], end: data.times.at(-1), stepLength: data.header.step });
    if (same && counted) this.exchange(data);
    else this.refit();
    if (plots || events) page.plots.rebuild();
    else this.redraw(data);
    if (spans[0] !== timeline.start || spans[1] !== timeline.end || events) this.rebind();
    timeline.seek(timeline.time);
  }

  /** Let the camera fit the motion again where that has left the picture, unless the reader has moved the camera. */
  keepInSight() {
    const { stage } = this.page;
    if (!stage.fitted) return;
    stage.camera.updateMatrixWorld();
    const outside = stage.header.outline.some((point) => {
      const seen = new Vector3(...point).project(stage.camera);
      return Math.abs(seen.x) > 1 || Math.abs(seen.y) > 1;
    });
    if (outside) stage.fit(stage.fitted);
  }

  exchange(data) {
    const { page } = this;
    page.lines.list.forEach((line, k) => Object.assign(line, data.linePoints[k]));
    if (data.header.paths.length || data.header.grains?.length) this.refit();
  }

  /**
   * Build bodies, lines, joints and paths again, in the same stage. The parts before are disposed of when later ones have
   * been drawn, with shadows too: while their materials live, the new ones use the same shader programs, whose
   * compilation takes longer than a frame.
   */
  refit() {
    const { page } = this;
    const { complete } = page.stage;
    if (complete > this.seen) {
      for (const part of this.replaced) part.traverse(({ geometry, material }) => { geometry?.dispose(); material?.dispose(); });
      this.replaced = [];
    }
    this.seen = complete;
    this.replaced.push(...page.runs.groups.flatMap((group) => group.children));
    for (const group of page.runs.groups) group.clear();
    page.fill();
    page.hover.mesh = null;
    page.hover.parts.splice(0, 3, page.bodies, page.lines, page.joints);
    for (const [id, part] of [["show-joints", page.joints], ["show-paths", page.paths]]) {
      part.visible = $(id).getAttribute("aria-pressed") === "true";
    }
  }

  redraw(data) {
    for (const { plot, chart } of this.page.plots.list) {
      const curves = plot.series.map(({ signal }) => Array.from(data.signals[signal], (x) => (Number.isFinite(x) ? x : null)));
      chart.setData([data.signalTimes, ...curves]);
    }
  }

  rebind() {
    const { speed } = this.page.timeline;
    $("speed").replaceChildren();
    $("events").replaceChildren();
    this.page.controls = bindControls(this.page);
    this.page.timeline.speed = Number($("speed").value) || speed;
  }
}
