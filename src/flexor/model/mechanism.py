"""A model with everything resolved: what the engine compiles to arrays.

Node 0 is the ground. A rigid body has one node, at its centre of mass; a flexible body has one per connection.
"""

from __future__ import annotations

from dataclasses import dataclass

from flexor.bodies.follower import Follower
from flexor.dotted import owner
from flexor.law import Term
from flexor.law.coordinates import Node, Scalar

__all__ = ["Follower", "Mechanism", "Node", "Scalar"]


@dataclass(frozen=True)
class Mechanism:
    """Nodes, scalars, terms and followers of one model."""

    name: str
    nodes: tuple[Node, ...]
    scalars: tuple[Scalar, ...]
    terms: tuple[Term, ...]
    followers: tuple[Follower, ...]
    gravity: tuple[float, float, float]
    items: frozenset[str] = frozenset()
    """Names of the items of the model, which may have dots; nodes, scalars and terms are called by them."""

    def owner(self, name: str) -> str:
        """The item that a node, scalar or term belongs to, by its name."""
        return owner(name, self.items)
