// Plots as files: comma-separated values and pictures.

import type uPlot from "uplot";
import { csv, type Column } from "../signal/csv";
import { css } from "./axes";
import { download } from "./dom";

export function saveTable(name: string, columns: readonly Column[]): void {
  download(`${name}.csv`, new Blob([csv(columns)], { type: "text/csv;charset=utf-8" }));
}

export interface Entry {
  /** Variable of the colour. */
  colour: string;
  text: string;
}

/** Pictures are at least so wide, in pixels of the page. */
const WIDTH = 1200;
const HEIGHT = 560;

/** The chart with its legend above it, on the page's background; drawn larger than a narrow column shows it. */
export function savePicture(name: string, plot: uPlot, legend: readonly Entry[]): void {
  const { width, height } = plot;
  const chart = plot.ctx.canvas;
  plot.batch(() => plot.setSize({ width: Math.max(width, WIDTH), height: Math.max(height, HEIGHT) }));
  const picture = framed(chart, chart.width / Math.max(width, WIDTH), legend);
  plot.batch(() => plot.setSize({ width, height }));
  picture.toBlob((blob) => blob && download(`${name}.png`, blob), "image/png");
}

function framed(chart: HTMLCanvasElement, ratio: number, legend: readonly Entry[]): HTMLCanvasElement {
  const [row, edge] = [18 * ratio, 12 * ratio];
  const canvas = document.createElement("canvas");
  canvas.width = chart.width + 2 * edge;
  canvas.height = chart.height + 2 * edge + row * legend.length;
  const ctx = canvas.getContext("2d");
  if (!ctx) return canvas;
  ctx.fillStyle = css("--surface");
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.font = `${12 * ratio}px system-ui, "Segoe UI", sans-serif`;
  ctx.textBaseline = "middle";
  legend.forEach(({ colour, text }, i) => {
    const y = edge + (i + 0.5) * row;
    ctx.fillStyle = css(colour);
    ctx.fillRect(edge, y - 1.5 * ratio, 14 * ratio, 3 * ratio);
    ctx.fillStyle = css("--text");
    ctx.fillText(text.slice(0, 200), edge + 22 * ratio, y, canvas.width - 2 * edge - 22 * ratio);
  });
  ctx.drawImage(chart, edge, edge + row * legend.length);
  return canvas;
}
