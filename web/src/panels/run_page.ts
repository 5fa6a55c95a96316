// How the run went, or goes: summary and statistics of the solver, warnings, cut-backs of the step; a click goes to the time.

import { written } from "../signal/numbers";
import { Card } from "./card";
import type { Desk } from "./desk";
import { make, pairs, within } from "./dom";
import { onGrowth, onTheme } from "./growth";
import { LazyList } from "./lazy_list";
import { panel } from "./plots";

/** At most so many warnings are listed. */
const LISTED = 200;
/** Signals of the solver that are plotted, a chart each. */
const PLOTTED = ["solver.step_size", "solver.iterations"];

export function mountRun(el: HTMLElement, desk: Desk): void {
  const { app } = desk;
  const { header } = app;
  const summary = make("div"), warnings = make("div"), cutbacks = make("div");
  within(el, summary, warnings);
  const computed = header.kind === "run" && !header.values;
  if (computed) el.append(cutbacks, solver(desk));
  let told = "", cut = -1;

  function draw(): void {
    summary.replaceChildren(make("h3", "p-section", "Summary"), pairs(header.summary), ...(header.notes ?? []).map((note) => make("p", "p-hint", note)));
    const now = JSON.stringify(header.warnings.slice(0, LISTED)) + header.warnings.length;
    if (now !== told) warnings.replaceChildren(...listed(desk));
    told = now;
    if (computed && header.cutbacks.length !== cut) cutbacks.replaceChildren(...cuts(desk));
    cut = header.cutbacks.length;
  }
  draw();
  app.news.subscribe(draw);
}

function listed(desk: Desk): HTMLElement[] {
  const { warnings } = desk.app.header;
  const list = make("div", "p-plain");
  for (const { text, time } of warnings.slice(0, LISTED)) {
    const row = make("div", "p-warning");
    within(row, make("span", "p-warning-text", text));
    if (time !== null) {
      row.append(make("span", "p-time", `${written(time, 6)} s`));
      reachable(row, () => desk.goTo(time));
    }
    list.append(row);
  }
  const rest = warnings.length - LISTED;
  return [
    section("Warnings", warnings.length),
    warnings.length > 0 ? list : make("p", "p-hint", "None."),
    ...(rest > 0 ? [make("p", "p-hint", `and ${rest} more, in the results file`)] : []),
  ];
}

function cuts(desk: Desk): HTMLElement[] {
  const { cutbacks } = desk.app.header;
  const title = section("Cut-backs of the step", cutbacks.length);
  if (cutbacks.length === 0) return [title, make("p", "p-hint", "None: every step converged at once.")];
  const list = new LazyList((i) => {
    const row = within(make("div", "p-row"), make("span", "p-label", `${written(cutbacks[i], 7)} s`), make("span", "p-note", `${i + 1}`));
    reachable(row, () => desk.goTo(cutbacks[i]));
    return row;
  });
  list.element.classList.add("p-short");
  list.element.style.height = `${Math.min(10, cutbacks.length) * 24 + 2}px`;
  list.show(cutbacks.length);
  return [title, list.element];
}

/** Size of the step and iterations over time. */
function solver(desk: Desk): HTMLElement {
  const names = PLOTTED.filter((name) => desk.app.header.signals.some((signal) => signal.name === name));
  const box = make("div", "p-solver");
  if (names.length === 0) return box;
  const cards = names.map((name) => new Card(desk, panel("time", [name]), true));
  within(box, make("h3", "p-section", "Solver"), ...cards.map((card) => card.element));
  desk.app.clock.watch(["time", "row"], ({ time, row }) => cards.forEach((card) => card.clock(time, row)));
  onTheme(desk.app.settings, () => cards.forEach((card) => card.draw()));
  onGrowth(desk, () => cards.forEach((card) => void card.load()));
  return box;
}

function section(text: string, count: number): HTMLElement {
  return within(make("h3", "p-section", text), count > 0 ? make("span", "p-count", String(count)) : null);
}

/** A line that acts like a button. */
function reachable(row: HTMLElement, action: () => void): void {
  row.classList.add("p-link");
  row.tabIndex = 0;
  row.setAttribute("role", "button");
  row.title = "Go to this time";
  row.addEventListener("click", action);
  row.addEventListener("keydown", (event) => {
    if (event.key === "Enter") action();
  });
}
