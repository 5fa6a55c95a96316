// Computing on the GPU: a pass writes one texel of a float texture per node.

import {
  BufferAttribute, BufferGeometry, Camera, DataArrayTexture, DataTexture, FloatType, GLSL3, Mesh, NearestFilter, NoBlending,
  RawShaderMaterial, RedFormat, RGBAFormat, RGFormat, WebGLRenderTarget, type IUniform, type PixelFormat, type WebGLRenderer,
} from "three";

/** How nodes and modes lie in textures: node i at (i mod width, i div width), several modes above each other per layer. */
export interface Plan {
  count: number;
  width: number;
  height: number;
  /** Modes that stand above each other in one layer. */
  perLayer: number;
}

export function planOf(count: number, modes: number, largest: number): Plan {
  const width = Math.max(1, Math.min(count, 1024, largest));
  const height = Math.max(1, Math.ceil(count / width));
  return { count, width, height, perLayer: Math.max(1, Math.min(modes, Math.floor(largest / height))) };
}

/** Some components of shapes (modes, nodes, components) as a texture; `more` is a shape put behind the others. */
export function shapeTexture(
  plan: Plan, data: Float32Array, modes: number, components: number, first: number, taken: number, more: Float32Array | null,
): DataArrayTexture {
  const channels = taken > 2 ? 4 : 2;
  const total = modes + (more ? 1 : 0);
  const layers = Math.max(1, Math.ceil(total / plan.perLayer));
  const { count, width, height, perLayer } = plan;
  const texels = new Float32Array(channels * width * height * perLayer * layers);
  for (let k = 0; k < total; k++) {
    const from = k < modes ? data : (more as Float32Array);
    const begin = k < modes ? k * count * components : 0;
    const to = k * width * height * channels; // layers follow one another, modes within a layer, too
    for (let i = 0; i < count; i++)
      for (let c = 0; c < taken && first + c < components; c++)
        texels[to + channels * i + c] = from[begin + components * i + first + c];
  }
  const texture = new DataArrayTexture(texels, width, height * perLayer, layers);
  texture.format = channels === 4 ? RGBAFormat : RGFormat;
  texture.onUpdate = () => Object.assign(texture.image, { data: null }); // the GPU has it: no second copy here
  return asFloats(texture);
}

/** A two-dimensional texture of floats with one value per node. */
export function nodeTexture(plan: Plan, values: Float32Array<ArrayBuffer>, format: PixelFormat = RGBAFormat): DataTexture {
  return asFloats(new DataTexture(values, plan.width, plan.height, format));
}

/** A row of numbers. */
export function rowTexture(values: Float32Array<ArrayBuffer>): DataTexture {
  return asFloats(new DataTexture(values, values.length, 1, RedFormat));
}

function asFloats<T extends DataTexture | DataArrayTexture>(texture: T): T {
  texture.type = FloatType;
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.unpackAlignment = 4;
  texture.needsUpdate = true;
  return texture;
}

export function floatTarget(width: number, height: number): WebGLRenderTarget {
  return new WebGLRenderTarget(width, height, {
    type: FloatType, format: RGBAFormat, minFilter: NearestFilter, magFilter: NearestFilter, depthBuffer: false,
    generateMipmaps: false,
  });
}

const triangle = new BufferGeometry();
triangle.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
const camera = new Camera();

/** A fragment program that fills a target. */
export class Pass {
  readonly uniforms: Record<string, IUniform>;
  private readonly mesh: Mesh;

  constructor(fragment: string, uniforms: Record<string, IUniform>) {
    this.uniforms = uniforms;
    const material = new RawShaderMaterial({
      glslVersion: GLSL3, uniforms, blending: NoBlending, depthTest: false, depthWrite: false,
      vertexShader: "in vec3 position; void main() { gl_Position = vec4(position, 1.0); }",
      fragmentShader: `precision highp float; precision highp int; precision highp sampler2D; precision highp sampler2DArray;
        out vec4 result; ${fragment}`,
    });
    this.mesh = new Mesh(triangle, material);
    this.mesh.frustumCulled = false;
  }

  run(renderer: WebGLRenderer, target: WebGLRenderTarget): void {
    const before = renderer.getRenderTarget();
    renderer.setRenderTarget(target);
    renderer.render(this.mesh, camera);
    renderer.setRenderTarget(before);
  }

  dispose(): void {
    (this.mesh.material as RawShaderMaterial).dispose();
  }
}
