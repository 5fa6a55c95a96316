// Deformation and fields of one mesh on the GPU: shapes are sent once, a frame brings modal coordinates z only.
//   u = Σ z_k φ_k,  σ = σ₀ + Σ z_k σ_k   for every node, in float textures; the picture, picking and the probe read these.

import { type DataArrayTexture, type DataTexture, type Texture, type WebGLRenderer, type WebGLRenderTarget } from "three";
import { scalarOf } from "./measures";
import { floatTarget, nodeTexture, Pass, planOf, rowTexture, shapeTexture, type Plan } from "./pass";

/** The sum over modes; coordinates come as uniforms where these are enough, which is faster, else as a texture. */
const sum = (length: number, many: boolean): string => `
uniform sampler2DArray shapes; uniform int modes; uniform ivec2 plan;
uniform ${many ? "sampler2D z" : `float z[${length}]`};
vec4 sum() {
  ivec3 at = ivec3(gl_FragCoord.xy, 0);
  int first = at.y;
  vec4 total = vec4(0.0);
  for (int k = 0; k < modes; k++) {
    total += ${many ? "texelFetch(z, ivec2(k, 0), 0).x" : "z[k]"} * texelFetch(shapes, at, 0);
    at.y += plan.x;
    if (at.y >= plan.x * plan.y) at = ivec3(at.x, first, at.z + 1);
  }
  return total;
}`;
const displacementProgram = "void main() { result = sum(); }";
const scalarProgram = `${scalarOf}
uniform sampler2D first; uniform int code; uniform float shear;
void main() {
  vec4 a = texelFetch(first, ivec2(gl_FragCoord.xy), 0);
  vec2 b = sum().xy;
  float value = code == 20 ? length(a.xyz) : code > 20 ? a[code - 21] : scalarOf(code, a, b, shear);
  result = vec4(b, value, 0.0);
}`;
const extremesProgram = `
uniform sampler2D field; uniform sampler2D rest; uniform ivec2 size; uniform int count; uniform bool start;
void main() {
  ivec2 origin = ivec2(gl_FragCoord.xy) * 16;
  vec4 found = vec4(3e38, -1.0, -3e38, -1.0);
  for (int y = 0; y < 16; y++) for (int x = 0; x < 16; x++) {
    ivec2 at = origin + ivec2(x, y);
    if (at.x >= size.x || at.y >= size.y) continue;
    vec4 one = texelFetch(field, at, 0);
    if (start) {
      int i = at.y * size.x + at.x;
      if (i >= count || texelFetch(rest, at, 0).w == 0.0) continue;
      one = vec4(one.z, float(i), one.z, float(i));
    } else if (one.y < 0.0) continue;
    if (one.x < found.x) found.xy = one.xy;
    if (one.z > found.z) found.zw = one.zw;
  }
  result = found;
}`;

export interface Extremes {
  low: number;
  lowAt: number;
  high: number;
  highAt: number;
}

interface FieldShapes {
  first: DataArrayTexture;
  second: DataArrayTexture;
  modes: number;
}

export class Deformer {
  readonly plan: Plan;
  readonly rest: DataTexture;
  readonly displacement: WebGLRenderTarget;
  readonly field: WebGLRenderTarget;
  private readonly tensor: WebGLRenderTarget;
  private readonly z: DataTexture | null;
  private readonly values: Float32Array<ArrayBuffer>;
  private readonly move: Pass;
  private readonly sums: Pass;
  private readonly scalar: Pass;
  private readonly extreme: Pass;
  private readonly steps: WebGLRenderTarget[] = [];
  private readonly fields = new Map<string, FieldShapes>();
  private readonly empty: DataArrayTexture;
  private shown: { shapes: FieldShapes | null; code: number; shear: number } | null = null;

  /** vertices (n, 3), shapes (modes, n, 3); used: 1 for vertices that belong to a face. */
  constructor(
    private readonly renderer: WebGLRenderer, vertices: Float32Array, private readonly modes: number,
    shapes: Float32Array | null, used: Uint8Array,
  ) {
    const n = vertices.length / 3;
    this.plan = planOf(n, modes + 1, renderer.capabilities.maxTextureSize);
    const { width, height, perLayer } = this.plan;
    const rest = new Float32Array(4 * width * height);
    for (let i = 0; i < n; i++) {
      rest.set(vertices.subarray(3 * i, 3 * i + 3), 4 * i);
      rest[4 * i + 3] = used[i];
    }
    this.rest = nodeTexture(this.plan, rest);
    this.values = new Float32Array(modes + 1);
    this.values[modes] = 1; // the constant part of a field
    const many = modes + 1 > renderer.capabilities.maxFragmentUniforms - 32;
    this.z = many ? rowTexture(this.values) : null;
    const head = sum(modes + 1, many);
    this.displacement = floatTarget(width, height);
    this.tensor = floatTarget(width, height);
    this.field = floatTarget(width, height);
    this.empty = shapeTexture({ count: 1, width: 1, height: 1, perLayer: 1 }, new Float32Array(4), 1, 4, 0, 4, null);
    const shape = shapes ? shapeTexture(this.plan, shapes, modes, 3, 0, 3, null) : this.empty;
    const common = () => ({
      shapes: { value: shape as Texture }, z: { value: this.z ?? this.values }, modes: { value: shapes ? modes : 0 },
      plan: { value: [height, perLayer] },
    });
    this.move = new Pass(head + displacementProgram, common());
    this.sums = new Pass(head + displacementProgram, common());
    this.scalar = new Pass(head + scalarProgram, {
      ...common(), first: { value: null }, code: { value: 0 }, shear: { value: 1 },
    });
    this.extreme = new Pass(extremesProgram, {
      field: { value: null }, rest: { value: this.rest }, size: { value: [1, 1] }, count: { value: n }, start: { value: true },
    });
    for (let w = width, h = height; w > 1 || h > 1 || this.steps.length === 0; ) {
      w = Math.ceil(w / 16);
      h = Math.ceil(h / 16);
      this.steps.push(floatTarget(w, h));
    }
    this.update(null);
  }

  hasField(name: string): boolean {
    return this.fields.has(name);
  }

  /** Shapes (modes, n, components) of a field, and its part that does not change. */
  addField(name: string, shapes: Float32Array, components: number, constant: Float32Array | null): void {
    const part = (first: number, taken: number) =>
      shapeTexture(this.plan, shapes, this.modes, components, first, taken, constant);
    this.fields.set(name, { first: part(0, 4), second: part(4, 2), modes: this.modes + (constant ? 1 : 0) });
  }

  /** Show a measure of a field ("" = of the deformation); shear: tensor component per stored shear. */
  show(name: string, code: number, shear = 1): void {
    const shapes = name ? (this.fields.get(name) ?? null) : null;
    this.shown = { shapes, code, shear };
    this.compute();
  }

  hide(): void {
    this.shown = null;
  }

  /** Modal coordinates of the frame: `modes` floats from `at` in the row. */
  update(row: Float32Array | null, at = 0): void {
    if (row) for (let k = 0; k < this.modes; k++) this.values[k] = row[at + k];
    if (this.z) this.z.needsUpdate = true;
    this.move.run(this.renderer, this.displacement);
    this.compute();
  }

  private compute(): void {
    if (!this.shown) return;
    const { shapes, code, shear } = this.shown;
    const { uniforms } = this.scalar;
    uniforms.code.value = code;
    uniforms.shear.value = shear;
    if (shapes) {
      this.sums.uniforms.shapes.value = shapes.first;
      this.sums.uniforms.modes.value = shapes.modes;
      this.sums.run(this.renderer, this.tensor);
    }
    uniforms.first.value = (shapes ? this.tensor : this.displacement).texture;
    uniforms.shapes.value = shapes?.second ?? this.empty;
    uniforms.modes.value = shapes?.modes ?? 0;
    this.scalar.run(this.renderer, this.field);
  }

  /** Smallest and largest value of the shown field, and the vertices where they are. */
  extremes(): Extremes {
    const { uniforms } = this.extreme;
    let { width, height } = this.plan;
    this.steps.forEach((target, i) => {
      uniforms.field.value = i === 0 ? this.field.texture : this.steps[i - 1].texture;
      uniforms.size.value = [width, height];
      uniforms.start.value = i === 0;
      this.extreme.run(this.renderer, target);
      ({ width, height } = target);
    });
    const [low, lowAt, high, highAt] = this.read(this.steps[this.steps.length - 1], 0, 0);
    return { low, lowAt, high, highAt };
  }

  /** Largest displacement of this frame [m]. */
  largest(): number {
    const { shown } = this;
    this.show("", 20);
    const { highAt, high } = this.extremes();
    this.shown = shown;
    this.compute();
    return highAt >= 0 ? high : 0;
  }

  /** Displacement of a vertex as the GPU has it. */
  displacementAt(vertex: number): number[] {
    return [...this.readNode(this.displacement, vertex).subarray(0, 3)];
  }

  /** Six components and the scalar of the shown field at a vertex as the GPU has them. */
  fieldAt(vertex: number): { components: number[]; value: number } | null {
    if (!this.shown) return null;
    const second = this.readNode(this.field, vertex);
    const first = this.shown.shapes ? [...this.readNode(this.tensor, vertex)] : [];
    return { components: [...first, second[0], second[1]], value: second[2] };
  }

  /** Displacements of all vertices (n, 4). */
  displacements(): Float32Array {
    const { width, height } = this.plan;
    const out = new Float32Array(4 * width * height);
    this.renderer.readRenderTargetPixels(this.displacement, 0, 0, width, height, out);
    return out;
  }

  private readNode(target: WebGLRenderTarget, vertex: number): Float32Array {
    return this.read(target, vertex % this.plan.width, Math.floor(vertex / this.plan.width));
  }

  private read(target: WebGLRenderTarget, x: number, y: number): Float32Array {
    const out = new Float32Array(4);
    this.renderer.readRenderTargetPixels(target, x, y, 1, 1, out);
    return out;
  }

  dispose(): void {
    for (const target of [this.displacement, this.field, this.tensor, ...this.steps]) target.dispose();
    for (const pass of [this.move, this.sums, this.scalar, this.extreme]) pass.dispose();
    for (const { first, second } of this.fields.values()) [first, second].forEach((texture) => texture.dispose());
    (this.move.uniforms.shapes.value as Texture).dispose();
    [this.rest, this.z, this.empty].forEach((texture) => texture?.dispose());
  }
}

/** Are float textures drawn to? Without that there is no deformation on the GPU. */
export function canCompute(renderer: WebGLRenderer): boolean {
  return renderer.extensions.has("EXT_color_buffer_float");
}
