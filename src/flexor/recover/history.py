"""What recovery works on: one flexible body over time, as the pose of its frame and its coordinates z."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexor.elements.assembly.stress import nodal_stress
from flexor.errors import FlexorError, ModelError, Problem
from flexor.recover.linear_field import BodyField, LinearField
from flexor.recover.moving_energy import moving_energy
from flexor.reduce.meshed_body import MeshedBody
from flexor.reduce.reduced import ReducedBody
from flexor.reduce.surface_strain import node_motion
from flexor.shown import number, over_time
from flexor.spatial import exp_so3, log_so3
from flexor.units import Quantity, si

BATCH = 64
"""Rows that are computed together."""


class Portion(NamedTuple):
    """Operators (m, points, 6, N) on the motion of m elements of a kind.

    block, rows: where they stand in the mesh.   nodes: (m, k);  dofs: coordinates of each node, N = k dofs.
    """

    block: int
    rows: np.ndarray
    nodes: np.ndarray
    dofs: int
    operator: np.ndarray


class Series(NamedTuple):
    """Values (T,) or (T, n) over time (T,) [s], with name and SI unit."""

    values: np.ndarray
    time: np.ndarray
    name: str = ""
    unit: str = ""

    def __repr__(self) -> str:
        return over_time(self.name, self.values, self.time, self.unit)


@dataclass(frozen=True, eq=False)
class BodyHistory:
    """A reduced body at T times.

    times: (T,) [s], ascending.   position, orientation: (T, 3) [m] and R_WB (T, 3, 3) of the body frame, whose origin and
        axes are those of the mesh.   z: (T, r) coordinates of the reduced body, measured from that frame.
    twist: (T, 6) velocity of the frame's origin [m/s] and angular velocity [rad/s], global axes; rates: (T, r) ż.
        Without them, velocities are differences of the positions.
    inertia: (T, 12) what loads its mass, in the body's axes: acceleration of the frame's origin less gravity [m/s²],
        angular acceleration [rad/s²], products of the angular velocity xx, yy, zz, xy, xz, yz. With it, recovery tells
        where the reduced body lacks stress (`flexor.recover.lost_stress`).
    told: names of the bodies of which it did so; histories of one run share it.
    """

    reduced: ReducedBody
    times: np.ndarray
    position: np.ndarray
    orientation: np.ndarray
    z: np.ndarray
    twist: np.ndarray | None = None
    rates: np.ndarray | None = None
    inertia: np.ndarray | None = None
    told: set[str] = field(default_factory=set, repr=False)

    def __post_init__(self) -> None:
        T, r = len(self.times), self.n_coordinates
        wanted = {"position": (T, 3), "orientation": (T, 3, 3), "z": (T, r), "twist": (T, 6), "rates": (T, r)}
        wanted |= {"inertia": (T, 12)}
        for name, shape in wanted.items():
            array = getattr(self, name)
            if array is not None and np.shape(array) != shape:
                what = f"{name} has the shape {np.shape(array)}"
                raise ModelError(Problem(self.where, what, f"{T} times and {r} coordinates need {shape}"))
        if not T or np.any(np.diff(self.times) <= 0):
            what = "there is no row" if not T else "the times do not ascend"
            raise ModelError(Problem(self.where, what, "a history has one row per time", "record the run again"))

    def __len__(self) -> int:
        """Number of times."""
        return len(self.times)

    def __repr__(self) -> str:
        spans = f"{number(self.times[0])} … {number(self.times[-1])} s"
        about = f"{self.n_coordinates} coordinates, {len(self.reduced.nodes)} nodes"
        return f"{self.where}: {len(self)} times, {spans}, {about}"

    @property
    def n_coordinates(self) -> int:
        """Number of coordinates r."""
        return self.reduced.size

    @property
    def where(self) -> str:
        """How messages call it."""
        return f"body '{self.reduced.name}'"

    def batches(self) -> Iterator[slice]:
        """The rows, some after the other, so that what is computed of them takes little memory."""
        return (slice(begin, begin + BATCH) for begin in range(0, len(self), BATCH))

    def weights(self, time: Quantity | None = None) -> tuple[int, int, float]:
        """(i, j, w): the state at a time ("12 ms" or seconds) is (1 − w) of row i and w of row j, a straight line.

        Of a single row, as in an equilibrium, no time is needed.
        """
        if time is None:
            if len(self) == 1:
                return 0, 0, 0.0
            why = f"the history has {len(self)} rows from {self.times[0]:.6g} to {self.times[-1]:.6g} s"
            raise FlexorError(Problem(self.where, "no time is given", why, f'e.g. "{self.times[-1]:.6g} s"'))
        t = float(si(time, "time"))
        first, last = float(self.times[0]), float(self.times[-1])
        slack = 1e-9 * max(abs(first), abs(last), last - first)
        if not first - slack <= t <= last + slack:
            what = f"there is no state at t = {t:.6g} s"
            raise FlexorError(Problem(self.where, what, f"the history covers {first:.6g} … {last:.6g} s"))
        j = int(np.clip(np.searchsorted(self.times, t), min(1, len(self) - 1), len(self) - 1))
        i = max(j - 1, 0)
        if i == j:
            return i, j, 0.0
        return i, j, float(np.clip((t - self.times[i]) / (self.times[j] - self.times[i]), 0.0, 1.0))

    def coordinates(self, time: Quantity | None = None) -> np.ndarray:
        """(r,) z at a time, linear between the rows; whatever is linear in z is linear between them, too."""
        i, j, w = self.weights(time)
        return (1 - w) * self.z[i] + w * self.z[j]

    def displacement(self, time: Quantity | None = None, relative_to: str | None = None) -> np.ndarray:
        """(n_nodes, 6) displacement [m] and rotation [rad] of all nodes.

        Against the body frame and in its axes; where that frame is depends on the formulation of the body. With
        relative_to, the name of an interface: against the mesh as its connection node carries it along, and in its axes.
        """
        i, j, w = self.weights(time)
        first = self.deformed(i, relative_to)
        return first if i == j else (1 - w) * first + w * self.deformed(j, relative_to)

    def deformed(self, row: int, relative_to: str | None = None) -> np.ndarray:
        """(n_nodes, 6) the same at a row."""
        u = self._deformed(row)
        if relative_to is None:
            return u
        X, (d,), (Q,) = self._interface(relative_to, [row])
        turns = np.all(self.reduced.node_dofs[:, 3:] >= 0, axis=1)
        arm = self.reduced.nodes - X
        found = np.zeros_like(u)
        found[:, :3] = (arm + u[:, :3] - d) @ Q - arm  # Qᵀ(x + u − x_k − d_k) − (x − x_k),  Q = exp ψ_k   (23.3a)
        found[turns, 3:] = log_so3(Q.T @ exp_so3(u[turns, 3:]))
        return found

    def points(self, row: int, exaggeration: float = 1.0, relative_to: str | None = None) -> np.ndarray:
        """(n_nodes, 3) where the nodes are in global axes [m] at a row, deformation (from relative_to) multiplied."""
        (x,), (R,) = self.frame(relative_to, [row])
        return x + (self.reduced.nodes + exaggeration * self.deformed(row, relative_to)[:, :3]) @ R.T

    def displacement_at(self, node: int, relative_to: str | None = None) -> Series:
        """(T, 3) displacement of a node over time, as `displacement` has it [m]."""
        i = node_index(self.reduced, node)
        u = self._path(i)
        if relative_to is not None:
            X, d, Q = self._interface(relative_to, slice(None))
            arm = self.reduced.nodes[i] - X
            u = turn(np.swapaxes(Q, 1, 2), arm + u - d) - arm
        against = f" relative to {relative_to}" if relative_to else ""
        return Series(u, self.times, f"{self.reduced.name}.displacement at node {node}{against}", "m")

    def frame(
        self, relative_to: str | None = None, rows: slice | np.ndarray | list[int] = slice(None)
    ) -> tuple[np.ndarray, np.ndarray]:
        """Origin (T, 3) and axes (T, 3, 3) of the undeformed mesh in the body frame, or carried along by an interface."""
        x, R = self.position[rows], self.orientation[rows]
        if relative_to is None:
            return x, R
        X, d, Q = self._interface(relative_to, rows)
        return x + turn(R, X + d) - R @ Q @ X, R @ Q

    def _interface(
        self, interface: str, rows: slice | np.ndarray | list[int]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Place (3,) of a connection node, its displacement (T, 3) and rotation (T, 3, 3) against the body frame."""
        X = self.reduced.at(interface)
        return X, *self._connection(self.reduced.interfaces.index(interface), rows)

    def _deformed(self, row: int) -> np.ndarray:
        """(n_nodes, 6) displacements and rotations against the body frame."""
        return self.reduced.displacement(self.z[row])

    def _path(self, index: int) -> np.ndarray:
        """(T, 3) displacement of a node against the body frame."""
        dofs = self.reduced.node_dofs[index, :3]
        return self.z @ np.where(dofs[:, None] >= 0, self.reduced.shapes[dofs], 0.0).T

    def _connection(self, k: int, rows: slice | np.ndarray | list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Displacement (T, 3) and rotation (T, 3, 3) of a connection node against the body frame."""
        motion = self.z[rows] @ self.reduced.at_connections[6 * k : 6 * k + 6].T
        return motion[:, :3], exp_so3(motion[:, 3:])

    def modes_of(self, portions: Sequence[Portion]) -> LinearField:
        """Of what operators on the elements' own motion give, site by site."""
        found = [np.zeros((0, 6, self.reduced.size))]
        for part in portions:
            m, count, c, N = part.operator.shape
            motion = node_motion(self.reduced, part.nodes)[:, :, : part.dofs].reshape(m, N, -1)
            found.append((part.operator.reshape(m, -1, N) @ motion).reshape(m * count, c, -1))
        return BodyField(np.concatenate(found))

    def nodal_modes(self, quantity: str, surface: str) -> tuple[LinearField, np.ndarray]:
        """Averages at the nodes that have "stress" or "strain", and which these are."""
        reduced = self.reduced
        if quantity == "stress" and surface == "top":
            modes = reduced.stress_modes
        else:
            model, u = reduced.strained()
            modes = nodal_stress(model, u, quantity=quantity, surface=surface)  # type: ignore[arg-type]
            modes *= reduced.stiffening if quantity == "stress" else 1.0
        rows = np.flatnonzero(np.isfinite(modes[:, 0, 0])) if modes.shape[2] else np.zeros(0, dtype=int)
        leading = np.array_equal(rows, np.arange(len(rows)))  # connection nodes come last: a view will do
        return BodyField(modes[: len(rows)] if leading else modes[rows]), rows

    def strain_energy(self) -> np.ndarray:
        """(T,) ½ zᵀ K z [J].   FTG (9.4)"""
        return 0.5 * np.einsum("ti,ij,tj->t", self.z, self.reduced.K, self.z, optimize=True)

    def kinetic_energy(self) -> np.ndarray:
        """(T,) ½ ∫ρ |v + ω × (x + Sz) + Sż|² [J]: the frame carries the deformed body, which moves in it.

        Velocities are those of the history, or differences of its positions.
        """
        return moving_energy(self.reduced, self.z, *self.motion)

    @cached_property
    def motion(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Velocity of the origin (T, 3), angular velocity (T, 3), both in the body's axes, and ż (T, r)."""
        to_body = np.swapaxes(self.orientation, 1, 2)
        if self.twist is not None and self.rates is not None:
            v, omega = self.twist[:, :3], self.twist[:, 3:]
            return turn(to_body, v), turn(to_body, omega), self.rates
        if len(self) < 3:
            why, fix = f"differences need 3 rows, there are {len(self)}", "record more rows, or velocities"
            raise ModelError(Problem(self.where, "its velocities are not known", why, fix))
        v = np.gradient(self.position, self.times, axis=0, edge_order=2)
        spin = log_so3(np.swapaxes(self.orientation[:-1], 1, 2) @ self.orientation[1:])
        spin = spin / np.diff(self.times)[:, None]  # mean of the interval, in the body's axes
        middle = 0.5 * (self.times[1:] + self.times[:-1])
        omega = np.stack([_line_through(self.times, middle, column) for column in spin.T], axis=1)
        return turn(to_body, v), omega, np.gradient(self.z, self.times, axis=0, edge_order=2)


def node_index(reduced: MeshedBody, node: int) -> int:
    """Index of the node with a number."""
    found = np.flatnonzero(reduced.node_ids == node)
    if not len(found):
        near = reduced.node_ids[np.argsort(np.abs(reduced.node_ids - node), kind="stable")[:3]]
        fix = f"near that number there are {', '.join(map(str, near))}"
        raise ModelError(Problem(f"body '{reduced.name}'", f"it has no node {node}", "", fix))
    return int(found[0])


def turn(R: np.ndarray, v: np.ndarray) -> np.ndarray:
    """(T, 3) vectors v turned by R (T, 3, 3)."""
    return np.einsum("tij,tj->ti", R, v)


def _line_through(times: np.ndarray, middle: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values at times from values in the middle of the intervals, extended in a straight line at both ends."""
    first = values[0] + (values[1] - values[0]) / (middle[1] - middle[0]) * (times[0] - middle[0])
    last = values[-1] + (values[-1] - values[-2]) / (middle[-1] - middle[-2]) * (times[-1] - middle[-1])
    return np.concatenate([[first], np.interp(times[1:-1], middle, values), [last]])
