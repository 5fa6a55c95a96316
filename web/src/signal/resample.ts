// A signal on uniform times, as spectra need it.

export interface Uniform {
  values: Float64Array;
  /** First time [s] and distance of the times [s]. */
  start: number;
  step: number;
  /** Whether values between the recorded ones had to be interpolated. */
  resampled: boolean;
}

/** Recorded distances that differ by less than this share of the mean count as equal. */
const EVEN = 1e-3;
/** At most so many times the recorded rows, where their distances differ widely. */
const FINEST = 4;

/**
 * The part of a signal from … to [s] at uniform times, or null where fewer than four values are left.
 *
 * Rows that are evenly spaced are taken as they are. Others are interpolated by cubic Hermite polynomials with the slopes
 * of the parabolas through three rows, at the smallest distance of two rows (at most FINEST times as many values as rows).
 */
export function uniform(times: Float64Array, values: Float64Array, from = -Infinity, to = Infinity): Uniform | null {
  const t: number[] = [];
  const y: number[] = [];
  for (let i = 0; i < times.length; i++) {
    const time = times[i];
    const value = values[i];
    if (!(time >= from && time <= to) || !Number.isFinite(value)) continue;
    if (t.length > 0 && time <= t[t.length - 1]) y[y.length - 1] = value; // an event: what holds from then on
    else {
      t.push(time);
      y.push(value);
    }
  }
  const n = t.length;
  if (n < 4) return null;
  const start = t[0];
  const span = t[n - 1] - start;
  const mean = span / (n - 1);
  let smallest = mean;
  let uneven = 0;
  for (let i = 1; i < n; i++) {
    smallest = Math.min(smallest, t[i] - t[i - 1]);
    uneven = Math.max(uneven, Math.abs(t[i] - start - i * mean));
  }
  if (uneven <= EVEN * mean) return { values: Float64Array.from(y), start, step: mean, resampled: false };
  const count = Math.min(Math.ceil(span / smallest - 1e-9) + 1, FINEST * n);
  const step = span / (count - 1);
  return { values: hermite(t, y, start, step, count), start, step, resampled: true };
}

function hermite(t: number[], y: number[], start: number, step: number, count: number): Float64Array {
  const slope = slopes(t, y);
  const found = new Float64Array(count);
  const last = t.length - 2;
  for (let k = 0, i = 0; k < count; k++) {
    const time = start + k * step;
    while (i < last && time > t[i + 1]) i++;
    const h = t[i + 1] - t[i];
    const s = Math.min(1, (time - t[i]) / h);
    const r = 1 - s;
    found[k] =
      r * r * (1 + 2 * s) * y[i] + s * s * (3 - 2 * s) * y[i + 1] + h * s * r * (r * slope[i] - s * slope[i + 1]);
  }
  return found;
}

/** Slope at each row of the parabola through it and its neighbours. */
function slopes(t: number[], y: number[]): number[] {
  const n = t.length;
  const secant = (i: number): number => (y[i + 1] - y[i]) / (t[i + 1] - t[i]);
  const slope = new Array<number>(n).fill(0);
  for (let i = 1; i < n - 1; i++) {
    const before = t[i] - t[i - 1];
    const after = t[i + 1] - t[i];
    slope[i] = (after * secant(i - 1) + before * secant(i)) / (before + after);
  }
  slope[0] = 2 * secant(0) - slope[1];
  slope[n - 1] = 2 * secant(n - 2) - slope[n - 2];
  return slope;
}

/** A signal at other times, on straight lines between its own; null before its first and after its last. */
export function sampled(times: Float64Array, values: Float64Array, at: Float64Array): (number | null)[] {
  const n = Math.min(times.length, values.length);
  const found = new Array<number | null>(at.length).fill(null);
  for (let k = 0, i = 0; k < at.length; k++) {
    if (n === 0 || !(at[k] >= times[0] && at[k] <= times[n - 1])) continue;
    while (i < n - 2 && at[k] >= times[i + 1]) i++;
    const span = times[i + 1] - times[i];
    found[k] = span > 0 ? values[i] + ((values[i + 1] - values[i]) * (at[k] - times[i])) / span : values[i];
  }
  return found;
}
