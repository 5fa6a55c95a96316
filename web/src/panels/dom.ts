// Building blocks of the panels. Text is only ever set as text.

import { make } from "../layout";
import { icon, type IconName } from "./icons";

export { make };

export function within<T extends HTMLElement>(parent: T, ...children: (Node | string | null)[]): T {
  parent.append(...children.filter((child) => child !== null));
  return parent;
}

/** A button with a picture; its title is what it does, also for readers of the screen. */
export function tool(name: IconName, title: string, action: (event: MouseEvent) => void): HTMLButtonElement {
  const button = make("button", "p-tool");
  button.type = "button";
  button.title = title;
  button.setAttribute("aria-label", title);
  button.append(icon(name));
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    action(event);
  });
  return button;
}

/** A button with a word. */
export function wordButton(text: string, title: string, action: () => void): HTMLButtonElement {
  const button = make("button", "p-word", text);
  button.type = "button";
  button.title = title;
  button.addEventListener("click", action);
  return button;
}

/** A field to search in; what is typed is told once it rests for a moment. */
export function searchField(hint: string, changed: (text: string) => void): HTMLInputElement {
  const field = make("input", "p-search");
  field.type = "search";
  field.placeholder = hint;
  field.setAttribute("aria-label", hint);
  field.spellcheck = false;
  let timer = 0;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => changed(field.value), 60);
  });
  field.addEventListener("keydown", (event) => {
    event.stopPropagation(); // letters are no short cuts here
    if (event.key === "Enter") {
      clearTimeout(timer);
      changed(field.value);
    }
    if (event.key === "Escape") {
      field.value = "";
      changed("");
      field.blur();
    }
  });
  return field;
}

/** Label and text in two columns. */
export function pairs(rows: readonly (readonly [string, string])[]): HTMLElement {
  const table = make("dl", "p-pairs");
  for (const [label, text] of rows) table.append(make("dt", "", label), make("dd", "", text));
  return table;
}

/** A file for the user's folder of downloads. */
export function download(name: string, content: Blob): void {
  const link = make("a");
  link.href = URL.createObjectURL(content);
  link.download = name.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 100);
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A key of the page, unless something is being typed. */
export function onKey(key: string, action: () => void): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target instanceof HTMLElement && event.target.matches("input, textarea")) return;
    event.preventDefault();
    action();
  });
}
