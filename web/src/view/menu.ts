// Small building blocks of the tool bar: menus that open below a button, switches, choices, numbers.

import { make } from "../layout";
import type { Settings } from "../state";
import type { Store } from "../store";

/** A button with a menu below it. */
export function menu(title: string, fill: (box: HTMLElement) => void): HTMLElement {
  const holder = make("div", "menu"), button = make("button", "", title), box = make("div", "menu-box");
  button.setAttribute("aria-haspopup", "true");
  button.setAttribute("aria-expanded", "false");
  box.hidden = true;
  const show = (open: boolean): void => {
    box.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    button.classList.toggle("open", open);
  };
  button.addEventListener("click", () => show(box.hidden));
  document.addEventListener("pointerdown", (event) => {
    if (!holder.contains(event.target as Node)) show(false);
  });
  holder.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(false);
  });
  box.addEventListener("click", (event) => {
    if ((event.target as Element).closest(".menu-action")) show(false);
  });
  fill(box);
  holder.append(button, box);
  return holder;
}

export function row(label: string, ...parts: HTMLElement[]): HTMLElement {
  const line = make("label", "menu-row");
  line.append(make("span", "", label), ...parts);
  return line;
}

type Flags = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];
type Numbers = { [K in keyof Settings]: Settings[K] extends number ? K : never }[keyof Settings];

/** A switch of a setting. */
export function flag(settings: Store<Settings>, key: Flags, label: string, shortcut = ""): HTMLElement {
  const box = make("input");
  box.type = "checkbox";
  box.name = key;
  settings.watch([key], (now) => (box.checked = now[key]));
  box.addEventListener("change", () => settings.set({ [key]: box.checked }));
  const line = make("label", "menu-row");
  line.append(box, make("span", "wide", label));
  if (shortcut) line.append(make("kbd", "", shortcut));
  return line;
}

/** A number of a setting; only finite ones are taken. */
export function number(settings: Store<Settings>, key: Numbers, label: string): HTMLInputElement {
  const box = make("input", "number");
  box.type = "number";
  box.step = "any";
  box.name = key;
  box.setAttribute("aria-label", label);
  box.title = label;
  settings.watch([key], (now) => {
    if (document.activeElement !== box) box.value = String(Number(now[key].toPrecision(6)));
  });
  box.addEventListener("change", () => {
    const value = Number(box.value);
    if (box.value !== "" && Number.isFinite(value)) settings.set({ [key]: value });
  });
  return box;
}

/** A choice; `options` are [value, label]. */
export function choice(label: string, options: [string, string][], value: string, change: (value: string) => void): HTMLSelectElement {
  const box = make("select");
  box.setAttribute("aria-label", label);
  box.title = label;
  setOptions(box, options, value);
  box.addEventListener("change", () => change(box.value));
  return box;
}

export function setOptions(box: HTMLSelectElement, options: [string, string][], value: string): void {
  box.replaceChildren(...options.map(([key, text]) => {
    const option = make("option", "", text);
    option.value = key;
    return option;
  }));
  box.value = value;
}

export function action(text: string, shortcut: string, work: () => void): HTMLElement {
  const button = make("button", "menu-action");
  button.append(make("span", "wide", text));
  if (shortcut) button.append(make("kbd", "", shortcut));
  button.addEventListener("click", work);
  return button;
}
