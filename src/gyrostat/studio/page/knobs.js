// Sliders for parameters and initial values.
import { stepOf, written } from "./numbers.js";

const HEADINGS = { parameter: "Parameters", initial: "Initial values", outside: "Not in this text" };
const OUTSIDE = "These numbers change the motion here. The text has no place for them; the title of each says where it belongs.";

/** Return the unit Euler parameters of a rotation vector, as numbers of a text. */
function eulerParameters(vector) {
  const angle = Math.hypot(...vector);
  const factor = angle ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), ...vector.map((x) => factor * x)].map((e) => String(Number(e.toFixed(9)) || 0));
}

/** Return the name under which a knob is moved: the components of a rotation vector are moved together. */
const movedName = ({ kind, name }) => (kind === "rotation" ? name.slice(0, -2) : name);
const groupOf = ({ home, kind }) => (home ? "outside" : kind === "rotation" ? "initial" : kind);

export class Knobs {
  constructor(parent, { onMove }) {
    this.parent = parent;
    this.onMove = onMove;
    this.rows = new Map();
    this.active = null;
    this.waiting = new Map();
  }

  /** Show the knobs of a text; a slider that is held keeps its value. */
  show(knobs, editor) {
    const key = (knob) => `${knob.kind}:${knob.name}`;
    const known = knobs.length === this.rows.size && knobs.every((knob) => this.rows.has(key(knob)));
    if (!known) this.build(knobs, key);
    const shared = new Map();
    for (const knob of knobs) if (knob.spans.length) knob.spans = shared.get(movedName(knob)) ?? shared.set(movedName(knob), knob.spans).get(movedName(knob));
    editor.setPlaces(knobs);
    for (const knob of knobs) {
      const row = this.rows.get(key(knob));
      row.knob = knob;
      if (this.active !== row) this.fill(row, knob.value);
      row.element.classList.toggle("derived", Boolean(knob.formula));
      row.name.title = [knob.name, knob.description, knob.home && `Not in this text: ${knob.home}`, knob.formula && `formula: ${knob.formula}; moving it puts a number there`].filter(Boolean).join("\n");
    }
    for (const { row, texts } of this.waiting.values()) {
      const found = this.rows.get(row);
      if (found) editor.write(found.knob, texts);
    }
    this.waiting.clear();
  }

  build(knobs, key) {
    this.rows.clear();
    const groups = new Map();
    for (const knob of knobs) {
      const kind = groupOf(knob);
      if (!groups.has(kind)) groups.set(kind, this.group(kind));
      const row = this.row(knob);
      this.rows.set(key(knob), row);
      groups.get(kind).append(row.element);
    }
    this.parent.replaceChildren(...[...groups.values()].map((group) => group.parentElement));
    if (!knobs.length) this.parent.textContent = "The model has no numbers to turn yet.";
  }

  group(kind) {
    const details = Object.assign(document.createElement("details"), { open: kind !== "outside" });
    details.append(Object.assign(document.createElement("summary"), { textContent: HEADINGS[kind] }));
    const list = Object.assign(document.createElement("div"), { className: "rows" });
    if (kind === "outside") list.append(Object.assign(document.createElement("p"), { className: "outside", textContent: OUTSIDE }));
    details.append(list);
    return list;
  }

  row(knob) {
    const element = Object.assign(document.createElement("div"), { className: "knob" });
    const name = Object.assign(document.createElement("label"), { className: "name", textContent: knob.name });
    const field = Object.assign(document.createElement("input"), { className: "field", inputMode: "decimal", spellcheck: false });
    const unit = Object.assign(document.createElement("span"), { className: "unit", textContent: knob.unit });
    const slider = Object.assign(document.createElement("input"), { type: "range", step: "any" });
    slider.setAttribute("aria-label", `${knob.name} ${knob.unit}`);
    field.setAttribute("aria-label", `${knob.name}, number`);
    slider.dataset.knob = `${knob.kind}:${knob.name}`;
    element.append(name, field, unit, slider);
    const row = { element, name, field, slider, knob, step: 1 };
    slider.addEventListener("input", () => this.move(row, Number(slider.value)));
    slider.addEventListener("pointerdown", () => { this.active = row; });
    slider.addEventListener("change", () => { this.active = null; });
    slider.addEventListener("dblclick", () => this.fit(row));
    field.addEventListener("change", () => this.typed(row));
    return row;
  }

  /** Set the range of a slider, and its value. */
  fill(row, value) {
    const { knob, slider } = row;
    if (!row.range || value < row.range[0] || value > row.range[1] || row.of !== knob.unit) {
      row.range = [Math.min(knob.low, value), Math.max(knob.high, value)];
      row.of = knob.unit;
      [slider.min, slider.max] = row.range;
      row.step = stepOf(...row.range);
    }
    slider.value = value;
    row.value = value;
    this.tell(row, value);
  }

  tell(row, value) {
    if (document.activeElement !== row.field) row.field.value = Number(value.toPrecision(5));
    const part = (value - row.range[0]) / (row.range[1] - row.range[0] || 1);
    row.slider.style.setProperty("--part", `${100 * part}%`);
  }

  typed(row) {
    const value = Number(row.field.value.replace("−", "-").replace(",", "."));
    if (!Number.isFinite(value) || row.field.value.trim() === "") {
      row.field.classList.add("wrong");
      return;
    }
    row.field.classList.remove("wrong");
    row.field.blur();
    const exact = row.step;
    row.step = Math.min(exact, 10 ** (Math.floor(Math.log10(Math.abs(value) || 1)) - 8));
    this.move(row, value);
    row.step = exact;
    this.fill(row, value);
  }

  move(row, given) {
    const { knob } = row;
    const text = written(given / knob.scale, row.step / knob.scale);
    const value = Number(text) * knob.scale;
    this.tell(row, value);
    knob.formula = "";
    row.element.classList.remove("derived");
    if (knob.kind !== "rotation") {
      this.onMove(knob, knob.name, value, [text]);
      return;
    }
    row.value = value;
    const vector = ["x", "y", "z"].map((axis) => this.rows.get(`rotation:${movedName(knob)}.${axis}`).value);
    this.onMove(knob, movedName(knob), vector, eulerParameters(vector));
  }

  /** Tell which initial values the loops have changed, as others contradict them. */
  yielded(values) {
    for (const { element, knob } of this.rows.values()) {
      const begins = values[knob.name];
      element.classList.toggle("yielded", begins !== undefined);
      element.dataset.begins = begins === undefined ? "" : `begins at ${Number(begins.toPrecision(4))}`;
    }
  }

  /** Make the range of a slider suit its value again. */
  fit(row) {
    row.range = null;
    this.fill(row, Number(row.slider.value));
  }
}
