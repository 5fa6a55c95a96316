"""Pressure over the surfaces of a contact: at an instant, or the highest that each place has seen in a run.

Hertz's ellipses, or half ellipses over the slices of a line, are laid on the surface where the bodies stood at the recorded times. Between two rows in
which a place is touched the patch is taken to move on evenly.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.contact.chart import Chart, chart_of
from flexor.contact.contact import Contact
from flexor.contact.contacts import Contacts
from flexor.contact.pressed_places import PressedPlaces, pressed_places
from flexor.contact.surfaces import SURFACES
from flexor.errors import ModelError, Problem
from flexor.io.vtu import write_vtu
from flexor.mesh.mesh import Block, Mesh
from flexor.mistakes import suggestion
from flexor.results.pressure_table import write_pressures
from flexor.results.side_pressure import SidePressure, side_pressure
from flexor.results.surface_motion import shape_of, surface_motion
from flexor.units import Quantity, measured
from flexor.warning import warn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexor.model import Model
    from flexor.recover.from_signals import Signals

MARGIN = 1.15
"""Of the window around what is pressed."""
FINEST = 0.5
"""Way of a patch from one picture of it to the next, in parts of its half width."""
MOST = 200
"""Pictures of a patch between two rows."""


class PressureUnknown(UserWarning):
    """A part of a contact force has no pressure: an edge touched, where Hertz's theory has no answer."""


@dataclass(frozen=True, eq=False)
class PressureMap:
    """Pressure on a surface of a contact over a grid of its two parameters.

    s, t: values of the parameters, with names and units.   pressure: (len(s), len(t)) [Pa].
    points: (len(s), len(t), 3) of the surface in the axes of its marker [m].   areas: that each grid point stands for [m²].
    time: the instant [s]; None: the highest of all recorded times, within the cell of each grid point.
    """

    contact: str
    surface: str
    names: tuple[str, str]
    units: tuple[str, str]
    s: np.ndarray
    t: np.ndarray
    pressure: np.ndarray
    points: np.ndarray
    areas: np.ndarray
    time: float | None

    @property
    def peak(self) -> float:
        """The highest pressure [Pa]."""
        return float(self.pressure.max())

    @property
    def force(self) -> float:
        """∫ p dA over the map [N]: at an instant the normal force, to within the grid."""
        return float(np.sum(self.pressure * self.areas))

    def plot(self, file: str | Path | None = None) -> Figure:
        """Draw it: to an image file, or in a window."""
        from flexor.results.pressure_plot import plot_pressure  # loads matplotlib

        return plot_pressure(self, file)

    def to_csv(self, path: str | Path) -> Path:
        """Write parameters, places in the axes of the marker and pressures as comma-separated values."""
        s, t = np.meshgrid(self.s, self.t, indexing="ij")
        rows = np.column_stack([s.ravel(), t.ravel(), self.points.reshape(-1, 3), self.pressure.ravel()])
        units = (*self.units, "m", "m", "m", "Pa")
        return write_pressures(path, [*zip((*self.names, *"xyz", "pressure"), units, strict=True)], rows)

    def to_vtu(self, path: str | Path) -> Path:
        """Write the surface with its pressure for ParaView, in the axes of its marker."""
        n, m = self.pressure.shape
        corner = (np.arange(n - 1)[:, None] * m + np.arange(m - 1)).ravel()
        nodes = np.column_stack([corner, corner + m, corner + m + 1, corner + 1])
        mesh = Mesh(
            self.points.reshape(-1, 3), np.arange(1, n * m + 1), (Block("shell4", nodes, np.arange(1, len(nodes) + 1)),)
        )
        return write_vtu(path, mesh, {"pressure": self.pressure.ravel()})

    def __repr__(self) -> str:
        when = "highest of the run" if self.time is None else f"at {self.time:g} s"
        return f"<pressure of '{self.contact}' on surface {self.surface}, {when}: up to {self.peak:.4g} Pa>"


def pressure_map(
    model: Model,
    signals: Signals,
    name: str,
    surface: str | None,
    time: Quantity | None,
    grid: tuple[int, int],
    coupled: bool,
) -> PressureMap | SidePressure:
    """See `Run.pressure_map`."""
    where = f"pressure of '{name}'"
    contact = _contact(model, name, where)
    over_side = bool(contact.over_surfaces)
    if not over_side:
        _check_elastic(contact, where)
    _check(where, surface, grid)
    all_times = np.asarray(signals["time"], dtype=float)
    rows = np.arange(len(all_times)) if time is None else _row(where, all_times, measured(time, "time"))
    at = None if time is None else float(all_times[rows[0]])
    total = np.asarray(signals[f"{name}.normal_force"], dtype=float)[rows]
    if not np.any(total > 0):
        when = "at any recorded time" if at is None else f"at {at:g} s"
        fix = "record more rows, or choose another time"
        raise ModelError(Problem(where, f"its surfaces do not touch {when}", "", fix))
    rows, total = rows[total > 0], total[total > 0]
    if over_side:
        if coupled:
            what, why = "coupled=True asks for slices of a line", "nodes are coupled by the body itself"
            raise ModelError(Problem(where, what, why, "leave out coupled"))
        return side_pressure(model, signals, contact, surface, rows, at)
    shapes, surface = [shape_of(model, contact, end) for end in "ab"], surface or "a"
    places = pressed_places(contact, shapes, *_relative_pose(model, signals, contact, shapes, rows))
    N = places.force * (total / np.maximum(places.force.sum(axis=1), 1e-300))[:, None]
    _tell_unknown(where, N, places)
    N = _coupled(where, contact.law, places, N) if coupled else N
    shape = shapes["ab".index(surface)]
    chart, patches = _patches(places, N, shape, surface, where)
    s, t = (_axis(patches, i, chart, count) for i, count in enumerate(grid))
    cell = (s[1] - s[0], t[1] - t[0]) if time is None else (0.0, 0.0)
    pressure = np.zeros((len(s), len(t)))
    for patch in _moving(patches, time is None):
        _lay(pressure, patch, s, t, cell, chart.periods, places.slice > 0)
    S, T = np.meshgrid(s, t, indexing="ij")
    along, over = chart.tangents(S, T)
    areas = np.linalg.norm(np.cross(along, over), axis=-1) * (s[1] - s[0]) * (t[1] - t[0])
    points = chart.at(S, T) @ SURFACES[type(shape)].axes(shape).T + np.array(shape.at)
    return PressureMap(name, surface, chart.names, chart.units, s, t, pressure, points, areas, at)


def _contact(model: Model, name: str, where: str) -> Contact:
    contacts = {item.name: item for item in model.items if isinstance(item, Contact)}
    if any(item.name == name for item in model.items if isinstance(item, Contacts)):
        what, why = "it is an fx.Contacts, which has no map of pressures", "it tells sums over all its pairs"
        raise ModelError(Problem(where, what, why, "let the two surfaces touch by an fx.Contact of their own"))
    if name not in contacts:
        raise ModelError(Problem(where, "there is no such contact", "", suggestion(name, list(contacts), "there are")))
    return contacts[name]


def _check_elastic(contact: Contact, where: str) -> None:
    """Refused where rigid surfaces have no material."""
    if not contact.law.elastic:
        why = "a penalty stiffness has neither a material nor an area over which the force is spread"
        fix = "use law: {type: hertz, material: steel}, or hertz_line for rollers"
        raise ModelError(Problem(where, f"its law is {contact.law.type}, which knows no pressure", why, fix))


def _check(where: str, surface: str | None, grid: tuple[int, int]) -> None:
    if surface not in (None, "a", "b"):
        raise ModelError(Problem(where, f"surface {surface!r} is unknown", "a contact has two", 'surface="a" or "b"'))
    if len(grid) != 2 or min(grid) < 2 or grid[0] * grid[1] > 10**7:
        what = f"grid {grid!r} cannot be used"
        raise ModelError(Problem(where, what, "it counts points along both parameters", "e.g. grid=(200, 100)"))


def _row(where: str, times: np.ndarray, time: float) -> np.ndarray:
    """The row nearest to a time of the run."""
    slack = 1e-9 * float(np.ptp(times))
    if not times[0] - slack <= time <= times[-1] + slack:
        what = f"there is nothing at {time:g} s: the run goes from {times[0]:g} to {times[-1]:g} s"
        raise ModelError(Problem(where, what, "", "choose a time of the run"))
    return np.array([int(np.argmin(np.abs(times - time)))])


def _relative_pose(
    model: Model, signals: Signals, contact: Contact, shapes: list[Any], rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pose of b's axes in a's at rows."""
    x, R = zip(
        *(surface_motion(model, signals, *each, rows) for each in zip((contact.a, contact.b), shapes, strict=True)),
        strict=True,
    )
    back = np.swapaxes(R[0], 1, 2)
    return (back @ (x[1] - x[0])[..., None])[..., 0], back @ R[1]


def _coupled(where: str, law: Any, places: PressedPlaces, N: np.ndarray) -> np.ndarray:
    """Loads of slices that press each other down."""
    if places.slice == 0 or N.shape[1] < 3:
        fix = "use law: {type: hertz_line, slices: 20, …} for rollers, or leave out coupled"
        raise ModelError(
            Problem(where, "coupled=True asks for slices of a line, of which there are fewer than three", "", fix)
        )
    widest = float((places.minor * np.sqrt(N)).max())
    if widest > places.slice:
        what = f"its slices ({places.slice:.3g} m) are narrower than half of the strip that is pressed ({widest:.3g} m)"
        fix = f"use at most {int(law.length / widest)} slices, or leave out coupled"
        raise ModelError(Problem(where, what, "coupled slices are taken for longer than they are wide", fix))
    return places.coupled(law.modulus, N)


def _tell_unknown(where: str, N: np.ndarray, places: PressedPlaces) -> None:
    lost = np.where(places.minor > 0, 0.0, N).sum(axis=1)
    if lost.max() > 1e-3 * N.sum(axis=1).max():
        warn(
            f"{where}: up to {lost.max():.3g} N act at an edge, a corner or a flat, where Hertz's theory knows no pressure; they are not in the "
            "map. Round the edge, or use law: {type: hertz_line, …} where surfaces touch along a line",
            PressureUnknown,
        )


@dataclass(frozen=True, eq=False)
class _Patch:
    """One place over T rows: centre (T, 2), its half axes along both parameters' directions as lengths, peak pressure."""

    row: np.ndarray
    center: np.ndarray
    scale: np.ndarray
    """(T, 2) |∂x/∂s|, |∂x/∂t|"""
    turn: np.ndarray
    """(T,) angle of the half axis a from the direction of s"""
    axes: np.ndarray
    """(T, 2) a, b"""
    p0: np.ndarray

    @property
    def reach(self) -> np.ndarray:
        """(T, 2) half sides of the box around it, in the parameters"""
        a, b = self.axes.T
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.column_stack([np.hypot(a * c, b * s), np.hypot(a * s, b * c)]) / self.scale


def _patches(places: PressedPlaces, N: np.ndarray, shape: Any, surface: str, where: str) -> tuple[Chart, list[_Patch]]:
    p0, a, b = places.half_axes(N)
    x, way = places.point, places.way
    if surface == "b":
        x = np.einsum("tji,tpj->tpi", places.R, x - places.p[:, None])
        way = np.einsum("tji,tpj->tpi", places.R, way)
    on = p0 > 0
    if not on.any():
        raise ModelError(Problem(where, "its pressure is not known anywhere", "edges or flats touch", "round them"))
    chart = chart_of(shape, x[on].mean(axis=0))
    if chart is None:
        what = f"surface {surface} is a {shape.type}, which has no two parameters to map it over"
        other = "b" if surface == "a" else "a"
        raise ModelError(Problem(where, what, "", f'map it on the other one, surface="{other}"'))
    found = []
    for k in range(on.shape[1]):
        rows = np.flatnonzero(on[:, k])
        if not len(rows):
            continue
        s, t = chart.of(x[rows, k])
        for values, period in ((s, chart.periods[0]), (t, chart.periods[1])):
            if np.isfinite(period):
                values[:] = np.unwrap(values, period=period)
        along, over = chart.tangents(s, t)
        scale = np.column_stack([np.linalg.norm(along, axis=1), np.linalg.norm(over, axis=1)])
        u = np.sum(way[rows, k] * along, axis=1) / scale[:, 0]
        v = np.sum(way[rows, k] * over, axis=1) / scale[:, 1]
        turn = np.unwrap(np.arctan2(v, u), period=np.pi)
        axes = np.column_stack([a[rows, k], b[rows, k]])
        found.append(_Patch(rows, np.column_stack([s, t]), scale, turn, axes, p0[rows, k]))
    return chart, found


def _axis(patches: list[_Patch], i: int, chart: Chart, count: int) -> np.ndarray:
    """Grid of a parameter around all that is pressed; once round if that is most of a turn."""
    low = np.concatenate([each.center[:, i] - MARGIN * each.reach[:, i] for each in patches])
    high = np.concatenate([each.center[:, i] + MARGIN * each.reach[:, i] for each in patches])
    period = chart.periods[i]
    if not np.isfinite(period):
        return np.linspace(low.min(), high.max(), count)
    middle = 0.5 * (low + high)
    angle = 2 * np.pi * middle / period
    mean = float(np.arctan2(np.sin(angle).mean(), np.cos(angle).mean())) * period / (2 * np.pi)
    shift = np.round((middle - mean) / period) * period
    begin, end = float((low - shift).min()), float((high - shift).max())
    if end - begin > 0.9 * period or np.ptp(middle) > 0.9 * period:
        return np.linspace(mean - 0.5 * period, mean + 0.5 * period, count)
    return np.linspace(begin, end, count)


def _moving(patches: list[_Patch], between: bool) -> Any:
    """(centre, scale, turn, a, b, p₀) of all patches, and of those on the way from row to row."""
    for each in patches:
        n = len(each.row)
        for i in range(n):
            steps = 1
            if between and i + 1 < n and each.row[i + 1] == each.row[i] + 1:
                way = np.abs(each.center[i + 1] - each.center[i]) / each.reach[i]
                steps = int(np.clip(np.ceil(way.max() / FINEST), 1, MOST))
            for j in range(steps):
                share, k = j / steps, min(i + 1, n - 1)
                mixed = [
                    (1 - share) * values[i] + share * values[k]
                    for values in (each.center, each.scale, each.turn, each.axes, each.p0)
                ]
                yield mixed


def _lay(
    pressure: np.ndarray, patch: Any, s: np.ndarray, t: np.ndarray, cell: tuple[float, float],
    periods: tuple[float, float], strip: bool,
) -> None:  # fmt: skip
    """Raise the pressure of a grid to that of a patch; cell: size within which the highest is taken."""
    center, scale, turn, (a, b), p0 = patch
    c, d = np.cos(turn), np.sin(turn)
    if strip:
        reach = np.array([abs(a * c) + abs(b * d), abs(a * d) + abs(b * c)]) / scale
    else:
        reach = np.array([np.hypot(a * c, b * d), np.hypot(a * d, b * c)]) / scale
    for x in _images(center[0], s, reach[0] + cell[0], periods[0]):
        for y in _images(center[1], t, reach[1] + cell[1], periods[1]):
            i = slice(*np.searchsorted(s, (x - reach[0] - cell[0], x + reach[0] + cell[0])))
            j = slice(*np.searchsorted(t, (y - reach[1] - cell[1], y + reach[1] + cell[1])))
            u = _nearest(s[i] - x, cell[0])[:, None] * scale[0]
            v = _nearest(t[j] - y, cell[1])[None, :] * scale[1]
            along, over = (c * u + d * v) / a, (c * v - d * u) / b
            if strip:
                inside = np.where(np.abs(along) <= 1.0, 1.0 - over**2, 0.0)
            else:
                inside = 1.0 - along**2 - over**2
            np.maximum(pressure[i, j], p0 * np.sqrt(np.maximum(inside, 0.0)), out=pressure[i, j])


def _nearest(way: np.ndarray, cell: float) -> np.ndarray:
    """Ways from the centre of a patch to the nearest points of cells."""
    return np.sign(way) * np.maximum(np.abs(way) - 0.5 * cell, 0.0)


def _images(at: float, grid: np.ndarray, reach: float, period: float) -> list[float]:
    """A centre, and itself a turn further, as far as they reach into the grid."""
    if not np.isfinite(period):
        return [at]
    first = int(np.ceil((grid[0] - reach - at) / period))
    last = int(np.floor((grid[-1] + reach - at) / period))
    return [at + k * period for k in range(first, last + 1)]
