"""Modes of a mechanism by the names that runs use: how points move in each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import numpy as np

from flexor.bodies import DeformableBody
from flexor.bodies.floating.formulation import Floating
from flexor.bodies.formulations import FormulationClass
from flexor.bodies.superelement.formulation import Superelement
from flexor.errors import ModelError, Problem
from flexor.model import Model
from flexor.results.marker_motion import bodies_of, marker_names, place_of, reference_to
from flexor.results.names import Named, matching, refuse_nameless, unknown
from flexor.solve.modes import Modes

QUANTITIES = ("position", "rotation")


class ModeShapes(Named, Modes):
    """Modes with the model that they belong to.

    modes["arm.position"]        (modes, 3) displacement of a body's origin, of an interface or of a marker, global axes [m]
    modes["arm.rotation"]        (modes, 3) small rotation [rad]
    modes["rod.mode_1"]          (modes,) a scalar coordinate
    """

    model: Model

    def __init__(self, model: Model, found: Modes) -> None:
        super().__init__(**{field.name: getattr(found, field.name) for field in fields(Modes)})
        vars(self).update(model=model)

    def __getitem__(self, name: str) -> np.ndarray:
        refuse_nameless(name)
        if name in self._rows:
            return np.asarray(self.shapes[self._rows[name]])
        owner, _, what = name.rpartition(".")
        stem, _, axis = what.rpartition("_")
        quantity, column = (stem, "xyz".index(axis)) if stem in QUANTITIES and axis in tuple("xyz") else (what, None)
        if quantity not in QUANTITIES or owner not in {*self.frames, *marker_names(self.model), *self.model.ports}:
            raise unknown(name, self._known, "these modes")
        values = self._motion(owner)[QUANTITIES.index(quantity)]
        return values if column is None else values[:, column]

    def find(self, pattern: str = "*") -> list[str]:
        """Names that contain a word, or match a pattern (see `Run.find`)."""
        return matching(self._known, pattern)

    def nodal(self, body: str) -> np.ndarray:
        """(modes, n_nodes, 6) motion of all nodes of a flexible body, global axes [m, rad]; a superelement or a floating one."""
        item = bodies_of(self.model).get(body)
        find = NODAL.get(item.formulation_class) if isinstance(item, DeformableBody) else None
        if find is None or not isinstance(item, DeformableBody):
            what = "there is no such body" if item is None else "its nodes are no part of the shapes"
            fix = "superelements and floating bodies have them"
            raise ModelError(Problem(f"body '{body}'", what, "", fix))
        found, R = find(self, item)
        return np.concatenate([found[..., :3] @ R.T, found[..., 3:] @ R.T], axis=-1)

    def _floating(self, body: DeformableBody) -> tuple[np.ndarray, np.ndarray]:
        """Motion of the nodes in the axes of the body, and these axes: that of the frame, and of the modes in it."""
        at_work = body.realisation
        assert isinstance(at_work, Floating)
        Phi, R = at_work.modes, self.frames[body.name][1]
        own = np.stack([self[f"{body.name}.mode_{i + 1}"] for i in range(Phi.shape[1])])
        found = np.moveaxis(body.reduced.displacement(Phi @ own), 2, 0)
        origin, turn = (each @ R for each in self._motion(body.name))
        found[..., :3] += origin[:, None] + np.cross(turn[:, None], body.reduced.nodes)
        found[..., 3:] += turn[:, None]
        return found, R

    def _superelement(self, body: DeformableBody) -> tuple[np.ndarray, np.ndarray]:
        """The same from the connection nodes and the modes, which together reproduce any rigid motion."""
        reduced = body.reduced
        R = self.frames[f"{body.name}.{reduced.interfaces[0]}"][1]  # those of the body but for its deformation
        ends = [np.hstack([each @ R for each in self._motion(f"{body.name}.{name}")]).T for name in reduced.interfaces]
        count = reduced.size - reduced.n_connections
        own = [self[f"{body.name}.mode_{i + 1}"][None] for i in range(count)]
        return np.moveaxis(reduced.displacement(np.vstack([*ends, *own])), 2, 0), R

    def _motion(self, owner: str) -> tuple[np.ndarray, np.ndarray]:
        """(modes, 3) displacement and rotation of a body's origin, an interface or a marker."""
        if owner in self.frames:
            node, arm = owner, self.frames[owner][0]
        else:
            ref = reference_to(owner, self.model)
            node = ref.body
            body = bodies_of(self.model)[node]
            offset, R = self.frames[node]
            arm = offset + R @ np.asarray(place_of(body, ref)[0], dtype=float)
        rows = [self._rows.get(f"{node}: {axis}") for axis in ("x", "y", "z", "rotation x", "rotation y", "rotation z")]
        zero = np.zeros(len(self))
        motion = np.stack([zero if row is None else self.shapes[row] for row in rows], axis=1)
        return motion[:, :3] + np.cross(motion[:, 3:], arm), motion[:, 3:]  # δx + δθ × r

    @property
    def _rows(self) -> dict[str, int]:
        """Rows of the shapes: "arm: x"; scalars by their own name."""
        found: dict[str, int] = {}
        for row, name in enumerate(self.names):
            owner, _, what = name.partition(": ")
            found[name] = row
            if what and "." in what:
                found[what] = row
            elif not what:
                found[owner.rstrip(": ")] = row
        return found

    @property
    def _known(self) -> list[str]:
        points = [
            f"{owner}.{what}"
            for owner in dict.fromkeys([*self.frames, *marker_names(self.model)])
            for what in QUANTITIES
        ]
        return [*points, *(name for name in self._rows if ": " not in name)]


NODAL: dict[FormulationClass, Callable[[ModeShapes, DeformableBody], tuple[np.ndarray, np.ndarray]]] = {
    Superelement: ModeShapes._superelement,
    Floating: ModeShapes._floating,
}
"""Formulations whose coordinates tell the motion of all nodes, and how."""
