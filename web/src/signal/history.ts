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

export type Progress = (share: number) => void;

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
        sum += shape.values[mode * shape.count + component]! * rows[z + mode]!;
      }
      found[component]![row] = sum;
    }
  }
  return found;
}

/** The same over all rows, read piece by piece, so that the page stays alive. */
export async function nodeHistory(
  shape: NodeShape,
  rows: Rows,
  offset: number,
  progress: Progress = () => undefined,
): Promise<Float64Array[]> {
  const found = Array.from({ length: shape.count }, () => new Float64Array(rows.count));
  const piece = Math.max(1, Math.floor(CHUNK / Math.max(1, rows.width)));
  for (let first = 0; first < rows.count; first += piece) {
    const count = Math.min(piece, rows.count - first);
    const values = nodeValues(shape, await rows.read(first, count), rows.width, offset);
    values.forEach((part, component) => found[component]!.set(part, first));
    progress((first + count) / rows.count);
  }
  return found;
}

/** √(x² + y² + …) */
export function magnitude(components: readonly Float64Array[]): Float64Array {
  return components[0]!.map((_, i) => Math.sqrt(components.reduce((sum, part) => sum + part[i]! ** 2, 0)));
}

/** Von Mises stress of the components xx, yy, zz, xy, yz, zx. */
export function vonMises(stress: readonly Float64Array[]): Float64Array {
  const [xx, yy, zz, xy, yz, zx] = stress;
  return xx!.map((_, i) => {
    const normal = (xx![i]! - yy![i]!) ** 2 + (yy![i]! - zz![i]!) ** 2 + (zz![i]! - xx![i]!) ** 2;
    return Math.sqrt(normal / 2 + 3 * (xy![i]! ** 2 + yz![i]! ** 2 + zx![i]! ** 2));
  });
}

/** Principal stresses, largest first: eigenvalues of the symmetric tensor by the angle of its deviator. */
export function principal(stress: readonly Float64Array[]): [Float64Array, Float64Array, Float64Array] {
  const n = stress[0]!.length;
  const found: [Float64Array, Float64Array, Float64Array] = [
    new Float64Array(n),
    new Float64Array(n),
    new Float64Array(n),
  ];
  for (let i = 0; i < n; i++) {
    const [xx, yy, zz, xy, yz, zx] = stress.map((part) => part[i]!) as [number, number, number, number, number, number];
    const mean = (xx + yy + zz) / 3;
    const [a, b, c] = [xx - mean, yy - mean, zz - mean];
    const radius = Math.sqrt((a * a + b * b + c * c + 2 * (xy * xy + yz * yz + zx * zx)) / 6);
    const third = (a * b * c + 2 * xy * yz * zx - a * yz * yz - b * zx * zx - c * xy * xy) / 2;
    const angle = radius > 0 ? Math.acos(Math.min(1, Math.max(-1, third / radius ** 3))) / 3 : 0;
    for (let k = 0; k < 3; k++) found[k]![i] = mean + 2 * radius * Math.cos(angle - (2 * Math.PI * k) / 3);
    [found[1][i], found[2][i]] = [Math.max(found[1][i]!, found[2][i]!), Math.min(found[1][i]!, found[2][i]!)];
  }
  return found;
}
