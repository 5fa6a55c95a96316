"""Whether a step resolves the motion, for each group of coordinates that are connected."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from flexor.engine.system import System

UNSTEADY = 0.5
"""Change of the mean third derivative over a step, relative to it, beyond which the step does not resolve it."""
SLIGHT = 0.05
"""Change of accelerations over the step, relative to them, that is resolved whatever their derivatives are."""
NOISE = 1e-9
"""Change of accelerations, relative to the largest ones of the group, that is a rounding error."""

Derivative = tuple[np.ndarray, np.ndarray]
"""Of all nodes (n, 6) and all scalars (m)."""


def resolved_equations(
    system: System, now: Derivative, later: Iterable[Derivative], h: float, shift: float
) -> np.ndarray:
    """True or false for each equation: whether the step h resolves the motion of all that is connected with it.

    now: q⃛ at the begin of the step; later: its means over parts of the step, on the path q + v t + ½ q̈ t² + ⅙ q⃛ t³.

    A vibration with the frequency ω changes the mean by ½ h ω or, about its rest position, by ⅙ (h ω)²; a damper with the
    rate λ by ½ h λ (on a parabola, only the first of them would show). The start takes q⃛ for that of an instant
    |Δ| h away, while the mean is that of ½ h: hence the limit divided by 1 + 2 |Δ|.

    Where the step is short enough, the change is of order h, so that everything is resolved; what has next to no q⃛ and
    counts as unresolved has a shift of order h² to lose.
    """
    groups = system.equations.pattern.groups  # terms and followers connect coordinates, the ground does not
    # nodes and scalars (modes) have different units: each is compared with its like
    kinds = 2 * groups
    kinds[system.memory.scalar_eq] += 1
    jerk = _in_order(system, now)
    acceleration = _in_order(system, (system.nodes("a"), system.memory.s[2::3]))
    slight = np.maximum(SLIGHT * _largest(acceleration, kinds), NOISE * _largest(acceleration, groups))
    limit = UNSTEADY * _largest(jerk, kinds) / (1.0 + 2.0 * shift)
    good = np.isfinite(jerk)
    for derivative in later:
        mean = _in_order(system, derivative)
        good &= (np.abs(mean - jerk) <= limit) | (h * np.maximum(np.abs(mean), np.abs(jerk)) <= slight)
    unresolved = np.zeros(int(groups.max(initial=0)) + 1, dtype=bool)
    unresolved[groups[~good]] = True
    return ~unresolved[groups]


def _in_order(system: System, values: Derivative) -> np.ndarray:
    """Values of nodes, lengths in model sizes, and of scalars, in equation order."""
    nodes, rows = system.node_rows
    found = np.zeros(system.equations.pattern.n)
    found[rows] = values[0][nodes] * np.repeat([1.0 / float(system.run.length_scale), 1.0], 3)
    found[system.memory.scalar_eq] = values[1]
    return found


def _largest(values: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """For each equation the largest magnitude among those with the same label."""
    found = np.zeros(int(labels.max(initial=0)) + 1)
    np.maximum.at(found, labels, np.abs(values))
    return found[labels]
