// The model as the lines of a tree: groups, their bodies or items, markers below bodies. Pure.

import type { Header } from "../protocol";
import type { Hidden } from "../state";
import { indexed, search } from "../signal/search";

export interface TreeRow {
  kind: "group" | "body" | "item" | "marker";
  /** What is open or shut, and found again, by. */
  key: string;
  depth: number;
  label: string;
  /** The type, or a count. */
  note: string;
  /** Of the body or item; of the marker's body. */
  index: number;
  /** Whether the lines below it are shown; null where there are none. */
  open: boolean | null;
  /** Group: what it holds. */
  members: readonly number[];
}

interface Entry {
  name: string;
  type: string;
  index: number;
}

export interface Group {
  key: string;
  kind: "body" | "item";
  label: string;
  entries: readonly Entry[];
}

export function groups(header: Header): Group[] {
  const bodies = header.bodies.map((body, index) => ({ name: body.name, type: body.kind, index }));
  const found: Group[] = [{ key: "bodies", kind: "body", label: "Bodies", entries: bodies }];
  const byName = new Map<string, Entry[]>();
  header.items.forEach((item, index) => {
    const entries = byName.get(item.group) ?? [];
    byName.set(item.group, entries);
    entries.push({ name: item.name, type: item.type, index });
  });
  for (const [name, entries] of byName) {
    const label = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
    found.push({ key: `group ${name}`, kind: "item", label, entries });
  }
  return found.filter((group) => group.entries.length > 0);
}

/** The lines to show. turned: keys of groups that were shut, and of bodies that were opened. */
export function treeRows(header: Header, all: readonly Group[], turned: ReadonlySet<string>, text: string): TreeRow[] {
  const rows: TreeRow[] = [];
  for (const group of all) {
    const entries = text.trim() ? matching(group, text) : group.entries;
    if (entries.length === 0) continue;
    const open = text.trim() !== "" || !turned.has(group.key);
    const members = entries.map((entry) => entry.index);
    rows.push({ kind: "group", key: group.key, depth: 0, label: group.label, note: String(entries.length), index: -1, open, members });
    if (!open) continue;
    for (const entry of entries) {
      const key = `${group.kind} ${entry.index}`;
      const markers = group.kind === "body" ? header.bodies[entry.index].markers : [];
      const opened = turned.has(key);
      rows.push({
        kind: group.kind, key, depth: 1, label: entry.name, note: entry.type, index: entry.index,
        open: markers.length > 0 ? opened : null, members: [],
      });
      if (!opened) continue;
      for (const [i, marker] of markers.entries()) {
        const note = marker.position.map((value) => String(Number(value.toPrecision(4)))).join(", ") + " m";
        rows.push({ kind: "marker", key: `${key} ${i}`, depth: 2, label: marker.name, note, index: entry.index, open: null, members: [] });
      }
    }
  }
  return rows;
}

function matching(group: Group, text: string): Entry[] {
  const index = indexed(group.entries.map((entry) => `${entry.name} ${entry.type}`));
  return search(index, text)
    .sort((a, b) => a - b)
    .map((i) => group.entries[i]);
}

/** Hidden with these bodies or items turned: shown if all of them are hidden, else hidden. */
export function turnedHidden(hidden: Hidden, kind: "body" | "item", members: readonly number[]): Partial<Hidden> {
  const field = kind === "body" ? "bodies" : "items";
  const before = new Set(hidden[field]);
  const show = members.every((index) => before.has(index));
  for (const index of members) show ? before.delete(index) : before.add(index);
  return { [field]: [...before].sort((a, b) => a - b) };
}

/** All hidden but a body and what is attached to it, or an item and the bodies it joins. */
export function isolated(header: Header, kind: "body" | "item", index: number): Hidden {
  const items = header.items.map((item) => item.ends.map((end) => end.body));
  const shownItem = (i: number): boolean => (kind === "item" ? i === index : items[i].includes(index));
  const shownBody = (i: number): boolean => (kind === "body" ? i === index : items[index].includes(i));
  return {
    bodies: header.bodies.map((_, i) => i).filter((i) => !shownBody(i)),
    items: items.map((_, i) => i).filter((i) => !shownItem(i)),
  };
}
