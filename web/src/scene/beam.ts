// A beam: its cross-section swept along the poses of its stations.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineSegments, Mesh, Quaternion, Vector3 } from "three";
import type { BeamData } from "../protocol";
import { solid, thin } from "./paint";
import type { Poses } from "./poses";
import type { Look } from "./primitives";

/** Is the outline round, so that its facets are shaded smoothly? */
const ROUND = 9;

export class BeamPicture {
  readonly group = new Group();
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
    const material = solid(look.color, look.opacity);
    material.flatShading = this.sides < ROUND;
    const mesh = new Mesh(this.geometry, material);
    const edges = new LineSegments(this.border, thin("#0b0e12", 0.45 * look.opacity));
    for (const object of [mesh, edges]) {
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
    const at = new Vector3(), turn = new Quaternion(), point = new Vector3();
    const out = this.position.array as Float32Array;
    this.data.outlines.forEach((outline, i) => {
      poses.station(this.body, this.data, i, at, turn);
      outline.forEach(([y, z], s) => {
        point.set(0, y, z).applyQuaternion(turn).add(at).toArray(out, 3 * (i * this.sides + s));
      });
    });
    this.position.needsUpdate = true;
    this.geometry.boundingBox = this.border.boundingBox = null; // of the last frame
    if (this.sides >= ROUND) this.geometry.computeVertexNormals();
  }
}
