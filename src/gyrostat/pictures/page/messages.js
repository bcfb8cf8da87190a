// Messages over the scene, for what goes wrong.
const place = () => document.getElementById("message");

export function say(text) {
  place().textContent = text;
  place().hidden = false;
}

export function hush() {
  place().hidden = true;
}

/** Return what to tell a reader about an error. */
export function explain(error) {
  if (/webgl/i.test(String(error))) {
    return "This animation needs WebGL 2, which this browser does not offer here. "
      + "Turn on hardware acceleration in its settings, or open the file in another browser.";
  }
  return `This animation cannot be shown: ${error.message ?? error}`;
}
