// Where bodies and places on them are in a frame.

import { Quaternion, Vector3 } from "three";
import type { BeamData, Header, Place } from "../protocol";

/** Displacement shapes of one vertex (modes × 3), and where its coordinates stand in the row. */
interface VertexShapes {
  values: Float32Array;
  z: number;
}

export class Poses {
  row: Float32Array;
  /** Deformation is drawn larger by this factor. */
  scale = 1;
  private readonly vertices = new Map<string, VertexShapes>();
  private readonly beam = { position: new Vector3(), turn: new Quaternion() };

  constructor(private readonly header: Header) {
    this.row = new Float32Array(header.frames.width);
    for (const body of header.bodies) if (body.pose >= 0) this.row[body.pose + 3] = 1;
  }

  /** The same at another row, with the true deformation. */
  at(row: Float32Array): Poses {
    const found = new Poses(this.header);
    found.row = row;
    return found;
  }

  /** Shapes (modes, n, 3) of a body's mesh have come: keep those of the vertices that places follow. */
  provide(body: number, shapes: Float32Array, vertices: number[]): void {
    const mesh = this.header.bodies[body].mesh;
    if (!mesh) return;
    const n = mesh.vertices.shape[0];
    for (const v of vertices) {
      const values = new Float32Array(3 * mesh.modes);
      for (let k = 0; k < mesh.modes; k++)
        for (let i = 0; i < 3; i++) values[3 * k + i] = shapes[3 * (k * n + v) + i];
      this.vertices.set(`${body}:${v}`, { values, z: mesh.z });
    }
  }

  body(index: number, position: Vector3, turn: Quaternion): void {
    const at = this.header.bodies[index]?.pose ?? -1;
    if (at < 0) {
      position.set(0, 0, 0);
      turn.identity();
    } else this.read(at, position, turn);
  }

  /** A beam's station. Its deflection and turn against the rest, seen from the frame that follows the beam, are drawn larger. */
  station(body: number, beam: BeamData, i: number, position: Vector3, turn: Quaternion, scale = this.scale): void {
    this.read(beam.poses + 7 * i, position, turn);
    const rest = beam.rest?.[i];
    if (!rest || scale === 1) return;
    const { position: straight, turn: base } = this.straight(body, rest);
    position.lerpVectors(straight, position, scale);
    turn.copy(enlarged(base.clone().invert().multiply(turn), scale)).premultiply(base);
  }

  /** The largest deflection of a beam against its rest [m]. */
  deflection(body: number): number {
    const beam = this.header.bodies[body]?.beam;
    const at = new Vector3(), turn = new Quaternion();
    let largest = 0;
    beam?.rest?.forEach((rest, i) => {
      this.read(beam.poses + 7 * i, at, turn);
      largest = Math.max(largest, at.distanceTo(this.straight(body, rest).position));
    });
    return largest;
  }

  /** Where a station would be if its beam moved as a rigid body. */
  private straight(body: number, rest: number[]): { position: Vector3; turn: Quaternion } {
    const { position, turn } = this.beam;
    const origin = new Vector3();
    this.body(body, origin, turn);
    position.set(rest[0], rest[1], rest[2]).applyQuaternion(turn).add(origin);
    turn.multiply(new Quaternion(rest[4], rest[5], rest[6], rest[3]).normalize());
    return this.beam;
  }

  /** Position and axes of a place. */
  place(place: Place, position: Vector3, turn: Quaternion): void {
    const { body, station, node } = place;
    const beam = this.header.bodies[body]?.beam;
    if (beam && station !== undefined && station >= 0) this.station(body, beam, station, position, turn);
    else this.body(body, position, turn);
    const local = new Vector3(...place.position);
    if (node !== undefined && node >= 0) this.shift(body, node, local);
    position.add(local.applyQuaternion(turn));
    const q = place.orientation;
    if (q) turn.multiply(new Quaternion(q[1], q[2], q[3], q[0]));
  }

  /** A point of a body's axes in space; it follows the vertex if one is given, of a beam the station of that number. */
  point(body: number, local: Vector3, vertex: number, out: Vector3): Vector3 {
    const turn = new Quaternion();
    const beam = this.header.bodies[body]?.beam;
    if (beam && vertex >= 0 && vertex < beam.stations) {
      this.station(body, beam, vertex, out, turn);
      return out;
    }
    this.body(body, out, turn);
    const moved = local.clone();
    if (vertex >= 0) this.shift(body, vertex, moved);
    return out.add(moved.applyQuaternion(turn));
  }

  private shift(body: number, vertex: number, local: Vector3): void {
    const found = this.vertices.get(`${body}:${vertex}`);
    if (!found) return;
    const { values, z } = found;
    for (let k = 0; 3 * k < values.length; k++) {
      const amount = this.scale * this.row[z + k];
      local.x += amount * values[3 * k];
      local.y += amount * values[3 * k + 1];
      local.z += amount * values[3 * k + 2];
    }
  }

  private read(at: number, position: Vector3, turn: Quaternion): void {
    const r = this.row;
    position.set(r[at], r[at + 1], r[at + 2]);
    turn.set(r[at + 4], r[at + 5], r[at + 6], r[at + 3]).normalize();
  }
}

/** A turn about the same axis by a larger angle. */
function enlarged(turn: Quaternion, factor: number): Quaternion {
  const { x, y, z, w } = turn;
  const sine = Math.hypot(x, y, z);
  if (sine < 1e-12) return turn.identity();
  const angle = 2 * Math.atan2(sine, Math.abs(w)) * Math.sign(w || 1);
  return turn.setFromAxisAngle(new Vector3(x, y, z).divideScalar(sine), factor * angle);
}

/** Vertices that ends of items and arrows follow, by body. */
export function followedVertices(header: Header): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  const places = [...header.items.flatMap((item) => item.ends), ...header.arrows.map((arrow) => arrow.at)];
  for (const { body, node } of places) {
    if (node === undefined || node < 0) continue;
    if (!found.has(body)) found.set(body, new Set());
    found.get(body)?.add(node);
  }
  return found;
}
