// Curves in the tabs.
import uPlot from "uplot";
import { paletteColour } from "../../pictures/page/theme.js";

/** Draw curves over x into a figure with a heading and a legend; `logarithmic` names the scales that are so. */
export function chart(parent, theme, { title, x, curves, xLabel, logarithmic = {}, height = 170 }) {
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.append(Object.assign(document.createElement("b"), { textContent: title }));
  curves.forEach(({ name, colour }, k) => {
    const entry = Object.assign(document.createElement("span"), { className: "entry" });
    const chip = Object.assign(document.createElement("span"), { className: "chip" });
    chip.style.color = paletteColour(colour ?? k);
    entry.append(chip, name);
    caption.append(entry);
  });
  figure.append(caption);
  parent.append(figure);
  const [ink, line] = [theme.colour("faint"), theme.colour("line")];
  const axis = { stroke: ink, font: "11px system-ui, sans-serif", grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, gap: 3 };
  const scale = (name) => (logarithmic[name] ? { distr: 3, time: false } : { time: false });
  const text = (name) => (mark) => (mark === null ? "" : logarithmic[name] ? power(mark) : tick(mark));
  const ticks = (name) => ({ values: (_, marks) => marks.map(text(name)), ...(logarithmic[name] ? { splits: (plot) => decades(plot.scales[name]), filter: (_, marks) => marks } : {}) });
  const made = new uPlot(
    {
      width: Math.max(200, figure.clientWidth || parent.clientWidth - 20),
      height,
      padding: [8, 18, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { size: 5 } },
      scales: { x: scale("x"), y: scale("y") },
      axes: [
        { ...axis, ...ticks("x"), size: 34, space: 60, label: xLabel, labelSize: 14, labelFont: "11px system-ui, sans-serif" },
        { ...axis, ...ticks("y"), size: 54, space: 28 },
      ],
      series: [{}, ...curves.map(({ colour }, k) => ({ stroke: paletteColour(colour ?? k), width: 1.6, pxAlign: 0, points: { show: false } }))],
    },
    [Array.from(x), ...curves.map(({ values }) => Array.from(values, (value) => (Number.isFinite(value) ? value : null)))],
    figure,
  );
  new ResizeObserver(() => made.setSize({ width: Math.max(200, figure.clientWidth), height })).observe(figure);
  return made;
}

/** Return the powers of ten within a scale, not too many. */
function decades({ min, max }) {
  const [first, last] = [Math.ceil(Math.log10(min) - 1e-9), Math.floor(Math.log10(max) + 1e-9)];
  const every = Math.max(1, Math.ceil((last - first + 1) / 5));
  const found = [];
  for (let power = first; power <= last; power += every) found.push(10 ** power);
  return found;
}

/** Return a power of ten in words: plain numbers near one, else with its exponent. */
function power(value) {
  const exponent = Math.round(Math.log10(value));
  if (Math.abs(exponent) < 4) return String(Number(value.toPrecision(1)));
  return `10${[...String(exponent)].map((digit) => (digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])).join("")}`;
}

function tick(value) {
  const size = Math.abs(value);
  if (size >= 1e5 || (size > 0 && size < 1e-3)) return value.toExponential(0).replace("-", "−");
  return String(Number(value.toPrecision(4))).replace("-", "−");
}
