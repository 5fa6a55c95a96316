"""From stress over time to damage: of a body, a gauge, or histories.   FTG 9.1"""

from __future__ import annotations

from numbers import Real
from typing import TypedDict

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.fatigue.cycles import numbers_of
from flexor.fatigue.damage import Damage, damage_by
from flexor.fatigue.doubts import tell_doubts
from flexor.fatigue.mean_stress import McDiarmid, MeanStress, correction_of
from flexor.fatigue.passes import Method, worst_of_all
from flexor.fatigue.planes import CRITICAL_SHEAR
from flexor.fatigue.sn_curve import SNCurve
from flexor.fatigue.source import SHEAR, Between, of_array, of_gauge, of_stress, of_tensors
from flexor.recover import GaugeReading, StressHistory
from flexor.units import Quantity, si


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
    """Damage by stress: of a body (`run.stress("rod")`), of a gauge (`run.gauge(…)`), or of histories over `time`: (T,) or (T, m)
    numbers, (T, m, 6) components xx, yy, zz, xy, yz, zx [Pa].

    measure: signed_max (default), signed_von_mises, a component xx … zx, critical_plane, the plane whose normal stress does most
        damage among those `plane_step` apart, or critical_shear, the plane and direction whose shear stress (twice it) does.
    mean_stress: fx.Goodman("600 MPa"), fx.Gerber, fx.Morrow, fx.FKM.of("600 MPa"), "swt"; of critical_shear fx.McDiarmid("600 MPa");
        "none" corrects nothing, and says so.
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
    kind = measure or "signed_max"
    if correction is not None and isinstance(correction, McDiarmid) != (kind == CRITICAL_SHEAR):
        _refuse_correction(correction, kind)
    tensors = isinstance(what, StressHistory | GaugeReading) or measure is not None
    if tensors and curve.kind == "shear" and kind not in SHEAR:
        what_else = "take measure='xy', 'yz' or 'zx', or a curve of normal stress"
        raise ModelError(Problem(curve.called(curve.name), f"measure = '{kind}'", "it is of shear stress", what_else))
    if isinstance(what, StressHistory):
        source = of_stress(what, kind, between, plane_step)
    elif isinstance(what, GaugeReading):
        source = of_gauge(what, kind, between, plane_step)
    else:
        values, times, name = _table(what, time)
        if values.ndim == 3:
            source = of_tensors(values, times, name, kind, between, plane_step)
        elif measure is None:
            source = of_array(values, times, name, between)
        else:
            fix = "leave it out, or give components (T, m, 6)"
            raise ModelError(Problem("fatigue", f"measure = '{measure}'", "the values are what they are", fix))
    found = damage_by(source, method, worst_of_all(source, method), source.duration)
    tell_doubts(found, given=mean_stress is not None)
    return found


def _refuse_correction(correction: MeanStress, measure: str) -> None:
    """ModelError for a correction that another measure needs."""
    name = type(correction).__name__
    if isinstance(correction, McDiarmid):
        what, why = f"{name} with measure = '{measure}'", "it weighs shear and normal stress of a plane"
        raise ModelError(Problem("fatigue", what, why, f"write measure='{CRITICAL_SHEAR}', or another correction"))
    what, why = (
        f"{name} with measure = '{measure}'",
        "a mean shear stress does not matter, tension across the plane does",
    )
    raise ModelError(Problem("fatigue", what, why, 'write mean_stress=fx.McDiarmid("600 MPa"), or "none"'))


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
    if values.ndim not in (1, 2, 3) or (values.ndim == 3 and values.shape[2] != 6) or 0 in values.shape[1:]:
        fix = "(T,), (T, m), or (T, m, 6) components"
        raise ModelError(Problem("fatigue", f"the histories have the shape {values.shape}", "", fix))
    if times is None:
        why, fix = "life is told in time, too", "time=np.linspace(0, 1, len(values))"
        raise ModelError(Problem("fatigue", "the times of the history are not known", why, fix))
    times = np.asarray(times, dtype=float)
    if times.shape != values.shape[:1] or not np.all(np.diff(times) > 0) or not np.all(np.isfinite(times)):
        several = times.shape != values.shape[:1]
        wrong = f"{len(values)} values at {times.size} times" if several else "the times do not ascend"
        raise ModelError(Problem("fatigue", wrong, "", "give one time per row, ascending"))
    return values, times, name
