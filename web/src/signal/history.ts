// History of a node of a flexible body, from its shapes and the rows of modal coordinates: values = shapes · z(t).

/** Shapes of one node: `count` components for each of `modes` coordinates. */
export interface NodeShape {
  modes: number;
  count: number;
  /** (modes, count) */
  values: Float32Array;
  /** (count), what is there at z = 0 */
  constant: Float32Array | null;
}

export interface Rows {
  count: number;
  width: number;
  read(first: number, count: number): Promise<Float32Array>;
}

/** Rows of about so many numbers are asked for at once. */
const CHUNK = 1 << 18;

/** The part of shapes (modes, nodes, count) that one node needs. */
export function nodeShape(
  shapes: Float32Array,
  size: readonly [modes: number, nodes: number, count: number],
  node: number,
  constant: Float32Array | null = null,
): NodeShape {
  const [modes, nodes, count] = size;
  if (node < 0 || node >= nodes) throw new RangeError(`node ${node} of ${nodes}`);
  const values = new Float32Array(modes * count);
  for (let mode = 0; mode < modes; mode++) {
    const begin = (mode * nodes + node) * count;
    values.set(shapes.subarray(begin, begin + count), mode * count);
  }
  return { modes, count, values, constant: constant ? constant.slice(node * count, (node + 1) * count) : null };
}

/** Values of a node, one array per component, from rows of which each has z at an offset. */
export function nodeValues(shape: NodeShape, rows: Float32Array, width: number, offset: number): Float64Array[] {
  const count = Math.floor(rows.length / width);
  const found = Array.from({ length: shape.count }, () => new Float64Array(count));
  for (let row = 0; row < count; row++) {
    const z = row * width + offset;
    for (let component = 0; component < shape.count; component++) {
      let sum = shape.constant?.[component] ?? 0;
      for (let mode = 0; mode < shape.modes; mode++) {
        sum += shape.values[mode * shape.count + component] * rows[z + mode];
      }
      found[component][row] = sum;
    }
  }
  return found;
}

/** What is computed from rows, over all of them, read piece by piece, so that the page stays alive. */
async function overRows(rows: Rows, parts: number, values: (piece: Float32Array) => Float64Array[]): Promise<Float64Array[]> {
  const found = Array.from({ length: parts }, () => new Float64Array(rows.count));
  const size = Math.max(1, Math.floor(CHUNK / Math.max(1, rows.width)));
  for (let first = 0; first < rows.count; first += size) {
    const piece = await rows.read(first, Math.min(size, rows.count - first));
    values(piece).forEach((part, i) => found[i].set(part, first));
  }
  return found;
}

/** Values of a node over all rows. */
export function nodeHistory(shape: NodeShape, rows: Rows, offset: number): Promise<Float64Array[]> {
  return overRows(rows, shape.count, (piece) => nodeValues(shape, piece, rows.width, offset));
}

/** Where a node is in global axes over all rows: its place in the body (shape.constant), displaced, in the body's pose. */
export function positions(shape: NodeShape, rows: Rows, offset: number, pose: number): Promise<Float64Array[]> {
  return overRows(rows, 3, (piece) => {
    const local = nodeValues(shape, piece, rows.width, offset);
    if (pose >= 0) for (let row = 0; row < local[0].length; row++) place(local, row, piece.subarray(row * rows.width + pose));
    return local;
  });
}

/** p + R u with the pose p = x y z and the quaternion w a b c:  R u = u + w t + v × t,  t = 2 v × u. */
function place(local: Float64Array[], row: number, [x, y, z, w, a, b, c]: Float32Array): void {
  const [u, v, r] = local.map((part) => part[row]);
  const [p, q, s] = [2 * (b * r - c * v), 2 * (c * u - a * r), 2 * (a * v - b * u)];
  local[0][row] = x + u + w * p + b * s - c * q;
  local[1][row] = y + v + w * q + c * p - a * s;
  local[2][row] = z + r + w * s + a * q - b * p;
}

/** √(x² + y² + …) */
export function magnitude(components: readonly Float64Array[]): Float64Array {
  return components[0].map((_, i) => Math.sqrt(components.reduce((sum, part) => sum + part[i] ** 2, 0)));
}

/** Von Mises stress of the components xx, yy, zz, xy, yz, zx. */
export function vonMises(stress: readonly Float64Array[]): Float64Array {
  const [xx, yy, zz, xy, yz, zx] = stress;
  return xx.map((_, i) => {
    const normal = (xx[i] - yy[i]) ** 2 + (yy[i] - zz[i]) ** 2 + (zz[i] - xx[i]) ** 2;
    return Math.sqrt(normal / 2 + 3 * (xy[i] ** 2 + yz[i] ** 2 + zx[i] ** 2));
  });
}

/** Principal stresses, largest first: eigenvalues of the symmetric tensor by the angle of its deviator. */
export function principal(stress: readonly Float64Array[]): [Float64Array, Float64Array, Float64Array] {
  const n = stress[0].length;
  const found: [Float64Array, Float64Array, Float64Array] = [
    new Float64Array(n),
    new Float64Array(n),
    new Float64Array(n),
  ];
  for (let i = 0; i < n; i++) {
    const [xx, yy, zz, xy, yz, zx] = stress.map((part) => part[i]) as [number, number, number, number, number, number];
    const mean = (xx + yy + zz) / 3;
    const [a, b, c] = [xx - mean, yy - mean, zz - mean];
    const radius = Math.sqrt((a * a + b * b + c * c + 2 * (xy * xy + yz * yz + zx * zx)) / 6);
    const third = (a * b * c + 2 * xy * yz * zx - a * yz * yz - b * zx * zx - c * xy * xy) / 2;
    const angle = radius > 0 ? Math.acos(Math.min(1, Math.max(-1, third / radius ** 3))) / 3 : 0;
    for (let k = 0; k < 3; k++) found[k][i] = mean + 2 * radius * Math.cos(angle - (2 * Math.PI * k) / 3);
    [found[1][i], found[2][i]] = [Math.max(found[1][i], found[2][i]), Math.min(found[1][i], found[2][i])];
  }
  return found;
}
