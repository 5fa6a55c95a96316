// Glyphs of joints, springs, motors, sensors …: pictures in the axes of their ends, and pictures between two ends.

import { Group, Mesh, Quaternion, Vector3, type MeshPhongMaterial } from "three";
import type { ItemData } from "../protocol";
import type { Source } from "../source";
import { Between } from "./between";
import { picking } from "./paint";
import type { Poses } from "./poses";
import { picture, type Look } from "./primitives";

/** Colours of glyphs by what they are, where the glyph itself names none. */
const COLOURS: Record<string, string> = {
  joints: "#d9a441", forces: "#4fae7b", motors: "#d8694f", transmissions: "#9a7fd1", contacts: "#c0597f", sensors: "#4aa3c7",
  gauges: "#4aa3c7", loads: "#d8694f", constraints: "#d9a441", controls: "#8a93a0",
};

/** What a glyph's number in picking adds to the item's index. */
export const ITEM_IDS = 1 << 20;

export class ItemPicture {
  readonly group = new Group();
  private readonly ends: Group[];
  private readonly between: { glyph: Between; ends: [number, number] }[] = [];
  private readonly materials: MeshPhongMaterial[] = [];

  constructor(readonly data: ItemData, readonly index: number) {
    this.ends = data.ends.map(() => new Group());
    if (this.ends.length) this.group.add(...this.ends);
  }

  async load(look: Look, source: Source): Promise<void> {
    const own = { ...look, color: COLOURS[this.data.group] ?? "#b7bec8" };
    for (const primitive of this.data.glyph) {
      if (primitive.end === "between" && this.ends.length > 1) {
        const glyph = new Between(primitive, own);
        this.between.push({ glyph, ends: primitive.ends ?? [0, 1] });
        this.group.add(glyph.group);
      } else {
        const object = await picture(primitive, own, source);
        const end = this.ends[typeof primitive.end === "number" ? primitive.end : 0];
        if (object && end) end.add(object);
      }
    }
  }

  /** Give new parts what picking and highlighting need. */
  private dress(): void {
    this.group.traverse((object) => {
      if (!(object instanceof Mesh) || object.userData.pick) return;
      object.userData.pick = picking(this.index + ITEM_IDS, null);
      const material = object.material as MeshPhongMaterial;
      if (material.emissive && !this.materials.includes(material)) this.materials.push(material);
    });
  }

  update(poses: Poses): void {
    this.ends.forEach((end, i) => poses.place(this.data.ends[i], end.position, end.quaternion));
    for (const { glyph, ends } of this.between) {
      const [a, b] = ends.map((i) => this.ends[i]);
      if (a && b) glyph.stretch(a.position, b.position);
    }
    this.dress();
  }

  highlight(color: string, strength: number): void {
    for (const material of this.materials) {
      material.emissive.set(color);
      material.emissiveIntensity = strength;
    }
  }

  /** Where the item is, for labels and zooming: the mean of its ends. */
  centre(poses: Poses): Vector3 {
    const sum = new Vector3(), at = new Vector3(), turn = new Quaternion();
    for (const end of this.data.ends) {
      poses.place(end, at, turn);
      sum.add(at);
    }
    return sum.divideScalar(Math.max(1, this.data.ends.length));
  }
}
