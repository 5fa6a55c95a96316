// Values between two rows of frames.

import type { Header } from "../protocol";

/** Where quaternions (w x y z) stand in a row: the last four of each pose. */
export function quaternionOffsets(header: Header): Int32Array {
  const found: number[] = [];
  for (const body of header.bodies) {
    if (body.pose >= 0) found.push(body.pose + 3);
    if (body.beam) for (let i = 0; i < body.beam.stations; i++) found.push(body.beam.poses + 7 * i + 3);
  }
  return Int32Array.from(found);
}

/** out = a + part (b − a), quaternions turned at constant rate on the shorter way. */
export function mixRows(a: Float32Array, b: Float32Array, part: number, quaternions: Int32Array, out: Float32Array): void {
  for (let i = 0; i < a.length; i++) out[i] = a[i] + part * (b[i] - a[i]);
  for (const at of quaternions) slerp(a, b, at, part, out);
}

function slerp(a: Float32Array, b: Float32Array, at: number, part: number, out: Float32Array): void {
  let cosine = 0;
  for (let i = 0; i < 4; i++) cosine += a[at + i] * b[at + i];
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const sine = Math.sin(angle);
  const first = sine < 1e-6 ? 1 - part : Math.sin((1 - part) * angle) / sine;
  const second = sign * (sine < 1e-6 ? part : Math.sin(part * angle) / sine);
  let norm = 0;
  for (let i = 0; i < 4; i++) {
    out[at + i] = first * a[at + i] + second * b[at + i];
    norm += out[at + i] ** 2;
  }
  norm = Math.sqrt(norm) || 1;
  for (let i = 0; i < 4; i++) out[at + i] /= norm;
}

/** The row whose time is nearest below, with the fraction towards the next (times grow). */
export function rowAt(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length - 1;
  if (high <= 0 || time <= times[0]) return 0;
  if (time >= times[high]) return high;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const span = times[high] - times[low];
  return low + (span > 0 ? (time - times[low]) / span : 0);
}

/** The time at a row with a fraction. */
export function timeAt(times: Float64Array, row: number): number {
  if (times.length === 0) return 0;
  const low = Math.min(Math.max(Math.floor(row), 0), times.length - 1);
  const high = Math.min(low + 1, times.length - 1);
  return times[low] + (row - low) * (times[high] - times[low]);
}
