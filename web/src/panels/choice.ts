// A choice between a few named values.

import { make } from "./dom";

export function selector(options: readonly (readonly [string, string])[], value: string, title: string, chosen: (value: string) => void): HTMLSelectElement {
  const select = make("select", "p-select");
  select.title = title;
  select.setAttribute("aria-label", title);
  for (const [key, text] of options) {
    const option = make("option", "", text.slice(0, 120));
    option.value = key;
    option.selected = key === value;
    select.append(option);
  }
  select.addEventListener("change", () => chosen(select.value));
  return select;
}
