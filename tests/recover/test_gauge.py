"""Strain gauges and rosettes: the transformation of strain, placement, principal values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.elements.assembly.model import DofMap
from flexor.errors import ModelError
from flexor.materials import Steel
from flexor.mesh.generate import bar, box, plate, tube
from flexor.mesh.section import ShellSection
from flexor.recover import StrainGauge, StressHistory, rosette_strain
from flexor.reduce import CraigBampton, Guyan, from_mesh, reduce_mesh
from flexor.reduce.reduced import ReducedBody, project
from tests.recover.bodies import NU, E, clamped, resting, rod, sheet, swinging

KINDS = ("single", "double 90", "triple 45", "triple 60")
# εxx, εyy, εzz, γxy, γyz, γzx
STRAIN = np.array([1.1e-3, -0.4e-3, 0.2e-3, 0.9e-3, 0.3e-3, -0.5e-3])


def uniformly_strained(element: str, strain: np.ndarray = STRAIN) -> ReducedBody:
    """A body with one coordinate: its mesh in a uniform strain (1 for z = 1)."""
    section = ShellSection(0.002)
    if element.startswith("shell"):
        mesh = plate(0.3, 0.2, divisions=(3, 2), element=element, section=section, material=Steel())
    else:
        mesh = box((0.3, 0.2, 0.1), (3, 2, 2), element=element, material=Steel())
    p = from_mesh(mesh, {"left": "x_min"})
    body = project(p, Guyan().basis(p)[0], "block")
    xx, yy, zz, xy, yz, zx = strain
    gradient = np.array([[xx, xy, zx], [0, yy, yz], [0, 0, zz]])
    dofs = DofMap(body.node_dofs, len(body.shapes))
    u = np.zeros(dofs.n)
    motion = np.hstack([body.nodes @ gradient.T, np.zeros_like(body.nodes)])
    motion[:, 5] = -xy / 2  # a shell's rotation about its normal
    u[body.node_dofs[body.node_dofs >= 0]] = motion[body.node_dofs >= 0]
    one = np.ones((1, 1))
    return replace(body, K=one, M=one, shapes=u[:, None], at_connections=np.zeros((6, 1)))


def along(strain, a, b=None):
    """aᵀ ε b"""
    xx, yy, zz, xy, yz, zx = strain
    tensor = np.array([[xx, xy / 2, zx / 2], [xy / 2, yy, yz / 2], [zx / 2, yz / 2, zz]])
    return a @ tensor @ (a if b is None else b)


@pytest.mark.parametrize("element", ["hex8", "hex20", "tet10", "wedge15", "tet4"])
@pytest.mark.parametrize("at", [(0.3, 0.07, 0.03), (0.11, 0.2, 0.04), (0.08, 0.09, 0.1), (0.05, 0.05, 0.0)])
def test_legs_on_all_sides_of_a_block(element, at):
    history = resting(uniformly_strained(element), np.array([[0.0], [1.0], [-2.0]]))
    for kind in KINDS:
        gauge = StrainGauge("g", body="block", at=at, direction=(0.3, 1.0, -0.6), kind=kind)
        reading = gauge.read(history)
        assert np.allclose(reading.position, at)
        first, second, normal = reading.axes.T
        angles = {"single": [0], "double 90": [0, 90], "triple 45": [0, 45, 90], "triple 60": [0, 60, 120]}[kind]
        for leg, angle in zip(reading.legs.T, np.radians(angles)):
            direction = np.cos(angle) * first + np.sin(angle) * second
            assert np.allclose(leg, along(STRAIN, direction) * np.array([0, 1, -2]), atol=1e-12)
        assert normal @ (np.array(at) - [0.15, 0.1, 0.05]) > 0  # outward


def test_gauge_on_a_stretched_plate_at_an_angle():
    """ε(θ) = εx cos²θ + εy sin²θ + γ sinθ cosθ;  in plane stress σ₁ = E/(1 − ν²) (ε₁ + ν ε₂)."""
    body = uniformly_strained("shell4")
    history = resting(body, np.ones((1, 1)))
    xx, yy, _, xy, _, _ = STRAIN
    for degrees in (0, 17, 45, 90, 133):
        angle = np.radians(degrees)
        gauge = StrainGauge("g", at=(0.1, 0.1, 0), direction="x", angle=f"{degrees} deg")
        expected = xx * np.cos(angle) ** 2 + yy * np.sin(angle) ** 2 + xy * np.sin(angle) * np.cos(angle)
        assert gauge.read(history).legs[0, 0] == pytest.approx(expected, rel=1e-9)
    reading = StrainGauge("g", at=(0.1, 0.1, 0), direction="x", kind="triple 45").read(history)
    middle, radius = (xx + yy) / 2, np.hypot((xx - yy) / 2, xy / 2)
    one, two = middle + radius, middle - radius
    assert np.allclose(reading.principal_strain, [[one, two]])
    assert reading.max_shear[0] == pytest.approx(one - two)
    assert reading.angle[0] == pytest.approx(0.5 * np.arctan2(xy, xx - yy))
    stresses = E / (1 - NU**2) * np.array([one + NU * two, two + NU * one])
    assert np.allclose(reading.principal_stress, [stresses])
    assert reading.von_mises[0] == pytest.approx(np.sqrt(stresses[0] ** 2 - stresses.prod() + stresses[1] ** 2))
    assert reading.signed_max_strain[0] == pytest.approx(one)
    # along its principal direction a gauge shows the principal strain
    turned = StrainGauge("g", at=(0.1, 0.1, 0), direction="x", angle=float(reading.angle[0])).read(history)
    assert turned.legs[0, 0] == pytest.approx(one)


def test_principal_values_are_those_of_the_tensor():
    """On a side whose normal is a principal direction they are two of the body's three."""
    strain = np.array([1.1e-3, -0.4e-3, 0.2e-3, 0.9e-3, 0.0, 0.0])
    history = resting(uniformly_strained("hex20", strain), np.ones((1, 1)))
    reading = StrainGauge("g", at=(0.1, 0.05, 0.1), direction="y", kind="triple 60").read(history)
    values = np.sort(np.append(reading.principal_strain[0], strain[2]))
    found = [StressHistory(history, f"principal_{k}", quantity="strain").frame(0.0)[5] for k in (3, 2, 1)]
    assert np.allclose(values, found, atol=1e-9)
    compressed = StrainGauge("g", at=(0.1, 0.05, 0.1), direction="y").read(resting(history.reduced, -np.ones((1, 1))))
    assert compressed.signed_max_strain[0] == pytest.approx(-reading.principal_strain[0, 0])


@pytest.mark.parametrize("kind", ["triple 45", "triple 60"])
def test_a_triple_rosette_tells_the_whole_strain(kind):
    history = swinging(rod(), 20)
    reading = StrainGauge("g", at=(0.43, 0.02, 0.04), direction=(1, 0.4, 0), kind=kind).read(history)
    assert np.allclose(
        rosette_strain(reading.legs, kind), reading.strain, atol=1e-15 + 1e-12 * np.abs(reading.strain).max()
    )


def test_both_sides_of_a_bent_sheet():
    """ε = ±6 m/(E t²) on top and bottom; seen from outside the legs turn counter-clockwise on either side."""
    body = sheet()
    history = resting(body, clamped(body, np.array([0, 0, 0, 0, 2.0, 0])))
    expected = 6 * 2.0 / (0.1 * 0.005**2) / E
    for side, sign in (("top", 1.0), ("bottom", -1.0)):
        reading = StrainGauge("g", at=(0.2, 0.05, 0), direction="x", side=side, kind="double 90").read(history)
        assert reading.legs[0, 0] == pytest.approx(sign * expected, rel=0.01)
        assert np.allclose(reading.axes[:, 2], [0, 0, sign])
        assert np.allclose(np.cross(reading.axes[:, 0], reading.axes[:, 1]), reading.axes[:, 2])


@pytest.mark.parametrize("element", ["hex8", "hex20", "shell4"])
def test_nearest_point_of_a_curved_surface(element):
    section = ShellSection(0.01) if element == "shell4" else None
    mesh = tube(0.1, 0.08, 0.3, (24, 1, 6), element=element, material=Steel(), section=section)
    body = reduce_mesh(mesh, {"end": "start"}, CraigBampton(1), check=False, use_cache=False)
    radius = 0.09 if element == "shell4" else 0.1
    direction = np.array([np.cos(0.7), np.sin(0.7), 0])
    at = 1.05 * radius * direction + [0, 0, 0.17]
    point = StrainGauge("g", at=tuple(at), direction="z").locate(body)
    assert np.allclose(point.position, radius * direction + [0, 0, 0.17], atol=2e-4 if element == "hex20" else 1.2e-3)
    assert abs(point.normal @ direction) > 0.99
    assert np.linalg.norm(np.cross(at - point.position, point.normal)) < 1e-8  # the foot of a perpendicular


def test_placed_by_element_and_face():
    body = uniformly_strained("hex8")
    mesh = body.mesh
    history = resting(body, np.ones((1, 1)))
    element = int(mesh.blocks[0].ids[-1])
    corner = mesh.points[mesh.blocks[0].nodes[-1]].mean(axis=0)
    inside, seen = [], []
    for face in range(1, 7):
        gauge = StrainGauge("g", element=element, face=face, direction=(1, 1, 1))
        try:
            reading = gauge.read(history)
        except ModelError as error:
            inside.append(str(error))
            continue
        seen.append(face)
        assert reading.element == element
        assert np.abs(reading.position - corner).max() < 0.06
    assert all(f"of element {element} is inside; a gauge sits on the skin" in text for text in inside)
    assert len(seen) == 3  # an element at a corner
    with pytest.raises(ModelError, match=r"has the outer faces \d, \d, \d; name one: face="):
        StrainGauge("g", element=element, direction="x").read(history)
    with pytest.raises(ModelError, match=r"no element 999 with a surface; near that number there are"):
        StrainGauge("g", element=999, direction="x").read(history)
    with pytest.raises(ModelError, match=r"no face 9; its faces are 1 … 6"):
        StrainGauge("g", element=element, face=9, direction="x").read(history)
    shell = resting(uniformly_strained("shell3"), np.ones((1, 1)))
    assert StrainGauge("g", element=2, direction="x").read(shell).legs[0, 0] == pytest.approx(STRAIN[0])


def test_a_gauge_on_a_scaled_body():
    body = rod()
    scaled = body.scaled(length=2.0, stiffness=3.0)
    load = np.array([4e3, 1e3, -2e3, 100, 200, 300])
    small = resting(body, clamped(body, load))
    large = resting(scaled, clamped(scaled, 12 * load * [1, 1, 1, 2, 2, 2]))
    one = StrainGauge("g", at=(0.43, 0.02, 0.04), direction="x").read(small)
    two = StrainGauge("g", at=(0.86, 0.04, 0.08), direction="x").read(large)
    assert np.allclose(two.strain, one.strain, rtol=1e-6)
    assert np.allclose(two.stress, 3 * one.stress, rtol=1e-6)
    assert np.allclose(two.position, 2 * one.position)


# -- on borders between elements ---------------------------------------------------------------------------------------


def bent_bar(element="hex20"):
    """A cantilever 0.3 × 0.02 × 0.01 m, 10 × 2 × 2 elements, 100 N down at its tip; strain on top at x."""
    mesh = bar(0.3, 0.02, 0.01, (10, 2, 2), element=element, material=Steel())
    body = reduce_mesh(mesh, {"left": "x_min", "right": "x_max"}, CraigBampton(1), check=False, use_cache=False)
    history = resting(body, clamped(body, np.array([0, 0, -100.0, 0, 0, 0])))
    return history, lambda x: 100 * (0.3 - x) * 0.005 / (0.02 * 0.01**3 / 12) / E


@pytest.mark.parametrize(
    ("at", "count"),
    [((0.15, 0, 0.005), 4), ((0.15, 0.004, 0.005), 2), ((0.165, 0.0, 0.005), 2), ((0.15, 0.01, 0.005), 2)],
)
def test_on_a_border_the_average_of_the_elements_is_read(at, count):
    """Bending strain is linear along the bar, that of one element all but constant: 3 to 4 % off at its border."""
    history, exact = bent_bar()
    reading = StrainGauge("g", at=at, direction="x", kind="triple 45").read(history)
    assert len(reading.elements) == len(set(reading.elements)) == count
    assert reading.element in reading.elements
    single = []
    for x in (-1, 1):
        for y in (-1, 1):
            beside = (at[0] + 1.1e-4 * x, at[1] + 1.1e-4 * y, at[2])
            one = StrainGauge("g", at=beside, direction="x", kind="triple 45").read(history)
            assert len(one.elements) == 1
            single.append(one)
    size = np.abs(reading.strain).max()
    np.testing.assert_allclose(np.mean([one.strain for one in single], axis=0), reading.strain, atol=2e-3 * size)
    np.testing.assert_allclose(np.mean([one.stress for one in single], axis=0), reading.stress, atol=2e-3 * E * size)
    if at[0] == 0.15:
        assert reading.legs[0, 0] == pytest.approx(exact(0.15), rel=1e-3)
        assert abs(single[0].legs[0, 0] / exact(0.15) - 1) > 0.02


def test_borders_of_curved_surfaces_and_of_shells():
    """Facets of a tube are one surface, sides of a block are not; a sheet whose neighbour is turned over is read alone."""
    mesh = tube(0.1, 0.08, 0.3, (24, 1, 6), element="hex8", material=Steel())
    body = reduce_mesh(mesh, {"end": "start"}, CraigBampton(1), check=False, use_cache=False)
    at = mesh.points[np.argmin(np.linalg.norm(mesh.points - [0.1 * np.cos(0.8), 0.1 * np.sin(0.8), 0.15], axis=1))]
    reading = StrainGauge("g", at=tuple(at), direction="z").read(resting(body, np.zeros((1, body.size))))
    assert len(reading.elements) == 4
    assert np.allclose(reading.axes[:, 2], [*at[:2] / np.linalg.norm(at[:2]), 0])
    block = resting(uniformly_strained("hex8"), np.ones((1, 1)))
    edge = StrainGauge("g", at=(0.1, 0.2, 0.1), direction="x").read(block)
    assert len(edge.elements) == 2
    assert edge.legs[0, 0] == pytest.approx(STRAIN[0])
    sheet_mesh = plate(0.3, 0.2, divisions=(3, 2), element="shell4", section=ShellSection(0.002), material=Steel())
    nodes = np.array(sheet_mesh.blocks[0].nodes)
    turned = replace(sheet_mesh, blocks=(replace(sheet_mesh.blocks[0], nodes=np.vstack([nodes[:1, ::-1], nodes[1:]])),))
    ids, counts = np.unique(nodes, return_counts=True)
    corner = next(node for node in nodes[0] if counts[ids == node] == 4)  # where the first element meets three others
    for mesh, count in ((sheet_mesh, 4), (turned, 1)):
        body = reduce_mesh(mesh, {"left": "x_min"}, CraigBampton(1), check=False, use_cache=False)
        gauge = StrainGauge("g", at=tuple(mesh.points[corner]), direction="x")
        assert len(gauge.read(resting(body, np.zeros((1, body.size)))).elements) == count


def test_signals():
    reading = StrainGauge("g1", at=(0.43, 0.02, 0.04), direction="x", kind="triple 45").read(swinging(rod(), 20))
    signals = reading.signals()
    assert [name for name in signals if "leg" in name] == ["g1.leg_1", "g1.leg_2", "g1.leg_3"]
    assert signals["g1.stress_1"].unit == "Pa"
    assert np.array_equal(signals["g1.signed_max_stress"].values, reading.signed_max_stress)
    assert all(len(series.values) == len(series.time) == 20 for series in signals.values())


def test_messages():
    history = swinging(rod(), 5)
    with pytest.raises(ModelError, match=r"strain gauge 'g': it has no place; place it once"):
        StrainGauge("g", direction="x")
    with pytest.raises(ModelError, match="two places"):
        StrainGauge("g", at=(0, 0, 0), element=3, direction="x")
    with pytest.raises(ModelError, match="face belongs to an element"):
        StrainGauge("g", at=(0, 0, 0), face=3, direction="x")
    with pytest.raises(ModelError, match=r"away from the surface.*nearest point is \(0.5, "):
        StrainGauge("g", at=(0.5, 0.0, 2.0), direction="x").read(history)
    with pytest.raises(ModelError, match="its direction stands on the surface"):
        StrainGauge("g", at=(0.5, 0.0, 0.04), direction="z").read(history)
    with pytest.raises(ModelError, match="it sits on 'arm', the history is that of 'rod'"):
        StrainGauge("g", body="arm", at=(0.5, 0.0, 0.04), direction="x").read(history)
    with pytest.raises(ModelError, match="'double 90' does not tell the whole strain"):
        rosette_strain(np.zeros((4, 2)), "double 90")
    with pytest.raises(ModelError, match="kind"):
        StrainGauge("g", at=(0, 0, 0), direction="x", kind="triple 30")


def test_it_survives_json():
    gauge = StrainGauge("g1", "rod", at=("100 mm", 0, 0), direction="-y", kind="triple 60", angle="30 deg")
    assert StrainGauge.model_validate_json(gauge.model_dump_json()) == gauge
