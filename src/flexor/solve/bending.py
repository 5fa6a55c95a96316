"""How far reduced bodies bend, the displacements of a sample of nodes without their best rigid motion, and twist.

An arc of the length L that turns by φ has the rise φL/8; a beam clamped at one end and bent so deflects by four times that rise.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from flexor.bodies import DeformableBody
from flexor.bodies.floating.formulation import Floating
from flexor.bodies.formulations import FormulationClass
from flexor.bodies.superelement.formulation import Superelement
from flexor.engine.system import System
from flexor.law.table import AddressTable
from flexor.reduce.reduced import ReducedBody
from flexor.solve.looks import BentTable, bend, in_lanes
from flexor.solve.strut import Numbers

BENT = 0.2
"""Deflection over length, as of a body clamped at one end, beyond which a linear body is told of."""
TURNED = 1.0
"""Turn of two interfaces of a superelement against each other beyond which it is told of [rad]."""
SAMPLE = 100
"""Nodes that are looked at."""


class Bending:
    """Bodies with equally many coordinates, in which their deformation is linear."""

    def __init__(self, bodies: list[DeformableBody], system: System, numbers: Numbers) -> None:
        self.bodies, self.bent, self.turned = bodies, np.zeros(len(bodies)), np.zeros(len(bodies))
        first: dict[tuple[int, ...], ReducedBody] = {}  # bodies that differ in name alone have the arrays of one
        own = [body.reduced for body in bodies]
        alike = [first.setdefault((id(each.shapes), id(each.nodes), id(each.node_dofs)), each) for each in own]
        lengths, shapes = zip(*(_bending(reduced) for reduced in alike))
        modes = np.array([numbers.modes.get(body.name, []) for body in bodies], dtype=np.int64)
        nodes = self.nodes(numbers)
        self._table = AddressTable(BentTable, system.python)
        self._known = nodes is not None
        if nodes is None:
            return
        shapes = self.own_shapes(shapes)
        different = {id(each): each for each in shapes}
        begins = dict(zip(different, np.cumsum([0, *(each.size for each in different.values())])))
        for name, values in {
            "counts": np.array([len(bodies), nodes.shape[1], modes.shape[1]]),
            "nodes": nodes,
            "scalars": modes,
            "points": np.array([each.points - each.points[0] for each in own]) if nodes.size else np.zeros(0),
            "strips": np.array([each.shape[1] for each in shapes]),
            "begins": np.array([begins[id(each)] for each in shapes]),
            "shapes": np.concatenate([each.ravel() for each in different.values()]),
            "lengths": np.array(lengths),
            "z": np.zeros(6 * nodes.shape[1] + modes.shape[1]),
            "bent": self.bent,
            "turned": self.turned,
        }.items():
            self._table.set(name, values)
        self._table.set("system", system.table)
        self._table.set_kernel("bend", bend)

    def own_shapes(self, shapes: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Of each body those of its own coordinates, as they are in its table."""
        return shapes

    def nodes(self, numbers: Numbers) -> np.ndarray | None:
        """(bodies, points) whose motions are coordinates; None where they are not known."""
        return np.zeros((len(self.bodies), 0), dtype=np.int64)

    def look(self) -> None:
        """Keep the most that each bends."""
        if self._known:
            self._table.call("bend")

    def complaints(self) -> list[str]:
        return [
            f"body '{body.name}': it bends as much as a beam clamped at one end that deflects by "
            f"{100 * bent:.0f} % of its length; its modes are linear and hold up to about 10 %. Divide it into several "
            "bodies joined by Fixed, or use fx.Beam or formulation: full_mesh"
            for body, bent in zip(self.bodies, self.bent)
            if bent > BENT
        ] + [
            f"body '{body.name}': two of its interfaces turn by {np.degrees(turned):.0f}° against each other; its co-rotated frame follows a twist of up to about 60°, and "
            "beyond half a turn its torque changes sign. Divide it into several bodies joined by Fixed, or use fx.Beam or formulation: full_mesh"
            for body, bent, turned in zip(self.bodies, self.bent, self.turned)
            if turned > TURNED and bent <= BENT
        ]


class _OfSuperelements(Bending):
    def nodes(self, numbers: Numbers) -> np.ndarray | None:
        found = []
        for body in self.bodies:
            own, names = numbers.points.get(body.name, {}), body.reduced.interfaces
            known = all(name in own for name in names)
            if not known or 6 * len(names) + len(numbers.modes.get(body.name, ())) != body.reduced.size:
                return None
            found.append([own[name] for name in names])
        return np.array(found, dtype=np.int64)


class _OfFloating(Bending):
    def own_shapes(self, shapes: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        at_work = [body.realisation for body in self.bodies]
        modes = [each.modes for each in at_work if isinstance(each, Floating)]
        keys = [(id(each), id(own)) for each, own in zip(shapes, modes, strict=True)]
        found = {
            key: np.ascontiguousarray(np.einsum("acrl,rm->acml", each, own))
            for key, each, own in dict(zip(keys, zip(keys, shapes, modes))).values()
        }
        return tuple(found[key] for key in keys)


BENDING: dict[FormulationClass, type[Bending]] = {Superelement: _OfSuperelements, Floating: _OfFloating}
"""Formulations of linear theory, and how the coordinates of their shapes are found."""


def alike_in(bodies: list[DeformableBody], numbers: Numbers) -> list[list[DeformableBody]]:
    """Bodies of one formulation with as many interfaces and modes."""
    found: dict[object, list[DeformableBody]] = {}
    for body in bodies:
        modes = len(numbers.modes.get(body.name, ()))
        found.setdefault((body.formulation_class, len(body.reduced.interfaces), modes), []).append(body)
    return list(found.values())


_SHAPES: WeakKeyDictionary[ReducedBody, tuple[float, np.ndarray]] = WeakKeyDictionary()


def _bending(reduced: ReducedBody) -> tuple[float, np.ndarray]:
    """Length, and displacements of a sample of nodes (`in_lanes`) by the shapes without their rigid motion; found once."""
    if reduced not in _SHAPES:
        own = np.flatnonzero(np.all(reduced.node_dofs[:, :3] >= 0, axis=1))
        chosen = own[:: max(1, len(own) // SAMPLE)]
        shapes = reduced.shapes[reduced.node_dofs[chosen, :3].ravel()]
        rigid = _rigid(reduced.nodes[chosen])
        left = shapes - rigid @ np.linalg.lstsq(rigid, shapes, rcond=None)[0]
        by_axes = left.reshape(len(chosen), 3, -1).transpose(1, 0, 2).reshape(left.shape)
        _SHAPES[reduced] = reduced.length, in_lanes(by_axes)
    return _SHAPES[reduced]


def _rigid(x: np.ndarray) -> np.ndarray:
    """(3n, 6) rigid displacements of points."""
    columns = [np.tile(e, len(x)) for e in np.eye(3)] + [np.cross(e, x - x.mean(axis=0)).ravel() for e in np.eye(3)]
    return np.array(columns).T
