// One plot: its legend with values at the clock, its tools, its chart.

import { measured, type Scale, written } from "../signal/numbers";
import { statistics } from "../signal/statistics";
import { rowAt } from "../time/interpolate";
import { seriesColour, unitScales } from "./axes";
import type { Chart } from "./chart";
import { selector } from "./choice";
import type { Desk } from "./desk";
import { make, tool, within } from "./dom";
import { saveTable, savePicture } from "./exports";
import type { Series } from "./library";
import { added, along, changed, into, logarithmic, panel as newPanel, removed, SEGMENTS, without, type Panel, type Plots } from "./plots";
import { DRAGGED } from "./signals";
import { spectra, spectrumChart, type Spectra } from "./spectrum_chart";
import { ghostAt, timeChart, valueAt, type Ghost } from "./time_chart";
import { xyChart } from "./xy_chart";

const X_AXIS = "Along x: time, or one of the signals";

export class Card {
  readonly element = make("section", "p-card");
  private readonly head = make("div", "p-card-head");
  private readonly area = make("div", "p-area");
  private values: HTMLElement[] = [];
  private series: Series[] = [];
  private ghosts: Ghost[] = [];
  private x: Series | null = null;
  private chart: Chart | null = null;
  /** Prefixes of units, as on the axes. */
  private scales = new Map<string, { shown: Scale; size: number }>();
  private spectra: Spectra | null = null;
  private gone = false;

  constructor(private readonly desk: Desk, readonly panel: Panel, private readonly fixed = false) {
    within(this.element, this.head, this.area);
    this.element.addEventListener("pointerdown", () => this.mark());
    if (!fixed) this.takeDrops();
    void this.load();
  }

  /** Signals are read, and the chart is drawn, anew. */
  async load(): Promise<void> {
    const refs = this.panel.kind === "xy" ? [this.panel.x ?? "", ...this.panel.signals] : this.panel.signals;
    const found = await Promise.allSettled(refs.map((ref) => this.desk.library.get(ref)));
    if (this.gone) return;
    const failed = refs.flatMap((ref, i) => {
      const result = found[i];
      return result.status === "rejected" ? [{ ref, why: result.reason instanceof Error ? result.reason.message : String(result.reason) }] : [];
    });
    const good = found.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    this.x = this.panel.kind === "xy" && found[0].status === "fulfilled" ? good.shift() ?? null : null;
    this.series = good;
    this.ghosts = [];
    this.draw();
    for (const { ref, why } of failed) this.head.append(this.failure(ref, why));
    await this.loadGhosts();
  }

  /** What another run has of these signals comes later. */
  private async loadGhosts(): Promise<void> {
    const { series } = this;
    const ghosts = await Promise.all(series.map((each) => this.desk.library.ghost(each.ref).catch(() => null)));
    if (this.gone || this.series !== series || !ghosts.some(Boolean)) return;
    this.ghosts = ghosts;
    this.draw();
  }

  /** The chart is drawn anew, e.g. in other colours. */
  draw(): void {
    this.chart?.destroy();
    this.chart = null;
    this.area.replaceChildren();
    const { desk, panel, series, area } = this;
    this.spectra = panel.kind === "fft" || panel.kind === "psd" ? spectra(desk, panel, series) : null;
    this.scales = new Map(unitScales(series).map((each) => [each.unit, each]));
    this.legend();
    area.append(this.tools());
    if (series.length === 0) return;
    if (panel.kind === "xy") this.chart = this.x ? xyChart(area, desk, this.x, series) : null;
    else if (!this.spectra) this.chart = timeChart(area, desk, series, this.ghosts);
    else if (this.spectra.found.some(Boolean)) this.chart = spectrumChart(area, panel, this.spectra);
    else area.append(make("p", "p-hint", "Too few values are in sight for a spectrum."));
    const { time, row } = desk.app.clock.value;
    this.clock(time, row);
  }

  clock(time: number, row: number): void {
    this.chart?.clock(time, row);
    if (this.spectra) return;
    const pin = this.desk.plots.value.pin[0];
    const pinned = pin === undefined ? NaN : rowAt(this.desk.app.times, pin);
    this.series.forEach((each, i) => {
      const value = valueAt(each.values, row);
      const { shown, size } = this.scales.get(each.unit) ?? { shown: { factor: 1, unit: each.unit }, size: 0 };
      const text = (number: number, digits: number): string => (Math.abs(number) < 1e-12 * size ? "0" : written(number / shown.factor, digits));
      const apart = pin === undefined ? "" : `Δ ${text(value - valueAt(each.values, pinned), 4)}   `;
      const ghost = this.ghosts[i];
      const other = ghost ? ghostAt(ghost, row) : null;
      const beside = !ghost ? "" : other === null ? "   dashed: –" : `   dashed: ${text(other, 5)} ${shown.unit}`;
      if (this.values[i]) this.values[i].textContent = `${apart}${text(value, 5)} ${shown.unit}${beside}`;
    });
  }

  /** The time that is shown has changed. */
  rangeChanged(): void {
    if (this.spectra) this.draw();
    else if (this.panel.statistics) {
      this.legend();
      this.clock(this.desk.app.clock.value.time, this.desk.app.clock.value.row);
    }
  }

  destroy(): void {
    this.gone = true;
    this.chart?.destroy();
    this.element.remove();
  }

  private get at(): number {
    return this.desk.plots.value.panels.indexOf(this.panel);
  }

  private change(make: (plots: Plots, at: number) => Partial<Plots>): void {
    const at = this.at;
    if (at >= 0) this.desk.plots.set(make(this.desk.plots.value, at));
  }

  private mark(): void {
    if (!this.fixed) this.change((_, at) => ({ active: at }));
  }

  private legend(): void {
    this.values = [];
    const rows = this.series.map((each, i) => {
      const row = make("div", "p-entry");
      row.style.setProperty("--colour", `var(${seriesColour(i)})`);
      const name = make("span", "p-label", each.name.slice(0, 300));
      name.title = `${each.name.slice(0, 1000)}${each.unit ? ` [${each.unit}]` : ""}`;
      const value = make("span", "p-value");
      this.values.push(value);
      if (this.spectra) value.textContent = this.peakText(i, each.unit);
      within(row, make("span", "p-swatch"), name, value);
      if (!this.fixed) row.append(tool("close", "Remove from this plot", () => this.change((plots, at) => without(plots, at, each.ref))));
      return row;
    });
    this.head.replaceChildren(...rows.flatMap((row, i) => (this.panel.statistics ? [row, this.told(i)] : [row])));
    if (this.x) this.head.append(make("div", "p-entry p-note", `over ${this.x.name.slice(0, 300)}`));
    const { runs } = this.desk.app.header;
    if (this.panel.kind === "time" && this.ghosts.some(Boolean)) {
      this.head.append(make("div", "p-entry p-note", `dashed: ${(runs?.[this.desk.app.settings.value.ghost] ?? "the other run").slice(0, 200)}`));
    }
    if (this.spectra) this.head.append(make("div", "p-entry p-note", this.spectrumText(this.spectra)));
  }

  /** Statistics of a signal over the time in sight, in the unit of its axis. */
  private told(i: number): HTMLElement {
    const { values, unit } = this.series[i];
    const found = statistics(this.desk.app.times, values, ...this.sight);
    const factor = this.scales.get(unit)?.shown.factor ?? 1;
    const text = (value: number): string => written(value / factor, 4);
    const words = found ? `min ${text(found.least)}   max ${text(found.largest)}   mean ${text(found.mean)}   rms ${text(found.rms)}` : "";
    return make("div", "p-entry p-note p-statistics", words);
  }

  private spectrumText({ found, resampled }: Spectra): string {
    const lines = found.find(Boolean)?.frequencies;
    const parts = ["Hann window, without the mean"];
    if (lines && lines.length > 1) parts.push(`lines ${written(lines[1], 3)} Hz apart`);
    if (resampled) parts.push("uneven times resampled");
    return parts.join(" · ");
  }

  /** The time that is shown. */
  private get sight(): [number, number] {
    const { range } = this.desk.plots.value;
    return range.length === 2 ? [range[0], range[1]] : [-Infinity, Infinity];
  }

  private peakText(i: number, unit: string): string {
    const [peak] = this.spectra?.peaks[i] ?? [];
    return peak ? `${written(peak.frequency, 5)} Hz · ${measured(peak.amplitude, unit, 4)}` : "";
  }

  private failure(ref: string, why: string): HTMLElement {
    const row = within(make("div", "p-entry p-bad"), make("span", "p-label", `${ref.slice(0, 200)}: ${why}`));
    if (!this.fixed) row.append(tool("close", "Remove from this plot", () => this.change((plots, at) => without(plots, at, ref))));
    return row;
  }

  private tools(): HTMLElement {
    const { panel } = this;
    const part = make("div", `p-card-tools${this.scales.size > 1 ? " p-inner" : ""}`);
    const timed = panel.kind === "time" || panel.kind === "xy";
    if (timed && !this.fixed) {
      const names = [...new Set([...(this.x ? [this.x] : []), ...this.series])];
      const options: [string, string][] = [["", "time"], ...names.map((each): [string, string] => [each.ref, each.name])];
      part.append(selector(options, panel.x ?? "", X_AXIS, (ref) => this.change((plots, at) => along(plots, at, ref))));
    }
    if (!timed) {
      part.append(selector([["fft", "Amplitude"], ["psd", "PSD"]], panel.kind, "Amplitudes, or power spectral density", (kind) =>
        this.change((plots, at) => changed(plots, at, { kind: kind === "psd" ? "psd" : "fft", log: undefined }))));
      if (panel.kind === "psd") {
        const counts = [1, 2, 4, 8, 16, 32].map((n): [string, string] => [String(n), n === 1 ? "1 segment" : `${n} segments`]);
        part.append(selector(counts, String(panel.segments ?? SEGMENTS), "Mean over overlapping segments (Welch)", (n) =>
          this.change((plots, at) => changed(plots, at, { segments: Number(n) }))));
      }
      const log = tool("log", "Logarithmic values", () => this.change((plots, at) => changed(plots, at, { log: !logarithmic(panel) })));
      log.classList.toggle("on", logarithmic(panel));
      part.append(log);
    } else if (!this.fixed) {
      const sum = tool("statistics", "Least, largest, mean and rms over the time in sight", () =>
        this.change((plots, at) => changed(plots, at, { statistics: !panel.statistics || undefined })));
      sum.classList.toggle("on", panel.statistics === true);
      part.append(sum, tool("spectrum", "Spectrum of these signals over the time in sight", () =>
        this.change((plots, at) => added(plots, newPanel("fft", panel.signals), at + 1))));
    }
    if (panel.follow) {
      part.append(tool("keep", "Keep this plot; the next node gets its own", () =>
        this.change((plots, at) => changed(plots, at, { follow: undefined }))));
    }
    part.append(tool("table", "Save the values in sight as CSV", () => this.saveTable()), tool("image", "Save as PNG", () => this.savePicture()));
    if (!this.fixed) part.append(tool("close", "Close this plot", () => this.change(removed)));
    return part;
  }

  private get fileName(): string {
    return `${this.desk.app.header.name} ${this.series[0]?.name ?? "plot"}`.slice(0, 80);
  }

  private saveTable(): void {
    const { spectra, series, panel } = this;
    if (spectra) {
      const frequencies = spectra.found.find(Boolean)?.frequencies ?? [];
      const columns = series.map((each, i) => ({ name: each.name, unit: spectra.units[i], values: spectra.found[i]?.values ?? [] }));
      return saveTable(`${this.fileName} ${panel.kind}`, [{ name: "frequency", unit: "Hz", values: frequencies }, ...columns]);
    }
    const { times } = this.desk.app;
    const [from, to] = this.sight;
    const inside = (values: Float64Array): Float64Array => values.filter((_, i) => times[i] >= from && times[i] <= to);
    const columns = [...(this.x ? [this.x] : []), ...series].map(({ name, unit, values }) => ({ name, unit, values: inside(values) }));
    saveTable(this.fileName, [{ name: "time", unit: "s", values: inside(times) }, ...columns]);
    if (from > -Infinity) this.desk.app.tell(`Saved the part in sight, ${written(from)} … ${written(to)} s`);
  }

  private savePicture(): void {
    if (!this.chart) return;
    const legend = this.series.map((each, i) => ({ colour: seriesColour(i), text: each.unit ? `${each.name} [${each.unit}]` : each.name }));
    savePicture(this.fileName, this.chart.plot, legend);
  }

  private takeDrops(): void {
    acceptSignals(this.element, (names) => this.change((plots, at) => into(plots, at, names)));
  }
}

/** Signals can be dropped here. */
export function acceptSignals(element: HTMLElement, dropped: (names: string[]) => void): void {
  const offered = (event: DragEvent): boolean => event.dataTransfer?.types.includes(DRAGGED) ?? false;
  element.addEventListener("dragover", (event) => {
    if (!offered(event)) return;
    event.preventDefault();
    event.stopPropagation();
    element.classList.add("p-drop");
  });
  element.addEventListener("dragleave", () => element.classList.remove("p-drop"));
  element.addEventListener("drop", (event) => {
    element.classList.remove("p-drop");
    if (!offered(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const names: unknown = JSON.parse(event.dataTransfer?.getData(DRAGGED) ?? "[]");
    if (Array.isArray(names)) dropped(names.filter((name) => typeof name === "string"));
  });
}
