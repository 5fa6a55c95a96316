"""The history of a declared flexible body, in whichever formulation it moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flexor.bodies import DeformableBody
from flexor.bodies.floating.formulation import Floating
from flexor.bodies.formulations import FormulationClass
from flexor.bodies.full_mesh.formulation import FullMesh
from flexor.bodies.rigid_formulation import Rigid
from flexor.bodies.superelement.formulation import Superelement
from flexor.recover.from_signals import Signals, history_of
from flexor.recover.history import BodyHistory
from flexor.recover.mesh_history import mesh_history_of

Make = Callable[[DeformableBody, Signals, Sequence[float], set[str]], BodyHistory]


def history_of_body(body: DeformableBody, signals: Signals, gravity: Sequence[float], told: set[str]) -> BodyHistory:
    """Its frame and its coordinates at all recorded times; arguments as of `history_of`."""
    return HISTORIES[body.formulation_class](body, signals, gravity, told)


def _reduced(body: DeformableBody, signals: Signals, gravity: Sequence[float], told: set[str]) -> BodyHistory:
    return history_of(body.reduced, signals, body.name, body.formulation, None, gravity, told)


def _floating(body: DeformableBody, signals: Signals, gravity: Sequence[float], told: set[str]) -> BodyHistory:
    at_work = body.realisation
    assert isinstance(at_work, Floating)
    return history_of(body.reduced, signals, body.name, body.formulation, at_work.modes, gravity, told)


def _whole(body: DeformableBody, signals: Signals, gravity: Sequence[float], told: set[str]) -> BodyHistory:
    at_work = body.realisation
    assert isinstance(at_work, FullMesh)
    return mesh_history_of(at_work, signals)


HISTORIES: dict[FormulationClass, Make] = {
    Superelement: _reduced,
    Floating: _floating,
    Rigid: _reduced,
    FullMesh: _whole,
}
"""Every formulation, and how its recorded signals become a history."""
