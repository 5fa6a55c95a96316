// A second run over the first, seen through.

import { Group } from "three";
import { make } from "../layout";
import { measured } from "../signal/numbers";
import type { App } from "../state";
import { Frames } from "../time/frames";
import { rowAt } from "../time/interpolate";
import { Picture } from "./picture";
import type { Stage } from "./stage";

const COLOUR = "#ff7ab8";

export class Ghost {
  readonly group = new Group();
  /** Which run is drawn over the other, and that it has ended. */
  readonly note = make("div", "ghost-note");
  private shown: { picture: Picture; frames: Frames; times: Float64Array; row: Float32Array } | null = null;
  private order = 0;
  /** Is it in the picture? */
  drawn = false;

  constructor(private readonly app: App, private readonly stage: Stage, private readonly redraw: () => void) {
    this.note.hidden = true;
    stage.host.append(this.note);
  }

  /** Show another run beside the page's own; -1: none. */
  async choose(run: number): Promise<void> {
    const order = ++this.order;
    this.shown?.picture.dispose();
    this.shown = null;
    this.drawn = false;
    this.note.hidden = true;
    const source = run >= 0 ? this.app.source.other?.(run) : undefined;
    if (!source) return this.redraw();
    try {
      const header = await source.header();
      const times = new Float64Array(await source.buffer(header.times.buffer), 0, header.times.count);
      const picture = new Picture(this.stage.renderer, source, header, { ghost: { color: COLOUR, opacity: 0.34 }, glyphSize: 1 });
      await picture.load();
      if (order !== this.order) return picture.dispose();
      const frames = new Frames(source, header);
      frames.onLoad(this.redraw);
      this.group.add(picture.group);
      this.shown = { picture, frames, times, row: picture.poses.row };
    } catch (error) {
      this.app.tell(error instanceof Error ? error.message : String(error));
    }
    this.redraw();
  }

  private told(time: number, times: Float64Array): string {
    const name = (this.app.header.runs?.[this.app.settings.value.ghost] ?? "the other run").slice(0, 100);
    const own = this.app.times[this.app.times.length - 1];
    const first = times[0], last = times[times.length - 1], slack = 1e-9 * Math.max(Math.abs(first), Math.abs(last));
    if (time > last + slack) return `${name} ended at ${measured(last, "s", 5)}: shown as it stood then`;
    return time < first - slack ? `${name} begins at ${measured(first, "s", 5)}: shown as it stands then` : name + (last > own + slack ? ` (it goes on to ${measured(last, "s", 5)}, beyond the first run)` : "");
  }

  /** Both runs are shown at the same time; false while the row of this one is still on its way. */
  update(time: number, deformation: number): boolean {
    if (!this.shown?.times.length) return true;
    const { picture, frames, times, row } = this.shown;
    const at = rowAt(times, time);
    frames.prefetch(Math.floor(at));
    const there = frames.sample(at, row);
    if (there) picture.update(row, deformation, 1, new Set());
    this.drawn ||= there;
    picture.group.visible = this.drawn;
    this.note.hidden = !this.drawn;
    this.note.textContent = this.told(time, times);
    return there;
  }
}
