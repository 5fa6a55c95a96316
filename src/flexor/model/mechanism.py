"""A model with everything resolved: what the engine compiles to arrays.

Node 0 is the ground. Every body has one node (rigid bodies: at the centre of mass, with the body's axes).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flexor.bodies.marker import Site
from flexor.law import Element


@dataclass(frozen=True)
class Node:
    """A point with orientation that carries degrees of freedom.

    p_NO: the body's origin in the node's axes [m], where its position is reported.
    locked: degrees of freedom 0…5 that it does not have.
    weights: mass and rotational inertia that weigh its moves in assembly and velocity projection.
    velocity_given: whether the user gave its initial velocity (linear, angular).
    """

    name: str
    x: np.ndarray
    R: np.ndarray
    v: np.ndarray
    p_NO: np.ndarray = field(default_factory=lambda: np.zeros(3))
    locked: tuple[int, ...] = ()
    weights: tuple[float, float] = (1.0, 1.0)
    placed: bool = True
    velocity_given: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Scalar:
    """A scalar coordinate: joint variable of an eliminated joint, component mode or control state."""

    name: str
    unit: str
    value: float = 0.0
    rate: float = 0.0


@dataclass(frozen=True)
class Slave:
    """A node that follows a master node through a joint's pose product.   FTG (6.1)

    motions: (is_rotation, axis 0…2) in the order of the product, each with its scalar in `scalars`.
    """

    joint: str
    node: int
    master: int
    site_master: Site
    site_slave: Site
    motions: tuple[tuple[bool, int], ...]
    scalars: tuple[int, ...]


@dataclass(frozen=True)
class Mechanism:
    """Nodes, scalars, elements and slaves of one model."""

    name: str
    nodes: tuple[Node, ...]
    scalars: tuple[Scalar, ...]
    elements: tuple[Element, ...]
    slaves: tuple[Slave, ...]
    gravity: tuple[float, float, float]
