// Everything that is drawn of one run: bodies, glyphs, arrows. A second run may be drawn as a ghost over the first.

import { Box3, Group, Vector3, type WebGLRenderer } from "three";
import type { Header } from "../protocol";
import type { Source } from "../source";
import { Arrows } from "./arrows";
import { BodyPicture } from "./bodyPicture";
import { ItemPicture } from "./items";
import { followedVertices, Poses } from "./poses";

/** From this number of parts on, each of them is drawn with a quarter of the triangles. */
const MANY = 600;

function parts({ bodies, items }: Header): number {
  return bodies.reduce((sum, body) => sum + body.shapes.length, 0) + items.reduce((sum, item) => sum + item.glyph.length, 0);
}

export interface PictureOptions {
  /** Colour of all bodies instead of their own, and how far one sees through them. */
  ghost: { color: string; opacity: number } | null;
  glyphSize: number;
}

export class Picture {
  readonly group = new Group();
  readonly poses: Poses;
  readonly bodies: BodyPicture[];
  items: ItemPicture[];
  readonly arrows: Arrows | null;
  readonly itemGroup = new Group();
  readonly size: number;
  private readonly unit: number;
  private readonly detail: number;
  private readonly followed: Map<number, Set<number>>;

  constructor(renderer: WebGLRenderer, private readonly source: Source, private readonly header: Header, private readonly options: PictureOptions) {
    const { ghost } = options;
    this.poses = new Poses(header);
    this.size = sizeOf(header);
    this.unit = header.glyph_size ?? 0.03 * this.size;
    this.detail = parts(header) > MANY ? 0.5 : 1;
    this.bodies = header.bodies.map((body, i) => new BodyPicture(renderer, source, body, i, {
      color: ghost?.color ?? body.color, opacity: ghost?.opacity ?? 1, edges: true, unit: this.unit, detail: this.detail }));
    this.items = ghost ? [] : header.items.map((item, i) => new ItemPicture(item, i));
    this.arrows = ghost ? null : new Arrows(header, this.size, this.unit);
    this.group.add(...this.bodies.map((body) => body.group), this.itemGroup);
    if (this.arrows) this.group.add(this.arrows.group);
    this.followed = followedVertices(header);
  }

  /** Size of glyphs [m]. */
  get glyph(): number {
    return this.unit * this.options.glyphSize;
  }

  async load(): Promise<void> {
    await Promise.all([
      ...this.bodies.map((body, i) => body.load(this.poses, [...(this.followed.get(i) ?? [])])), this.loadItems(),
    ]);
  }

  private async loadItems(): Promise<void> {
    const look = { color: "#b7bec8", opacity: 1, edges: false, unit: this.glyph, detail: this.detail };
    await Promise.all(this.items.map((item) => item.load(look, this.source)));
    this.itemGroup.clear();
    if (this.items.length) this.itemGroup.add(...this.items.map((item) => item.group));
  }

  /** Draw all glyphs anew in another size. */
  async resizeGlyphs(factor: number): Promise<void> {
    if (this.options.ghost || !(factor > 0)) return;
    this.options.glyphSize = factor;
    const hidden = this.items.map((item) => item.group.visible);
    this.items = this.header.items.map((item, i) => new ItemPicture(item, i));
    this.items.forEach((item, i) => (item.group.visible = hidden[i]));
    await this.loadItems();
  }

  /** Draw the values of a frame's row. */
  update(row: Float32Array, deformation: number, arrowScale: number, hiddenItems: ReadonlySet<number>): void {
    this.poses.row = row;
    this.poses.scale = deformation;
    for (const body of this.bodies) body.update(this.poses);
    for (const item of this.items) item.update(this.poses);
    this.arrows?.update(this.poses, arrowScale, hiddenItems);
  }

  dispose(): void {
    for (const body of this.bodies) body.dispose();
    this.group.removeFromParent();
  }
}

export function boxOf(header: Header): Box3 {
  const box = new Box3(new Vector3(...header.box[0]), new Vector3(...header.box[1]));
  if (box.isEmpty() || ![...box.min, ...box.max].every(Number.isFinite)) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  return box;
}

/** Length of the diagonal of everything [m]. */
export function sizeOf(header: Header): number {
  return boxOf(header).getSize(new Vector3()).length() || 1;
}
