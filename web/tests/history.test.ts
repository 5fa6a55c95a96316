import assert from "node:assert/strict";
import { test } from "node:test";
import { magnitude, nodeHistory, nodeShape, positions, principal, vonMises } from "../src/signal/history";

const one = (...values: number[]): Float64Array[] => values.map((value) => Float64Array.of(value));

test("the history of a node is shapes times coordinates, over many pieces", async () => {
  const shapes = Float32Array.from({ length: 2 * 3 * 3 }, (_, i) => i); // 2 modes, 3 nodes, 3 components
  const width = 70_000; // so wide that the rows come in several pieces
  const asked: number[] = [];
  const rows = {
    count: 9,
    width,
    read: (first: number, count: number): Promise<Float32Array> => {
      asked.push(count);
      const values = new Float32Array(count * width);
      for (let row = 0; row < count; row++) values.set([first + row, 2], row * width + 5);
      return Promise.resolve(values);
    },
  };
  const constant = Float32Array.of(0, 0, 0, 0, 0, 0, 100, 200, 300);
  const found = await nodeHistory(nodeShape(shapes, [2, 3, 3], 2, constant), rows, 5);
  assert.ok(asked.length > 1 && asked.reduce((a, b) => a + b) === 9);
  // node 2: mode 0 is (6, 7, 8), mode 1 (15, 16, 17); z = (row, 2)
  assert.deepEqual([...found[1]], Array.from({ length: 9 }, (_, row) => 200 + 7 * row + 32));
  assert.throws(() => nodeShape(shapes, [2, 3, 3], 3), RangeError);
});

test("measures of stress are the textbook's", () => {
  assert.equal(vonMises(one(100, 0, 0, 0, 0, 0))[0], 100);
  assert.ok(Math.abs(vonMises(one(0, 0, 0, 100, 0, 0))[0] - 100 * Math.sqrt(3)) < 1e-9);
  const of = (...stress: number[]): number[] => principal(one(...stress)).map((part) => part[0]);
  const near = (found: number[], expected: number[]): void =>
    expected.forEach((value, i) => assert.ok(Math.abs(found[i] - value) < 1e-6, `${found} ≠ ${expected}`));
  near(of(0, 0, 0, 50, 0, 0), [50, 0, -50]);
  near(of(-30, 10, 20, 0, 0, 0), [20, 10, -30]);
  near(of(5, 5, 5, 0, 0, 0), [5, 5, 5]);
  near(of(2, 3, 4, 1, 0.5, -0.25), [4.22249878, 3.48036526, 1.29713596]); // numpy.linalg.eigvalsh
});

test("the magnitude is that of the vector", () => assert.deepEqual([...magnitude(one(3, 4, 12))], [13]));

test("a position is that of the body's pose", async () => {
  const h = Math.SQRT1_2; // a quarter turn about z
  const rows = { count: 1, width: 8, read: () => Promise.resolve(Float32Array.of(10, 20, 30, h, 0, 0, h, 0.5)) };
  const shape = { modes: 1, count: 3, values: Float32Array.of(2, 0, 0), constant: Float32Array.of(1, 0, 4) };
  const found = (await positions(shape, rows, 7, 0)).map((part) => part[0]);
  [10, 22, 34].forEach((value, i) => assert.ok(Math.abs(found[i] - value) < 1e-5, String(found)));
});
