// The state of the page: clock, selection, settings, what is hidden. Parts of the page speak with each other through it.

import type { Header } from "./protocol";
import type { Source } from "./source";
import { AddressState, Store } from "./store";
import type { Frames } from "./time/frames";

export interface Clock {
  /** Row of the frames, with a fraction between two rows. */
  row: number;
  /** [s]; phase in turns for modes. */
  time: number;
  playing: boolean;
  /** Seconds of the model per second of the watcher. */
  speed: number;
  loop: boolean;
}

export interface Selection {
  kind: "none" | "body" | "item" | "node";
  /** Of the body (kinds body, node) or of the item. */
  index: number;
  /** Vertex of the body's mesh (kind node), else -1. */
  node: number;
}

export interface Settings {
  deformation: number;
  /** "" = plain colours, "deformation", or the name of a mesh's field. */
  field: string;
  component: string;
  range: "all" | "frame" | "manual";
  low: number;
  high: number;
  bands: boolean;
  extremes: boolean;
  edges: boolean;
  shadow: boolean;
  grid: boolean;
  glyphs: boolean;
  glyphSize: number;
  markers: boolean;
  arrows: boolean;
  arrowScale: number;
  labels: boolean;
  orthographic: boolean;
  /** Smooth edges even where the processor draws; read when the page opens. */
  fine: boolean;
  theme: "auto" | "dark" | "light";
  /** Clipping plane: "" or an axis, and where it stands between 0 and 1 of the box. */
  clip: string;
  clipAt: number;
  clipFlip: boolean;
  /** Mode that is animated (kinds modes, campbell). */
  mode: number;
  /** Run that is drawn as a ghost, -1: none. */
  ghost: number;
}

/** What is hidden, as indices. */
export interface Hidden {
  bodies: readonly number[];
  items: readonly number[];
}

/** Bodies' points whose way is drawn: "body:vertex", vertex -1 = the body's origin. */
export interface Traces {
  points: readonly string[];
}

/** Where the camera stands and what it looks at [m]; empty: everything is fitted. */
export interface Viewpoint {
  position: readonly number[];
  target: readonly number[];
  /** Height of the picture [m] of an orthographic camera. */
  height: number;
}

export interface App {
  source: Source;
  header: Header;
  /** Times of the rows [s]; turns of one cycle for modes. */
  times: Float64Array;
  frames: Frames;
  clock: Store<Clock>;
  selection: Store<Selection>;
  settings: Store<Settings>;
  hidden: Store<Hidden>;
  traces: Store<Traces>;
  viewpoint: Store<Viewpoint>;
  /** Counts what the server told of a run that goes on; its header then holds it. */
  news: Store<{ count: number }>;
  /** Keeps more stores in the address: app.address.keep("plots", store, ["signals"]). */
  address: AddressState;
  /** A short message at the foot of the page. */
  tell(text: string): void;
}

export const nothing: Selection = { kind: "none", index: -1, node: -1 };

export const defaults: Settings = {
  deformation: 1, field: "", component: "von_mises", range: "all", low: 0, high: 1, bands: false, extremes: true,
  edges: false, shadow: false, grid: true, glyphs: true, glyphSize: 1, markers: false, arrows: true, arrowScale: 1,
  labels: false, orthographic: false, fine: false, theme: "auto", clip: "", clipAt: 0.5, clipFlip: false, mode: 0, ghost: -1,
};

/** Is the cycle of a mode shown, rather than a history? */
export function cyclic(header: Header): boolean {
  return header.modes !== null && header.modes.length > 0;
}

/** Does a solver still work on the run? */
export function goesOn(header: Header): boolean {
  return header.status === "running" || header.status === "paused";
}

/** Steps of one cycle of a mode. */
export const CYCLE = 48;

/** The stores of a page, filled from its address; the second of several runs is drawn over the first at once. */
export function makeStores(runs = 1): Pick<App, "clock" | "selection" | "settings" | "hidden" | "traces" | "viewpoint" | "address"> {
  const address = new AddressState();
  const clock = new Store<Clock>({ row: 0, time: 0, playing: false, speed: 1, loop: true });
  const selection = new Store<Selection>(nothing);
  const settings = new Store<Settings>({ ...defaults, ghost: runs > 1 ? 1 : defaults.ghost });
  const hidden = new Store<Hidden>({ bodies: [], items: [] });
  const traces = new Store<Traces>({ points: [] });
  address.keep("clock", clock, ["row", "speed", "loop"]);
  address.keep("selection", selection, ["kind", "index", "node"]);
  address.keep("settings", settings, Object.keys(defaults) as (keyof Settings)[]);
  address.keep("hidden", hidden, ["bodies", "items"]);
  address.keep("traces", traces, ["points"]);
  const viewpoint = new Store<Viewpoint>({ position: [], target: [], height: 0 });
  address.keep("viewpoint", viewpoint, ["position", "target", "height"]);
  return { clock, selection, settings, hidden, traces, viewpoint, address };
}
