// Campbell diagram: frequencies over speed; a click on a point shows the mode there.

import uPlot from "uplot";
import type { CampbellData } from "../protocol";
import { measured, written } from "../signal/numbers";
import { css, footAxis, seriesColour, valueAxis } from "./axes";
import { fitted, noDrag, noLegend, Ranges, Tip, TOP, unitPlugin } from "./chart";
import { selector } from "./choice";
import type { Desk } from "./desk";
import { make, within } from "./dom";
import { handOn } from "./hand";
import { animate, modeTable } from "./modes";
import { onTheme } from "./growth";

/** Lines of excitation at these multiples of the speed. */
const ORDERS = [1, 2, 3];
/** Turns per second of one unit of speed. */
const TURNS: Readonly<Record<string, number>> = { "rad/s": 1 / (2 * Math.PI), Hz: 1, rpm: 1 / 60 };
/** Speeds are shown in rpm where their unit is known. */
const RPM = "rpm";
/** Lines of modes that whirl backward, and of those in a plane or along the axis; forward ones are drawn through. */
const BACKWARD = [6, 4];
const PLANAR = [9, 3, 2, 3];
/** Pixels within which a point is met. */
const REACH = 24;

export function mountCampbell(el: HTMLElement, desk: Desk, given: CampbellData): void {
  const data = inTurns(given);
  const unit = data.unit ?? "";
  const frequencies = data.frequencies.map((branch) => branch.map((value) => value ?? null));
  const turns = TURNS[unit] ?? 0;
  const ranges = new Ranges();
  const area = make("div", "p-area p-campbell-area");
  const state = make("span", "p-note p-range");
  const speeds = data.speeds.map((speed, i): [string, string] => [String(i), `${written(speed)} ${unit}`]);
  let at = speedOf(desk.app.settings.value.mode) ?? 0;
  const choice = selector(speeds, String(at), "Speed", (text) => pick(Number(text)));
  const table = modeTable(desk, (mode) => mode.whirl || mode.kind);
  within(el, within(make("div", "p-bar p-plot-bar"), choice, state), area, table.element);
  const most = Math.max(...frequencies.flat().map((value) => value ?? 0));
  const plot = new uPlot(
    {
      width: Math.max(area.clientWidth, 100),
      height: Math.max(area.clientHeight, 80),
      padding: [TOP, 34, 0, 0],
      legend: noLegend,
      cursor: { drag: noDrag, points: { show: false } },
      scales: {
        x: { time: false, range: (_, min, max) => ranges.of("x") ?? [min, max > min ? max : min + 1] },
        y0: { auto: true, range: (_, __, max) => ranges.of("y0") ?? [0, 1.05 * Math.max(max, 1e-9)] },
      },
      axes: [footAxis(unit), valueAxis("y0", { factor: 1, unit: "Hz" }, false)],
      series: [{}, ...frequencies.map((_, i) => branchLine(i))],
      plugins: [unitPlugin(["Hz"]), { hooks: { draw: orders } }],
    },
    [data.speeds, ...frequencies],
    area,
  );
  const dot = make("div", "p-point p-picked");
  const line = make("div", "p-clock");
  plot.over.append(line, dot);
  const tip = new Tip(plot);
  const near = (left: number, top: number): [number, number] | null => nearest(plot, data.speeds, frequencies, left, top);
  (plot.hooks.setCursor ??= []).push((self) => {
    const found = near(self.cursor.left ?? -99, self.cursor.top ?? -99);
    plot.over.classList.toggle("p-hit", found !== null);
    const lines = found ? [{ colour: seriesColour(found[0]), text: pointText(...found) }] : [];
    tip.show(found ? (data.names[found[0]] ?? "").slice(0, 80) : "", lines);
  });
  handOn(plot, {
    scrub: (_, left, top) => {
      const found = near(left, top);
      if (found) pick(found[1], found[0]);
      else pick(plot.posToIdx(left)); // the mode that is shown, at another speed
    },
    zoom: (scale, min, max) => ranges.set(plot, scale, min, max),
    reset: () => ranges.reset(plot),
  });
  (plot.hooks.setScale ??= []).push(mark);
  (plot.hooks.setSize ??= []).push(mark);
  fitted(plot, area);
  onTheme(desk.app.settings, () => plot.redraw());
  desk.app.settings.watch(["mode"], ({ mode }) => {
    at = speedOf(mode) ?? at;
    choice.value = String(at);
    table.show(modesAt(at));
    mark();
  });

  function branchLine(branch: number): uPlot.Series {
    const stroke = (): string => css(seriesColour(branch));
    return { scale: "y0", stroke, width: 1.5, pxAlign: 0, dash: dashes(branch), points: { show: true, size: 5, fill: stroke } };
  }

  function dashes(branch: number): number[] | undefined {
    const points = data.modes?.[branch] ?? [];
    const mode = desk.app.header.modes?.[points[points.length >> 1] ?? -1];
    if (!mode?.whirl || mode.whirl.includes("forward")) return undefined;
    return mode.whirl.includes("backward") ? BACKWARD : PLANAR;
  }

  function speedOf(mode: number): number | null {
    for (const branch of data.modes ?? []) {
      const found = branch.indexOf(mode);
      if (found >= 0) return found;
    }
    return null;
  }

  function modesAt(speed: number): number[] {
    const frequency = (mode: number): number => desk.app.header.modes?.[mode]?.frequency ?? 0;
    return (data.modes ?? []).flatMap((branch) => branch[speed] ?? []).sort((a, b) => frequency(a) - frequency(b));
  }

  /** A speed is chosen: on the same branch as before, unless one is named. */
  function pick(speed: number, branch = branchOf(desk.app.settings.value.mode)): void {
    at = speed;
    const mode = data.modes?.[branch]?.[speed];
    if (mode != null) animate(desk, mode);
    table.show(modesAt(at));
    mark();
  }

  function branchOf(mode: number): number {
    return Math.max(0, (data.modes ?? []).findIndex((branch) => branch.includes(mode)));
  }

  function pointText(branch: number, speed: number): string {
    const damping = data.damping?.[branch]?.[speed];
    const text = `${measured(frequencies[branch][speed] ?? NaN, "Hz")} at ${written(data.speeds[speed])} ${unit}`;
    return damping == null ? text : `${text}, damping ${written(100 * damping, 3)} %`;
  }

  function mark(): void {
    const branch = branchOf(desk.app.settings.value.mode);
    const value = frequencies[branch]?.[at];
    const left = plot.valToPos(data.speeds[at], "x");
    line.hidden = !(left >= 0 && left <= plot.over.clientWidth);
    line.style.transform = `translateX(${left}px)`;
    dot.hidden = line.hidden || value == null;
    if (value != null) dot.style.transform = `translate(${left}px, ${plot.valToPos(value, "y0")}px)`;
    dot.style.background = `var(${seriesColour(branch)})`;
    state.title = value == null ? "" : pointText(branch, at);
    state.textContent = value == null ? "" : `${(data.names[branch] ?? "").slice(0, 60)}  ${pointText(branch, at)}`;
  }

  function orders(self: uPlot): void {
    if (!turns) return;
    const { ctx, bbox } = self;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = ctx.fillStyle = css("--muted");
    ctx.setLineDash([1.5 * ratio, 4 * ratio]);
    ctx.lineWidth = ratio;
    ctx.font = `${10.5 * ratio}px system-ui, sans-serif`;
    const last = self.scales.x.max ?? 1;
    for (const order of ORDERS) {
      const end = Math.min(last, (self.scales.y0.max ?? most) / (order * turns));
      ctx.beginPath();
      ctx.moveTo(self.valToPos(0, "x", true), self.valToPos(0, "y0", true));
      ctx.lineTo(self.valToPos(last, "x", true), self.valToPos(order * turns * last, "y0", true));
      ctx.stroke();
      const side = end < last ? 1 : -1; // beside a steep line, below a flat one
      ctx.textAlign = side > 0 ? "left" : "right";
      ctx.fillText(`${order}×`, self.valToPos(end, "x", true) + side * 5 * ratio, self.valToPos(order * turns * end, "y0", true) + 15 * ratio);
    }
    ctx.restore();
  }
}

/** The diagram with speeds in rpm. */
function inTurns(data: CampbellData): CampbellData {
  const turns = TURNS[data.unit ?? "rad/s"];
  return turns ? { ...data, unit: RPM, speeds: data.speeds.map((speed) => speed * turns * 60) } : data;
}

/** Branch and speed of the point nearest to the pointer, if one is in reach. */
function nearest(plot: uPlot, speeds: readonly number[], branches: readonly (number | null)[][], left: number, top: number): [number, number] | null {
  let best = REACH ** 2;
  let found: [number, number] | null = null;
  branches.forEach((branch, b) =>
    branch.forEach((value, s) => {
      if (value === null) return;
      const distance = (plot.valToPos(speeds[s], "x") - left) ** 2 + (plot.valToPos(value, "y0") - top) ** 2;
      if (distance < best) {
        best = distance;
        found = [b, s];
      }
    }),
  );
  return found;
}
