// The 3-D view: puts the clock, the selection and the settings into the picture.

import "./view.css";
import { Box3, Plane, Vector3 } from "three";
import { cyclic, nothing, type App, type Settings } from "../state";
import { Cycle } from "../time/cycle";
import { Contours } from "./contours";
import { canCompute } from "./deformer";
import { Ghost } from "./ghost";
import { Grid } from "./grid";
import { Labels } from "./labels";
import { Legend } from "./legend";
import { Markers } from "./markers";
import { MeasureTool } from "./measuring";
import { clipping, cutting } from "./paint";
import { Picker } from "./picker";
import { boxOf, Picture, sizeOf } from "./picture";
import { Stage } from "./stage";
import { TraceLines } from "./traces";
import { mountScale, mountTriad } from "./triad";

const CLICK = 5; // pixels a click may wander
const FAR = 20; // how much larger than all bodies the first view may be for the sake of signs
const REST = 160; // milliseconds after which the pointer rests

export class View {
  readonly stage: Stage;
  readonly picture: Picture;
  readonly labels: Labels;
  readonly legend: Legend;
  readonly contours: Contours;
  readonly picker: Picker;
  readonly measure: MeasureTool;
  readonly box: Box3;
  readonly grid: Grid;
  private readonly ghost: Ghost;
  private readonly markers: Markers;
  private readonly cycle: Cycle | null;
  private readonly row: Float32Array;
  private stale = true;
  private frameShown = -1;

  constructor(private readonly app: App, host: HTMLElement) {
    const { header, source } = app;
    const size = sizeOf(header);
    this.box = boxOf(header);
    this.stage = new Stage(host, new Vector3(...header.up).normalize(), size, app.settings.value.fine);
    if (!canCompute(this.stage.renderer)) app.tell("this browser cannot draw to float textures: meshes are shown without deformation");
    this.picture = new Picture(this.stage.renderer, source, header, { ghost: null, glyphSize: app.settings.value.glyphSize });
    this.picture.group.visible = false; // until its first row is there
    this.row = this.picture.poses.row;
    this.cycle = cyclic(header) ? new Cycle(app.frames, header, source, size) : null;
    this.labels = new Labels(this.stage);
    this.legend = new Legend(host);
    this.grid = new Grid(this.stage, this.box, size);
    this.contours = new Contours(app, this.picture, this.legend, this.labels, this.frames(), () => this.refresh());
    this.picker = new Picker(this.stage, this.picture);
    this.measure = new MeasureTool(this.picture, this.picker, this.labels);
    this.ghost = new Ghost(app, this.stage, () => this.refresh());
    this.markers = new Markers(header, this.labels, 1.2 * this.picture.glyph);
    const traces = new TraceLines(app, () => this.stage.draw());
    this.stage.scene.add(this.picture.group, this.grid.mesh, traces.group, this.measure.group, this.ghost.group, this.markers.group);
    mountTriad(this.stage);
    mountScale(this.stage, this.grid, () => (app.settings.value.arrows ? (this.picture.arrows?.scaleText() ?? []) : []));
    this.stage.before.add(() => this.update());
    app.frames.onLoad(() => this.stale && this.stage.draw());
    app.clock.subscribe((now, before) => now.row !== before.row && this.refresh());
    this.listenToPointer();
  }

  /** Fetch everything, show the first frame. */
  async load(): Promise<void> {
    await this.picture.load();
    const { settings, selection, hidden } = this.app;
    this.stage.fit(this.box, "iso", this.aside());
    const given = this.app.viewpoint.value;
    settings.watch(["field", "component", "range", "deformation"], (now, before) => {
      if (now === before || now.field !== before.field || now.component !== before.component || now.range !== before.range)
        void this.contours.choose().catch((error: Error) => this.app.tell(error.message));
    });
    settings.watch(["mode"], () => void this.chooseMode());
    settings.subscribe((now, before) => this.apply(now, before));
    this.apply(settings.value, null);
    selection.watch(["kind", "index", "node"], () => this.highlight());
    hidden.watch(["bodies", "items"], () => this.hide());
    await this.arrived(() => this.update()); // signs are where they are once the row is there
    this.stage.fit(this.whole(), "iso", this.aside());
    this.stage.place(given);
    this.stage.resting = false;
    await this.settled();
    this.keepViewpoint();
  }

  /** The address follows the camera, whatever moves it; the view that the page opens with need not stand there. */
  private keepViewpoint(): void {
    const lying = (): string => JSON.stringify([this.stage.viewpoint(), this.app.settings.value.orthographic]);
    let known = lying();
    this.stage.after.add(() => {
      const now = lying();
      if (now === known) return;
      known = now;
      this.app.viewpoint.set(this.stage.viewpoint());
    });
  }

  /** Resolves when the row the clock stands at is drawn. */
  async settled(): Promise<void> {
    this.refresh();
    await this.arrived(() => this.stage.drawNow());
  }

  /** Try until the row the clock stands at has come. */
  private async arrived(attempt: () => void): Promise<void> {
    for (let tries = 0; tries < 2000; tries++) {
      attempt();
      if (!this.stale) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  refresh(): void {
    this.stale = true;
    this.stage.draw();
  }

  /** Frames as the contours ask for them: rows of the run, or steps of the cycle. */
  private frames(): { sample(row: number, out: Float32Array): boolean; rows: number } {
    const view = this;
    return {
      sample: (row, out) => view.sample(row, out),
      get rows() {
        return view.cycle ? view.cycle.rows : view.app.frames.count;
      },
    };
  }

  private sample(row: number, out: Float32Array): boolean {
    const { settings, frames } = this.app;
    if (this.cycle) return this.cycle.sample(this.mode, row, settings.value.deformation, out);
    return frames.sample(row, out);
  }

  /** The chosen mode; an address may ask for one that is not there. */
  private get mode(): number {
    const last = (this.app.header.modes?.length ?? 1) - 1;
    return Math.min(Math.max(Math.round(this.app.settings.value.mode), 0), last);
  }

  private async chooseMode(): Promise<void> {
    await this.cycle?.prepare(this.mode);
    if (this.cycle && this.app.settings.value.field) await this.contours.choose();
    this.refresh();
  }

  /** Before each drawing: bring the picture to the clock's row. */
  private update(): void {
    this.grid.update();
    const { clock, settings, hidden, frames } = this.app;
    if (!this.stale) return;
    if (!this.cycle) frames.prefetch(Math.floor(clock.value.row));
    if (!this.sample(clock.value.row, this.row)) return;
    this.stale = false;
    this.picture.group.visible = true;
    this.frameShown = clock.value.row;
    const { deformation, arrowScale } = settings.value;
    this.picture.update(this.row, this.cycle ? 1 : deformation, arrowScale, new Set(hidden.value.items));
    this.stale = !this.ghost.update(clock.value.time, deformation); // drawn again when the other run's row has come
    this.contours.update();
    this.measure.update();
    this.writeLabels();
  }

  get shownRow(): number {
    return this.frameShown;
  }

  private writeLabels(): void {
    const { labels: wanted, arrows, markers } = this.app.settings.value;
    this.labels.clear("arrow");
    const { poses } = this.picture;
    if (wanted && arrows)
      this.picture.arrows?.pictures.forEach((arrow, i) => {
        if (arrow.group.visible) this.labels.set(`arrow${i}`, arrow.text, arrow.tip, arrow.data.kind.replace(" ", "-"));
      });
    this.markers.update(poses, markers, this.app.hidden.value.bodies);
    const { kind, index } = this.app.selection.value;
    const item = kind === "item" ? this.picture.items[index] : null;
    if (item) this.labels.set("selected", item.data.name, item.centre(poses), "chosen");
    else if (kind === "node") this.labelNode();
    else if (kind === "body" && this.picture.bodies[index]) {
      const { name, beam } = this.app.header.bodies[index];
      this.labels.set("selected", name, poses.point(index, new Vector3(), beam ? beam.stations >> 1 : -1, new Vector3()), "chosen");
    } else this.labels.remove("selected");
  }

  private labelNode(): void {
    const { index, node } = this.app.selection.value;
    const body = this.picture.bodies[index];
    if (!body?.vertices || 3 * node >= body.vertices.length) return this.labels.remove("selected");
    this.labels.set("selected", `${body.data.name} · node ${body.nodes?.[node] ?? node}`, this.contours.at(body, node), "chosen node");
  }

  private apply(now: Settings, before: Settings | null): void {
    const changed = (key: keyof Settings): boolean => !before || now[key] !== before[key];
    if (changed("orthographic")) this.stage.useOrthographic(now.orthographic);
    this.grid.mesh.visible = now.grid;
    this.picture.itemGroup.visible = now.glyphs;
    if (this.picture.arrows) this.picture.arrows.group.visible = now.arrows;
    if (changed("shadow")) for (const body of this.picture.bodies) body.showShadow(now.shadow);
    if (changed("edges")) void Promise.all(this.picture.bodies.map((body) => body.showWires(now.edges))).then(() => this.stage.draw());
    if (changed("clip") || changed("clipAt") || changed("clipFlip")) this.clip(now);
    if (before && changed("glyphSize")) void this.picture.resizeGlyphs(now.glyphSize).then(() => this.highlight());
    if (changed("theme")) requestAnimationFrame(() => this.recolour());
    if (changed("ghost")) void this.ghost.choose(now.ghost);
    this.refresh();
  }

  private recolour(): void {
    const light = document.documentElement.dataset.theme === "light";
    this.grid.colours(light ? "#5c6876" : "#9aa7b8", light ? 0.5 : 0.62);
    this.stage.draw();
  }

  private clip({ clip, clipAt, clipFlip }: Settings): void {
    clipping.length = 0;
    cutting.value = clip ? 1 : 0;
    const i = "xyz".indexOf(clip);
    if (!clip || i < 0) return;
    const grown = this.box.clone().expandByScalar(0.02 * this.picture.size);
    const at = grown.min.getComponent(i) + clipAt * (grown.max.getComponent(i) - grown.min.getComponent(i));
    const sign = clipFlip ? 1 : -1;
    clipping.push(new Plane(new Vector3().setComponent(i, sign), -sign * at));
  }

  private highlight(): void {
    const { kind, index } = this.app.selection.value;
    const accent = "#2f8cff";
    this.picture.bodies.forEach((body, i) => body.highlight(accent, kind === "body" && i === index ? 0.42 : 0));
    this.picture.items.forEach((item, i) => item.highlight(accent, kind === "item" && i === index ? 0.8 : 0));
    this.refresh();
  }

  private hide(): void {
    const { bodies, items } = this.app.hidden.value;
    this.picture.bodies.forEach((body, i) => (body.group.visible = !bodies.includes(i)));
    this.picture.items.forEach((item, i) => (item.group.visible = !items.includes(i)));
    this.refresh();
  }

  /** Pixels at the left that the legend takes. */
  private aside(): number {
    return this.app.settings.value.field ? 150 : 0;
  }

  /** Joints, springs … and arrows that are drawn. */
  private signs(): Box3 {
    const box = new Box3();
    const { glyphs, arrows } = this.app.settings.value;
    const signs = [...(glyphs ? this.picture.items : []), ...(arrows ? (this.picture.arrows?.pictures ?? []) : [])];
    for (const { group } of signs) if (group.visible) box.union(new Box3().setFromObject(group));
    return box;
  }

  /** All bodies at all times, and the signs and arrows as they stand now; what lies far from all bodies does not make these small. */
  private whole(): Box3 {
    const all = this.box.clone().union(this.signs());
    const size = (box: Box3): number => box.getSize(new Vector3()).length();
    return size(all) <= FAR * size(this.box) ? all : this.box;
  }

  /** Bring what is drawn now into the picture. */
  fit(): void {
    const box = this.signs();
    this.picture.bodies.forEach((body, i) => {
      if (!body.group.visible) return;
      const own = new Box3().setFromObject(body.group, true);
      if (!own.isEmpty() && this.app.header.bodies[i].kind !== "ground") box.union(own);
    });
    this.stage.fit(box.isEmpty() ? this.box : box, undefined, this.aside());
  }

  private listenToPointer(): void {
    const canvas = this.stage.renderer.domElement;
    const place = (event: PointerEvent): [number, number] => {
      const frame = canvas.getBoundingClientRect();
      return [event.clientX - frame.left, event.clientY - frame.top];
    };
    let down: PointerEvent | null = null;
    let resting = 0;
    canvas.addEventListener("pointerdown", (event) => (down = event));
    canvas.addEventListener("pointerup", (event) => {
      if (!down || event.button !== 0 || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > CLICK) return;
      this.click(...place(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      clearTimeout(resting);
      canvas.title = "";
      if (event.buttons === 0) resting = window.setTimeout(() => this.name(...place(event)), REST);
    });
    canvas.addEventListener("pointerleave", () => clearTimeout(resting));
  }

  /** The pointer rests: say what it is over. */
  private name(x: number, y: number): void {
    const { clock, header } = this.app;
    if (clock.value.playing) return;
    const hit = this.picker.pick(x, y);
    const found = hit && (hit.kind === "item" ? header.items : header.bodies)[hit.index];
    const canvas = this.stage.renderer.domElement;
    canvas.title = found ? ("type" in found ? `${found.name} · ${found.type}` : found.name).slice(0, 300) : "";
    canvas.style.cursor = found ? "pointer" : "";
  }

  /** A click: measure, or choose; a second click on a chosen mesh chooses the node. */
  click(x: number, y: number): void {
    const hit = this.picker.pick(x, y);
    const { selection } = this.app;
    if (this.measure.mode) {
      if (hit) this.measure.add(hit);
      this.stage.draw();
      return;
    }
    if (!hit) return selection.set(nothing);
    if (hit.kind === "item") return selection.set({ kind: "item", index: hit.index, node: -1 });
    const before = selection.value;
    const again = before.index === hit.index && (before.kind === "body" || before.kind === "node");
    const node = again || this.app.settings.value.field ? this.picker.vertexNear(hit.index, hit.at) : -1;
    selection.set({ kind: node >= 0 ? "node" : "body", index: hit.index, node });
  }
}
