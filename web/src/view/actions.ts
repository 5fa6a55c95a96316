// What both the keyboard and the menus do.

import { make } from "../layout";
import type { App } from "../state";

const HELP: [string, string][] = [
  ["space", "play, pause"], ["← →", "one frame (with shift: ten)"], ["Home End", "start, end"], ["F", "fit"], ["1 … 7", "standard views"],
  ["O", "orthographic"], ["E", "lines of elements"], ["U", "undeformed shape"], ["J", "joints and forces"], ["A", "arrows"],
  ["L", "values at arrows"], ["M", "markers"], ["G", "grid"], ["B", "bands"], ["T", "way of the chosen point"], ["H", "hide the chosen"],
  ["Shift H", "show all"], ["P", "save a picture"], ["D", "dark, light"], ["Esc", "choose nothing, end measuring"], ["/", "search signals"], ["K", "second cursor in plots"],
  ["?", "this list"],
];

/** Draw or remove the way of the chosen body or node; of a beam, the ways of both its ends. */
export function trace({ header, selection, traces, tell }: App): void {
  const { kind, index, node } = selection.value;
  if (kind !== "body" && kind !== "node") return tell("choose a body or a node first");
  const beam = header.bodies[index]?.beam;
  const keys = (beam && node < 0 ? [0, beam.stations - 1] : [node]).map((each) => `${index}:${each}`);
  const { points } = traces.value;
  const others = points.filter((one) => !keys.includes(one));
  traces.set({ points: others.length < points.length ? others : [...points, ...keys] });
}

/** Show or hide the list of keys. */
export function toggleHelp(host: HTMLElement, shown?: boolean): void {
  const box = host.querySelector<HTMLElement>(":scope > .help") ?? helpBox(host);
  box.hidden = !(shown ?? box.hidden);
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
