"""PBARL and PBEAML profiles against integrals over their outlines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from flexor.errors import FileError
from flexor.io import read_mesh
from flexor.io.nastran.profiles import dimensions, profile
from tests.io.nastran_decks import SHELL

# outlines (y, z), y up, z to the right, counter-clockwise or not
OUTLINES = {
    ("T", (0.2, 0.3, 0.02, 0.01)): [
        *((0.3, -0.1), (0.3, 0.1), (0.28, 0.1), (0.28, 0.005), (0, 0.005), (0, -0.005), (0.28, -0.005), (0.28, -0.1)),
    ],
    ("L", (0.1, 0.2, 0.02, 0.01)): [(0, 0), (0, 0.1), (0.02, 0.1), (0.02, 0.01), (0.2, 0.01), (0.2, 0)],
    ("CHAN", (0.1, 0.2, 0.01, 0.02)): [
        *((0.1, 0), (0.1, 0.1), (0.08, 0.1), (0.08, 0.01), (-0.08, 0.01), (-0.08, 0.1), (-0.1, 0.1), (-0.1, 0)),
    ],
    ("CHAN1", (0.09, 0.01, 0.16, 0.2)): [
        *((0.1, 0), (0.1, 0.1), (0.08, 0.1), (0.08, 0.01), (-0.08, 0.01), (-0.08, 0.1), (-0.1, 0.1), (-0.1, 0)),
    ],
    ("Z", (0.05, 0.01, 0.16, 0.2)): [
        *((0.1, -0.055), (0.1, 0.005), (-0.08, 0.005), (-0.08, 0.055), (-0.1, 0.055), (-0.1, -0.005)),
        *((0.08, -0.005), (0.08, -0.055)),
    ],
    ("I", (0.3, 0.2, 0.1, 0.015, 0.02, 0.01)): [
        *((0, -0.1), (0, 0.1), (0.02, 0.1), (0.02, 0.0075), (0.29, 0.0075), (0.29, 0.05), (0.3, 0.05), (0.3, -0.05)),
        *((0.29, -0.05), (0.29, -0.0075), (0.02, -0.0075), (0.02, -0.1)),
    ],
    ("I", (0.3, 0.2, 0.2, 0.015, 0.02, 0.02)): [
        *((0, -0.1), (0, 0.1), (0.02, 0.1), (0.02, 0.0075), (0.28, 0.0075), (0.28, 0.1), (0.3, 0.1), (0.3, -0.1)),
        *((0.28, -0.1), (0.28, -0.0075), (0.02, -0.0075), (0.02, -0.1)),
    ],
    ("I1", (0.185, 0.015, 0.26, 0.3)): [
        *((0, -0.1), (0, 0.1), (0.02, 0.1), (0.02, 0.0075), (0.28, 0.0075), (0.28, 0.1), (0.3, 0.1), (0.3, -0.1)),
        *((0.28, -0.1), (0.28, -0.0075), (0.02, -0.0075), (0.02, -0.1)),
    ],
    ("BAR", (0.1, 0.3)): [(0, 0), (0, 0.1), (0.3, 0.1), (0.3, 0)],
}


def moments(outline: list[tuple[float, float]]) -> tuple[float, float, float, float]:
    """Area, ∫z², ∫y², ∫yz about the centroid, by Green's theorem."""
    y, z = np.array(outline).T
    y1, z1 = np.roll(y, -1), np.roll(z, -1)
    cross = y * z1 - y1 * z
    A = cross.sum() / 2
    yc, zc = ((y + y1) * cross).sum() / (6 * A), ((z + z1) * cross).sum() / (6 * A)
    Iz = ((y**2 + y * y1 + y1**2) * cross).sum() / 12 - A * yc**2
    Iy = ((z**2 + z * z1 + z1**2) * cross).sum() / 12 - A * zc**2
    Iyz = ((y * z1 + 2 * y * z + 2 * y1 * z1 + y1 * z) * cross).sum() / 24 - A * yc * zc
    s = np.sign(A)
    return s * A, s * Iy, s * Iz, s * Iyz


@pytest.mark.parametrize(("shape", "sizes"), OUTLINES)
def test_area_and_second_moments(shape: str, sizes: tuple[float, ...]) -> None:
    make, values, _ = profile(shape, list(sizes))
    section = make(**values)
    found = (section.area, section.Iy, section.Iz, section.Iyz)
    scale = moments(OUTLINES[shape, sizes])
    np.testing.assert_allclose(found, scale, rtol=1e-12, atol=1e-12 * scale[1])


def test_shear_centres() -> None:
    """Centroid seen from the shear centre: where the walls of an L or T meet, behind the web of a channel."""
    _, values, neutral = profile("T", [0.2, 0.3, 0.02, 0.01])
    centroid = (0.2 * 0.02 * 0.29 + 0.28 * 0.01 * 0.14) / (0.2 * 0.02 + 0.28 * 0.01)
    np.testing.assert_allclose(neutral, [centroid - 0.29, 0], atol=1e-15)
    np.testing.assert_allclose(values["shear_center"], [0.29 - centroid, 0], atol=1e-15)
    _, _, neutral = profile("L", [0.1, 0.2, 0.02, 0.01])
    assert neutral[0] > 0
    assert neutral[1] > 0
    _, values, _ = profile("CHAN", [0.1, 0.2, 0.01, 0.02])
    b, h = 0.095, 0.18
    e = b**2 * h**2 * 0.02 / (4 * (0.01 * h**3 / 12 + 2 * b * 0.02 * (h / 2) ** 2))  # Roark, thin channel
    A = 0.2 * 0.01 + 2 * 0.09 * 0.02
    zc = (0.2 * 0.01 * 0.005 + 2 * 0.09 * 0.02 * 0.055) / A
    np.testing.assert_allclose(values["shear_center"][1], 0.005 - e - zc, rtol=1e-12)


def test_box_with_two_thicknesses() -> None:
    make, values, _ = profile("BOX", [0.1, 0.2, 0.01, 0.005])
    section = make(**values)
    assert section.area == pytest.approx(0.1 * 0.2 - 0.09 * 0.18)
    assert section.Iy == pytest.approx((0.2 * 0.1**3 - 0.18 * 0.09**3) / 12)  # DIM1 lies along z
    assert pytest.approx(4 * (0.095 * 0.19) ** 2 / (2 * 0.095 / 0.01 + 2 * 0.19 / 0.005)) == section.J


def test_round_profiles() -> None:
    for shape, sizes in (("TUBE", [0.1, 0.09]), ("TUBE2", [0.1, 0.01])):
        make, values, _ = profile(shape, sizes)
        assert make(**values).area == pytest.approx(np.pi * (0.1**2 - 0.09**2))
    make, values, _ = profile("ROD", [0.1])
    assert pytest.approx(np.pi / 2 * 1e-4) == make(**values).J


def test_beam_hangs_on_its_shear_centre(tmp_path: Path) -> None:
    """CBEAM with PBEAML: offsets lead from the nodes (shear centre) to the centroid; CBAR with PBARL sits on it."""
    path = tmp_path / "t.bdf"
    path.write_text(SHELL + "CBEAM,1,8,1,2,0.,1.,0.\nPBEAML,8,3,,T\n,.2,.3,.02,.01\nENDDATA\n")
    mesh = read_mesh(path)
    neutral = profile("T", [0.2, 0.3, 0.02, 0.01])[2]
    np.testing.assert_allclose(mesh.blocks[0].data["offsets"][0], [[0, neutral[0], 0]] * 2)
    path.write_text(SHELL + "CBAR,1,8,1,2,0.,1.,0.\nPBARL,8,3,,T\n,.2,.3,.02,.01\nENDDATA\n")
    mesh = read_mesh(path)
    assert mesh.blocks[0].data == {}
    assert mesh.sections["PBARL 8"].shear_center == (0.0, 0.0)


def test_impossible_and_unknown_profiles(tmp_path: Path) -> None:
    path = tmp_path / "t.bdf"
    path.write_text(SHELL + "CBAR,1,8,1,2,0.,1.,0.\nPBARL,8,3,,T\n,.2,.01,.02,.01\nENDDATA\n")
    with pytest.raises(FileError, match="do not fit"):
        read_mesh(path)
    assert dimensions("HAT") is None
    path.write_text(SHELL + "CBAR,1,8,1,2,0.,1.,0.\nPBARL,8,3,,HAT\n,.2,.01,.02,.01\nENDDATA\n")
    assert any("PBARL, TYPE=HAT" in note for note in read_mesh(path).notes)
