// The legend of contours: colours, values with their unit, smooth or in bands.

import { make } from "../layout";
import { scaleOf, written } from "../signal/numbers";
import { BANDS, colourAt } from "./colours";

export interface LegendContent {
  title: string;
  detail: string;
  unit: string;
  low: number;
  high: number;
  bands: boolean;
  note: string;
}

const HEIGHT = 220;

export class Legend {
  readonly box = make("div", "legend");
  content: LegendContent | null = null;
  private readonly bar = make("canvas");
  private readonly ticks = make("div", "ticks");
  private readonly title = make("div", "legend-title");
  private readonly note = make("div", "legend-note");

  constructor(host: HTMLElement) {
    this.bar.width = 14;
    this.bar.height = HEIGHT;
    const row = make("div", "legend-row");
    row.append(this.bar, this.ticks);
    this.box.append(this.title, row, this.note);
    this.box.hidden = true;
    host.append(this.box);
  }

  hide(): void {
    this.box.hidden = true;
    this.content = null;
  }

  show(content: LegendContent): void {
    const key = JSON.stringify(content);
    if (!this.box.hidden && this.box.dataset.key === key) return;
    this.box.dataset.key = key;
    this.content = content;
    this.box.hidden = false;
    const scale = scaleOf(Math.max(Math.abs(content.low), Math.abs(content.high)), content.unit);
    const name = make("b", "", content.title);
    this.title.replaceChildren(name, ` ${content.detail}${scale.unit ? ` [${scale.unit}]` : ""}`);
    this.note.textContent = content.note;
    const pen = this.bar.getContext("2d");
    if (pen) paintBar(pen, 0, 0, 14, HEIGHT, content.bands);
    this.ticks.replaceChildren(...legendTicks(content).map(({ part, text }) => {
      const tick = make("span", "", text);
      tick.style.top = `${((1 - part) * HEIGHT).toFixed(1)}px`;
      return tick;
    }));
  }

  /** The same legend on a picture that is saved; returns nothing if there is none. */
  paint(pen: CanvasRenderingContext2D, x: number, y: number, color: string): void {
    if (!this.content) return;
    pen.save();
    pen.fillStyle = color;
    pen.font = "600 13px system-ui, sans-serif";
    pen.fillText(this.title.textContent ?? "", x, y);
    paintBar(pen, x, y + 14, 14, HEIGHT, this.content.bands);
    pen.fillStyle = color;
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    for (const { part, text } of legendTicks(this.content)) pen.fillText(text, x + 22, y + 14 + (1 - part) * HEIGHT);
    pen.restore();
  }
}

function paintBar(pen: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, bands: boolean): void {
  const steps = bands ? BANDS : height;
  for (let i = 0; i < steps; i++) {
    pen.fillStyle = colourAt((i + 0.5) / steps);
    pen.fillRect(x, y + height * (1 - (i + 1) / steps), width, height / steps + 0.6);
  }
}

function legendTicks({ low, high, unit, bands }: LegendContent): { part: number; text: string }[] {
  const scale = scaleOf(Math.max(Math.abs(low), Math.abs(high)), unit);
  const count = bands ? BANDS : 5;
  const step = (high - low) / count / scale.factor;
  const decimals = step > 0 ? Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(step)) - 1)) : 3;
  return Array.from({ length: count + 1 }, (_, i) => {
    const value = (low + ((high - low) * i) / count) / scale.factor;
    const plain = Math.abs(value) < 1e6 && decimals < 6 ? value.toFixed(decimals).replace("-", "−") : written(value, 4);
    return { part: i / count, text: plain };
  });
}
