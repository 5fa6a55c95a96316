"""STEP geometry through Netgen: volume, node order, faces as sets; clear errors without it."""

import numpy as np
import pytest

import flexor as fx
from flexor.elements.assembly.model import assemble
from flexor.elements.quality import quality
from flexor.errors import FileError
from flexor.io import mesh_step


@pytest.fixture
def block(tmp_path):
    """A block 100 × 20 × 20 mm with a hole of 4 mm radius along y."""
    occ = pytest.importorskip("netgen.occ", reason="Netgen is not installed (pip install 'flexor[step]')")
    shape = occ.Box((0, 0, 0), (100, 20, 20)) - occ.Cylinder((50, -5, 10), occ.Y, r=4, h=40)
    shape.WriteStep(str(tmp_path / "block.step"))
    return tmp_path / "block.step"


@pytest.mark.parametrize("element", ["tet4", "tet10"])
def test_mass_and_quality(block, element):
    mesh = mesh_step(block, "6 mm", element=element, material=fx.Steel())
    assert not len(quality(mesh).inverted)
    volume = 0.1 * 0.02 * 0.02 - np.pi * 0.004**2 * 0.02
    mass = assemble(mesh).mass_properties.mass
    assert mass == pytest.approx(7850 * volume, rel=2e-3 if element == "tet4" else 1e-4)


def test_faces_are_node_sets(block):
    mesh = mesh_step(block, "8 mm", material=fx.Steel())
    ends = [name for name, nodes in mesh.node_sets.items() if np.ptp(mesh.points[nodes, 0]) < 1e-9]
    assert len(ends) == 2
    hole = fx.cylinder(at=("50 mm", 0, "10 mm"), radius="4 mm", axis="y").nodes(mesh)
    assert any(set(hole) == set(nodes.tolist()) for nodes in mesh.node_sets.values())


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(FileError, match="no such file"):
        mesh_step(tmp_path / "none.step", 0.01)
    pytest.importorskip("netgen.occ", reason="Netgen is not installed (pip install 'flexor[step]')")
    (tmp_path / "bad.step").write_text("this is no STEP file\n")
    with pytest.raises(FileError):
        mesh_step(tmp_path / "bad.step", 0.01)
