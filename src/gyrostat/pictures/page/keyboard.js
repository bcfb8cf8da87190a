// Keys.

/** Bind the keys that the help lists. */
export function bindKeyboard({ timeline, theme }, { toggle, look, faster }) {
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
