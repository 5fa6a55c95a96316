// The model tree, linked with the selection both ways; bodies and items can be hidden or shown alone.

import { type App, nothing } from "../state";
import { make, searchField, tool, within, wordButton } from "./dom";
import { LazyList } from "./lazy_list";
import { groups, isolated, treeRows, turnedHidden, type TreeRow } from "./tree_rows";

export function mountModelTree(el: HTMLElement, app: App): void {
  const all = groups(app.header);
  const turned = new Set<string>();
  let text = "";
  let rows: TreeRow[] = [];
  let active = -1;
  const list = new LazyList((i) => line(rows[i], i));
  list.element.setAttribute("role", "tree");
  list.element.setAttribute("aria-label", "Model");
  const field = searchField("Search the model", (now) => {
    text = now;
    draw();
  });
  const showAll = wordButton("Show all", "Show everything that is hidden", () => app.hidden.set({ bodies: [], items: [] }));
  const empty = make("p", "p-hint", "Nothing in the model has this name.");
  within(el, within(make("div", "p-bar"), field, showAll), list.element, empty);

  function draw(): void {
    rows = treeRows(app.header, all, turned, text);
    active = rows.findIndex(isSelected);
    empty.hidden = rows.length > 0;
    list.show(rows.length);
  }

  function isSelected(row: TreeRow): boolean {
    const { kind, index } = app.selection.value;
    return row.index === index && (row.kind === "item" ? kind === "item" : row.kind === "body" && (kind === "body" || kind === "node"));
  }

  function line(row: TreeRow, at: number): HTMLElement {
    const element = make("div", `p-row p-tree-${row.kind}`);
    element.style.setProperty("--depth", String(row.depth));
    element.setAttribute("role", "treeitem");
    element.setAttribute("aria-level", String(row.depth + 1));
    element.setAttribute("aria-selected", String(isSelected(row)));
    if (row.open !== null) element.setAttribute("aria-expanded", String(row.open));
    element.classList.toggle("p-active", at === active);
    const twist = make("span", "p-twist");
    if (row.open !== null) {
      twist.classList.add(row.open ? "p-open" : "p-shut");
      twist.addEventListener("click", (event) => {
        event.stopPropagation();
        turn(row);
      });
    }
    const label = make("span", "p-label", row.label.slice(0, 300));
    label.title = `${row.label.slice(0, 1000)}\n${row.note}`;
    element.append(twist);
    if (row.kind === "body") {
      const dot = make("span", "p-dot");
      dot.style.background = app.header.bodies[row.index].color;
      element.append(dot);
    }
    element.append(label, make("span", "p-note", row.note));
    if (row.kind !== "marker") element.append(buttons(row, element));
    element.addEventListener("click", () => choose(at));
    element.addEventListener("dblclick", () => row.open !== null && turn(row));
    return element;
  }

  function buttons(row: TreeRow, element: HTMLElement): HTMLElement {
    const part = make("span", "p-row-tools");
    const [kind, members] = membersOf(row);
    const away = new Set(kind === "body" ? app.hidden.value.bodies : app.hidden.value.items);
    const hidden = members.every((index) => away.has(index));
    element.classList.toggle("p-away", hidden);
    if (row.kind !== "group") part.append(tool("isolate", "Show this alone (i)", () => isolate(row)));
    const eye = tool(hidden ? "hidden" : "eye", hidden ? "Show (h)" : "Hide (h)", () => hide(row));
    if (hidden) eye.classList.add("p-stays");
    return within(part, eye);
  }

  function membersOf(row: TreeRow): ["body" | "item", readonly number[]] {
    if (row.kind === "group") return [row.key === "bodies" ? "body" : "item", row.members];
    return [row.kind === "item" ? "item" : "body", [row.index]];
  }

  const hide = (row: TreeRow): void => app.hidden.set(turnedHidden(app.hidden.value, ...membersOf(row)));
  const isolate = (row: TreeRow): void => {
    if (row.kind === "body" || row.kind === "item") app.hidden.set(isolated(app.header, row.kind, row.index));
  };

  function turn(row: TreeRow): void {
    if (!turned.delete(row.key)) turned.add(row.key);
    draw();
  }

  function choose(at: number): void {
    const row = rows[at];
    if (row.kind === "group") turn(row);
    else app.selection.set({ kind: row.kind === "item" ? "item" : "body", index: row.index, node: -1 });
    active = at;
    list.reveal(at);
  }

  list.element.addEventListener("keydown", (event) => {
    const row = rows[active] as TreeRow | undefined;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step) {
      active = Math.min(rows.length - 1, Math.max(0, active + step));
      const next = rows[active];
      if (next?.kind === "body" || next?.kind === "item") app.selection.set({ kind: next.kind, index: next.index, node: -1 });
      list.reveal(active);
    } else if (row && event.key === "ArrowRight" && row.open === false) turn(row);
    else if (row && event.key === "ArrowLeft" && row.open === true) turn(row);
    else if (row && (event.key === "Enter" || event.key === " ")) choose(active);
    else if (row && event.key === "h") hide(row);
    else if (row && event.key === "i") isolate(row);
    else if (event.key === "Escape") app.selection.set(nothing);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  app.selection.subscribe(() => {
    const { kind, index } = app.selection.value;
    if (kind === "none") return draw();
    const own = kind === "item" ? `group ${app.header.items[index]?.group}` : "bodies";
    turned.delete(own);
    draw();
    if (active >= 0) list.reveal(active);
  });
  app.hidden.watch(["bodies", "items"], ({ bodies, items }) => {
    showAll.hidden = bodies.length + items.length === 0;
    draw();
  });
}
