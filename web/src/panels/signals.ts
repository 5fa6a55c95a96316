// All signals by their owners: search, click to plot, drag into a plot.

import { indexed, search } from "../signal/search";
import type { Desk } from "./desk";
import { make, searchField, tool, within } from "./dom";
import { LazyList } from "./lazy_list";

/** The type under which names of signals are dragged. */
export const DRAGGED = "application/x-flexor-signals";

interface Row {
  /** Of the signal; -1: a heading. */
  signal: number;
  owner: string;
  count: number;
  open: boolean;
}

export function mountSignals(el: HTMLElement, desk: Desk): void {
  const { signals } = desk.app.header;
  const index = indexed(signals.map((signal) => signal.name));
  const owners = new Map<string, number[]>();
  signals.forEach((signal, i) => {
    const own = owners.get(signal.owner) ?? [];
    owners.set(signal.owner, own);
    own.push(i);
  });
  const opened = new Set(signals.length <= 60 ? owners.keys() : []);
  let rows: Row[] = [];
  let active = -1;
  let text = "";
  const list = new LazyList((i) => (rows[i].signal < 0 ? heading(rows[i]) : line(rows[i].signal, i)));
  list.element.setAttribute("aria-label", "Signals");
  const field = searchField("Search signals  ( / )", (now) => {
    text = now.trim();
    active = -1;
    draw();
  });
  field.title = "Words in any order, or a pattern such as *.force_?";
  const empty = make("p", "p-hint");
  within(el, within(make("div", "p-bar"), field), list.element, empty);

  function draw(): void {
    const found = text ? search(index, text) : null;
    if (found) rows = found.map((signal) => ({ signal, owner: "", count: 0, open: false }));
    else {
      rows = [];
      for (const [owner, own] of owners) {
        rows.push({ signal: -1, owner, count: own.length, open: opened.has(owner) });
        if (opened.has(owner)) rows.push(...own.map((signal) => ({ signal, owner, count: 0, open: false })));
      }
    }
    empty.hidden = rows.length > 0;
    empty.textContent = signals.length === 0 ? "Nothing was recorded here: run the model to get signals." : "No signal has this name.";
    list.show(rows.length);
  }

  function heading(row: Row): HTMLElement {
    const element = make("div", "p-row p-tree-group");
    element.setAttribute("aria-expanded", String(row.open));
    const label = make("span", "p-label", row.owner.slice(0, 300) || "model");
    label.title = row.owner.slice(0, 1000);
    within(element, make("span", `p-twist ${row.open ? "p-open" : "p-shut"}`), label, make("span", "p-note", String(row.count)));
    element.addEventListener("click", () => {
      if (!opened.delete(row.owner)) opened.add(row.owner);
      draw();
    });
    return element;
  }

  function line(at: number, place: number): HTMLElement {
    const { name, unit, owner } = signals[at];
    const row = signalRow(desk, name, unit, text ? name : shortName(name, owner));
    row.style.setProperty("--depth", text ? "0" : "1");
    row.classList.toggle("p-active", place === active);
    return row;
  }

  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && rows.length > 0) desk.plot(signals[rows.find((row) => row.signal >= 0)?.signal ?? 0].name, event.shiftKey);
    if (event.key === "ArrowDown") list.element.focus();
  });
  list.element.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const row = rows[active] as Row | undefined;
    if (step) {
      active = Math.min(rows.length - 1, Math.max(0, active + step));
      list.reveal(active);
    } else if (row && (event.key === "Enter" || event.key === " ")) {
      if (row.signal >= 0) desk.plot(signals[row.signal].name, event.shiftKey);
      else if (!opened.delete(row.owner)) opened.add(row.owner);
      draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  desk.plots.watch(["panels"], draw);
}

/** What comes after the owner, where the name begins with it. */
export function shortName(name: string, owner: string): string {
  return owner && name.startsWith(`${owner}.`) ? name.slice(owner.length + 1) : name;
}

/** A line for one signal: click plots it, + plots it apart, and it can be dragged into a plot. */
export function signalRow(desk: Desk, ref: string, unit: string, label: string): HTMLElement {
  const element = make("div", "p-row p-signal");
  const plotted = desk.plots.value.panels.some((panel) => panel.signals.includes(ref) || panel.x === ref);
  element.classList.toggle("p-plotted", plotted);
  element.draggable = true;
  const name = make("span", "p-label", label.slice(0, 300));
  name.title = `${ref.slice(0, 1000)}${unit ? ` [${unit}]` : ""}\nClick: plot; shift-click: in a plot of its own; or drag it into a plot`;
  const apart = tool("plus", "In a plot of its own (shift-click)", () => desk.plot(ref, true));
  within(element, make("span", "p-mark"), name, make("span", "p-note", unit), within(make("span", "p-row-tools"), apart));
  element.addEventListener("click", (event) => desk.plot(ref, event.shiftKey));
  element.addEventListener("dragstart", (event) => {
    event.dataTransfer?.setData(DRAGGED, JSON.stringify([ref]));
    event.dataTransfer?.setData("text/plain", ref);
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "copy";
  });
  return element;
}
