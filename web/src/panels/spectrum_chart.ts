// Amplitudes or power spectral density of signals over the time that is shown, with their largest peaks.

import uPlot from "uplot";
import { measured, written } from "../signal/numbers";
import { uniform } from "../signal/resample";
import { amplitudes, density, peaks, type Peak, type Spectrum } from "../signal/spectrum";
import { css, FONT, footAxis, seriesColour, unitScales, valueAxis } from "./axes";
import { fitted, noDrag, noLegend, Ranges, Tip, TOP, unitPlugin, type Chart } from "./chart";
import type { Desk } from "./desk";
import { handOn } from "./hand";
import type { Series } from "./library";
import { logarithmic, SEGMENTS, type Panel } from "./plots";

/** Peaks that are written into the chart. */
const PEAKS = 4;
/** A logarithmic axis ends so far below the largest value. */
const DEPTH = 1e-9;

export interface Spectra {
  /** One for each signal; null where too few values are in sight. */
  found: (Spectrum | null)[];
  peaks: Peak[][];
  resampled: boolean;
  units: string[];
}

export function spectra(desk: Desk, panel: Panel, series: readonly Series[]): Spectra {
  const [from, to] = desk.plots.value.range.length === 2 ? desk.plots.value.range : [-Infinity, Infinity];
  const even = series.map((each) => uniform(desk.app.times, each.values, from, to));
  const lines = even.map((signal) => (signal ? amplitudes(signal) : null));
  return {
    found: panel.kind === "fft" ? lines : even.map((signal) => (signal ? density(signal, panel.segments ?? SEGMENTS) : null)),
    peaks: lines.map((each) => (each ? peaks(each, PEAKS, 0.02) : [])),
    resampled: even.some((signal) => signal?.resampled),
    units: series.map(({ unit }) => (panel.kind === "fft" ? unit : squared(unit))),
  };
}

function squared(unit: string): string {
  if (!unit) return "1/Hz";
  return `${/[ /·]/.test(unit) ? `(${unit})` : unit}²/Hz`;
}

export function spectrumChart(el: HTMLElement, panel: Panel, spectra: Spectra): Chart {
  const shown = spectra.found.map((each, i) => ({ unit: spectra.units[i], values: each?.values ?? new Float64Array(0), frequencies: each?.frequencies }));
  const units = unitScales(shown);
  const steep = logarithmic(panel);
  const ranges = new Ranges();
  let whole = false;
  const floor = new Map(units.map(({ key, size }) => [key, DEPTH * Math.max(1e-300, size)]));
  const key = (unit: string): string => units.find((each) => each.unit === unit)?.key ?? "y0";
  const tables = shown.map(({ values, frequencies, unit }): uPlot.AlignedData => {
    const least = floor.get(key(unit)) ?? 0;
    return [frequencies ?? new Float64Array(0), steep ? Array.from(values, (value) => (value > least ? value : null)) : values];
  });
  const log = { distr: 3 as const, auto: true, range: ((_, min, max, name) => logRange(ranges, min, max, name)) as uPlot.Range.Function };
  const plain = { auto: true, range: ((_, __, max, name) => ranges.of(name) ?? [0, 1.15 * (max || 1)]) as uPlot.Range.Function };
  const plot = new uPlot(
    {
      width: Math.max(el.clientWidth, 100),
      height: Math.max(el.clientHeight, 80),
      padding: [TOP, units.length > 1 ? 0 : 26, 0, 0],
      legend: noLegend,
      cursor: { drag: noDrag, y: false, points: { size: 6 } },
      scales: {
        x: { time: false, range: (_, __, max) => ranges.of("x") ?? [0, whole ? max : busy(shown, panel.kind === "psd" ? 1e-4 : 1e-2)] },
        ...Object.fromEntries(units.map((unit) => [unit.key, steep ? log : plain])),
      },
      axes: [footAxis("Hz"), ...units.map((unit, i) => valueAxis(unit.key, unit.shown, i > 0, steep))],
      series: [{}, ...shown.map(({ unit }, i) => line(i, key(unit)))],
      plugins: [
        unitPlugin(units.map((unit) => (steep ? unit.unit : unit.shown.unit))),
        { hooks: { draw: (self) => label(self, spectra.peaks[0] ?? []) } },
      ],
    },
    tables.length > 1 ? uPlot.join(tables) : (tables[0] ?? [[]]),
    el,
  );
  const tip = new Tip(plot);
  (plot.hooks.setCursor ??= []).push((self) => {
    const at = self.cursor.idx;
    if (at == null) return;
    const lines = shown.map(({ unit }, i) => ({ colour: seriesColour(i), text: measured(Number(self.data[i + 1][at] ?? NaN), unit) }));
    tip.show(`${written(self.data[0][at], 5)} Hz`, lines);
  });
  handOn(plot, {
    zoom: (scale, min, max) => ranges.set(plot, scale, scale === "x" ? Math.max(0, min) : min, max),
    reset: () => {
      whole = !whole;
      ranges.reset(plot);
    },
  });
  const unfit = fitted(plot, el);
  return {
    plot,
    clock: () => undefined,
    destroy() {
      unfit();
      plot.destroy();
    },
  };
}

function line(i: number, scale: string): uPlot.Series {
  return { scale, stroke: () => css(seriesColour(i)), width: 1.3, pxAlign: 0, spanGaps: true, points: { show: false } };
}

function most(values: Float64Array): number {
  return values.reduce((a, b) => (b > a ? b : a), 0);
}

/** The frequency up to which something happens: beyond, all values are below this part of the largest. */
function busy(shown: readonly { values: Float64Array; frequencies?: Float64Array }[], part: number): number {
  let found = 0;
  for (const { values, frequencies } of shown) {
    if (!frequencies) continue;
    const limit = part * most(values);
    let last = values.length - 1;
    while (last > 1 && values[last] < limit) last--;
    found = Math.max(found, Math.min(1.5 * frequencies[last], frequencies[frequencies.length - 1]));
  }
  return found || 1;
}

function logRange(ranges: Ranges, min: number, max: number, key: string): uPlot.Range.MinMax {
  const held = ranges.of(key);
  if (held) return held;
  if (!(min > 0) || !(max > 0)) return [1e-6, 1];
  return [10 ** Math.floor(Math.log10(min)), 10 ** Math.ceil(Math.log10(max * 1.05))];
}

/** Frequencies of the peaks of the first signal, above them. */
function label(plot: uPlot, found: readonly Peak[]): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = FONT.replace("11px", `${10.5 * ratio}px`);
  ctx.textAlign = "center";
  ctx.fillStyle = css("--text");
  const taken: number[] = [];
  for (const { frequency } of found) {
    const x = plot.valToPos(frequency, "x", true);
    const at = plot.valToIdx(frequency);
    const value = Math.max(...[at - 1, at, at + 1].map((i) => Number(plot.data[1]?.[i] ?? 0)));
    const y = plot.valToPos(value, plot.series[1].scale ?? "y0", true);
    if (x < bbox.left || x > bbox.left + bbox.width || taken.some((other) => Math.abs(other - x) < 44 * ratio)) continue;
    taken.push(x);
    const side = x > bbox.left + bbox.width - 30 * ratio ? "right" : x < bbox.left + 30 * ratio ? "left" : "center";
    ctx.textAlign = side;
    ctx.fillText(written(frequency, 4), x, Math.max(bbox.top - 4 * ratio, y - 5 * ratio));
  }
  ctx.restore();
}
