// Energies of the whole mechanism and their check-sum, which is constant if all is exact.

import { measured, written } from "../signal/numbers";
import { largest } from "./axes";
import { Card } from "./card";
import type { Desk } from "./desk";
import { make, within } from "./dom";
import { panel } from "./plots";
import { onGrowth, onTheme } from "./growth";

const OWNER = "energy";
const CHECK = "energy.check_sum";
/** Share of the largest energy from which a drift of the check-sum is much, as in the summary of a run. */
const MUCH = 0.05;

export function hasEnergies(desk: Desk): boolean {
  return desk.app.header.signals.some((signal) => signal.owner === OWNER);
}

export function mountEnergy(el: HTMLElement, desk: Desk): void {
  const names = desk.app.header.signals.filter((signal) => signal.owner === OWNER).map((signal) => signal.name);
  const parts = names.filter((name) => name !== CHECK);
  const told = make("p", "p-told");
  const cards = [parts, names.filter((name) => name === CHECK)].filter((each) => each.length > 0).map((each) => new Card(desk, panel("time", each), true));
  within(el, told, within(make("div", "p-cards"), ...cards.map((card) => card.element)));
  void tell();

  async function tell(): Promise<void> {
    const size = largest((await Promise.all(parts.map((name) => desk.library.get(name)))).map((series) => series.values));
    if (!names.includes(CHECK)) return;
    const { values } = await desk.library.get(CHECK);
    const drift = largest([values.map((value) => value - values[0])]);
    const share = size > 0 ? drift / size : 0;
    told.textContent = `The check-sum drifts by ${measured(drift, "J", 3)}, ${written(100 * share, 2)} % of the largest energy (${measured(size, "J", 3)}).`;
    if (share > MUCH) told.textContent += " That is much: take a shorter step, or steps that adapt.";
    told.classList.toggle("p-warned", share > MUCH);
  }
  desk.app.clock.watch(["time", "row"], ({ time, row }) => cards.forEach((card) => card.clock(time, row)));
  onTheme(desk.app.settings, () => cards.forEach((card) => card.draw()));
  onGrowth(desk, () => {
    cards.forEach((card) => void card.load());
    void tell();
  });
}
