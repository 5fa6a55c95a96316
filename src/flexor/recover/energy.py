"""Kinetic and strain energy of a flexible body over time, from its coordinates.   FTG 9.2.1, 9.2.2"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexor.recover.history import BodyHistory


class Energies(NamedTuple):
    """(T,) energies [J]."""

    kinetic: np.ndarray
    strain: np.ndarray


def strain_energy(history: BodyHistory) -> np.ndarray:
    """(T,) ½ zᵀ K z [J].   FTG (9.4)"""
    return 0.5 * np.einsum("ti,ij,tj->t", history.z, history.reduced.K, history.z, optimize=True)


def kinetic_energy(history: BodyHistory) -> np.ndarray:
    """(T,) ½ ∫ρ |v + ω × (x + Sz) + Sż|² [J]: the frame carries the deformed body, which moves in it.

    Velocities are those of the history, or differences of its positions.
    """
    inv, z = history.reduced.invariants, history.z
    v, w, z_dot = history.motion
    # P = ∫ρ (x + Sz)(x + Sz)ᵀ;  ωᵀJω = |ω|² tr P − ωᵀPω
    cross = np.einsum("ijr,tr->tij", inv.position_products, z)
    P = inv.second + cross + cross.swapaxes(1, 2) + np.einsum("ijrs,tr,ts->tij", inv.products, z, z, optimize=True)
    first = inv.first + z @ inv.translation.T
    momentum = z_dot @ inv.translation.T  # ∫ρ Sż
    # ∫ρ (x + Sz) × Sż,  eₖ·(a × b) = −a·(eₖ × b)
    spin = z_dot @ inv.rotation.T - np.einsum("krs,tr,ts->tk", inv.gyroscopic, z, z_dot, optimize=True)
    twice = inv.mass * _dot(v, v) + 2 * _dot(v, np.cross(w, first) + momentum)
    twice += _dot(w, w) * np.trace(P, axis1=1, axis2=2) - np.einsum("ti,tij,tj->t", w, P, w)
    twice += 2 * _dot(w, spin) + np.einsum("ti,ij,tj->t", z_dot, history.reduced.M, z_dot, optimize=True)
    return 0.5 * twice


def energies(history: BodyHistory) -> Energies:
    """Kinetic and strain energy of the body over time."""
    return Energies(kinetic_energy(history), strain_energy(history))


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("ti,ti->t", a, b)
