// What all charts have in common: size, ranges that the hand has set, units, tool tip.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { ROUNDING } from "../signal/numbers";
import { make } from "./dom";
import { drawUnits } from "./axes";

export interface Chart {
  readonly plot: uPlot;
  /** The clock stands at this time and row. */
  clock(time: number, row: number): void;
  destroy(): void;
}

/** Ranges that were set by hand; others follow the data. */
export class Ranges {
  private readonly held = new Map<string, [number, number]>();

  set(plot: uPlot, scale: string, min: number, max: number): void {
    if (!(max > min) || !Number.isFinite(max - min)) return;
    this.held.set(scale, [min, max]);
    plot.setScale(scale, { min, max });
  }

  reset(plot: uPlot): void {
    this.held.clear();
    plot.setData(plot.data, true);
  }

  of(scale: string): [number, number] | undefined {
    return this.held.get(scale);
  }

  /** The range of a value axis: as held, else about the data with a little air. */
  readonly values: uPlot.Range.Function = (_, min, max, key) => {
    const held = this.held.get(key);
    if (held) return held;
    if (min === null || max === null || !Number.isFinite(max - min)) return [-1, 1];
    const size = Math.max(Math.abs(min), Math.abs(max));
    if (size < ROUNDING) return [-1, 1]; // nothing but rounding: a line at zero
    const air = max - min > 1e-12 * size ? 0.06 * (max - min) : 0.1 * size;
    return [min - air, max + air];
  };
}

/** Pixels above a chart, for units and tools. */
export const TOP = 26;
export const noLegend: uPlot.Legend = { show: false };
export const noDrag: uPlot.Cursor.Drag = { x: false, y: false, setScale: false };

export function unitPlugin(units: readonly string[]): uPlot.Plugin {
  return { hooks: { drawAxes: (plot) => drawUnits(plot, units) } };
}

/** Keep the chart as large as its place. */
export function fitted(plot: uPlot, el: HTMLElement): () => void {
  const watch = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = el;
    if (width > 40 && height > 40 && (width !== plot.width || height !== plot.height)) plot.setSize({ width, height });
  });
  watch.observe(el);
  return () => watch.disconnect();
}

/** A box beside the pointer with lines of text; colours mark the series. */
export class Tip {
  private readonly element = make("div", "p-tip");

  constructor(private readonly plot: uPlot) {
    this.element.hidden = true;
    plot.over.append(this.element);
    plot.over.addEventListener("pointerleave", () => (this.element.hidden = true));
  }

  show(head: string, lines: readonly { colour: string; text: string }[]): void {
    const { left = -1, top = 0 } = this.plot.cursor;
    this.element.hidden = left < 0 || !this.plot.over.matches(":hover") || lines.length === 0;
    if (this.element.hidden) return;
    const rows = lines.map(({ colour, text }) => {
      const row = make("div", "p-tip-row", text);
      row.style.setProperty("--colour", `var(${colour})`);
      return row;
    });
    this.element.replaceChildren(make("div", "p-tip-head", head), ...rows);
    const { clientWidth, clientHeight } = this.plot.over;
    const { offsetWidth, offsetHeight } = this.element;
    const x = left + 14 + offsetWidth > clientWidth ? left - 14 - offsetWidth : left + 14;
    const y = Math.min(Math.max(0, top - offsetHeight / 2), Math.max(0, clientHeight - offsetHeight));
    this.element.style.transform = `translate(${Math.max(0, x)}px, ${y}px)`;
  }
}
