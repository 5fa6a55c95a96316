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
 * Principal values by the angle of the deviator. */
export const scalarOf = `
vec3 principal(vec4 a, vec2 b) {
  float mean = (a.x + a.y + a.z) / 3.0;
  vec3 d = a.xyz - mean;
  float radius = sqrt((dot(d, d) + 2.0 * (a.w * a.w + dot(b, b))) / 6.0);
  if (radius <= 0.0) return vec3(mean);
  vec3 n = d / radius; float xy = a.w / radius, yz = b.x / radius, zx = b.y / radius;
  float third = 0.5 * (n.x * n.y * n.z + 2.0 * xy * yz * zx - n.x * yz * yz - n.y * zx * zx - n.z * xy * xy);
  float angle = acos(clamp(third, -1.0, 1.0)) / 3.0;
  float high = 2.0 * radius * cos(angle), low = 2.0 * radius * cos(angle + 2.0943951023931953);
  return mean + vec3(high, -high - low, low);
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
