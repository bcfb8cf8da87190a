// Reads formulas, one JSON object per line, and answers each with a line of JSON: its HTML or what is wrong with it.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const katex = createRequire(`${process.argv[2]}/`)("katex");
const options = { strict: "ignore", output: "htmlAndMathml", macros: { "\\T": "^{\\mathsf T}" } };
for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  try {
    console.log(JSON.stringify({ html: katex.renderToString(tex, { ...options, displayMode: display }) }));
  } catch (fault) {
    console.log(JSON.stringify({ fault: fault.message }));
  }
}
