// The formulas of a report: those that are folded are set when they are opened.
import { typeset } from "./formulas.js";

function setAll(part) {
  for (const place of part.querySelectorAll("[data-latex]")) {
    if (place.closest("details:not([open])")) continue;
    delete place.dataset.latex;
    typeset(place, place.textContent);
  }
}

setAll(document);
for (const folded of document.querySelectorAll("details")) folded.addEventListener("toggle", () => setAll(folded));
