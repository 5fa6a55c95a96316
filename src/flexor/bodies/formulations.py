"""How a flexible body moves: what each formulation must answer, and the list of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from flexor.bodies.body import Parts, Start
from flexor.bodies.floating.formulation import Floating
from flexor.bodies.full_mesh.formulation import FullMesh
from flexor.bodies.rigid_formulation import Rigid
from flexor.bodies.superelement.formulation import Superelement
from flexor.elements.assembly.loads import Load
from flexor.functions import Function
from flexor.law import Term
from flexor.reduce.meshed_body import MeshedBody

if TYPE_CHECKING:
    from flexor.bodies.flexible_body import FlexibleBody


class Formulation(Protocol):
    """A flexible body as coordinates and laws.

    The class says what holds for all such bodies:

    flexible: whether the body deforms; then it has stress, and several nodes that move by themselves.
    prefers_elimination: whether joints on it are better enforced by elimination (`Body.prefers_elimination`).
    may_follow: whether its nodes may follow another body by an eliminated joint; not if they follow its own frame already.
    at_interfaces_alone: whether only its interfaces have nodes, so that markers become interfaces when it is reduced.
    without_effect: fields of `FlexibleBody` that do nothing here and would mislead: name → (why, what to do instead).

    An instance is one body at work. Above it, recovery (`HISTORIES` in recover/of_body.py), mode shapes (`NODAL` in
    results/mode_shapes.py) and the watch on linear theory (`BENDING` in solve/bending.py) have a table by class.
    """

    flexible: ClassVar[bool]
    prefers_elimination: ClassVar[bool]
    may_follow: ClassVar[bool]
    at_interfaces_alone: ClassVar[bool]
    without_effect: ClassVar[Mapping[str, tuple[str, str]]]

    @staticmethod
    def make(body: FlexibleBody) -> MeshedBody:
        """What takes time or can fail: mesh, interfaces and mass of a declared body, reduced if this formulation needs it."""

    def __init__(self, body: FlexibleBody, made: Any) -> None:
        """body: the declaration;  made: what `make` returned for it."""

    def carrier(self, marker: str | None, p_BM: np.ndarray) -> tuple[int, np.ndarray]:
        """Which of its nodes (0, 1, …) carries what is attached at p_BM, and where that node is, in the body's axes."""

    def parts(self, start: Start) -> Parts:
        """Its nodes, scalars, terms and followers."""

    def load(
        self, name: str, loads: Sequence[Load], factor: Function | None, node: int, scalar: int
    ) -> tuple[Term, ...]:
        """Loads on its mesh that turn with it, times a function of time; node, scalar: numbers of its first ones."""


FormulationClass = type[Formulation]

FORMULATIONS: dict[str, FormulationClass] = {
    "superelement": Superelement,
    "floating": Floating,
    "full_mesh": FullMesh,
    "rigid": Rigid,
}
