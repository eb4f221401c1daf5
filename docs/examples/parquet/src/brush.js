/**
 * Lets the pointer brush a chart: a drag anywhere draws a brush. `moved` gets its ends, as parts of the width from 0 to 1.
 * The fields below the chart do the same by keyboard.
 */
export function brushOver(area, moved) {
  let from = null;
  const partAt = ({ clientX }) => {
    const box = area.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - box.left) / box.width));
  };
  area.addEventListener("pointerdown", (event) => {
    area.setPointerCapture(event.pointerId);
    from = partAt(event);
  });
  area.addEventListener("pointermove", (event) => {
    if (from === null) return;
    const to = partAt(event);
    if (to !== from) moved(Math.min(from, to), Math.max(from, to));
  });
  const end = () => {
    from = null;
  };
  area.addEventListener("pointerup", end);
  area.addEventListener("pointercancel", end);
}
