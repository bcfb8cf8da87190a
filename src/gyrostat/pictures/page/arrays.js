// Arrays from text: undoes what coding.py does.

/** Return the arrays that `table` lists, from their text in base 64. */
export async function readArrays(text, table) {
  const bytes = await inflated(fromBase64(text.trim()));
  return Object.fromEntries(Object.entries(table).map(([name, facts]) => [name, decoded(bytes, facts)]));
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

async function inflated(bytes) {
  if (typeof DecompressionStream === "undefined") throw new Error("this browser is too old to unpack it");
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function decoded(bytes, { offset, shape, step, planes, missing }) {
  const count = shape.reduce((product, length) => product * length, 1);
  if (step === undefined) return new Float64Array(bytes.buffer, offset, count);
  const numbers = new Uint32Array(count);
  for (let plane = 0; plane < planes; plane++) {
    const from = offset + plane * count;
    const shift = 8 * plane;
    for (let i = 0; i < count; i++) numbers[i] |= bytes[from + i] << shift;
  }
  const width = shape[0] ? count / shape[0] : 0;
  const steps = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const change = (numbers[i] >>> 1) ^ -(numbers[i] & 1);
    steps[i] = i < width ? change : steps[i - width] + change;
  }
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) values[i] = steps[i] * step;
  if (missing) {
    const marks = offset + planes * count;
    for (let i = 0; i < count; i++) if (bytes[marks + i]) values[i] = NaN;
  }
  return values;
}
