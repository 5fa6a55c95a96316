"""Axial stress in the sections of a beam (`fx.Beam`), from its section forces.

A point (y, z) of a section is strained along the beam by that of the reference line and by its curvatures,

    σ = E (ε + κ_y z − κ_z y),   (ε, …, κ_y, κ_z) = S (N, Qy, Qz, T, My, Mz)

with the compliance S of the section: N/A + My z/Iy − Mz y/Iz where the line runs through the centroid. Shear of forces and torque is
not in it.
"""

from __future__ import annotations

import numpy as np

from flexor.bodies.beam.beam import Beam
from flexor.bodies.beam.section_stiffness import StiffnessSection
from flexor.recover.beam_line import LineForces


def moduli_of(beam: Beam) -> np.ndarray | None:
    """(n,) Young's modulus along the beam of every element [Pa]; None where a section is told by its stiffness, which has no stress."""
    found = []
    for section, material in beam.profiles:
        if material is None or isinstance(section, StiffnessSection):
            return None
        young = material.young
        found.append(float(young[0] if isinstance(young, tuple) else young))
    return np.array(found)


def stress_of_sections(beam: Beam, forces: LineForces, moduli: np.ndarray) -> np.ndarray:
    """(T, n, 2, 3) at both ends of every element: σ at the reference line [Pa], ∂σ/∂y, ∂σ/∂z [Pa/m], in section axes."""
    strains = np.einsum("eij,tekj->teki", forces.compliance, forces.ends())
    return np.asarray(moduli[:, None, None] * strains[..., [0, 5, 4]] * [1.0, -1.0, 1.0])
