"""Sections of structural elements; a new one is listed in SECTIONS."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from flexor.materials.laminate import Laminate, Ply
from flexor.mesh.beam_section import BoxProfile, Circle, GeneralSection, IProfile, Rectangle, Tube
from flexor.mesh.shell_section import ShellSection
from flexor.mesh.spring_section import BushSection, RotationalSpringSection, SpringSection

BeamSection = Rectangle | Circle | Tube | IProfile | BoxProfile | GeneralSection
BEAM_SECTIONS: tuple[type[BeamSection], ...] = (Rectangle, Circle, Tube, IProfile, BoxProfile, GeneralSection)
SHELL_SECTIONS: tuple[type[ShellSection | Laminate], ...] = (ShellSection, Laminate)
SPRING_SECTIONS = (BushSection, SpringSection, RotationalSpringSection)
SECTIONS = (*BEAM_SECTIONS, *SHELL_SECTIONS, *SPRING_SECTIONS)

Section = Annotated[
    BeamSection | ShellSection | Laminate | BushSection | SpringSection | RotationalSpringSection,
    Field(discriminator="type"),
]

__all__ = [
    "BEAM_SECTIONS",
    "SECTIONS",
    "SHELL_SECTIONS",
    "SPRING_SECTIONS",
    "BeamSection",
    "BoxProfile",
    "BushSection",
    "Circle",
    "GeneralSection",
    "IProfile",
    "Laminate",
    "Ply",
    "Rectangle",
    "RotationalSpringSection",
    "Section",
    "ShellSection",
    "SpringSection",
    "Tube",
]
