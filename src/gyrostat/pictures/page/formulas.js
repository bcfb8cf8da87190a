// Formulas from LaTeX, the same way in the studio and in reports.
import katex from "katex";

const OPTIONS = { throwOnError: false, strict: false, trust: false, maxExpand: 4000, output: "htmlAndMathml" };

/** Set LaTeX as mathematics in an element. */
export function typeset(place, latex, displayMode = true) {
  katex.render(latex, place, { ...OPTIONS, displayMode });
}
