// All plots below each other, with one time for all of them.

import { written } from "../signal/numbers";
import { acceptSignals, Card } from "./card";
import type { Desk } from "./desk";
import { make, onKey, tool, within } from "./dom";
import { onGrowth, onTheme } from "./growth";
import { added, into, panel as newPanel } from "./plots";

export function mountPlots(el: HTMLElement, desk: Desk): void {
  const { app, plots } = desk;
  const stack = make("div", "p-cards");
  const state = make("span", "p-note p-range");
  const fit = tool("fit", "Show all of the time (double click)", () => plots.set({ range: [] }));
  const pin = tool("pin", "Second cursor at the clock: differences to it (k)", turnPin);
  const clear = tool("close", "Close all plots", () => plots.set({ panels: [], active: 0 }));
  const hint = within(
    make("div", "p-empty"),
    make("p", "", app.header.signals.length > 0 ? "Click a signal to plot it, or drag it here." : "This file holds no signals."),
    make("p", "p-note", "In a plot: drag moves the clock · wheel zooms · shift-drag zooms into a box · alt-drag pans · double click shows all"),
  );
  const place = make("div", "p-new", "Drop a signal here for a plot of its own");
  within(el, within(make("div", "p-bar p-plot-bar"), state, pin, fit, clear), stack);
  let cards: Card[] = [];

  function turnPin(): void {
    plots.set({ pin: plots.value.pin.length > 0 ? [] : [app.clock.value.time] });
  }

  function sync(): void {
    const { panels } = plots.value;
    const before = cards;
    cards = panels.map((panel) => before.find((card) => card.panel === panel) ?? new Card(desk, panel));
    for (const card of before) if (!cards.includes(card)) card.destroy();
    stack.replaceChildren(...cards.map((card) => card.element), panels.length > 0 ? place : hint);
    activate();
  }

  function activate(): void {
    cards.forEach((card, i) => card.element.classList.toggle("p-active", cards.length > 1 && i === plots.value.active));
  }

  function tellState(): void {
    const { range, pin: held, panels } = plots.value;
    const { time } = app.clock.value;
    const parts = [`t = ${written(time, 6)} s`];
    if (held.length > 0) parts.push(`Δt = ${written(time - held[0], 5)} s`, `1/Δt = ${written(1 / Math.abs(time - held[0]), 4)} Hz`);
    state.textContent = parts.join("   ");
    fit.hidden = range.length === 0;
    clear.hidden = panels.length === 0;
    pin.classList.toggle("on", held.length > 0);
  }

  acceptSignals(stack, (names) => {
    const { value } = plots;
    plots.set(value.panels.length === 0 ? added(value, newPanel("time", names)) : into(value, Math.min(value.active, value.panels.length - 1), names));
  });
  acceptSignals(place, (names) => plots.set(added(plots.value, newPanel("time", names))));
  let waiting = 0;
  plots.watch(["panels", "active", "range", "pin"], (value, before) => {
    if (value === before || value.panels !== before.panels) sync();
    else if (value.active !== before.active) activate();
    if (value.range !== before.range) {
      clearTimeout(waiting);
      waiting = window.setTimeout(() => cards.forEach((card) => card.rangeChanged()), 150);
    }
    if (value.pin !== before.pin) showClock();
    tellState();
  });

  function showClock(): void {
    const { time, row } = app.clock.value;
    for (const card of cards) card.clock(time, row);
    tellState();
  }
  app.clock.watch(["time", "row"], showClock);
  onTheme(app.settings, () => cards.forEach((card) => card.draw()));
  app.settings.subscribe((now, before) => now.ghost !== before.ghost && cards.forEach((card) => void card.load()));
  onGrowth(desk, () => cards.forEach((card) => void card.load()));
  onKey("k", turnPin);
}
