"""Mechanisms of one beam: clamped or free, with dead loads, made by hand from the parts of its declaration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from flexor.bodies.beam.beam import Beam
from flexor.bodies.body import Start
from flexor.bodies.marker import Site
from flexor.forces import PointForce, PointTorque
from flexor.law import Term
from flexor.law.coordinates import Node
from flexor.model.mechanism import Mechanism
from flexor.spatial import Pose
from tests.laws.scene import Places

CLAMPED = (0, 1, 2, 3, 4, 5)
GROUND = Node("ground", np.zeros(3), np.eye(3), np.zeros(6))


def beam_mechanism(
    beam: Beam,
    *,
    clamped: tuple[str, ...] = ("start",),
    loads: tuple[Term, ...] = (),
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    locked: tuple[int, ...] = (),
    twist: Any = (0.0,) * 6,
    more: tuple[Term, ...] = (),
) -> Mechanism:
    """The beam alone: some nodes clamped, `locked` freedoms at all nodes."""
    parts = beam.parts(Start(Pose(np.zeros(3), np.eye(3)), np.array(twist, dtype=float)))
    held = {beam.carrier(name, np.zeros(3))[0] for name in clamped}
    nodes = [replace(node, locked=CLAMPED if i in held else locked) for i, node in enumerate(parts.nodes)]
    return Mechanism(
        name=beam.name,
        nodes=(GROUND, *nodes),
        scalars=(),
        terms=(*parts.terms, *loads, *more),
        followers=(),
        gravity=gravity,
    )


def node_of(beam: Beam, marker: str) -> int:
    return 1 + beam.carrier(marker, np.zeros(3))[0]


def _load(kind: type, beam: Beam, marker: str, vector: Any, function: Any) -> Term:
    size = float(np.linalg.norm(vector))
    site = Site(node_of(beam, marker), np.zeros(3), np.eye(3))
    field = "force" if kind is PointForce else "torque"
    values = {field: size if function is None else function}
    item = kind(f"{marker} {field}", on=f"{beam.name}.{marker}", direction=tuple(vector), **values)
    (element,) = item.terms(Places(site))
    return element


def force(beam: Beam, marker: str, vector: Any, function: Any = None) -> Term:
    """A dead force [N]; with a function of time its size is that function's."""
    return _load(PointForce, beam, marker, vector, function)


def torque(beam: Beam, marker: str, vector: Any, function: Any = None) -> Term:
    """A dead torque about a fixed axis [N m]."""
    return _load(PointTorque, beam, marker, vector, function)


class Kept:
    """A sink that keeps all rows; signals by name."""

    def open(self, columns: Any, meta: Any) -> None:
        self.names, self._rows = [name for name, _ in columns], []
        self._table: np.ndarray | None = None

    def rows(self, rows: np.ndarray) -> None:
        self._rows.append(rows.copy())

    def history(self, steps: Any) -> None: ...
    def checkpoint(self, state: Any) -> None: ...
    def close(self, status: str, message: str) -> None: ...

    def __getitem__(self, name: str) -> np.ndarray:
        """A signal over time; with _x, _y, _z left out, three columns."""
        if self._table is None:
            self._table = np.concatenate(self._rows)
        table = self._table
        if name in self.names:
            return table[:, self.names.index(name)]
        return np.stack([table[:, self.names.index(f"{name}_{axis}")] for axis in "xyz"], axis=1)
