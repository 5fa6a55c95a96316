"""Theories of a beam's elements: what each must answer, and the list of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from flexor.bodies.beam.exact_term import exact_beam_term
from flexor.bodies.beam.section_stiffness import SectionProperties, StiffnessSection
from flexor.elements.element import Properties
from flexor.elements.lines.beam2 import Beam2
from flexor.law import Term
from flexor.materials import Material
from flexor.mesh.section import Section
from flexor.spatial import Pose, exp_so3, log_so3


@dataclass(frozen=True)
class BeamPiece:
    """An element of a beam at the start.

    X (2, 3), S (2, 3, 3): its ends and the section axes there (columns), in the axes of the body at X_WB.
    properties: of its section as its energy has it.   section, material: what the user gave for it.
    damping: β [s].   rotary: lengths of beam whose rotary inertia each of its nodes carries here [m].
    """

    name: str
    nodes: tuple[int, int]
    X: np.ndarray
    S: np.ndarray
    X_WB: Pose
    properties: SectionProperties
    section: Section | StiffnessSection
    material: Material | None
    damping: float
    rotary: tuple[float, float]


class BeamFormulation(Protocol):
    """A theory of beam elements."""

    needs_profile: ClassVar[bool]
    """Whether the section must be a profile of a material, not a stiffness alone."""

    @staticmethod
    def term(piece: BeamPiece) -> Term:
        """What an element contributes to the equations."""


class ExactFormulation:
    """Geometrically exact: strains of a helix between two nodes."""

    needs_profile: ClassVar[bool] = False

    @staticmethod
    def term(piece: BeamPiece) -> Term:
        return exact_beam_term(
            piece.name,
            piece.nodes,
            piece.X,
            piece.S,
            piece.properties,
            damping=piece.damping,
            rotary=piece.rotary,
            x0=piece.X_WB.p + piece.X @ piece.X_WB.R.T,
            R_WB=piece.X_WB.R,
        )


class CorotationalFormulation:
    """Linear two-node beam in a frame that follows its ends; straight, its section turned as in the middle."""

    needs_profile: ClassVar[bool] = True

    @staticmethod
    def term(piece: BeamPiece) -> Term:
        from flexor.bodies.beam.corotational import corotational_beam_term  # loads the compiler

        S, material, section = piece.S, piece.material, piece.section
        middle = exp_so3(0.5 * log_so3(S[1] @ S[0].T)) @ S[0]
        assert material is not None, "refused at the declaration"
        assert not isinstance(section, StiffnessSection), "refused at the declaration"
        p = Properties(
            material.stiffness()[None], np.array([material.density]), material, section, middle[None],
            {"compliance": piece.properties.compliance[None]},
        )  # fmt: skip
        return corotational_beam_term(
            piece.name,
            piece.nodes,
            piece.X,
            S,
            Beam2.stiffness(piece.X[None], p)[0],
            piece.properties,
            damping=piece.damping,
            rotary=piece.rotary,
            X_WB=piece.X_WB,
        )


BEAM_FORMULATIONS: dict[str, type[BeamFormulation]] = {
    "exact": ExactFormulation,
    "corotational": CorotationalFormulation,
}
