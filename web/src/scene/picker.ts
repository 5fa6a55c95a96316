// What the pointer is over, and where: a small picture of numbers instead of colours is drawn about it.

import { Color, Mesh, type Material, type Object3D, Vector3, WebGLRenderTarget, FloatType, NearestFilter, RGBAFormat } from "three";
import { ITEM_IDS } from "./items";
import type { Picture } from "./picture";
import type { Stage } from "./stage";

export interface Hit {
  kind: "body" | "item";
  index: number;
  /** In space. */
  at: Vector3;
}

/** Pixels about the pointer that are looked at, so that thin things can be hit. */
const REACH = 4;
const SIDE = 2 * REACH + 1;

export class Picker {
  private readonly target = new WebGLRenderTarget(SIDE, SIDE, {
    type: FloatType, format: RGBAFormat, minFilter: NearestFilter, magFilter: NearestFilter });
  private readonly pixels = new Float32Array(4 * SIDE * SIDE);

  constructor(private readonly stage: Stage, private readonly picture: Picture) {}

  /** x, y: pixels of the canvas from its upper left corner. */
  pick(x: number, y: number): Hit | null {
    const { renderer, camera, scene, host } = this.stage;
    const swapped: [Mesh, Material | Material[]][] = [];
    const hidden: Object3D[] = [];
    scene.traverseVisible((object) => {
      if (object instanceof Mesh && object.userData.pick) {
        swapped.push([object, object.material as Material]);
      } else if ((object as Mesh).isMesh || (object as Object3D & { isLine?: boolean }).isLine) hidden.push(object);
    });
    for (const [mesh] of swapped) mesh.material = mesh.userData.pick as Material;
    const children = hidden.map((object) => object.layers.mask);
    for (const object of hidden) object.layers.mask = 0;
    const before = renderer.getClearColor(new Color());
    const alpha = renderer.getClearAlpha();
    camera.setViewOffset(host.clientWidth, host.clientHeight, x - REACH, y - REACH, SIDE, SIDE);
    renderer.setClearColor(0, 0);
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(scene, camera);
    renderer.readRenderTargetPixels(this.target, 0, 0, SIDE, SIDE, this.pixels);
    renderer.setRenderTarget(null);
    renderer.setClearColor(before, alpha);
    camera.clearViewOffset();
    for (const [mesh, material] of swapped) mesh.material = material;
    hidden.forEach((object, i) => (object.layers.mask = children[i]));
    return this.nearest();
  }

  private nearest(): Hit | null {
    let best = Infinity;
    let found: Hit | null = null;
    for (let j = 0; j < SIDE; j++)
      for (let i = 0; i < SIDE; i++) {
        const at = 4 * (j * SIDE + i);
        const id = Math.round(this.pixels[at]);
        const far = (i - REACH) ** 2 + (j - REACH) ** 2;
        if (id === 0 || far >= best) continue;
        best = far;
        const item = id >= ITEM_IDS;
        found = { kind: item ? "item" : "body", index: item ? id - ITEM_IDS : id - 1,
          at: new Vector3(this.pixels[at + 1], this.pixels[at + 2], this.pixels[at + 3]) };
      }
    return found;
  }

  /** The vertex of a body's mesh that is drawn nearest to a point in space, -1 without a mesh. */
  vertexNear(index: number, at: Vector3): number {
    const body = this.picture.bodies[index];
    if (!body?.vertices || !body.deformer) return -1;
    const local = at.clone().sub(body.group.position).applyQuaternion(body.group.quaternion.clone().invert());
    const moves = body.deformer.displacements();
    const scale = body.uniforms?.moveScale.value ?? 1;
    let best = Infinity, found = -1;
    for (let v = 0; 3 * v < body.vertices.length; v++) {
      const x = body.vertices[3 * v] + scale * moves[4 * v] - local.x;
      const y = body.vertices[3 * v + 1] + scale * moves[4 * v + 1] - local.y;
      const z = body.vertices[3 * v + 2] + scale * moves[4 * v + 2] - local.z;
      const far = x * x + y * y + z * z;
      if (far < best) [best, found] = [far, v];
    }
    return found;
  }
}
