// Pictures of the protocol's primitives in the axes they are given in.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, DoubleSide, EdgesGeometry, Group, LineSegments, Matrix4, Mesh,
  MeshBasicMaterial, PlaneGeometry, Quaternion, SphereGeometry, TorusGeometry, Vector3, type Material, type Object3D,
} from "three";
import type { Primitive } from "../protocol";
import { floats, integers, type Source } from "../source";
import { clipping, solid, thin } from "./paint";
import { surface } from "./surface";
import { tube } from "./tube";

export interface Look {
  color: string;
  opacity: number;
  /** Sharp edges are drawn as thin lines. */
  edges: boolean;
  /** Size of glyphs [m]. */
  unit: number;
  /** How finely round parts are drawn, in parts of the usual. */
  detail: number;
}

const upright = new Matrix4().makeRotationX(Math.PI / 2); // three.js builds along y, the protocol along z

/** Geometries by kind and size: hundreds of like joints share theirs, and the lines of its edges. */
const known = new Map<string, BufferGeometry>();
const edges = new WeakMap<BufferGeometry, BufferGeometry>();

/** The geometry of a primitive that is a solid, about its own origin; null for those that are not. */
function geometryOf(primitive: Primitive, f: number, detail: number): BufferGeometry | null {
  const size = (primitive.size ?? []).map((value) => value * f);
  const key = `${primitive.kind} ${detail} ${size.join(" ")}`;
  const made = known.get(key) ?? newGeometry(primitive, size, detail);
  if (made) known.set(key, made);
  return made;
}

function edgesOf(geometry: BufferGeometry): BufferGeometry {
  const made = edges.get(geometry) ?? new EdgesGeometry(geometry, 32);
  edges.set(geometry, made);
  return made;
}

function newGeometry(primitive: Primitive, [a = 1, b = 1, c = 1]: number[], detail: number): BufferGeometry | null {
  switch (primitive.kind) {
    case "box":
      return new BoxGeometry(a, b, c);
    case "cylinder":
      return new CylinderGeometry(a, a, b, 40 * detail).applyMatrix4(upright);
    case "cone":
      return new ConeGeometry(a, b, 32 * detail).applyMatrix4(upright);
    case "sphere":
      return new SphereGeometry(a, 32 * detail, 20 * detail);
    case "ring":
      return new TorusGeometry(a, b, 16 * detail, 48 * detail);
    case "arrow":
      return arrowGeometry(a, primitive.size && primitive.size.length > 1 ? b : 0.05 * a);
    default:
      return null;
  }
}

/** Shaft and head along z, from the origin to the length. */
export function arrowGeometry(length: number, radius: number): BufferGeometry {
  const head = Math.min(6 * radius, 0.5 * length);
  const shaft = new CylinderGeometry(radius, radius, length - head, 16).translate(0, (length - head) / 2, 0);
  const cone = new ConeGeometry(2.4 * radius, head, 24).translate(0, length - head / 2, 0);
  return joined([shaft, cone]).applyMatrix4(upright);
}

/** Several geometries with index, position and normal as one. */
export function joined(parts: BufferGeometry[]): BufferGeometry {
  const positions: number[] = [], normals: number[] = [], index: number[] = [];
  for (const part of parts) {
    const offset = positions.length / 3;
    positions.push(...part.attributes.position.array);
    normals.push(...part.attributes.normal.array);
    index.push(...Array.from(part.index?.array ?? [], (i) => i + offset));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  geometry.setIndex(index);
  return geometry;
}

function place(object: Object3D, primitive: Primitive, factor: number): void {
  const [x, y, z] = primitive.position ?? [0, 0, 0];
  object.position.set(x * factor, y * factor, z * factor);
  const q = primitive.orientation;
  if (q) object.quaternion.set(q[1], q[2], q[3], q[0]);
}

function outlined(geometry: BufferGeometry, material: Material, look: Look): Object3D {
  const mesh = new Mesh(geometry, material);
  if (look.edges) mesh.add(new LineSegments(edgesOf(geometry), thin("#0b0e12", 0.35 * look.opacity)));
  return mesh;
}

/** Three axes in their colours. */
export function frame(size: number): Group {
  const group = new Group();
  const axes: [string, Quaternion][] = ["#e5484d", "#46a758", "#3e7bfa"].map((color, i) => [
    color, new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3().setComponent(i, 1))]);
  for (const [color, turn] of axes) {
    const axis = new Mesh(arrowGeometry(size, 0.035 * size), solid(color));
    axis.quaternion.copy(turn);
    group.add(axis);
  }
  return group;
}

/** The picture of a primitive; "between" ones are made by glyphs, as they stretch. */
export async function picture(primitive: Primitive, look: Look, source: Source): Promise<Object3D | null> {
  const factor = primitive.relative ? look.unit : 1;
  const color = primitive.color ?? look.color;
  const guessed = primitive.derived === true && primitive.kind === "box" && !primitive.relative; // stands for inertia only: one sees through it
  const object = await shape(primitive, { ...look, color, opacity: (guessed ? 0.3 : primitive.hollow ? 0.4 : 1) * look.opacity }, factor, source);
  if (object) place(object, primitive, factor);
  return object;
}

async function shape(primitive: Primitive, look: Look, factor: number, source: Source): Promise<Object3D | null> {
  const geometry = geometryOf(primitive, factor, look.detail);
  if (geometry) return outlined(geometry, solid(look.color, look.opacity), look);
  const [a = 1, b = a] = (primitive.size ?? []).map((value) => value * factor);
  switch (primitive.kind) {
    case "frame":
      return frame(a);
    case "plane": {
      const flat = new MeshBasicMaterial({ color: look.color, side: DoubleSide, transparent: true, opacity: 0.22, depthWrite: false,
        clippingPlanes: clipping });
      return outlined(new PlaneGeometry(2 * a, 2 * b), flat, { ...look, edges: true });
    }
    case "line":
    case "curve": {
      const points = (primitive.points ?? []).map((p) => new Vector3(...p).multiplyScalar(factor));
      if (points.length < 2) return null;
      const width = primitive.size?.length ? a : 0.045 * look.unit;
      return new Mesh(tube(points, width, primitive.closed === true), solid(look.color, look.opacity));
    }
    case "surface": {
      if (!primitive.vertices || !primitive.triangles) return null;
      const vertices = await floats(source, primitive.vertices);
      return outlined(surface(vertices, await integers(source, primitive.triangles)).geometry, solid(look.color, look.opacity), look);
    }
    default:
      return null;
  }
}
