"""Whether connected points stand and move together at the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from flexor.cosim.meta_model import MetaModel
from flexor.errors import Problem

APART = 1e-3
"""Distance of two ends, in parts of the largest position or 1 m, from which on they do not fit."""
FASTER = 1e-3
"""Difference of velocities, likewise in parts of the larger one or 1 m/s (rad/s)."""

UNTRUE = 1e-5
"""Deviation of RᵀR from 1 from which on R is no rotation."""


def misfits(model: MetaModel, samples: Mapping[str, Sequence[float]]) -> list[Problem]:
    """Ends of connections that are in different places, or move differently; samples: of each interface, by component.interface; those that are missing are left out.

    A line has no length: it would pull the ends together at once, or pass on a shock.   NAK 26.3
    """
    found = []
    for connection in model.connections:
        if connection.a not in samples or connection.b not in samples:
            continue
        a, b = np.array(samples[connection.a]), np.array(samples[connection.b])
        space = len(a) > 4
        where = connection.called(str(connection))
        parts = (
            (("m", slice(1, 4)), ("m/s", slice(13, 16)), ("rad/s", slice(16, 19))) if space else (("m/s", slice(2, 3)),)
        )
        for unit, part in parts:
            if unit == "rad/s" and not connection.zfr:
                continue
            difference, size = (
                float(np.linalg.norm(a[part] - b[part])),
                float(max(np.linalg.norm(a[part]), np.linalg.norm(b[part]))),
            )
            limit = (APART if unit == "m" else FASTER) * max(size, 1.0)
            if difference > limit:
                told = f"{_short(a[part])} and {_short(b[part])} {unit}"
                if unit == "m":
                    what, fix = (
                        f"its ends are {difference:.3g} m apart at the start",
                        "move one of the models; both are in global axes",
                    )
                else:
                    what = f"its ends move differently at the start, by {difference:.3g} {unit}"
                    fix = "give both components the same initial motion there"
                found.append(Problem(where, what, told, fix))
    return found


def is_rotation(R: Sequence[float]) -> bool:
    """Whether nine numbers, row by row, are one, to the digits that a program may print."""
    A = np.reshape(R, (3, 3))
    return bool(np.abs(A.T @ A - np.eye(3)).max() < UNTRUE and np.linalg.det(A) > 0)


def _short(values: np.ndarray) -> str:
    return "(" + ", ".join(f"{value:.4g}" for value in values) + ")"
