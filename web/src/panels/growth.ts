// What makes charts be drawn anew: other colours, more rows.

import { goesOn } from "../state";
import type { Desk } from "./desk";

/** Charts are drawn on canvas: they need telling when the colours of the page change. */
export function onTheme(settings: Desk["app"]["settings"], draw: () => void): void {
  settings.subscribe((now, before) => now.theme !== before.theme && requestAnimationFrame(draw));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => requestAnimationFrame(draw));
}

/** A run that still computes has more rows: they are read once a second, and once more when it has ended. */
export function onGrowth({ app, library }: Desk, read: () => void): void {
  if (!goesOn(app.header)) return;
  let known = app.times.length;
  const timer = window.setInterval(() => {
    if (!goesOn(app.header)) clearInterval(timer);
    if (app.times.length === known) return;
    known = app.times.length;
    library.forget();
    read();
  }, 1000);
}
