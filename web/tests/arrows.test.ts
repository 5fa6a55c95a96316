import assert from "node:assert/strict";
import { test } from "node:test";
import type { Header } from "../src/protocol";
import { Arrows } from "../src/scene/arrows";
import { Poses } from "../src/scene/poses";

test("the scale of arrows grows with what a run that still computes has shown", () => {
  const at = { body: 0, position: [0, 0, 0] };
  const header = {
    status: "running", frames: { count: 2, width: 3 }, bodies: [{ pose: -1, mesh: null, beam: null }],
    arrows: [{ name: "pin.force", item: 0, at, vector: 0, kind: "reaction", unit: "N", largest: 0 }],
  } as unknown as Header;
  const arrows = new Arrows(header, 1, 0.03), poses = new Poses(header);
  const lengths = [[0, 0, 3], [0, 4, 3], [0, 0, 2.5]].map((force) => {
    poses.row = Float32Array.from(force);
    arrows.update(poses, 1, new Set());
    return arrows.pictures[0].group.visible ? arrows.pictures[0].tip.length() : 0;
  });
  assert.deepEqual(lengths.map((length) => Math.round(1e6 * length) / 1e6), [0.2, 0.2, 0.1]);
  assert.deepEqual(arrows.scaleText(), ["longest arrows 5 N"]);
});

test("where signs are small beside the scene, arrows are in proportion to them", () => {
  const header = {
    status: "finished", frames: { count: 1, width: 3 }, bodies: [{ pose: -1, mesh: null, beam: null }],
    arrows: [{ name: "pin.force", item: 0, at: { body: 0, position: [0, 0, 0] }, vector: 0, kind: "reaction", unit: "N", largest: 5 }],
  } as unknown as Header;
  const lengths = [0.03, 0.0005].map((glyph) => {
    const arrows = new Arrows(header, 50, 50 * glyph), poses = new Poses(header);
    poses.row = Float32Array.from([0, 4, 3]);
    arrows.update(poses, 1, new Set());
    return arrows.pictures[0].tip.length();
  });
  assert.deepEqual(lengths.map((length) => Math.round(1e4 * length) / 1e4), [10, 0.1675]);
});
