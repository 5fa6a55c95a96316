"""What bodies have in common whose deformation is told by a mesh: they are made once, and a formulation moves them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies.body import Body, Parts, Start
from flexor.bodies.marker import Marker, MarkerRef, SurfaceRef
from flexor.bodies.rigid_body import RigidBody
from flexor.bodies.side import Side
from flexor.declaration import Declaration
from flexor.errors import ModelError, Problem

if TYPE_CHECKING:
    from flexor.bodies.formulations import Formulation, FormulationClass
    from flexor.io.file_mark import FileMark
    from flexor.reduce.meshed_body import MeshedBody
    from flexor.reduce.reduced import ReducedBody


class DeformableBody(Body):
    """A body with nodes that deform: made of a mesh, or of shape functions, which a mesh draws.

    Those of it say which formulation moves them and what they are as a reduced body, and whether they have geometric stiffening.
    """

    if TYPE_CHECKING:

        @property
        def formulation(self) -> str: ...

        @property
        def stiffening(self) -> bool: ...

    @property
    @abstractmethod
    def formulation_class(self) -> FormulationClass:
        """The class that knows how it moves."""

    @property
    @abstractmethod
    def reduced(self) -> ReducedBody:
        """It in a few coordinates."""

    @property
    def flexible(self) -> bool:
        return self.formulation_class.flexible

    @property
    def prefers_elimination(self) -> bool:
        return self.formulation_class.prefers_elimination

    @property
    def may_follow(self) -> bool:
        return self.formulation_class.may_follow

    @cached_property
    def made(self) -> MeshedBody:
        """Its mesh, interfaces and mass as its formulation needs them, reduced or not."""
        kind: Any = self.formulation_class
        made: MeshedBody = kind.make(self)
        return made

    @property
    def files(self) -> Mapping[str, FileMark]:
        """Length and check-sum of the files it was made of, by path; none before it is made."""
        return vars(self)["made"].files if "made" in vars(self) else {}

    @cached_property
    def realisation(self) -> Formulation:
        """Its formulation at work: nodes, scalars and elements."""
        kind: Any = self.formulation_class
        at_work: Formulation = kind(self, self.made)
        return at_work

    def prepare(self) -> None:
        _ = self.realisation

    @property
    def marker_names(self) -> tuple[str, ...]:
        return (*self.made.interfaces, *(name for name in self.markers if name not in self.made.interfaces))

    def marker(self, name: str) -> Marker:
        if name in self.markers:
            return self.markers[name]
        if name not in self.made.interfaces:
            raise KeyError(name)
        return Marker(at=tuple(map(float, self.made.at(name))))

    @property
    def node_offset(self) -> tuple[float, float, float]:
        x, y, z = self.made.mass_properties.com
        return float(x), float(y), float(z)

    @property
    def weights(self) -> tuple[float, float]:
        m = self.made.mass_properties
        return m.mass, float(np.trace(m.inertia) / 3)

    def rigid(self) -> RigidBody:
        """The undeformed body."""
        m = self.made.mass_properties
        J = m.inertia
        return RigidBody(
            self.name,
            mass=m.mass,
            inertia=tuple(float(v) for v in (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])),
            center_of_mass=tuple(map(float, m.com)),
            markers={name: self.marker(name) for name in self.marker_names},
            **{
                key: getattr(self, key) for key in ("position", "orientation", "velocity", "angular_velocity", "shapes")
            },
        )

    def carrier(self, marker: str | None, p_BM: np.ndarray) -> tuple[int, np.ndarray]:
        return self.realisation.carrier(marker, p_BM)

    def parts(self, start: Start) -> Parts:
        return self.realisation.parts(start)

    def surface(
        self, shape: Declaration | str, slices: int = 0, points: int = 0, every_node: bool = False
    ) -> SurfaceRef:
        """A side of this body, over which contact moves as it deforms, by name ("outer", "skin") or by a selection of nodes; or a shape on it.

        slices, points, every_node: see `Side`.
        """
        if isinstance(shape, str):
            shape = Side(shape, slices=slices, points=points, every_node=every_node)
        elif hasattr(shape, "nodes"):
            shape = Side(on=shape, slices=slices, points=points, every_node=every_node)
        return MarkerRef(body=self.name).surface(shape)

    def refuse(self, what: str, why: str, fix: str) -> ModelError:
        """A mistake in this body, to be raised."""
        return ModelError(Problem(f"flexible body '{self.name}'", what, why, fix))
