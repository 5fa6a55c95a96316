"""Floating bodies and mechanisms made of them, as the tests of their laws share them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from flexor.bodies.floating.law import floating_term
from flexor.bodies.floating.mean_axes import MeanAxes, mean_axes
from flexor.bodies.floating.stiffened import Shortening, stiffened_term
from flexor.law import Term
from flexor.reduce import CraigBampton, ReducedBody, reduce_problem
from flexor.reduce.invariants import Invariants
from tests.laws.samples import random_rotation
from tests.laws.states import State
from tests.reduce.bodies import held_beams


@dataclass(frozen=True)
class Cloud:
    """Point masses with displacements: a body whose inertia can be summed up point by point.

    x: (n, 3);  mass: (n,);  S: (n, 3, m)
    """

    x: np.ndarray
    mass: np.ndarray
    S: np.ndarray

    @property
    def invariants(self) -> Invariants:
        x, rho, S = self.x, self.mass, self.S
        spins = [[np.cross(i, np.cross(j, x)) for j in np.eye(3)] for i in np.eye(3)]
        return Invariants(
            mass=float(rho.sum()),
            first=rho @ x,
            second=np.einsum("n,ni,nj->ij", rho, x, x),
            translation=np.einsum("n,nkr->kr", rho, S),
            rotation=np.einsum("n,nkr->kr", rho, np.cross(x[:, :, None], S, axis=1)),
            centrifugal=np.einsum("n,ijnk,nkr->ijr", rho, np.array(spins), S),
            products=np.einsum("n,nkr,nls->klrs", rho, S, S),
        )


def cloud(modes: int, seed: int = 0) -> Cloud:
    """A dozen points in no particular place, neither centred nor free of momentum."""
    random = np.random.default_rng(seed)
    return Cloud(random.normal(size=(12, 3)), random.uniform(0.2, 1.0, 12), 0.3 * random.normal(size=(12, 3, modes)))


def axes_of(body: Cloud, *, full_damping: bool = False, seed: int = 1) -> MeanAxes:
    """The cloud with modal mass one and some stiffness and damping."""
    random = np.random.default_rng(seed)
    m = body.S.shape[2]
    D = random.normal(size=(m, m))
    D = 0.1 * D @ D.T if full_damping else np.diag(random.uniform(0.1, 1.0, m))
    return MeanAxes(np.zeros(3), np.eye(m), random.uniform(1.0, 9.0, m), D, body.invariants)


def stiffened(m: int, fields: int, seed: int = 5, **how: Any) -> Term:
    """A cloud with m modes, and further fields that follow them in second order."""
    random = np.random.default_rng(seed)
    whole = cloud(m + fields)
    N, M = random.normal(size=(fields, m, m)), random.normal(size=(m + fields, m + fields))
    second = Shortening(0.2 * (N + N.transpose(0, 2, 1)), M @ M.T, whole.invariants)
    axes = axes_of(replace(whole, S=whole.S[:, :, :m]), **how)
    return sized(stiffened_term("body", axes, 1, tuple(range(m)), np.array([0.3, -0.2, 0.5]), second))


def sized(element: Term) -> Term:
    """The element with a law that declares the scratch memory the element asks for."""
    return replace(element, law=replace(element.law, scratch=max(element.scratch, element.law.scratch)))


def floating(axes: MeanAxes, x0: Any = (0.3, -0.2, 0.5)) -> Term:
    return sized(floating_term("body", axes, 1, tuple(range(axes.size)), np.array(x0)))


def drawn(element: Term, seed: int) -> State:
    """Any state: large rotations, deformations, velocities and accelerations."""
    random = np.random.default_rng(seed)
    n, m = len(element.nodes), len(element.scalars)
    return State(
        x=random.normal(size=(n, 3)),
        R=np.array([random_rotation(random) for _ in range(n)]),
        v=2.0 * random.normal(size=(n, 6)),
        a=3.0 * random.normal(size=(n, 6)),
        s=random.normal(size=(m, 3)),
        lam=4.0 * random.normal(size=len(element.rows)),
        h=np.zeros(0),
        t=0.0,
        gravity=5.0 * random.normal(size=3),
    )


@cache
def reduced_beam(modes: int = 6) -> ReducedBody:
    """A steel beam of 1 m along x, interfaces left and right."""
    return reduce_problem(held_beams(), CraigBampton(modes=modes), name="beam", check=False)


@cache
def beam_axes(modes: int = 6) -> MeanAxes:
    return mean_axes(reduced_beam(modes))


@dataclass
class Rows:
    """A sink that keeps the signals of a run."""

    columns: list[str] = field(default_factory=list)
    kept: list[np.ndarray] = field(default_factory=list)

    def open(self, columns: list[tuple[str, str]], meta: dict[str, Any]) -> None:
        self.columns = [name for name, _ in columns]

    def rows(self, rows: np.ndarray) -> None:
        self.kept.append(rows.copy())

    def history(self, steps: np.ndarray) -> None: ...

    def checkpoint(self, state: dict[str, Any]) -> None: ...

    def close(self, status: str, message: str) -> None: ...

    def __getitem__(self, name: str) -> np.ndarray:
        return np.concatenate(self.kept)[:, self.columns.index(name)]


def soft_beam():
    """The inertia of a mesh, with a stiffness that leaves the digits of the inertia forces in the sum."""
    axes = beam_axes()
    return replace(axes, squares=1.0 + np.arange(axes.size), damping=0.1 * np.eye(axes.size))
