"""A model with everything resolved: what the engine compiles to arrays.

Node 0 is the ground. A rigid body has one node, at its centre of mass; a flexible body has one per connection.
"""

from __future__ import annotations

from dataclasses import dataclass

from flexor.bodies.follower import Slave
from flexor.law import Element
from flexor.law.coordinates import Node, Scalar

__all__ = ["Mechanism", "Node", "Scalar", "Slave"]


@dataclass(frozen=True)
class Mechanism:
    """Nodes, scalars, elements and slaves of one model."""

    name: str
    nodes: tuple[Node, ...]
    scalars: tuple[Scalar, ...]
    elements: tuple[Element, ...]
    slaves: tuple[Slave, ...]
    gravity: tuple[float, float, float]
