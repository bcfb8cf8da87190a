// The tabs: topology, equations, methods, modes, linear responses, results.
import { typeset } from "../../pictures/page/formulas.js";
import { shown } from "../../pictures/page/numbers.js";
import { chart } from "./charts.js";

const METHODS = {
  roberson_schwertassek: "Roberson–Schwertassek",
  velocity_transformation: "Velocity transformation",
  absolute_method: "Absolute coordinates",
  graph_method: "Graph theory",
};

const SEEN = 5e-3; // the smallest part of a mode's shape that a bar shows

const LEAST_FORMULA = 0.6; // of the usual size, below which equations are rather scrolled

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

/** Return LaTeX set as mathematics. */
function mathematics(latex, display = true) {
  const place = make("div", { className: display ? "formula" : "formula inline" });
  typeset(place, latex, display);
  return place;
}

/** Show equations as mathematics: in one line each where there is room, else broken before the equals sign, and smaller. */
function equationsOf(pane, lines) {
  const aligned = (rows) => `\\begin{aligned} ${rows.join(" \\\\ ")} \\end{aligned}`;
  const place = mathematics(aligned(lines.map(([left, right]) => `${left} &= ${right}`)));
  pane.append(place);
  if (place.scrollWidth <= place.clientWidth + 2) return place;
  place.remove();
  const broken = mathematics(aligned(lines.map(([left, right]) => `& ${left} \\\\ & \\qquad = ${right}`)));
  pane.append(broken);
  fit(broken);
  document.fonts.ready.then(() => fit(broken)); // letters that are only now asked for are wider
  return broken;
}

/** Set a formula so small that it fits its pane. */
function fit(place) {
  place.style.fontSize = "";
  const part = Math.max(LEAST_FORMULA, (place.clientWidth - 2) / place.scrollWidth);
  if (part < 1) place.style.fontSize = `${part * parseFloat(getComputedStyle(place).fontSize)}px`;
}

export class Panes {
  constructor(theme, { choose, onMode }) {
    Object.assign(this, { theme, choose, onMode, animated: null, last: new Map(), formulas: new Map(), method: "roberson_schwertassek", numeric: false });
  }

  /** Show a tab's contents. */
  show(message) {
    const pane = document.getElementById(`pane-${message.tab}`);
    this.last.set(message.tab, message);
    if (message.failure) {
      pane.replaceChildren(make("p", { className: "reason", textContent: message.failure }));
      return;
    }
    const top = pane.scrollTop;
    pane.replaceChildren();
    this[message.tab](pane, message);
    pane.scrollTop = top;
  }

  repaint() {
    for (const tab of ["linear", "results"]) if (this.last.has(tab)) this.show(this.last.get(tab));
  }

  wait(tab) {
    const pane = document.getElementById(`pane-${tab}`);
    if (pane && !this.last.has(tab)) pane.replaceChildren(make("p", { className: "reason waiting", textContent: "Working …" }));
  }

  forget() {
    this.last.clear();
    this.animated = null;
  }

  topology(pane, { drawing, text, summary }) {
    const picture = make("img", { alt: "Graph of bodies and joints", src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}` });
    pane.append(make("div", { className: "columns" }, make("div", { className: "drawing" }, picture), make("div", {}, make("pre", { textContent: text }), make("pre", { textContent: summary }))));
  }

  equations(pane, { lines, numbers, matrices, note, text }) {
    if (note) pane.append(make("p", { className: "reason", textContent: note }));
    if (text) pane.append(make("pre", { textContent: text }));
    for (const [heading, rows] of [["Equations of motion", lines], ["With the present numbers", numbers]]) {
      if (!rows) continue;
      pane.append(this.heading(heading));
      this.equationsIn(pane, heading, rows);
    }
    for (const { name, about, rows } of matrices) {
      const body = rows.map((row) => row.map((x) => number(x)).join(" & ")).join(" \\\\ ");
      pane.append(this.heading(about), mathematics(`${name} = \\begin{bmatrix} ${body} \\end{bmatrix}`));
    }
  }

  /** Show equations; those that numbers have not changed are not set again, which takes long. */
  equationsIn(pane, heading, rows) {
    const key = `${pane.clientWidth} ${JSON.stringify(rows)}`;
    const kept = this.formulas.get(heading);
    if (kept?.key === key) pane.append(kept.place);
    else this.formulas.set(heading, { key, place: equationsOf(pane, rows) });
  }

  heading(text) {
    return make("h3", { textContent: text });
  }

  methods(pane, { method, title, note, sections }) {
    const choice = make("div", { className: "choices" });
    for (const [key, label] of Object.entries(METHODS)) {
      const button = make("button", { className: "pill", textContent: label });
      button.setAttribute("aria-pressed", key === method);
      button.onclick = () => { this.method = key; this.choose("methods", { method: key, numbers: this.numeric }); };
      choice.append(button);
    }
    const numbers = make("button", { className: "pill", textContent: "In numbers" });
    numbers.setAttribute("aria-pressed", this.numeric);
    numbers.onclick = () => { this.numeric = !this.numeric; this.choose("methods", { method: this.method, numbers: this.numeric }); };
    choice.append(numbers);
    pane.append(choice, make("p", { className: "faint", textContent: title }));
    if (note) pane.append(make("p", { className: "reason", textContent: note }));
    for (const { heading, text, quantities } of sections) {
      const details = make("details", { open: true }, make("summary", { textContent: heading }));
      if (text) details.append(make("p", { className: "faint", textContent: text }));
      for (const { latex, text: about } of quantities) {
        const line = make("div", { className: "quantity" }, mathematics(latex));
        if (about) line.append(make("span", { className: "faint", textContent: about }));
        details.append(line);
      }
      pane.append(details);
    }
  }

  modes(pane, { modes, stability, kind, point }) {
    const where = Object.entries(point).filter(([name]) => !name.includes(".rate")).slice(0, 6);
    const about = where.map(([name, value]) => `${name} = ${shown(Math.abs(value) < 1e-12 ? 0 : value)}`).join(", ");
    pane.append(make("p", { className: "faint", textContent: `About the ${kind} ${about}. Stability: ${stability}.` }));
    const table = make("table", { className: "data" });
    const head = table.createTHead().insertRow();
    for (const text of ["", "Mode", "Frequency", "Damping ratio", "Eigenvalue"]) head.append(make("th", { textContent: text }));
    const body = table.createTBody();
    for (const mode of modes) {
      const row = body.insertRow();
      const playing = this.animated === mode.number;
      const button = make("button", { className: "pill", textContent: playing ? "Stop" : "Animate" });
      button.dataset.mode = mode.number;
      button.setAttribute("aria-pressed", playing);
      button.onclick = () => this.onMode(playing ? null : mode.number);
      row.insertCell().append(button);
      row.insertCell().textContent = String(mode.number);
      row.insertCell().textContent = mode.frequency === null ? mode.kind : `${shown(mode.frequency)} Hz`;
      row.insertCell().textContent = mode.damping === null ? "–" : shown(Math.abs(mode.damping) < 1e-12 ? 0 : mode.damping);
      const [re, im] = mode.eigenvalue.map((x) => (Math.abs(x) < 1e-12 ? 0 : x));
      row.insertCell().textContent = im ? `${shown(re)} ± ${shown(Math.abs(im))} i` : shown(re);
      const shape = make("div", { className: "shape" });
      for (const [name, size] of Object.entries(mode.shape).filter(([, size]) => size > SEEN)) {
        const bar = make("i");
        bar.style.width = `${Math.max(2, 100 * size)}%`;
        shape.append(make("span", { title: `${name}: ${shown(size)}` }, make("b", { textContent: name }), bar));
      }
      const below = body.insertRow().insertCell();
      below.colSpan = 5;
      below.append(shape);
    }
    pane.append(table);
  }

  linear(pane, { input, inputs, labels, units, ratios, arrays }) {
    const choice = make("div", { className: "choices" }, "Input ");
    for (const name of inputs) {
      const button = make("button", { className: "pill", textContent: name });
      button.setAttribute("aria-pressed", name === input);
      button.onclick = () => this.choose("linear", { input: name });
      choice.append(button);
    }
    const row = make("div", { className: "charts" });
    pane.append(choice, row);
    const curves = (kind, factor = 1) => labels.map((name, k) => ({ name, colour: k, values: arrays[`${kind}${k}`].map((value) => factor * value) }));
    for (const [unit, some] of byUnit(curves("magnitude"), ratios)) {
      const positive = some.every(({ values }) => values.every((value) => value > 0));
      chart(row, this.theme, { title: `Magnitude${inUnit(unit)}`, x: arrays.frequency, curves: some, xLabel: "Hz", logarithmic: { x: true, y: positive } });
    }
    chart(row, this.theme, { title: "Phase (°)", x: arrays.frequency, curves: curves("phase", 180 / Math.PI), xLabel: "Hz", logarithmic: { x: true } });
    for (const [unit, some] of byUnit(curves("step"), units)) {
      chart(row, this.theme, { title: `Step response${inUnit(unit)}`, x: arrays.time, curves: some, xLabel: "s" });
    }
  }

  results(pane, { text, success, notes, rows, energies, arrays, integrator, counts, events }) {
    pane.append(make("p", { className: success ? "faint" : "reason", textContent: `${integrator}: ${text}` }));
    for (const note of notes) pane.append(make("p", { className: "reason", textContent: note }));
    const table = make("table", { className: "data" });
    const head = table.createTHead().insertRow();
    for (const title of ["", "first", "last", "smallest", "largest"]) head.append(make("th", { textContent: title }));
    const body = table.createTBody();
    for (const { name, label, values } of rows) {
      const row = body.insertRow();
      row.append(make("th", { textContent: name === label ? name : `${name}  ${label}` }));
      for (const value of values) row.insertCell().textContent = shown(value);
    }
    const wrap = make("div", { className: "columns" });
    const left = make("div", {}, table);
    const right = make("div", { className: "charts" });
    wrap.append(left, right);
    pane.append(wrap);
    const named = energies.filter((name) => ["kinetic", "potential", "total"].includes(name));
    const curves = named.map((name) => ({ name, values: arrays[`energy_${name}`] }));
    if (curves.length) chart(right, this.theme, { title: "Energy (J)", x: arrays.time, curves, xLabel: "s" });
    if (events.length) left.append(make("p", { className: "faint", textContent: `${events.length} events: ${events.slice(0, 8).map((event) => `${event.name} at ${shown(event.time)} s`).join(", ")}` }));
    left.append(make("p", { className: "faint", textContent: `${counts.steps} steps, ${counts.evaluations} evaluations, ${shown(1000 * counts.seconds)} ms` }));
  }
}

const inUnit = (unit) => (unit && unit !== "1" ? ` (${unit})` : "");

/** Return curves by their units: values of different units share no axis. */
function byUnit(curves, units) {
  const found = new Map();
  curves.forEach((curve, k) => found.set(units[k], [...(found.get(units[k]) ?? []), curve]));
  return found;
}

function number(x) {
  if (x === null) return "?";
  if (Math.abs(x) < 1e-14) return "0";
  const text = Number(x.toPrecision(4)).toString();
  return text.includes("e") ? `${text.split("e")[0]} \\cdot 10^{${Number(text.split("e")[1])}}` : text;
}
