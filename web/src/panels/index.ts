// The columns beside the 3-D view: model, signals and properties on the left; plots, energies, modes and the run on the right.

import "./panels.css";
import type { App } from "../state";
import { mountCampbell } from "./campbell";
import { deskOf } from "./desk";
import { make, onKey, within } from "./dom";
import { hasEnergies, mountEnergy } from "./energy";
import { mountModes } from "./modes";
import { mountPlots } from "./plots_page";
import { mountProperties } from "./properties";
import { mountRun } from "./run_page";
import { mountSignals } from "./signals";
import { tabs, type Tab } from "./tabs";
import { mountModelTree } from "./tree";
import { mountValues } from "./values";

export function mountTree(el: HTMLElement, app: App): void {
  const desk = deskOf(app);
  const all: Tab[] = [
    { key: "model", label: "Model", fill: (page) => mountModelTree(page, app) },
    { key: "signals", label: "Signals", count: app.header.signals.length, fill: (page) => mountSignals(page, desk) },
  ];
  const made = tabs(app.header.signals.length > 0 ? all : all.slice(0, 1), (left) => desk.open.set({ left }));
  const properties = make("div", "p-properties");
  properties.setAttribute("aria-label", "Properties");
  el.classList.add("p-column");
  within(el, made.element, properties);
  mountProperties(properties, desk);
  desk.open.watch(["left"], ({ left }) => made.open(left));
  onKey("/", () => {
    made.open("signals");
    el.querySelector<HTMLInputElement>(".p-page:not([hidden]) .p-search")?.select();
  });
}

export function mountPanels(el: HTMLElement, app: App): void {
  const desk = deskOf(app);
  const { header } = app;
  const all: Tab[] = [];
  const { campbell } = header;
  if (campbell) all.push({ key: "campbell", label: "Campbell", fill: (page) => mountCampbell(page, desk, campbell) });
  else if (header.modes) all.push({ key: "modes", label: "Modes", count: header.modes.length, fill: (page) => mountModes(page, desk) });
  if (header.values) all.push({ key: "values", label: "Values", count: header.signals.length, fill: (page) => mountValues(page, desk) });
  else if (header.signals.length > 0 || header.bodies.some((_, i) => desk.library.measures(i).length > 0)) {
    all.push({ key: "plots", label: "Plots", fill: (page) => mountPlots(page, desk) });
  }
  if (hasEnergies(desk) && !header.values) all.push({ key: "energy", label: "Energy", fill: (page) => mountEnergy(page, desk) });
  all.push({ key: "run", label: header.kind === "run" && !header.values ? "Run" : "Summary", count: header.warnings.length, fill: (page) => mountRun(page, desk) });
  const made = tabs(all, (right) => desk.open.set({ right }));
  el.classList.add("p-column");
  within(el, made.element);
  desk.open.watch(["right"], ({ right }) => made.open(right));
  app.news.subscribe(() => made.count("run", header.warnings.length));
}
