"""Generated meshes: volume, sets, closed and conforming for every element kind."""

from __future__ import annotations

from math import pi, sin

import numpy as np
import pytest

from flexor.elements import SOLIDS, by_name
from flexor.elements.assembly.model import assemble
from flexor.elements.faces import area_vectors, outer_faces
from flexor.elements.quality import quality
from flexor.errors import ModelError
from flexor.materials import Steel
from flexor.mesh import Mesh, generate
from flexor.mesh.beam_section import Rectangle
from flexor.mesh.patch import SOLID, SURFACE
from flexor.mesh.shell_section import ShellSection

ELEMENTS = [kind.name for kind in SOLIDS]


def polygon(n: int, r: float) -> float:
    return n / 2 * r * r * sin(2 * pi / n)


# maker, volume with flat sides, exact volume
BODIES = {
    "box": (lambda e: generate.box((1, 2, "300 cm"), (2, 3, 4), at=(1, 0, 0), element=e), 6.0, 6.0),
    "bar": (lambda e: generate.bar(1, 0.1, 0.2, (5, 1, 2), element=e), 0.02, 0.02),
    "plate": (lambda e: generate.plate(2, 1, "10 mm", (4, 3, 1), element=e), 0.02, 0.02),
    "cylinder": (lambda e: generate.cylinder(1, 2, (16, 2, 3), axis="x", element=e), 2 * polygon(16, 1), 2 * pi),
    "tube": (
        lambda e: generate.tube(1, 0.5, 1, (25, 2, 2), axis="y", element=e),
        polygon(25, 1) - polygon(25, 0.5),
        pi * 0.75,
    ),
    "ring": (
        lambda e: generate.ring(1, 0.5, 0.1, (36, 3, 1), element=e),
        0.1 * (polygon(36, 1) - polygon(36, 0.5)),
        0.1 * pi * 0.75,
    ),
    "l_profile": (lambda e: generate.l_profile(1, 2, 0.1, 1, (3, 5, 2, 2), element=e), 0.29, 0.29),
    "t_profile": (lambda e: generate.t_profile(1, 0.8, 0.1, 0.2, 2, (2, 3, 2, 1, 2), element=e), 0.48, 0.48),
}
TOTALS = {"box": (1.5, 1.0, 1.5), "bar": (0.5, 0, 0), "plate": (1, 0.5, 0), "cylinder": (1, 0, 0), "tube": (0, 0.5, 0)}


def surface(mesh: Mesh) -> np.ndarray:
    """∮ n dA and ⅓ ∮ x · n dA of the outer skin"""
    total = np.zeros(4)
    for faces in outer_faces(mesh):
        X = mesh.points[faces]
        N, dA = area_vectors(X)
        total[:3] += dA.sum(axis=(0, 1))
        total[3] += np.einsum("qk,mkc,mqc->", N, X, dA) / 3
    return total


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("body", BODIES)
def test_body(body: str, element: str) -> None:
    make, flat, exact = BODIES[body]
    mesh = make(element)
    found = quality(mesh)
    assert found.good, str(found)
    assert not len(found.free)
    assert not len(found.duplicates)
    model = assemble(mesh)
    volume = model.mass_properties.mass / 7850
    if element in ("tet4", "wedge6", "hex8"):
        assert volume == pytest.approx(flat, rel=1e-12)
    else:  # mid-side nodes lie on the circle
        assert volume == pytest.approx(exact, rel=1e-4 if flat != exact else 1e-12)
    if body in TOTALS:
        assert np.allclose(model.mass_properties.com, TOTALS[body], atol=1e-3 if body == "tube" else 1e-9)
    # neighbours fit: the skin is closed and encloses the same volume
    closed = surface(mesh)
    assert np.allclose(closed[:3], 0, atol=1e-12)
    assert closed[3] == pytest.approx(volume, rel=1e-10)


@pytest.mark.parametrize("element", ["hex8", "tet10"])
def test_sets(element: str) -> None:
    mesh = generate.box((1, 2, 3), (2, 2, 2), at=(0.5, 0, -1), element=element)
    for name, axis, value in (("x_min", 0, 0.5), ("x_max", 0, 1.5), ("y_max", 1, 2.0), ("z_min", 2, -1.0)):
        nodes = mesh.node_sets[name]
        assert np.allclose(mesh.points[nodes, axis], value)
        assert len(nodes) == np.sum(np.abs(mesh.points[:, axis] - value) < 1e-9)
    mesh = generate.tube(0.2, 0.1, 1.0, (12, 1, 3), axis="x", element=element)
    for name, radius in (("outer", 0.2), ("inner", 0.1)):
        assert np.allclose(np.linalg.norm(mesh.points[mesh.node_sets[name], 1:], axis=1), radius)
    assert np.allclose(mesh.points[mesh.node_sets["end"], 0], 1.0)


def test_plates_and_tubes_of_shells() -> None:
    section = ShellSection("2 mm")
    for element, count in (("shell4", 12), ("shell3", 24)):
        mesh = generate.plate(2, 1, divisions=(4, 3), element=element, section=section)
        assert mesh.n_elements == count
        assert np.allclose(mesh.points[:, 2], 0)
        assert surface(mesh)[2] == pytest.approx(2.0)  # all normals along z
        assert mesh.sections[mesh.blocks[0].section] == section
        mesh = generate.tube(0.11, 0.09, 1.0, (12, 1, 4), element=element, section=section)
        assert np.allclose(np.linalg.norm(mesh.points[:, :2], axis=1), 0.1)
        assert quality(mesh).good
        assert surface(mesh)[3] == pytest.approx(2 / 3 * polygon(12, 0.1))  # outward normals; open at both ends


def test_thin_parts_take_their_section_from_their_measures() -> None:
    flat = generate.plate(2, 1, "10 mm", (4, 3), element="shell4")
    assert flat.sections[flat.blocks[0].section] == ShellSection(0.01)
    round_ = generate.tube(0.11, 0.09, 1.0, (12, 1, 4), element="shell4")
    assert round_.sections[round_.blocks[0].section].thickness == pytest.approx(0.02)
    line = generate.bar(1, "40 mm", "20 mm", (5, 1, 1), element="beam2")
    assert line.sections[line.blocks[0].section] == Rectangle(0.04, 0.02)


def test_bar_of_beams() -> None:
    mesh = generate.bar(1, 0.1, 0.1, (5, 1, 1), element="beam2", section="any")
    assert mesh.blocks[0].nodes.tolist() == [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]]
    assert mesh.points[-1].tolist() == [1, 0, 0]
    assert mesh.node_sets["x_max"].tolist() == [5]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: generate.box((1, 0, 1)), "do not make a body"),
        (lambda: generate.box((1, 1, 1), (1, 0, 1)), r"divisions \(1, 0, 1\)"),
        (lambda: generate.box((1, 1, 1), element="shell4"), "'shell4' does not fit.*hex8"),
        (lambda: generate.plate(1, 1, divisions=(1, 1), element="brick"), "do not make a body"),
        (lambda: generate.plate(1, 1, divisions=(1, 1), element="shell4"), "no thickness; a shell needs one"),
        (lambda: generate.plate(1, 1, 0.1, element="shell4", section=ShellSection(0.2)), "leave out one of them"),
        (lambda: generate.cylinder(1, 1, (10, 1, 1)), "multiple of 4"),
        (lambda: generate.tube(1, 2, 1), "not below"),
        (lambda: generate.tube(2, 1, 1, (2, 1, 1)), "3 or more"),
        (lambda: generate.cylinder(1, 1, axis="w"), "no axis"),
        (lambda: generate.l_profile(0.1, 1, 0.2, 1), "use a box"),
        (lambda: generate.t_profile(0.1, 1, 0.2, 0.3, 1), "not narrower"),
    ],
)
def test_mistakes(make, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        make()


def test_material_by_name() -> None:
    assert generate.box((1, 1, 1), (1, 1, 1), material="steel").materials == {"material": Steel()}
    with pytest.raises(ModelError, match="no known material"):
        generate.bar(1, 0.1, 0.1, (2, 1, 1), material="stele")


def test_it_can_make_every_element_with_faces():
    names = {solid: [k.name for k in by_name.values() if k.faces and (k.dofs == 3) == solid] for solid in (True, False)}
    assert names == {True: list(SOLID), False: list(SURFACE)}
