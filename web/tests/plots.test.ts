import assert from "node:assert/strict";
import { test } from "node:test";
import { along, clicked, followed, into, noPlots, panel, removed, sane, without, type Plots } from "../src/panels/plots";
import { groups, isolated, treeRows, turnedHidden } from "../src/panels/tree_rows";
import type { Header } from "../src/protocol";

const unit = (name: string): string => name.split("_")[1] ?? "";
const click = (plots: Plots, name: string, anew = false): Plots => ({ ...plots, ...clicked(plots, name, unit, anew) });
const shown = (plots: Plots): string[] => plots.panels.map((each) => each.signals.join("+"));

test("clicked signals share a panel by unit, at most two units in one", () => {
  let plots = ["a_N", "b_N", "c_m", "d_rad", "e_rad"].reduce((now, name) => click(now, name), noPlots);
  assert.deepEqual(shown(plots), ["a_N+b_N+c_m", "d_rad+e_rad"]);
  assert.equal(plots.active, 1);
  plots = click(plots, "d_rad"); // again: away
  assert.deepEqual(shown(plots), ["a_N+b_N+c_m", "e_rad"]);
  assert.deepEqual(shown(click(plots, "e_rad", true)), ["a_N+b_N+c_m", "e_rad", "e_rad"]);
});

test("a panel goes with its last signal, and another becomes the active one", () => {
  const plots = click(click(noPlots, "a_N"), "b_m", true);
  const rest = { ...plots, ...without(plots, 1, "b_m") };
  assert.deepEqual([shown(rest), rest.active], [["a_N"], 0]);
  assert.deepEqual(removed(rest, 0), { panels: [], active: 0 });
  assert.deepEqual(shown({ ...rest, ...into(rest, 0, ["a_N", "c_m"]) }), ["a_N+c_m"]);
});

test("a signal goes along x and back", () => {
  const plots = ["a_N", "b_N", "c_m"].reduce((now, name) => click(now, name), noPlots);
  const over = { ...plots, ...along(plots, 0, "c_m") };
  assert.deepEqual([over.panels[0].kind, over.panels[0].x, shown(over)], ["xy", "c_m", ["a_N+b_N"]]);
  const other = { ...over, ...along(over, 0, "a_N") };
  assert.deepEqual([other.panels[0].x, shown(other)], ["a_N", ["c_m+b_N"]]);
  assert.deepEqual([along(other, 0, "").panels?.[0].kind, along(other, 0, "").panels?.[0].signals.length], ["time", 3]);
});

test("a chosen node takes the panel that follows", () => {
  const first = { ...noPlots, ...followed(noPlots, ["n1"]) };
  const second = { ...first, ...followed(first, ["n2"]) };
  assert.deepEqual(shown(second), ["n2"]);
});

test("what an address holds is taken as far as it makes sense", () => {
  const good = panel("xy", ["a"], { x: "b" });
  const junk = [null, 7, { kind: "pie", signals: ["a"] }, { kind: "time", signals: [] }, { kind: "xy", signals: ["a"] }, { kind: "time", signals: [1, {}] }];
  assert.deepEqual(JSON.parse(JSON.stringify(sane([...junk, good]))), JSON.parse(JSON.stringify([good])));
  assert.deepEqual(sane("panels"), []);
});

const body = (name: string): unknown => ({ name, kind: "rigid", markers: [{ name: "tip", position: [0, 0, 1] }] });
const item = (name: string, group: string, ...ends: number[]): unknown => ({ name, group, type: "Revolute", ends: ends.map((each) => ({ body: each })) });
const HEADER = { bodies: ["ground", "crank", "rod"].map(body), items: [item("main", "joints", 0, 1), item("pin", "joints", 1, 2), item("pump", "forces", 2)] } as Header;

test("the tree has groups, members and markers, and is searched by name and type", () => {
  const all = groups(HEADER);
  const labels = (turned: string[], text = ""): string[] => treeRows(HEADER, all, new Set(turned), text).map((row) => row.label);
  assert.deepEqual(labels([]), ["Bodies", "ground", "crank", "rod", "Joints", "main", "pin", "Forces", "pump"]);
  assert.deepEqual(labels(["group joints", "body 1"]), ["Bodies", "ground", "crank", "tip", "rod", "Joints", "Forces", "pump"]);
  assert.deepEqual(labels(["group joints"], "revolute pin"), ["Joints", "pin"]);
});

test("a body is shown alone with what is attached to it, an item with its bodies", () => {
  assert.deepEqual(isolated(HEADER, "body", 2), { bodies: [0, 1], items: [0] });
  assert.deepEqual(isolated(HEADER, "item", 1), { bodies: [0], items: [0, 2] });
  assert.deepEqual(turnedHidden({ bodies: [1], items: [] }, "body", [0, 1]), { bodies: [0, 1] });
  assert.deepEqual(turnedHidden({ bodies: [0, 1], items: [] }, "body", [1]), { bodies: [0] });
});
