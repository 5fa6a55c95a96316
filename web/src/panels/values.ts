// The values of an equilibrium: one number for each signal, where a run has plots.

import { measured } from "../signal/numbers";
import { indexed, search } from "../signal/search";
import type { Desk } from "./desk";
import { make, searchField, within } from "./dom";
import { LazyList } from "./lazy_list";
import { shortName } from "./signals";

export function mountValues(el: HTMLElement, desk: Desk): void {
  const { signals, values } = desk.app.header;
  const index = indexed(signals.map((signal) => signal.name));
  /** Signals by number; a heading stands for the owner of the next one as −1 − number. */
  let rows: number[] = [];
  const list = new LazyList((i) => (rows[i] < 0 ? heading(-1 - rows[i]) : line(rows[i])));
  list.element.setAttribute("aria-label", "Values");
  let text = "";
  const field = searchField("Search values", (now) => {
    text = now.trim();
    draw();
  });
  within(el, within(make("div", "p-bar"), field), list.element);

  function draw(): void {
    const found = text ? search(index, text) : signals.map((_, i) => i);
    rows = text ? found : found.flatMap((i) => (i === 0 || signals[i].owner !== signals[i - 1].owner ? [-1 - i, i] : [i]));
    list.show(rows.length);
  }

  function heading(at: number): HTMLElement {
    return within(make("div", "p-row p-tree-group"), make("span", "p-label", signals[at].owner.slice(0, 300) || "model"));
  }

  function line(at: number): HTMLElement {
    const { name, unit, owner } = signals[at];
    const row = make("div", "p-row");
    row.title = name.slice(0, 1000);
    row.classList.toggle("p-active", name === desk.open.value.value);
    row.style.setProperty("--depth", text ? "0" : "1");
    const value = values?.[at];
    const told = value === null || value === undefined ? "–" : measured(value, unit, 6);
    return within(row, make("span", "p-label", (text ? name : shortName(name, owner)).slice(0, 300)), make("span", value === 0 ? "p-value p-zero" : "p-value", told));
  }

  desk.open.watch(["value"], ({ value }) => {
    if (value && text && !search(index, text).some((i) => signals[i].name === value)) field.value = text = "";
    draw();
    const at = rows.findIndex((row) => row >= 0 && signals[row].name === value);
    if (value && at >= 0) list.reveal(at);
  });
}
