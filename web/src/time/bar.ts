// The time bar: play, step, scrub, speed, loop; warnings and cut-backs as marks on the axis.

import "./bar.css";
import { make } from "../layout";
import { written } from "../signal/numbers";
import { CYCLE, cyclic, type App } from "../state";
import { icon } from "../view/icons";
import { rowAt, timeAt } from "./interpolate";
import type { Player } from "./player";

export function mountTimeBar(host: HTMLElement, app: App, player: Player): { refresh(): void } {
  const { clock, header } = app;
  const modes = cyclic(header);
  const button = (name: string, title: string, work: () => void): HTMLButtonElement => {
    const made = make("button", "icon");
    made.append(icon(name));
    made.title = title;
    made.setAttribute("aria-label", title);
    made.addEventListener("click", work);
    return made;
  };
  const play = button("play", "Play or pause (space)", () => player.toggle());
  play.classList.add("play");
  const first = button("first", "To the start (Home)", () => player.go(0));
  const back = button("back", "One frame back (←)", () => player.step(-1));
  const forth = button("forth", "One frame on (→)", () => player.step(1));
  const last = button("last", "To the end (End)", () => player.go(Infinity));
  const loop = button("loop", "Begin again at the end", () => clock.set({ loop: !clock.value.loop }));
  const speed = speedChoice(app);
  const slider = make("input", "slider");
  slider.type = "range";
  slider.min = "0";
  slider.step = "any";
  slider.setAttribute("aria-label", "time");
  slider.addEventListener("input", () => {
    clock.set({ playing: false });
    player.go(rowOfPart(app, Number(slider.value)));
  });
  slider.max = "1";
  const now = make("output", "now"), frame = make("output", "frame");
  const axis = make("div", "axis"), canvas = make("canvas"), marks = make("div", "marks");
  axis.append(canvas, slider, marks);
  const row = make("div", "controls");
  row.append(first, back, play, forth, last, now, frame, make("span", "space"), make("span", "muted", modes ? "" : "speed"), speed, loop);
  if (modes) [speed, loop, first, last].forEach((element) => (element.style.display = "none"));
  host.append(axis, row);
  host.classList.toggle("still", app.times.length < 2);

  const refresh = (): void => {
    host.classList.toggle("still", app.times.length < 2);
    drawAxis(canvas, app);
    placeMarks(marks, app, player);
    showNow();
  };
  const showNow = (): void => {
    const { row: at, time } = clock.value;
    slider.value = String(partOfRow(app, at));
    now.textContent = modes ? `${written(Math.round((360 * at) / CYCLE) % 360, 3)}°` : `${fixed(time, app)} s`;
    frame.textContent = modes ? "" : `frame ${Math.round(at) + 1} of ${app.times.length}`;
    slider.setAttribute("aria-valuetext", now.textContent);
  };
  clock.watch(["row", "time"], showNow);
  clock.watch(["playing"], ({ playing }) => play.replaceChildren(icon(playing ? "pause" : "play")));
  clock.watch(["loop"], ({ loop: on }) => loop.classList.toggle("on", on));
  new ResizeObserver(refresh).observe(axis);
  app.settings.watch(["theme"], () => requestAnimationFrame(refresh));
  return { refresh };
}

/** The axis is one of time; rows need not be equally far apart. */
function partOfRow(app: App, row: number): number {
  const { times } = app;
  const begin = times[0] ?? 0, end = times[times.length - 1] ?? 0;
  return end > begin ? (timeAt(times, row) - begin) / (end - begin) : 0;
}

function rowOfPart({ times }: App, part: number): number {
  return rowAt(times, times[0] + part * (times[times.length - 1] - times[0]));
}

/** The time with as many decimals as the run needs, so that the digits stand still. */
function fixed(time: number, { times }: App): string {
  const span = (times[times.length - 1] ?? 0) - (times[0] ?? 0);
  const decimals = span > 0 ? Math.min(9, Math.max(0, 4 - Math.ceil(Math.log10(span)))) : 3;
  return time.toFixed(decimals).replace("-", "−");
}

function speedChoice({ clock }: App): HTMLSelectElement {
  const choice = make("select", "speed");
  choice.title = "Seconds of the model per second";
  const fill = (value: number): void => {
    const speeds = new Set([1e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100, value]);
    choice.replaceChildren(...[...speeds].sort((a, b) => a - b).map((one) => {
      const option = make("option", "", one < 1 ? `1 : ${written(1 / one, 3)}` : `${written(one, 3)} ×`);
      option.value = String(one);
      return option;
    }));
    choice.value = String(value);
  };
  clock.watch(["speed"], ({ speed }) => fill(speed));
  choice.addEventListener("change", () => clock.set({ speed: Number(choice.value) }));
  return choice;
}

const MARGIN = 8; // half the slider's thumb

function drawAxis(canvas: HTMLCanvasElement, app: App): void {
  const { times, header } = app;
  const box = canvas.parentElement;
  const pen = canvas.getContext("2d");
  if (!box || !pen) return;
  const ratio = devicePixelRatio || 1, width = box.clientWidth, height = 34;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  pen.scale(ratio, ratio);
  const style = getComputedStyle(box);
  const begin = cyclic(header) ? 0 : times[0], end = cyclic(header) ? 360 : times[times.length - 1];
  if (!(end > begin) || width < 40) return;
  const x = (value: number): number => MARGIN + ((value - begin) / (end - begin)) * (width - 2 * MARGIN);
  const step = cyclic(header) ? 90 : tickStep((end - begin) / Math.max(2, width / 90));
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.fillStyle = style.getPropertyValue("--muted");
  pen.strokeStyle = style.getPropertyValue("--line");
  for (let k = Math.ceil(begin / step - 1e-9); k * step <= end + 1e-9 * step; k++) {
    const at = x(k * step);
    pen.beginPath();
    pen.moveTo(at, 14);
    pen.lineTo(at, 20);
    pen.stroke();
    const text = written(Number((k * step).toPrecision(12)), 6);
    const half = pen.measureText(text).width / 2;
    pen.fillText(text, Math.min(Math.max(at, half), width - half), 31);
  }
}

function tickStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((k) => k * power >= rough) ?? 10) * power;
}

function placeMarks(box: HTMLElement, app: App, player: Player): void {
  const { header, times } = app;
  const begin = times[0], end = times[times.length - 1];
  const mark = (time: number, kind: string, text: string): HTMLElement => {
    const made = make("i", kind);
    made.style.left = `calc(${MARGIN}px + (100% - ${2 * MARGIN}px) * ${(time - begin) / (end - begin)})`;
    made.title = text;
    made.addEventListener("click", () => player.go(rowOfPart(app, (time - begin) / (end - begin))));
    return made;
  };
  const within = (time: number | null): time is number => time !== null && end > begin && time >= begin && time <= end;
  box.replaceChildren(
    ...header.cutbacks.filter(within).slice(0, 500).map((time) => mark(time, "cutback", `step cut back at ${written(time, 6)} s`)),
    ...header.warnings.filter((warning) => within(warning.time)).slice(0, 500)
      .map((warning) => mark(warning.time as number, "warning", `${written(warning.time as number, 6)} s: ${warning.text}`)),
  );
}
