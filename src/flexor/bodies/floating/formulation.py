"""A flexible body as a floating one: a frame at the centre of mass, free modes, and a node for every attachment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from flexor.bodies.body import Parts, Start
from flexor.bodies.carried_load import floating_load_term, nodal_forces
from flexor.bodies.floating.control_point import load_on, shape_at
from flexor.bodies.floating.law import floating_term
from flexor.bodies.floating.loaded_mesh import LoadedMesh
from flexor.bodies.floating.mean_axes import MeanAxes, mean_axes
from flexor.bodies.floating.shortening import shortening
from flexor.bodies.floating.stiffened import Shortening, stiffened_term
from flexor.bodies.follower import Follower
from flexor.bodies.marker import Site
from flexor.bodies.strain_reading import modal_strain_term
from flexor.elements.assembly.loads import Load
from flexor.functions import Function
from flexor.law import Term
from flexor.law.coordinates import mode_scalars
from flexor.reduce.reduced import ReducedBody

if TYPE_CHECKING:
    from flexor.bodies.deformable_body import DeformableBody

CLOSE = 1e-6
"""Share of the body's size within which an attachment counts as being at a point."""

LIGHT = 1e-3
"""What a massless node weighs beside its body when a mechanism is assembled: it follows the body, not the body it."""


class Floating:
    """Node 0 is the frame, then come the interfaces and the declared markers, massless nodes that the body carries.

    With `stiffening` of the body these points, and its mass, move by terms of second order in the modes as well.
    """

    flexible: ClassVar = True
    prefers_elimination: ClassVar = False
    may_follow: ClassVar = False
    at_interfaces_alone: ClassVar = False
    without_effect: ClassVar[Mapping[str, tuple[str, str]]] = {}

    @staticmethod
    def make(body: DeformableBody) -> ReducedBody:
        return body.reduced

    def __init__(self, body: DeformableBody, reduced: ReducedBody) -> None:
        self.body, self.reduced = body, reduced

    @cached_property
    def axes(self) -> MeanAxes:
        return mean_axes(self.reduced)

    @property
    def modes(self) -> np.ndarray:
        """Φ (r, m), which recovery needs."""
        return self.axes.modes

    @property
    def points(self) -> dict[str, np.ndarray]:
        """Where something can attach, in the body's axes [m]."""
        interfaces = {name: self.reduced.at(name) for name in self.reduced.interfaces}
        markers = {name: np.array(marker.at, dtype=float) for name, marker in self.body.markers.items()}
        return {**interfaces, **{name: x for name, x in markers.items() if name not in interfaces}}

    def carrier(self, marker: str | None, p_BM: np.ndarray) -> tuple[int, np.ndarray]:
        points = self.points
        if marker in points:
            return 1 + list(points).index(str(marker)), points[str(marker)]
        distances = [float(np.linalg.norm(x - p_BM)) for x in points.values()]
        size = float(np.ptp(self.reduced.nodes, axis=0).max())
        if not distances or min(distances) > CLOSE * size:
            x, y, z = p_BM
            what = f"something attaches at ({x:.5g}, {y:.5g}, {z:.5g}) m, where it has no point of its own"
            why, fix = "a point that deforms with the body needs a node", "add a marker or an interface there"
            raise self.body.refuse(what, why, fix)
        number = int(np.argmin(distances))
        return 1 + number, list(points.values())[number]

    def parts(self, start: Start) -> Parts:
        body, axes = self.body, self.axes
        name, com = body.name, axes.com
        heavy = axes.invariants.mass, float(np.trace(axes.invariants.inertia)) / 3
        light = LIGHT * heavy[0], LIGHT * heavy[1]
        nodes = [start.at(name, com, p_NO=-com, weights=heavy, own_axes=True)]
        scalars = mode_scalars(name, axes.size)
        numbers = tuple(range(start.scalar, start.scalar + axes.size))
        second, law = self.shortening, (name, axes, start.node, numbers, nodes[0].x)
        terms = [floating_term(*law) if second is None else stiffened_term(*law, second)]
        followers: list[Follower] = []
        for point, x in self.points.items():
            shape = shape_at(self.reduced, axes.modes, point if point in self.reduced.interfaces else x)
            site, own = Site(start.node, x - com, np.eye(3)), start.node + len(nodes)
            follower = Site(own, np.zeros(3), np.eye(3))
            curvature = None if second is None else second.points.get(point)
            followers.append(Follower("", own, start.node, site, follower, (), numbers, np.vstack(shape), curvature))
            nodes.append(start.at(f"{name}.{point}", x, weights=light))
        return Parts(tuple(nodes), tuple(terms), scalars, tuple(followers))

    def load(
        self, name: str, loads: Sequence[Load], factor: Function | None, node: int, scalar: int
    ) -> tuple[Term, ...]:
        """Loads on the mesh that turn with the body, times a function of time."""
        f = nodal_forces(self.reduced, loads)
        g, lever = load_on(self.reduced, self.axes, f)
        stiffness = None
        if self.body.stiffening:
            (stiffness,) = self.loaded_mesh.stiffness(f[:, None], self.reduced.shapes @ self.axes.modes)
        scalars = range(scalar, scalar + self.axes.size)
        return (floating_load_term(name, node, scalars, g, factor, lever, stiffness),)

    def strain(self, g: np.ndarray, node: int, scalar: int) -> Term:
        """Strain g·z by the coordinates z of the reduced body, as the only signal of a term."""
        return modal_strain_term(self.modes.T @ g, range(scalar, scalar + self.axes.size))

    @cached_property
    def shortening(self) -> Shortening | None:
        """Displacements of second order, of a body with geometric stiffening."""
        if not self.body.stiffening:
            return None
        points = {name: name if name in self.reduced.interfaces else x for name, x in self.points.items()}
        return shortening(self.reduced, self.axes, points, self.loaded_mesh)

    @cached_property
    def loaded_mesh(self) -> LoadedMesh:
        """Its mesh, factorised once for stiffening and buckling loads."""
        return LoadedMesh(self.reduced)
