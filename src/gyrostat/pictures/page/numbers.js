// Numbers as a reader likes them.

/** Return a number with four significant digits. */
export function shown(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return value.toExponential(2).replace("-", "−");
  return Number(value.toPrecision(4)).toString().replace("-", "−");
}

/** Return a number with as many decimals as suit a range, so that its digits do not jump. */
export function steady(value, range) {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) <= 1e-6 * Math.abs(range) || value === 0) return "0";
  const largest = Math.max(Math.abs(range), 1e-300);
  if (largest >= 1e6 || largest < 1e-4) return value.toExponential(2).replace("-", "−");
  const decimals = Math.min(8, Math.max(0, 3 - Math.floor(Math.log10(largest))));
  return value.toFixed(decimals).replace("-", "−");
}
