// A row of tabs; what a tab shows is made when it is first opened.

import { make, within } from "./dom";

export interface Tab {
  key: string;
  label: string;
  /** A small number beside the label. */
  count?: number;
  fill(el: HTMLElement): void;
}

export interface Tabs {
  element: HTMLElement;
  open(key: string): void;
  /** Another number beside the label of a tab. */
  count(key: string, value: number): void;
}

export function tabs(all: readonly Tab[], opened: (key: string) => void): Tabs {
  const strip = make("div", "p-tabs");
  strip.setAttribute("role", "tablist");
  const pages = new Map<string, HTMLElement>();
  const element = within(make("div", "p-tabbed"), strip);
  const buttons = all.map((tab) => {
    const button = make("button", "p-tab", tab.label);
    button.type = "button";
    button.dataset.tab = tab.key;
    button.setAttribute("role", "tab");
    button.append(make("span", "p-count"));
    button.addEventListener("click", () => open(tab.key));
    return button;
  });
  strip.append(...buttons);
  strip.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (!step || at < 0) return;
    event.stopPropagation();
    const next = buttons[(at + step + buttons.length) % buttons.length];
    next.focus();
    next.click();
  });

  function open(key: string): void {
    const tab = all.find((each) => each.key === key) ?? all[0];
    if (!tab) return;
    all.forEach((each, i) => {
      const chosen = each === tab;
      buttons[i].setAttribute("aria-selected", String(chosen));
      buttons[i].tabIndex = chosen ? 0 : -1;
    });
    let page = pages.get(tab.key);
    if (!page) {
      page = make("div", `p-page p-${tab.key}`);
      page.setAttribute("role", "tabpanel");
      pages.set(tab.key, page);
      element.append(page);
      tab.fill(page);
    }
    for (const [each, shown] of pages) shown.hidden = each !== tab.key;
    opened(tab.key);
  }
  function count(key: string, value: number): void {
    const mark = buttons[all.findIndex((tab) => tab.key === key)]?.lastElementChild as HTMLElement | undefined;
    if (!mark) return;
    mark.textContent = String(value);
    mark.hidden = value === 0;
  }
  for (const tab of all) count(tab.key, tab.count ?? 0);
  return { element, open, count };
}
