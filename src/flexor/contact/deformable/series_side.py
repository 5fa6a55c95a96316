"""A side of a body of shape functions: its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.law.record import Packed, Record, integer, number, numbers, tail

if TYPE_CHECKING:
    from flexor.bodies.shape_body.surface_point import ShapeSurface

RIM = 1e-6
"""How far from the axis of revolution a side is searched, in halves of its width: on it the angle would have no direction."""
BALL = 0.2
"""Radius of the balls inside of a side, in parts of its least radius of curvature."""


class SeriesSide(Record):
    """Numbers of a side."""

    turns = integer("1: s is an angle, and components are radial, tangential, axial")
    order = integer("highest order along t")
    lines = integer("how many functions of s there are")
    slices = integer("on how many lines t = const it touches; 0: anywhere")
    s_middle = number("s where s̄ = 0, of a box", "m")
    s_half = number("from there to s̄ = 1", "m")
    t_middle = number("t where t̄ = 0", "m")
    t_half = number("from there to t̄ = 1", "m")
    below = number("−t̄ of its lower bound: 1, a little less on the axis")
    above = number("likewise t̄ of its upper bound")
    extent = number("size of the side", "m")
    ball = number("radius of balls inside by which it touches solids with edges; 0: by its points", "m")
    outward = number("1: ∂y/∂s × ∂y/∂t points outward, −1: inward")
    origin = numbers(3, "origin of the series, from the centre of mass of the body", "m")
    axes = numbers(9, "its axes in the body")
    A = tail("coefficients of the undeformed place, then of each mode: (j, b) by three components", "m")


def packed_side(side: ShapeSurface, modes: np.ndarray, slices: int, edged: bool = False) -> Packed:
    """Numbers of a side whose body moves in the modes Φ (r, m) of its coordinates; slices: 0 for none; edged: whether what it touches has edges."""
    return SeriesSide.pack(**numbers_of(side, modes, slices, edged))


def numbers_of(side: ShapeSurface, modes: np.ndarray, slices: int, edged: bool = False) -> dict[str, Any]:
    """Likewise by name."""
    A = np.concatenate([side.A[:, :, :1], np.einsum("jbck,cm->jbmk", side.A[:, :, 1:], modes)], axis=2)
    wide = side.t[1] - side.t[0]
    radii = [abs(float(np.polynomial.chebyshev.chebval(end, A[:, 0, 0, 0]))) for end in (-1, 1)]
    below, above = (1.0 - RIM if side.turns and r < RIM * wide else 1.0 for r in radii)
    far = float(np.abs(A[:, :, 0]).max()) if side.turns else side.s[1] - side.s[0]
    return {
        "turns": int(side.turns),
        "order": A.shape[0] - 1,
        "lines": A.shape[1],
        "slices": slices,
        "s_middle": 0.0 if side.turns else sum(side.s) / 2,
        "s_half": 1.0 if side.turns else (side.s[1] - side.s[0]) / 2,
        "t_middle": sum(side.t) / 2,
        "t_half": wide / 2,
        "below": below,
        "above": above,
        "extent": max(far, wide),
        "ball": _ball(side, max(far, wide)) if edged and not slices else 0.0,
        "outward": side.outward,
        "origin": side.pose.p - side.center,
        "axes": side.pose.R,
        "A": A.transpose(2, 0, 1, 3),
    }


def _ball(side: ShapeSurface, extent: float) -> float:
    """Radius of balls that fit into the side wherever it is curved outwards, with room to spare for its deformation."""
    s = np.linspace(*side.s, 2 * side.A.shape[1] + 1)
    t = np.linspace(*side.t, 2 * len(side.A) + 3)[1:-1]
    step = 1e-4 * (side.t[1] - side.t[0]) / 2, 1e-4 * (1.0 if side.turns else (side.s[1] - side.s[0]) / 2)
    most = 0.0
    for u in s:
        for v in t:
            _, e, g = (each[0] for each in side.shapes(u, v))
            m = side.outward * np.cross(e, g)
            m /= np.linalg.norm(m)
            _, e_s, g_s = (each[0] for each in side.shapes(u + step[1], v))
            _, e_t, g_t = (each[0] for each in side.shapes(u, v + step[0]))
            bent = -np.array(
                [[m @ (e_s - e) / step[1], m @ (e_t - e) / step[0]], [m @ (g_s - g) / step[1], m @ (g_t - g) / step[0]]]
            )
            metric = np.array([[e @ e, e @ g], [e @ g, g @ g]])
            most = max(most, float(np.linalg.eigvals(np.linalg.solve(metric, bent)).real.max()))
    return BALL * min(1.0 / most if most > 0.0 else extent, extent)


def series_room(side: ShapeSurface) -> int:
    """Words that the search needs."""
    order, lines = side.A.shape[:2]
    return 2 * 3 * order * lines + 3 * (order + lines) + 2


def slice_place(p, place):
    """t of a line on which it touches."""
    return p.t_middle + p.t_half * ((2.0 * place + 1.0) / p.slices - 1.0)
