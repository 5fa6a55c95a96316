// The canvas: renderer, lights, cameras. Draws when something asks for it, not all the time.

import {
  AmbientLight, Color, DirectionalLight, HemisphereLight, OrthographicCamera, PerspectiveCamera, Scene, Vector3, WebGLRenderer, type Box3,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

/** Room about what is fitted. */
const MARGIN = 1.12;

export type StandardView = "front" | "back" | "left" | "right" | "top" | "bottom" | "iso";

export class Stage {
  readonly scene = new Scene();
  readonly renderer: WebGLRenderer;
  readonly perspective = new PerspectiveCamera(32, 1, 0.01, 1000);
  readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
  readonly controls: OrbitControls;
  camera: PerspectiveCamera | OrthographicCamera = this.perspective;
  /** Called before each drawing. */
  readonly before = new Set<() => void>();
  /** Called after each drawing. */
  readonly after = new Set<() => void>();
  /** Nothing is drawn before everything is there. */
  resting = true;
  private asked = 0;
  private readonly key = new DirectionalLight(0xffffff, 1.55);

  constructor(readonly host: HTMLElement, readonly up: Vector3, private size: number, fine: boolean) {
    const drawnBy = graphics();
    if (drawnBy === null) throw new Error("this browser offers no WebGL 2: allow hardware acceleration in its settings, or use another browser");
    const slow = /swiftshader|llvmpipe|software/i.test(drawnBy); // the processor draws: smooth edges cost more than they give
    this.renderer = new WebGLRenderer({ antialias: fine || !slow, alpha: true, powerPreference: "high-performance" });
    this.renderer.debug.checkShaderErrors = false; // asking would wait for every program on its own
    this.renderer.setClearColor(new Color(0), 0);
    this.renderer.localClippingEnabled = true;
    host.prepend(this.renderer.domElement);
    this.renderer.domElement.tabIndex = 0;
    this.renderer.domElement.setAttribute("aria-label", "3-D view");
    const fill = new DirectionalLight(0xdfe9ff, 0.5);
    this.scene.add(new HemisphereLight(0xffffff, 0x9aa4b0, 1.05), new AmbientLight(0xffffff, 0.45), this.key, this.key.target, fill);
    fill.position.copy(up).multiplyScalar(-1).add(new Vector3(0.4, -0.2, 0.3));
    for (const camera of [this.perspective, this.orthographic]) camera.up.copy(up);
    this.controls = new OrbitControls(this.perspective, this.renderer.domElement);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.draw());
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  /** Draw with the next picture of the screen. */
  draw(): void {
    if (this.asked || this.resting) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.drawNow();
    });
  }

  drawNow(): void {
    cancelAnimationFrame(this.asked);
    this.asked = 0;
    for (const work of this.before) work();
    this.aimLight();
    this.depths();
    this.renderer.render(this.scene, this.camera);
    for (const work of this.after) work();
  }

  /** The key light stands above the left shoulder of the watcher. */
  private aimLight(): void {
    const { target } = this.controls;
    const back = new Vector3().subVectors(this.camera.position, target).normalize();
    const right = new Vector3().crossVectors(this.up, back).normalize();
    this.key.position.copy(target).addScaledVector(back, 1).addScaledVector(this.up, 0.9).addScaledVector(right, -0.7);
    this.key.target.position.copy(target);
  }

  /** Near and far planes that hold everything without wasting depth. */
  private depths(): void {
    const reach = this.camera.position.distanceTo(this.controls.target) + 6 * this.size;
    this.perspective.near = Math.max(reach * 2e-4, this.size * 1e-4);
    this.perspective.far = reach + 40 * this.size;
    this.orthographic.near = -reach - 20 * this.size;
    this.orthographic.far = reach + 20 * this.size;
    this.camera.updateProjectionMatrix();
  }

  /** Where the camera stands, to be brought back by `place`. */
  viewpoint(): { position: number[]; target: number[]; height: number } {
    const short = (x: number): number => Number(x.toPrecision(6));
    const height = this.metresPerPixel() * (this.host.clientHeight || 1); // at the target; of both cameras
    return { position: this.camera.position.toArray().map(short), target: this.controls.target.toArray().map(short), height: short(height) };
  }

  place({ position, target, height }: { position: readonly number[]; target: readonly number[]; height: number }): boolean {
    if (![...position, ...target].every(Number.isFinite) || position.length !== 3 || target.length !== 3) return false;
    this.camera.position.fromArray([...position]);
    this.controls.target.fromArray([...target]);
    if (this.camera === this.orthographic && height > 0) {
      this.orthographic.zoom = 1;
      this.orthographic.top = height / 2;
      this.orthographic.bottom = -height / 2;
      this.aspect(this.host.clientWidth / Math.max(1, this.host.clientHeight));
    }
    this.controls.update();
    this.draw();
    return true;
  }

  private resize(): void {
    const width = Math.max(1, this.host.clientWidth), height = Math.max(1, this.host.clientHeight);
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    this.aspect(width / height);
    this.draw();
  }

  aspect(ratio: number): void {
    this.perspective.aspect = ratio;
    this.perspective.updateProjectionMatrix();
    const half = (this.orthographic.top - this.orthographic.bottom) / 2;
    this.orthographic.left = -half * ratio;
    this.orthographic.right = half * ratio;
    this.orthographic.updateProjectionMatrix();
  }

  /** Metres per pixel at the point the camera turns about. */
  metresPerPixel(): number {
    const height = this.host.clientHeight || 1;
    if (this.camera === this.orthographic) return (this.orthographic.top - this.orthographic.bottom) / this.orthographic.zoom / height;
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (2 * distance * Math.tan((this.perspective.fov * Math.PI) / 360)) / height;
  }

  useOrthographic(wanted: boolean): void {
    const next = wanted ? this.orthographic : this.perspective;
    if (next === this.camera) return;
    const { target } = this.controls;
    const direction = new Vector3().subVectors(this.camera.position, target).normalize();
    const tangent = Math.tan((this.perspective.fov * Math.PI) / 360);
    const metres = this.metresPerPixel() * (this.host.clientHeight || 1);
    if (wanted) {
      this.orthographic.zoom = 1;
      this.orthographic.top = metres / 2;
      this.orthographic.bottom = -metres / 2;
    }
    next.position.copy(target).addScaledVector(direction, metres / 2 / tangent);
    this.camera = next;
    this.controls.object = next;
    this.aspect(this.host.clientWidth / Math.max(1, this.host.clientHeight));
    this.controls.update();
    this.draw();
  }

  /** Directions of a standard view: towards the watcher. */
  private direction(view: StandardView): Vector3 {
    const right = Math.abs(this.up.x) > 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
    right.addScaledVector(this.up, -right.dot(this.up)).normalize();
    const front = new Vector3().crossVectors(right, this.up); // towards the watcher of the front view
    const out: Record<StandardView, Vector3> = {
      front, back: front.clone().negate(), right, left: right.clone().negate(),
      top: this.up.clone().addScaledVector(front, 1e-3), bottom: this.up.clone().negate().addScaledVector(front, 1e-3),
      iso: front.clone().addScaledVector(right, 0.5).addScaledVector(this.up, 0.45),
    };
    return out[view].normalize();
  }

  look(view: StandardView): void {
    this.towards(this.direction(view));
  }

  /** Look along a direction without changing what is in the middle. */
  towards(direction: Vector3): void {
    const { target } = this.controls;
    const distance = this.camera.position.distanceTo(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.update();
    this.draw();
  }

  /** Bring a box into the picture, right of a strip of `aside` pixels. */
  fit(box: Box3, view?: StandardView, aside = 0): void {
    const { target } = this.controls;
    const direction = view ? this.direction(view) : new Vector3().subVectors(this.camera.position, target).normalize();
    if (!view && direction.lengthSq() === 0) direction.copy(this.direction("iso"));
    box.getCenter(target);
    this.camera.position.copy(target).add(direction);
    this.camera.lookAt(target);
    const height = this.host.clientHeight || 1, width = this.host.clientWidth || 1;
    const ratio = Math.max(width - aside, 0.4 * width) / height;
    const tangent = Math.tan((this.perspective.fov * Math.PI) / 360) / MARGIN;
    let half = 1e-6, distance = 1e-6;
    for (const [x, y, z] of corners(box, this.camera)) {
      half = Math.max(half, MARGIN * Math.abs(y), (MARGIN * Math.abs(x)) / ratio);
      distance = Math.max(distance, Math.abs(y) / tangent + z, Math.abs(x) / tangent / ratio + z);
    }
    this.camera.position.copy(target).addScaledVector(direction, distance);
    if (this.camera === this.orthographic) {
      this.orthographic.zoom = 1;
      this.orthographic.top = half;
      this.orthographic.bottom = -half;
      this.aspect(width / height);
    }
    const right = new Vector3(1, 0, 0).applyQuaternion(this.camera.quaternion);
    right.multiplyScalar((-aside / 2) * this.metresPerPixel());
    target.add(right);
    this.camera.position.add(right);
    this.controls.update();
    this.draw();
  }
}

/** The name of what draws, "" if the browser keeps it to itself, null without WebGL 2. */
function graphics(): string | null {
  const probe = document.createElement("canvas").getContext("webgl2");
  if (!probe) return null;
  const about = probe.getExtension("WEBGL_debug_renderer_info");
  const name = about ? String(probe.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}

/** Corners of a box from its middle, in the camera's axes. */
function corners(box: Box3, camera: PerspectiveCamera | OrthographicCamera): Vector3[] {
  const half = new Vector3().subVectors(box.max, box.min).multiplyScalar(0.5);
  const turn = camera.quaternion.clone().invert();
  const signs = [-1, 1];
  return signs.flatMap((x) => signs.flatMap((y) => signs.map((z) => new Vector3(x, y, z).multiply(half).applyQuaternion(turn))));
}
