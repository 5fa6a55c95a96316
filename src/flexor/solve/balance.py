"""How a run kept its energy and its step, told at its end where it did not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.engine.memory import StepRow, TotalEnergy
from flexor.engine.system import System
from flexor.warning import warn

DRIFT = 0.1
"""Drift of the check-sum, relative to the largest energy exchanged, that is told."""
CUT = 0.25
"""Steps cut back, relative to all, that are told."""
FEW = 10
"""Cut-backs that are not told however short the run is."""
CLOSE = 1e-9
"""Displacement per step, in model sizes, whose kinetic energy is no energy worth telling."""
ROUNDING = 1e-10
"""Energies that could be, or are there all the time, to which the check-sum is exact; a smaller one is not worth telling."""

EXPLICIT = (
    "explicit steps need h below about 2/ω of the highest frequency (solver tree: 2.8/ω), and m/d at a damper; or leave solver out: "
    "the implicit solver has no such limit"
)
"""What holds for all explicit steps."""

CUT_BACKS = StepRow.dtype().names.index("cut_backs")  # type: ignore[union-attr]
"""Their column in the rows of steps."""


class EnergyDrift(UserWarning):
    """A run gained or lost energy that no force accounts for, or went on only by cutting its steps back."""


class Balance:
    """Watches the energies and the steps of a run. explicit: by explicit steps, without Newton's iteration or numerical damping.

    exchanged: the largest of kinetic energy, changes of potential and strain energy, losses, input [J].
    """

    def __init__(self, energies: bool, explicit: bool = False) -> None:
        self.energies = energies
        self.explicit = explicit
        self.low = np.full(TotalEnergy.WORDS, np.inf)
        self.high = np.full(TotalEnergy.WORDS, -np.inf)
        self.begin: float | None = None
        self.steps = self.cuts = 0

    def watch(self, energies: np.ndarray, history: np.ndarray) -> None:
        """Take account of energies, as rows (a TotalEnergy each) in the order of time, and of finished steps, a StepRow each."""
        self.steps += len(history)
        self.cuts += int(history[:, CUT_BACKS].sum())
        if self.energies and len(energies):
            self.low = np.minimum(self.low, energies.min(axis=0))
            self.high = np.maximum(self.high, energies.max(axis=0))
            self.begin = float(TotalEnergy(energies[0]).check_sum) if self.begin is None else self.begin

    @property
    def drift(self) -> float:
        """Largest departure of the check-sum from its first value, with its sign [J]."""
        if self.begin is None:
            return 0.0
        up = float(TotalEnergy(self.high).check_sum) - self.begin
        down = self.begin - float(TotalEnergy(self.low).check_sum)
        return up if up >= down else -down

    @property
    def exchanged(self) -> float:
        if self.begin is None:
            return 0.0
        change, size = TotalEnergy(self.high - self.low), TotalEnergy(self._sizes)
        return float(max(size.kinetic, change.potential, change.strain, size.dissipated, size.input))

    def _finite(self, name: str) -> bool:
        return self.begin is None or bool(np.isfinite(getattr(TotalEnergy(self._sizes), name)))

    @property
    def _sizes(self) -> np.ndarray:
        """The largest magnitudes of each energy."""
        return np.maximum(np.abs(self.low), np.abs(self.high))

    @property
    def held(self) -> float:
        """The largest potential or strain energy, whether it changes or not [J]."""
        size = TotalEnergy(self._sizes)
        return 0.0 if self.begin is None else float(max(size.potential, size.strain))

    def complaint(
        self, least: float, jolts: Sequence[str] = (), joints: bool = True, contacts: bool = False
    ) -> str | None:
        """What is to be told, if anything; energies below `least` [J] count for nothing.

        jolts: what moves parts with jumps of their velocity or acceleration, which no shorter step mends.   joints: whether there are multipliers;   contacts: whether
        there are contacts that shorten steps.
        """
        found, helps = [], []
        drift, exchanged = self.drift, self.exchanged
        least = max(least, ROUNDING * self.held)
        names = [name for name in ("kinetic", "potential", "strain", "dissipated", "input") if not self._finite(name)]
        if names and np.isfinite(least):  # else laws of the user's own, which may tell no energy
            told = " and ".join(f"energy.{name}" for name in names)
            return (
                f"the run has no finite {told}, so that nothing tells whether the motion is right: a force grows beyond all bounds "
                "where its spring is free, as 1/x does. What helps: a force that stays finite, e.g. 1/max(x, 1e-3)"
            )
        if abs(drift) > DRIFT * max(exchanged, least):
            found.append(
                f"{'gained' if drift > 0 else 'lost'} {abs(drift):.3g} J that no force accounts for (energy.check_sum), "
                f"{100 * abs(drift) / max(exchanged, least):.0f} % of the largest energy exchanged, {exchanged:.3g} J"
            )
            helps.append("a smaller rho (more numerical damping)" if drift > 0 else "a rho closer to 1")
        if self.cuts > max(CUT * self.steps, FEW):
            found.append(f"had to cut steps back {self.cuts} times in {self.steps} steps")
        if not found:
            return None
        reason = "its steps are too long" if self.explicit else "its step is too long for Newton's iteration"
        if contacts and not self.explicit:
            reason += ", or forces of contacts leap, as places come and go: corners on corners, rims on edges"
        verdict = "do not trust its results" if helps else reason
        first = f"a smooth motion of {', '.join(jolts)} (see the warning before)" if jolts else "a shorter step"
        if self.explicit:
            helps = [f"{first}, {EXPLICIT}"]
        else:
            of_contacts = ["softer laws of contact and a radius where corners meet"] if contacts else []
            of_joints = ["enforcement: elimination for joints of what turns by much in a step"] if joints else []
            helps = [*of_contacts, first, *of_joints, *helps]
        return f"the run {' and '.join(found)}: {verdict}. What helps: {', '.join(helps)}"

    def tell(self, system: System) -> bool:
        """Warn at the end of a run, and whether it did. Laws of the user's own may tell no energy; then the check-sum means nothing."""
        least = least_energy(system) if self.begin is not None and not has_own_laws(system) else np.inf
        run = system.run
        complaint = self.complaint(
            least, system.jolts, run.n_multipliers > 0, run.n_limits > 0 and run.shortened + run.unresolved > 0
        )
        if complaint:
            warn(complaint, EnergyDrift)
        return complaint is not None


def least_energy(system: System) -> float:
    """Energy of a motion that is nothing but Newton's tolerance [J]: ½ m (10⁻⁹ ℓ/h)², or 10⁻¹⁰ m g ℓ."""
    mass = sum(node.weights[0] for node in system.mechanism.nodes)
    length, step = float(system.run.length_scale), float(system.run.max_step)
    weight = mass * float(np.linalg.norm(system.mechanism.gravity))
    return max(0.5 * mass * (CLOSE * length / step) ** 2, ROUNDING * weight * length)


def has_own_laws(system: System) -> bool:
    """Whether laws of the user's own are at work, whose energy the check-sum may lack."""
    return not all(law.of_flexor for law in system.laws)
