// Light and dark, and the colours of bodies in both.

const PALETTE = ["#3f7fd0", "#e0862f", "#3a9d7d", "#c9504f", "#8b6fc9", "#c9a227", "#2e9cb4", "#c56ba0", "#7d8f3c", "#8a7768"];

/** Return the colour of the k-th of things that have none of their own. */
export const paletteColour = (k) => PALETTE[k % PALETTE.length];

export class Theme {
  constructor() {
    this.onChange = () => {};
    this.system = matchMedia("(prefers-color-scheme: dark)");
    this.dark = this.system.matches;
    this.system.addEventListener("change", () => this.set(this.system.matches));
  }

  set(dark) {
    this.dark = dark;
    this.apply();
  }

  apply() {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    this.onChange();
  }

  /** Return a colour of the style sheet by name. */
  colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  }
}
