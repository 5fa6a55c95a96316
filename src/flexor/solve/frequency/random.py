"""Random vibration: what stationary random inputs, by their power spectral densities, make of outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.functions import Function
from flexor.warning import warn

if TYPE_CHECKING:
    from flexor.solve.frequency.response import FrequencyResponse


class CoarseSpectrum(UserWarning):
    """The frequencies of a response are too far apart for its resonances."""


@dataclass(frozen=True)
class RandomResponse:
    """One-sided power spectral densities of outputs, and what they sum up to over the frequencies of the response.

    psd: (frequencies, outputs) [unit²/Hz].   rms: of each output, √∫psd df.   upcrossings: mean rate of crossings of zero upwards [Hz].
    """

    frequencies: np.ndarray
    psd: np.ndarray
    outputs: tuple[str, ...]

    @property
    def rms(self) -> dict[str, float]:
        return dict(zip(self.outputs, np.sqrt(np.trapezoid(self.psd, self.frequencies, axis=0)).tolist(), strict=True))

    @property
    def upcrossings(self) -> dict[str, float]:
        second = np.trapezoid(self.psd * self.frequencies[:, None] ** 2, self.frequencies, axis=0)
        whole = np.trapezoid(self.psd, self.frequencies, axis=0)
        rates = np.sqrt(second / np.where(whole > 0, whole, 1.0))
        return dict(zip(self.outputs, rates.tolist(), strict=True))


def random_response(response: FrequencyResponse, psd: Mapping[str, float | Function | np.ndarray]) -> RandomResponse:
    """S_y = Σ |H|² S_u of inputs that do not depend on each other."""
    f = response.frequencies
    refuse_unordered(f)
    refuse_no_density(psd, response.inputs)
    total = np.zeros(response.values.shape[:2])
    for name, given in psd.items():
        density = density_of(name, given, f)
        for i, output in enumerate(response.outputs):
            total[:, i] += np.abs(response[output, name]) ** 2 * density
    _warn_if_coarse(response, total)
    return RandomResponse(f, total, response.outputs)


def refuse_no_density(psd: Mapping[str, object], inputs: Sequence[str]) -> None:
    """ModelError where no input is random."""
    if not isinstance(psd, Mapping) or not psd:
        what = f"no density is given: {psd!r:.60}"
        raise ModelError(Problem("random vibration", what, "", f'write random({{"{inputs[0]}": 0.04}}), in unit²/Hz'))


def refuse_unordered(f: np.ndarray) -> None:
    """ModelError for frequencies [Hz] that a spectrum cannot be integrated over."""
    if len(f) < 2 or np.any(np.diff(f) <= 0):
        what, fix = (
            "frequencies do not ascend",
            "ask for the response at ascending frequencies, fine enough for its resonances",
        )
        raise ModelError(Problem("random vibration", what, "the spectrum is integrated over them", fix))


def density_of(name: str, given: float | Function | np.ndarray, f: np.ndarray) -> np.ndarray:
    """The one-sided density of an input at frequencies [Hz]."""
    fix = "give a number [unit²/Hz], a function of the frequency [Hz], or a value per frequency"
    try:
        values = np.asarray(
            given(f) if isinstance(given, Function) else given, dtype=None if isinstance(given, str) else float
        )
    except (TypeError, ValueError):
        values = np.asarray(given, dtype=object)
    if values.dtype != float or values.shape not in ((), f.shape):
        why = (
            "it is no number" if values.dtype != float else f"it has the shape {values.shape}, frequencies are {len(f)}"
        )
        raise ModelError(Problem("random vibration", f"the density of '{name}' = {given!r:.60}", why, fix))
    density = np.broadcast_to(values, f.shape)
    if not np.all(np.isfinite(density)) or np.any(density < 0):
        raise ModelError(
            Problem("random vibration", f"the density of '{name}' is negative or no number", "", "check it")
        )
    return density


def _warn_if_coarse(response: FrequencyResponse, psd: np.ndarray) -> None:
    """Warn where every other frequency gives another mean square by more than 2 %."""
    f = response.frequencies
    if len(f) < 5:
        return
    last = len(f) - (len(f) + 1) % 2
    fine = np.trapezoid(psd[:last], f[:last], axis=0)
    half = np.trapezoid(psd[:last:2], f[:last:2], axis=0)
    off = np.abs(half - fine) / np.maximum(fine, 1e-300)
    if off.max() > 0.02:
        worst = response.outputs[int(np.argmax(off))]
        warn(
            f"random vibration: with every other frequency the mean square of '{worst}' differs by {100 * off.max():.2g} %; "
            "take frequencies closer to each other",
            CoarseSpectrum,
        )
