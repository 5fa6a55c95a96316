// The axes in the corner: shows how the view is turned; a click on an end looks along that axis. Below it, the scale.

import { Vector3 } from "three";
import { make } from "../layout";
import { measured } from "../signal/numbers";
import type { Grid } from "./grid";
import type { Stage } from "./stage";

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#e5575b", "#55b36a", "#4b8bff"];
const ARM = 30;

function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

export function mountTriad(stage: Stage): void {
  const box = make("div", "triad");
  const image = svg("svg", { viewBox: "-46 -46 92 92", width: 92, height: 92 });
  const ends = [0, 1, 2].flatMap((axis) => [1, -1].map((sign) => {
    const group = svg("g", { class: "end" });
    const line = svg("line", { x1: 0, y1: 0, stroke: COLOURS[axis], "stroke-width": 2.2, "stroke-linecap": "round" });
    const disc = svg("circle", { r: sign > 0 ? 8.5 : 5, fill: sign > 0 ? COLOURS[axis] : "var(--surface)", stroke: COLOURS[axis], "stroke-width": 1.5 });
    const letter = svg("text", { "text-anchor": "middle", dy: "0.34em", "font-size": 10.5, "font-weight": 650, fill: "#fff" });
    const title = svg("title", {});
    title.textContent = `look along ${sign > 0 ? "−" : "+"}${"xyz"[axis]}`;
    group.append(title);
    if (sign > 0) {
      letter.textContent = "xyz"[axis];
      group.append(line, disc, letter);
    } else group.append(disc);
    group.addEventListener("click", () => {
      const direction = new Vector3().setComponent(axis, sign);
      if (Math.abs(direction.dot(stage.up)) > 0.99) direction.addScaledVector(side(stage), 1e-3).normalize();
      stage.towards(direction);
    });
    return { group, line, disc, letter, axis, sign };
  }));
  box.append(image);
  stage.host.append(box);
  stage.after.add(() => {
    const turn = stage.camera.quaternion.clone().invert();
    const order: [number, SVGGElement][] = [];
    for (const { group, line, disc, letter, axis, sign } of ends) {
      const p = new Vector3().setComponent(axis, sign).applyQuaternion(turn);
      const x = p.x * ARM, y = -p.y * ARM;
      line.setAttribute("x2", x.toFixed(2));
      line.setAttribute("y2", y.toFixed(2));
      disc.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
      letter.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
      group.setAttribute("opacity", (0.55 + 0.45 * (p.z * 0.5 + 0.5)).toFixed(2));
      order.push([p.z, group]);
    }
    order.sort((a, b) => a[0] - b[0]).forEach(([, group]) => image.append(group));
  });
}

/** A direction across the upright one that standard views call the front. */
function side(stage: Stage): Vector3 {
  const right = Math.abs(stage.up.x) > 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
  return new Vector3().crossVectors(right, stage.up);
}

/** A bar of a round length at the scale of what one looks at, and the size of the grid's squares. */
export function mountScale(stage: Stage, grid: Grid, more: () => string[]): void {
  const box = make("div", "scale"), bar = make("span", "bar"), text = make("span"), squares = make("span", "squares");
  box.append(bar, text, squares);
  stage.host.append(box);
  stage.after.add(() => {
    const metres = stage.metresPerPixel();
    const most = 130 * metres;
    const power = 10 ** Math.floor(Math.log10(most));
    const length = [5, 2, 1].map((k) => k * power).find((value) => value <= most) ?? power;
    bar.style.width = `${(length / metres).toFixed(1)}px`;
    text.textContent = measured(length, "m", 2);
    squares.textContent = [...(grid.mesh.visible ? [`grid ${measured(grid.spacing, "m", 2)}`] : []), ...more()].join("  ·  ");
  });
}
