// Numbers as they are written into a model.

/** Return a number with as few digits as a slider's step needs. */
export function written(value, step) {
  const decimals = Math.max(0, Math.min(12, Math.ceil(-Math.log10(step)) + 0));
  const text = Math.abs(value) < 1e-4 && value !== 0 ? value.toExponential(3) : value.toFixed(decimals);
  const number = Number(text);
  return Object.is(number, -0) ? "0" : String(number);
}

/** Return a step of 1, 2 or 5 times a power of ten, about a five-hundredth of a range. */
export function stepOf(low, high) {
  const fine = (high - low) / 500;
  const power = 10 ** Math.floor(Math.log10(fine));
  return ([5, 2].find((k) => k * power <= fine) ?? 1) * power;
}
