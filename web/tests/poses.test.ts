import assert from "node:assert/strict";
import { test } from "node:test";
import { Quaternion, Vector3 } from "three";
import type { Header } from "../src/protocol";
import { Poses } from "../src/scene/poses";

const near = (a: Vector3, b: [number, number, number]): void =>
  assert.ok(a.distanceTo(new Vector3(...b)) < 1e-6, `${a.toArray()} is not ${b}`);

/** A beam along x of 1 m that has been turned about z by a right angle and carried to (2, 0, 0); its end bends by 1 mm, 2 mrad. */
function bent(): Poses {
  const s = Math.SQRT1_2, h = 0.001;
  const end = new Quaternion(0, 0, s, s).multiply(new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), 0.002));
  const header = {
    frames: { count: 1, width: 21 },
    bodies: [{ pose: 0, mesh: null, beam: { stations: 2, poses: 7, outlines: [], rest: [[0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0, 0]] } }],
  } as unknown as Header;
  const poses = new Poses(header);
  poses.row = Float32Array.of(2, 0, 0, s, 0, 0, s, 2, 0, 0, s, 0, 0, s, 2 - h, 1, 0, end.w, end.x, end.y, end.z);
  return poses;
}

test("of a beam only the deflection and the turn of its sections are drawn larger", () => {
  const poses = bent(), at = new Vector3(), turn = new Quaternion();
  poses.scale = 10;
  near(poses.point(0, new Vector3(), 0, at), [2, 0, 0]);
  near(poses.point(0, new Vector3(), 1, at), [1.99, 1, 0]);
  poses.place({ body: 0, station: 1, position: [0.1, 0, 0], orientation: [1, 0, 0, 0] }, at, turn);
  assert.ok(Math.abs(2 * Math.atan2(turn.z, turn.w) - (Math.PI / 2 + 0.02)) < 1e-6);
  poses.scale = 1;
  near(poses.point(0, new Vector3(), 1, at), [1.999, 1, 0]);
  assert.ok(Math.abs(poses.deflection(0) - 0.001) < 1e-6);
});
