// Ways of points: the line a body's origin, a vertex of its mesh, or a station of a beam, draws over all time.

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Vector3 } from "three";
import { floats } from "../source";
import { cyclic, type App } from "../state";
import { Poses } from "./poses";

const COLOURS = ["#f0c24b", "#6fd3ff", "#ff8f6b", "#9be28a", "#d59bff"];

export class TraceLines {
  readonly group = new Group();
  private readonly shown = new Map<string, Line>();

  constructor(private readonly app: App, private readonly redraw: () => void) {
    app.traces.watch(["points"], ({ points }) => void this.follow(points).catch((error: Error) => app.tell(error.message)));
    app.settings.subscribe((now, before) => {
      if (now.deformation !== before.deformation && this.shown.size) void this.rebuild();
    });
  }

  private async rebuild(): Promise<void> {
    for (const key of [...this.shown.keys()]) this.remove(key);
    await this.follow(this.app.traces.value.points);
  }

  private remove(key: string): void {
    const line = this.shown.get(key);
    line?.geometry.dispose();
    line?.removeFromParent();
    this.shown.delete(key);
  }

  private async follow(points: readonly string[]): Promise<void> {
    for (const key of [...this.shown.keys()]) if (!points.includes(key)) this.remove(key);
    for (const key of points) {
      if (this.shown.has(key) || cyclic(this.app.header)) continue;
      const [body, vertex] = key.split(":").map(Number);
      if (!this.app.header.bodies[body]) continue;
      const way = await this.way(body, vertex);
      if (this.shown.has(key)) continue;
      const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(way, 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: COLOURS[this.shown.size % COLOURS.length] }));
      line.frustumCulled = false;
      this.shown.set(key, line);
      this.group.add(line);
    }
    this.redraw();
  }

  /** Positions at all rows. */
  private async way(body: number, vertex: number): Promise<Float32Array> {
    const { header, source, frames, settings } = this.app;
    const poses = new Poses(header);
    poses.scale = settings.value.deformation;
    const mesh = header.bodies[body].mesh;
    const rest = new Vector3();
    if (vertex >= 0 && mesh) {
      rest.fromArray(await floats(source, mesh.vertices), 3 * vertex);
      if (mesh.shapes) poses.provide(body, await floats(source, mesh.shapes), [vertex]);
    }
    const rows = await frames.all();
    const way = new Float32Array(3 * frames.count);
    const at = new Vector3();
    for (let row = 0; row < frames.count; row++) {
      poses.row = rows.subarray(row * frames.width, (row + 1) * frames.width);
      poses.point(body, rest, vertex, at).toArray(way, 3 * row);
    }
    return way;
  }
}
