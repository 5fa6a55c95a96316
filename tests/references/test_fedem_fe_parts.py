"""Fedem's regression models of a cantilever 1 × 0.2 × 0.1 m under its own weight, one per element type.

The decks name two retained nodes, each carrying an end face rigidly: the first is clamped, the deflection is that of
the second. The load is not in the decks: the beam's printed deflection 5.62180e-5 m is that of its weight with
g = 9.81 m/s², wL⁴/8EI + wL²/2GAₛ = 5.62180e-5 m. Isoparametric elements agree to all printed digits.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from flexor.elements.assembly.loads import Gravity
from flexor.elements.assembly.model import assemble
from flexor.io import read_mesh
from flexor.reduce.full import statics


@pytest.mark.parametrize("name", ["CTETRA04_", "CTETRA10_", "CPENTA15_", "CHEXA20_"])
def test_tip_deflection(decks, name: str) -> None:
    mesh = read_mesh(decks / f"{name}.nas")
    expected = float((decks / f"{name}.sol").read_text().split()[1])
    (root, _), (tip, _) = mesh.retained
    mesh = replace(mesh, fixed=((root, (0, 1, 2, 3, 4, 5)),))
    solution = statics(assemble(mesh), [Gravity((0, 9.81, 0))])
    assert solution.nodal[tip, 1] == pytest.approx(expected, rel=2e-6)
