// Keys.

/** Bind the keys that the help lists. */
export function bindKeyboard({ timeline, theme }, { toggle, look, faster, turn }) {
  const ask = () => document.getElementById("ask").click();
  const keys = {
    " ": () => timeline.toggle(),
    ArrowRight: (event) => timeline.step(event.shiftKey ? 10 : 1),
    ArrowLeft: (event) => timeline.step(event.shiftKey ? -10 : -1),
    Home: () => timeline.seek(timeline.start),
    End: () => { timeline.playing = false; timeline.seek(timeline.end); },
    "+": () => faster(1),
    "=": () => faster(1),
    "-": () => faster(-1),
    l: () => toggle("loop"),
    t: () => toggle("show-paths"),
    j: () => toggle("show-joints"),
    g: () => toggle("show-ground"),
    p: () => toggle("show-plots"),
    v: () => toggle("show-arrows"),
    b: () => toggle("beside"),
    s: () => document.getElementById("picture").click(),
    r: () => document.getElementById("record").click(),
    a: () => turn(-0.12, 0, 1),
    e: () => turn(0.12, 0, 1),
    ArrowUp: () => turn(0, 0.12, 1),
    ArrowDown: () => turn(0, -0.12, 1),
    PageUp: () => turn(0, 0, 1.15),
    PageDown: () => turn(0, 0, 1 / 1.15),
    d: () => theme.set(!theme.dark),
    f: () => look("fit"),
    i: () => look("iso"),
    x: (event) => look("x", event.shiftKey),
    y: (event) => look("y", event.shiftKey),
    z: (event) => look("z", event.shiftKey),
    "?": ask,
    h: ask,
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    if (document.getElementById("help").open) return;
    const onButton = event.target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter");
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || onButton) return;
    event.preventDefault();
    action(event);
  });
}
