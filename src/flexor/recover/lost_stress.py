"""How much stress a reduced body lacks in the motion it had, for want of shapes of its own inertia.

Under its inertia forces b c, with c (12,) of `BodyHistory.inertia`, the mesh deforms by K⁻¹ b c beyond the motion of its
connection nodes. The share of it that no mode holds is orthogonal in K to all that was recovered, so strain energies add:

    U = ½ zᵀKz + ½ cᵀΛc,        Λ: `Validation.lost`                                          (23.16) of the theory manual

and √(lost energy/whole energy) is the error of stress in the mean square over the body. The motion must be slow against the
modes that the basis lacks.
"""

from __future__ import annotations

import numpy as np

from flexor.errors import Problem
from flexor.mesh.mesh import Mesh
from flexor.recover.history import BodyHistory
from flexor.warning import warn

NOTICEABLE = 0.02
"""Error of stress, in the mean square over the body, from which it is told: 4·10⁻⁴ of the strain energy."""
NEGLIGIBLE = 1e-6
"""Strain that is not told, however large its share: less than a strain gauge resolves."""


class StressIncomplete(UserWarning):
    """A reduced body lacks shapes that its own inertia causes, so that its stress is too small or misplaced."""


def lost_stress(history: BodyHistory) -> float:
    """Error of stress by lost shapes at the worst time, mean square over the body, as a share of its largest stress.

    Zero if all shapes are there, or if it is not known: the motion was not recorded, or the body has no validation.
    """
    lost = _lost_energy(history)
    whole = history.strain_energy() + lost
    return float(np.sqrt(lost.max() / whole.max())) if lost.any() else 0.0


def warn_of_lost_stress(history: BodyHistory) -> None:
    """Tell once per body and run if a noticeable share of stress is lost."""
    name = history.reduced.name
    if name in history.told or history.inertia is None:
        return
    history.told.add(name)
    if _lost_energy(history).max() > _negligible(history):
        _tell(history, lost_stress(history))


def warn_of_lost_vibration(history: BodyHistory, z: np.ndarray, inertia: np.ndarray) -> None:
    """The same of harmonic motions with amplitudes z (F, r) of its coordinates and (F, 6) of its accelerations, complex, body's axes."""
    if (validation := history.reduced.validation) is None or not validation.lost:
        return
    lost = _energy(np.array(validation.lost)[:6, :6], inertia)
    if lost.max() > _negligible(history):
        _tell(history, float(np.sqrt(lost.max() / (_energy(history.reduced.K, z) + lost).max())))


def _energy(K: np.ndarray, z: np.ndarray) -> np.ndarray:
    """(F,) ½ z̄ᵀKz, twice the mean over a cycle [J]."""
    return np.maximum(0.5 * np.einsum("fi,ij,fj->f", z.conj(), K, z, optimize=True).real, 0.0)


def _negligible(history: BodyHistory) -> float:
    """½ E ε² V = ½ m (E/ρ) ε² [J]"""
    return 0.5 * history.reduced.invariants.mass * _square_of_sound(history.reduced.mesh) * NEGLIGIBLE**2


def _tell(history: BodyHistory, share: float) -> None:
    if share <= NOTICEABLE:
        return
    what = f"stress and strain may be off by about {100 * share:.2g} %"
    why = "its modes do not hold all that its own inertia or weight causes in this motion"
    shapes = "reduce it with CraigBampton(inertia_shapes=True)"
    fix = shapes if history.reduced.has_connections else f"take more modes, or give it interfaces and {shapes}"
    warn(str(Problem(history.where, what, why, fix)), StressIncomplete)


def _lost_energy(history: BodyHistory) -> np.ndarray:
    """(T,) ½ cᵀΛc [J]."""
    if history.inertia is None or (validation := history.reduced.validation) is None or not validation.lost:
        return np.zeros(len(history))
    energy = 0.5 * np.einsum("ti,ij,tj->t", history.inertia, np.array(validation.lost), history.inertia)
    return np.maximum(energy, 0.0)  # rounding, where nothing is lost


def _square_of_sound(mesh: Mesh | None) -> float:
    """Largest E/ρ of the materials [m²/s²]; zero where none is known."""
    materials = () if mesh is None else mesh.materials.values()
    return max((float(np.max(m.young)) / m.density for m in materials if m.density > 0), default=0.0)
