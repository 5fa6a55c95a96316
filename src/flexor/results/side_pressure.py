"""Pressure over a side of a body that deforms, which touches with points each of which presses by itself: nodes of a mesh, points of shape functions.

Where the points are follows from the recorded motion of the body, how deep each of them is below what it touches from that of the other one. They share the recorded
normal force as the elastic forces of their depths, N_i = N δ_iⁿ / Σ δ_jⁿ, and have as pressure what falls on the area of the undeformed surface that each stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies.shape_body.shape_body import ShapeBody
from flexor.bodies.side import Side
from flexor.contact.contact import Contact
from flexor.contact.deformable.depths import BelowRigid, BelowSeries, BelowSkin
from flexor.contact.deformable.pair_contact import moves, touched_side
from flexor.contact.deformable.touching_points import (
    TouchingPoints,
    material_points,
    touches_by_points,
    touching_points,
)
from flexor.errors import ModelError, Problem
from flexor.io.vtu import write_vtu
from flexor.mesh.mesh import Block, Mesh
from flexor.results.bodies import body_history
from flexor.results.marker_motion import bodies_of
from flexor.results.pressure_table import write_pressures
from flexor.results.surface_motion import shape_of, surface_motion
from flexor.warning import warn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexor.model import Model
    from flexor.recover import BodyHistory
    from flexor.recover.from_signals import Signals

VAGUE = 0.02
"""Part of the largest depth by which positions may be rounded off without a warning."""
FACES = {3: ("shell3", (0, 1, 2)), 4: ("shell4", (0, 1, 2, 3)), 6: ("shell3", (0, 1, 2)), 8: ("shell4", (0, 1, 2, 3))}
"""How faces with so many nodes are written: as what, by which of their nodes."""


class CoarsePressure(UserWarning):
    """Positions were recorded with so few digits that depths, and with them pressures, are noise."""


@dataclass(frozen=True, eq=False)
class SidePressure:
    """Pressure at the points with which a side of a body that deforms touches.

    body: that deforms.   points: (n, 3) undeformed, in its axes [m].   numbers: (n,) of the nodes in its mesh; of points of shape functions 1, 2, ….
    pressure: (n,) [Pa].   areas: (n,) of the undeformed surface that each stands for [m²].   faces: arrays (m, k) of points, between which the surface is.
    times: (n,) when each of them was pressed so [s], NaN where nothing touched.   time: the instant [s]; None: the highest of all recorded times.
    """

    contact: str
    surface: str
    body: str
    points: np.ndarray
    numbers: np.ndarray
    pressure: np.ndarray
    areas: np.ndarray
    faces: tuple[np.ndarray, ...]
    times: np.ndarray
    time: float | None

    @property
    def peak(self) -> float:
        """The highest pressure [Pa]."""
        return float(self.pressure.max())

    @property
    def peak_point(self) -> np.ndarray:
        """(3,) where it is, on the undeformed surface in the axes of the body [m]."""
        return np.array(self.points[np.argmax(self.pressure)])

    @property
    def peak_number(self) -> int:
        """Number of the node where it is."""
        return int(self.numbers[np.argmax(self.pressure)])

    @property
    def peak_time(self) -> float:
        """When it was [s]."""
        return float(self.times[np.argmax(self.pressure)])

    @property
    def force(self) -> float:
        """∫ p dA [N]: at an instant the normal force."""
        return float(self.pressure @ self.areas)

    def plot(self, file: str | Path | None = None) -> Figure:
        """Draw it, seen along the axis of the body that most of it faces (of what is pressed all around one half): to an image file, or in a window."""
        from flexor.results.side_plot import plot_side  # loads matplotlib

        return plot_side(self, file)

    def to_csv(self, path: str | Path) -> Path:
        """Write numbers, places in the axes of the body, areas, pressures and their times as comma-separated values."""
        columns = [("node", ""), ("area", "m²"), *((axis, "m") for axis in "xyz"), ("pressure", "Pa"), ("time", "s")]
        values = np.column_stack([self.areas, self.points, self.pressure, self.times]).tolist()
        rows = [[number, *row] for number, row in zip(self.numbers.tolist(), values, strict=True)]
        return write_pressures(path, columns, rows)

    def to_vtu(self, path: str | Path) -> Path:
        """Write the undeformed side with its pressure for ParaView, in the axes of the body."""
        blocks, first = [], 1
        for faces in self.faces:
            element, corners = FACES[faces.shape[1]]
            blocks.append(Block(element, faces[:, list(corners)], np.arange(first, first + len(faces))))
            first += len(faces)
        fields = {"pressure": self.pressure, "area": self.areas, "time": np.nan_to_num(self.times, nan=-1.0)}
        return write_vtu(path, Mesh(self.points, self.numbers, tuple(blocks)), fields)

    def __repr__(self) -> str:
        when = "highest of the run" if self.time is None else f"at {self.time:g} s"
        return f"<pressure of '{self.contact}' on surface {self.surface}, {len(self.points)} points, {when}: up to {self.peak:.4g} Pa>"


def side_pressure(
    model: Model, signals: Signals, contact: Contact, surface: str | None, rows: np.ndarray, at: float | None
) -> SidePressure:
    """The highest at rows where it touches; at: the instant, if it is one."""
    end = _touching_end(model, contact, surface)
    body: Any = bodies_of(model)[getattr(contact, end).body]
    points = touching_points(body, getattr(contact, f"shape_{end}"))
    history = body_history(model, signals, body.name, set())
    depths = _depths(model, signals, contact, "a" if end == "b" else "b", rows)
    total, times = (np.asarray(signals[name], dtype=float) for name in (f"{contact.name}.normal_force", "time"))
    exponent = contact.law.force_law((1.0, 1.0))[1]
    highest, when = np.zeros(len(points.X)), np.full(len(points.X), np.nan)
    deepest, farthest = 0.0, 0.0
    for i, row in enumerate(rows):
        places = _places(history, points, row)
        depth = depths(i, places)
        share = depth**exponent
        pressure = points.pressure(total[row] * share / max(share.sum(), 1e-300))
        more = pressure > highest
        highest[more], when[more] = pressure[more], times[row]
        deepest, farthest = max(deepest, float(depth.max())), max(farthest, float(np.abs(places).max()))
    _tell_coarse(contact.name, signals, deepest, farthest)
    return SidePressure(
        contact.name, end, body.name, points.X, points.numbers, highest, points.areas, points.faces, when, at
    )


def _tell_coarse(name: str, signals: Signals, depth: float, far: float) -> None:
    """Warn where depths are lost in what positions were rounded to."""
    digits = getattr(signals, "packing", (False, None))[1]
    if digits is not None and 0.5 * 10.0**-digits * far > VAGUE * depth:
        warn(
            f"pressure of '{name}': places touch with depths of up to {depth:.2g} m, and positions were recorded to {digits} digits, that is to "
            f"{0.5 * 10.0**-digits * far:.2g} m. Run it again with more digits, or with all of them",
            CoarsePressure,
        )


def _touching_end(model: Model, contact: Contact, surface: str | None) -> str:
    """The surface whose points touch; refused if there is none, or another one is asked for."""
    where, ends = f"pressure of '{contact.name}'", contact.over_surfaces
    end = ends[0]
    sides: list[Side] = [getattr(contact, f"shape_{each}") for each in ends]
    bodies = [bodies_of(model)[getattr(contact, each).body] for each in ends]
    other = shape_of(model, contact, "a" if end == "b" else "b")
    if len(ends) == 2:
        one = moves((bodies[0], bodies[1]), (sides[0], sides[1]))
        end, other = ends[one], sides[1 - one]
        bodies, sides = bodies[one:], sides[one:]
    body, side = bodies[0], sides[0]
    if not touches_by_points(body, side, other):
        name = f"'{side.side}' of '{body.name}'" if side.side else f"of '{body.name}'"
        what = f"its side {name} touches with {'slices' if side.slices else 'the point that is nearest'}"
        why = "a pressure needs the share of the surface over which the force at a place is spread, which is known of nodes of a mesh and of fixed points"
        fix = "give the side every_node=True, with a mesh that is fine beside the area of contact"
        if isinstance(body, ShapeBody):
            fix = "give a side that lies flat points, e.g. points=8, or let a full mesh touch with every node"
        raise ModelError(Problem(where, what, why, fix))
    if surface not in (None, end):
        what, why = f"surface {surface} has no map", f"the points that touch are those of {end}, '{body.name}'"
        raise ModelError(Problem(where, what, why, f'leave surface out, or surface="{end}"'))
    return end


def _places(history: BodyHistory, points: TouchingPoints, row: int) -> np.ndarray:
    """(n, 3) where points of a body are at a row, in global axes."""
    if points.index is not None:
        nodal: Any = history
        return np.asarray(nodal.nodal.x[row][points.index])
    y: np.ndarray = points.X + points.shapes @ history.z[row]
    return history.position[row] + y @ history.orientation[row].T


def _depths(
    model: Model, signals: Signals, contact: Contact, end: str, rows: np.ndarray
) -> Callable[[int, np.ndarray], np.ndarray]:
    """The function that tells how deep points (n, 3) in global axes are below a surface at one of the rows."""
    ref, side = getattr(contact, end), shape_of(model, contact, end)
    if not isinstance(side, Side):
        x, R = surface_motion(model, signals, ref, side, rows)
        rigid = BelowRigid(side)
        return lambda i, y: rigid.depths((y - x[i]) @ R[i])
    body: Any = bodies_of(model)[ref.body]
    history = body_history(model, signals, body.name, set())
    if not isinstance(body, ShapeBody):
        vertices = material_points(body, side)
        skin = BelowSkin(touched_side(contact.name, body, side, (np.zeros((0, 0)), np.zeros(3))))

        def below_skin(i: int, y: np.ndarray) -> np.ndarray:
            skin.place(_places(history, vertices, rows[i]))
            return skin.depths(y, skin.way)

        return below_skin
    touched = touched_side(contact.name, body, side, (np.eye(body.reduced.size), np.zeros(3)))
    series = BelowSeries(touched, _reach(body, side))

    def below_series(i: int, y: np.ndarray) -> np.ndarray:
        series.place(history.z[rows[i]])
        return series.depths((y - history.position[rows[i]]) @ history.orientation[rows[i]], series.way)

    return below_series


def _reach(body: Any, side: Side) -> np.ndarray:
    """(r,) how far each coordinate of a body of shape functions moves its side at most, of points all over it [m]."""
    from flexor.bodies.shape_body.surface_point import shape_surface  # loads SciPy

    found = shape_surface(body.reduced, side.side or "?")
    grid = [found.shapes(s, t)[0][1:] for s in np.linspace(*found.s, 9) for t in np.linspace(*found.t, 9)]
    return 1.5 * np.linalg.norm(np.array(grid), axis=2).max(axis=0)
