"""Steady rotation: velocities and accelerations that follow from the position, and motions seen from the rotating frame.

Nodes that turn with ω about an axis through c have

    v = ω × (x − c),   ω_node = ω,   v̇ = ω × v,   ω̇_node = 0                                NAK 4.3

and small motions about them, ξ in axes that turn along, δq̇ = ξ̇ + Ŵ ξ, δq̈ = ξ̈ + 2 Ŵ ξ̇ + Ŵ² ξ with ω̃ on every vector in Ŵ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from flexor.declaration import AngularVelocity, Declaration, Point
from flexor.engine.diagnose import describe_failure
from flexor.engine.memory import OK
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.law import MATRIX
from flexor.solve.linearise import Linearisation, _follower_corrections
from flexor.spatial import skew
from flexor.units import Triple

ON_AXIS = 1e-6
"""Part of the largest distance from an axis below which a point is on it."""


class GivenRotation(Declaration):
    """A rotation as a user gives it."""

    angular_velocity: AngularVelocity
    about: Point = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class SteadyRotation:
    """Nodes that turn steadily about an axis; the others rest.

    axis: unit vector.   speed: [rad/s].   about: a point on the axis [m].
    turning: whether each node turns, the ground included.   rates: rates of the scalars at 1 rad/s.
    free: whether nothing holds the angle; then whatever drives the rotation is a moment spread over all that turns.
    """

    axis: np.ndarray
    speed: float
    about: np.ndarray
    turning: np.ndarray
    rates: np.ndarray
    free: bool = False

    @property
    def omega(self) -> np.ndarray:
        return self.speed * self.axis

    def at(self, speed: float) -> SteadyRotation:
        """The same at another speed."""
        return replace(self, speed=speed)

    def impose(self, system: System) -> None:
        """Velocities and accelerations of the present position."""
        v, a = system.nodes("v"), system.nodes("a")
        v[:] = a[:] = 0.0
        v[self.turning] = self.speed * self._twists(system)[self.turning]
        a[self.turning, :3] = np.cross(self.omega, v[self.turning, :3])
        s = system.memory.s.reshape(-1, 3)
        s[:, 1], s[:, 2] = self.speed * self.rates, 0.0
        if system.mechanism.followers:
            system.call("follow")

    def _twists(self, system: System) -> np.ndarray:
        """Velocities at 1 rad/s of all nodes if they turned."""
        arm = system.nodes("x") - self.about
        return np.hstack([np.cross(self.axis, arm), np.broadcast_to(self.axis, arm.shape)])

    def turn(self, system: System) -> np.ndarray:
        """Velocities at 1 rad/s in equation order."""
        result = np.zeros(system.equations.pattern.n)
        nodes, rows = system.node_rows
        result[rows] = np.where(self.turning[nodes, None], self._twists(system)[nodes], 0.0)
        if len(self.rates):
            result[system.memory.scalar_eq] = self.rates
        return result

    def stiffness(self, system: System, own: np.ndarray) -> sparse.csc_matrix:
        """C ∂v/∂q + M ∂a/∂q: how the inertia forces change with the position, for the equations `own`."""
        W = _blocks(system, self.omega, (0,), self.turning)
        result = sparse.csc_matrix(W.shape)
        for c, G in (((0.0, 1.0, 0.0), W), ((0.0, 0.0, 1.0), W @ W)):
            status = system.evaluate(MATRIX, *c)
            if status != OK:
                raise describe_failure(system, status)
            result = result + system.solver.to_csc() @ G
        result = result[own][:, own]
        if system.mechanism.followers:
            result = result + sparse.csc_matrix(_follower_corrections(system, own)[0])
        return result.tocsc()


def turntable(system: System, angular_velocity: Triple, about: Triple) -> SteadyRotation:
    """The whole mechanism turns, and the ground that it stands on with it."""
    given = GivenRotation(angular_velocity=angular_velocity, about=about)
    omega = np.array(given.angular_velocity)
    speed = float(np.linalg.norm(omega))
    axis = omega / speed if speed > 0 else np.array([0.0, 0.0, 1.0])
    gravity = np.array(system.mechanism.gravity)
    if speed > 0 and np.linalg.norm(np.cross(axis, gravity)) > 1e-9 * np.linalg.norm(gravity):
        what, why = "gravity acts across the axis", "seen from what turns it goes round, so that no position is steady"
        raise ModelError(Problem("rotation", what, why, "use a model without gravity, or with gravity along the axis"))
    everything = np.ones(len(system.mechanism.nodes), dtype=bool)
    return SteadyRotation(axis, speed, np.array(given.about), everything, np.zeros(len(system.mechanism.scalars)))


def spin_of(system: System, name: str, free: bool) -> SteadyRotation:
    """The rotation that a system has which was started with 1 rad/s of the rotor `name`; the ground rests."""
    found = present_rotation(system, free)
    if found is None:
        what, fix = "nothing turns with it", "name a joint with one angle, or a body and the axis it turns about"
        raise ModelError(Problem(f"rotor '{name}'", what, "", fix))
    wrong = _astray(system, found)
    if len(wrong):
        names = ", ".join(sorted({_owner(system, int(i)) for i in wrong})[:5])
        what = f"{names} neither rests nor turns with it about one axis"
        why = "there is no steady state with constant coefficients"
        raise ModelError(Problem(f"rotor '{name}'", what, why, "leave those bodies out, or fix them to the rotor"))
    return found


def steady_rotation(system: System) -> SteadyRotation | None:
    """The rotation that a system has at present, if all that moves turns about one axis with one speed."""
    found = present_rotation(system, free=True)
    return None if found is None or len(_astray(system, found)) else found


def present_rotation(system: System, free: bool) -> SteadyRotation | None:
    """The rotation that is nearest to the present velocities; nodes turn that have half its speed or more."""
    v, x = system.nodes("v"), system.nodes("x")
    spins = np.linalg.norm(v[:, 3:], axis=1)
    turning = spins > 0.5 * spins.max(initial=0.0)
    if not np.any(turning):
        return None
    axis = v[turning, 3:].mean(axis=0)
    speed = float(np.linalg.norm(axis))
    axis /= max(speed, 1e-300)
    # v − ω × x = −ω × c for all that turns, so c = e × (v − ω × x)/ω is the point of the axis nearest to the origin
    about = np.cross(axis, (v[turning, :3] - speed * np.cross(axis, x[turning])).mean(axis=0)) / max(speed, 1e-300)
    rates = system.memory.s[1::3] / max(speed, 1e-300)
    found = SteadyRotation(axis, speed, about, turning, rates, free)
    return replace(found, turning=turning | _carried(system, found))


def _carried(system: System, rotation: SteadyRotation) -> np.ndarray:
    """Nodes without rotation that go round: on the axis, those that share a law with others which do."""
    nodes = system.mechanism.nodes
    points = np.array([i > 0 and {3, 4, 5} <= set(node.locked) for i, node in enumerate(nodes)])
    expected = rotation.speed * rotation._twists(system)[:, :3]
    speeds = np.linalg.norm(expected, axis=1)
    off_axis = points & (speeds > ON_AXIS * speeds.max(initial=0.0))
    found = off_axis & (np.linalg.norm(system.nodes("v")[:, :3], axis=1) > 0.5 * speeds)
    beside = np.zeros(len(nodes), dtype=bool)
    for term in system.mechanism.terms:
        own = list(term.nodes)
        beside[own] |= bool(np.any(found[own]))
    return found | (points & ~off_axis & beside)


def _astray(system: System, rotation: SteadyRotation) -> np.ndarray:
    """Nodes that neither rest nor turn with a rotation."""
    v, x = system.nodes("v"), system.nodes("x")
    expected = np.where(rotation.turning[:, None], rotation._twists(system), 0.0)
    size = max(float(np.ptp(x, axis=0).max(initial=0.0)), 1e-9)
    wrong = np.abs((v / max(rotation.speed, 1e-300) - expected) / np.repeat([size, 1.0], 3))
    for i, node in enumerate(system.mechanism.nodes):
        wrong[i, list(node.locked)] = 0.0
    return np.flatnonzero(wrong.max(axis=1) > 1e-6)


def _owner(system: System, node: int) -> str:
    """What a node is called; one without a name by a law that it belongs to."""
    name = system.mechanism.nodes[node].name
    return name or next((term.name for term in system.mechanism.terms if node in term.nodes), f"node {node}")


def _blocks(system: System, omega: np.ndarray, parts: tuple[int, ...], turning: np.ndarray) -> sparse.csc_matrix:
    """ω̃ on translations (part 0) and rotations (part 1) of the independent nodes that turn, in equation order."""
    nodes, rows = system.node_rows
    rows = rows[turning[nodes]].reshape(-1, 2, 3)[:, list(parts)].reshape(-1, 3)
    i, j = np.repeat(rows, 3, axis=1).ravel(), np.tile(rows, (1, 3)).ravel()
    n = system.equations.pattern.n
    return sparse.csc_matrix((np.tile(skew(omega).ravel(), len(rows)), (i, j)), shape=(n, n))


def generator(system: System, omega: np.ndarray, own: np.ndarray) -> sparse.csr_array:
    """Ŵ: turns all vectors, of the equations `own`."""
    every = np.ones(len(system.mechanism.nodes), dtype=bool)
    return sparse.csr_array(_blocks(system, omega, (0, 1), every)[own][:, own])


def seen_from_frame(m: Linearisation, W: sparse.csr_array) -> Linearisation:
    """The same small motions in axes that turn along:  M ξ̈ + (C + 2 M Ŵ) ξ̇ + (K + C Ŵ + M Ŵ²) ξ + Bᵀ δλ = 0"""
    return replace(m, K=m.K + m.C @ W + m.M @ W @ W, C=m.C + 2.0 * m.M @ W, A_q=m.A_q + m.A @ W)


def whirl(shapes: np.ndarray, M: sparse.csr_array, E: sparse.csr_array) -> np.ndarray:
    """How each complex shape whirls about the axis of E = ê×: 1 forward on circles, −1 backward, 0 in a plane.

    The part across the axis, −E²φ, whirls forward on circles if Eφ is i times it. Zero for shapes without such a part.
    """
    turned = E @ shapes
    weighed = M @ turned
    across = np.einsum("ik,ik->k", turned.conj(), weighed).real
    area = np.einsum("ik,ik->k", -(E @ turned).conj(), weighed).imag
    whole = np.einsum("ik,ik->k", shapes.conj(), M @ shapes).real
    moves = across > 1e-9 * np.abs(whole)
    return np.where(moves, area / np.where(moves, across, 1.0), 0.0)
