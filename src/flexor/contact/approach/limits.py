"""What the approach of two shapes does not see or cannot do, in words and figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.bodies.shape import Cone, Cylinder, Extruded, Revolved, Stl, Torus, Triangles
from flexor.contact.approach.convex.pairs import on_polyhedron
from flexor.contact.approach.hollow.mouth import juts
from flexor.contact.approach.polyhedra.pairs import WITHIN, by_support, off_axis, route
from flexor.contact.approach.touching import TOUCHING
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.contour import ContourSize
from flexor.contact.surfaces.surface import is_hollow
from flexor.contact.surfaces.triangles import TrianglesSize
from flexor.coordinates.curve import Piece, curvature

BENT = 1e-6
"""Curvature, in parts of one over the extent, from which on a contour bulges."""
ALONG = np.radians(0.1)
"""Angle between axes up to which a cylinder lies along another surface [rad]."""


def refusal(a: Any, b: Any) -> str:
    """Why two shapes cannot touch, and what can be done."""
    if is_hollow(a) and is_hollow(b):
        return "both are touched from within; leave out inside: true of one of them"
    for one, other in ((a, b), (b, a)):
        if is_hollow(one) and type(other) not in TOUCHING:
            return f"the {one.type} is touched from within, and a {other.type} has no end; leave out inside: true"
    for one in (a, b):
        if isinstance(one, Stl | Triangles) and not TrianglesSize(SURFACES[type(one)].pack(one).words).corners:
            return f"the triangles of the {one.type} have no corner that looks outwards: they face inwards, so that all around them is solid; turn them round (inside: true)"
    known = ", ".join(dict.fromkeys(SURFACES[kind].name for kind in TOUCHING))
    return f"one of both must be of a kind that touches others: {known} (a prism with a closed contour)"


def left_out(a: Any, b: Any, lines: bool = False) -> tuple[str, str, str] | None:
    """What the approach of two shapes does not see: what, why, and what can be done; None: nothing.   lines: as of `pair_of`."""
    kinds = {type(a), type(b)}
    if route(a, b) == WITHIN:
        return _bulging(a if is_hollow(a) else b)
    for hollow, other in ((a, b), (b, a)):
        if is_hollow(hollow) and isinstance(other, Extruded):
            what = "its curved prism touches what is hollow with the nearest place of each of its ends"
            why = "where it lies on several, or sticks out through a mouth with its edges, the others are not seen"
            return what, why, "give it straight sides, or as triangles, or put cylinders where it is round"
    if not kinds & {Stl, Triangles}:
        return None
    for each in (a, b):
        if isinstance(each, Cylinder | Cone) and not is_hollow(each) and not on_polyhedron(a, b):
            what = f"its {each.type} touches triangles with one place of its wall and rims, the nearest, and with their corners"
            why = "what stands on its end, or lies on several edges, is held at one of them and rocks"
            if lines:
                what = f"its {each.type} touches triangles with its wall and the nearest place of its rims, and with their corners"
                why = "what stands on its end is held at one place and rocks"
            return what, why, "let it touch convex parts of them, a box, a plane or a prism, or give it as triangles"
    return None


def _bulging(hollow: Any) -> tuple[str, str, str] | None:
    """Of a hollow surface that is bent outwards, over which straight edges may lie with what is between their corners"""
    if isinstance(hollow, Torus):
        what, round_part = "corners alone touch its tube", "the side that is next to the axis of the ring"
    elif isinstance(hollow, Revolved | Extruded) and bulges_inwards(hollow):
        what, round_part = (
            "corners, and edges across sharp rims, touch its hollow surface",
            "what bulges inwards, or is rounded",
        )
    else:
        return None
    why = f"edges and faces that lie across {round_part} sink in until a corner touches"
    return what, why, "give the other one spheres or cylinders there, or make the hollow one of parts that do not bulge"


def bulges_inwards(shape: Revolved | Extruded) -> bool:
    """Whether the solid around a hollow is convex somewhere along its contour, other than at a sharp rim about an axis."""
    surface = SURFACES[type(shape)]
    size = ContourSize(surface.pack(shape).words)
    pieces = [Piece(size.pieces, i) for i in range(size.count)]
    if isinstance(shape, Extruded) and any(juts(size, i) for i in range(size.count - (0 if size.closed else 1))):
        return True
    bends = [
        curvature(piece, share * piece.end, size.side) for piece in pieces for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    return max(bends) * size.extent > BENT


def tilted(a: Any, b: Any, R: np.ndarray) -> tuple[float, float]:
    """Of an open prism, which touches others at one height: by which angle their axes are off each other [rad], and by how much their ends may overlap
    unseen [m]; R: axes of b's surface in a's.
    """
    alike = isinstance(a, Extruded) and isinstance(b, Extruded)
    if not alike or is_hollow(a) or is_hollow(b) or route(a, b) or by_support(a, b):
        return 0.0, 0.0
    sine = float(np.sqrt(max(off_axis(np.ravel(R), 0), 0.0)))
    return float(np.arcsin(min(sine, 1.0))), 0.5 * min(a.length, b.length) * sine


def lies_along(a: Any, b: Any, p: np.ndarray, R: np.ndarray) -> bool:
    """Whether a cylinder is beside another one, or a prism with curved sides or hollows, with an axis parallel to its own, so that one place stands for a line; p, R: axes of b's surface in a's."""
    shapes = {type(a), type(b)}
    if (
        Cylinder not in shapes
        or not shapes <= {Cylinder, Extruded}
        or is_hollow(a)
        or is_hollow(b)
        or on_polyhedron(a, b)
    ):
        return False
    if abs(R[2, 2]) < np.cos(ALONG) or abs(p[2]) > 0.5 * (a.length + b.length):
        return False
    return Extruded in shapes or float(np.hypot(p[0], p[1])) > max(a.radius, b.radius)
