// History of one vertex of a deformable body over all rows: where it is and how it moves against its body.

import type { BodyData } from "./protocol";
import { floats } from "./source";
import type { App } from "./state";

export interface NodeHistory {
  /** Number of the node in the model's own numbering. */
  name: string;
  /** Series at app.times: position x y z, deformation x y z and magnitude, components of the shown field … */
  series: { name: string; unit: string; values: Float64Array }[];
}

/** x y z of the vertex at rest, and its displacement shape by mode (r × 3). */
export async function vertexShapes(app: App, body: BodyData, vertex: number): Promise<{ rest: number[]; shapes: Float64Array }> {
  const mesh = body.mesh;
  if (!mesh) throw new Error(`${body.name} has no mesh`);
  const vertices = await floats(app.source, mesh.vertices);
  const rest = [0, 1, 2].map((i) => vertices[3 * vertex + i]);
  const shapes = new Float64Array(3 * mesh.modes);
  if (mesh.shapes) {
    const all = await floats(app.source, mesh.shapes);
    const stride = mesh.shapes.shape[1] * 3;
    for (let k = 0; k < mesh.modes; k++)
      for (let i = 0; i < 3; i++) shapes[3 * k + i] = all[k * stride + 3 * vertex + i];
  }
  return { rest, shapes };
}

/** Rotate a vector by the quaternion (w x y z) that stands at `at` in `q`. */
export function rotate(q: ArrayLike<number>, at: number, x: number, y: number, z: number): [number, number, number] {
  const w = q[at], a = q[at + 1], b = q[at + 2], c = q[at + 3];
  const tx = 2 * (b * z - c * y), ty = 2 * (c * x - a * z), tz = 2 * (a * y - b * x);
  return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

/** Histories of a picked vertex, computed here from the rows; stress is not among them (ask fieldHistory). */
export async function nodeHistory(app: App, bodyIndex: number, vertex: number): Promise<NodeHistory> {
  const body = app.header.bodies[bodyIndex];
  const mesh = body.mesh;
  if (!mesh) throw new Error(`${body.name} has no mesh`);
  const { rest, shapes } = await vertexShapes(app, body, vertex);
  const rows = await app.frames.all();
  const { width, count } = app.frames;
  const names = ["x", "y", "z"].map((axis) => `position ${axis}`).concat(["x", "y", "z", "magnitude"].map((a) => `deformation ${a}`));
  const series = names.map((name) => ({ name, unit: "m", values: new Float64Array(count) }));
  for (let row = 0; row < count; row++) {
    const at = row * width;
    const u = [0, 0, 0];
    for (let k = 0; k < mesh.modes; k++)
      for (let i = 0; i < 3; i++) u[i] += rows[at + mesh.z + k] * shapes[3 * k + i];
    let p: number[] = rest.map((value, i) => value + u[i]);
    if (body.pose >= 0) {
      const turned = rotate(rows, at + body.pose + 3, p[0], p[1], p[2]);
      p = turned.map((value, i) => value + rows[at + body.pose + i]);
    }
    for (let i = 0; i < 3; i++) {
      series[i].values[row] = p[i];
      series[3 + i].values[row] = u[i];
    }
    series[6].values[row] = Math.hypot(u[0], u[1], u[2]);
  }
  const nodes = new Uint32Array(await app.source.buffer(mesh.nodes.buffer));
  return { name: `${body.name} node ${nodes[vertex]}`, series };
}

/** Components of a field of the vertex over all rows. */
export async function fieldHistory(app: App, bodyIndex: number, vertex: number, name: string): Promise<NodeHistory["series"]> {
  const mesh = app.header.bodies[bodyIndex].mesh;
  const field = mesh?.fields.find((one) => one.name === name);
  if (!mesh || !field) return [];
  const all = await floats(app.source, field.shapes);
  const constant = field.constant ? await floats(app.source, field.constant) : null;
  const c = field.components.length;
  const stride = field.shapes.shape[1] * c;
  const rows = await app.frames.all();
  const { width, count } = app.frames;
  return field.components.map((component, j) => {
    const values = new Float64Array(count).fill(constant ? constant[vertex * c + j] : 0);
    for (let row = 0; row < count; row++)
      for (let k = 0; k < mesh.modes; k++) values[row] += rows[row * width + mesh.z + k] * all[k * stride + vertex * c + j];
    return { name: `${name} ${component}`, unit: field.unit, values };
  });
}
