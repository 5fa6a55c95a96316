// The hand on a chart: move the cursor, zoom, pan, reset.

import type uPlot from "uplot";

export interface Hand {
  /** Press or drag: where, in values of the scales. Absent: the hand zooms at once. */
  scrub?(x: number, left: number, top: number): void;
  /** A new range of a scale. */
  zoom(scale: string, min: number, max: number): void;
  reset(): void;
}

const STEP = 1.2; // zoom of a notch of the wheel

/**
 * Drag: the cursor (or zoom); shift-drag: zoom into the box; middle button, alt- or ctrl-drag: pan; wheel: zoom along x,
 * with shift pan; on a value axis: the same for its values; double click: all.
 */
export function handOn(plot: uPlot, hand: Hand): void {
  const over = plot.over;
  const keys = plot.axes.slice(1).map((axis) => axis.scale ?? "y");
  over.addEventListener("pointerdown", (down) => {
    if (down.button > 1) return;
    down.preventDefault();
    over.setPointerCapture(down.pointerId);
    const begin = at(over, down);
    const panning = down.button === 1 || down.altKey || down.ctrlKey || down.metaKey;
    const boxing = !panning && (down.shiftKey || !hand.scrub);
    const start = ["x", ...keys].map((key) => limits(plot, key));
    const move = (event: PointerEvent): void => {
      const now = at(over, event);
      if (panning) ["x", ...keys].forEach((key, i) => slide(plot, hand, key, start[i], now[0] - begin[0], now[1] - begin[1]));
      else if (boxing) plot.setSelect(box(begin, now), false);
      else hand.scrub?.(plot.posToVal(now[0], "x"), now[0], now[1]);
    };
    const up = (event: PointerEvent): void => {
      over.removeEventListener("pointermove", move);
      if (!boxing) return;
      const { left, top, width, height } = box(begin, at(over, event));
      plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      if (width < 4) return;
      hand.zoom("x", plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
      if (height > 24) for (const key of keys) hand.zoom(key, plot.posToVal(top + height, key), plot.posToVal(top, key));
    };
    if (!panning && !boxing) move(down);
    over.addEventListener("pointermove", move);
    over.addEventListener("pointerup", up, { once: true });
    over.addEventListener("pointercancel", up, { once: true });
  });
  over.addEventListener("wheel", (event) => wheel(plot, hand, "x", event, at(over, event)[0]), { passive: false });
  over.addEventListener("dblclick", () => hand.reset());
  plot.root.querySelectorAll<HTMLElement>(".u-axis").forEach((element, i) => {
    const key = i === 0 ? "x" : keys[i - 1];
    element.addEventListener("wheel", (event) => wheel(plot, hand, key, event, at(over, event)[i === 0 ? 0 : 1]), { passive: false });
    element.addEventListener("dblclick", () => hand.reset());
    element.addEventListener("pointerdown", (down) => {
      element.setPointerCapture(down.pointerId);
      const start = limits(plot, key);
      element.onpointermove = (event) => slide(plot, hand, key, start, event.clientX - down.clientX, event.clientY - down.clientY);
      element.onpointerup = () => (element.onpointermove = null);
    });
  });
}

function at(over: HTMLElement, event: MouseEvent): [number, number] {
  const { left, top } = over.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

function box(a: [number, number], b: [number, number]): { left: number; top: number; width: number; height: number } {
  return { left: Math.min(a[0], b[0]), top: Math.min(a[1], b[1]), width: Math.abs(a[0] - b[0]), height: Math.abs(a[1] - b[1]) };
}

function limits(plot: uPlot, key: string): [number, number] {
  return [plot.scales[key].min ?? 0, plot.scales[key].max ?? 1];
}

function slide(plot: uPlot, hand: Hand, key: string, [min, max]: [number, number], dx: number, dy: number): void {
  const ratio = key === "x" ? -dx / plot.over.clientWidth : dy / plot.over.clientHeight;
  if (plot.scales[key].distr === 3) {
    const factor = (max / min) ** ratio;
    hand.zoom(key, min * factor, max * factor);
  } else hand.zoom(key, min + ratio * (max - min), max + ratio * (max - min));
}

function wheel(plot: uPlot, hand: Hand, key: string, event: WheelEvent, place: number): void {
  event.preventDefault();
  const [min, max] = limits(plot, key);
  const amount = event.deltaY || event.deltaX;
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    const shift = Math.sign(amount) * 0.08;
    return slide(plot, hand, key, [min, max], -shift * plot.over.clientWidth, shift * plot.over.clientHeight);
  }
  const factor = STEP ** Math.sign(amount);
  const centre = plot.posToVal(place, key);
  if (plot.scales[key].distr === 3) hand.zoom(key, centre * (min / centre) ** factor, centre * (max / centre) ** factor);
  else hand.zoom(key, centre + (min - centre) * factor, centre + (max - centre) * factor);
}
