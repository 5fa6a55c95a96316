// Pictures and videos of the 3-D view, with its legend, labels and time; a link that brings the view back.

import type { View } from "../scene/view";
import { cyclic, CYCLE, type App } from "../state";
import { written } from "../signal/numbers";
import { rowAt, timeAt } from "../time/interpolate";
import { webm, type EncodedPicture } from "./webm";

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
/** A longer pass is shown faster [s]. */
const LONGEST = 60;

const CODECS: [string, string][] = [["vp09.00.40.08", "V_VP9"], ["vp8", "V_VP8"]];

/** Seconds of one pass over the run (or one cycle of a mode) at the clock's speed. */
function passTime({ header, times, clock }: App): number {
  return cyclic(header) ? CYCLE / RATE : (times[times.length - 1] - times[0]) / clock.value.speed;
}

/** One pass, at most `longest` seconds. Each picture is stamped with its own time, however long it took to draw. */
export async function video(app: App, view: View, longest = LONGEST): Promise<Blob> {
  if (!("VideoEncoder" in window)) throw new Error("this browser cannot encode video (it has no VideoEncoder): use a newer one");
  const canvas = document.createElement("canvas");
  const before = app.clock.value;
  app.clock.set({ playing: false });
  paint(app, view, canvas);
  const { width, height } = canvas;
  const wanted = (codec: string): VideoEncoderConfig => ({ codec, width, height, bitrate: 8e6, framerate: RATE });
  const able = await Promise.all(CODECS.map(async ([codec]) => (await VideoEncoder.isConfigSupported(wanted(codec)).catch(() => null))?.supported));
  const found = CODECS[able.indexOf(true)];
  if (!found) throw new Error(`this browser cannot encode video of ${width} × ${height} pixels as VP9 or VP8`);
  const pictures: EncodedPicture[] = [];
  let failed: Error | null = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      pictures.push({ time: chunk.timestamp / 1000, key: chunk.type === "key", data });
    },
    error: (error) => (failed = error),
  });
  encoder.configure(wanted(found[0]));
  const { times } = app;
  const span = times[times.length - 1] - times[0];
  const seconds = Math.min(longest, passTime(app));
  const count = Math.max(2, Math.round(seconds * RATE));
  try {
    for (let i = 0; i < count && !failed; i++) {
      const row = rowAt(times, times[0] + (span * i) / (count - 1));
      app.clock.set({ row, time: timeAt(times, row) });
      await view.settled();
      paint(app, view, canvas);
      if (canvas.width !== width || canvas.height !== height) throw new Error("the picture changed its size while it was recorded: save the video again");
      const frame = new VideoFrame(canvas, { timestamp: Math.round((1e6 * i) / RATE), duration: Math.round(1e6 / RATE) });
      encoder.encode(frame, { keyFrame: i % (2 * RATE) === 0 });
      frame.close();
      while (encoder.encodeQueueSize > 4 && !failed) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (failed) throw failed;
    await encoder.flush();
  } finally {
    if (encoder.state !== "closed") encoder.close();
    app.clock.set(before);
  }
  return new Blob([webm(pictures, width, height, found[1], (1000 * count) / RATE)], { type: "video/webm" });
}

export async function saveVideo(app: App, view: View): Promise<void> {
  const seconds = passTime(app);
  const faster = seconds > LONGEST ? `: ${LONGEST} s long, ${written(seconds / LONGEST, 3)} times as fast as the clock` : "";
  app.tell("recording one pass …");
  try {
    save(await video(app, view), fileName(app, "webm"));
    app.tell(`video saved${faster}`);
  } catch (error) {
    app.tell(error instanceof Error ? error.message : String(error));
  }
}

export async function saveLink(app: App): Promise<void> {
  const link = `${location.href.split("#")[0]}#${app.address.text()}`;
  history.replaceState(null, "", link);
  await navigator.clipboard?.writeText(link).then(() => app.tell("link copied"), () => app.tell("the link stands in the address bar"));
}
