"""Node order of importers: which edge each mid-side node of a file halves, from the formats' own documents."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.elements import SOLIDS, by_name
from flexor.elements.solids.isoparametric import Solid
from tests.elements import samples

BOTTOM, TOP, UPRIGHT = (
    ((0, 1), (1, 2), (2, 3), (3, 0)),
    ((4, 5), (5, 6), (6, 7), (7, 4)),
    ((0, 4), (1, 5), (2, 6), (3, 7)),
)
LOW, HIGH, SIDES = ((0, 1), (1, 2), (2, 0)), ((3, 4), (4, 5), (5, 3)), ((0, 3), (1, 4), (2, 5))
TET = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
MIDDLES = {
    # Abaqus and CalculiX: C3D10, C3D15, C3D20
    ("abaqus", "tet10"): TET,
    ("abaqus", "wedge15"): (*LOW, *HIGH, *SIDES),
    ("abaqus", "hex20"): (*BOTTOM, *TOP, *UPRIGHT),
    # MSC Nastran Quick Reference Guide: CTETRA, CPENTA, CHEXA
    ("nastran", "tet10"): TET,
    ("nastran", "wedge15"): (*LOW, *SIDES, *HIGH),
    ("nastran", "hex20"): (*BOTTOM, *UPRIGHT, *TOP),
    # Gmsh reference manual, node ordering
    ("gmsh", "tet10"): ((0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3)),
    ("gmsh", "wedge15"): ((0, 1), (0, 2), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (3, 5), (4, 5)),
    ("gmsh", "hex20"): (
        *((0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3)),
        *((2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)),
    ),
    # VTK: vtkQuadraticTetra, vtkQuadraticWedge, vtkQuadraticHexahedron
    ("vtk", "tet10"): TET,
    ("vtk", "wedge15"): (*LOW, *HIGH, *SIDES),
    ("vtk", "hex20"): (*BOTTOM, *TOP, *UPRIGHT),
}
NUMBERS = {
    "tet4": (4, 10),
    "hex8": (5, 12),
    "wedge6": (6, 13),
    "tet10": (11, 24),
    "hex20": (17, 25),
    "wedge15": (18, 26),
}


def corners_of(kind: type[Solid], program: str) -> np.ndarray:
    """Corners as the program lists them; VTK wants the normal of a wedge's first triangle to point outwards."""
    linear = {"tet10": "tet4", "wedge15": "wedge6", "hex20": "hex8"}.get(kind.name, kind.name)
    corners = np.array(by_name[linear].corners, dtype=float)
    return corners[[0, 2, 1, 3, 5, 4]] if program == "vtk" and linear == "wedge6" else corners


@pytest.mark.parametrize("program", ["abaqus", "nastran", "gmsh", "vtk"])
@pytest.mark.parametrize("kind", SOLIDS, ids=lambda kind: kind.name)
def test_positions_in_our_order(kind: type[Solid], program: str) -> None:
    theirs = corners_of(kind, program)
    edges = MIDDLES.get((program, kind.name), ())
    theirs = np.concatenate([theirs, [(theirs[a] + theirs[b]) / 2 for a, b in edges] or np.empty((0, 3))])
    order = getattr(kind, f"{program}_order") or range(kind.n_nodes)
    assert sorted(order) == list(range(kind.n_nodes))
    ours = theirs[list(order)]
    assert np.allclose(ours, kind.corners)
    assert kind.volume(ours[None], samples.properties())[0] > 0


@pytest.mark.parametrize("kind", SOLIDS, ids=lambda kind: kind.name)
def test_cell_numbers(kind: type[Solid]) -> None:
    assert (kind.gmsh, kind.vtk) == NUMBERS[kind.name]
    assert f"C3D{kind.n_nodes}" in kind.abaqus
    assert kind.nastran == ({"tet": "CTETRA", "wed": "CPENTA", "hex": "CHEXA"}[kind.name[:3]],)


@pytest.mark.parametrize("kind", SOLIDS, ids=lambda kind: kind.name)
def test_faces_share_every_edge_twice(kind: type[Solid]) -> None:
    """A closed surface: each directed edge of a face meets the same edge in the other direction."""
    corners = 3 if kind.name.startswith("tet") else 4
    directed = []
    for face in kind.faces:
        loop = face[: len(face) if kind.n_nodes <= 8 else len(face) // 2]
        assert 3 <= len(loop) <= corners
        directed += list(zip(loop, loop[1:] + loop[:1]))
    assert len(set(directed)) == len(directed)
    assert {(b, a) for a, b in directed} == set(directed)
