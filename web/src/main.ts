// The page: header of the run, tree, 3-D view, time bar, panels.

import "./style/page.css";
import { layOut } from "./layout";
import { mountPanels, mountTree } from "./panels";
import { findSource, SourceError } from "./source";
import { CYCLE, cyclic, makeStores, type App } from "./state";
import { Frames } from "./time/frames";

async function open(): Promise<App> {
  const source = findSource();
  const header = await source.header();
  const stores = makeStores();
  const times = cyclic(header)
    ? Float64Array.from({ length: CYCLE + 1 }, (_, i) => i / CYCLE)
    : new Float64Array(await source.buffer(header.times.buffer), 0, header.times.count);
  const page = layOut(header);
  const app: App = { source, header, times, frames: new Frames(source, header), ...stores, tell: page.tell };
  mountTree(page.tree, app);
  mountPanels(page.panels, app);
  return app;
}

/** The reason why nothing is shown, as text. */
function fail(error: unknown): void {
  const root = document.getElementById("flexor") ?? document.body;
  const box = document.createElement("div");
  box.className = "failure";
  const lines =
    error instanceof SourceError
      ? [error.report.what, error.report.why, error.report.fix]
      : ["The viewer could not show this", error instanceof Error ? error.message : String(error)];
  lines.filter(Boolean).forEach((text, i) => {
    const line = document.createElement(i === 0 ? "h1" : "p");
    line.textContent = text;
    box.append(line);
  });
  root.replaceChildren(box);
}

const ready = open();
ready.catch(fail);
