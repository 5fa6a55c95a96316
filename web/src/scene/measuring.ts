// Measuring between points that are clicked: a distance (two points), an angle (three, the second is the corner). Points stay on
// their bodies, so that the value follows the motion.

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import { measured, written } from "../signal/numbers";
import type { Labels } from "./labels";
import type { Hit, Picker } from "./picker";
import type { Picture } from "./picture";

export type Measuring = "" | "distance" | "angle";

interface Point {
  body: number;
  vertex: number;
  local: Vector3;
}

export class MeasureTool {
  readonly group = new Group();
  mode: Measuring = "";
  private points: Point[] = [];
  private readonly line: Line;
  private readonly dots: Mesh[];

  constructor(private readonly picture: Picture, private readonly picker: Picker, private readonly labels: Labels) {
    this.line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: "#ffd166", depthTest: false }));
    this.line.frustumCulled = false;
    this.line.renderOrder = 9;
    const ball = new SphereGeometry(0.004 * picture.size, 16, 12);
    this.dots = [0, 1, 2].map(() => new Mesh(ball, new MeshBasicMaterial({ color: "#ffd166", depthTest: false })));
    for (const dot of this.dots) dot.renderOrder = 9;
    this.group.add(this.line, ...this.dots);
    this.group.visible = false;
  }

  start(mode: Measuring): void {
    this.mode = mode;
    this.points = [];
    this.labels.remove("measure");
    this.group.visible = false;
  }

  /** A click while measuring: take the vertex that is near, or the point itself. */
  add(hit: Hit): void {
    if (hit.kind !== "body") return;
    const wanted = this.mode === "angle" ? 3 : 2;
    if (this.points.length >= wanted) this.points = [];
    const body = this.picture.bodies[hit.index];
    const vertex = this.picker.vertexNear(hit.index, hit.at);
    const local = new Vector3();
    if (vertex >= 0 && body.vertices) local.fromArray(body.vertices, 3 * vertex);
    else {
      const at = new Vector3(), turn = new Quaternion();
      this.picture.poses.body(hit.index, at, turn);
      local.copy(hit.at).sub(at).applyQuaternion(turn.invert());
    }
    this.points.push({ body: hit.index, vertex, local });
    this.update();
  }

  private where({ body, vertex, local }: Point): Vector3 {
    const picture = this.picture.bodies[body];
    const p = local.clone();
    if (vertex >= 0 && picture.deformer) {
      const [x, y, z] = picture.deformer.displacementAt(vertex);
      p.addScaledVector(new Vector3(x, y, z), picture.uniforms?.moveScale.value ?? 1);
    }
    const at = new Vector3(), turn = new Quaternion();
    this.picture.poses.body(body, at, turn);
    return p.applyQuaternion(turn).add(at);
  }

  update(): void {
    this.group.visible = this.points.length > 0;
    if (!this.points.length) return;
    const places = this.points.map((point) => this.where(point));
    this.dots.forEach((dot, i) => {
      dot.visible = i < places.length;
      if (places[i]) dot.position.copy(places[i]);
    });
    this.line.geometry.dispose();
    this.line.geometry = new BufferGeometry().setAttribute("position",
      new BufferAttribute(new Float32Array(places.flatMap((p) => p.toArray())), 3));
    const [a, b, c] = places;
    if (this.mode === "angle" && c) {
      const angle = new Vector3().subVectors(a, b).angleTo(new Vector3().subVectors(c, b));
      this.labels.set("measure", `${written((angle * 180) / Math.PI, 5)}°`, b, "measure");
    } else if (this.mode === "distance" && b) {
      const d = new Vector3().subVectors(b, a);
      const parts = d.toArray().map((value) => written(value * 1000, 4)).join(", ");
      this.labels.set("measure", `${measured(d.length(), "m", 5)}  (${parts}) mm`, a.clone().add(b).multiplyScalar(0.5), "measure");
    } else this.labels.set("measure", this.mode === "angle" ? "click the corner, then the third point" : "click the second point", a, "measure");
  }
}
