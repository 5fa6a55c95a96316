// Panels beside the 3-D view: the tree on the left, properties, signals and plots on the right.

import type { App } from "../state";

export function mountTree(el: HTMLElement, app: App): void {
  el.textContent = `${app.header.bodies.length} bodies`;
}

export function mountPanels(el: HTMLElement, app: App): void {
  el.textContent = `${app.header.signals.length} signals`;
}
