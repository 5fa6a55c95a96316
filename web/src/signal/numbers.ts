// How numbers are written: few digits, prefixes of units where they help.

const PREFIXES: readonly [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];
/** Units that take a prefix; others (rad, m/s², kg …) keep theirs and the number takes an exponent. */
const PREFIXED = new Set(["Pa", "N", "N m", "J", "W", "Hz", "m", "s", "V", "A"]);
/** Below this, lengths [m] are written in mm; nothing above takes a k. */
const NO_LARGE = new Set(["m", "s"]);

/** In SI units, what is smaller than this is rounding. */
export const ROUNDING = 1e-14;

export interface Scale {
  /** Shown number = value / factor. */
  factor: number;
  unit: string;
}

/** The unit in which values up to `largest` are shown: 2.1e8 Pa as MPa, 2e-3 m as mm. */
export function scaleOf(largest: number, unit: string): Scale {
  const size = Math.abs(largest);
  if (!PREFIXED.has(unit) || !(size > ROUNDING) || !Number.isFinite(size)) return { factor: 1, unit };
  for (const [factor, prefix] of PREFIXES) {
    if (factor > 1 && NO_LARGE.has(unit)) continue;
    if (size >= factor * 0.99999) return { factor, unit: prefix + unit };
  }
  return { factor: 1e-9, unit: "n" + unit };
}

/** A number with so many digits, a true minus, and an exponent only where it is short. */
export function written(value: number, digits = 5): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e-3 && size < 10 ** Math.max(digits, 6) ? plain(value, digits) : power(value, digits);
  return text.replaceAll("-", "−");
}

function plain(value: number, digits: number): string {
  const text = value.toPrecision(digits);
  return text.includes("e") ? String(Number(text)) : trimmed(text);
}

function power(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(Math.max(0, digits - 1)).split("e") as [string, string];
  return `${trimmed(mantissa)}e${exponent.replace("+", "")}`;
}

function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A number with its unit, in a prefix that suits it. */
export function measured(value: number, unit: string, digits = 5): string {
  const scale = scaleOf(value, unit);
  const text = written(value / scale.factor, digits);
  return scale.unit ? `${text} ${scale.unit}` : text;
}
