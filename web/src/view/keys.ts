// The keyboard.

import { make } from "../layout";
import type { View } from "../scene/view";
import { nothing, type App, type Settings } from "../state";
import type { Player } from "../time/player";
import { savePicture } from "./export";
import { switchTheme } from "./theme";
import { VIEWS } from "./toolbar";

const FLAGS: Record<string, keyof Settings> = {
  o: "orthographic", e: "edges", u: "shadow", j: "glyphs", a: "arrows", l: "labels", m: "markers", g: "grid", b: "bands",
};

const HELP: [string, string][] = [
  ["space", "play, pause"], ["← →", "one frame (with shift: ten)"], ["Home End", "start, end"], ["F", "fit"], ["1 … 7", "standard views"],
  ["O", "orthographic"], ["E", "lines of elements"], ["U", "undeformed shape"], ["J", "joints and forces"], ["A", "arrows"],
  ["L", "values at arrows"], ["M", "markers"], ["G", "grid"], ["B", "bands"], ["T", "way of the chosen point"], ["H", "hide the chosen"],
  ["Shift H", "show all"], ["P", "save a picture"], ["D", "dark, light"], ["Esc", "choose nothing, end measuring"], ["/", "search signals"], ["K", "second cursor in plots"],
  ["?", "this list"],
];

export function listenToKeys(app: App, view: View, player: Player): void {
  const help = helpBox(view.stage.host);
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
    "?": () => (help.hidden = !help.hidden),
    Escape: () => {
      help.hidden = true;
      view.measure.start("");
      view.stage.host.classList.remove("measuring");
      app.selection.set(nothing);
      view.stage.draw();
    },
  };
  for (const [name, key] of VIEWS) actions[key] = () => view.stage.look(name);
  for (const [key, setting] of Object.entries(FLAGS)) actions[key] = () => app.settings.set({ [setting]: !app.settings.value[setting] });
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const typing = target.matches("input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === " " && target.matches("button")) return;
    const work = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!work) return;
    event.preventDefault();
    work(event);
  });
}

/** Draw or remove the way of the chosen body or node. */
function trace({ selection, traces, tell }: App): void {
  const { kind, index, node } = selection.value;
  if (kind !== "body" && kind !== "node") return tell("choose a body or a node first");
  const key = `${index}:${node}`;
  const { points } = traces.value;
  traces.set({ points: points.includes(key) ? points.filter((one) => one !== key) : [...points, key] });
}

function hide({ selection, hidden }: App): void {
  const { kind, index } = selection.value;
  if (kind === "none") return;
  const list = kind === "item" ? "items" : "bodies";
  const now = hidden.value[list];
  hidden.set({ [list]: now.includes(index) ? now.filter((i) => i !== index) : [...now, index] });
}

function helpBox(host: HTMLElement): HTMLElement {
  const box = make("div", "help"), table = make("table");
  for (const [keys, text] of HELP) {
    const line = make("tr"), cell = make("td");
    cell.append(make("kbd", "", keys));
    line.append(cell, make("td", "", text));
    table.append(line);
  }
  box.append(table);
  box.hidden = true;
  host.append(box);
  return box;
}
