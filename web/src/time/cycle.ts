// The cycle of a mode:  rest + a (Re cos φ − Im sin φ).
// Frames hold rows 2k (Re) and 2k+1 (Im) of mode k, and the rest in the last row. Poses are displaced by three lengths and a rotation vector in
// global axes; modal coordinates add.

import { Quaternion, Vector3 } from "three";
import type { Header } from "../protocol";
import { floats, type Source } from "../source";
import { CYCLE } from "../state";
import type { Frames } from "./frames";

/** The largest motion is drawn as this part of the size of everything. */
const SHOWN = 0.06;

export class Cycle {
  private readonly poses: number[] = [];
  private readonly amplitudes = new Map<number, number>();

  constructor(private readonly frames: Frames, private readonly header: Header, private readonly source: Source, private readonly size: number) {
    for (const at of frames.quaternions) this.poses.push(at - 3);
  }

  get rows(): number {
    return CYCLE + 1;
  }

  /** The frame at this step of the cycle. */
  sample(mode: number, step: number, factor: number, out: Float32Array): boolean {
    const count = this.header.modes?.length ?? 0;
    const [re, im, rest] = [2 * mode, 2 * mode + 1, 2 * count].map((row) => this.frames.row(row));
    if (!re || !im || !rest) return false;
    const phase = (2 * Math.PI * step) / CYCLE;
    const a = factor * (this.amplitudes.get(mode) ?? 1);
    const c = a * Math.cos(phase), s = -a * Math.sin(phase);
    for (let i = 0; i < out.length; i++) out[i] = rest[i] + c * re[i] + s * im[i];
    const turn = new Quaternion(), by = new Quaternion(), vector = new Vector3();
    for (const at of this.poses) {
      vector.set(c * re[at + 3] + s * im[at + 3], c * re[at + 4] + s * im[at + 4], c * re[at + 5] + s * im[at + 5]);
      const angle = vector.length();
      by.setFromAxisAngle(angle > 0 ? vector.divideScalar(angle) : vector.set(1, 0, 0), angle);
      turn.set(rest[at + 4], rest[at + 5], rest[at + 6], rest[at + 3]).premultiply(by);
      out[at + 3] = turn.w;
      out[at + 4] = turn.x;
      out[at + 5] = turn.y;
      out[at + 6] = turn.z;
    }
    return true;
  }

  /** Find the factor that makes a mode's largest motion easy to see. */
  async prepare(mode: number): Promise<void> {
    if (this.amplitudes.has(mode)) return;
    const rows = await Promise.all([2 * mode, 2 * mode + 1].map((row) => this.wait(row)));
    let largest = 0;
    const reach = 0.5 * this.size;
    for (const row of rows) {
      for (const at of this.poses) {
        largest = Math.max(largest, Math.hypot(row[at], row[at + 1], row[at + 2]), 0.5 * reach * Math.hypot(row[at + 3], row[at + 4], row[at + 5]));
      }
      for (const { mesh } of this.header.bodies) {
        if (!mesh?.shapes || mesh.modes === 0) continue;
        largest = Math.max(largest, largestMotion(await floats(this.source, mesh.shapes), row.subarray(mesh.z, mesh.z + mesh.modes)));
      }
    }
    this.amplitudes.set(mode, largest > 0 ? (SHOWN * this.size) / largest : 1);
  }

  private async wait(row: number): Promise<Float32Array> {
    for (;;) {
      const found = this.frames.row(row);
      if (found) return found;
      await new Promise<void>((resolve) => {
        const end = this.frames.onLoad(() => {
          end();
          resolve();
        });
      });
    }
  }
}

/** Largest displacement of a mesh with these modal coordinates; every few vertices are enough. */
function largestMotion(shapes: Float32Array, z: Float32Array): number {
  const n = shapes.length / 3 / z.length;
  const step = Math.max(1, Math.floor(n / 4000));
  let largest = 0;
  for (let v = 0; v < n; v += step) {
    const u = [0, 0, 0];
    for (let k = 0; k < z.length; k++) for (let i = 0; i < 3; i++) u[i] += z[k] * shapes[3 * (k * n + v) + i];
    largest = Math.max(largest, Math.hypot(u[0], u[1], u[2]));
  }
  return largest;
}
