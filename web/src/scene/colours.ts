// The scale of colours of contours: Google's "Turbo" by its polynomial (A. Mikhailov, 2019), once for the shader and the legend.

const R = [0.13572138, 4.6153926, -42.66032258, 132.13108234, -152.94239396, 59.28637943];
const G = [0.09140261, 2.19418839, 4.84296658, -14.18503333, 4.27729857, 2.82956604];
const B = [0.1066733, 12.64194608, -60.58204836, 110.36276771, -89.90310912, 27.34824973];

/** Both ends of Turbo are too dark to see the shape below them: only the part between is used. */
const FIRST = 0.09, LAST = 0.95;

export const BANDS = 10;

function horner(coefficients: number[], x: number): number {
  return coefficients.reduceRight((sum, c) => sum * x + c, 0);
}

/** The colour at x between 0 and 1, as css. */
export function colourAt(x: number): string {
  const rgb = [R, G, B].map((c) => Math.round(255 * Math.min(1, Math.max(0, horner(c, FIRST + x * (LAST - FIRST))))));
  return `rgb(${rgb.join(" ")})`;
}

const glsl = (c: number[]): string => c.map((v) => v.toFixed(8)).reduceRight((sum, v) => (sum ? `(${v} + x * ${sum})` : v), "");

/** GLSL: linear colour of a value in a range, smooth or in bands, values outside in the colour of the end. */
export const colourProgram = `
vec3 contourColour(float value, vec2 range, float bands) {
  float x = clamp((value - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
  if (bands > 0.0) x = (min(floor(x * bands), bands - 1.0) + 0.5) / bands;
  x = mix(${FIRST}, ${LAST}, x);
  vec3 c = clamp(vec3(${glsl(R)}, ${glsl(G)}, ${glsl(B)}), 0.0, 1.0);
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}`;
