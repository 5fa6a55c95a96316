"""From a declared reduction method to its basis H, with sentences that say what was chosen and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flexor.bodies.reduction import (
    METHODS,
    CraigBampton,
    FreeInterface,
    Guyan,
    Krylov,
    Method,
    Modal,
    ResponseModes,
)
from flexor.errors import ModelError
from flexor.errors import Problem as Mistake
from flexor.reduce import auto
from flexor.reduce import basis as bases
from flexor.reduce.problem import Problem

__all__ = [
    "METHODS",
    "CraigBampton",
    "FreeInterface",
    "Guyan",
    "Krylov",
    "Method",
    "Modal",
    "ResponseModes",
    "basis_of",
]

Chosen = tuple[np.ndarray, tuple[str, ...]]


def basis_of(method: Method, p: Problem) -> Chosen:
    """(H, sentences)"""
    if not isinstance(method, Modal) and not p.n_connections:
        why, fix = "it keeps the motions of connection nodes", "name interfaces, or use Modal"
        raise ModelError(Mistake(f"reduction '{method.type}'", "the body has no interfaces", why, fix))
    return _BASES[type(method)](method, p)


def _guyan(method: Guyan, p: Problem) -> Chosen:
    return bases.guyan(p), ()


def _craig_bampton(method: CraigBampton, p: Problem) -> Chosen:
    said: tuple[str, ...]
    if isinstance(method.modes, int):
        H, said = bases.craig_bampton(p, method.modes), ()
    else:
        H, why = auto.enough_held_modes(p, method.up_to or 0.0, method.tolerance)
        said = (why,)
    if not method.inertia_shapes:
        return H, said
    more = bases.with_inertia_shapes(p, H)
    return more, (*said, f"{more.shape[1] - H.shape[1]} static shapes of its own inertia")


def _response_modes(method: ResponseModes, p: Problem) -> Chosen:
    return bases.response_modes(p, [2 * np.pi * f for f in method.frequencies], method.modes), ()


def _free_interface(method: FreeInterface, p: Problem) -> Chosen:
    if isinstance(method.modes, int):
        return bases.free_interface(p, method.modes), ()
    H, why = auto.enough_free_modes(p, method.up_to or 0.0, method.tolerance)
    return H, (why,)


def _krylov(method: Krylov, p: Problem) -> Chosen:
    if method.up_to is None:
        return bases.krylov(p, method.expansion_points, method.moments), ()
    H, why = auto.enough_points(p, method.up_to, method.tolerance, method.moments)
    return H, (why,)


def _modal(method: Modal, p: Problem) -> Chosen:
    H = bases.modal(p, method.modes, (2 * np.pi * (method.up_to or 0.0)) ** 2)
    return H, (f"{H.shape[1]} elastic modes of the free body",)


_BASES: dict[type, Callable[[Any, Problem], Chosen]] = {
    Guyan: _guyan,
    CraigBampton: _craig_bampton,
    ResponseModes: _response_modes,
    FreeInterface: _free_interface,
    Krylov: _krylov,
    Modal: _modal,
}
