// A run that still computes: new rows are taken in, progress is shown, and it can be paused or stopped.

import { make, showStatus, type Page } from "./layout";
import type { LiveState } from "./protocol";
import { written } from "./signal/numbers";
import { goesOn, type App } from "./state";
import type { Player } from "./time/player";

export function follow(app: App, page: Page, player: Player, refresh: () => void): void {
  const { source, header } = app;
  if (!goesOn(header) || !source.live) return;
  const box = make("span", "live"), bar = make("progress"), text = make("span", "muted");
  const pause = make("button", "", "Pause"), stop = make("button", "", "Stop");
  box.append(bar, text, pause, stop);
  page.title.insertBefore(box, page.tools);
  const show = (status: string): void => {
    header.status = status as typeof header.status;
    showStatus(page.status, status);
    pause.textContent = status === "paused" ? "Go on" : "Pause";
  };
  pause.addEventListener("click", () => {
    const wish = header.status === "paused" ? "resume" : "pause";
    void source.command?.(wish).then(() => show(wish === "pause" ? "paused" : "running"), (error: Error) => app.tell(error.message));
  });
  stop.addEventListener("click", () => void source.command?.("stop").then(() => app.tell("stopping; results are kept")));
  const end = source.live((state) => {
    bar.max = state.until || 1;
    bar.value = state.time;
    text.textContent = `${written(state.time, 4)}${state.until ? ` of ${written(state.until, 4)}` : ""} s`;
    pause.hidden = stop.hidden = state.commands === false;
    hear(app, state);
    if (state.rows > app.frames.count) void take(app, player, state.rows).then(refresh);
    if (state.status === "running" || state.status === "paused") {
      show(state.status);
      return;
    }
    end();
    pause.hidden = stop.hidden = bar.hidden = true;
    text.textContent = `${state.status}; reading it`;
    void source.header().then(
      (now) => {
        if (goesOn(now)) text.textContent = state.status;
        else {
          if (follows(app)) app.clock.set({ row: now.times.count - 1 });
          app.address.write();
          location.reload(); // the ended run, with all its signals; the address keeps what is shown
        }
      },
      (error: Error) => app.tell(error.message),
    );
  });
}

/** Take in how the run goes: the header then holds it. */
function hear({ header, news }: App, { summary, warnings, cutbacks }: LiveState): void {
  if (summary) header.summary = summary;
  if (warnings) header.warnings = warnings;
  if (cutbacks) header.cutbacks.splice(cutbacks.first, Infinity, ...cutbacks.times);
  news.set({ count: news.value.count + 1 });
}

/** Does the clock stand at the newest row? */
function follows({ clock, times }: App): boolean {
  return clock.value.row >= times.length - 1.001;
}

/** Take rows in; a clock that stood at the last one follows. */
async function take(app: App, player: Player, rows: number): Promise<void> {
  const { source, header } = app;
  const atEnd = follows(app);
  const times = (await source.signal("time")).subarray(0, rows);
  if (times.length <= app.times.length) return;
  header.times.count = times.length;
  app.times = times;
  app.frames.grow(times.length);
  if (atEnd) player.go(times.length - 1);
}
