// Triangles for drawing: vertices are split where the surface has an edge, so that curved parts look smooth and edges sharp.

import { BufferAttribute, BufferGeometry } from "three";

const CREASE = Math.cos((32 * Math.PI) / 180);

export interface Surface {
  geometry: BufferGeometry;
  /** 1 for vertices that belong to a triangle. */
  used: Uint8Array;
}

/** Geometry with position, normal, index, and `link` = (vertex, two neighbours) by which the shader follows deformation. */
export function surface(vertices: Float32Array, triangles: Uint32Array): Surface {
  const n = vertices.length / 3;
  const m = Math.floor(triangles.length / 3);
  const normals = faceNormals(vertices, triangles, m);
  const { start, corners } = cornersOf(triangles, n, 3 * m);
  const index = new Uint32Array(3 * m);
  const node: number[] = [];
  const neighbours: number[] = [];
  const sums: number[] = [];
  for (let v = 0; v < n; v++) {
    const first = node.length; // groups of this vertex: faces whose normals are alike
    for (let c = start[v]; c < start[v + 1]; c++) {
      const corner = corners[c];
      const face = Math.floor(corner / 3);
      const x = normals[3 * face], y = normals[3 * face + 1], z = normals[3 * face + 2];
      const size = Math.hypot(x, y, z) || 1;
      let group = first;
      for (; group < node.length; group++) {
        const s = 3 * group;
        const length = Math.hypot(sums[s], sums[s + 1], sums[s + 2]) || 1;
        if (sums[s] * x + sums[s + 1] * y + sums[s + 2] * z >= CREASE * size * length) break;
      }
      if (group === node.length) {
        node.push(v);
        sums.push(0, 0, 0);
        const at = corner % 3;
        neighbours.push(triangles[3 * face + ((at + 1) % 3)], triangles[3 * face + ((at + 2) % 3)]);
      }
      sums[3 * group] += x;
      sums[3 * group + 1] += y;
      sums[3 * group + 2] += z;
      index[corner] = group;
    }
  }
  return { geometry: assemble(vertices, node, neighbours, sums, index), used: usedOf(start, n) };
}

/** Normals of the faces, as long as twice their area. */
function faceNormals(p: Float32Array, t: Uint32Array, m: number): Float32Array {
  const out = new Float32Array(3 * m);
  for (let f = 0; f < m; f++) {
    const a = 3 * t[3 * f], b = 3 * t[3 * f + 1], c = 3 * t[3 * f + 2];
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    out[3 * f] = uy * vz - uz * vy;
    out[3 * f + 1] = uz * vx - ux * vz;
    out[3 * f + 2] = ux * vy - uy * vx;
  }
  return out;
}

/** The corners that meet at each vertex. */
function cornersOf(t: Uint32Array, n: number, count: number): { start: Uint32Array; corners: Uint32Array } {
  const start = new Uint32Array(n + 1);
  for (let c = 0; c < count; c++) start[t[c] + 1]++;
  for (let v = 0; v < n; v++) start[v + 1] += start[v];
  const next = start.slice();
  const corners = new Uint32Array(count);
  for (let c = 0; c < count; c++) corners[next[t[c]]++] = c;
  return { start, corners };
}

function usedOf(start: Uint32Array, n: number): Uint8Array {
  const used = new Uint8Array(n);
  for (let v = 0; v < n; v++) used[v] = start[v + 1] > start[v] ? 1 : 0;
  return used;
}

function assemble(p: Float32Array, node: number[], neighbours: number[], sums: number[], index: Uint32Array): BufferGeometry {
  const count = node.length;
  const position = new Float32Array(3 * count);
  const normal = new Float32Array(3 * count);
  const link = new Float32Array(3 * count);
  for (let g = 0; g < count; g++) {
    const length = Math.hypot(sums[3 * g], sums[3 * g + 1], sums[3 * g + 2]) || 1;
    for (let i = 0; i < 3; i++) {
      position[3 * g + i] = p[3 * node[g] + i];
      normal[3 * g + i] = sums[3 * g + i] / length;
    }
    link.set([node[g], neighbours[2 * g], neighbours[2 * g + 1]], 3 * g);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(position, 3));
  geometry.setAttribute("normal", new BufferAttribute(normal, 3));
  geometry.setAttribute("link", new BufferAttribute(link, 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  return geometry;
}

/** Lines between vertices, with the same `link` as surfaces have. */
export function lines(vertices: Float32Array, pairs: Uint32Array): BufferGeometry {
  const n = vertices.length / 3;
  const link = new Float32Array(3 * n);
  for (let v = 0; v < n; v++) link[3 * v] = v;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(vertices, 3));
  geometry.setAttribute("link", new BufferAttribute(link, 3));
  geometry.setIndex(new BufferAttribute(pairs, 1));
  return geometry;
}
