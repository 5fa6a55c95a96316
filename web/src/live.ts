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
  const end = source.live((state) => {
    bar.max = state.until || 1;
    bar.value = state.time;
    text.textContent = `${written(state.time, 4)}${state.until ? ` of ${written(state.until, 4)}` : ""} s`;
    pause.hidden = stop.hidden = state.commands === false;
    if (state.rows > app.frames.count) void take(app, player, state.rows).then(refresh);
    if (state.status === "running" || state.status === "paused") return;
    end();
    pause.hidden = stop.hidden = bar.hidden = true;
    text.textContent = `${state.status}; reading it`;
    void source.header().then(
      (now) => {
        if (now.status !== "running") location.reload(); // the ended run, with all its signals; the address keeps what is shown
        else text.textContent = state.status;
      },
      (error: Error) => app.tell(error.message),
    );
  });
}

/** Take rows in; a clock that stood at the last one follows. */
async function take(app: App, player: Player, rows: number): Promise<void> {
  const { source, header, clock } = app;
  const atEnd = clock.value.row >= app.times.length - 1.001;
  const times = (await source.signal("time")).subarray(0, rows);
  if (times.length <= app.times.length) return;
  header.times.count = times.length;
  app.times = times;
  app.frames.grow(times.length);
  if (atEnd) player.go(times.length - 1);
}
