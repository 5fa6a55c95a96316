"""What laws act on: nodes with six degrees of freedom, and scalar coordinates."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from flexor.frozen import frozen


@frozen
class Node:
    """A point with orientation that carries degrees of freedom.

    p_NO: the point in the node's axes [m] whose position is reported: the body's origin where the node is the body's only one.
    locked: degrees of freedom 0…5 that it does not have.
    weights: mass and rotational inertia that weigh its moves where statics go downhill and where a run begins.
    own_axes: whether its rotation is integrated in its own axes, as the modes are that are measured from it.
    """

    name: str
    x: np.ndarray
    R: np.ndarray
    v: np.ndarray
    p_NO: np.ndarray = field(default_factory=lambda: np.zeros(3))
    locked: tuple[int, ...] = ()
    weights: tuple[float, float] = (1.0, 1.0)
    placed: bool = True
    own_axes: bool = False


@frozen
class Scalar:
    """A scalar coordinate: joint variable of an eliminated joint, component mode or control state."""

    name: str
    unit: str
    value: float = 0.0
    rate: float = 0.0


def mode_scalars(name: str, count: int) -> tuple[Scalar, ...]:
    """Coordinates of component modes of a body."""
    return tuple(Scalar(f"{name}.mode_{i + 1}", "") for i in range(count))
