// Rows of frames, fetched in blocks ahead of the clock and kept.

import type { Header } from "../protocol";
import type { Source } from "../source";
import { mixRows, quaternionOffsets } from "./interpolate";

/** Bytes of frames that are kept; blocks far from the clock give way first. */
const KEPT = 400e6;
/** Bytes of one block. */
const BLOCK = 1e6;

/** Milliseconds until rows that could not be had are asked for again. */
const PAUSE = 3000;

export class Frames {
  readonly width: number;
  readonly quaternions: Int32Array;
  private readonly rowsPerBlock: number;
  private readonly blocks = new Map<number, Float32Array>();
  private readonly asked = new Map<string, Promise<void>>();
  private readonly listeners = new Set<() => void>();
  private total: number;
  private rest = 0;
  /** Called when rows that were asked for cannot be had. */
  onTrouble: (error: Error) => void = () => undefined;

  constructor(private readonly source: Source, header: Header) {
    this.width = Math.max(header.frames.width, 0);
    this.total = header.frames.count;
    this.rowsPerBlock = Math.max(1, Math.min(256, Math.floor(BLOCK / (4 * Math.max(this.width, 1)))));
    this.quaternions = quaternionOffsets(header);
  }

  get count(): number {
    return this.total;
  }

  /** More rows are there (a live run); a block that holds too few is asked for anew when it is needed. */
  grow(count: number): void {
    this.total = Math.max(this.total, count);
  }

  /** Called when new rows have come. */
  onLoad(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The row if it is here, else null; then it is asked for. */
  row(index: number): Float32Array | null {
    const block = Math.floor(index / this.rowsPerBlock);
    const held = this.blocks.get(block);
    const start = (index - block * this.rowsPerBlock) * this.width;
    if (held && held.length >= start + this.width) return held.subarray(start, start + this.width);
    this.want(block);
    return null;
  }

  /** Ask for the blocks about this row and the next ones, so that playing does not wait. */
  prefetch(index: number, ahead = 2): void {
    const block = Math.floor(index / this.rowsPerBlock);
    for (let i = block; i <= Math.min(block + ahead, this.lastBlock); i++) this.want(i);
    this.forget(block);
  }

  /** Values at a row with a fraction: poses turn on the shortest way, all else is linear. False while rows are missing. */
  sample(row: number, out: Float32Array): boolean {
    if (this.width === 0 || this.total === 0) return true;
    const clamped = Math.min(Math.max(row, 0), this.total - 1);
    const low = Math.floor(clamped);
    const first = this.row(low);
    if (!first) return false;
    const part = clamped - low;
    if (part < 1e-6) {
      out.set(first);
      return true;
    }
    const second = this.row(low + 1);
    if (!second) return false;
    mixRows(first, second, part, this.quaternions, out);
    return true;
  }

  /** All rows, one after another (for traces, ranges and histories of nodes). */
  async all(): Promise<Float32Array> {
    const out = new Float32Array(this.total * this.width);
    for (let block = 0; block <= this.lastBlock; block++) {
      await this.load(block);
      const held = this.blocks.get(block);
      if (held) out.set(held.subarray(0, Math.max(0, out.length - block * this.rowsPerBlock * this.width)),
        block * this.rowsPerBlock * this.width);
    }
    return out;
  }

  private get lastBlock(): number {
    return Math.floor((this.total - 1) / this.rowsPerBlock);
  }

  /** Rows that a block should hold by now. */
  private due(block: number): number {
    return Math.min(this.rowsPerBlock, this.total - block * this.rowsPerBlock);
  }

  private load(block: number): Promise<void> {
    if ((this.blocks.get(block)?.length ?? -1) >= this.due(block) * this.width) return Promise.resolve();
    const key = `${block}:${this.due(block)}`; // more rows of a block are asked for even while fewer are on their way
    let asked = this.asked.get(key);
    if (!asked) {
      asked = this.source
        .frames(block * this.rowsPerBlock, this.due(block))
        .then((rows) => {
          if (rows.length >= (this.blocks.get(block)?.length ?? 0)) this.blocks.set(block, rows);
          for (const listener of this.listeners) listener();
        })
        .finally(() => this.asked.delete(key));
      this.asked.set(key, asked);
    }
    return asked;
  }

  /** Ask for a block; where that fails it is told, and asked again only after a while. */
  private want(block: number): void {
    if (performance.now() < this.rest) return;
    this.load(block).catch((error: Error) => {
      if (performance.now() < this.rest) return;
      this.rest = performance.now() + PAUSE;
      this.onTrouble(error);
    });
  }

  private forget(near: number): void {
    const most = Math.max(8, Math.floor(KEPT / (4 * this.width * this.rowsPerBlock || 1)));
    if (this.blocks.size <= most) return;
    const far = [...this.blocks.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
    for (const block of far.slice(0, this.blocks.size - most)) this.blocks.delete(block);
  }
}
