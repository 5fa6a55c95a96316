// What the Python side hands over: a JSON header and numbered binary buffers. Kept in step with flexor/viewer/scene.py.

export type Vector = [number, number, number];
/** Unit quaternion, scalar first. */
export type Quaternion = [number, number, number, number];
export type Labelled = [label: string, text: string];

/** A binary array in the buffer with this number, little-endian, last index fastest. */
export interface Ref {
  buffer: number;
  dtype: "f4" | "u4" | "f8";
  shape: number[];
}

export type PrimitiveKind =
  | "box" | "cylinder" | "sphere" | "cone" | "ring" | "line" | "curve" | "coil" | "damper" | "arrow" | "frame"
  | "surface" | "plane";

export interface Primitive {
  kind: PrimitiveKind;
  /** Axes of which end the picture stands in, or "between" both; absent in shapes of bodies. */
  end?: number | "between";
  /** Which ends a picture between two stretches to; the first two where absent. */
  ends?: [number, number];
  position?: Vector;
  orientation?: Quaternion;
  size?: number[];
  points?: Vector[];
  closed?: boolean;
  vertices?: Ref;
  triangles?: Ref;
  color?: string | null;
  /** Sizes are multiples of the scene's glyph size. */
  relative?: boolean;
  /** The shape was not declared but made from markers and inertia. */
  derived?: boolean;
  /** What touches it is inside: drawn so that it can be seen. */
  hollow?: boolean;
}

/** A field over a mesh: components as combinations of shapes by modal coordinates. */
export interface Field {
  name: string;
  unit: string;
  components: string[];
  /** (modes, vertices, components) */
  shapes: Ref;
  /** (vertices, components) */
  constant: Ref | null;
  note: string;
}

export interface MeshData {
  vertices: Ref;
  triangles: Ref;
  /** Sharp edges and borders. */
  edges: Ref;
  /** All sides of elements. */
  wires?: Ref | null;
  /** Numbers of the nodes in the model's own numbering. */
  nodes: Ref;
  modes: number;
  /** Where the modal coordinates stand in a frame's row. */
  z: number;
  /** (modes, vertices, 3) */
  shapes: Ref | null;
  fields: Field[];
}

export interface BeamData {
  stations: number;
  /** Where stations × 7 floats stand in a frame's row. */
  poses: number;
  /** Cross-section (y, z) in the axes of each station, all with equally many points. */
  outlines: [number, number][][];
  /** Poses at rest in the body's axes, 7 floats each. */
  rest?: number[][] | null;
  /** Where stations × 3 floats stand in a frame's row: axial stress at the line [Pa], its change along y and z of the section [Pa/m]; -1: none. */
  stress: number;
  /** What the stress holds, or why there is none. */
  note: string;
}

export interface MarkerData {
  name: string;
  position: Vector;
  orientation: Quaternion;
}

export interface BodyData {
  name: string;
  kind: "ground" | "rigid" | "modal" | "beam" | "point";
  color: string;
  /** Where x y z qw qx qy qz stand in a frame's row; -1: rests at the origin. Of a beam: the rigid frame that follows it. */
  pose: number;
  shapes: Primitive[];
  mesh: MeshData | null;
  beam: BeamData | null;
  properties: Labelled[];
  markers: MarkerData[];
}

/** A place on a body; it follows a beam's station or a mesh's vertex where one is named. */
export interface Place {
  body: number;
  position: Vector;
  orientation?: Quaternion;
  station?: number;
  node?: number;
}

export interface ItemData {
  name: string;
  type: string;
  group: string;
  ends: Place[];
  glyph: Primitive[];
  properties: Labelled[];
  signals: string[];
}

export interface ArrowData {
  name: string;
  item: number;
  at: Place;
  /** Where three floats in global axes stand in a frame's row. */
  vector: number;
  kind: "force" | "torque" | "reaction" | "reaction torque";
  unit: string;
  largest: number;
}

export interface SignalData {
  name: string;
  unit: string;
  quantity: string;
  owner: string;
}

export interface ModeData {
  frequency: number;
  damping: number | null;
  kind: string;
  whirl: string;
  /** What moves most: "piston: x"; empty if that is not known. */
  most: string;
}

export interface CampbellData {
  speeds: number[];
  /** Of the speeds; rad/s where it is not said. */
  unit?: string;
  /** One list per branch, a frequency per speed. */
  frequencies: (number | null)[][];
  /** Damping ratios likewise. */
  damping?: (number | null)[][];
  names: string[];
  /** Index into header.modes for each point of each branch; its shape is shown when the point is chosen. */
  modes?: (number | null)[][];
}

export interface Warning {
  text: string;
  time: number | null;
}

export interface Header {
  version: number;
  kind: "run" | "model" | "mesh" | "reduced" | "modes" | "campbell";
  name: string;
  status: "finished" | "stopped" | "running" | "paused" | "failed" | "killed" | "";
  summary: Labelled[];
  warnings: Warning[];
  cutbacks: number[];
  times: { buffer: number; count: number };
  frames: { count: number; width: number };
  box: [Vector, Vector];
  up: Vector;
  /** Size of "relative" pictures [m]. */
  glyph_size?: number;
  /** What was left out of the picture, thinned … */
  notes?: string[];
  /** Panels of plots shown at first: names of signals. */
  plots?: string[][];
  bodies: BodyData[];
  items: ItemData[];
  arrows: ArrowData[];
  signals: SignalData[];
  /** Values of the signals, of an equilibrium, which has no history. */
  values: (number | null)[] | null;
  modes: ModeData[] | null;
  campbell: CampbellData | null;
  /** Names of the runs served beside this one, for comparison; run k is asked for with &run=k. */
  runs?: string[];
}

export interface LiveState {
  rows: number;
  time: number;
  until: number;
  status: string;
  /** May the run be paused and stopped from here? */
  commands?: boolean;
  /** How it goes, as in the header. */
  summary?: Labelled[];
  warnings?: Warning[];
  /** Cut-backs from the one with the number `first` on. */
  cutbacks?: { first: number; times: number[] };
}

export interface ErrorReport {
  where: string;
  what: string;
  why: string;
  fix: string;
}
