"""Nastran decks of Fedem's regression models, if the folder of reference numbers is there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from flexor.elements import by_name
from flexor.elements.assembly.model import assemble
from flexor.io import read_mesh

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "reference" / "fedem" / "FEparts"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="reference decks are not beside the repository")
# deck → element, number of elements, nodes
DECKS = {
    "CBAR02_": ("beam2", 8, 9),
    "CHEXA20_": ("hex20", 8, 89),
    "CPENTA15_": ("wedge15", 24, 123),
    "CQUAD04_": ("shell4", 16, 27),
    "CTETRA04_": ("tet4", 586, 175),
    "CTETRA10_": ("tet10", 80, 181),
}


@pytest.mark.parametrize("name", DECKS)
def test_all_of_a_deck_is_read(name: str) -> None:
    element, elements, nodes = DECKS[name]
    mesh = read_mesh(FOLDER / f"{name}.nas")
    assert [block.element for block in mesh.blocks] == [element]
    assert (mesh.n_elements, len(mesh.points)) == (elements, nodes)
    assert mesh.notes == ()
    assert len(mesh.rigid_links) == (0 if element == "beam2" else 2)
    assert len(mesh.retained) == 2
    X = mesh.points[mesh.blocks[0].nodes]
    if element not in ("beam2",):
        assert by_name[element].jacobians(X).min() > 0


@pytest.mark.parametrize("name", DECKS)
def test_every_part_weighs_the_same(name: str) -> None:
    """All decks are the same cantilever, 1 m × 0.2 m × 0.1 m of steel, modelled with different elements."""
    mesh = read_mesh(FOLDER / f"{name}.nas")
    model = assemble(mesh)
    rigid = model.dofs.rigid_modes(mesh.points)[:, :3]
    np.testing.assert_allclose(np.diag(rigid.T @ model.M @ rigid), 1.0 * 0.2 * 0.1 * 7820, rtol=1e-6)


def test_a_long_free_field_line() -> None:
    mesh = read_mesh(FOLDER / "L-beam.nas", units="mm-t-s")
    section = mesh.sections["PBEAML 1"]
    assert section.area == pytest.approx((100 * 20 + 180 * 10) * 1e-6)
    assert section.Iyz < 0
    assert mesh.fixed == ((0, (0, 1, 2, 3, 4, 5)),)
    assert [load.type for load in mesh.loads] == ["point_load"]
    assert mesh.notes == ()
