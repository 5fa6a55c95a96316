// One signal over another, along time; the clock is a dot on each curve.

import uPlot from "uplot";
import { measured, scaleOf } from "../signal/numbers";
import { css, footAxis, largest, seriesColour, ticks, unitScales, valueAxis } from "./axes";
import { fitted, noDrag, noLegend, Ranges, TOP, unitPlugin, type Chart } from "./chart";
import type { Desk } from "./desk";
import { make } from "./dom";
import { handOn } from "./hand";
import type { Series } from "./library";
import { valueAt } from "./time_chart";

type Facets = [Float64Array, Float64Array];

export function xyChart(el: HTMLElement, desk: Desk, x: Series, series: readonly Series[]): Chart {
  const { app, plots } = desk;
  const ranges = new Ranges();
  const units = unitScales(series);
  const shown = scaleOf(largest([x.values]), x.unit);
  const key = (each: Series): string => units.find(({ unit }) => unit === each.unit)?.key ?? "y0";
  const foot: uPlot.Axis = { ...footAxis(""), values: (_, splits, __, ___, step) => unitLast(ticks(splits, step, shown.factor), shown.unit) };
  const plot = new uPlot(
    {
      mode: 2,
      width: Math.max(el.clientWidth, 100),
      height: Math.max(el.clientHeight, 80),
      padding: [TOP, units.length > 1 ? 0 : 26, 0, 0],
      legend: noLegend,
      cursor: { drag: noDrag, x: true, y: true, points: { show: false } },
      scales: {
        x: { time: false, auto: true, range: ranges.values },
        ...Object.fromEntries(units.map((unit) => [unit.key, { auto: true, range: ranges.values }])),
      },
      axes: [foot, ...units.map((unit, i) => valueAxis(unit.key, unit.shown, i > 0))],
      series: [
        {},
        ...series.map((each, i) => ({
          stroke: () => css(seriesColour(i)),
          facets: [
            { scale: "x", auto: true },
            { scale: key(each), auto: true },
          ],
          paths: curve,
        })),
      ],
      plugins: [unitPlugin(units.map((unit) => unit.shown.unit))],
    },
    data(),
    el,
  );

  function data(): uPlot.AlignedData {
    const [from, to] = plots.value.range.length === 2 ? plots.value.range : [-Infinity, Infinity];
    let first = 0;
    let last = Math.min(app.times.length, x.values.length);
    while (first < last && app.times[first] < from) first++;
    while (last > first && app.times[last - 1] > to) last--;
    return [null, ...series.map((each): Facets => [x.values.subarray(first, last), each.values.subarray(first, last)])] as unknown as uPlot.AlignedData;
  }

  const dots = series.map((_, i) => {
    const dot = make("div", "p-point");
    dot.style.background = `var(${seriesColour(i)})`;
    plot.over.append(dot);
    return dot;
  });
  let row = app.clock.value.row;
  const place = (): void =>
    dots.forEach((dot, i) => {
      const left = plot.valToPos(valueAt(x.values, row), "x");
      const top = plot.valToPos(valueAt(series[i].values, row), key(series[i]));
      dot.hidden = !(left >= 0 && top >= 0 && left <= plot.over.clientWidth && top <= plot.over.clientHeight);
      dot.style.transform = `translate(${left}px, ${top}px)`;
      dot.title = `${measured(valueAt(x.values, row), x.unit)}, ${measured(valueAt(series[i].values, row), series[i].unit)}`;
    });
  handOn(plot, {
    scrub: (_, left, top) => desk.goTo(app.times[nearest(plot, x, series, key, left, top)] ?? 0),
    zoom: (scale, min, max) => ranges.set(plot, scale, min, max),
    reset: () => ranges.reset(plot),
  });
  (plot.hooks.setScale ??= []).push(place);
  (plot.hooks.setSize ??= []).push(place);
  const stop = plots.subscribe((value, before) => value.range !== before.range && plot.setData(data(), true));
  const unfit = fitted(plot, el);
  place();
  return {
    plot,
    clock(_, now) {
      row = now;
      place();
    },
    destroy() {
      stop();
      unfit();
      plot.destroy();
    },
  };
}

function unitLast(texts: string[], unit: string): string[] {
  return texts.map((text, i) => (i === texts.length - 1 && unit ? `${text} ${unit}` : text));
}

/** A curve in the order of time; uPlot's own paths want growing x. */
function curve(plot: uPlot, at: number): null {
  const [xs, ys] = plot.data[at] as unknown as Facets;
  const series = plot.series[at];
  const scale = series.facets?.[1].scale ?? "y0";
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.beginPath();
  for (let i = 0; i < xs.length; i++) ctx.lineTo(plot.valToPos(xs[i], "x", true), plot.valToPos(ys[i], scale, true));
  ctx.strokeStyle = css(seriesColour(at - 1));
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.lineJoin = "round";
  ctx.stroke();
  ctx.restore();
  return null;
}

/** Points looked at first, where a curve has many. */
const COARSE = 4000;

/** The row whose point is nearest to the pointer: among some points of each curve, then about the best of them. */
function nearest(plot: uPlot, x: Series, series: readonly Series[], key: (each: Series) => string, left: number, top: number): number {
  let best = Infinity;
  let found = 0;
  for (const each of series) {
    const look = (first: number, last: number, stride: number): void => {
      for (let i = Math.max(0, first); i <= Math.min(last, each.values.length - 1); i += stride) {
        const distance = (plot.valToPos(x.values[i], "x") - left) ** 2 + (plot.valToPos(each.values[i], key(each)) - top) ** 2;
        if (distance >= best) continue;
        best = distance;
        found = i;
      }
    };
    const stride = Math.ceil(each.values.length / COARSE);
    look(0, each.values.length - 1, stride);
    if (stride > 1) look(found - stride, found + stride, 1);
  }
  return found;
}
