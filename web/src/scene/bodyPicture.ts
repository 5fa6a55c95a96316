// The picture of one body: rigid shapes, a mesh that deforms, or a beam swept along its stations.

import { Group, LineSegments, Mesh, Vector3, type LineBasicMaterial, type Material, type MeshPhongMaterial, type WebGLRenderer } from "three";
import type { BodyData, Field } from "../protocol";
import { floats, integers, type Source } from "../source";
import { BEAM_STRESS, BeamPicture } from "./beam";
import { Deformer } from "./deformer";
import type { Extremes } from "./deformer";
import { isStrain, type Measure } from "./measures";
import { deforming, fieldUniforms, picking, thin, type DeformUniforms, type FieldUniforms } from "./paint";
import type { Poses } from "./poses";
import { picture, type Look } from "./primitives";
import { lines, surface } from "./surface";

const EDGES = "#0b0e12";

export class BodyPicture {
  readonly group = new Group();
  deformer: Deformer | null = null;
  uniforms: DeformUniforms | null = null;
  vertices: Float32Array | null = null;
  /** Numbers of the vertices in the model's own numbering. */
  nodes: Uint32Array | null = null;
  private shadow: Mesh | null = null;
  private edges: LineSegments | null = null;
  private wires: LineSegments | null = null;
  beam: BeamPicture | null = null;
  private readonly highlighted: MeshPhongMaterial[] = [];

  constructor(
    private readonly renderer: WebGLRenderer, private readonly source: Source, readonly data: BodyData, readonly index: number,
    private readonly look: Look,
  ) {}

  /** Get the shapes and build; `followed` are vertices whose shapes the poses need. */
  async load(poses: Poses, followed: number[]): Promise<void> {
    for (const primitive of this.data.shapes) {
      const object = await picture(primitive, this.look, this.source);
      if (object) this.group.add(object);
    }
    if (this.data.beam) {
      this.beam = new BeamPicture(this.data.beam, this.index, this.look);
      this.group.add(this.beam.group);
    }
    if (this.data.mesh) await this.loadMesh(poses, followed);
    this.group.traverse((object) => {
      if (!(object instanceof Mesh) || object === this.shadow || object === this.beam?.shadow) return;
      object.userData.pick = picking(this.index + 1, object.userData.deforms ? this.uniforms : null);
      if ((object.material as MeshPhongMaterial).emissive) this.highlighted.push(object.material as MeshPhongMaterial);
    });
  }

  private async loadMesh(poses: Poses, followed: number[]): Promise<void> {
    const mesh = this.data.mesh;
    if (!mesh) return;
    const [vertices, triangles, edges, nodes, shapes] = await Promise.all([
      floats(this.source, mesh.vertices), integers(this.source, mesh.triangles), integers(this.source, mesh.edges),
      integers(this.source, mesh.nodes), mesh.shapes && mesh.modes > 0 ? floats(this.source, mesh.shapes) : null,
    ]);
    this.vertices = vertices;
    this.nodes = nodes;
    if (shapes) poses.provide(this.index, shapes, followed);
    const { geometry, used } = surface(vertices, triangles);
    this.deformer = new Deformer(this.renderer, vertices, mesh.modes, shapes, used);
    const { rest, displacement, field, plan } = this.deformer;
    this.uniforms = {
      restMap: { value: rest }, moveMap: { value: displacement.texture }, fieldMap: { value: field.texture },
      mapWidth: { value: plan.width }, moveScale: { value: 1 }, ...fieldUniforms(),
    };
    const add = <T extends Mesh | LineSegments>(object: T): T => {
      object.frustumCulled = false; // the deformed shape is known to the GPU only
      object.userData.deforms = true;
      this.group.add(object);
      return object;
    };
    add(new Mesh(geometry, deforming(this.look.color, this.uniforms, this.look.opacity)));
    this.edges = add(new LineSegments(lines(vertices, edges), thin(EDGES, 0.55 * this.look.opacity, this.uniforms)));
    const still: DeformUniforms = { ...this.uniforms, moveScale: { value: 0 }, fieldShown: { value: 0 } };
    this.shadow = add(new Mesh(geometry, deforming("#9aa5b1", still, 0.16)));
    this.shadow.visible = false;
    this.shadow.renderOrder = 2;
  }

  /** Lines of all elements are fetched when they are first shown. */
  async showWires(shown: boolean): Promise<void> {
    const wires = this.data.mesh?.wires;
    if (this.wires) this.wires.visible = shown;
    else if (shown && wires && this.uniforms && this.vertices) {
      const pairs = await integers(this.source, wires);
      if (this.wires) return;
      this.wires = new LineSegments(lines(this.vertices, pairs), thin("#0b0e12", 0.3, this.uniforms));
      this.wires.frustumCulled = false;
      this.group.add(this.wires);
    }
  }

  showShadow(shown: boolean): void {
    if (this.shadow) this.shadow.visible = shown;
    if (this.beam) this.beam.shadow.visible = shown;
  }

  /** How its field is shown as colours. */
  get paint(): FieldUniforms | null {
    return this.uniforms ?? this.beam?.uniforms ?? null;
  }

  field(name: string): Field | null {
    if (this.data.beam) return name === BEAM_STRESS.name && this.data.beam.stress >= 0 ? BEAM_STRESS : null;
    return this.data.mesh?.fields.find((field) => field.name === name) ?? null;
  }

  /** Make a field ready on the GPU; false if this body does not have it. */
  async prepareField(name: string): Promise<boolean> {
    if (this.data.beam) return name === "deformation" ? Boolean(this.data.beam.rest) : this.field(name) !== null;
    const { deformer } = this;
    if (!deformer || !this.data.mesh) return false;
    if (name === "deformation") return this.data.mesh.modes > 0;
    const field = this.field(name);
    if (!field) return false;
    if (deformer.hasField(name)) return true;
    const shapes = await floats(this.source, field.shapes);
    const constant = field.constant ? await floats(this.source, field.constant) : null;
    if (!deformer.hasField(name)) deformer.addField(name, shapes, field.components.length, constant);
    return true;
  }

  /** Show a measure of a field that is ready; null: of the deformation. */
  showField(field: Field | null, measure: Measure): void {
    this.deformer?.show(field ? field.name : "", measure.code, isStrain(field) ? 0.5 : 1);
    this.beam?.show(measure);
    if (this.paint) this.paint.fieldShown.value = 1;
  }

  hideField(): void {
    this.deformer?.hide();
    this.beam?.show(null);
    if (this.paint) this.paint.fieldShown.value = 0;
  }

  /** The field of another row than the one that is drawn. */
  evaluate(poses: Poses): void {
    if (this.beam) this.beam.evaluate(poses);
    else this.deformer?.update(poses.row, this.data.mesh?.z ?? 0);
  }

  /** Smallest and largest value of the shown field. */
  extremes(): Extremes | null {
    return this.beam ? this.beam.extremes() : (this.deformer?.extremes() ?? null);
  }

  /** Where a vertex is drawn now. */
  at(vertex: number): Vector3 {
    if (this.beam) return this.beam.at(vertex);
    const u = this.deformer?.displacementAt(vertex) ?? [0, 0, 0];
    const p = new Vector3().fromArray(this.vertices ?? [0, 0, 0], 3 * vertex);
    p.addScaledVector(new Vector3(...(u as [number, number, number])), this.uniforms?.moveScale.value ?? 1);
    return p.applyQuaternion(this.group.quaternion).add(this.group.position);
  }

  update(poses: Poses): void {
    if (this.beam) {
      this.beam.update(poses);
      return;
    }
    poses.body(this.index, this.group.position, this.group.quaternion);
    const mesh = this.data.mesh;
    if (mesh && mesh.modes > 0) this.deformer?.update(poses.row, mesh.z);
    if (this.uniforms) this.uniforms.moveScale.value = poses.scale;
  }

  highlight(color: string, strength: number): void {
    for (const material of this.highlighted) {
      material.emissive.set(color);
      material.emissiveIntensity = strength;
    }
    (this.edges?.material as LineBasicMaterial | undefined)?.color.set(strength > 0 ? color : EDGES);
  }

  dispose(): void {
    this.deformer?.dispose();
    this.group.traverse((object) => {
      if (!(object instanceof Mesh || object instanceof LineSegments)) return;
      object.geometry.dispose();
      (object.material as Material).dispose();
    });
  }
}

