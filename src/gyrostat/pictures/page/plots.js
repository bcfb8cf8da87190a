// Plots over time, in step with the animation.
import uPlot from "uplot";
import { momentAt, valueAt } from "./moment.js";
import { steady } from "./numbers.js";
import { paletteColour } from "./theme.js";

const LEAST_HEIGHT = 110;
const TALLEST = 360;
const GAP = 10;
const NEGLIGIBLE = 1e-11; // relative to plots with the same unit: roundings of the simulation
const SINGLE = 3e-7; // relative to the values themselves: roundings of numbers in single precision
const TINY = 1e-10; // of angles and their rates, and of lengths in sizes of the scene: errors of the simulation
const DASHES = [[], [6, 4], [2, 3], [8, 3, 2, 3]];

export class Plots {
  constructor(data, timeline, theme) {
    Object.assign(this, { data, timeline, theme, list: [] });
    this.place = document.getElementById("plots");
    this.any = data.header.plots.length > 0;
    this.border = document.getElementById("border");
    this.visible = true;
    new ResizeObserver(() => this.resize()).observe(this.place);
  }

  set visible(shown) {
    this.place.hidden = !shown || !this.any;
    if (this.border) this.border.hidden = this.place.hidden;
  }

  rebuild() {
    for (const { chart } of this.list) chart.destroy();
    this.place.replaceChildren();
    const figures = this.data.header.plots.map((plot) => this.caption(plot));
    this.list = figures.map((figure) => this.build(figure));
    this.show(this.timeline);
  }

  /** Return the size of each plot: they share the height that captions leave. */
  size() {
    const captions = [...this.place.querySelectorAll("figcaption")].reduce((sum, { offsetHeight }) => sum + offsetHeight, 0);
    const room = (this.place.clientHeight - captions - 20) / Math.max(1, this.data.header.plots.length) - GAP;
    return { width: Math.max(160, this.place.clientWidth - 24), height: Math.max(LEAST_HEIGHT, Math.min(TALLEST, room)) };
  }

  resize() {
    for (const { chart } of this.list) chart.setSize(this.size());
    this.show(this.timeline);
  }

  /** Put a plot's caption in its place; return what the plot needs. */
  caption(plot) {
    const figure = document.createElement("figure");
    const styles = plot.series.map((series, k) => this.style(plot, series, k));
    const { caption, values } = captionOf(plot, styles);
    figure.append(caption);
    figure.setAttribute("role", "img");
    figure.setAttribute("aria-label", `${plot.label} over time: ${plot.series.map(({ name }) => name).join(", ")}`);
    this.place.append(figure);
    return { plot, figure, styles, values };
  }

  build({ plot, figure, styles, values }) {
    const { signals, signalTimes } = this.data;
    const [ink, line] = [this.theme.colour("faint"), this.theme.colour("line")];
    const alike = this.data.header.plots.filter(({ unit }) => unit === plot.unit).map((other) => sizeOf(other, signals));
    const [, kind] = /^(rad|m)(?:\/s²?)?$/.exec(plot.unit) ?? [];
    const noise = Math.max(NEGLIGIBLE * Math.max(...alike), kind ? TINY * (kind === "m" ? this.data.header.size : 1) : 0);
    const axis = { stroke: ink, font: "11px system-ui, sans-serif", grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, gap: 3 };
    const chart = new uPlot(
      {
        ...this.size(),
        padding: [6, 6, 0, 0],
        legend: { show: false },
        hooks: { draw: [() => this.show(this.timeline)] },
        cursor: { show: false },
        select: { show: false },
        scales: { x: { time: false }, y: { range: (_, low, high) => breathing(low, high, noise) } },
        axes: [{ ...axis, size: 24, space: 60 }, { ...axis, size: 48, space: 28, values: (_, marks) => marks.map(tick) }],
        series: [{}, ...styles.map(({ colour, dash }) => ({ stroke: colour, dash, width: 1.6, pxAlign: 0, points: { show: signalTimes.length === 1 } }))],
      },
      [signalTimes, ...plot.series.map(({ signal }) => gapped(signals[signal]))],
      figure,
    );
    const now = Object.assign(document.createElement("div"), { className: "now" });
    chart.over.append(now, ...this.data.header.events.map(() => Object.assign(document.createElement("div"), { className: "happened" })));
    this.scrubbing(chart);
    return { plot, chart, now, values, ranges: rangesOf(plot, signals) };
  }

  /** Return how a series is drawn: where runs are compared, by the colour of its run and a dash of its name. */
  style(plot, series, k) {
    if (series.run === null) return { colour: paletteColour(k), dash: DASHES[0] };
    const names = [...new Set(plot.series.map(({ name }) => name))];
    return { colour: paletteColour(series.run), dash: DASHES[names.indexOf(series.name) % DASHES.length] };
  }

  /** Let a drag in a plot move in time. */
  scrubbing(chart) {
    const go = (event) => {
      this.timeline.playing = false;
      this.timeline.seek(chart.posToVal(event.clientX - chart.over.getBoundingClientRect().left, "x"));
    };
    chart.over.addEventListener("pointerdown", (event) => {
      chart.over.setPointerCapture(event.pointerId);
      go(event);
    });
    chart.over.addEventListener("pointermove", (event) => {
      if (event.buttons) go(event);
    });
  }

  show({ time }) {
    if (this.place.hidden) return;
    const moment = momentAt(this.data.signalTimes, time);
    for (const { plot, chart, now, values, ranges } of this.list) {
      now.style.transform = `translateX(${chart.valToPos(time, "x")}px)`;
      plot.series.forEach(({ signal }, k) => {
        values[k].textContent = steady(valueAt(this.data.signals[signal], moment), ranges[k]);
      });
      chart.over.querySelectorAll(".happened").forEach((mark, k) => {
        mark.style.left = `${chart.valToPos(this.data.header.events[k].time, "x")}px`;
      });
    }
  }
}

function captionOf(plot, styles) {
  const caption = document.createElement("figcaption");
  const title = document.createElement("b");
  title.textContent = plot.label;
  if (plot.unit) title.append(" ", Object.assign(document.createElement("span"), { textContent: plot.unit }));
  caption.append(title);
  const entries = new Map();
  const values = plot.series.map((series, k) => {
    if (!entries.has(series.name)) {
      const entry = Object.assign(document.createElement("span"), { className: "entry", textContent: series.name });
      entries.set(series.name, entry);
      caption.append(entry);
    }
    const chip = Object.assign(document.createElement("span"), { className: styles[k].dash.length ? "chip dashed" : "chip" });
    chip.style.color = styles[k].colour;
    const value = document.createElement("data");
    const entry = entries.get(series.name);
    if (series.run === null) entry.prepend(chip);
    else entry.append(chip);
    entry.append(value);
    return value;
  });
  return { caption, values };
}

/** Return the sizes by which values are rounded: that of each series, but nothing that is negligible in its plot. */
function rangesOf(plot, signals) {
  const sizes = plot.series.map(({ signal }) => largest(signals[signal]));
  const least = 1e-5 * Math.max(...sizes);
  return sizes.map((size) => Math.max(size, least));
}

const gapped = (values) => Array.from(values, (value) => (Number.isFinite(value) ? value : null));
const largest = (values) => values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 0);

const sizeOf = (plot, signals) => Math.max(0, ...plot.series.map(({ signal }) => largest(signals[signal])));

/** Return the range of an axis: the data with some room; what varies by roundings only is drawn as a line. */
function breathing(low, high, noise) {
  if (low === null || !Number.isFinite(low)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= Math.max(noise, SINGLE * size)) {
    const middle = size <= noise ? 0 : (low + high) / 2;
    const room = 0.1 * Math.abs(middle) || 1;
    return [middle - room, middle + room];
  }
  const room = 0.06 * (high - low);
  return [low - room, high + room];
}

function tick(value) {
  const size = Math.abs(value);
  if (size >= 1e5 || (size > 0 && size < 1e-3)) return value.toExponential(1).replace(".0e", "e").replace("-", "−");
  return String(Number(value.toPrecision(5))).replace("-", "−");
}
