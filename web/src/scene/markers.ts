// Markers as small axes with their names.

import { Group, Quaternion, Vector3 } from "three";
import type { Header } from "../protocol";
import type { Labels } from "./labels";
import type { Poses } from "./poses";
import { frame } from "./primitives";

/** Names at most; axes are drawn of all. */
const NAMED = 200;

export class Markers {
  readonly group = new Group();
  private readonly all: { body: number; name: string; place: Vector3; turn: Quaternion; axes: Group }[] = [];

  constructor(private readonly header: Header, private readonly labels: Labels, private readonly size: number) {}

  private build(): void {
    this.header.bodies.forEach((body, index) => {
      if (body.beam) return; // those of a beam stand at its stations, which glyphs show
      for (const { name, position, orientation: q } of body.markers) {
        const axes = frame(this.size);
        this.group.add(axes);
        this.all.push({ body: index, name, place: new Vector3(...position), turn: new Quaternion(q[1], q[2], q[3], q[0]), axes });
      }
    });
  }

  update(poses: Poses, shown: boolean, hidden: readonly number[]): void {
    this.group.visible = shown;
    this.labels.clear("marker");
    if (!shown) return;
    if (!this.all.length) this.build();
    this.all.forEach(({ body, name, place, turn, axes }, i) => {
      poses.body(body, axes.position, axes.quaternion);
      axes.position.add(place.clone().applyQuaternion(axes.quaternion));
      axes.quaternion.multiply(turn);
      axes.visible = !hidden.includes(body);
      if (i < NAMED && axes.visible) this.labels.set(`marker${i}`, name, axes.position, "quiet");
    });
  }
}
