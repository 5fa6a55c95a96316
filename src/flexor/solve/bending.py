"""How far reduced bodies bend: the displacements of a sample of nodes without their best rigid motion.

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
from flexor.reduce.reduced import ReducedBody
from flexor.solve.strut import Numbers
from flexor.spatial import log_so3

BENT = 0.2
"""Deflection over length, as of a body clamped at one end, beyond which a linear body is told of."""
SAMPLE = 100
"""Nodes that are looked at."""


class Bending:
    """Bodies with equally many coordinates, in which their deformation is linear."""

    def __init__(self, bodies: list[DeformableBody], numbers: Numbers) -> None:
        self.bodies = bodies
        modes = [numbers.modes.get(body.name, []) for body in bodies]
        self.scalars = np.array(modes, dtype=int).reshape(len(bodies), -1)
        first: dict[tuple[int, ...], ReducedBody] = {}  # bodies that differ in name alone have the arrays of one
        own = [body.reduced for body in bodies]
        alike = [first.setdefault((id(each.shapes), id(each.nodes), id(each.node_dofs)), each) for each in own]
        lengths, shapes = zip(*(_bending(reduced) for reduced in alike))
        self.lengths, self.shapes = np.array(lengths), self.own_shapes(shapes)
        self.bent = np.zeros(len(bodies))

    def own_shapes(self, shapes: tuple[np.ndarray, ...]) -> list[tuple[np.ndarray, np.ndarray]]:
        """(numbers of bodies, shapes of samples of their nodes): of each body, as many of all, or of one where it is that of all."""
        alike: dict[int, list[int]] = {}
        for i, each in enumerate(shapes):
            alike.setdefault(len(each), []).append(i)
        return [
            (
                np.array(numbers),
                np.stack([shapes[i] for i in numbers])
                if len({id(shapes[i]) for i in numbers}) > 1
                else shapes[numbers[0]],
            )
            for length, numbers in alike.items()
            if length
        ]

    def coordinates(self, system: System) -> np.ndarray | None:
        """(bodies, r) what multiplies the shapes in the present state; None where it is not known."""
        return np.asarray(system.memory.s.reshape(-1, 3)[self.scalars, 0])

    def bend(self, system: System) -> None:
        z = self.coordinates(system)
        if z is None:
            return
        for these, shapes in self.shapes:
            own = z[these]
            u = own @ shapes.T if shapes.ndim == 2 else np.matmul(shapes, own[:, :, None])
            u = u.reshape(len(these), 3, -1)
            spans = u.max(axis=2) - u.min(axis=2)
            self.bent[these] = np.maximum(
                self.bent[these], 4.0 * np.sqrt((spans * spans).sum(axis=1)) / self.lengths[these]
            )

    def complaints(self) -> list[str]:
        return [
            f"body '{body.name}': it bends as much as a beam clamped at one end that deflects by "
            f"{100 * bent:.0f} % of its length; its modes are linear and hold up to about 10 %. Divide it into several "
            "bodies joined by Fixed, or use fx.Beam or formulation: full_mesh"
            for body, bent in zip(self.bodies, self.bent)
            if bent > BENT
        ]


class _OfSuperelements(Bending):
    def __init__(self, bodies: list[DeformableBody], numbers: Numbers) -> None:
        super().__init__(bodies, numbers)
        names = [body.reduced.interfaces for body in bodies]
        points = [numbers.points.get(body.name, {}) for body in bodies]
        known = all(name in each for each, own in zip(points, names) for name in own)
        self.nodes = np.array([[each[name] for name in own] for each, own in zip(points, names)]) if known else None
        self.points = np.array([body.reduced.points - body.reduced.points[0] for body in bodies])

    def coordinates(self, system: System) -> np.ndarray | None:
        q = super().coordinates(system)
        if self.nodes is None or q is None or 6 * self.nodes.shape[1] + q.shape[1] != self.bodies[0].reduced.size:
            return None
        x, R = system.nodes("x")[self.nodes], system.memory.R.reshape(-1, 3, 3)[self.nodes]
        base = R[:, 0]
        moved = (x - x[:, :1]) @ base - self.points
        turned = _turned(np.swapaxes(base, 1, 2)[:, None] @ R)
        return np.concatenate([np.concatenate([moved, turned], axis=2).reshape(len(q), -1), q], axis=1)


def _turned(R: np.ndarray) -> np.ndarray:
    """Rotation vectors of rotations (…, 3, 3); mostly of less than 90°, which have sin φ n = ½ vee(R − Rᵀ)."""
    words = R.reshape(*R.shape[:-2], 9)
    if (words[..., 0] + words[..., 4] + words[..., 8]).min() < 1.0:
        return log_so3(R)
    w = 0.5 * (words.take((7, 2, 3), axis=-1) - words.take((5, 6, 1), axis=-1))
    sine = np.sqrt((w * w).sum(axis=-1, keepdims=True))
    return np.asarray(w * (np.arcsin(np.minimum(sine, 1.0)) / np.maximum(sine, 1e-300)))


class _OfFloating(Bending):
    def own_shapes(self, shapes: tuple[np.ndarray, ...]) -> list[tuple[np.ndarray, np.ndarray]]:
        at_work = [body.realisation for body in self.bodies]
        modes = [each.modes for each in at_work if isinstance(each, Floating)]
        keys = [(id(each), id(own)) for each, own in zip(shapes, modes, strict=True)]
        found = {key: each @ own for key, each, own in dict(zip(keys, zip(keys, shapes, modes))).values()}
        return super().own_shapes(tuple(found[key] for key in keys))


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
    """Length, and displacements of a sample of nodes, first all along x, by the shapes without their rigid motion; found once."""
    if reduced not in _SHAPES:
        own = np.flatnonzero(np.all(reduced.node_dofs[:, :3] >= 0, axis=1))
        chosen = own[:: max(1, len(own) // SAMPLE)]
        shapes = reduced.shapes[reduced.node_dofs[chosen, :3].ravel()]
        rigid = _rigid(reduced.nodes[chosen])
        left = shapes - rigid @ np.linalg.lstsq(rigid, shapes, rcond=None)[0]
        by_axes = left.reshape(len(chosen), 3, -1).transpose(1, 0, 2).reshape(left.shape)
        _SHAPES[reduced] = reduced.length, by_axes
    return _SHAPES[reduced]


def _rigid(x: np.ndarray) -> np.ndarray:
    """(3n, 6) rigid displacements of points."""
    columns = [np.tile(e, len(x)) for e in np.eye(3)] + [np.cross(e, x - x.mean(axis=0)).ravel() for e in np.eye(3)]
    return np.array(columns).T
