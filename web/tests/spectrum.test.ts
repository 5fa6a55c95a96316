// Against numbers of numpy.fft and scipy.signal (periodogram and welch with window="hann", detrend="constant").

import assert from "node:assert/strict";
import { test } from "node:test";
import { transform } from "../src/signal/fft";
import { sampled, uniform } from "../src/signal/resample";
import { statistics } from "../src/signal/statistics";
import { amplitudes, density, peaks } from "../src/signal/spectrum";

function near(found: ArrayLike<number>, expected: readonly number[], tolerance = 1e-10): void {
  assert.equal(found.length, expected.length);
  const largest = Math.max(...expected.map(Math.abs));
  expected.forEach((value, i) => assert.ok(Math.abs(found[i] - value) <= tolerance * largest, `${i}: ${found[i]} ≠ ${value}`));
}

const at = (n: number, f: (i: number) => number): Float64Array => Float64Array.from({ length: n }, (_, i) => f(i));
const wavy = (i: number): number => Math.sin(0.7 * i ** 1.3) + 0.1 * i;

test("a transform of a power of two is numpy's", () => {
  const [re, im] = [at(8, wavy), new Float64Array(8)];
  transform(re, im);
  near(re, [4.57111024565, 1.62022801105, -3.067842984691, -0.6356287657923, -0.4046227667838, -0.6356287657923, -3.067842984691, 1.62022801105]);
  near(im, [0, 0.1702149763211, 1.146620015003, -0.2274802077161, 0, 0.2274802077161, -1.146620015003, -0.1702149763211]);
});

test("a transform of any length is numpy's, complex values too", () => {
  const [re, im] = [at(12, wavy), at(12, (i) => Math.cos(1.9 * i))];
  transform(re, im);
  near(re, [8.023099115623, 0.5678978428877, -0.3740276125116, -7.722451394552, 3.774617115764, 0.8020005938097, 0.004818671139602, -0.7552301630454, -4.50937940659, -2.493919299932, 1.404044978816, 1.278529558589]);
  near(im, [0.5864750911352, 2.441735116545, -0.22570539129, 1.409612320715, 1.504271527007, 1.221793529339, 1.351026173247, 1.730002984058, 4.06043712205, -1.837022146813, 1.084440675938, -1.327067001931]);
});

test("a long odd length keeps Parseval's sum", () => {
  const n = 30_011;
  const x = at(n, (i) => Math.sin(0.01 * i) + ((i * 7919) % 101) / 101);
  const [re, im] = [x.slice(), new Float64Array(n)];
  transform(re, im);
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value * value, 0);
  assert.ok(Math.abs((sum(re) + sum(im)) / n / sum(x) - 1) < 1e-12);
});

const RATE = 200;
const TWO = {
  values: at(30, (i) => 3 + 2 * Math.sin((2 * Math.PI * 25 * i) / RATE) + 0.5 * Math.cos((2 * Math.PI * 60 * i) / RATE + 0.3)),
  start: 0,
  step: 1 / RATE,
  resampled: false,
};

test("amplitudes are scipy's", () => {
  const { frequencies, values } = amplitudes(TWO);
  near(frequencies.slice(0, 3), [0, 6.666666666667, 13.33333333333]);
  near(values.slice(1, 15), [0.09420987710938, 0.1247361940772, 1.371914079026, 1.920675946096, 0.6402207109932, 0.04924176507579, 0.0144757611066, 0.2446400602107, 0.5027774993235, 0.2483835616079, 0.001172599336784, 0.0007765495607866, 0.0005390603062439, 0.000403875740587]);
});

test("the density of one segment and of three is scipy's", () => {
  near(density(TWO, 1).values, [0.001447094440026, 0.0004437750472482, 0.0007779559056429, 0.09410741201147, 0.1844498044957, 0.02049412793923, 0.0001212375713889, 1.047738298077e-5, 0.002992437952995, 0.0126392606913, 0.003084719683851, 6.874946023134e-8, 3.015146101789e-8, 1.452930068839e-8, 8.155780691737e-9, 3.205335132085e-9]);
  near(density(TWO, 3).values, [0.001085733237481, 0.04014304371358, 0.09780714140135, 0.01754044888893, 0.004394697896646, 0.004537657940743, 0.0001771137603067, 3.493122946296e-6]);
});

test("a sine between two lines is found with its frequency and amplitude", () => {
  const times = at(1000, (i) => i / 1000);
  const values = times.map((t) => 7 + 2.5 * Math.sin(2 * Math.PI * 40.37 * t + 1) + 0.4 * Math.sin(2 * Math.PI * 133.5 * t));
  const found = peaks(amplitudes(uniform(times, values)!), 2);
  near([found[0].frequency, found[1].frequency], [40.37, 133.5], 1e-4);
  near([found[0].amplitude, found[1].amplitude], [2.5, 0.4], 1e-3);
});

test("uneven times are resampled, and the peak stays where it is", () => {
  const times = at(2000, (i) => i / 1000 + 3e-4 * Math.sin(i));
  const signal = uniform(times, times.map((t) => 1.5 * Math.cos(2 * Math.PI * 31.2 * t)))!;
  assert.ok(signal.resampled);
  const [peak] = peaks(amplitudes(signal), 1);
  near([peak!.frequency, peak!.amplitude], [31.2, 1.5], 1e-3);
});

test("a part of the time is taken, doubled rows of events count once, and too few are refused", () => {
  const times = Float64Array.of(0, 1, 2, 2, 3, 4, 5);
  const signal = uniform(times, Float64Array.of(9, 1, 2, 5, 3, 4, NaN), 0.5, 4.5)!;
  assert.deepEqual([...signal.values], [1, 5, 3, 4]);
  assert.equal(signal.resampled, false);
  assert.equal(uniform(times, times, 0, 2), null);
});

test("a signal at the times of another run", () => {
  const found = sampled(Float64Array.of(0, 1, 1, 3), Float64Array.of(0, 10, 20, 40), Float64Array.of(-1, 0, 0.5, 1, 2, 3, 4));
  assert.deepEqual(found, [null, 0, 5, 20, 30, 40, null]);
});

test("statistics weigh uneven rows by time", () => {
  const times = at(2001, (i) => (i / 2000) ** 2);
  const found = statistics(times, times.map((t) => 1 + 2 * Math.sin(2 * Math.PI * t)))!;
  near([found.least, found.largest, found.mean, found.rms], [-1, 3, 1, Math.sqrt(3)], 1e-6);
  assert.deepEqual(statistics(times, times, 2, 3), null);
  assert.equal(statistics(Float64Array.of(0, 2), Float64Array.of(0, 3))?.rms, Math.sqrt(3)); // of a straight line
});
