// Forces, torques and reactions as arrows: length in proportion to the value, one scale per unit.

import { ConeGeometry, CylinderGeometry, GreaterDepth, Group, Matrix4, Mesh, Quaternion, Vector3 } from "three";
import type { ArrowData, Header } from "../protocol";
import { measured } from "../signal/numbers";
import { solid } from "./paint";
import type { Poses } from "./poses";

const upright = new Matrix4().makeRotationX(Math.PI / 2);
const shaftShape = new CylinderGeometry(1, 1, 1, 14).translate(0, 0.5, 0).applyMatrix4(upright);
const headShape = new ConeGeometry(1, 1, 20).translate(0, -0.5, 0).applyMatrix4(upright); // its tip at the origin
const axis = new Vector3(0, 0, 1);

const COLOURS = { force: "#f2b134", torque: "#b78af0", reaction: "#5cc8ff", "reaction torque": "#7fa0ff" };

/** How much of an arrow is seen through what hides it, and of how many arrows at most. */
const VEILED = 0.4, MANY = 200;

export class ArrowPicture {
  readonly group = new Group();
  readonly tip = new Vector3();
  value = 0;
  private readonly shaft: Mesh;
  private readonly heads: Mesh[];

  constructor(readonly data: ArrowData, through: boolean) {
    const material = solid(COLOURS[data.kind] ?? COLOURS.force);
    material.emissive.set(COLOURS[data.kind] ?? COLOURS.force);
    material.emissiveIntensity = 0.25;
    this.shaft = new Mesh(shaftShape, material);
    const two = data.kind.endsWith("torque"); // a torque has a double head
    this.heads = Array.from({ length: two ? 2 : 1 }, () => new Mesh(headShape, material));
    this.group.add(this.shaft, ...this.heads);
    if (!through) return;
    const veiled = material.clone(); // where a body hides it: a load in line with a bar is seen through the bar
    Object.assign(veiled, { transparent: true, opacity: VEILED, depthFunc: GreaterDepth, depthWrite: false });
    for (const part of [this.shaft, ...this.heads]) part.add(new Mesh(part.geometry, veiled));
  }

  /** longest: length [m] of an arrow with the value `full`; width: radius of the shaft [m]. */
  update(poses: Poses, full: number, longest: number, width: number): void {
    const { row } = poses;
    const at = this.data.vector;
    const vector = new Vector3(row[at], row[at + 1], row[at + 2]);
    this.value = vector.length();
    const length = full > 0 ? (this.value / full) * longest : 0;
    this.group.visible = length > 0.004 * longest;
    if (!this.group.visible) return;
    poses.place(this.data.at, this.group.position, this.group.quaternion);
    this.group.quaternion.copy(new Quaternion().setFromUnitVectors(axis, vector.divideScalar(this.value)));
    const radius = Math.min(width, 0.08 * length);
    const head = 6 * radius;
    this.heads.forEach((mesh, i) => {
      mesh.position.z = length - 0.75 * i * head;
      mesh.scale.set(2.5 * radius, 2.5 * radius, head);
    });
    this.shaft.scale.set(radius, radius, length - 0.9 * head);
    this.tip.set(0, 0, length).applyQuaternion(this.group.quaternion).add(this.group.position);
  }

  get text(): string {
    return measured(this.value, this.data.unit, 3);
  }
}

/** All arrows of a run, and the largest value by unit that sets their scale. */
export class Arrows {
  readonly group = new Group();
  readonly pictures: ArrowPicture[];
  /** Length of the longest [m]. */
  private readonly reach: number;
  private readonly full = new Map<string, number>();
  /** The largest values of a run that still computes are not known: the scale grows with what has been drawn. */
  private readonly seen: Map<string, number> | null;

  /** size: of the scene [m].   glyph: size of signs [m]; where these are small beside the scene, so are arrows, lest they bury its bodies. */
  constructor(header: Header, private readonly size: number, glyph: number) {
    this.reach = Math.min(0.2 * size, 6.7 * glyph);
    this.seen = header.status === "running" ? new Map() : null;
    this.pictures = header.arrows.map((data) => new ArrowPicture(data, header.arrows.length <= MANY));
    for (const { unit, largest } of header.arrows) this.full.set(unit, Math.max(this.full.get(unit) ?? 0, largest));
    this.dropNoise();
    if (this.pictures.length) this.group.add(...this.pictures.map((picture) => picture.group));
  }

  /** Torques that are nothing beside the forces times the size of the model (or the other way round) are round-off: not drawn. */
  private dropNoise(): void {
    const force = this.full.get("N") ?? 0, torque = this.full.get("N m") ?? 0;
    if (torque < 1e-6 * force * this.size) this.full.set("N m", 0);
    if (force * this.size < 1e-6 * torque) this.full.set("N", 0);
  }

  update(poses: Poses, scale: number, hidden: ReadonlySet<number>): void {
    if (this.seen) this.learn(poses.row, this.seen);
    for (const picture of this.pictures) {
      picture.update(poses, this.full.get(picture.data.unit) ?? 1, this.reach * scale, 0.025 * this.reach);
      if (hidden.has(picture.data.item)) picture.group.visible = false;
    }
  }

  private learn(row: Float32Array, seen: Map<string, number>): void {
    for (const { data: { unit, vector: at } } of this.pictures) {
      const value = Math.hypot(row[at], row[at + 1], row[at + 2]);
      if (Number.isFinite(value)) seen.set(unit, Math.max(seen.get(unit) ?? 0, value));
    }
    for (const [unit, value] of seen) this.full.set(unit, value);
    this.dropNoise();
  }

  /** What the lengths mean: the value of the longest arrow, by unit. */
  scaleText(): string[] {
    const values = [...this.full].filter(([, largest]) => largest > 0).map(([unit, largest]) => measured(largest, unit, 3));
    return values.length ? [`longest arrows ${values.join(", ")}`] : [];
  }
}
