// The tool bar: field and deformation, display, view, measuring, cutting, export, theme.

import "./toolbar.css";
import { make } from "../layout";
import { BEAM_STRESS } from "../scene/beam";
import type { View } from "../scene/view";
import { measuresOf } from "../scene/measures";
import type { StandardView } from "../scene/stage";
import { cyclic, type App, type Settings } from "../state";
import { toggleHelp, trace } from "./actions";
import { saveLink, savePicture, saveVideo } from "./export";
import { icon } from "./icons";
import { action, choice, flag, menu, number, row, setOptions } from "./menu";
import { switchTheme } from "./theme";

export const VIEWS: [StandardView, string][] = [
  ["iso", "1"], ["front", "2"], ["back", "3"], ["left", "4"], ["right", "5"], ["top", "6"], ["bottom", "7"],
];

export function mountToolbar(host: HTMLElement, app: App, view: View): void {
  const { header } = app;
  const fit = make("button", "icon");
  fit.append(icon("fit"));
  fit.title = "Fit (F)";
  fit.setAttribute("aria-label", "Fit");
  fit.addEventListener("click", () => view.fit());
  const theme = make("button", "icon");
  theme.append(icon("theme"));
  theme.title = "Dark or light (D)";
  theme.setAttribute("aria-label", "Dark or light");
  theme.addEventListener("click", () => switchTheme(app));
  host.append(...fieldChoice(app), scaleBox(app, view), fit, viewMenu(app, view), displayMenu(app), measureMenu(view), clipMenu(app));
  if ((header.runs?.length ?? 0) > 1) host.append(compareChoice(app));
  host.append(exportMenu(app, view), theme);
}

/** Which field, which measure of it, and its range. */
function fieldChoice(app: App): HTMLElement[] {
  const { settings, header } = app;
  const own = header.bodies.flatMap((body) => [...(body.mesh?.fields ?? []), ...((body.beam?.stress ?? -1) >= 0 ? [BEAM_STRESS] : [])]);
  const fields = new Map(own.map((field) => [field.name, field]));
  const deforms = header.bodies.some((body) => (body.mesh?.modes ?? 0) > 0 || body.beam?.rest);
  if (!deforms && !fields.size) return [];
  const names: [string, string][] = [["", "plain colours"]];
  if (deforms) names.push(["deformation", "deformation"]);
  for (const name of fields.keys()) names.push([name, name]);
  const field = choice("Field", names, settings.value.field, (value) => {
    const measures = measuresOf(fields.get(value) ?? null);
    settings.set({ field: value, component: measures[0].name, range: settings.value.range === "manual" ? "all" : settings.value.range });
  });
  field.name = "field";
  const component = choice("Component", [], "", (value) => settings.set({ component: value }));
  component.name = "component";
  const options = menu("Range", (box) => rangeMenu(box, app));
  settings.watch(["field", "component"], (now) => {
    field.value = now.field;
    const measures = measuresOf(fields.get(now.field) ?? null);
    setOptions(component, measures.map(({ name, label }) => [name, label]), now.component);
    component.hidden = options.hidden = now.field === "";
  });
  return [field, component, options];
}

function rangeMenu(box: HTMLElement, { settings }: App): void {
  const ranges: [string, string][] = [["all", "over all frames"], ["frame", "of each frame"], ["manual", "from … to …"]];
  const range = choice("Range", ranges, settings.value.range, (value) => settings.set({ range: value as Settings["range"] }));
  const limits = row("limits", number(settings, "low", "lower limit"), number(settings, "high", "upper limit"));
  settings.watch(["range"], (now) => {
    range.value = now.range;
    limits.hidden = now.range !== "manual";
  });
  box.append(row("range", range), limits, flag(settings, "bands", "bands", "B"), flag(settings, "extremes", "labels at min and max"));
}

function scaleBox({ settings, header }: App, view: View): HTMLElement {
  const holder = make("div", "scale-box");
  const deforms = cyclic(header) || header.bodies.some((body) => (body.mesh?.modes ?? 0) > 0 || body.beam?.rest);
  holder.append(make("span", "muted", "deformation ×"), number(settings, "deformation", "Deformation is drawn larger by this factor"));
  const auto = make("button", "", "auto");
  auto.title = "A factor that makes the deformation of this frame easy to see; again: true";
  auto.addEventListener("click", () => settings.set({ deformation: settings.value.deformation === 1 ? view.contours.goodScale() : 1 }));
  if (!cyclic(header)) holder.append(auto);
  holder.hidden = !deforms;
  return holder;
}

function viewMenu(app: App, view: View): HTMLElement {
  const { settings } = app;
  return menu("View", (box) => {
    for (const [name, key] of VIEWS) box.append(action(name, key, () => view.stage.look(name)));
    box.append(flag(settings, "orthographic", "orthographic", "O"), action("way of the chosen point", "T", () => trace(app)),
      action("list of keys", "?", () => toggleHelp(view.stage.host)));
  });
}

function displayMenu({ settings, header }: App): HTMLElement {
  return menu("Display", (box) => {
    box.append(
      flag(settings, "edges", "lines of elements", "E"), flag(settings, "shadow", "undeformed shape", "U"),
      flag(settings, "glyphs", "joints and forces", "J"), flag(settings, "arrows", "arrows of forces", "A"),
      flag(settings, "labels", "values at arrows", "L"), flag(settings, "markers", "markers", "M"),
      flag(settings, "grid", "grid", "G"), row("arrows ×", number(settings, "arrowScale", "Length of arrows")),
      row("joints ×", number(settings, "glyphSize", "Size of joints, springs and the like")),
    );
    const notes = [...(header.notes ?? [])];
    for (const note of notes) box.append(make("p", "menu-note", note));
  });
}

function measureMenu(view: View): HTMLElement {
  const start = (mode: "" | "distance" | "angle"): void => {
    view.measure.start(mode);
    view.stage.host.classList.toggle("measuring", mode !== "");
    view.stage.draw();
  };
  return menu("Measure", (box) => {
    box.append(action("distance of two points", "", () => start("distance")), action("angle of three points", "", () => start("angle")),
      action("end", "Esc", () => start("")));
  });
}

function clipMenu({ settings }: App): HTMLElement {
  return menu("Cut", (box) => {
    const axes: [string, string][] = [["", "whole"], ["x", "plane across x"], ["y", "plane across y"], ["z", "plane across z"]];
    const axis = choice("Cutting plane", axes, settings.value.clip, (value) => settings.set({ clip: value }));
    const slider = make("input");
    slider.type = "range";
    slider.min = "0";
    slider.max = "1";
    slider.step = "any";
    slider.setAttribute("aria-label", "Where the plane stands");
    slider.addEventListener("input", () => settings.set({ clipAt: Number(slider.value) }));
    settings.watch(["clip", "clipAt"], (now) => {
      axis.value = now.clip;
      slider.value = String(now.clipAt);
    });
    box.append(row("cut", axis), row("at", slider), flag(settings, "clipFlip", "other side"));
  });
}

function compareChoice({ settings, header }: App): HTMLElement {
  const runs: [string, string][] = (header.runs ?? []).map((name, i) => [String(i), name]);
  const box = choice("Run that is drawn over the first", [["-1", "first run alone"], ...runs.slice(1)], String(settings.value.ghost),
    (value) => settings.set({ ghost: Number(value) }));
  box.className = "compare";
  return box;
}

function exportMenu(app: App, view: View): HTMLElement {
  return menu("Save", (box) => {
    box.append(action("picture (PNG)", "P", () => void savePicture(app, view)),
      action("video (WebM)", "", () => void saveVideo(app, view)), action("link to this view", "", () => void saveLink(app)));
  });
}
