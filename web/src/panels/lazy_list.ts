// A list of which only the rows in sight are drawn, so that ten thousand are as quick as ten.

import { make, within } from "./dom";

const ROW = 24; // pixels, as --p-row in panels.css
const SPARE = 6; // rows drawn above and below

export class LazyList {
  readonly element = make("div", "p-list");
  private readonly space = make("div", "p-list-space");
  private count = 0;
  private drawn: [number, number] = [0, 0];

  constructor(private readonly row: (index: number) => HTMLElement) {
    this.element.tabIndex = 0;
    within(this.element, this.space);
    this.element.addEventListener("scroll", () => this.draw(false), { passive: true });
    new ResizeObserver(() => this.draw(false)).observe(this.element);
  }

  /** Draw anew, with so many rows. */
  show(count: number): void {
    this.count = count;
    this.space.style.height = `${count * ROW}px`;
    this.draw(true);
  }

  /** Scroll until a row is in sight. */
  reveal(index: number): void {
    const { scrollTop, clientHeight } = this.element;
    const top = index * ROW;
    if (top < scrollTop || top + ROW > scrollTop + clientHeight) {
      this.element.scrollTop = Math.max(0, top - clientHeight / 2 + ROW);
    }
    this.draw(true);
  }

  private draw(anew: boolean): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - SPARE);
    const last = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / ROW) + SPARE);
    if (!anew && first === this.drawn[0] && last === this.drawn[1]) return;
    this.drawn = [first, last];
    const rows: HTMLElement[] = [];
    for (let i = first; i < last; i++) {
      const row = this.row(i);
      row.style.top = `${i * ROW}px`;
      rows.push(row);
    }
    this.space.replaceChildren(...rows);
  }
}
