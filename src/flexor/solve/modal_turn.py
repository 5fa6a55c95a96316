"""Component modes of bodies that turn: they are measured in axes of their body, all else of a mechanism in global axes.

A deformation that rests in space goes round in the coordinates z of a body that spins: with the field S z of the modes, turned about
a unit vector e of the body's axes,

    S E z ≈ e × S z,   E = M⁻¹ ∫ρ Sᵀ (e × S),   M = ∫ρ SᵀS

whose eigenvalues in the metric M are ±iμ: near 1 for pairs of modes that bend a round body in two planes, where the part of the
field along the axis (rotary inertia) is all that lacks; zero for axial and torsional modes and for those without a partner. Turning such a
pair turns the mode by the same angle, so μ counts as 1 or 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from flexor.bodies.deformable_body import DeformableBody
from flexor.bodies.floating.formulation import Floating
from flexor.engine.system import System

PAIR = 0.5
"""μ beyond which two modes are one in two planes."""


@dataclass(frozen=True)
class TurningModes:
    """node: one that turns with the body.   rows: equations of its modes.   M: (m, m);  gyroscopic: (3, m, m) ∫ρ Sᵀ (eₖ × S)."""

    node: int
    rows: np.ndarray
    M: np.ndarray
    gyroscopic: np.ndarray

    def generator(self, axis: np.ndarray) -> np.ndarray:
        """E (m, m) about an axis in the axes of the body."""
        L = np.linalg.cholesky(self.M)
        G = linalg.solve_triangular(L, np.einsum("k,kij->ij", axis, self.gyroscopic), lower=True)
        G = linalg.solve_triangular(L, G.T, lower=True).T
        sizes, vectors = np.linalg.eigh(0.5j * (G - G.T))
        whole = np.where(np.abs(sizes) > PAIR, np.sign(sizes), 0.0)
        turn = ((vectors * (-1j * whole)) @ vectors.conj().T).real
        return np.asarray(linalg.solve_triangular(L, (L @ turn.T).T, lower=True, trans="T"))  # L⁻ᵀ turn Lᵀ


def turning_modes(system: System) -> Iterator[TurningModes]:
    """Of each body that has component modes."""
    nodes = {node.name: i for i, node in reversed(list(enumerate(system.mechanism.nodes)))}
    scalars = {scalar.name: i for i, scalar in enumerate(system.mechanism.scalars)}
    for body in system.bodies:
        if f"{body.name}.mode_1" not in scalars or not isinstance(body, DeformableBody):
            continue
        first = scalars[f"{body.name}.mode_1"]
        made = body.realisation
        if isinstance(made, Floating):
            node, gyroscopic = nodes[body.name], made.axes.invariants.gyroscopic
            M = np.eye(made.axes.size)
        else:
            reduced = body.reduced
            c = 6 * len(reduced.interfaces)
            node, M = nodes[f"{body.name}.{reduced.interfaces[0]}"], reduced.M[c:, c:]
            gyroscopic = reduced.invariants.gyroscopic[:, c:, c:]
        yield TurningModes(node, system.memory.scalar_eq[first : first + len(M)], M, gyroscopic)


def modal_blocks(
    system: System, own: np.ndarray, spin: Callable[[int], np.ndarray], turn: Callable[[np.ndarray], np.ndarray]
) -> sparse.csr_array:
    """Blocks for the modes of each body, zero elsewhere, of the equations `own`.

    spin: vector about which the node of a body turns, in global axes.   turn: what becomes of its |spin| E.
    """
    n = system.equations.pattern.n
    result = sparse.lil_array((n, n))
    axes = system.memory.R.reshape(-1, 3, 3)
    for modes in turning_modes(system):
        about = axes[modes.node].T @ spin(modes.node)
        speed = float(np.linalg.norm(about))
        E = speed * modes.generator(about / speed) if speed > 0 else np.zeros_like(modes.M)
        result[np.ix_(modes.rows, modes.rows)] = turn(E)
    return sparse.csr_array(result.tocsr()[own][:, own])


def modal_generator(system: System, axis: np.ndarray, own: np.ndarray) -> sparse.csr_array:
    """E on the modes of all bodies, about a unit vector in global axes."""
    return modal_blocks(system, own, lambda node: axis, lambda E: E)


def against_spin(system: System, own: np.ndarray) -> sparse.csr_array:
    """Ŵ that shows modes from rest (`seen_from_frame`): z = exp(−|ω| t E) ζ, of bodies that spin with ω at present."""
    return modal_blocks(system, own, lambda node: system.nodes("v")[node, 3:], lambda E: -E)


def turned_back(system: System, own: np.ndarray, time: float) -> sparse.csr_array:
    """exp(Ŵ t): modes after the bodies have spun on for a time, of a deformation that rests; one elsewhere."""
    still = sparse.eye_array(len(own), format="csr")
    turn = modal_blocks(
        system, own, lambda node: system.nodes("v")[node, 3:], lambda E: linalg.expm(-time * E) - np.eye(len(E))
    )
    return sparse.csr_array(still + turn)


def has_spinning_modes(system: System) -> bool:
    """Whether a body with component modes turns."""
    return any(np.linalg.norm(system.nodes("v")[modes.node, 3:]) > 1e-9 for modes in turning_modes(system))
