// What the panels of a page share: the plots, the values of signals, and which tabs are open.

import type { App } from "../state";
import { Store } from "../store";
import { rowAt } from "../time/interpolate";
import { Library } from "./library";
import { clicked, noPlots, panel, sane, type Plots } from "./plots";

export interface Open {
  left: string;
  right: string;
  /** Signal whose value is shown, of an equilibrium. */
  value: string;
}

export interface Desk {
  app: App;
  library: Library;
  plots: Store<Plots>;
  open: Store<Open>;
  /** Plot a signal, or take it away if it is in the active panel. */
  plot(ref: string, anew?: boolean): void;
  /** Move the clock to a time [s]. */
  goTo(time: number): void;
}

const desks = new WeakMap<App, Desk>();

export function deskOf(app: App): Desk {
  const found = desks.get(app) ?? made(app);
  desks.set(app, found);
  return found;
}

function made(app: App): Desk {
  const library = new Library(app);
  const known = new Set(app.header.signals.map((signal) => signal.name));
  const first = (app.header.plots ?? []).map((names) => names.filter((name) => known.has(name)));
  const plots = new Store<Plots>({ ...noPlots, panels: first.filter((names) => names.length > 0).map((names) => panel("time", names)) });
  app.address.keep("plots", plots, ["panels", "active", "range", "pin"]);
  const { panels, active, range, pin } = plots.value;
  const pair = range.length === 2 && range.every(Number.isFinite) && range[1] > range[0];
  const whole = sane(panels);
  plots.set({
    panels: whole,
    active: Math.max(0, Math.min(Math.floor(active), whole.length - 1)),
    range: pair ? range : [],
    pin: pin.length === 1 && Number.isFinite(pin[0]) ? pin : [],
  });
  const open = new Store<Open>({ left: "model", right: "", value: "" });
  app.address.keep("panels", open, ["left", "right"]);
  return {
    app,
    library,
    plots,
    open,
    plot(ref, anew = false) {
      if (app.header.values) {
        open.set({ right: "values", value: ref });
        return;
      }
      plots.set(clicked(plots.value, ref, (name) => library.unit(name), anew));
      open.set({ right: "plots" });
    },
    goTo(time) {
      const row = rowAt(app.times, time);
      app.clock.set({ row, time: Math.min(Math.max(time, app.times[0] ?? 0), app.times[app.times.length - 1] ?? 0), playing: false });
    },
  };
}
