"""From stress over time to damage: of a body, a gauge, or histories.   FTG 9.1"""

from __future__ import annotations

from numbers import Real
from typing import TypedDict

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.fatigue.counter import Counter, Overloaded, Spoilt
from flexor.fatigue.cycles import numbers_of, spoilt
from flexor.fatigue.damage import Damage, Method
from flexor.fatigue.mean_stress import MeanStress, correction_of
from flexor.fatigue.sn_curve import SNCurve
from flexor.fatigue.source import Between, Source, of_array, of_gauge, of_stress
from flexor.fatigue.worst import BeyondCurve, MeanStressIgnored
from flexor.recover import GaugeReading, StressHistory
from flexor.units import Quantity, si
from flexor.warning import warn

EVEN = 0.05
"""How much R of the tests and of the largest cycle may differ before it matters that the mean stress is not corrected."""


class DamageOptions(TypedDict, total=False):
    """Options of `run.damage` and of `damage_of`."""

    measure: str
    mean_stress: MeanStress | str | None
    gate: Quantity
    residue: str
    stress_factor: float
    between: Between | None
    plane_step: Quantity


def damage_of(
    what: StressHistory | GaugeReading | np.ndarray,
    curve: SNCurve,
    *,
    time: np.ndarray | None = None,
    measure: str | None = None,
    mean_stress: MeanStress | str | None = None,
    gate: Quantity = 0.0,
    residue: str = "closed",
    stress_factor: float = 1.0,
    between: Between | None = None,
    plane_step: Quantity = "10 deg",
) -> Damage:
    """Damage by stress: of a body (`run.stress("rod")`), of a gauge (`run.gauge(…)`), or of histories (T,) or (T, m) [Pa] over `time`.

    measure: signed_max (default), signed_von_mises, a component xx … zx, or critical_plane, the plane whose normal stress does
        most damage among those `plane_step` apart.
    mean_stress: fx.Goodman("600 MPa"), fx.Gerber, fx.Morrow, fx.FKM.of("600 MPa"), "swt"; "none" corrects nothing, and says so.
    gate: smaller oscillations are passed over.   residue: "closed" (the history repeats itself), "half" (ASTM), "none".
    stress_factor: multiplies the stress, as of a notch that the mesh does not have.   between: times that count.
    """
    if not isinstance(curve, SNCurve):
        why, fix = (
            "it says how many cycles a stress is withstood",
            'e.g. fx.SNCurve.fkm("600 MPa"), fx.SNCurve.dnv("D")',
        )
        raise ModelError(Problem("fatigue", f"{curve!r:.60} is no S-N curve", why, fix))
    correction = correction_of(mean_stress)
    if correction is not None and curve.ratio is None:
        twice = "it holds for any mean stress, which would be counted twice"
        fix = 'mean_stress="none"; or tell R of its tests: curve.replace(ratio=-1)'
        raise ModelError(Problem(curve.called(curve.name), twice, "", fix))
    if not isinstance(stress_factor, Real) or not 0 < stress_factor < np.inf:
        why, fix = "it multiplies the stress", "e.g. 1.5"
        raise ModelError(Problem("fatigue", f"stress_factor = {stress_factor!r}", why, fix))
    method = Method(curve, correction, float(si(gate, "stress")), residue, stress_factor)
    if isinstance(what, StressHistory):
        source = of_stress(what, measure or "signed_max", between, plane_step)
    elif isinstance(what, GaugeReading):
        source = of_gauge(what, measure or "signed_max", between, plane_step)
    else:
        source = of_array(*_table(what, time), between)
        if measure is not None:
            raise ModelError(
                Problem(source.where, f"measure = '{measure}'", "the values are what they are", "leave it out")
            )
    found = _accumulated(source, method)
    _tell_doubts(found, mean_stress)
    return found


def _table(what: object, time: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, str]:
    """Values, times and name of what may be a signal."""
    values = numbers_of(what, "fatigue")
    times = time if time is not None else getattr(what, "time", None)
    name = str(getattr(what, "name", ""))
    unit = getattr(what, "unit", "Pa")
    if unit != "Pa":
        raise ModelError(
            Problem(
                f"signal '{name}'", f"it is in {unit or 'no unit'}", "S-N curves are of stress", "take a stress [Pa]"
            )
        )
    if values.ndim not in (1, 2):
        raise ModelError(Problem("fatigue", f"the histories have the shape {values.shape}", "", "(T,) or (T, m)"))
    if times is None:
        why, fix = "life is told in time, too", "time=np.linspace(0, 1, len(values))"
        raise ModelError(Problem("fatigue", "the times of the history are not known", why, fix))
    times = np.asarray(times, dtype=float)
    if times.shape != values.shape[:1] or np.any(np.diff(times) <= 0):
        several = times.shape != values.shape[:1]
        wrong = f"{len(values)} values at {times.size} times" if several else "the times do not ascend"
        raise ModelError(Problem("fatigue", wrong, "", "give one time per row, ascending"))
    return values, times, name


def _accumulated(source: Source, method: Method) -> Damage:
    counter = method.counter(len(source.times))
    n = source.count
    values, largest, highest, lowest = (np.full(n, np.nan) for _ in range(4))
    planes = None if source.normals is None else np.zeros(n, dtype=int)
    for k in range(source.passes):
        for rows, block in source.blocks(k):
            block = block if method.stress_factor == 1 else method.stress_factor * block
            try:
                found = counter.damage(block)
            except Spoilt as bad:
                raise _refusal(bad, source, method, int(rows[bad.column]), block[:, bad.column]) from None
            more = ~(values[rows] >= found[0])  # of the first plane all
            for into, new in zip((values, largest, highest, lowest), found):
                into[rows[more]] = new[more]
            if planes is not None:
                planes[rows[more]] = k
    return Damage(source, method, values, largest, highest, lowest, source.duration, planes)


def _refusal(bad: Spoilt, source: Source, method: Method, row: int, x: np.ndarray) -> ModelError:
    where = f"{source.name} at {source.label(row)}"
    if not isinstance(bad, Overloaded):
        return spoilt(f"{where}, t = {source.times[bad.row]:.6g} s", bad.row, float(x[bad.row]))
    strength = getattr(method.correction, "strength", np.nan)
    mean = float(Counter(len(x), method.gate, method.residue).cycles(x)[1].max())
    what = f"a mean stress of {mean / 1e6:.4g} MPa reaches the strength of {strength / 1e6:.4g} MPa"
    fix = "check loads, units and the strength; a part that is only overloaded there needs no fatigue analysis"
    return ModelError(Problem(where, what, f"{type(method.correction).__name__}'s formula ends there", fix))


def _tell_doubts(damage: Damage, given: MeanStress | str | None) -> None:
    """Warn where the curve does not reach, and where a mean stress is passed over without a word."""
    curve, top = damage.method.curve, damage.method.curve.highest
    beyond = np.flatnonzero(damage.largest > top)
    if len(beyond):
        worst = beyond[np.argmax(damage.largest[beyond])]
        warn(
            f"{damage.name}: at {len(beyond)} places ranges go beyond the first point of the S-N curve, up to "
            f"{damage.largest[worst] / 1e6:.4g} MPa at {damage.source.label(int(worst))} where it begins at {top / 1e6:.4g} MPa; "
            f"its first line was continued; give points of shorter lives, or slope=…",
            BeyondCurve,
        )
    if given is not None or curve.ratio is None or not np.any(damage.values > 0):
        return
    row = int(np.nanargmax(damage.values))
    high, low = damage.highest[row], damage.lowest[row]
    ratio = low / high if high > 0 else -np.inf
    if ratio > curve.ratio + EVEN:
        warn(
            f"{damage.name}: the mean stress is not corrected; at {damage.source.label(row)} the largest cycle goes from {low / 1e6:.4g} to "
            f"{high / 1e6:.4g} MPa, R = {ratio:.2f}, the tests behind the curve had R = {curve.ratio:g}: life is shorter than told; "
            f'give mean_stress=fx.Goodman("600 MPa"), fx.FKM.of("600 MPa"), "swt", …, or "none" to keep it so',
            MeanStressIgnored,
        )
