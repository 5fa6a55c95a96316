// Short texts that stand at points of the 3-D view.

import { Vector3 } from "three";
import { make } from "../layout";
import type { Stage } from "./stage";

/** Pixels from one label to the next below it. */
const HEIGHT = 23;

interface Label {
  element: HTMLElement;
  at: Vector3;
}

export class Labels {
  private readonly layer = make("div", "labels");
  private readonly all = new Map<string, Label>();

  constructor(private readonly stage: Stage) {
    stage.host.append(this.layer);
    stage.after.add(() => this.place());
  }

  set(key: string, text: string, at: Vector3, kind = ""): void {
    let label = this.all.get(key);
    if (!label) {
      label = { element: make("span"), at: new Vector3() };
      this.all.set(key, label);
      this.layer.append(label.element);
    }
    label.at.copy(at);
    if (label.element.textContent !== text) label.element.textContent = text;
    label.element.className = `label ${kind}`;
  }

  remove(key: string): void {
    this.all.get(key)?.element.remove();
    this.all.delete(key);
  }

  /** Remove all labels whose key begins so. */
  clear(prefix: string): void {
    for (const key of [...this.all.keys()]) if (key.startsWith(prefix)) this.remove(key);
  }

  /** Texts and where they stand on the canvas [px], for pictures that are saved. */
  list(): { text: string; x: number; y: number }[] {
    return [...this.all.values()].flatMap(({ element, at }) => {
      const [x, y, shown] = this.project(at);
      return shown ? [{ text: element.textContent ?? "", x, y }] : [];
    });
  }

  private project(at: Vector3): [number, number, boolean] {
    const p = at.clone().project(this.stage.camera);
    const { clientWidth: w, clientHeight: h } = this.stage.host;
    return [((p.x + 1) / 2) * w, ((1 - p.y) / 2) * h, p.z > -1 && p.z < 1];
  }

  /** Labels that would cover another one move below it. */
  private place(): void {
    const placed: { x: number; y: number; width: number }[] = [];
    for (const { element, at } of this.all.values()) {
      const [there, wanted, shown] = this.project(at);
      element.style.display = shown ? "" : "none";
      if (!shown) continue;
      const width = 24 + 7 * Math.min(element.textContent?.length ?? 0, 36);
      const x = Math.min(there, this.stage.host.clientWidth - width); // not over the border
      let y = wanted;
      for (let tries = 0; tries < 12; tries++) {
        const other = placed.find((one) => Math.abs(one.y - y) < HEIGHT && x < one.x + one.width && one.x < x + width);
        if (!other) break;
        y = other.y + HEIGHT;
      }
      placed.push({ x, y, width });
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      element.style.setProperty("--up", `${(y - wanted).toFixed(1)}px`); // the dot stays at its point
      element.style.setProperty("--right", `${(there - x).toFixed(1)}px`);
    }
  }
}
