"""Nodes that follow others: eliminated joints, rigid ties, points of floating bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.bodies.marker import Site


@dataclass(frozen=True)
class Follower:
    """A node that follows a master node through a joint's pose product (FTG (6.1)), or as a point of a floating body.

    motions: (is_rotation, axis 0…2) in the order of the product, each with its scalar in `scalars` unless it is driven.
    drives: for each motion the name of the term that gives it as a function of time, "" for those that are free; none if left out.
    shapes: (6, m) displacement and rotation of a point by m modes, in the master's axes; its scalars are the modes, which
        other followers have too, and there are no motions:  x = x_m + R_m (p + S q),  R = R_m exp(Ψ q).
    curvature: (6, m, m) symmetric: ½ qᵀNq is added to S q and Ψ q, where the body shortens as it bends.
    """

    joint: str
    node: int
    master: int
    site_master: Site
    site_follower: Site
    motions: tuple[tuple[bool, int], ...]
    scalars: tuple[int, ...]
    shapes: np.ndarray | None = None
    curvature: np.ndarray | None = None
    drives: tuple[str, ...] = ()
