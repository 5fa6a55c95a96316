// How the run went: summary and statistics of the solver, warnings, cut-backs of the step; a click goes to the time.

import { written } from "../signal/numbers";
import type { Desk } from "./desk";
import { make, pairs, within } from "./dom";
import { onGrowth } from "./growth";
import { LazyList } from "./lazy_list";

/** At most so many warnings are listed. */
const LISTED = 200;

export function mountRun(el: HTMLElement, desk: Desk): void {
  draw(el, desk);
  onGrowth(desk, () => draw(el, desk));
}

function draw(el: HTMLElement, desk: Desk): void {
  const { header } = desk.app;
  el.replaceChildren();
  el.append(make("h3", "p-section", "Summary"), pairs(header.summary));
  for (const note of header.notes ?? []) el.append(make("p", "p-hint", note));
  el.append(section("Warnings", header.warnings.length));
  const list = make("div", "p-plain");
  for (const { text, time } of header.warnings.slice(0, LISTED)) {
    const row = make("div", "p-warning");
    within(row, make("span", "p-warning-text", text));
    if (time !== null) {
      row.append(make("span", "p-time", `${written(time, 6)} s`));
      reachable(row, () => desk.goTo(time));
    }
    list.append(row);
  }
  el.append(header.warnings.length > 0 ? list : make("p", "p-hint", "None."));
  if (header.warnings.length > LISTED) el.append(make("p", "p-hint", `and ${header.warnings.length - LISTED} more, in the results file`));
  if (header.kind !== "run") return;
  el.append(section("Cut-backs of the step", header.cutbacks.length));
  if (header.cutbacks.length === 0) {
    el.append(make("p", "p-hint", "None: every step converged at once."));
    return;
  }
  const cuts = new LazyList((i) => {
    const row = within(make("div", "p-row"), make("span", "p-label", `${written(header.cutbacks[i], 7)} s`), make("span", "p-note", `${i + 1}`));
    reachable(row, () => desk.goTo(header.cutbacks[i]));
    return row;
  });
  cuts.element.classList.add("p-short");
  cuts.element.style.height = `${Math.min(10, header.cutbacks.length) * 24 + 2}px`;
  el.append(cuts.element);
  cuts.show(header.cutbacks.length);
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
