// Measures of a field: what the shader makes of its components. Names as in Python (flexor/recover/measures.py).

import type { Field } from "../protocol";

export interface Measure {
  name: string;
  label: string;
  code: number;
}

const tensor: Measure[] = [
  { name: "von_mises", label: "von Mises", code: 6 },
  { name: "principal_1", label: "principal 1 (largest)", code: 7 },
  { name: "principal_2", label: "principal 2", code: 8 },
  { name: "principal_3", label: "principal 3 (smallest)", code: 9 },
  { name: "signed_max", label: "largest principal, signed", code: 10 },
  { name: "tresca", label: "Tresca", code: 11 },
  { name: "max_shear", label: "largest shear", code: 12 },
  { name: "pressure", label: "pressure", code: 13 },
];

/** The deformation is a field of every mesh that deforms. */
export const deformation: Measure[] = [
  { name: "magnitude", label: "magnitude", code: 20 },
  { name: "x", label: "x", code: 21 },
  { name: "y", label: "y", code: 22 },
  { name: "z", label: "z", code: 23 },
];

/** What can be shown of a field. */
export function measuresOf(field: Field | null): Measure[] {
  if (!field) return deformation;
  const plain = field.components.slice(0, 6).map((name, code) => ({ name, label: name, code }));
  return field.components.length === 6 ? [...tensor, ...plain] : plain;
}

/** Is the tensor one of strain, whose stored shear is γ = 2 ε? */
export function isStrain(field: Field | null): boolean {
  return field !== null && /strain/i.test(field.name);
}

/** GLSL: the scalar that `code` asks for, from a = (xx, yy, zz, xy), b = (yz, zx); shear = tensor component per stored one.
 * Principal values by Jacobi rotations of the scaled deviator: good to a few units of the last digit of the largest component, also where
 * two of them are nearly equal. (By the angle of the deviator, acos near ±1 leaves half of the digits.) */
export const scalarOf = `
// Turns the axes p, q so that their off-diagonal component becomes 0; r is the third axis. Diagonal d, off-diagonal e[k] across from axis k.
void rotate(inout vec3 d, inout vec3 e, int p, int q, int r) {
  float gap = d[q] - d[p], two = 2.0 * e[r], below = abs(gap) + sqrt(gap * gap + two * two);
  if (below <= 0.0) return;
  float t = (gap < 0.0 ? -two : two) / below, c = inversesqrt(1.0 + t * t), s = t * c, step = t * e[r];
  float rp = e[q], rq = e[p];
  d[p] -= step; d[q] += step;
  e[r] = 0.0; e[q] = c * rp - s * rq; e[p] = s * rp + c * rq;
}
vec3 principal(vec4 a, vec2 b) {
  float mean = (a.x + a.y + a.z) / 3.0;
  vec3 d = a.xyz - mean, e = vec3(b.x, b.y, a.w);
  vec3 most = max(abs(d), abs(e));
  float size = max(most.x, max(most.y, most.z));
  if (size <= 0.0) return vec3(mean);
  d /= size; e /= size;
  for (int sweep = 0; sweep < 4; sweep++) {
    rotate(d, e, 0, 1, 2); rotate(d, e, 0, 2, 1); rotate(d, e, 1, 2, 0);
    if (dot(abs(e), vec3(1.0)) < 1e-9) break;
  }
  float high = max(d.x, max(d.y, d.z)), low = min(d.x, min(d.y, d.z));
  return mean + size * vec3(high, max(min(d.x, d.y), min(max(d.x, d.y), d.z)), low);
}
float scalarOf(int code, vec4 a, vec2 b, float shear) {
  if (code < 4) return a[code];
  if (code < 6) return b[code - 4];
  a.w *= shear; b *= shear;
  if (code == 6) {
    float x = a.x - a.y, y = a.y - a.z, z = a.z - a.x;
    float squares = 0.5 * (x * x + y * y + z * z) + 3.0 * (a.w * a.w + dot(b, b));
    return sqrt(squares) * (shear < 1.0 ? 2.0 / 3.0 : 1.0);
  }
  if (code == 13) return -(a.x + a.y + a.z) / 3.0;
  vec3 p = principal(a, b);
  if (code < 10) return p[code - 7];
  if (code == 10) return abs(p.x) >= abs(p.z) ? p.x : p.z;
  return (p.x - p.z) * (code == 12 ? 0.5 / shear : 1.0);
}`;
