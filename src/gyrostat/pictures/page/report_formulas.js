// The formulas of a report: those that are folded are set when they are opened.
import { typeset } from "./formulas.js";

const LEAST = 0.55; // of the usual size, below which a formula is rather scrolled

/** Return aligned equations broken before their equals signs. */
const broken = (latex) => latex
  .replace("\\begin{aligned}", "\\begin{darray}{l}")
  .replace("\\end{aligned}", "\\end{darray}")
  .replaceAll("\n0 &=", "\n0 =")
  .replaceAll(/\\\\\s*\n/g, "\\\\[1em]\n")
  .replaceAll("&=", "\\\\[0.5em] \\qquad =");

/** Set a formula; one that is too wide in more lines, then in smaller letters. The style sheet fits it to paper by `--ems`. */
function set(place, latex) {
  typeset(place, latex);
  if (place.scrollWidth > place.clientWidth && latex.startsWith("\\begin{aligned}")) typeset(place, broken(latex));
  const formula = place.querySelector(".katex");
  if (!formula) return;
  place.style.setProperty("--ems", place.scrollWidth / parseFloat(getComputedStyle(formula).fontSize));
  place.style.setProperty("--fit", Math.max(LEAST, Math.min(1, (place.clientWidth - 1) / place.scrollWidth)));
}

function setAll(part) {
  for (const place of part.querySelectorAll("[data-latex]")) {
    if (place.closest("details:not([open])")) continue;
    delete place.dataset.latex;
    set(place, place.textContent);
  }
}

setAll(document);
for (const folded of document.querySelectorAll("details")) folded.addEventListener("toggle", () => setAll(folded));
