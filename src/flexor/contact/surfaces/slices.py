"""Rings with which bodies of revolution touch: slices along their axis, corners and ends of their profile."""

from __future__ import annotations

import numpy as np

from flexor.coordinates.curve import LINE, Piece, point_and_tangent
from flexor.coordinates.profile import Profile

STEPS = 32
"""Places of a piece between which it is looked for its radius at a height."""


def rings(profile: Profile) -> list[int]:
    """Numbers of the pieces that begin at a corner, at an end of an open profile, or where a line meets a curve; their count stands for the last end."""
    pieces = [Piece(each.words) for each in profile.pieces()]
    found = [
        i
        for i, piece in enumerate(pieces)
        if piece.left_turn != 0.0 or (piece.kind == LINE) != (pieces[i - 1].kind == LINE)
    ]
    return found if profile.closed else [0, *(i for i in found if i > 0), len(pieces)]


def heights(profile: Profile, slices: int) -> np.ndarray:
    """Radius, height and share of the height of equal slices of a profile; none: of its rings, negative: of as many slices, of a closed one also along its inner side, and those."""
    if slices < 0:
        inner = [_sliced(profile, -slices, -1.0)] if profile.closed else []
        return np.concatenate([heights(profile, -slices), *inner, heights(profile, 0)])
    points = profile.trace.points
    if not slices:
        pieces = [Piece(each.words) for each in profile.pieces()]
        at = [point_and_tangent(pieces[i], 0.0)[:2] if i < len(pieces) else tuple(points[-1]) for i in rings(profile)]
        return np.column_stack([np.reshape(at, (-1, 2)), np.zeros(len(at))])
    return _sliced(profile, slices, 1.0)


def _sliced(profile: Profile, slices: int, side: float) -> np.ndarray:
    """Likewise along its outer side, 1, or the inner one, −1."""
    points = profile.trace.points
    low, high = points[:, 1].min(), points[:, 1].max()
    z = low + (high - low) * (np.arange(slices) + 0.5) / slices
    order = np.argsort(points[:, 1], kind="stable")
    guess = np.interp(z, points[order, 1], points[order, 0])
    return np.column_stack([_outermost(profile, z, guess, side), z, np.full(slices, (high - low) / slices)])


def _outermost(profile: Profile, z: np.ndarray, guess: np.ndarray, side: float = 1.0) -> np.ndarray:
    """Largest radius of the profile at some heights, the smallest one of side −1, exact on lines, arcs and cubics."""
    found = np.full(len(z), -np.inf)
    for packed_piece in profile.pieces():
        piece = Piece(packed_piece.words)
        s = np.linspace(0.0, piece.end, STEPS + 1)
        at = np.array([point_and_tangent(piece, each)[:2] for each in s])
        for i, height in enumerate(z):
            above = at[:, 1] - height
            for j in np.flatnonzero(above[:-1] * above[1:] <= 0.0):
                low, high = s[j], s[j + 1]
                for _ in range(60):
                    middle = 0.5 * (low + high)
                    if (point_and_tangent(piece, middle)[1] - height) * above[j] > 0.0:
                        low = middle
                    else:
                        high = middle
                found[i] = max(found[i], side * float(point_and_tangent(piece, 0.5 * (low + high))[0]))
    return np.where(np.isfinite(found), side * found, guess)
