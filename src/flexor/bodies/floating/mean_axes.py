"""Mean axes: the elastic motions of a flexible body that have no momentum.   NAK chapter 8

A frame at the centre of mass follows the body in the mean if the displacements from it have neither linear nor angular
momentum. The free modes of the body have that property,

    ∫ρ S Φ = 0,   ∫ρ x × S Φ = 0,      Φᵀ M Φ = 1,   Φᵀ K Φ = ω²

and turn any reduction, with or without connection nodes, into coordinates of a floating body.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg

from flexor.errors import ModelError, Problem
from flexor.units import si

if TYPE_CHECKING:
    from flexor.reduce.invariants import Invariants
    from flexor.reduce.reduced import ReducedBody

RIGID = 1e-7
"""Momentum, relative to the largest that a motion of its kinetic energy can have, below which it is rounding."""
MASSLESS = 1e-13
"""1/ω² relative to the largest below which a motion moves no mass."""


@dataclass(frozen=True, eq=False)
class MeanAxes:
    """Elastic free modes of a reduced body, measured from its centre of mass.

    com: (3,) centre of mass in the axes of the mesh [m], where the frame sits, axes parallel to the mesh's.
    modes: Φ (r, m), z = Φ q;  squares: (m,) ω² [1/s²];  damping: (m, m) D in these coordinates.
    invariants: inertia about the centre of mass in these coordinates.
    """

    com: np.ndarray
    modes: np.ndarray
    squares: np.ndarray
    damping: np.ndarray
    invariants: Invariants

    @property
    def size(self) -> int:
        """Number of modes m."""
        return len(self.squares)

    @property
    def frequencies(self) -> np.ndarray:
        """(m,) frequencies of the free body [Hz]."""
        return np.sqrt(self.squares) / (2 * np.pi)


def mean_axes(reduced: ReducedBody, up_to: float | str | None = None) -> MeanAxes:
    """The elastic free modes of a reduced body, all of them or those up to a frequency [Hz].

    With all modes nothing is lost: they span the same deformations as the reduced body. Modes left out take the
    static compliance at the interfaces with them that they contribute, Σ φφᵀ/ω².
    """
    inv = reduced.invariants
    com = inv.mass_properties.com
    centred = inv.about(com)
    Z = without_momentum(centred, reduced.M)
    squares, vectors = _elastic(Z.T @ reduced.K @ Z, Z.T @ reduced.M @ Z, reduced.name)
    if up_to is not None:
        kept = squares <= (2 * np.pi * float(si(up_to, "frequency"))) ** 2
        if not kept.any():
            lowest = np.sqrt(squares[0]) / (2 * np.pi) if len(squares) else 0.0
            what = f"it has no elastic mode up to {si(up_to, 'frequency'):g} Hz"
            why, fix = f"its lowest has {lowest:.4g} Hz", "raise the frequency or model it as a rigid body"
            raise ModelError(Problem(f"body '{reduced.name}'", what, why, fix))
        squares, vectors = squares[kept], vectors[:, kept]
    modes = _oriented(Z @ vectors)
    inertia = _within_mass(centred.in_basis(modes))
    return MeanAxes(com, modes, squares, _symmetric(modes.T @ reduced.D @ modes), inertia)


def without_momentum(inv: Invariants, M: np.ndarray) -> np.ndarray:
    """(r, m) basis of the coordinates that have neither linear nor angular momentum.

    Momenta are compared with the largest that a motion of the same kinetic energy can have, √(mass · M_rr), so a basis
    of free modes, whose momentum is rounding, is left as it is.
    """
    J = inv.mass_properties.inertia
    size = np.concatenate([np.full(3, np.sqrt(inv.mass)), np.sqrt(np.maximum(np.diag(J), 1e-12 * np.trace(J)))])
    weight = np.sqrt(np.maximum(np.diag(M), 1e-300))
    momentum = np.vstack([inv.translation, inv.rotation]) / size[:, None] / weight
    _, values, directions = np.linalg.svd(momentum)
    rank = int((values > RIGID).sum())
    return np.asarray(directions[rank:].T / weight[:, None])


def _within_mass(inv: Invariants) -> Invariants:
    """The invariants with ∫ρ SᵀS not above the modal mass 1, so that no motion has negative kinetic energy.

    Solids have ∫ρ SᵀS = 1, and beams and shells a little less, the rest being rotary inertia. Where a body came as
    matrices with rotations the integral over translations is an approximation, poor in high modes. From the first mode
    on where it would exceed the mass, modes keep their mass and stiffness but lose their products with others.
    """
    Q = _symmetric(np.einsum("kkrs->rs", inv.products))
    kept = len(Q)
    while kept and np.linalg.eigvalsh(Q[:kept, :kept])[-1] > 1 + 1e-6:
        kept -= 1
    if kept == len(Q):
        return inv
    products = inv.products.copy()
    products[:, :, kept:, :] = products[:, :, :, kept:] = 0.0
    return replace(inv, products=products)


def _elastic(K: np.ndarray, M: np.ndarray, name: str) -> tuple[np.ndarray, np.ndarray]:
    """ω² in ascending order and mass-orthonormal vectors; motions without mass, of infinite frequency, are left out."""
    K, M = _symmetric(K), _symmetric(M)
    if np.array_equal(M, np.eye(len(M))) and np.array_equal(K, np.diag(np.diag(K))) and np.all(np.diag(K) > 0):
        return np.diag(K), np.eye(len(K))  # they are the coordinates already, equal frequencies in the order they have
    try:
        inverse, vectors = linalg.eigh(M, K)
    except np.linalg.LinAlgError:
        why, fix = "its stiffness is not positive without them", "check the body with `validate`"
        raise ModelError(Problem(f"body '{name}'", "it has more free motions than a rigid body", why, fix)) from None
    V = vectors[:, inverse > MASSLESS * inverse[-1]]
    squares, turned = linalg.eigh(_symmetric(V.T @ K @ V), _symmetric(V.T @ M @ V))
    return squares, V @ turned


def _oriented(modes: np.ndarray) -> np.ndarray:
    """The modes with the sign that makes their largest entry positive, so that results can be compared."""
    largest = modes[np.argmax(np.abs(modes), axis=0), np.arange(modes.shape[1])]
    return modes * np.where(largest < 0, -1.0, 1.0)


def _symmetric(A: np.ndarray) -> np.ndarray:
    return 0.5 * (A + A.T)
