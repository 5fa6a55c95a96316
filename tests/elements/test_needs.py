"""Structural elements without what they need are refused with a fix."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.elements import LINES, SHELLS, Properties
from flexor.errors import ModelError
from flexor.materials.laminate import Laminate, Ply
from flexor.mesh.section import BushSection, Circle, ShellSection
from tests.elements.structures import STEEL

POINTS = np.array([[[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.0]]])


def bare(section=None, material=None) -> Properties:
    return Properties(D=np.zeros((1, 6, 6)), density=np.zeros(1), material=material, section=section)


@pytest.mark.parametrize("kind", [*SHELLS, *LINES], ids=lambda kind: kind.name)
def test_section_of_the_right_sort(kind) -> None:
    X = POINTS[:, : kind.n_nodes]
    with pytest.raises(ModelError, match=f"{kind.name} elements: they have no section.*give one with section=, one of"):
        kind.stiffness(X, bare(material=STEEL))
    wrong = Circle(0.01) if kind.name != "beam2" else BushSection()
    with pytest.raises(ModelError, match=f"their section is a {type(wrong).__name__}"):
        kind.stiffness(X, bare(wrong, STEEL))


@pytest.mark.parametrize("kind", [*SHELLS, *LINES], ids=lambda kind: kind.name)
def test_material(kind) -> None:
    if kind.name not in ("shell3", "shell4", "beam2"):
        return
    section = Circle(0.01) if kind.name == "beam2" else ShellSection(0.01)
    X = POINTS[:, : kind.n_nodes]
    with pytest.raises(ModelError, match=f"{kind.name} elements: they have no material"):
        kind.stiffness(X, bare(section))
    if kind.name != "beam2":  # plies bring their own
        assert np.trace(kind.stiffness(X, bare(Laminate([Ply(STEEL, 0.01)])))[0]) > 0
