// Files that change under an open page: it says so, and offers to load them anew.

import { make, type Page } from "./layout";
import type { App } from "./state";

/** Milliseconds between looks. */
const EVERY = 3000;

export function watchFiles({ source }: App, page: Page): void {
  if (!source.changed) return;
  const bar = make("div", "changed"), text = make("span"), reload = make("button", "", "Reload");
  reload.addEventListener("click", () => location.reload());
  bar.setAttribute("role", "alert");
  bar.append(text, reload);
  const timer = window.setInterval(() => {
    if (document.hidden) return;
    source.changed?.().then(
      (names) => {
        if (names.length === 0) return;
        text.textContent = `${names.join(", ").slice(0, 300)} ${names.length > 1 ? "have" : "has"} changed since this page was opened.`;
        page.root.append(bar);
        clearInterval(timer);
      },
      () => clearInterval(timer), // the server has ended; what is shown stays
    );
  }, EVERY);
}
