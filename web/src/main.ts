// The page: header of the run, tree, 3-D view, time bar, panels.

import "./style/page.css";
import { watchFiles } from "./changed";
import { layOut } from "./layout";
import { follow } from "./live";
import { mountPanels, mountTree } from "./panels";
import type { ErrorReport } from "./protocol";
import { View } from "./scene/view";
import { findSource, SourceError } from "./source";
import { CYCLE, cyclic, goesOn, makeStores, type App } from "./state";
import { Store } from "./store";
import { mountTimeBar } from "./time/bar";
import { Frames } from "./time/frames";
import { goodSpeed, Player } from "./time/player";
import { makeHook } from "./view/hook";
import { listenToKeys } from "./view/keys";
import { asTheSystem, keepTheme } from "./view/theme";
import { mountToolbar } from "./view/toolbar";

type Hook = ReturnType<typeof makeHook>;

async function open(): Promise<Hook> {
  const source = findSource();
  const header = await source.header();
  const stores = makeStores(header.runs?.length);
  const times = cyclic(header)
    ? Float64Array.from({ length: CYCLE + 1 }, (_, i) => i / CYCLE)
    : new Float64Array(await source.buffer(header.times.buffer), 0, header.times.count);
  const page = layOut(header);
  const app: App = { source, header, times, frames: new Frames(source, header), ...stores, news: new Store({ count: 0 }), tell: page.tell };
  if (app.clock.value.speed === app.clock.start.speed) app.clock.set({ speed: goodSpeed(times[times.length - 1] - times[0]) });
  app.frames.onTrouble = (error) => page.tell(error.message);
  keepTheme(app);
  app.address.followLinks();
  const player = new Player(app);
  player.go(goesOn(header) && app.clock.value.row === app.clock.start.row ? times.length - 1 : app.clock.value.row); // a live run is followed
  const view = new View(app, page.view);
  mountToolbar(page.tools, app, view);
  const bar = mountTimeBar(page.time, app, player);
  mountTree(page.tree, app);
  mountPanels(page.panels, app);
  listenToKeys(app, view, player);
  follow(app, page, player, bar.refresh);
  watchFiles(app, page);
  await view.load();
  return makeHook(app, view, player);
}

/** The reason why nothing is shown, as text. */
function fail(error: unknown): void {
  const root = document.getElementById("flexor") ?? document.body;
  const box = document.createElement("div");
  box.className = "failure";
  const name = document.title.replace(/ · Flexor$/, "");
  const named = (report: ErrorReport): string => {
    const where = report.where && report.where !== "viewer" ? `${report.where}: ` : "";
    return `${where.includes(name) ? "" : `${name}: `}${where}${report.what}`;
  };
  const lines =
    error instanceof SourceError
      ? [named(error.report), error.report.why, error.report.fix]
      : ["The viewer could not show this", error instanceof Error ? error.message : String(error)];
  lines.filter(Boolean).forEach((text, i) => {
    const line = document.createElement(i === 0 ? "h1" : "p");
    line.textContent = text;
    box.append(line);
  });
  root.classList.remove("page");
  root.replaceChildren(box);
}

declare global {
  interface Window {
    flexor: Partial<Hook> & { ready: Promise<void> };
  }
}

asTheSystem();
const opened = open();
window.flexor = { ready: opened.then((hook) => void Object.assign(window.flexor, hook)) };
window.flexor.ready.catch(fail);
