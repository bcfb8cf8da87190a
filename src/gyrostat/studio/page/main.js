// The studio's page: text, view, numbers and tabs of one model, and the session behind them.
import { Theme } from "../../pictures/page/theme.js";
import { bindFiles } from "./files.js";
import { Drive } from "./drive.js";
import { Editor } from "./editor.js";
import { Knobs } from "./knobs.js";
import { bindGrips } from "./grips.js";
import { inNotebook, openLink } from "./link.js";
import { notice, setStatus } from "./notices.js";
import { offerOutputs } from "./outputs.js";
import { Panes } from "./panes.js";
import { View } from "./view.js";

const $ = (id) => document.getElementById(id);
const TYPING = 160; // milliseconds after the last change of the text
const TURNING = 300; // and after the last move of a slider

class Studio {
  constructor() {
    this.theme = new Theme();
    this.theme.apply();
    this.view = new View(this.theme);
    this.view.onBuilt = (page) => this.built(page);
    this.editor = new Editor($("editor"), {
      onText: (quiet) => this.textChanged(quiet),
      complete: (text, place) => this.complete(text, place),
    });
    this.knobs = new Knobs($("knobs"), { onMove: (...move) => this.moved(...move) });
    this.panes = new Panes(this.theme, {
      choose: (tab, choices) => this.send({ type: "tab", tab, choices }),
      onMode: (number) => this.animate(number),
    });
    this.drive = new Drive((message) => this.send(message), $("hand"));
    this.files = bindFiles(this);
    Object.assign(this, { number: 0, sent: 0, waiting: null, flying: null, times: [], anew: true, tab: "plots", asked: new Map(), inputs: [] });
    this.link = openLink((message) => this.take(message), (reason) => this.end(reason));
    this.bind();
    bindGrips(() => this.view.page?.stage.resize());
    this.link.ready.then(() => this.send({ type: "hello" }));
  }

  send(message) {
    this.link.send(message);
  }

  bind() {
    $("undo").onclick = () => this.editor.undo();
    $("redo").onclick = () => this.editor.redo();
    $("stop").onclick = () => this.send({ type: "stop" });
    $("drive").onclick = () => this.toggleDrive();
    $("banner").querySelector("button").onclick = () => this.animate(null);
    const duration = $("duration").querySelector("input");
    duration.addEventListener("change", () => {
      const seconds = Number(duration.value.replace(",", "."));
      if (seconds > 0) this.send({ type: "duration", seconds, id: (this.number += 1) });
      else notice("A duration is a positive number of seconds.", "error");
    });
    for (const button of $("tabs").querySelectorAll("[role=tab]")) button.onclick = () => this.open(button.dataset.tab);
    $("tabs").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const all = [...$("tabs").querySelectorAll("[role=tab]")];
      const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
      next.focus();
      next.click();
    });
    addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
        event.preventDefault();
        if (!event.repeat) this.files.save();
      }
    });
    addEventListener("beforeunload", (event) => { if (this.files.dirty && !inNotebook()) event.preventDefault(); });
    addEventListener("focus", () => this.send({ type: "file" }));
    this.theme.system.addEventListener("change", () => this.panes.repaint());
  }

  built(page) {
    this.drive.attach(page);
    page.stage.canvas.addEventListener("keydown", (event) => this.key(event, page));
    const paint = page.theme.onChange;
    page.theme.onChange = () => { paint(); this.panes.repaint(); };
  }

  /** Keys of the view, while it has the focus. */
  key(event, { timeline, controls }) {
    const act = {
      " ": () => timeline.toggle(),
      ArrowRight: () => timeline.step(event.shiftKey ? 10 : 1),
      ArrowLeft: () => timeline.step(event.shiftKey ? -10 : -1),
      Home: () => timeline.seek(timeline.start),
      f: () => controls.look("fit"),
      i: () => controls.look("iso"),
      x: () => controls.look("x", event.shiftKey),
      y: () => controls.look("y", event.shiftKey),
      z: () => controls.look("z", event.shiftKey),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  }

  // --- text and numbers ---------------------------------------------------------------------------------------

  textChanged(quiet) {
    this.files.changed();
    this.number += 1;
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.sendText(), quiet ? TURNING : TYPING);
  }

  sendText() {
    this.number += 1;
    this.sent = this.number;
    this.send({ type: "text", text: this.editor.text, id: this.number });
  }

  /** Open another model; what was still to be sent about this one is dropped. */
  openModel(what) {
    clearTimeout(this.typing);
    this.waiting = this.flying = null;
    this.send({ type: "open", ...what });
  }

  moved(knob, name, value, texts) {
    this.number += 1;
    this.waiting = { type: "set", kind: knob.kind, name, value, id: this.number };
    this.fly(); // before the editor, which takes longer than everything else here
    if (knob.stale || knob.spans.some((span) => span.stale)) this.knobs.waiting.set(name, { row: `${knob.kind}:${knob.name}`, texts });
    else if (!knob.home) this.editor.write(knob, texts);
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.sendText(), TURNING);
  }

  /** Send the last move, one at a time: the next when the answer to this one has come. */
  fly() {
    if (!this.waiting || (this.flying && performance.now() - this.flying.since < 2000)) return;
    this.flying = { id: this.waiting.id, since: performance.now() };
    this.send(this.waiting);
    this.waiting = null;
  }

  complete(text, place) {
    const id = (this.asking = (this.asking ?? 0) + 1);
    this.send({ type: "complete", text, place, id });
    return new Promise((done) => { this.asked.set(id, done); });
  }

  // --- messages -----------------------------------------------------------------------------------------------

  take(message) {
    const handler = this[`on_${message.type}`];
    if (handler) handler.call(this, message);
  }

  on_hello(message) {
    this.files.offer(message);
  }

  on_opened({ name, text, files }) {
    clearTimeout(this.typing);
    this.waiting = this.flying = null;
    this.anew = true;
    this.panes.forget();
    $("banner").hidden = true;
    this.failure("");
    this.editor.open(text);
    this.files.opened(name, files);
    document.documentElement.dataset.file = name;
  }

  on_faults({ id, faults }) {
    if (id < this.sent) return;
    this.editor.mark(faults);
    const place = $("faults");
    place.hidden = !faults.length;
    document.documentElement.dataset.faults = faults.length;
    place.replaceChildren(...faults.slice(0, 20).map(({ line, column, text }) => {
      const button = Object.assign(document.createElement("button"), { textContent: `Line ${line}: ${text}` });
      button.onclick = () => this.editor.goTo(line, column);
      return button;
    }));
    $("middle").classList.toggle("stale", faults.length > 0);
  }

  on_knobs({ id, knobs }) {
    if (id !== this.number && id !== 0) return;
    this.knobs.show(knobs, this.editor);
  }

  on_model({ name, inputs, loops, outputs, plotted }) {
    offerOutputs($("outputs"), outputs, plotted, (names) => this.send({ type: "plots", names, id: (this.number += 1) }));
    this.anew = true;
    this.inputs = inputs;
    this.panes.forget();
    this.setMode(null);
    document.title = `${name} – gyrostat studio`;
    if (this.tab !== "plots") this.panes.wait(this.tab);
    document.documentElement.dataset.loops = loops;
  }

  on_motion(message) {
    const came = performance.now();
    if (this.drive.on || this.mode !== null && this.mode !== undefined) return this.landed(message.id, came);
    this.view.show(message, this.anew);
    if (message.fresh && !this.anew) this.view.keepInSight();
    this.anew = false;
    $("duration").querySelector("input").value = Number(message.duration.toPrecision(6));
    this.failure(message.failure);
    this.knobs.yielded(message.yielded);
    this.landed(message.id, came);
    document.documentElement.dataset.motion = message.id;
    document.documentElement.dataset.state = "ready";
    return undefined;
  }

  /** Take note that the motion in the view is still the right one. */
  on_kept({ id }) {
    this.landed(id, performance.now());
    document.documentElement.dataset.motion = id;
  }

  landed(id, came) {
    if (!this.flying || id < this.flying.id) return;
    const { since } = this.flying;
    this.times.push(came - since);
    const record = { data: came - since };
    this.lastTurn = record;
    this.view.page?.stage.afterNextFrame(() => { record.drawn = performance.now() - since; });
    this.flying = null;
    this.fly();
  }

  on_mode(message) {
    if (this.mode !== message.number) return;
    this.view.show(message, this.modeAnew);
    this.modeAnew = false;
    $("banner").querySelector("span").textContent = `Mode ${message.number}: ${message.about}`;
    $("banner").hidden = false;
    document.documentElement.dataset.mode = message.number;
  }

  on_live(message) {
    if (!this.drive.on) return;
    this.view.show(message, this.liveAnew);
    this.liveAnew = false;
    this.drive.draw();
    this.view.page.stage.invalidate();
    document.documentElement.dataset.live = message.time.toFixed(2);
    document.querySelector("#clock").textContent = `${message.time.toFixed(2)} s, live`;
  }

  on_driving({ on, pushes, load }) {
    this.drive.on = on;
    $("drive").setAttribute("aria-pressed", on);
    $("hand").hidden = !on;
    document.body.classList.toggle("driving", on);
    if (on) {
      this.liveAnew = true;
      this.drive.offer(pushes, this.inputs, load);
    } else {
      this.anew = true;
    }
  }

  on_tab(message) {
    this.panes.show(message);
    document.documentElement.dataset[`tab_${message.tab}`] = "shown";
  }

  on_completions({ id, length, options }) {
    this.asked.get(id)?.({ length, options });
    this.asked.delete(id);
  }

  on_status({ text, fraction }) {
    setStatus(text, fraction);
  }

  on_notice({ text, level }) {
    if (level === "error") this.files.refused();
    notice(text, level);
  }

  on_failure({ topic, text }) {
    if (topic === "mode") this.setMode(null);
    if (topic === "text" || topic === "motion") this.failure(text);
    else notice(text, "error");
    this.landed(Infinity, performance.now());
  }

  on_saved({ name, files }) {
    this.files.saved(name, files);
  }

  on_file({ text }) {
    if (text && text !== this.told) notice(text, "info");
    this.told = text;
  }

  on_export({ name, arrays }) {
    this.files.download(name, arrays.data);
  }

  /** Show why a motion ended, over the view; the last good one stays. */
  failure(text) {
    document.documentElement.dataset.failure = text ? "yes" : "no";
    let place = $("failed");
    if (!place) {
      place = Object.assign(document.createElement("div"), { id: "failed" });
      place.setAttribute("role", "alert");
      $("middle").append(place);
    }
    place.hidden = !text;
    place.textContent = text;
  }

  end(reason) {
    document.documentElement.dataset.state = "ended";
    const text = reason || "Its server does not answer any more: the program was ended, or the machine went to sleep.";
    $("ended").querySelector("p").textContent = text;
    $("ended").hidden = false;
    $("copy").onclick = () => navigator.clipboard?.writeText(this.editor.text).then(() => { $("copy").textContent = "Copied"; });
  }

  // --- tabs, modes, driving -----------------------------------------------------------------------------------

  open(tab) {
    this.tab = tab;
    for (const button of $("tabs").querySelectorAll("[role=tab]")) button.setAttribute("aria-selected", button.dataset.tab === tab);
    for (const pane of document.querySelectorAll(".pane")) pane.hidden = pane.id !== `pane-${tab}`;
    if (tab !== "plots") this.panes.wait(tab);
    this.send({ type: "tab", tab: tab === "plots" ? "" : tab });
  }

  setMode(number) {
    this.mode = number;
    this.modeAnew = true;
    this.panes.animated = number;
    if (number === null) {
      this.anew = true;
      $("banner").hidden = true;
      delete document.documentElement.dataset.mode;
    }
    const last = this.panes.last.get("modes");
    if (last) this.panes.show(last);
  }

  animate(number) {
    this.setMode(number);
    this.send({ type: "mode", number, id: (this.number += 1) });
  }

  toggleDrive() {
    const on = $("drive").getAttribute("aria-pressed") !== "true";
    if (on) this.setMode(null);
    this.send({ type: "drive", on, id: (this.number += 1) });
  }
}

window.studio = new Studio();
