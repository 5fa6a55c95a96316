import assert from "node:assert/strict";
import { test } from "node:test";
import type { Header } from "../src/protocol";
import type { Source } from "../src/source";
import { Frames } from "../src/time/frames";
import { mixRows, rowAt, timeAt } from "../src/time/interpolate";
import { goodSpeed } from "../src/time/player";

const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

test("poses turn at a constant rate on the shorter way, all else is linear", () => {
  const angle = 2.4;
  const a = Float32Array.of(0, 1, 0, 0, 0, 10);
  const b = Float32Array.of(2, -Math.cos(angle / 2), 0, 0, -Math.sin(angle / 2), 20); // the same turn with the other sign
  const out = new Float32Array(6);
  mixRows(a, b, 0.25, Int32Array.of(1), out);
  near(out[0], 0.5);
  near(out[5], 12.5);
  near(Math.abs(out[1]), Math.cos(angle / 8));
  near(Math.abs(out[4]), Math.sin(angle / 8));
  near(Math.hypot(out[1], out[2], out[3], out[4]), 1);
});

test("rows and times that are not equally far apart", () => {
  const times = Float64Array.of(0, 1, 3, 4);
  near(rowAt(times, 2), 1.5);
  near(timeAt(times, 1.5), 2);
  assert.deepEqual([rowAt(times, -1), rowAt(times, 9), rowAt(Float64Array.of(5), 7)], [0, 3, 0]);
});

test("a run is shown at a speed at which one can follow it", () => {
  assert.deepEqual([0, 5, NaN].map(goodSpeed), [1, 1, 1]);
  near(goodSpeed(0.3), 0.05);
  near(goodSpeed(3600), 100);
});

/** Rows of one number, their own index, from a source that has only so many yet. */
function growing(): { source: Source; have(count: number): void; asked: [number, number][] } {
  let there = 0;
  const asked: [number, number][] = [];
  const frames = async (first: number, count: number): Promise<Float32Array> => {
    asked.push([first, count]);
    return Float32Array.from({ length: Math.max(0, Math.min(count, there - first)) }, (_, i) => first + i);
  };
  return { source: { frames } as unknown as Source, have: (count) => (there = count), asked };
}

test("rows of a live run that come late are asked for anew", async () => {
  const { source, have, asked } = growing();
  const header = { frames: { count: 3, width: 1 }, bodies: [] } as unknown as Header;
  const frames = new Frames(source, header);
  have(2); // the third is promised, but not there yet
  assert.deepEqual([...(await frames.all())], [0, 1, 0]);
  assert.equal(frames.row(2), null);
  have(300);
  frames.grow(300);
  const all = await frames.all();
  assert.deepEqual([all.length, all[2], all[299]], [300, 2, 299]);
  const before = asked.length;
  await frames.all();
  assert.equal(asked.length, before); // what is there is kept
  const out = new Float32Array(1);
  assert.ok(frames.sample(255.5, out)); // between two blocks
  near(out[0], 255.5);
});

test("rows that cannot be had are told once, and not asked for at every frame", async () => {
  let asked = 0;
  const source = { frames: async () => { asked++; throw new Error("the server does not answer"); } } as unknown as Source;
  const frames = new Frames(source, { frames: { count: 3, width: 1 }, bodies: [] } as unknown as Header);
  const told: string[] = [];
  frames.onTrouble = (error) => told.push(error.message);
  for (let i = 0; i < 20; i++) {
    assert.equal(frames.sample(1, new Float32Array(1)), false);
    frames.prefetch(1);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.deepEqual(told, ["the server does not answer"]);
  assert.equal(asked, 1);
});
