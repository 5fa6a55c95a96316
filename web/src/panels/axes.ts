// How charts look: colours of the page, axes with units, numbers on them.

import type uPlot from "uplot";
import { scaleOf, type Scale } from "../signal/numbers";

/** Colours of series, as --series-N in panels.css. */
const SERIES = 8;

export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function seriesColour(i: number): string {
  return `--series-${i % SERIES}`;
}

export const FONT = "11px system-ui, 'Segoe UI', sans-serif";

/** Largest absolute value of several arrays. */
export function largest(arrays: readonly ArrayLike<number>[]): number {
  let found = 0;
  for (const values of arrays) {
    for (let i = 0; i < values.length; i++) {
      const size = Math.abs(values[i]);
      if (size > found && size < Infinity) found = size;
    }
  }
  return found;
}

/** Numbers of an axis with as many decimals as their distance needs. */
export function ticks(splits: readonly (number | null)[], increment: number, factor: number): string[] {
  const step = increment / factor;
  const most = Math.max(...splits.map((value) => Math.abs((value ?? 0) / factor)));
  let decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  if (Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++; // steps of 2.5
  const exponent = most >= 1e5 || decimals > 5;
  return splits.map((value) => {
    if (value === null) return "";
    const shown = value / factor;
    if (Math.abs(shown) < step / 1e3) return "0";
    const text = exponent ? shown.toExponential(Math.max(0, Math.ceil(Math.log10(most / step)) - 1)).replace("e+", "e") : shown.toFixed(decimals);
    return text.replaceAll("-", "−");
  });
}

const line = { stroke: () => css("--p-grid"), width: 1 };

function axis(more: uPlot.Axis): uPlot.Axis {
  return { stroke: () => css("--muted"), grid: line, ticks: { ...line, size: 4 }, border: { show: true, ...line }, font: FONT, gap: 4, ...more };
}

/** The axis along the foot; the unit stands behind its last number. */
export function footAxis(unit: string, scale = "x"): uPlot.Axis {
  return axis({
    scale,
    size: 24,
    space: 60,
    values: (_, splits, __, ___, increment) => {
      const texts = ticks(splits, increment, 1);
      const last = texts.length - 1;
      return unit ? texts.map((text, i) => (i === last ? `${text} ${unit}` : text)) : texts;
    },
  });
}

/** An axis of values; first on the left, others on the right. Its unit is drawn above it. */
export function valueAxis(scale: string, shown: Scale, right: boolean, log = false): uPlot.Axis {
  return axis({
    scale,
    side: right ? 1 : 3,
    size: (_, values) => 14 + 6.2 * Math.max(5, ...(values ?? []).map((text) => text.length)),
    space: 30,
    grid: right ? { show: false } : line,
    ...(log ? decades : { values: (_, splits, __, ___, increment) => ticks(splits, increment, shown.factor) }),
  });
}

/** Logarithmic axes show powers of ten, as many as have room. */
const only: uPlot.Axis.Filter = (plot, splits) => {
  const powers = splits.map((value) => Math.round(Math.log10(value) * 1e6) / 1e6);
  const count = powers.filter(Number.isInteger).length;
  const every = Math.max(1, Math.ceil((count * 22) / Math.max(1, plot.bbox.height / devicePixelRatio)));
  return splits.map((value, i) => (Number.isInteger(powers[i]) && powers[i] % every === 0 ? value : null));
};
const decades: uPlot.Axis = {
  filter: only,
  grid: { ...line, filter: only },
  ticks: { ...line, size: 4, filter: only },
  values: (_, splits) => splits.map((value) => (value === null ? "" : value.toExponential(0).replace("e+", "e").replace("-", "−"))),
};

/** Units of the value axes, written above them. */
export function drawUnits(plot: uPlot, units: readonly string[]): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  ctx.fillStyle = css("--muted");
  ctx.textBaseline = "bottom";
  units.forEach((unit, i) => {
    ctx.textAlign = "left";
    const x = i === 0 ? 8 * ratio : bbox.left + bbox.width + 6 * ratio + (i - 1) * 44 * ratio;
    ctx.fillText(unit, x, bbox.top - 5 * ratio);
  });
  ctx.restore();
}

/** Series by unit: the scale of each, and its prefix. */
export function unitScales(series: readonly { unit: string; values: ArrayLike<number> }[]): { key: string; unit: string; shown: Scale; size: number }[] {
  return [...new Set(series.map((each) => each.unit))].map((unit, i) => {
    const size = largest(series.filter((each) => each.unit === unit).map((each) => each.values));
    return { key: `y${i}`, unit, shown: scaleOf(size, unit), size };
  });
}
