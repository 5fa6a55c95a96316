"""The bridge to pylife (extra `pylife`): its load collectives and Wöhler curves."""

from __future__ import annotations

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
    lines = curve.segments
    infinite = curve.last_slope is None
    slopes = sorted({round(each["slope"], 9) for each in lines})
    if len(slopes) > (1 if infinite else 2):
        what = f"it has {len(slopes)} slopes{' and a limit' if infinite else ''}"
        raise ModelError(Problem(curve.called(curve.name), what, "pylife's has one knee", "leave out points"))
    knee = curve.points[-1]
    k_2 = float("inf") if infinite else slopes[-1]
    data = {"k_1": slopes[0], "ND": knee[0], "SD": knee[1] * curve.per_range / 2, "k_2": k_2}
    found: pd.Series = _pandas().Series(data)
    return found
