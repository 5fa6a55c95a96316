import assert from "node:assert/strict";
import { test } from "node:test";
import { csv } from "../src/signal/csv";
import { measured, scaleOf, written } from "../src/signal/numbers";
import { indexed, search } from "../src/signal/search";

const NAMES = indexed(["rod.force_x", "crank.angle", "main.Crank_angle", "spring.force", "force.total"]);
const found = (text: string): string[] => search(NAMES, text).map((i) => NAMES.names[i]);

test("words are found anywhere, those at the beginning first", () => {
  assert.deepEqual(found("FORCE"), ["force.total", "rod.force_x", "spring.force"]);
  assert.deepEqual(found("angle main"), ["main.Crank_angle"]);
  assert.equal(found("").length, 5);
  assert.deepEqual(found("nothing"), []);
});

test("patterns match the whole name", () => {
  assert.deepEqual(found("*.force_?"), ["rod.force_x"]);
  assert.deepEqual(found("*angle"), ["crank.angle", "main.Crank_angle"]);
  assert.deepEqual(found("*".repeat(60) + "z"), []);
});

test("CSV quotes what it must and heads as run.to_csv does", () => {
  const text = csv([
    { name: "time", unit: "s", values: [0, 0.1] },
    { name: 'a "b", c', unit: "", values: [1e-7, -2] },
  ]);
  assert.equal(text, 'time [s],"a ""b"", c"\n0,1e-7\n0.1,-2\n');
});

test("numbers have few digits and units a prefix that suits them", () => {
  assert.equal(measured(2.1e8, "Pa"), "210 MPa");
  assert.equal(measured(-0.00123, "m"), "−1.23 mm");
  assert.equal(measured(1234.5, "m"), "1234.5 m");
  assert.equal(measured(0.5, "rad"), "0.5 rad");
  assert.equal(written(1.5e-9), "1.5e−9");
  assert.equal(written(123456789), "1.2346e8");
  assert.deepEqual(scaleOf(0, "Pa"), { factor: 1, unit: "Pa" });
});
