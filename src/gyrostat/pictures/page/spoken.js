// The scene in words, for those who hear it.
import { momentAt, valueAt } from "./moment.js";
import { shown } from "./numbers.js";

const MOST = 12;

/** Describe the scene once, and say time and plotted values whenever the motion stops. */
export class Spoken {
  constructor(data, timeline) {
    Object.assign(this, { data, timeline, was: null });
    this.place = document.getElementById("spoken");
    const about = document.getElementById("about");
    if (about) about.textContent = describe(data.header, timeline);
  }

  show({ time, playing }) {
    const state = `${playing} ${playing ? "" : time}`;
    if (!this.place || playing || state === this.was) return;
    this.was = state;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => { this.place.textContent = this.words(time); }, 400);
  }

  words(time) {
    const moment = momentAt(this.data.signalTimes, time);
    const values = this.data.header.plots.flatMap(({ unit, series }) => series.map(
      ({ name, signal }) => `${name} ${shown(valueAt(this.data.signals[signal], moment))} ${unit}`.trim(),
    ));
    return [`${shown(time)} seconds`, ...values.slice(0, MOST)].join(", ");
  }
}

function describe({ title, bodies, joints, lines, plots }, timeline) {
  const list = (noun, many) => {
    const names = many.map(({ name }) => name);
    const more = names.length > MOST ? ` and ${names.length - MOST} more` : "";
    return names.length ? `${names.length} ${noun}: ${names.slice(0, MOST).join(", ")}${more}. ` : "";
  };
  const curves = plots.flatMap(({ series }) => series);
  return `${title}, ${shown(timeline.end - timeline.start)} seconds of motion. `
    + `${list("bodies", bodies)}${list("joints", joints)}${list("lines", lines)}${list("curves", curves)}`;
}
