"""*ORIENTATION: material axes of solids and shells."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flexor.io import axes
from flexor.io.abaqus.deck import Deck, reals
from flexor.io.abaqus.keywords import Keyword
from flexor.io.draft import Place
from flexor.io.file_text import wrong


@dataclass(frozen=True)
class Orientation:
    """Axes of a system at any point, turned about one of them."""

    system: str
    p: np.ndarray
    R: np.ndarray
    about: int
    """Axis (0, 1, 2) of the additional turn; for shells the one nearest to the normal."""
    angle: float

    def at(self, points: np.ndarray) -> np.ndarray:
        """(m, 3, 3) axes at points."""
        return axes.turned(axes.curvilinear(self.system, self.p, self.R, points), self.about, self.angle)

    def on_shell(self, points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        """(m, 3, 3) axes of shells: the axes after `about` are projected onto the surface, z is the normal."""
        found = self.at(points)
        return axes.in_plane(normals, found[..., (self.about + 1) % 3])


def orientation(deck: Deck, keyword: Keyword) -> None:
    """*ORIENTATION, SYSTEM=RECTANGULAR (points on x and in the x-y plane), Z RECTANGULAR (on z, in x-z), CYLINDRICAL
    (two points of the axis), each with an optional second line: axis, angle."""
    name = keyword.option("NAME", "the orientation")
    system = keyword.options.get("SYSTEM", "RECTANGULAR").upper()
    rows = list(keyword.rows())
    definition = keyword.options.get("DEFINITION", "COORDINATES").upper()
    if system not in ("RECTANGULAR", "Z RECTANGULAR", "CYLINDRICAL") or definition != "COORDINATES":
        why = f"SYSTEM={system}, DEFINITION={definition} is taken as global axes"
        deck.draft.note("*ORIENTATION", why, keyword.place, severity="approximate")
        deck.orientations[name.upper()] = Orientation("rectangular", np.zeros(3), np.eye(3), 0, 0.0)
        return
    if not rows:
        raise wrong(*keyword.place, "*ORIENTATION has no points", fix="the file may be cut off: export it again")
    values = reals(rows[0][1], rows[0][0], "*ORIENTATION", 6)
    length = deck.draft.units.length
    a, b = np.array(values[:3]) * length, np.array(values[3:6]) * length
    origin = np.array(values[6:9]) * length if len(values) >= 9 else np.zeros(3)
    if system == "CYLINDRICAL":
        helper = np.eye(3)[np.argmin(np.abs(b - a))]
        found, bad = axes.from_x_and_y(b - a, helper)
        p, R = a, found[:, [1, 2, 0]]  # the axis is z
    else:
        found, bad = axes.from_x_and_y(a - origin, b - origin)
        p, R = origin, found if system == "RECTANGULAR" else found[:, [1, 2, 0]]
        if system == "Z RECTANGULAR":  # a on z, b in the x-z plane
            z, x = found[:, 0], found[:, 1]
            R = np.stack([x, np.cross(z, x), z], axis=-1)
    if bad:
        raise wrong(*rows[0][0], "*ORIENTATION: the points do not span axes", fix="give points that are not in line")
    about, angle = 0, 0.0
    if len(rows) > 1:
        about, angle = _turn(*rows[1])
    deck.orientations[name.upper()] = Orientation(
        "cylindrical" if system == "CYLINDRICAL" else "rectangular", p, R, about, angle
    )


def _turn(place: Place, fields: list[str]) -> tuple[int, float]:
    values = reals(fields, place, "*ORIENTATION")
    about = values[0] if values else 1
    if about not in (1, 2, 3):
        raise wrong(*place, f"*ORIENTATION: axis {about:g} of the turn", fix="1, 2 or 3")
    return int(about) - 1, math.radians(values[1]) if len(values) > 1 else 0.0


KEYWORDS = {"ORIENTATION": orientation}
