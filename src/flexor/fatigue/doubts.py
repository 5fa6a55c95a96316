"""What is doubtful about a damage, told by warnings: curves that end, mean stress that is passed over, stress that turns."""

from __future__ import annotations

import numpy as np

from flexor.fatigue.catalogue import FAINTEST
from flexor.fatigue.damage import Damage
from flexor.fatigue.planes import CRITICAL_SHEAR, directions, normal_stress
from flexor.fatigue.source import SIGNED
from flexor.warning import warn

EVEN = 0.05
"""How much R of the tests and of the largest cycle may differ before it matters that the mean stress is not corrected."""
STRONG = 0.5
"""Places with a smaller share of the largest range are not looked at."""
LOOKS = 24
"""Places at which the planes are tried, those with the largest stress."""
WORK = 3e7
"""Values that may be counted for that."""
STEP = np.radians(15)
TOO_FEW = 1.5
"""How many times the damage of a plane may exceed that of a signed measure without a word."""
COARSE = 0.1
"""Share of the damage that rows may miss without a word."""
MANY = 1000
JUMP = 3.0
"""How many times the change of the stress tensor a signed measure may change between two rows."""


class BeyondCurve(UserWarning):
    """Stress ranges lie beyond the points of an S-N curve."""


class BeyondStrength(UserWarning):
    """Stress exceeds the strength that a mean-stress correction was given."""


class CoarseRows(UserWarning):
    """Rows of a run lie so far apart that they miss the peaks of stress."""


class FaintStress(UserWarning):
    """A history is so small that it may be in MPa, and was read in Pa."""


class MeanStressIgnored(UserWarning):
    """Cycles have another mean stress than the tests behind the S-N curve, and nobody said that this does not matter."""


class OtherStress(UserWarning):
    """Shear stress is judged by a curve of normal stress."""


class StressTurns(UserWarning):
    """The directions of stress change, and a signed measure tells too much or too little."""


def tell_doubts(damage: Damage, *, given: bool) -> None:
    """Warn where the answer is doubtful; given: whether the user said what is to become of the mean stress."""
    _faint(damage)
    _other_stress(damage)
    _coarse(damage)
    _beyond_curve(damage)
    _beyond_strength(damage)
    if not given:
        _mean_stress(damage)
    if damage.source.measure in SIGNED and damage.source.tensor is not None:
        _turning(damage)


def _faint(damage: Damage) -> None:
    """Numbers of the user, read in Pa."""
    largest = float(np.nanmax(np.maximum(np.abs(damage.highest), np.abs(damage.lowest))))
    if damage.source.stress is None and damage.source.normals is None and 0 < largest < FAINTEST:
        warn(
            f"{damage.name}: the largest stress is {largest:.4g} Pa, which does no damage to anything; if it is in MPa, "
            f"give 1e6 times the values",
            FaintStress,
        )


def _other_stress(damage: Damage) -> None:
    if damage.source.shear and damage.method.curve.kind == "normal":
        name = damage.method.curve.name or "the S-N curve"
        warn(
            f"{damage.name}: {damage.source.measure} is shear stress, {name} is of normal stress; steel withstands 0.58 of it as shear; "
            f'give a curve of shear: SNCurve.fkm(…, stress="shear"), SNCurve.eurocode3(…, "shear"), SNCurve(…, kind="shear")',
            OtherStress,
        )


def _coarse(damage: Damage) -> None:
    """Peaks between the rows of a run, from parabolas through the peaks of cycles at the worst place and the rows beside."""
    if damage.source.stress is None:
        return
    worst = damage.max()
    cycles, x = damage.cycles_in(worst.row), damage.history(worst.row)
    missed = _above(x)[cycles.begin] + _above(x)[cycles.end]
    told = damage.again(worst.row, cycles.ranges, cycles)
    more = damage.again(worst.row, cycles.ranges + missed, cycles)
    if more > (1 + COARSE) * told:
        much = f"{100 * (more / told - 1):.2g} % of damage" if told > 0 else f"C = {more:.2g}"
        warn(
            f"{damage.name}: rows lie too far apart; at {worst.label} they miss peaks by up to {missed.max() / 1e6:.2g} MPa of a range, "
            f"about {much}; run with a smaller step",
            CoarseRows,
        )


def _above(x: np.ndarray) -> np.ndarray:
    """(T,) how far a parabola through each row and its neighbours goes beyond it, where it is a peak; the ends are as they are."""
    found = np.zeros(len(x))
    rise, bend = x[2:] - x[:-2], x[:-2] - 2 * x[1:-1] + x[2:]
    peak = (x[1:-1] - x[:-2]) * (x[1:-1] - x[2:]) > 0
    found[1:-1][peak] = rise[peak] ** 2 / (8 * np.abs(bend[peak]))
    return found


def _beyond_curve(damage: Damage) -> None:
    top = damage.method.curve.highest
    beyond = np.flatnonzero(damage.largest > top)
    if not len(beyond):
        return
    worst = beyond[np.argmax(damage.largest[beyond])]
    warn(
        f"{damage.name}: at {len(beyond)} places ranges go beyond the first point of the S-N curve, up to "
        f"{damage.largest[worst] / 1e6:.4g} MPa at {damage.source.label(int(worst))} where it begins at {top / 1e6:.4g} MPa; "
        f"its first line was continued; give points of shorter lives, or slope=…",
        BeyondCurve,
    )


def _beyond_strength(damage: Damage) -> None:
    """A part that breaks at once has no life."""
    strength = getattr(damage.method.correction, "strength", np.inf)
    if damage.source.shear or damage.source.measure == CRITICAL_SHEAR:
        return
    most = np.maximum(damage.highest, -damage.lowest)
    beyond = np.flatnonzero(most > strength)
    if not len(beyond):
        return
    worst = beyond[np.argmax(most[beyond])]
    warn(
        f"{damage.name}: at {len(beyond)} places stress exceeds the strength {strength / 1e6:.4g} MPa of the mean-stress correction, "
        f"most at {damage.source.label(int(worst))}, {most[worst] / 1e6:.4g} MPa: it breaks or yields before it tires; "
        f"check loads, units, and whether the mesh has a sharp corner there",
        BeyondStrength,
    )


def _mean_stress(damage: Damage) -> None:
    """Where cycles matter whose mean is larger than that of the tests, by more than a trifle, and nothing was said about it."""
    curve, source = damage.method.curve, damage.source
    if curve.ratio is None or not np.nanmax(damage.largest) > 0:
        return
    if source.measure == CRITICAL_SHEAR:
        _normal_stress(damage, curve.ratio)
        return
    mean, amplitude = 0.5 * (damage.highest + damage.lowest), 0.5 * (damage.highest - damage.lowest)
    mean = np.abs(mean) if source.shear else mean
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(mean + amplitude > 0, (mean - amplitude) / (mean + amplitude), -np.inf)
    high = (ratio > curve.ratio + EVEN) & (damage.largest >= STRONG * np.nanmax(damage.largest))
    if not high.any():
        return
    harmful = bool(np.nanmax(damage.values) > 0)
    row = int(np.argmax(np.where(high, damage.values if harmful else damage.largest, -1.0)))
    low, top = damage.lowest[row] / 1e6, damage.highest[row] / 1e6
    so = "life is shorter than told" if harmful else "that there is no damage may be wrong"
    warn(
        f"{damage.name}: the mean stress is not corrected; at {source.label(row)} the largest cycle goes from {low:.4g} to "
        f"{top:.4g} MPa, R = {ratio[row]:.2f}, the tests behind the curve had R = {curve.ratio:g}: {so}; "
        f'give mean_stress=fx.Goodman("600 MPa"), fx.FKM.of("600 MPa"), "swt", …, or "none" to keep it so',
        MeanStressIgnored,
    )


def _normal_stress(damage: Damage, ratio: float) -> None:
    """Tension across the plane, which a rod in the tests had, too: ½ (1 + c) a with c = (1 + R)/(1 − R)."""
    row = damage.max().row
    usual = 0.25 * damage.largest[row] * (1 + (1 + ratio) / (1 - ratio))
    if damage.peaks[row] > usual * (1 + 2 * EVEN):
        warn(
            f"{damage.name}: the stress across the plane is not accounted for; at {damage.source.label(row)} it reaches "
            f"{damage.peaks[row] / 1e6:.4g} MPa, in the tests behind the curve {usual / 1e6:.4g} MPa at such a shear: life is shorter "
            f'than told; give mean_stress=fx.McDiarmid("600 MPa"), or "none" to keep it so',
            MeanStressIgnored,
        )


def _turning(damage: Damage) -> None:
    """Try planes at the places of largest stress: a signed measure does not see stress that turns, and may jump."""
    source, worst = damage.source, damage.max()
    planes = np.array([normal_stress(n).combine[0] for n in directions(STEP)])
    most = int(np.clip(WORK / (len(planes) * len(source.times)), 1, LOOKS))
    sizes = np.nan_to_num(np.maximum(damage.highest, -damage.lowest), nan=-1.0)
    rows = [int(row) for row in np.argsort(-sizes)[:most] if sizes[row] > 0]
    counter, factor = damage.method.counter(len(source.times)), damage.method.stress_factor
    assert source.tensor is not None
    found = {row: counter.damage(factor * (source.tensor(row) @ planes.T))[0].max() for row in {*rows, worst.row}}
    row = max(found, key=found.__getitem__)
    if found[row] > TOO_FEW * worst.value:
        many = found[row] / worst.value if worst.value > 0 else np.inf
        times = f"{many:.3g} times" if many < MANY else f"more than {MANY} times"
        warn(
            f"{damage.name}: directions of stress change; at {source.label(row)} the normal stress on a plane does C = {found[row]:.4g}, "
            f'{times} what {source.measure} finds anywhere: life is shorter than told; use measure="critical_plane"',
            StressTurns,
        )
        return
    jumps, size = _jumps(source.one(worst.row, 0), source.tensor(worst.row))
    if jumps and factor * size > STRONG * worst.largest and TOO_FEW * found[worst.row] < worst.value:
        warn(
            f"{damage.name}: at {worst.label} tension and pressure are about as large, so that the sign of {source.measure} jumps "
            f"{jumps} times, by up to {factor * size / 1e6:.4g} MPa; of C = {worst.value:.4g} there the normal stress on the worst plane "
            f'does {found[worst.row]:.4g}: life is longer than told; use measure="critical_plane" or "critical_shear"',
            StressTurns,
        )


def _jumps(x: np.ndarray, tensor: np.ndarray) -> tuple[int, float]:
    """How often and how far a signed measure jumps while the tensor hardly changes."""
    change = np.diff(tensor, axis=0)
    change = np.sqrt(np.sum(change[:, :3] ** 2, axis=1) + 2 * np.sum(change[:, 3:] ** 2, axis=1))
    leap = np.abs(np.diff(x))
    there = (x[1:] * x[:-1] < 0) & (leap > JUMP * change)
    return int(there.sum()), float(leap[there].max(initial=0.0))
