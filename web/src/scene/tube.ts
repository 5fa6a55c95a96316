// A round wire along a polyline.

import { BufferAttribute, BufferGeometry, Vector3 } from "three";

const SIDES = 10;

/** A tube of this radius through the points; its section is carried along without twist. */
export function tube(points: Vector3[], radius: number, closed = false): BufferGeometry {
  const line = closed ? [...points, points[0]] : points;
  const n = line.length;
  const position = new Float32Array(3 * n * SIDES);
  const normal = new Float32Array(3 * n * SIDES);
  const index: number[] = [];
  const across = new Vector3(), other = new Vector3(), out = new Vector3();
  for (let i = 0; i < n; i++) {
    const along = tangent(line, i, closed);
    if (i === 0) across.set(Math.abs(along.x) < 0.9 ? 1 : 0, Math.abs(along.x) < 0.9 ? 0 : 1, 0);
    across.addScaledVector(along, -across.dot(along)).normalize();
    other.crossVectors(along, across);
    for (let s = 0; s < SIDES; s++) {
      const angle = (2 * Math.PI * s) / SIDES;
      out.copy(across).multiplyScalar(Math.cos(angle)).addScaledVector(other, Math.sin(angle));
      const at = 3 * (i * SIDES + s);
      out.toArray(normal, at);
      out.multiplyScalar(radius).add(line[i]).toArray(position, at);
      if (i + 1 < n) {
        const a = i * SIDES + s, b = i * SIDES + ((s + 1) % SIDES);
        index.push(a, b, b + SIDES, a, b + SIDES, a + SIDES);
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(position, 3));
  geometry.setAttribute("normal", new BufferAttribute(normal, 3));
  geometry.setIndex(index);
  return geometry;
}

function tangent(line: Vector3[], i: number, closed: boolean): Vector3 {
  const last = line.length - 1;
  const before = closed && i === 0 ? line[last - 1] : line[Math.max(i - 1, 0)];
  const after = closed && i === last ? line[1] : line[Math.min(i + 1, last)];
  const along = new Vector3().subVectors(after, before);
  return along.lengthSq() > 0 ? along.normalize() : new Vector3(0, 0, 1);
}

/** The wire of a coil along z from 0 to `length`: straight ends, turns between. */
export function coil(radius: number, turns: number, length: number, wire: number): BufferGeometry {
  const lead = 0.12 * length;
  const points = [new Vector3(0, 0, 0), new Vector3(0, 0, lead * 0.8)];
  const steps = Math.max(8, Math.round(turns * 20));
  for (let i = 0; i <= steps; i++) {
    const part = i / steps;
    const angle = 2 * Math.PI * turns * part;
    const grown = radius * Math.min(1, part * turns * 2.5, (1 - part) * turns * 2.5);
    points.push(new Vector3(grown * Math.cos(angle), grown * Math.sin(angle), lead + part * (length - 2 * lead)));
  }
  points.push(new Vector3(0, 0, length - lead * 0.8), new Vector3(0, 0, length));
  return tube(points, wire);
}
