// Properties of what is chosen, its signals, and the histories of a chosen node.

import { integers } from "../source";
import type { Selection } from "../state";
import type { Desk } from "./desk";
import { make, pairs, within, wordButton } from "./dom";
import { measureText, nodeRef } from "./library";
import { followed } from "./plots";
import { shortName, signalRow } from "./signals";

/** At most so many signals are listed; the list of signals holds all. */
const LISTED = 60;

export function mountProperties(el: HTMLElement, desk: Desk): void {
  const { app } = desk;
  app.selection.watch(["kind", "index", "node"], draw);
  desk.plots.subscribe((now, before) => now.panels !== before.panels && draw(app.selection.value));
  app.selection.subscribe((chosen, before) => {
    if (chosen.kind !== "node") return;
    if (chosen.node === before.node && chosen.index === before.index && before.kind === "node") return;
    follow(desk, chosen);
  });

  function draw(chosen: Selection): void {
    const scrolled = el.scrollTop;
    el.replaceChildren();
    const body = app.header.bodies[chosen.index];
    const item = app.header.items[chosen.index];
    if (chosen.kind === "item" && item) {
      heading(item.name, item.type);
      const joined = item.ends.map((end) => app.header.bodies[end.body]?.name ?? "?").join(" – ");
      el.append(pairs([...(joined ? [["between", joined] as const] : []), ...item.properties]));
      signalsOf(item.name, item.signals);
    } else if (chosen.kind === "body" && body) {
      heading(body.name, `${body.kind} body`);
      el.append(pairs(body.properties));
      signalsOf(body.name, app.header.signals.filter((signal) => signal.owner === body.name).map((signal) => signal.name));
    } else if (chosen.kind === "node" && body) void node(chosen);
    else {
      heading(app.header.name, app.header.values ? "equilibrium" : app.header.kind);
      const counts = [["bodies", app.header.bodies.length], ["items", app.header.items.length], ["signals", app.header.signals.length]] as const;
      el.append(pairs(counts.filter(([, count]) => count > 0).map(([label, count]) => [label, String(count)])));
      el.append(make("p", "p-hint", "Click a body, a joint or a node to see its properties."));
    }
    el.scrollTop = scrolled;
  }

  function heading(name: string, type: string): void {
    const title = make("h2", "p-title", name.slice(0, 300));
    title.title = name.slice(0, 1000);
    el.append(within(make("div", "p-heading"), title, make("span", "p-note", type)));
  }

  function signalsOf(owner: string, names: readonly string[]): void {
    if (names.length === 0) return;
    const known = new Map(app.header.signals.map((signal) => [signal.name, signal.unit]));
    const shown = names.filter((name) => known.has(name));
    el.append(make("h3", "p-section", "Signals"));
    const rows = shown.slice(0, LISTED).map((name) => signalRow(desk, name, known.get(name) ?? "", shortName(name, owner)));
    const list = within(make("div", "p-plain"), ...rows);
    el.append(list);
    if (shown.length > LISTED) el.append(make("p", "p-hint", `and ${shown.length - LISTED} more: see the list of signals`));
  }

  async function node({ index, node: vertex }: Selection): Promise<void> {
    const body = app.header.bodies[index];
    if (!body.mesh) return;
    heading(body.name, "node");
    const number = make("dd", "", "…");
    el.append(within(make("dl", "p-pairs"), make("dt", "", "node"), number));
    const measures = desk.library.measures(index);
    if (measures.length > 0) el.append(make("h3", "p-section", "Histories"));
    const list = make("div", "p-plain");
    for (const [field, measure] of measures) {
      const ref = nodeRef(index, vertex, field, measure);
      list.append(signalRow(desk, ref, desk.library.unit(ref), measure === "magnitude" ? field : `${field} ${measureText(measure)}`));
    }
    el.append(list, wordButton("Select the body", "Properties of the body of this node", () => app.selection.set({ kind: "body", index, node: -1 })));
    number.textContent = String((await integers(app.source, body.mesh.nodes))[vertex] ?? "?");
  }
}

/** The history of a node that was just chosen: its displacement, and the stress where stress is shown. */
function follow(desk: Desk, chosen: Selection): void {
  const { app, library } = desk;
  const measures = library.measures(chosen.index);
  if (measures.length === 0) return;
  const { field, component } = app.settings.value;
  const shown = measures.filter(([name, measure]) => name === field && measure === component);
  const refs = [["displacement", "magnitude"], ...shown].map(([name, measure]) => nodeRef(chosen.index, chosen.node, name, measure));
  desk.plots.set(followed(desk.plots.value, refs));
  desk.open.set({ right: "plots" });
}
