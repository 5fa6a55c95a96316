// The clock's hand: moves the time while it plays.

import { cyclic, type App } from "../state";
import { rowAt, timeAt } from "./interpolate";

/** Turns per second of a mode's cycle. */
const TURNS = 0.6;

export class Player {
  private last = 0;

  constructor(private readonly app: App) {
    app.clock.subscribe((now, before) => {
      if (now.playing && !before.playing) this.start();
    });
    if (cyclic(app.header)) app.clock.set({ playing: true });
  }

  private start(): void {
    const { clock, times } = this.app;
    if (times.length < 2) return clock.set({ playing: false });
    if (!cyclic(this.app.header) && clock.value.row >= times.length - 1) this.go(0);
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    const { clock, header } = this.app;
    const { playing, speed, loop, time } = clock.value;
    if (!playing) return;
    const { times } = this.app;
    const seconds = Math.min(0.25, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    const begin = times[0], end = times[times.length - 1];
    let next = time + seconds * (cyclic(header) ? TURNS : speed);
    if (next >= end) {
      if (loop || cyclic(header)) next = begin + ((next - begin) % Math.max(end - begin, 1e-12));
      else {
        next = end;
        clock.set({ playing: false });
      }
    }
    clock.set({ time: next, row: rowAt(times, next) });
    requestAnimationFrame((later) => this.tick(later));
  }

  /** Go to a row, with a fraction. */
  go(row: number): void {
    const { clock, times } = this.app;
    const wanted = Math.min(Math.max(row, 0), Math.max(0, times.length - 1));
    clock.set({ row: wanted, time: timeAt(times, wanted) });
  }

  /** Forwards or backwards by whole rows. */
  step(rows: number): void {
    const { clock } = this.app;
    clock.set({ playing: false });
    this.go(rows > 0 ? Math.floor(clock.value.row + 1e-6) + rows : Math.ceil(clock.value.row - 1e-6) + rows);
  }

  toggle(): void {
    this.app.clock.set({ playing: !this.app.clock.value.playing });
  }
}

/** A speed of 1, 2, 5 · 10ⁿ at which a run lasts neither a blink nor an hour. */
export function goodSpeed(duration: number): number {
  if (!(duration > 0) || (duration >= 2 && duration <= 40)) return 1;
  const wanted = duration < 2 ? duration / 6 : duration / 30;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [5, 2, 1].map((k) => k * power).find((value) => value <= wanted * 1.0001) ?? power;
}
