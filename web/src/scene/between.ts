// Glyphs that stretch between two ends: springs as coils, dampers as cylinder and rod, rods and lines.

import { CylinderGeometry, Group, Matrix4, Mesh, Quaternion, Vector3, type BufferGeometry, type MeshPhongMaterial } from "three";
import type { Primitive } from "../protocol";
import { solid } from "./paint";
import type { Look } from "./primitives";
import { coil } from "./tube";

const axis = new Vector3(0, 0, 1);
const upright = new Matrix4().makeRotationX(Math.PI / 2);

/** A cylinder along z from `from` to `to`. */
function bar(radius: number, from: number, to: number): BufferGeometry {
  return new CylinderGeometry(radius, radius, to - from, 20).applyMatrix4(upright).translate(0, 0, (from + to) / 2);
}

/** A picture of which `stretch` is told where its ends are. */
export class Between {
  readonly group = new Group();
  private readonly material: MeshPhongMaterial;
  private readonly parts: Mesh[] = [];
  private built = 0;

  constructor(private readonly primitive: Primitive, private readonly look: Look) {
    this.material = solid(primitive.color ?? look.color, look.opacity);
  }

  stretch(a: Vector3, b: Vector3): void {
    const along = new Vector3().subVectors(b, a);
    const length = along.length();
    this.group.visible = length > 1e-9 * this.look.unit;
    if (!this.group.visible) return;
    this.group.position.copy(a);
    this.group.quaternion.copy(new Quaternion().setFromUnitVectors(axis, along.divideScalar(length)));
    if (this.built === 0 || length > 1.6 * this.built || length < 0.6 * this.built) this.build(length);
    const ratio = length / this.built;
    if (this.primitive.kind === "damper") {
      this.parts[1].position.z = length - this.built; // the housing stays at one end, the rod at the other
    } else for (const part of this.parts) part.scale.z = ratio;
  }

  private build(length: number): void {
    for (const part of this.parts.splice(0)) {
      part.geometry.dispose();
      this.group.remove(part);
    }
    this.built = length;
    for (const geometry of this.geometries(length)) {
      const mesh = new Mesh(geometry, this.material);
      this.parts.push(mesh);
      this.group.add(mesh);
    }
  }

  private geometries(length: number): BufferGeometry[] {
    const factor = this.primitive.relative ? this.look.unit : 1;
    const [first = 0.35 * this.look.unit / factor, turns = 8] = this.primitive.size ?? [];
    const radius = first * factor;
    switch (this.primitive.kind) {
      case "coil":
        return [coil(radius, turns, length, Math.min(0.13 * radius, (0.22 * length) / turns))];
      case "damper":
        return [bar(radius, 0.12 * length, 0.62 * length), bar(0.4 * radius, 0.4 * length, length),
          bar(0.4 * radius, 0, 0.12 * length)];
      default:
        return [bar(this.primitive.size?.length ? radius : 0.05 * this.look.unit, 0, length)];
    }
  }
}
