"""The bridge to pylife (extra `pylife`): its load collectives and Wöhler curves."""

from __future__ import annotations

from itertools import pairwise
from math import inf, isclose, log
from types import ModuleType
from typing import TYPE_CHECKING

from flexor.errors import FlexorError, ModelError, Problem

if TYPE_CHECKING:
    import pandas as pd

    from flexor.fatigue.cycles import Cycles
    from flexor.fatigue.sn_curve import SNCurve


def _pandas() -> ModuleType:
    try:
        import pandas
        import pylife  # noqa: F401
    except ImportError:
        fix = "install it with:  pip install 'flexor[pylife]'"
        raise FlexorError(Problem("pylife", "is not installed", "", fix)) from None
    return pandas


def collective(cycles: Cycles) -> pd.DataFrame:
    """Columns range, mean, cycles: `.load_collective` of pylife reads them."""
    columns = {"range": cycles.ranges, "mean": cycles.means, "cycles": cycles.counts}
    found: pd.DataFrame = _pandas().DataFrame(columns)
    return found


def woehler(curve: SNCurve) -> pd.Series:
    """k_1, ND, SD, k_2 in amplitudes [Pa]: `.woehler` of pylife reads them. It knows one knee."""
    inner = [log(after / N) / log(S / low) for (N, S), (after, low) in pairwise(curve.points)]
    slopes = [curve.first_slope, *inner, inf if curve.last_slope is None else curve.last_slope]
    bends = [k for k in range(len(curve.points)) if not isclose(slopes[k], slopes[k + 1], rel_tol=1e-9)]
    if len(bends) > 1:
        what, limit = f"it bends at {len(bends)} points", " (the last is a limit)" if curve.last_slope is None else ""
        raise ModelError(Problem(curve.called(curve.name), what + limit, "pylife's has one knee", "leave out points"))
    k = bends[0] if bends else 0
    N, S = curve.points[k]
    data = {"k_1": slopes[k], "ND": N, "SD": S * curve.per_range / 2, "k_2": slopes[k + 1]}
    found: pd.Series = _pandas().Series(data)
    return found
