// window.flexor: what tests and scripts ask the page, read back from the GPU.

import { Quaternion, Vector3 } from "three";
import type { View } from "../scene/view";
import { measuresOf } from "../scene/measures";
import type { App } from "../state";
import type { Player } from "../time/player";
import { picture, video } from "./export";

export interface Probe {
  /** Of the vertex in space, with true deformation [m]. */
  position: number[];
  /** Against the body's axes [m]. */
  displacement: number[];
  /** Components and measures of the body's first field. */
  fields: Record<string, number>;
}

export function makeHook(app: App, view: View, player: Player) {
  /** Values at a node as the GPU has them: body by name or index, node by the model's number or {vertex}. */
  async function probe(body: string | number, node: number | { vertex: number }): Promise<Probe> {
    const index = typeof body === "number" ? body : app.header.bodies.findIndex((one) => one.name === body);
    const shown = view.picture.bodies[index];
    const mesh = app.header.bodies[index]?.mesh;
    if (!mesh || !shown?.deformer || !shown.vertices) throw new Error(`no mesh at body ${body}`);
    await view.settled();
    const vertex = typeof node === "number" ? (shown.nodes?.indexOf(node) ?? -1) : node.vertex;
    if (vertex < 0) throw new Error(`node ${String(node)} is not on the surface`);
    const displacement = shown.deformer.displacementAt(vertex);
    const at = new Vector3(), turn = new Quaternion();
    view.picture.poses.body(index, at, turn);
    const local = new Vector3().fromArray(shown.vertices, 3 * vertex).add(new Vector3().fromArray(displacement));
    const fields: Record<string, number> = {};
    for (const field of mesh.fields.slice(0, 1)) {
      await shown.prepareField(field.name);
      for (const { name, code } of measuresOf(field)) {
        shown.deformer.show(field.name, code);
        fields[name] = shown.deformer.fieldAt(vertex)?.value ?? NaN;
      }
    }
    void view.contours.choose();
    return { position: local.applyQuaternion(turn).add(at).toArray(), displacement, fields };
  }

  /** Stand at a row and wait until it is drawn. */
  async function setTime(row: number): Promise<void> {
    app.clock.set({ playing: false });
    player.go(row);
    await view.settled();
  }

  /** Milliseconds per frame when rows are drawn one after another, each waited for by reading a pixel. */
  async function timeFrames(count: number): Promise<number> {
    const gl = view.stage.renderer.getContext();
    const pixel = new Uint8Array(4);
    await setTime(0);
    const begin = performance.now();
    for (let i = 0; i < count; i++) {
      player.go((i * Math.max(1, app.times.length - 1)) / count);
      await view.settled();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    }
    return (performance.now() - begin) / count;
  }

  return {
    app, source: app.source, scene: view.stage.scene, view, setTime, probe, timeFrames, picture: () => picture(app, view),
    video: (longest?: number) => video(app, view, longest),
  };
}
