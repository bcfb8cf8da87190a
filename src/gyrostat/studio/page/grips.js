// Borders between the parts of the page that can be moved.

export function bindGrips(onMove) {
  const work = document.getElementById("work");
  grip("grip-left", (event) => {
    const part = Math.min(0.6, Math.max(0.12, event.clientX / innerWidth));
    work.style.setProperty("--left", `${(100 * part).toFixed(2)}%`);
  }, onMove);
  grip("grip-drawer", (event) => {
    const { top, height } = document.getElementById("middle").getBoundingClientRect();
    const part = Math.min(0.85, Math.max(0.08, 1 - (event.clientY - top) / height));
    work.style.setProperty("--drawer", `${(100 * part).toFixed(2)}%`);
  }, onMove);
}

function grip(id, place, onMove) {
  const element = document.getElementById(id);
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (!event.buttons) return;
    place(event);
    onMove();
  });
}
