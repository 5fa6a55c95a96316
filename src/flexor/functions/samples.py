"""Functions that the samples of items hold, as a file would: smooth, curved, different from zero."""

from __future__ import annotations

from typing import Any

Fields = dict[str, Any]

SINE: Fields = {"type": "sine", "amplitude": 0.4, "frequency": 0.35, "phase": 0.3, "offset": 1.6}
CUBIC: Fields = {"type": "polynomial", "coefficients": (0.5, -1.2, 0.7, 0.9)}
RISING: Fields = {"type": "polynomial", "coefficients": (0, 0.3, 0, 0.2)}
FAST: Fields = {"type": "polynomial", "coefficients": (0.5, 8)}
SINKING: Fields = {"type": "sine", "amplitude": 0.03, "frequency": 0.35, "offset": -0.1}
SPLINE: Fields = {
    "type": "table",
    "x": (-6, -2, 0.5, 1, 3, 7),
    "y": (4, -1, 0.5, 0.7, 2, 9),
    "kind": "cubic",
    "extrapolation": "linear",
}
