// The keyboard.

import type { View } from "../scene/view";
import { nothing, type App, type Settings } from "../state";
import type { Player } from "../time/player";
import { toggleHelp, trace } from "./actions";
import { savePicture } from "./export";
import { switchTheme } from "./theme";
import { VIEWS } from "./toolbar";

const FLAGS: Record<string, keyof Settings> = {
  o: "orthographic", e: "edges", u: "shadow", j: "glyphs", a: "arrows", l: "labels", m: "markers", g: "grid", b: "bands",
};

export function listenToKeys(app: App, view: View, player: Player): void {
  freeKeys();
  const actions: Record<string, (event: KeyboardEvent) => void> = {
    " ": () => player.toggle(),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    Home: () => player.go(0),
    End: () => player.go(Infinity),
    f: () => view.fit(),
    t: () => trace(app),
    h: () => hide(app),
    H: () => app.hidden.set({ bodies: [], items: [] }),
    p: () => void savePicture(app, view),
    d: () => switchTheme(app),
    "?": () => toggleHelp(view.stage.host),
    Escape: () => {
      toggleHelp(view.stage.host, false);
      view.measure.start("");
      view.stage.host.classList.remove("measuring");
      app.selection.set(nothing);
      view.stage.draw();
    },
  };
  for (const [name, key] of VIEWS) actions[key] = () => view.stage.look(name);
  for (const [key, setting] of Object.entries(FLAGS)) actions[key] = () => app.settings.set({ [setting]: !app.settings.value[setting] });
  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    const typing = target.matches("input:not([type=range]):not([type=checkbox]), textarea, [contenteditable]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === " " && target.matches("button")) return;
    const work = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!work) return;
    event.preventDefault();
    work(event);
  });
}

/** Lists and buttons that were used with the pointer give the keyboard back; those reached by the Tab key keep it. */
function freeKeys(): void {
  let pointed = false;
  const left = (event: Event): void => {
    const used = event.target instanceof Element ? event.target.closest<HTMLElement>("button, select, input[type=checkbox], input[type=range]") : null;
    if (pointed && used) used.blur();
  };
  document.addEventListener("pointerdown", () => (pointed = true), true);
  document.addEventListener("keydown", (event) => event.key === "Tab" && (pointed = false), true);
  document.addEventListener("change", left);
  document.addEventListener("click", (event) => !(event.target instanceof HTMLSelectElement) && left(event));
}

function hide({ selection, hidden }: App): void {
  const { kind, index } = selection.value;
  if (kind === "none") return;
  const list = kind === "item" ? "items" : "bodies";
  const now = hidden.value[list];
  hidden.set({ [list]: now.includes(index) ? now.filter((i) => i !== index) : [...now, index] });
}
