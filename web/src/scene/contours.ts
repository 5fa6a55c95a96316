// Fields on bodies: which measure, over which range, with the places of the smallest and the largest value.

import type { Vector3 } from "three";
import { measured } from "../signal/numbers";
import { cyclic, type App, type Settings } from "../state";
import type { BodyPicture } from "./bodyPicture";
import { BANDS } from "./colours";
import type { Labels } from "./labels";
import type { Legend } from "./legend";
import { deformation, measuresOf } from "./measures";
import type { Picture } from "./picture";

/** Rows that are looked at to find the range over all time. */
const SAMPLES = 64;
/** Milliseconds that looking at every row may take. */
const PATIENCE = 8_000;

export interface Frame {
  sample(row: number, out: Float32Array): boolean;
  rows: number;
}

export class Contours {
  private bodies: BodyPicture[] = [];
  private range: [number, number] = [Infinity, -Infinity];
  private sweep = 0;
  private looking = false;
  /** Rows whose values the range over all time holds. */
  private looked = 0;
  /** Resolves when the chosen field and its range are known. */
  settled: Promise<void> = Promise.resolve();

  constructor(
    private readonly app: App, private readonly picture: Picture, private readonly legend: Legend, private readonly labels: Labels,
    private readonly frame: Frame, private readonly redraw: () => void,
  ) {}

  /** The chosen field has changed: fetch its shapes where needed, and show it. */
  choose(): Promise<void> {
    this.settled = this.show();
    return this.settled;
  }

  private async show(): Promise<void> {
    const { field, component, range } = this.app.settings.value;
    const order = ++this.sweep;
    this.looking = false;
    for (const body of this.picture.bodies) body.hideField();
    this.bodies = [];
    this.labels.clear("extreme");
    if (!field) return this.finish();
    const ready = await Promise.all(this.picture.bodies.map((body) => body.prepareField(field)));
    if (order !== this.sweep) return;
    this.bodies = this.picture.bodies.filter((_, i) => ready[i]);
    for (const body of this.bodies) {
      const own = field === "deformation" ? null : body.field(field);
      const measures = own ? measuresOf(own) : deformation;
      const measure = measures.find((one) => one.name === component) ?? measures[0];
      body.showField(own, measure);
    }
    this.range = [Infinity, -Infinity];
    this.finish();
    if (range !== "all" || !this.bodies.length) return;
    this.looking = true;
    this.looked = 0;
    await this.sweepRows(order);
    if (order !== this.sweep) return;
    this.looking = false;
    this.redraw();
  }

  private finish(): void {
    if (!this.bodies.length) this.legend.hide();
    this.redraw();
  }

  /** The range over all time: first rows spread over it, then the rest where that takes but seconds. A few rows at a time, so that the page stays alive. */
  private async sweepRows(order: number): Promise<void> {
    const count = Math.max(1, this.frame.rows);
    const coarse = Math.max(1, Math.floor(count / SAMPLES));
    const begin = performance.now();
    const spread = Array.from({ length: Math.ceil(count / coarse) }, (_, i) => i * coarse);
    if (!(await this.sweepThese(spread, order)) || coarse === 1) return;
    if (((performance.now() - begin) / spread.length) * count > PATIENCE) return;
    await this.sweepThese(Array.from({ length: count }, (_, i) => i).filter((i) => i % coarse !== 0), order);
  }

  private async sweepThese(rows: number[], order: number): Promise<boolean> {
    const { poses } = this.picture;
    const row = new Float32Array(poses.row.length), other = poses.at(row);
    let drawn = performance.now();
    for (let i = 0; i < rows.length; ) {
      const until = performance.now() + 12;
      while (i < rows.length && performance.now() < until && this.frame.sample(rows[i], row)) {
        for (const body of this.bodies) body.evaluate(other);
        this.widen();
        this.looked++;
        i++;
      }
      for (const body of this.bodies) body.update(this.picture.poses);
      if (performance.now() - drawn > 400 || i === rows.length) {
        this.redraw();
        drawn = performance.now() + 200;
      }
      await new Promise((resolve) => setTimeout(resolve, 24));
      if (order !== this.sweep) return false;
    }
    return true;
  }

  private widen(): void {
    for (const body of this.bodies) {
      const found = body.group.visible ? body.extremes() : null;
      if (found && found.lowAt >= 0) this.range = [Math.min(this.range[0], found.low), Math.max(this.range[1], found.high)];
    }
  }

  /** After each frame: range, legend, labels. */
  update(): void {
    if (!this.bodies.length) return;
    const settings = this.app.settings.value;
    let low = Infinity, high = -Infinity;
    let lowest: [BodyPicture, number] | null = null, highest: [BodyPicture, number] | null = null;
    for (const body of this.bodies) {
      const found = body.group.visible ? body.extremes() : null;
      if (!found || found.lowAt < 0) continue;
      if (found.low < low) [low, lowest] = [found.low, [body, found.lowAt]];
      if (found.high > high) [high, highest] = [found.high, [body, found.highAt]];
    }
    this.range = [Math.min(this.range[0], low), Math.max(this.range[1], high)];
    const shown = this.shownRange(settings, low, high);
    for (const { paint } of this.bodies) {
      paint?.fieldRange.value.set(...shown);
      if (paint) paint.fieldBands.value = settings.bands ? BANDS : 0;
    }
    const { title, detail, unit, note } = this.naming();
    this.legend.show({ title, detail, unit, low: shown[0], high: shown[1], bands: settings.bands, note });
    this.labels.clear("extreme");
    if (!settings.extremes || !lowest || !highest) return;
    this.labels.set("extreme-low", `min ${measured(low, unit, 4)}`, this.at(...lowest), "low");
    this.labels.set("extreme-high", `max ${measured(high, unit, 4)}`, this.at(...highest), "high");
  }

  /** A round factor that makes the largest deformation of this frame easy to see. */
  goodScale(): number {
    let largest = 0;
    for (const body of this.picture.bodies)
      if (body.group.visible) largest = Math.max(largest, body.deformer?.largest() ?? this.picture.poses.deflection(body.index));
    if (!(largest > 0)) return 1;
    const wanted = (0.05 * this.picture.size) / largest;
    const power = 10 ** Math.floor(Math.log10(wanted));
    return Math.max(1, ([5, 2, 1].find((k) => k * power <= wanted) ?? 1) * power);
  }

  private shownRange(settings: Settings, low: number, high: number): [number, number] {
    if (settings.range === "manual") return [settings.low, Math.max(settings.high, settings.low + 1e-30)];
    const [a, b] = settings.range === "frame" ? [low, high] : this.range;
    if (!(a <= b)) return [0, 1];
    return b - a > 1e-12 * Math.max(Math.abs(a), Math.abs(b)) ? [a, b] : [a, a + Math.max(Math.abs(a) * 1e-6, 1e-30)];
  }

  naming(): { title: string; detail: string; unit: string; note: string } {
    const { field, component, range } = this.app.settings.value;
    const own = field === "deformation" ? null : (this.bodies[0]?.field(field) ?? null);
    const measures = measuresOf(own);
    const measure = measures.find((one) => one.name === component) ?? measures[0];
    const { rows } = this.frame;
    const all = this.looking ? "range of frames so far …" : this.looked < rows ? `range of ${this.looked} of ${rows} frames` : "range of all frames";
    const over = { all, frame: "range of this frame", manual: "fixed range" }[range];
    const size = cyclic(this.app.header) ? "at the amplitude that is drawn, which is arbitrary" : "";
    const of = field === "stress" ? this.app.header.bodies.flatMap((body) => (body.beam ? [body.beam.note] : [])) : [];
    const note = [over, size, own?.note, ...new Set(of)].filter(Boolean).join(" · ");
    return { title: own?.name ?? "deformation", detail: measure.label, unit: own?.unit ?? "m", note };
  }

  /** Where a vertex is drawn now. */
  at(body: BodyPicture, vertex: number): Vector3 {
    return body.at(vertex);
  }
}
