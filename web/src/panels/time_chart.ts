// Signals over time, with the clock of the page as cursor, a second cursor, and marks of warnings and cut-backs.

import uPlot from "uplot";
import { measured } from "../signal/numbers";
import { timeAt } from "../time/interpolate";
import { css, footAxis, seriesColour, unitScales, valueAxis } from "./axes";
import { fitted, noDrag, noLegend, Ranges, Tip, TOP, unitPlugin, type Chart } from "./chart";
import type { Desk } from "./desk";
import { make } from "./dom";
import { handOn } from "./hand";
import type { Series } from "./library";

/** Values of another run, at the times of this one. */
export type Ghost = (number | null)[] | null;

/** Charts whose pointers run together. */
const TOGETHER = "flexor-time";

export function timeChart(el: HTMLElement, desk: Desk, series: readonly Series[], ghosts: readonly Ghost[] = []): Chart {
  const { app, plots } = desk;
  const count = Math.min(app.times.length, ...series.map((each) => each.values.length));
  const times = app.times.subarray(0, count);
  const units = unitScales(series);
  const key = (each: Series): string => units.find(({ unit }) => unit === each.unit)?.key ?? "y0";
  const ranges = new Ranges();
  const range: uPlot.Range.Function = () => (plots.value.range.length === 2 ? [plots.value.range[0], plots.value.range[1]] : whole(times));
  const plot = new uPlot(
    {
      width: Math.max(el.clientWidth, 100),
      height: Math.max(el.clientHeight, 80),
      padding: [TOP, units.length > 1 ? 0 : 26, 0, 0],
      legend: noLegend,
      cursor: { drag: noDrag, y: false, points: { size: 6 }, sync: { key: TOGETHER, setSeries: false, scales: ["x", null] } },
      scales: { x: { time: false, range }, ...Object.fromEntries(units.map(({ key }) => [key, { auto: true, range: ranges.values }])) },
      axes: [footAxis("s"), ...units.map(({ key, shown }, i) => valueAxis(key, shown, i > 0))],
      series: [{}, ...series.map((each, i) => line(i, key(each))), ...series.flatMap((each, i) => (ghosts[i] ? [ghostLine(i, key(each))] : []))],
      plugins: [unitPlugin(units.map(({ shown }) => shown.unit)), { hooks: { draw: (self) => marks(self, desk) } }],
    },
    [times, ...series.map((each) => each.values.subarray(0, count)), ...ghosts.flatMap((ghost) => (ghost ? [ghost.slice(0, count)] : []))],
    el,
  );
  const clock = make("div", "p-clock");
  const pin = make("div", "p-pin");
  plot.over.append(clock, pin);
  const tip = new Tip(plot);
  handOn(plot, {
    scrub: (time) => desk.goTo(time),
    zoom: (scale, min, max) => (scale === "x" ? zoomTime(desk, min, max) : ranges.set(plot, scale, min, max)),
    reset: () => {
      plots.set({ range: [] });
      ranges.reset(plot);
    },
  });
  let now = app.clock.value.time;
  const place = (element: HTMLElement, time: number | undefined): void => {
    const left = time === undefined ? -1 : plot.valToPos(time, "x");
    element.hidden = !(left >= -0.5 && left <= plot.over.clientWidth + 0.5);
    element.style.transform = `translateX(${left}px)`;
  };
  const both = (): void => {
    place(clock, now);
    place(pin, plots.value.pin[0]);
  };
  const hooks = plot.hooks;
  (hooks.setScale ??= []).push(both);
  (hooks.setSize ??= []).push(both);
  (hooks.setCursor ??= []).push((self) => {
    const at = self.cursor.idx;
    if (at == null || !self.over.matches(":hover")) return;
    const beside = (i: number, unit: string): string => (ghosts[i]?.[at] == null ? "" : `   dashed: ${measured(ghosts[i]?.[at] ?? NaN, unit)}`);
    const lines = series.map((each, i) => ({ colour: seriesColour(i), text: `${measured(each.values[at], each.unit)}${beside(i, each.unit)}` }));
    tip.show(`${measured(times[at], "s", 6)}`, lines);
  });
  const stop = plots.subscribe((value, before) => {
    if (value.range !== before.range) {
      const [min, max] = value.range.length === 2 ? value.range : whole(times);
      plot.setScale("x", { min: min ?? 0, max: max ?? 1 });
    }
    if (value.pin !== before.pin) both();
  });
  const unfit = fitted(plot, el);
  both();
  return {
    plot,
    clock(time) {
      now = time;
      place(clock, now);
    },
    destroy() {
      stop();
      unfit();
      plot.destroy();
    },
  };
}

function line(i: number, scale: string): uPlot.Series {
  const stroke = (): string => css(seriesColour(i));
  return { scale, stroke, width: 1.5, pxAlign: 0, points: { show: (plot) => plot.data[0].length < 3 } };
}

function ghostLine(i: number, scale: string): uPlot.Series {
  return { ...line(i, scale), dash: [5, 4], alpha: 0.75 };
}

function whole(times: Float64Array): [number, number] {
  if (times.length === 0) return [0, 1];
  const [first, last] = [times[0], times[times.length - 1]];
  return last > first ? [first, last] : [first - 0.5, first + 0.5];
}

/** Show a part of the time in all charts; it stays within what was recorded. */
export function zoomTime(desk: Desk, min: number, max: number): void {
  const [first, last] = whole(desk.app.times);
  const span = Math.min(max - min, last - first);
  if (!(span > 1e-9 * (last - first))) return;
  if (span >= last - first) desk.plots.set({ range: [] });
  else {
    const from = Math.min(Math.max(min, first), last - span);
    desk.plots.set({ range: [from, from + span] });
  }
}

/** Ticks at the foot where the solver warned or cut its step. */
function marks(plot: uPlot, { app: { header } }: Desk): void {
  const { ctx, bbox } = plot;
  const foot = bbox.top + bbox.height;
  const draw = (time: number | null, colour: string, height: number, width: number): void => {
    if (time === null) return;
    const x = plot.valToPos(time, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) return;
    ctx.fillStyle = colour;
    ctx.fillRect(Math.round(x) - width / 2, foot - height, width, height);
  };
  const ratio = devicePixelRatio;
  ctx.save();
  const [cut, warned] = [css("--muted"), css("--warn")];
  for (const time of header.cutbacks) draw(time, cut, 5 * ratio, ratio);
  for (const { time } of header.warnings) draw(time, warned, 9 * ratio, 2 * ratio);
  ctx.restore();
}

/** Value of the other run at a row with a fraction; null where it has none (it began later, or has ended). */
export function ghostAt(values: readonly (number | null)[], row: number): number | null {
  const low = Math.floor(row), part = row - low;
  const before = values[low] ?? null, after = part > 0 ? (values[low + 1] ?? null) : before;
  return before === null || after === null ? null : before + part * (after - before);
}

/** Value at a row with a fraction. */
export function valueAt(values: Float64Array, row: number): number {
  return values.length > 0 ? timeAt(values, Math.min(row, values.length - 1)) : NaN;
}
