// Dark or light: as the address or the button says, else as the system.

import type { App } from "../state";

const system = matchMedia("(prefers-color-scheme: light)");

/** Before anything is known of the page's settings: while it loads, and where it cannot. */
export function asTheSystem(): void {
  if (system.matches) document.documentElement.dataset.theme = "light";
}

function shown(app: App): "dark" | "light" {
  const { theme } = app.settings.value;
  return theme === "auto" ? (system.matches ? "light" : "dark") : theme;
}

export function keepTheme(app: App): void {
  const apply = (): void => {
    if (shown(app) === "light") document.documentElement.dataset.theme = "light";
    else delete document.documentElement.dataset.theme;
  };
  app.settings.watch(["theme"], apply);
  system.addEventListener("change", apply);
}

export function switchTheme(app: App): void {
  app.settings.set({ theme: shown(app) === "light" ? "dark" : "light" });
}
