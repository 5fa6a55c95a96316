// The ground: a grid that fades with distance; its spacing follows the zoom in powers of ten.

import { Color, DoubleSide, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, Vector3, type Box3 } from "three";
import type { Stage } from "./stage";

const vertex = `varying vec2 at; uniform float reach; uniform vec3 middle;
void main() {
  vec4 p = modelMatrix * vec4(position * reach, 1.0);
  at = position.xy * reach;
  gl_Position = projectionMatrix * viewMatrix * p;
}`;
const fragment = `varying vec2 at; uniform float step1, blend, reach; uniform vec2 shift; uniform vec3 color, axisX, axisY; uniform float strength;
float lines(vec2 p, float spacing) {
  vec2 q = p / spacing, w = fwidth(q);
  vec2 d = abs(fract(q - 0.5) - 0.5) / max(w, 1e-6);
  vec2 line = (1.0 - min(d, 1.0)) * (1.0 - smoothstep(0.25, 0.6, w)); // lines that are too close fade out
  return max(line.x, line.y);
}
void main() {
  float fade = 1.0 - smoothstep(0.12, 0.95, length(at) / reach);
  vec2 p = at + shift;
  float a = max(lines(p, step1) * (1.0 - blend) * 0.45, lines(p, step1 * 10.0) * mix(1.0, 0.6, blend));
  vec3 c = color;
  vec2 d = abs(p) / max(fwidth(p), 1e-9);
  float onY = 1.0 - smoothstep(0.3, 1.3, d.x), onX = 1.0 - smoothstep(0.3, 1.3, d.y);
  c = mix(mix(c, axisY, onY), axisX, onX);
  a = max(a, 1.3 * max(onX, onY));
  gl_FragColor = vec4(c, a * fade * fade * strength);
  if (gl_FragColor.a < 0.004) discard;
}`;

export class Grid {
  readonly mesh: Mesh;
  /** Side of a square [m]. */
  spacing = 1;
  private readonly material: ShaderMaterial;
  private readonly frame = new Quaternion();
  private readonly height: number;

  constructor(private readonly stage: Stage, box: Box3, size: number) {
    this.material = new ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, transparent: true, depthWrite: false, side: DoubleSide,
      uniforms: {
        reach: { value: 10 * size }, step1: { value: 1 }, blend: { value: 0 }, shift: { value: [0, 0] }, strength: { value: 0.4 },
        color: { value: new Color("#8b96a5") }, axisX: { value: new Color("#d05a5e") }, axisY: { value: new Color("#5aa469") },
      },
    });
    this.mesh = new Mesh(new PlaneGeometry(2, 2), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
    const right = Math.abs(stage.up.x) > 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
    this.frame.setFromUnitVectors(new Vector3(0, 0, 1), stage.up);
    const turned = new Vector3(1, 0, 0).applyQuaternion(this.frame);
    const angle = Math.atan2(turned.cross(right).dot(stage.up), new Vector3(1, 0, 0).applyQuaternion(this.frame).dot(right));
    this.frame.premultiply(new Quaternion().setFromAxisAngle(stage.up, angle));
    this.mesh.quaternion.copy(this.frame);
    this.height = lowest(box, stage.up) - 2e-3 * size;
    this.mesh.userData.helper = true;
  }

  colours(line: string, strength: number): void {
    (this.material.uniforms.color.value as Color).set(line);
    this.material.uniforms.strength.value = strength;
  }

  /** Follow the camera: the middle of the grid stands below what one looks at. */
  update(): void {
    const { up, controls } = this.stage;
    const at = controls.target.clone();
    at.addScaledVector(up, this.height - at.dot(up));
    this.mesh.position.copy(at);
    const local = at.applyQuaternion(this.frame.clone().invert());
    const { uniforms } = this.material;
    uniforms.shift.value = [local.x, local.y];
    const metres = this.stage.metresPerPixel();
    uniforms.reach.value = metres * 1600;
    const exponent = Math.log10(metres * 14);
    const whole = Math.ceil(exponent);
    uniforms.step1.value = 10 ** whole;
    uniforms.blend.value = Math.min(1, Math.max(0, 1 - (whole - exponent)));
    this.spacing = 10 ** (whole + (uniforms.blend.value > 0.5 ? 1 : 0));
  }
}

function lowest(box: Box3, up: Vector3): number {
  const pick = (i: 0 | 1 | 2): number => (up.getComponent(i) >= 0 ? box.min : box.max).getComponent(i) * up.getComponent(i);
  return pick(0) + pick(1) + pick(2);
}
