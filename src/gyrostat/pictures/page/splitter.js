// The border between the scene and the plots, which can be moved.

const STEP = 24;

/** Let a drag or the arrow keys on `border` change the width of `column`. */
export function bindSplitter(border, column) {
  const most = () => 0.7 * column.parentElement.clientWidth;
  const set = (width) => {
    const chosen = Math.round(Math.min(Math.max(width, 180), most()));
    column.style.width = `${chosen}px`;
    border.setAttribute("aria-valuenow", Math.round((100 * chosen) / column.parentElement.clientWidth));
  };
  border.addEventListener("pointerdown", (event) => {
    border.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  border.addEventListener("pointermove", (event) => {
    if (border.hasPointerCapture(event.pointerId)) set(column.getBoundingClientRect().right - event.clientX);
  });
  border.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    set(column.clientWidth + by);
  });
}
