// Natural modes: frequency, damping and kind of each; a click animates one.

import type { ModeData } from "../protocol";
import { written } from "../signal/numbers";
import type { Desk } from "./desk";
import { make, within } from "./dom";
import { LazyList } from "./lazy_list";

const TITLES = ["mode", "frequency [Hz]", "damping [%]", "kind", "moves most"];

/** A table of modes; those with these numbers (all where none are given). */
export interface ModeTable {
  element: HTMLElement;
  show(numbers: readonly number[]): void;
}

export function mountModes(el: HTMLElement, desk: Desk): void {
  const table = modeTable(desk);
  el.append(table.element);
  table.show((desk.app.header.modes ?? []).map((_, i) => i));
}

export function modeTable(desk: Desk, told: (mode: ModeData) => string = described): ModeTable {
  const modes = desk.app.header.modes ?? [];
  let numbers: readonly number[] = [];
  const head = within(make("div", "p-mode p-mode-head"), ...TITLES.map((title) => make("span", "", title)));
  const list = new LazyList((i) => line(numbers[i], i));
  list.element.setAttribute("role", "listbox");
  list.element.setAttribute("aria-label", "Modes");
  const element = within(make("div", "p-modes-table"), head, list.element);

  function line(at: number, place: number): HTMLElement {
    const mode = modes[at];
    const row = make("div", "p-row p-mode");
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(desk.app.settings.value.mode === at));
    const damping = make("span", mode.damping !== null && mode.damping < 0 ? "p-bad" : "", mode.damping === null ? "–" : mode.damping === 0 ? "0" : (100 * mode.damping).toFixed(3).replace("-", "−"));
    const kind = make("span", "p-kind", told(mode));
    kind.title = told(mode);
    const most = make("span", "p-most", mode.most);
    most.title = mode.most;
    within(row, make("span", "p-note", String(place + 1)), make("span", "", even(mode.frequency)), damping, kind, most);
    row.addEventListener("click", () => animate(desk, at));
    return row;
  }

  list.element.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(numbers.length - 1, Math.max(0, numbers.indexOf(desk.app.settings.value.mode) + step));
    if (numbers.length > 0) animate(desk, numbers[next]);
  });
  desk.app.settings.subscribe((now, before) => {
    if (now.mode !== before.mode) reveal();
  });

  function reveal(): void {
    const at = numbers.indexOf(desk.app.settings.value.mode);
    if (at >= 0) list.reveal(at);
    else list.show(numbers.length);
  }
  return {
    element,
    show(chosen) {
      numbers = chosen.filter((at) => at >= 0 && at < modes.length);
      list.show(numbers.length);
      reveal();
    },
  };
}

/** Six digits, also where the last are zero, so that numbers in a column compare at a glance. */
function even(frequency: number): string {
  if (frequency === 0) return "0";
  const size = Math.abs(frequency);
  return size >= 0.01 && size < 1e6 ? frequency.toPrecision(6).replace("-", "−") : written(frequency, 4);
}

function described(mode: ModeData): string {
  return [mode.kind, mode.whirl].filter(Boolean).join(", ");
}

/** Show a mode moving. */
export function animate(desk: Desk, mode: number): void {
  desk.app.settings.set({ mode });
  desk.app.clock.set({ playing: true });
}
