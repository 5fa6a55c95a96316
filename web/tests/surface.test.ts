import assert from "node:assert/strict";
import { test } from "node:test";
import { colourAt } from "../src/scene/colours";
import { planOf, shapeTexture } from "../src/scene/pass";
import { surface } from "../src/scene/surface";
import { coil, tube } from "../src/scene/tube";
import { Vector3 } from "three";

/** Quadrangles as two triangles each. */
const split = (faces: number[][]): Uint32Array => Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));

test("a cube keeps its edges: three vertices at each corner, normals across the faces", () => {
  const corners = Float32Array.from([0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, i >> 2]));
  const faces = split([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]);
  const { geometry, used } = surface(Float32Array.of(...corners, 9, 9, 9), faces); // and a vertex that no face has
  assert.equal(geometry.attributes.position.count, 24);
  assert.deepEqual([...used], [1, 1, 1, 1, 1, 1, 1, 1, 0]);
  const normals = geometry.attributes.normal;
  for (let i = 0; i < normals.count; i++)
    assert.ok(Math.max(...[normals.getX(i), normals.getY(i), normals.getZ(i)].map(Math.abs)) > 0.999);
  const link = geometry.attributes.link;
  for (let i = 0; i < link.count; i++) assert.equal(new Set([link.getX(i), link.getY(i), link.getZ(i)]).size, 3);
});

test("a round surface is smooth: one vertex where its facets meet", () => {
  const n = 24;
  const ring = (z: number): number[] => Array.from({ length: n }, (_, i) => [Math.cos((2 * Math.PI * i) / n), Math.sin((2 * Math.PI * i) / n), z]).flat();
  const faces = split(Array.from({ length: n }, (_, i) => [i, (i + 1) % n, n + ((i + 1) % n), n + i]));
  const { geometry } = surface(Float32Array.from([...ring(0), ...ring(1)]), faces);
  assert.equal(geometry.attributes.position.count, 2 * n);
  const { normal } = geometry.attributes;
  assert.ok(Math.abs(normal.getX(0) - 1) < 0.01);
});

test("shapes lie in a texture where the shader looks for them, also when they need several layers", () => {
  const [modes, n] = [5, 7];
  const plan = { ...planOf(n, modes, 3), perLayer: 2 }; // 3 × 3 texels per mode, two modes per layer
  assert.deepEqual([plan.width, plan.height], [3, 3]);
  const data = Float32Array.from({ length: modes * n * 3 }, (_, i) => i + 1);
  const constant = Float32Array.from({ length: n * 3 }, (_, i) => -i - 1);
  const { image } = shapeTexture(plan, data, modes, 3, 0, 3, constant) as unknown as { image: { data: Float32Array; width: number; height: number } };
  const at = (mode: number, node: number): number[] => {
    const x = node % plan.width, y = Math.floor(node / plan.width) + (mode % plan.perLayer) * plan.height;
    const texel = 4 * ((Math.floor(mode / plan.perLayer) * image.height + y) * image.width + x);
    return [...image.data.subarray(texel, texel + 3)];
  };
  for (let k = 0; k < modes; k++) for (let v = 0; v < n; v++) assert.deepEqual(at(k, v), [1, 2, 3].map((c) => 3 * (k * n + v) + c));
  assert.deepEqual(at(modes, 4), [-13, -14, -15]);
});

test("wires are as thick and coils as long as asked", () => {
  const straight = tube([new Vector3(0, 0, 0), new Vector3(0, 0, 2)], 0.1).attributes.position;
  for (let i = 0; i < straight.count; i++) assert.ok(Math.abs(Math.hypot(straight.getX(i), straight.getY(i)) - 0.1) < 1e-6);
  const wire = coil(1, 6, 10, 0.05);
  wire.computeBoundingBox();
  const { min, max } = wire.boundingBox!;
  assert.ok(Math.abs(min.z) < 1e-6 && Math.abs(max.z - 10) < 1e-6 && max.x > 0.95 && max.x < 1.1);
});

test("small values are blue, large ones red", () => {
  const rgb = (x: number): number[] => colourAt(x).match(/\d+/g)!.map(Number);
  const [low, high] = [rgb(0), rgb(1)];
  assert.ok(low[2] > low[0] && high[0] > high[2]);
});
