// A beam: its cross-section swept along the poses of its stations.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineSegments, Mesh, Quaternion, Vector3 } from "three";
import type { BeamData, Field } from "../protocol";
import type { Extremes } from "./deformer";
import type { Measure } from "./measures";
import { fieldUniforms, solid, thin, valued } from "./paint";
import type { Poses } from "./poses";
import type { Look } from "./primitives";

/** Is the outline round, so that its facets are shaded smoothly? */
const ROUND = 9;

/** Stress along the beam, as the fields of meshes tell theirs; xx is along the beam, all other components are zero. */
export const BEAM_STRESS: Field = {
  name: "stress", unit: "Pa", components: ["xx", "yy", "zz", "xy", "yz", "zx"], shapes: { buffer: -1, dtype: "f4", shape: [] }, constant: null, note: "",
};

export class BeamPicture {
  readonly group = new Group();
  readonly uniforms = fieldUniforms();
  /** The beam undeformed, where its frame is. */
  readonly shadow: Mesh;
  /** Of the shown measure at every vertex. */
  readonly values: Float32Array;
  private measure: Measure | null = null;
  private readonly value: BufferAttribute;
  private readonly still: BufferAttribute;
  private readonly geometry = new BufferGeometry();
  private readonly border = new BufferGeometry();
  private readonly position: BufferAttribute;
  private readonly sides: number;

  constructor(private readonly data: BeamData, private readonly body: number, look: Look) {
    const n = data.stations;
    this.sides = data.outlines[0]?.length ?? 0;
    this.position = new BufferAttribute(new Float32Array(3 * n * this.sides), 3);
    this.position.setUsage(DynamicDrawUsage);
    this.geometry.setAttribute("position", this.position);
    this.geometry.setIndex(this.triangles());
    this.border.setAttribute("position", this.position);
    this.border.setIndex(this.lines());
    this.values = new Float32Array(n * this.sides);
    this.value = new BufferAttribute(this.values, 1);
    this.value.setUsage(DynamicDrawUsage);
    this.geometry.setAttribute("fieldHere", this.value);
    const material = valued(look.color, this.uniforms, look.opacity);
    material.flatShading = this.sides < ROUND;
    const mesh = new Mesh(this.geometry, material);
    const edges = new LineSegments(this.border, thin("#0b0e12", 0.45 * look.opacity));
    const rest = new BufferGeometry();
    this.still = new BufferAttribute(new Float32Array(3 * n * this.sides), 3);
    rest.setAttribute("position", this.still);
    rest.setIndex(this.geometry.index);
    const pale = solid("#9aa5b1", 0.16);
    pale.flatShading = true;
    this.shadow = new Mesh(rest, pale);
    this.shadow.visible = false;
    this.shadow.renderOrder = 2;
    for (const object of [mesh, edges, this.shadow]) {
      object.frustumCulled = false;
      this.group.add(object);
    }
  }

  private triangles(): number[] {
    const { stations } = this.data;
    const m = this.sides;
    const index: number[] = [];
    for (let i = 0; i + 1 < stations; i++)
      for (let s = 0; s < m; s++) {
        const a = i * m + s, b = i * m + ((s + 1) % m);
        index.push(a, b, b + m, a, b + m, a + m);
      }
    for (let s = 1; s + 1 < m; s++) {
      const end = (stations - 1) * m;
      index.push(0, s + 1, s, end, end + s, end + s + 1);
    }
    return index;
  }

  private lines(): number[] {
    const { stations } = this.data;
    const m = this.sides;
    const index: number[] = [];
    for (const i of [0, stations - 1]) for (let s = 0; s < m; s++) index.push(i * m + s, i * m + ((s + 1) % m));
    if (m < ROUND) for (let i = 0; i + 1 < stations; i++) for (let s = 0; s < m; s++) index.push(i * m + s, (i + 1) * m + s);
    return index;
  }

  update(poses: Poses): void {
    this.sweep(poses, this.position.array as Float32Array);
    this.position.needsUpdate = true;
    this.geometry.boundingBox = this.border.boundingBox = null; // of the last frame
    if (this.sides >= ROUND) this.geometry.computeVertexNormals();
    if (this.shadow.visible) {
      this.sweep(poses, this.still.array as Float32Array, 0);
      this.still.needsUpdate = true;
    }
    this.evaluate(poses);
  }

  /** Choose what is shown as colours; null: nothing. */
  show(measure: Measure | null): void {
    this.measure = measure;
  }

  /** The values of the shown measure. */
  evaluate(poses: Poses): void {
    if (!this.measure) return;
    if (this.measure.code >= 20) this.deflect(poses, this.measure.code);
    else this.stress(poses.row, this.measure.code);
    this.value.needsUpdate = true;
  }

  extremes(): Extremes {
    const found: Extremes = { low: Infinity, lowAt: -1, high: -Infinity, highAt: -1 };
    this.values.forEach((value, i) => {
      if (value < found.low) [found.low, found.lowAt] = [value, i];
      if (value > found.high) [found.high, found.highAt] = [value, i];
    });
    return found;
  }

  at(vertex: number): Vector3 {
    return new Vector3().fromBufferAttribute(this.position, vertex);
  }

  /** Corners of all sections at a scale of the deformation; as the poses have it where none is given. */
  private sweep(poses: Poses, out: Float32Array, scale = poses.scale): void {
    const at = new Vector3(), turn = new Quaternion(), point = new Vector3();
    this.data.outlines.forEach((outline, i) => {
      poses.station(this.body, this.data, i, at, turn, scale);
      outline.forEach(([y, z], s) => {
        point.set(0, y, z).applyQuaternion(turn).add(at).toArray(out, 3 * (i * this.sides + s));
      });
    });
  }

  /** σ + y ∂σ/∂y + z ∂σ/∂z, and what becomes of it in a state of stress with one axis. */
  private stress(row: Float32Array, code: number): void {
    const { outlines, stress } = this.data;
    outlines.forEach((outline, i) => {
      const first = stress + 3 * i;
      outline.forEach(([y, z], s) => {
        const sigma = stress < 0 ? 0 : row[first] + y * row[first + 1] + z * row[first + 2];
        this.values[i * this.sides + s] = uniaxial(sigma, code);
      });
    });
  }

  /** How far the corners are from where they would be undeformed, in the axes of the beam's frame [m]. */
  private deflect(poses: Poses, code: number): void {
    const moved = new Float32Array(3 * this.values.length), rest = new Float32Array(moved.length);
    this.sweep(poses, moved, 1);
    this.sweep(poses, rest, 0);
    const origin = new Vector3(), turn = new Quaternion(), u = new Vector3();
    poses.body(this.body, origin, turn);
    turn.invert();
    for (let i = 0; i < this.values.length; i++) {
      u.set(moved[3 * i] - rest[3 * i], moved[3 * i + 1] - rest[3 * i + 1], moved[3 * i + 2] - rest[3 * i + 2]).applyQuaternion(turn);
      this.values[i] = code === 20 ? u.length() : u.getComponent(code - 21);
    }
  }
}

/** Measures of the stress diag(σ, 0, 0), by their codes (measures.ts). */
export function uniaxial(sigma: number, code: number): number {
  switch (code) {
    case 0: case 10: return sigma;
    case 6: case 11: return Math.abs(sigma);
    case 7: return Math.max(sigma, 0);
    case 9: return Math.min(sigma, 0);
    case 12: return Math.abs(sigma) / 2;
    case 13: return -sigma / 3;
    default: return 0;
  }
}
