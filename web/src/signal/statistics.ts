// Least, largest, mean and root mean square of a signal over a time.

export interface Statistics {
  least: number;
  largest: number;
  /** (1/T) ∫ y dt, on straight lines between the rows. */
  mean: number;
  /** √((1/T) ∫ y² dt) */
  rms: number;
}

/** Over the rows from … to [s]; null where there are none. */
export function statistics(times: Float64Array, values: Float64Array, from = -Infinity, to = Infinity): Statistics | null {
  let [least, largest, area, square, span, count, before] = [Infinity, -Infinity, 0, 0, 0, 0, -1];
  for (let i = 0; i < Math.min(times.length, values.length); i++) {
    const value = values[i];
    if (!(times[i] >= from && times[i] <= to) || !Number.isFinite(value)) continue;
    least = Math.min(least, value);
    largest = Math.max(largest, value);
    if (before >= 0) {
      const [step, other] = [times[i] - times[before], values[before]];
      span += step;
      area += (step * (value + other)) / 2;
      square += (step * (value * value + value * other + other * other)) / 3; // exact for a straight line
    }
    before = i;
    count++;
  }
  if (count === 0) return null;
  if (!(span > 0)) return { least, largest, mean: values[before], rms: Math.abs(values[before]) };
  return { least, largest, mean: area / span, rms: Math.sqrt(square / span) };
}
