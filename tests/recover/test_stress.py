"""Stress over time: closed forms, the full model under centrifugal load, envelopes, messages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.elements.assembly.loads import Centrifugal
from flexor.elements.assembly.model import assemble
from flexor.elements.assembly.stress import von_mises
from flexor.errors import FlexorError, ModelError
from flexor.materials import Isotropic, Steel
from flexor.mesh import Block
from flexor.mesh.generate import bar, box
from flexor.mesh.section import Rectangle
from flexor.recover import StressHistory
from flexor.reduce import CraigBampton, Guyan, Modal, from_mesh, reduce_mesh, statics
from flexor.reduce.reduced import project
from tests.recover.bodies import HEIGHT, LENGTH, NU, RHO, WIDTH, E, beam, clamped, resting, rod, sheet, swinging

AREA, INERTIA = WIDTH * HEIGHT, WIDTH * HEIGHT**3 / 12


def middle(body):
    """Nodes halfway along the bar."""
    return np.flatnonzero(np.abs(body.nodes[:, 0] - LENGTH / 2) < 1e-9)


def test_tension():
    """σ = N/A, ε = σ/E, across −νσ/E; the ends are some widths away."""
    body = rod()
    history = resting(body, clamped(body, np.array([8e5, 0, 0, 0, 0, 0])))
    stress, strain = StressHistory(history), StressHistory(history, quantity="strain")
    nodes, sigma = middle(body), 8e5 / AREA
    assert np.allclose(stress.frame(0.0)[nodes], sigma, rtol=2e-3)
    assert np.allclose(stress.tensor(0.0)[nodes], [sigma, 0, 0, 0, 0, 0], atol=2e-3 * sigma)
    expected = np.array([1, -NU, -NU, 0, 0, 0]) * sigma / E
    assert np.allclose(strain.tensor(0.0)[nodes], expected, atol=2e-3 * sigma / E)
    assert np.allclose(stress.measure("pressure").frame(0.0)[nodes], -sigma / 3, rtol=3e-3)
    assert np.allclose(stress.measure("max_shear").frame(0.0)[nodes], sigma / 2, rtol=3e-3)


def test_tension_without_contraction_is_exact():
    mesh = bar(LENGTH, WIDTH, HEIGHT, (4, 2, 2), material=Isotropic(E, 0.0, RHO))
    ends = {"left": "x_min", "right": "x_max"}
    body = reduce_mesh(mesh, ends, CraigBampton(2), check=False, use_cache=False)
    history = resting(body, clamped(body, np.array([8e5, 0, 0, 0, 0, 0])))
    stress = StressHistory(history)
    assert np.allclose(stress.frame(0.0)[stress.sites.rows], 8e5 / AREA, rtol=1e-9)
    assert stress.max().value == pytest.approx(8e5 / AREA, rel=1e-9)


def test_bending():
    """σ = −M z/I with M = F (L − x): a force upwards presses the upper side."""
    body = rod()
    history = resting(body, clamped(body, np.array([0, 0, 1e3, 0, 0, 0])))
    stress = StressHistory(history, "xx")
    nodes = middle(body)
    expected = -1e3 * (LENGTH / 2) * body.nodes[nodes, 2] / INERTIA
    assert np.allclose(stress.frame(0.0)[nodes], expected, atol=2e-3 * np.abs(expected).max())
    assert stress.max().value == pytest.approx(-stress.min().value, rel=1e-6)
    assert stress.max().position[2] == pytest.approx(-HEIGHT / 2)
    assert stress.min().position[2] == pytest.approx(HEIGHT / 2)


def test_torsion_is_pure_shear():
    """Principal stresses ±τ at the middle of the wide side; τ = T/W from St. Venant's series for the rectangle."""
    body = rod(across=4)
    history = resting(body, clamped(body, np.array([0, 0, 0, 1e3, 0, 0])))
    nodes = middle(body)
    side = nodes[(np.abs(body.nodes[nodes, 1]) < 1e-9) & (np.abs(body.nodes[nodes, 2] - HEIGHT / 2) < 1e-9)]
    one, two, three = (StressHistory(history, f"principal_{k}").frame(0.0)[side[0]] for k in (1, 2, 3))
    assert one == pytest.approx(-three, rel=1e-3)
    assert abs(two) < 1e-3 * one
    tau = np.abs(Rectangle(WIDTH, HEIGHT).stress_points()[:, 2:]).max()
    assert one == pytest.approx(1e3 * tau, rel=0.03)


def test_bending_of_a_sheet_top_middle_and_bottom():
    """σ = ±6 m/t² on the faces, 0 between."""
    body = sheet()
    moment = 2.0  # about y at the free end
    history = resting(body, clamped(body, np.array([0, 0, 0, 0, moment, 0])))
    stress = StressHistory(history, "xx")
    node = int(body.node_ids[np.argmin(np.linalg.norm(body.nodes - [0.2, 0.05, 0], axis=1))])
    expected = 6 * moment / (0.1 * 0.005**2)
    assert stress.at(node).values[0] == pytest.approx(expected, rel=0.01)
    assert stress.on("bottom").at(node).values[0] == pytest.approx(-expected, rel=0.01)
    assert abs(stress.on("middle").at(node).values[0]) < 1e-6 * expected
    element = int(body.mesh.blocks[0].ids[np.flatnonzero((body.node_ids[body.mesh.blocks[0].nodes] == node).any(1))[0]])
    for place, where in (("elements", {"node": node, "element": element}), ("centers", {"element": element})):
        assert stress.at_place(place).at(**where).values[0] == pytest.approx(expected, rel=0.01)
        assert stress.at_place(place).on("bottom").at(**where).values[0] == pytest.approx(-expected, rel=0.01)
    assert "(top), t = 0 s" in str(stress.max())
    assert "(bottom)" in str(stress.on("bottom").min())
    strain = StressHistory(history, "zz", quantity="strain")
    assert strain.at(node).values[0] == pytest.approx(-NU * expected / E, rel=0.02)  # thinner where stretched
    assert strain.on("bottom").at(node).values[0] == pytest.approx(NU * expected / E, rel=0.02)


def test_spinning_free_bar_is_the_full_model_under_centrifugal_load():
    """With all its modes the reduced body is the mesh; its load is Σ ωᵢωⱼ cᵢⱼ of the invariants."""
    mesh = bar(1.0, 0.1, 0.08, (6, 1, 1), element="hex8", material=Steel())
    p = from_mesh(mesh, {"left": "x_min", "right": "x_max"})
    body = project(p, CraigBampton(p.n - p.n_connections).basis(p)[0], "bar")
    w, center = np.array([20.0, -30.0, 400.0]), np.array([0.5, 0, 0])
    c = body.invariants.about(center).centrifugal
    # held at one end like the full model; the load is balanced but for the wobble of an inclined axis
    load = -np.einsum("i,j,ijr->r", w, w, c)
    z = np.zeros(body.size)
    z[6:] = np.linalg.solve(body.K[6:, 6:], load[6:])
    connection = len(p.mesh.points) - 2
    held = assemble(replace(p.mesh, fixed=((connection, (0, 1, 2, 3, 4, 5)),)))
    full = statics(held, [Centrifugal(tuple(w), about=tuple(center))])
    stress = StressHistory(resting(body, z))
    assert np.allclose(stress.tensor(0.0), full.stress, atol=1e-7 * np.nanmax(np.abs(full.stress)), equal_nan=True)
    assert np.allclose(stress.frame(0.0), von_mises(full.stress), rtol=1e-6, equal_nan=True)


def test_stress_in_the_middle_of_a_spinning_bar():
    """σ = ½ ρ ω² ((L/2)² − s²), s from the middle."""
    body = rod(modes=100)
    speed = 300.0
    c = body.invariants.about(np.array([0.5, 0, 0])).centrifugal
    load = -(speed**2) * c[1, 1]
    z = np.linalg.lstsq(body.K, load, rcond=1e-12)[0]
    found = StressHistory(resting(body, z), "xx").frame(0.0)[middle(body)]
    assert np.allclose(found, RHO * speed**2 * LENGTH**2 / 8, rtol=0.015)  # 100 modes


def test_unaveraged_stress_shows_the_jump_between_materials():
    mesh = box((2, 1, 1), (2, 1, 1), material=Isotropic(1e9, 0.0, 1000.0))
    nodes = mesh.blocks[0].nodes
    blocks = tuple(Block("hex8", nodes[i : i + 1], np.array([i + 1]), material=name) for i, name in enumerate("ab"))
    materials = {"a": Isotropic(1e9, 0.0, 1000.0), "b": Isotropic(3e9, 0.0, 1000.0)}
    p = from_mesh(replace(mesh, blocks=blocks, materials=materials), {"left": "x_min", "right": "x_max"})
    body = project(p, Guyan().basis(p)[0])
    z = np.zeros(12)
    z[6] = 4e-3  # in series: strains 3e-3 and 1e-3, stress 3 MPa in both
    history = resting(body, z)
    strain = StressHistory(history, "xx", quantity="strain", place="elements")
    between = int(body.node_ids[np.flatnonzero(np.abs(body.nodes[:, 0] - 1) < 1e-9)[0]])
    assert strain.at(between, element=1).values[0] == pytest.approx(3e-3)
    assert strain.at(between, element=2).values[0] == pytest.approx(1e-3)
    assert strain.at_place("nodes").at(between).values[0] == pytest.approx(2e-3)
    assert np.allclose(strain.at_place("centers").frame(0.0), [3e-3, 1e-3])
    assert np.allclose(StressHistory(history, "xx", place="centers").frame(0.0), 3e6)
    peak = strain.max()
    assert peak.element == 1
    assert str(peak).startswith(f"0.003 at element 1, node {peak.node}, t = 0 s")


def test_fibres_of_a_beam():
    """σ = N/A ± M c/I at the corners of the section."""
    body = beam()
    history = resting(body, clamped(body, np.array([500.0, 0, 10.0, 0, 0, 0])))
    stress = StressHistory(history, "xx", place="fibres")
    expected = 500 / (0.02 * 0.01) + 10 * 1.0 * 0.005 / (0.02 * 0.01**3 / 12)
    peak = stress.max()
    assert peak.value == pytest.approx(expected, rel=1e-6)
    assert peak.element == 1
    assert peak.position == pytest.approx((0, 0, 0))
    assert "element 1, node 1, fibre" in str(peak)
    strain = StressHistory(history, "xx", quantity="strain", place="fibres")
    assert strain.max().value == pytest.approx(expected / E, rel=1e-6)
    fibre = stress.at(1, element=1, fibre=1)
    assert fibre.values.shape == (1,)


@pytest.mark.parametrize("measure", ["von_mises", "signed_max", "xy"])
@pytest.mark.parametrize("body", [rod(), sheet()], ids=["solid", "shell"])
def test_envelope_is_that_of_all_frames(body, measure):
    history = swinging(body)
    stress = StressHistory(history, measure)
    every = np.array([stress.frame(t) for t in history.times])
    known = np.isfinite(every[0])
    assert known.sum() == len(stress.sites)
    envelope = stress.envelope()
    scale = np.abs(every[:, known]).max()
    for found, when, exact in (
        (envelope.max, envelope.time_of_max, every.max(axis=0)),
        (envelope.min, envelope.time_of_min, every.min(axis=0)),
    ):
        assert np.allclose(found[known], exact[known], atol=1e-12 * scale)
        rows = np.searchsorted(history.times, when[known])
        assert np.allclose(every[rows, np.flatnonzero(known)], exact[known], atol=1e-12 * scale)
        assert np.isnan(found[~known]).all()
    assert np.allclose(envelope.largest[known], np.abs(every[:, known]).max(axis=0))
    peak = stress.max()
    row, node = np.unravel_index(np.nanargmax(every), every.shape)
    assert peak.value == pytest.approx(every[row, node])
    assert peak.node == body.node_ids[node]
    assert peak.time == history.times[row]
    assert np.allclose(peak.position, body.nodes[node])


def test_frames_one_after_the_other():
    history = swinging(rod())
    stress = StressHistory(history)
    frames = list(stress.frames(slice(3, None, 7)))
    assert len(frames) == len(history.times[3::7])
    for time, values in frames[::9]:
        assert np.allclose(values, stress.frame(time), equal_nan=True)


def test_histories_of_all_nodes():
    history = swinging(rod())
    stress = StressHistory(history, "signed_max")
    found = np.full((len(history), len(history.reduced.nodes)), np.nan)
    for rows, values in stress.over_time():
        found[:, rows] = values
    assert np.allclose(found, [values for _, values in stress.frames()], equal_nan=True)


def test_signal_of_a_node_and_of_its_components():
    history = swinging(rod())
    stress = StressHistory(history)
    series = stress.at(node=37)
    index = int(np.flatnonzero(history.reduced.node_ids == 37)[0])
    expected = history.reduced.stress(history.z.T)[index]
    assert np.allclose(stress.tensor_at(node=37).values, expected.T)
    assert np.allclose(series.values, von_mises(expected.T))
    assert series.unit == "Pa"
    assert "node 37" in series.name
    # between rows every component is on a straight line
    t = 0.5 * (history.times[10] + history.times[11])
    assert np.allclose(stress.tensor(t)[index], expected[:, 10:12].mean(axis=1))


def test_a_scaled_body_has_the_stress_of_the_larger_mesh():
    body = rod()
    scaled = body.scaled(length=2.0, stiffness=3.0)
    load = np.array([4e3, 1e3, -2e3, 100, 200, 300])
    z, larger = clamped(body, load), clamped(scaled, 12 * load * [1, 1, 1, 2, 2, 2])  # e a² f, e a³ m
    for quantity, factor in (("stress", 3.0), ("strain", 1.0)):
        for place in ("nodes", "elements", "centers"):
            one = StressHistory(resting(body, z), quantity=quantity, place=place)
            two = StressHistory(resting(scaled, larger), quantity=quantity, place=place)
            assert np.allclose(two.frame(0.0), factor * one.frame(0.0), rtol=1e-6, equal_nan=True)
            assert np.allclose(two.max().position, 2 * np.array(one.max().position))


def test_it_prints_like_an_engineer_speaks():
    body = rod()
    history = resting(body, clamped(body, np.array([8e5, 0, 0, 0, 0, 0])) * np.array([[0.5], [1.0]]))
    text = str(StressHistory(history).max())
    assert text.split(" at ")[0].endswith(" MPa")
    assert text.split(" (on a tie")[0].endswith(", t = 0.1 s")  # equal at all nodes: rounding tells which of them
    assert "rod.von_mises stress" in repr(StressHistory(history))
    assert "largest" in str(StressHistory(history))


def test_messages():
    body = rod()
    history = resting(body, np.zeros(body.size))
    stress = StressHistory(history)
    with pytest.raises(ModelError, match=r"no node 99999.*near that number there are"):
        stress.at(node=99999)
    with pytest.raises(ModelError, match="no place was named"):
        stress.at()
    with pytest.raises(ModelError, match=r"no element 3; .*name no element here"):
        stress.at(node=37, element=3)
    with pytest.raises(ModelError, match="no measure 'von_mise'; did you mean 'von_mises'"):
        stress.measure("von_mise")
    with pytest.raises(ModelError, match="no place 'node'; did you mean 'nodes'"):
        stress.at_place("node").max()
    with pytest.raises(ModelError, match="no surface 'botom'; did you mean 'bottom'"):
        stress.on("botom").max()
    with pytest.raises(ModelError, match="no quantity 'stres'; did you mean 'stress'"):
        StressHistory(history, quantity="stres")
    with pytest.raises(ModelError, match="there is no beam"):
        stress.at_place("fibres").max()
    with pytest.raises(ModelError, match="no element has stress; beams: place='fibres'"):
        StressHistory(resting(beam(), np.zeros(beam().size))).max()
    matrices = replace(body, mesh=None)
    with pytest.raises(ModelError, match=r"no elements.*reduced from matrices.*reduce the mesh itself"):
        StressHistory(resting(matrices, np.zeros(body.size))).max()
    with pytest.raises(ModelError, match=r"no elements.*reduced from matrices.*reduce the mesh itself"):
        StressHistory(resting(matrices, np.zeros(body.size)), place="fibres").max()


def test_without_interfaces_the_body_still_has_stress():
    mesh = bar(1.0, 0.1, 0.08, (6, 1, 1), material=Steel())
    body = reduce_mesh(mesh, {}, Modal(3), name="free", check=False, use_cache=False)
    peak = StressHistory(resting(body, np.eye(3))).max()
    assert peak.value > 0


def test_an_equilibrium_needs_no_time():
    mesh = bar("300 mm", "20 mm", "10 mm", (4, 1, 1), material=fx.Steel())
    body = fx.FlexibleBody("b", mesh=mesh, interfaces={"s": "x_min", "e": "x_max"})
    model = fx.Model("m", [body, fx.Fixed("f", fx.ground, body["s"])], gravity=(0, 0, -9.81))
    rest = model.statics()
    np.testing.assert_array_equal(rest.stress("b").frame(), rest.stress("b").frame(0))
    assert rest.stress("b").tensor().shape == rest.body("b").displacement().shape
    run = model.dynamics(until=2e-3, step=1e-3, show=False)
    with pytest.raises(FlexorError, match=r"no time is given; the history has 3 rows from 0 to 0.002 s"):
        run.stress("b").frame()
