// Amplitudes and power spectral density of a signal, both with Hann's window and without the mean.

import { transform } from "./fft";
import type { Uniform } from "./resample";

export interface Spectrum {
  /** [Hz] */
  frequencies: Float64Array;
  values: Float64Array;
}

export interface Peak {
  /** [Hz], between the lines of the spectrum. */
  frequency: number;
  /** Of the sine that makes this peak, in the unit of the signal. */
  amplitude: number;
}

/** Periodic Hann window, w_n = ½ − ½ cos(2πn/N). */
function hann(n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / n));
}

/** |X_k|, k = 0 … N/2, of the values without their mean, times the window. */
function magnitudes(values: Float64Array, window: Float64Array): Float64Array {
  let mean = 0;
  for (const value of values) mean += value / values.length;
  const re = values.map((value, i) => (value - mean) * window[i]);
  const im = new Float64Array(values.length);
  transform(re, im);
  return Float64Array.from({ length: (values.length >> 1) + 1 }, (_, k) => Math.hypot(re[k], im[k]));
}

function lines(n: number, step: number): Float64Array {
  return Float64Array.from({ length: (n >> 1) + 1 }, (_, k) => k / (n * step));
}

/** Lines k that stand for ±f; the first, and at even N the last, stand alone. */
function doubled(k: number, n: number): number {
  return k === 0 || 2 * k === n ? 1 : 2;
}

/** One-sided amplitude spectrum: a sine of amplitude A on a line gives A.   A_k = 2 |X_k| / Σ w */
export function amplitudes(signal: Uniform): Spectrum {
  const n = signal.values.length;
  const window = hann(n);
  const gain = window.reduce((sum, w) => sum + w, 0);
  const values = magnitudes(signal.values, window).map((x, k) => (doubled(k, n) * x) / gain);
  return { frequencies: lines(n, signal.step), values };
}

/**
 * One-sided power spectral density by Welch's method: mean over segments that overlap by half.   S_k = 2 |X_k|² dt / Σ w²
 *
 * Its integral over frequency is the variance of the signal. One segment is the plain periodogram.
 */
export function density(signal: Uniform, segments: number): Spectrum {
  const total = signal.values.length;
  const n = Math.max(4, Math.floor((2 * total) / (Math.max(1, segments) + 1)));
  const hop = segments > 1 ? Math.max(1, n >> 1) : n;
  const window = hann(n);
  const power = window.reduce((sum, w) => sum + w * w, 0);
  const values = new Float64Array((n >> 1) + 1);
  let count = 0;
  for (let begin = 0; begin + n <= total; begin += hop, count++) {
    const found = magnitudes(signal.values.subarray(begin, begin + n), window);
    found.forEach((x, k) => (values[k] += (doubled(k, n) * x * x * signal.step) / power));
  }
  return { frequencies: lines(n, signal.step), values: values.map((value) => value / Math.max(1, count)) };
}

/**
 * The largest peaks of an amplitude spectrum, largest first, with frequency and amplitude between its lines.
 *
 * For Hann's window the ratio a of the larger neighbour to the peak gives the distance d of the sine from the line,
 * d = (2a − 1)/(a + 1), and its amplitude, A_k · πd (1 − d²)/sin πd.   Grandke 1983
 */
export function peaks(spectrum: Spectrum, most: number, floor = 1e-3): Peak[] {
  const { frequencies, values } = spectrum;
  const step = frequencies[1] - frequencies[0];
  const largest = values.reduce((a, b) => Math.max(a, b), 0);
  const found: Peak[] = [];
  for (let k = 1; k < values.length - 1; k++) {
    const [left, here, right] = [values[k - 1], values[k], values[k + 1]];
    if (!(here > left && here >= right && here > floor * largest)) continue;
    const above = right > left;
    const a = (above ? right : left) / here;
    const d = Math.min(0.5, Math.max(0, (2 * a - 1) / (a + 1)));
    const lift = d < 1e-6 ? 1 : (Math.PI * d * (1 - d * d)) / Math.sin(Math.PI * d);
    found.push({ frequency: frequencies[k] + (above ? d : -d) * step, amplitude: here * lift });
  }
  return found.sort((a, b) => b.amplitude - a.amplitude).slice(0, most);
}
