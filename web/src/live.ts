// A run that still computes: new rows are taken in, progress is shown, and it can be paused or stopped.

import { make, type Page } from "./layout";
import { written } from "./signal/numbers";
import type { App } from "./state";
import type { Player } from "./time/player";

export function follow(app: App, page: Page, player: Player, refresh: () => void): void {
  const { source, header } = app;
  if (header.status !== "running" || !source.live) return;
  const box = make("span", "live"), bar = make("progress"), text = make("span", "muted");
  const pause = make("button", "", "Pause"), stop = make("button", "", "Stop");
  box.append(bar, text, pause, stop);
  page.title.insertBefore(box, page.tools);
  let paused = false;
  pause.addEventListener("click", () => {
    void source.command?.(paused ? "resume" : "pause").catch((error: Error) => app.tell(error.message));
    paused = !paused;
    pause.textContent = paused ? "Go on" : "Pause";
  });
  stop.addEventListener("click", () => void source.command?.("stop").then(() => app.tell("stopping; results are kept")));
  const status = page.title.querySelector(".status");
  const end = source.live((state) => {
    bar.max = state.until || 1;
    bar.value = state.time;
    text.textContent = `${written(state.time, 4)} of ${written(state.until, 4)} s`;
    if (state.rows > app.frames.count) void take(app, player, state.rows).then(refresh);
    if (state.status === "running" || state.status === "paused") return;
    end();
    box.remove();
    header.status = state.status as typeof header.status;
    if (status) status.textContent = state.status;
    app.tell(`the run has ${state.status === "finished" ? "finished" : state.status}`);
  });
}

/** Take rows in; a clock that stood at the last one follows. */
async function take(app: App, player: Player, rows: number): Promise<void> {
  const { source, header, clock } = app;
  const atEnd = clock.value.row >= app.times.length - 1.001;
  const fresh = await source.header();
  const times = await renewedTimes(source, fresh.times.buffer, rows);
  header.times = fresh.times;
  header.warnings = fresh.warnings;
  header.cutbacks = fresh.cutbacks;
  app.times = times;
  app.frames.grow(times.length);
  if (atEnd) player.go(times.length - 1);
}

async function renewedTimes(source: App["source"], id: number, rows: number): Promise<Float64Array> {
  const all = new Float64Array(await (source.renewed?.(id) ?? source.buffer(id)));
  return all.subarray(0, Math.min(rows, all.length));
}
