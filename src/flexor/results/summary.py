"""A run in a few lines: how it went, and where the largest values are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from flexor.bodies import DeformableBody
from flexor.engine.memory import TotalEnergy
from flexor.errors import FlexorError

if TYPE_CHECKING:
    from flexor.model import Model
    from flexor.results.position import Position
    from flexor.results.run import Run

_SKIPPED = ("energy.",)
QUICK = 20_000
"""Nodes of a mesh up to which the largest stress is told unasked."""
DRIFT = 0.05
"""Share of the largest energy from which a drift of the check-sum is commented."""
ROUNDING = 1e-10
"""Part of the energies that a mechanism holds to which they are exact."""
HINT = (
    "  that is much: do not trust the motion. Take a shorter step, or error=… for steps that adapt; with bodies stiff for\n"
    "  the step also integrator=GeneralizedAlpha(rho) with rho = 0.5 … 0.8, which damps what the step cannot follow"
)


def summary(run: Run) -> str:
    """How the run went, the drift of the energy check-sum, and the largest absolute value for each unit."""
    lines = [repr(run)]
    if run.message:
        lines.append(f"  {run.message}")
    if len(run) == 0:
        return "\n".join(lines)
    time, history = run.time, run.history
    steps = len(history["time"])
    told = f"  time {time[0]:.6g} … {time[-1]:.6g} s"
    if steps:
        sizes = history["step_size"]
        told += f", {steps} steps of {sizes.min():.3g} … {sizes.max():.3g} s"
        told += f", {history['iterations'].mean():.2f} iterations a step"
        told += f", {int(history['cut_backs'].sum())} cut-backs"
        changes = int(history["transitions"].sum())
        told += f", {changes} transition{'s' if changes > 1 else ''}" if changes else ""
        told += f", in {run.seconds:.3g} s"
    lines.append(told)
    about = run.meta.get("accuracy", {})
    if "reached" in about:
        steps_of = f"steps of {about['steps'][0]:.3g} … {about['steps'][-1]:.3g} s"
        lines.append(f"  errors up to {about['reached']:.2g} of the largest values, estimated by runs with {steps_of}")
    drift = energy_drift(run)
    if drift is not None:
        lines.append(f"  energy check-sum drifts by {drift[0]:.3g} J, {drift[1]:.2g} of the largest energy")
        lines += [HINT] if drift[1] >= DRIFT else []
    largest = [peak for peak in peaks(run) if peak[1] != 0.0]
    lines += ["  largest values"] if largest else ["  all values are zero"]
    width = max((len(name) for name, *_ in largest), default=0)
    for name, value, unit, when in largest:
        lines.append(f"    {name:<{width}}  {value:>10.4g} {unit:<7} at {when:.4g} s")
    return "\n".join([*lines, *_stresses_of(run)])


def _stresses_of(run: Run) -> list[str]:
    try:
        return stresses(run.model, run)
    except FlexorError:  # a model that cannot be read again, as one with a law of the user's
        return []


def stresses(model: Model, results: Run | Position) -> list[str]:
    """A line with the largest stress for each flexible body, unless its mesh is so large that it would take long."""
    lines = []
    for item in getattr(model, "items", ()):
        if isinstance(item, DeformableBody) and item.flexible:
            try:
                if item.made.mesh is not None and len(item.made.nodes) <= QUICK:
                    lines.append(f"  largest von Mises stress in {item.name}: {results.stress(item.name).max()}")
            except FlexorError:
                continue  # not recorded, or no element that has stress
    return lines


class EnergyBalance:
    """The energies of a run as its rows come, and how far their check-sum has departed from its first value."""

    CHECK = "energy.check_sum"
    SIGNALS = tuple(f"energy.{field.name}" for field in TotalEnergy.FIELDS)

    def __init__(self) -> None:
        self._first: float | None = None
        self._departure = 0.0
        self._bounds: dict[str, tuple[float, float]] = {}

    def add(self, energies: Mapping[str, np.ndarray]) -> None:
        """Values of some more rows, by signal [J]."""
        for name, values in energies.items():
            if not len(values):
                continue
            if name == self.CHECK:
                self._first = float(values[0]) if self._first is None else self._first
                self._departure = max(self._departure, float(np.abs(values - self._first).max()))
                continue
            low, high = self._bounds.get(name, (np.inf, -np.inf))
            self._bounds[name] = min(low, float(values.min())), max(high, float(values.max()))

    @property
    def drift(self) -> tuple[float, float] | None:
        """Largest departure of the check-sum from its first value: in J, and against the largest energy exchanged.

        Of a mechanism at rest nothing is exchanged but rounding of the energies that it holds. None without a check-sum.
        """
        if self._first is None:
            return None
        scale = max((high - low for low, high in self._bounds.values()), default=0.0)
        held = max((max(abs(low), abs(high)) for low, high in self._bounds.values()), default=0.0)
        scale = max(scale, ROUNDING * held)
        return self._departure, self._departure / scale if scale > 0 else 0.0


def energy_drift(run: Run) -> tuple[float, float] | None:
    """The drift of the check-sum of a run's energies (`EnergyBalance.drift`)."""
    balance = EnergyBalance()
    balance.add({f"energy.{name}": signal.values for name, signal in run.energies().items()})
    return balance.drift


def peaks(run: Run) -> list[tuple[str, float, str, float]]:
    """(name, value, unit, time) of the largest absolute value for each unit, energies left out."""
    best: dict[str, tuple[str, float, float]] = {}
    units = [run.units[name] for name in run.names]
    for block in run.blocks("signals"):
        sizes = np.abs(block[:, 1:])
        where = np.nanargmax(np.where(np.isnan(sizes), -1.0, sizes), axis=0)
        for column, row in enumerate(where):
            name, unit = run.names[column], units[column]
            if not unit or name.startswith(_SKIPPED):
                continue
            value = float(block[row, column + 1])
            if unit not in best or abs(value) > abs(best[unit][1]):
                best[unit] = (name, value, float(block[row, 0]))
    return [(name, value, unit, when) for unit, (name, value, when) in best.items()]
