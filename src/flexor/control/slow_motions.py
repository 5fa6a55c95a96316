"""How well delays and samplers are met by the rational functions that they are in small motions."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from flexor.control.sample_and_hold import SampleAndHold
from flexor.control.time_delay import TimeDelay
from flexor.warning import warn

TOLD = 0.03
"""Relative error that is told."""


class FastMotions(UserWarning):
    """Delays or samplers count by rational functions where these are wrong."""


def tell_fast_motions(items: Iterable[object], rates: np.ndarray, what: str) -> None:
    """Warn of every delay and sampler that is off at some of these rates s = iω or λ [rad/s, 1/s]; what: "frequencies" or "modes"."""
    for block in items:
        if not isinstance(block, TimeDelay | SampleAndHold) or not len(rates):
            continue
        off = np.array([_error(block, complex(s)) for s in rates])
        wrong = np.abs(rates[off > TOLD])
        if not len(wrong):
            continue
        size = f"up to {100 * off.max():.0f} %" if off.max() < 1.0 else "altogether"
        fix = (
            f"a higher order than {block.order} reaches further, 10 at most"
            if isinstance(block, TimeDelay)
            else "between its ticks only a run over time tells"
        )
        warn(
            f"{block.called(block.name)} counts by a rational function, good for slow motions: {len(wrong)} of {len(rates)} {what}, from "
            f"{wrong.min() / (2 * math.pi):.3g} Hz on, are off by it {size}. What helps: {fix}",
            FastMotions,
        )


def _error(block: TimeDelay | SampleAndHold, s: complex) -> float:
    """Of the rational function at s, relative to e^(−sT), or to (1 − e^(−sT))/(sT) of a hold."""
    T = block.delay if isinstance(block, TimeDelay) else block.multiple * block.period
    if s == 0:
        return 0.0
    with np.errstate(all="ignore"):
        exact = np.exp(-s * T) if isinstance(block, TimeDelay) else (1.0 - np.exp(-s * T)) / (s * T)
        try:
            found = block.slow.at(s)[0, 0]
        except np.linalg.LinAlgError:  # a pole of its own
            return math.inf
        error = abs(found - exact) / abs(exact)
    return float(error) if np.isfinite(error) else math.inf
