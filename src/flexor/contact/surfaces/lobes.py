"""Lobes of a contour, between its hollows: each may touch a plane, or what is flat, with a lowest point of its own.

A cubic is lowest in a direction at one place of it, an arc likewise. So a contour is cut in each hollow where a piece begins, or before and behind the piece that has the hollow in its middle; one with a single
hollow is cut at its far side, too, so that both sides of the hollow are told apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.coordinates.curve import Piece, curvature

PLACES = 17
"""Of a piece, where it is looked whether it bends inwards."""
STRAIGHT = 1e-9
"""Curvature, in parts of one over the extent, that is none."""
MOST = 16
"""Lobes that are told apart; of more, neighbours are one."""


def _bends(pieces: Sequence[Piece], side: float, extent: float) -> list[list[float]]:
    """Signs of the curvature from the begin of each piece on: of the corner there, then along it; 1 outwards, −1 inwards."""
    found = []
    for piece in pieces:
        along = np.array([curvature(piece, s, side) for s in np.linspace(0.0, piece.end, PLACES)]) * extent
        along = np.where(np.abs(along) < STRAIGHT, 0.0, along)
        found.append([float(np.sign(-side * piece.left_turn)), *np.sign(along).tolist()])
    return found


def lobes_of(pieces: Sequence[Piece], side: float, closed: bool, extent: float) -> list[int]:
    """Numbers of the pieces with which lobes begin; none of a contour with one lobe alone. An open one begins with a lobe."""
    count, cuts, hollow, cut = len(pieces), set[int](), False, False
    for _ in range(2 if closed else 1):  # a hollow may go on over the begin
        for i, (corner, *along) in enumerate(_bends(pieces, side, extent)):
            hollow = hollow or (corner < 0.0 and (closed or i > 0))
            if hollow and not cut:
                cuts.add(i)
                cut = True
            if corner > 0.0:
                hollow, cut = False, False
            for sign in along:
                if sign > 0.0:
                    cuts |= {i, i + 1} if hollow and not cut else set()
                    hollow, cut = False, False
                hollow = hollow or sign < 0.0
    found = sorted({i % count for i in cuts} if closed else {0, *(i for i in cuts if i < count)})
    if closed and len(found) == 1 and count > 1:
        found = sorted([found[0], (found[0] + count // 2) % count])
    if len(found) < 2:
        return []
    return [found[i * len(found) // min(len(found), MOST)] for i in range(min(len(found), MOST))]
