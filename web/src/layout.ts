// The frame of the page: title bar, tree, view, time bar, panels, with borders that can be dragged.

import type { Header } from "./protocol";

export interface Page {
  root: HTMLElement;
  title: HTMLElement;
  /** Says whether the run is finished, running, paused … */
  status: HTMLElement;
  tools: HTMLElement;
  tree: HTMLElement;
  view: HTMLElement;
  time: HTMLElement;
  panels: HTMLElement;
  tell(text: string): void;
}

/** A new element with a class, and text that is never read as HTML. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, kind = "", text = ""): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  if (text) element.textContent = text;
  return element;
}

export function layOut(header: Header): Page {
  const root = document.getElementById("flexor") ?? document.body;
  const page: Omit<Page, "tell"> = {
    root,
    title: make("header", "title"),
    status: make("span"),
    tools: make("div", "tools"),
    tree: make("aside", "tree"),
    view: make("main", "view"),
    time: make("footer", "time"),
    panels: make("aside", "panels"),
  };
  root.classList.add("page");
  const narrow = innerWidth < 900; // as in a notebook: side columns are folded, a double click on their border opens them
  root.style.setProperty("--panels", narrow ? "0px" : `${Math.round(Math.min(560, Math.max(350, 0.3 * innerWidth)))}px`);
  if (narrow) root.style.setProperty("--tree", "0px");
  const name = make("span", "name", header.name);
  name.title = header.name;
  page.title.append(make("span", "brand", "Flexor"), name, page.status, page.tools);
  showStatus(page.status, header.status);
  const message = make("div", "message");
  message.setAttribute("role", "status");
  root.replaceChildren(page.title, page.tree, border(root, "--tree", 1), page.view, border(root, "--panels", -1),
    page.panels, page.time, message);
  document.title = `${header.name} · Flexor`;
  let timer = 0;
  const tell = (text: string): void => {
    message.textContent = text;
    message.classList.add("shown");
    clearTimeout(timer);
    timer = window.setTimeout(() => message.classList.remove("shown"), 4000);
  };
  return { ...page, tell };
}

export function showStatus(element: HTMLElement, status: string): void {
  element.className = `status ${status}`;
  element.textContent = status;
}

/** A border that is dragged to give a side column another width; a double click folds the column. */
function border(root: HTMLElement, variable: string, sign: 1 | -1): HTMLElement {
  const bar = make("div", `border ${variable.slice(2)}-border`);
  bar.title = "Drag to resize, double-click to fold";
  const width = (): number => parseFloat(getComputedStyle(root).getPropertyValue(variable));
  bar.addEventListener("pointerdown", (down) => {
    const start = width();
    bar.setPointerCapture(down.pointerId);
    bar.onpointermove = (move) => {
      const wanted = start + sign * (move.clientX - down.clientX);
      root.style.setProperty(variable, `${Math.min(Math.max(wanted, 0), innerWidth * 0.6)}px`);
    };
    bar.onpointerup = () => (bar.onpointermove = null);
  });
  let before = "";
  bar.addEventListener("dblclick", () => {
    const now = width();
    if (now > 8) before = `${now}px`;
    root.style.setProperty(variable, now > 8 ? "0px" : before || "280px");
  });
  return bar;
}
