"""Nodes that follow others: eliminated joints and rigid ties."""

from __future__ import annotations

from dataclasses import dataclass

from flexor.bodies.marker import Site


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
