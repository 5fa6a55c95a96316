// Materials: one place for how things look, and for what the shader adds (deformation, contours, picking).

import {
  Color, DoubleSide, LineBasicMaterial, MeshBasicMaterial, MeshPhongMaterial, Vector2, type IUniform, type Material, type Plane,
  type Texture, type WebGLProgramParametersWithUniforms as Program,
} from "three";
import { colourProgram } from "./colours";

/** Planes that cut bodies and glyphs; the list is shared by all materials and changed in place. */
export const clipping: Plane[] = [];
/** 1 while something is cut: insides are then drawn flat, which looks as if the cut were closed. */
export const cutting: IUniform<number> = { value: 0 };

/** How values are shown as colours. */
export interface FieldUniforms {
  fieldRange: IUniform<Vector2>;
  fieldBands: IUniform<number>;
  fieldShown: IUniform<number>;
}

/** What a deforming surface hands to its materials. */
export interface DeformUniforms extends FieldUniforms {
  restMap: IUniform<Texture>;
  moveMap: IUniform<Texture>;
  fieldMap: IUniform<Texture>;
  mapWidth: IUniform<number>;
  moveScale: IUniform<number>;
}

export function fieldUniforms(): FieldUniforms {
  return { fieldRange: { value: new Vector2(0, 1) }, fieldBands: { value: 0 }, fieldShown: { value: 0 } };
}

const follow = `
uniform sampler2D restMap; uniform sampler2D moveMap; uniform sampler2D fieldMap; uniform int mapWidth; uniform float moveScale;
attribute vec3 link; varying float fieldValue;
ivec2 cell(float v) { int i = int(v + 0.5); return ivec2(i % mapWidth, i / mapWidth); }
vec3 moveOf(float v) { return moveScale * texelFetch(moveMap, cell(v), 0).xyz; }
// The normal of the deformed surface: n' = F^-T n, with F from the edges to two neighbours before (e) and after (d).
vec3 turned(vec3 n, vec3 p, vec3 u) {
  vec3 e1 = texelFetch(restMap, cell(link.y), 0).xyz - p, e2 = texelFetch(restMap, cell(link.z), 0).xyz - p;
  vec3 d1 = e1 + moveOf(link.y) - u, d2 = e2 + moveOf(link.z) - u, m = normalize(cross(e1, e2)), k = cross(d1, d2);
  float kk = dot(k, k);
  if (kk <= 0.0) return n;
  return (dot(n, e1) * cross(d2, k) + dot(n, e2) * cross(k, d1)) / kk + dot(n, m) * k * inversesqrt(kk);
}
`;

function addDeformation(shader: Program, uniforms: DeformUniforms): void {
  Object.assign(shader.uniforms, uniforms);
  const { vertexShader } = shader;
  const shaded = vertexShader.includes("#include <normal_vertex>");
  shader.vertexShader = follow + vertexShader
    .replace("void main() {", "void main() {\n vec3 moveHere = moveOf(link.x);")
    .replace("#include <beginnormal_vertex>",
      shaded ? "vec3 objectNormal = moveScale == 0.0 ? normal : normalize(turned(normal, position, moveHere));" : "")
    .replace("#include <begin_vertex>", `vec3 transformed = position + moveHere;
      fieldValue = texelFetch(fieldMap, cell(link.x), 0).z;`);
}

function addContours(shader: Program): void {
  shader.fragmentShader = `varying float fieldValue; uniform vec2 fieldRange; uniform float fieldBands; uniform float fieldShown;
    ${colourProgram}
${shader.fragmentShader}`.replace("#include <color_fragment>", `#include <color_fragment>
      if (fieldShown > 0.5) diffuseColor.rgb = contourColour(fieldValue, fieldRange, fieldBands);`)
    .replace("#include <emissivemap_fragment>", `#include <emissivemap_fragment>
      if (fieldShown > 0.5) totalEmissiveRadiance = vec3(0.0); // colours of a chosen body stay those of the legend`);
}

function addCut(shader: Program): void {
  shader.uniforms.cutting = cutting;
  shader.fragmentShader = `uniform float cutting;\n${shader.fragmentShader}`.replace("#include <opaque_fragment>",
    "if (cutting > 0.5 && !gl_FrontFacing) outgoingLight = mix(diffuseColor.rgb, vec3(0.35), 0.55);\n#include <opaque_fragment>");
}

/** The material of a body or a glyph. */
export function solid(color: string, opacity = 1): MeshPhongMaterial {
  const material = new MeshPhongMaterial({
    color: new Color(color), specular: 0x2a2a2a, shininess: 32, side: DoubleSide, clippingPlanes: clipping,
    polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, ...see(opacity),
  });
  material.onBeforeCompile = addCut;
  return material;
}

/** The material of a mesh that deforms and shows fields. */
export function deforming(color: string, uniforms: DeformUniforms, opacity = 1): MeshPhongMaterial {
  const material = solid(color, opacity);
  material.onBeforeCompile = (shader) => {
    addDeformation(shader, uniforms);
    addContours(shader);
    addCut(shader);
  };
  material.customProgramCacheKey = () => "deforming";
  return material;
}

/** The material of a surface whose vertices bring the value that is shown, as the attribute fieldHere. */
export function valued(color: string, uniforms: FieldUniforms, opacity = 1): MeshPhongMaterial {
  const material = solid(color, opacity);
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = `attribute float fieldHere; varying float fieldValue;
${shader.vertexShader}`.replace("#include <begin_vertex>", "#include <begin_vertex>\n fieldValue = fieldHere;");
    addContours(shader);
    addCut(shader);
  };
  material.customProgramCacheKey = () => "valued";
  return material;
}

/** Thin lines on a body; they follow its deformation where uniforms are given. */
export function thin(color: string, opacity: number, uniforms: DeformUniforms | null = null): LineBasicMaterial {
  const material = new LineBasicMaterial({ color: new Color(color), clippingPlanes: clipping, ...see(opacity) });
  if (uniforms) {
    material.onBeforeCompile = (shader) => addDeformation(shader, uniforms);
    material.customProgramCacheKey = () => "deforming-lines";
  }
  return material;
}

/** Writes (id, position in space) instead of a colour: what the pointer is over, and where. */
export function picking(id: number, uniforms: DeformUniforms | null): Material {
  const material = new MeshBasicMaterial({ side: DoubleSide, clippingPlanes: clipping, toneMapped: false, fog: false });
  material.onBeforeCompile = (shader) => {
    if (uniforms) addDeformation(shader, uniforms);
    shader.uniforms.pickId = { value: id };
    shader.vertexShader = `varying vec3 pickAt;
${shader.vertexShader}`.replace("#include <project_vertex>",
      "#include <project_vertex>\n pickAt = (modelMatrix * vec4(transformed, 1.0)).xyz;");
    shader.fragmentShader = `varying vec3 pickAt; uniform float pickId;
${shader.fragmentShader}`.replace(
      "#include <opaque_fragment>", "gl_FragColor = vec4(pickId, pickAt);")
      .replace("#include <colorspace_fragment>", "").replace("#include <tonemapping_fragment>", "")
      .replace("#include <premultiplied_alpha_fragment>", "");
  };
  material.customProgramCacheKey = () => (uniforms ? "picking-deforming" : "picking");
  return material;
}

function see(opacity: number): { transparent: boolean; opacity: number; depthWrite: boolean } {
  return { transparent: opacity < 1, opacity, depthWrite: opacity >= 1 };
}
