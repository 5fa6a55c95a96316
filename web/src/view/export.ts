// Pictures and videos of the 3-D view, with its legend, labels and time; a link that brings the view back.

import type { View } from "../scene/view";
import { cyclic, CYCLE, type App } from "../state";
import { written } from "../signal/numbers";
import { rowAt, timeAt } from "../time/interpolate";

/** Paint the view as it is on a canvas with a background, at a multiple of its size. */
export function paint(app: App, view: View, canvas: HTMLCanvasElement): void {
  const { stage, labels, legend } = view;
  stage.drawNow();
  const source = stage.renderer.domElement;
  const ratio = source.width / Math.max(1, stage.host.clientWidth);
  canvas.width = source.width - (source.width % 2);
  canvas.height = source.height - (source.height % 2);
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const style = getComputedStyle(document.documentElement);
  const sky = pen.createLinearGradient(0, 0, 0, canvas.height);
  sky.addColorStop(0, style.getPropertyValue("--sky-top"));
  sky.addColorStop(1, style.getPropertyValue("--sky-bottom"));
  pen.fillStyle = sky;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(source, 0, 0);
  pen.scale(ratio, ratio);
  const text = style.getPropertyValue("--text");
  legend.paint(pen, 20, 28, text);
  pen.font = "12px system-ui, sans-serif";
  pen.fillStyle = text;
  for (const label of labels.list()) {
    const most = canvas.width / ratio - pen.measureText(label.text).width - 8;
    pen.fillText(label.text, Math.min(label.x + 10, most), label.y + 16);
  }
  pen.textAlign = "right";
  const { time } = app.clock.value;
  const when = cyclic(app.header) ? `mode ${app.settings.value.mode + 1}` : app.times.length > 1 ? `t = ${written(time, 5)} s` : "";
  pen.fillText([app.header.name.slice(0, 80), when].filter(Boolean).join("   "), canvas.width / ratio - 14, 24);
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function fileName(app: App, ending: string): string {
  return `${app.header.name.replace(/[^\w.-]+/g, "_").slice(0, 60) || "flexor"}.${ending}`;
}

export async function picture(app: App, view: View): Promise<Blob> {
  await view.contours.settled;
  await view.settled();
  const canvas = document.createElement("canvas");
  const { renderer } = view.stage;
  const ratio = renderer.getPixelRatio();
  renderer.setPixelRatio(Math.max(2, ratio)); // fit for print
  paint(app, view, canvas);
  renderer.setPixelRatio(ratio);
  view.stage.draw();
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

export async function savePicture(app: App, view: View): Promise<void> {
  save(await picture(app, view), fileName(app, "png"));
  app.tell("picture saved");
}

const RATE = 30;

/** One pass over the run (or one cycle of a mode) at the clock's speed, recorded by the browser. */
export async function video(app: App, view: View, longest = 60): Promise<Blob> {
  if (!("MediaRecorder" in window)) throw new Error("this browser cannot record video");
  const canvas = document.createElement("canvas");
  const before = app.clock.value;
  app.clock.set({ playing: false });
  paint(app, view, canvas);
  const stream = canvas.captureStream(0);
  const [track] = stream.getVideoTracks() as CanvasCaptureMediaStreamTrack[];
  const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((one) => MediaRecorder.isTypeSupported(one));
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  const begun = new Promise((resolve) => (recorder.onstart = resolve));
  recorder.start();
  await begun;
  const { times } = app;
  const span = times[times.length - 1] - times[0];
  const seconds = cyclic(app.header) ? CYCLE / RATE : Math.min(longest, span / before.speed);
  const count = Math.max(2, Math.round(seconds * RATE));
  let due = performance.now();
  for (let i = 0; i < count; i++) {
    const row = rowAt(times, times[0] + (span * i) / (count - 1));
    app.clock.set({ row, time: timeAt(times, row) });
    await view.settled();
    paint(app, view, canvas);
    track.requestFrame();
    due = Math.max(due + 1000 / RATE, performance.now()); // the recorder's clock is the watcher's
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
  }
  await new Promise((resolve) => setTimeout(resolve, 200)); // frames on their way are still taken in
  recorder.stop();
  await ended;
  app.clock.set(before);
  return new Blob(parts, { type: "video/webm" });
}

export async function saveVideo(app: App, view: View): Promise<void> {
  app.tell("recording one pass …");
  try {
    save(await video(app, view), fileName(app, "webm"));
    app.tell("video saved");
  } catch (error) {
    app.tell(error instanceof Error ? error.message : String(error));
  }
}

export async function saveLink(app: App): Promise<void> {
  const link = `${location.href.split("#")[0]}#${app.address.text()}`;
  history.replaceState(null, "", link);
  await navigator.clipboard?.writeText(link).then(() => app.tell("link copied"), () => app.tell("the link stands in the address bar"));
}
