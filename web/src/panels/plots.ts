// Which plots are shown: the part of the page's state that the panels own. Pure.

export type Kind = "time" | "xy" | "fft" | "psd";

export interface Panel {
  kind: Kind;
  /** References to signals (library.ts). */
  signals: readonly string[];
  /** The signal along x (kind xy). */
  x?: string;
  /** Follows the node that is chosen in the 3-D view. */
  follow?: boolean;
  /** Logarithmic values; of a power spectral density unless it is denied. */
  log?: boolean;
  /** Segments over which a power spectral density is averaged. */
  segments?: number;
  /** Least, largest, mean and root mean square are told. */
  statistics?: boolean;
}

export const SEGMENTS = 4;

export function logarithmic({ kind, log }: Panel): boolean {
  return log ?? kind === "psd";
}

export interface Plots {
  panels: readonly Panel[];
  /** Number of the panel that takes what is clicked. */
  active: number;
  /** Time shown [from, to] in s; empty: all. */
  range: readonly number[];
  /** Time of the second cursor; empty: none. */
  pin: readonly number[];
}

export const noPlots: Plots = { panels: [], active: 0, range: [], pin: [] };

/** At most so many different units share a panel: one axis on the left and one on the right. */
const UNITS = 2;

export function panel(kind: Kind, signals: readonly string[], more: Partial<Panel> = {}): Panel {
  return { kind, signals, ...more };
}

/** What an address holds, as far as it makes sense. */
export function sane(given: unknown): Panel[] {
  if (!Array.isArray(given)) return [];
  const found: Panel[] = [];
  for (const each of given.slice(0, 40) as Partial<Record<keyof Panel, unknown>>[]) {
    const kind = each?.kind;
    if (kind !== "time" && kind !== "xy" && kind !== "fft" && kind !== "psd") continue;
    const signals = Array.isArray(each.signals) ? each.signals.filter((name) => typeof name === "string") : [];
    const x = typeof each.x === "string" && each.x ? each.x : undefined;
    if (signals.length === 0 || (kind === "xy" && !x)) continue;
    const segments = typeof each.segments === "number" && each.segments >= 1 ? Math.min(64, Math.floor(each.segments)) : undefined;
    const log = typeof each.log === "boolean" ? each.log : undefined;
    const [follow, statistics] = [each.follow === true || undefined, each.statistics === true || undefined];
    found.push(panel(kind, signals.slice(0, 40), { x, follow, log, segments, statistics }));
  }
  return found;
}

/** A signal is clicked: into the active panel where its unit has room, else into a new one; out of it if it is there. */
export function clicked(plots: Plots, name: string, unitOf: (name: string) => string, anew: boolean): Partial<Plots> {
  const target = plots.panels[plots.active] as Panel | undefined;
  if (target && !anew && target.signals.includes(name)) return without(plots, plots.active, name);
  const units = new Set(target?.signals.map(unitOf) ?? []);
  const room = target && (units.has(unitOf(name)) || units.size < (target.kind === "time" ? UNITS : 1));
  if (!target || anew || !room) return added(plots, panel("time", [name]));
  return into(plots, plots.active, [name]);
}

/** A new panel, which then is the active one. */
export function added(plots: Plots, next: Panel, at = plots.panels.length): Partial<Plots> {
  return { panels: [...plots.panels.slice(0, at), next, ...plots.panels.slice(at)], active: at };
}

/** Signals are put into a panel. */
export function into(plots: Plots, at: number, names: readonly string[]): Partial<Plots> {
  const target = plots.panels[at];
  return { ...changed(plots, at, { signals: [...new Set([...target.signals, ...names])] }), active: at };
}

/** A signal is taken out of a panel; a panel that is empty then goes. */
export function without(plots: Plots, at: number, name: string): Partial<Plots> {
  const signals = plots.panels[at].signals.filter((each) => each !== name);
  return signals.length > 0 ? changed(plots, at, { signals }) : removed(plots, at);
}

export function removed(plots: Plots, at: number): Partial<Plots> {
  const active = plots.active > at ? plots.active - 1 : plots.active;
  return { panels: plots.panels.filter((_, i) => i !== at), active: Math.max(0, Math.min(active, plots.panels.length - 2)) };
}

export function changed(plots: Plots, at: number, change: Partial<Panel>): Partial<Plots> {
  return { panels: plots.panels.map((each, i) => (i === at ? { ...each, ...change } : each)) };
}

/** One signal of a panel goes along x, the others over it; "" = time again. */
export function along(plots: Plots, at: number, x: string): Partial<Plots> {
  const before = plots.panels[at];
  const all = before.x ? [before.x, ...before.signals] : before.signals;
  if (!x) return changed(plots, at, { kind: "time", x: undefined, signals: [...new Set(all)] });
  const signals = all.filter((name) => name !== x);
  return changed(plots, at, { kind: "xy", x, signals: signals.length > 0 ? [...new Set(signals)] : [x] });
}

/** A node is chosen in the 3-D view: its histories in the panel that follows, or in a new one. */
export function followed(plots: Plots, names: readonly string[]): Partial<Plots> {
  const at = plots.panels.findIndex((each) => each.follow);
  if (at < 0) return added(plots, panel("time", names, { follow: true }));
  return changed(plots, at, { signals: names, kind: "time", x: undefined });
}
