// Colours of a quantity: from blue over yellow to red, and their legend.
import { Color } from "three";
import { shown } from "./numbers.js";

const STOPS = ["#2b5fb0", "#3aa6a0", "#e0b040", "#c22a2a"].map((colour) => new Color(colour));

/** Put the colour of a tone from 0 to 1 into `target`. */
export function toneColour(tone, target) {
  const at = Math.min(Math.max(tone, 0), 1) * (STOPS.length - 1);
  const before = Math.min(Math.floor(at), STOPS.length - 2);
  return target.lerpColors(STOPS[before], STOPS[before + 1], at - before);
}

/** Show the legend of the scale, if the scene has one. */
export function showScale(scale) {
  const place = document.getElementById("tones");
  if (!place || !scale) return;
  place.hidden = false;
  const unit = scale.unit ? ` ${scale.unit}` : "";
  place.querySelector(".name").textContent = scale.label;
  place.querySelector(".low").textContent = `${shown(scale.low)}${unit}`;
  place.querySelector(".high").textContent = `${shown(scale.high)}${unit}`;
}
