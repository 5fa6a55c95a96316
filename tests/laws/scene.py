"""A mechanism solved by dense algebra from the laws alone, for cases with a closed-form answer.

[M  Bᵀ] [a]     [r(a = 0, λ = 0)]
[B  0 ] [λ] = − [Φ̈(a = 0)       ]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flexor.bodies import Site, Sphere
from flexor.declaration import Item
from flexor.effects import Coupled
from flexor.joints import Joint
from flexor.joints.choice import chosen_variable
from flexor.joints.surroundings import Carrier, Drawn, Variable
from flexor.law import ACCELERATION_LEVEL, GROUND, MATRIX, RESIDUAL, Term
from flexor.spatial import Pose, exp_so3
from tests.laws.calls import call, energies, outputs
from tests.laws.states import State

G = 9.81


def site(node: int, p=(0.0, 0.0, 0.0), R=None) -> Site:
    """A marker on a node, in the node's axes."""
    return Site(node, np.array(p, dtype=float), np.eye(3) if R is None else np.array(R, dtype=float))


@dataclass(frozen=True)
class Places:
    """Surroundings of an item as a test gives them: places on nodes, its joint, the distance of its ends."""

    a: Site
    b: Site | None = None
    joint: Joint | None = None
    length: float = 1.0
    offset: tuple[float, float, float] = (1.0, 0.5, 0.2)
    weight: float = 20.0
    shapes: tuple = ((Sphere(6.0),), (Sphere(5.0),))
    scalars: tuple[int, ...] = ()
    carrier: Carrier | None = None
    variables: tuple[Variable, ...] = ()
    readings: tuple[Term, ...] = ()
    partners: tuple[Item, ...] = ()
    ends_drawn: tuple[Pose, Pose] = (Pose(), Pose())
    turn: np.ndarray = field(default_factory=lambda: np.eye(3))
    shift: np.ndarray | float = 0.0
    along: tuple[Site, ...] = ()
    path: tuple[Any, Places] | None = None

    def held(self, body: str) -> bool:
        """No joint holds any."""
        return False

    def mass_of(self, body: str) -> float:
        """Of every body [kg]."""
        return self.weight / G

    def velocities(self) -> tuple[np.ndarray, ...]:
        """All rest."""
        return (np.zeros(6),) * (len(self.along or (self.a,)) + 1)

    def poses(self, when: str) -> tuple[Pose, ...]:
        """With the nodes of all ends but the last in the origin."""
        assert self.b is not None
        end = Pose(self.a.p_NM + self.a.R_NM @ np.array(self.offset), self.b.R_NM)
        return (*(Pose(each.p_NM, each.R_NM) for each in self.along or (self.a,)), end)

    @property
    def site(self) -> Site:
        return self.a

    @property
    def observer(self) -> Site:
        return self.a if self.b is None else self.b

    @property
    def drawn(self) -> Drawn:
        """Turned against each other; seen in a frame that is turned and shifted."""
        R = [exp_so3(np.array([0.2, 0.1, -0.3])), exp_so3(np.array([-0.1, 0.4, 0.2]))]
        x = np.array([[0.1, 0.2, -0.1], [0.3, -0.2, 0.2]])
        return Drawn(x @ self.turn.T + self.shift, self.turn @ np.array(R), np.zeros((2, 6)))

    @property
    def sites(self) -> tuple[Site, ...]:
        return tuple(each for each in (self.a, self.b) if each is not None)

    @property
    def attached(self) -> tuple[Site, ...]:
        return self.sites


def variables(joints: Sequence[Joint], coupled: Sequence[Coupled], a: Site, b: Site) -> tuple[Variable, ...]:
    """Coupled variables of joints that all stand on the same two nodes."""
    found = []
    for joint, each in zip(joints, coupled, strict=True):
        index = chosen_variable(joint, each)
        begin = 0.0 if joint.start is None else joint.start[index]
        found.append(Variable(joint, index, a, b, begin, Pose()))
    return tuple(found)


@dataclass
class Scene:
    """Nodes and terms; node 0 is the ground. `solve` finds the accelerations and multipliers."""

    gravity: tuple[float, float, float] = (0.0, 0.0, -G)
    t: float = 0.0
    terms: list[Term] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.x, self.R, self.v, self.a = [np.zeros(3)], [np.eye(3)], [np.zeros(6)], [np.zeros(6)]
        self.locked: list[tuple[int, ...]] = [()]
        self.lam: dict[int, np.ndarray] = {}

    def body(self, declaration, x=(0.0, 0.0, 0.0), R=None, v=(0.0,) * 3, omega=(0.0,) * 3) -> int:
        """Put a body with its node at x; returns the node's number."""
        node = len(self.x)
        self.x.append(np.array(x, dtype=float))
        self.R.append(np.eye(3) if R is None else np.array(R, dtype=float))
        self.v.append(np.array([*v, *omega], dtype=float))
        self.a.append(np.zeros(6))
        self.locked.append(declaration.locked)
        self.add(declaration.terms(node, self.x[node]))
        return node

    def add(self, terms: list[Term]) -> Term:
        """Add a joint, motor or force; returns its first term."""
        self.terms += terms
        return terms[0]

    def state(self, term: Term) -> State:
        nodes = list(term.nodes)
        return State(
            x=np.array(self.x)[nodes],
            R=np.array(self.R)[nodes],
            v=np.array(self.v)[nodes],
            a=np.array(self.a)[nodes],
            s=np.zeros((0, 3)),
            lam=self.lam.get(id(term), np.zeros(len(term.rows))),
            h=np.array(term.history, dtype=float),
            t=self.t,
            gravity=np.array(self.gravity, dtype=float),
        )

    def solve(self) -> Scene:
        """Accelerations of the nodes (self.a) and multipliers of the terms."""
        n = 6 * len(self.x) + sum(len(term.rows) for term in self.terms)
        K, r = np.zeros((n, n)), np.zeros(n)
        rows, first = {}, 6 * len(self.x)
        for term in self.terms:
            own = list(range(first, first + len(term.rows)))
            first += len(own)
            rows[id(term)] = own
            where = [6 * node + dof for node in term.nodes for dof in range(6)] + own
            answer = call(term, self.state(term), RESIDUAL | MATRIX | ACCELERATION_LEVEL, (0.0, 0.0, 1.0))
            assert answer.status == 0
            K[np.ix_(where, where)] += answer.K
            r[where] += answer.r
        fixed = {6 * node + dof for node, locked in enumerate(self.locked) for dof in locked}
        free = [i for i in range(n) if i // 6 != GROUND and i not in fixed]
        y = np.zeros(n)
        y[free] = np.linalg.solve(K[np.ix_(free, free)], -r[free])
        self.a = list(y[: 6 * len(self.x)].reshape(-1, 6))
        self.lam = {term: y[own] for term, own in rows.items()}
        return self

    def signals(self, term: Term) -> dict[str, float]:
        """The term's outputs by name."""
        return dict(zip([output.name for output in term.outputs], outputs(term, self.state(term)), strict=True))

    def energy(self) -> np.ndarray:
        """kinetic, potential, strain energy, dissipated and input power of all terms together"""
        return sum(energies(term, self.state(term)) for term in self.terms)
