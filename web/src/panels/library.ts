// Values of what can be plotted: recorded signals by name, and histories of nodes, which are computed here.

import type { App } from "../state";
import { floats, integers, type Source } from "../source";
import { sampled } from "../signal/resample";
import { magnitude, nodeHistory, nodeShape, positions, principal, vonMises, type Rows } from "../signal/history";

export interface Series {
  ref: string;
  name: string;
  unit: string;
  values: Float64Array;
}

interface NodeRef {
  body: number;
  vertex: number;
  /** "displacement", "position", or a field of the mesh. */
  field: string;
  measure: string;
}

/** A run beside this one. */
interface Other {
  source: Source;
  times: Float64Array;
  names: ReadonlySet<string>;
}

async function opened(source: Source): Promise<Other> {
  const { times, signals } = await source.header();
  return { source, times: new Float64Array(await source.buffer(times.buffer), 0, times.count), names: new Set(signals.map(({ name }) => name)) };
}

const AXES = ["x", "y", "z"];
const PRINCIPAL = ["principal_1", "principal_2", "principal_3"];

/** A measure as words. */
export function measureText(measure: string): string {
  return measure.replaceAll("_", " ").replace("von mises", "von Mises");
}

/** How a node's history is named among the plotted signals. */
export function nodeRef(body: number, vertex: number, field: string, measure: string): string {
  return `node:${body}:${vertex}:${field}:${measure}`;
}

function parsed(ref: string): NodeRef | null {
  const found = /^node:(\d+):(\d+):([^:]+):([^:]+)$/.exec(ref);
  return found ? { body: Number(found[1]), vertex: Number(found[2]), field: found[3], measure: found[4] } : null;
}

export class Library {
  private readonly units: ReadonlyMap<string, string>;
  private readonly kept = new Map<string, Promise<Series>>();
  private readonly nodes = new Map<string, Promise<Float64Array[]>>();
  private beside: { run: number; opened: Promise<Other> } | null = null;

  constructor(private readonly app: App) {
    this.units = new Map(app.header.signals.map((signal) => [signal.name, signal.unit]));
  }

  unit(ref: string): string {
    const node = this.units.has(ref) ? null : parsed(ref);
    if (!node) return this.units.get(ref) ?? "";
    return this.field(node)?.unit ?? "m";
  }

  /** The series; refused with the reason where it does not exist. */
  get(ref: string): Promise<Series> {
    let found = this.kept.get(ref);
    if (!found) {
      found = this.made(ref);
      found.catch(() => this.kept.delete(ref));
      this.kept.set(ref, found);
    }
    return found;
  }

  /** The same signal of the run that is drawn as a ghost, at the times of this one; null where there is none. */
  async ghost(ref: string): Promise<(number | null)[] | null> {
    const { source, settings, times } = this.app;
    const run = settings.value.ghost;
    if (run < 0 || !source.other) return null;
    if (this.beside?.run !== run) this.beside = { run, opened: opened(source.other(run)) };
    const other = await this.beside.opened;
    return other.names.has(ref) ? sampled(other.times, await other.source.signal(ref), times) : null;
  }

  /** Read anew what has grown. */
  forget(): void {
    this.kept.clear();
    this.nodes.clear();
  }

  /** What can be plotted of a node: [field, measure]. */
  measures(body: number): [string, string][] {
    const mesh = this.app.header.bodies[body]?.mesh;
    if (!mesh || this.app.times.length < 2 || this.app.header.modes) return [];
    const found: [string, string][] = [["displacement", "magnitude"]];
    for (const axis of AXES) found.push(["displacement", axis]);
    for (const axis of AXES) found.push(["position", axis]);
    for (const field of mesh.fields) {
      if (field.components.length === 6) for (const name of ["von_mises", ...PRINCIPAL]) found.push([field.name, name]);
      for (const component of field.components) found.push([field.name, component]);
    }
    return found;
  }

  private async made(ref: string): Promise<Series> {
    const node = this.units.has(ref) ? null : parsed(ref);
    if (node) return this.ofNode(ref, node);
    if (!this.units.has(ref)) throw new Error("there is no such signal");
    return { ref, name: ref, unit: this.unit(ref), values: await this.app.source.signal(ref) };
  }

  private field(node: NodeRef): { unit: string; components: string[] } | undefined {
    return this.app.header.bodies[node.body]?.mesh?.fields.find((field) => field.name === node.field);
  }

  private async ofNode(ref: string, node: NodeRef): Promise<Series> {
    const body = this.app.header.bodies[node.body];
    if (!body?.mesh || node.vertex >= body.mesh.vertices.shape[0]) throw new Error("there is no such node");
    const numbers = await integers(this.app.source, body.mesh.nodes);
    const key = `${node.body} ${node.vertex} ${node.field}`;
    let parts = this.nodes.get(key);
    if (!parts) {
      parts = this.parts(node);
      this.nodes.set(key, parts);
    }
    const measure = measureText(node.measure);
    const name = `${body.name} node ${numbers[node.vertex]} ${node.field}${measure === "magnitude" ? "" : ` ${measure}`}`;
    return { ref, name, unit: this.unit(ref), values: measured(await parts, node.measure, this.field(node)?.components ?? AXES) };
  }

  /** Components of a node's field over time. */
  private async parts(node: NodeRef): Promise<Float64Array[]> {
    const { source, header } = this.app;
    const body = header.bodies[node.body];
    const mesh = body.mesh;
    if (!mesh) throw new Error("the body has no mesh");
    const { count, width } = this.app.frames;
    const rows: Rows = { count, width, read: (first, number) => source.frames(first, number) };
    if (node.field === "displacement" || node.field === "position") {
      const size = [mesh.modes, mesh.vertices.shape[0], 3] as const;
      const all = mesh.shapes ? await floats(source, mesh.shapes) : new Float32Array(0);
      const shape = nodeShape(all, mesh.shapes ? size : [0, size[1], 3], node.vertex);
      if (node.field === "displacement") return nodeHistory(shape, rows, mesh.z);
      const rest = (await floats(source, mesh.vertices)).slice(3 * node.vertex, 3 * node.vertex + 3);
      return positions({ ...shape, constant: rest }, rows, mesh.z, body.pose);
    }
    const field = mesh.fields.find((each) => each.name === node.field);
    if (!field) throw new Error(`there is no field ${node.field}`);
    const [modes, nodes, components] = field.shapes.shape;
    const constant = field.constant ? await floats(source, field.constant) : null;
    return nodeHistory(nodeShape(await floats(source, field.shapes), [modes, nodes, components], node.vertex, constant), rows, mesh.z);
  }
}

function measured(parts: Float64Array[], measure: string, components: readonly string[]): Float64Array {
  if (measure === "magnitude") return magnitude(parts);
  if (measure === "von_mises") return vonMises(parts);
  if (PRINCIPAL.includes(measure)) return principal(parts)[PRINCIPAL.indexOf(measure)];
  const at = components.indexOf(measure);
  if (at < 0) throw new Error(`there is no ${measure}`);
  return parts[at];
}
