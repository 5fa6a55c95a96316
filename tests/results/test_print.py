"""What print() shows: a short table, never arrays."""

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar
from flexor.mesh.mesh import UnknownSet
from flexor.recover import energies
from flexor.results.names import value_table

MESH = bar(1.0, 0.05, 0.03, divisions=(8, 2, 2))
ROD = fx.FlexibleBody("rod", mesh=MESH, material=fx.Steel(), interfaces={"a": "x_min", "b": "x_max"})
HELD = fx.Model("held", [ROD, fx.Fixed("hold", fx.ground, ROD["a"])], gravity=(0, 0, -9.81))


@pytest.fixture(scope="module")
def run():
    return HELD.dynamics(until="5 ms", step="1 ms", show=False)


@pytest.fixture(scope="module")
def rest():
    return HELD.statics()


def gauge():
    return fx.StrainGauge("g1", body="rod", at=(0.3, 0, 0.015), direction="x", kind="triple 45")


def test_everything_prints_a_few_lines(run, rest):
    study = fx.MeshStudy(MESH, fix=[fx.plane(at=(0, 0, 0), normal="x")], loads=[fx.Gravity((0, 0, -9.81))])
    things = [
        MESH, MESH.blocks[0], run, rest, run["rod.b.position"], run.gauge(gauge()), run.stress("rod"), study,
        run.stress("rod").envelope(), run.body("rod"), energies(run.body("rod")), run.stress("rod").max(),
        run.between("rod.a", "rod.b"), run.body("rod").displacement_at(1), HELD.modes(3), ROD.reduced,
        study.statics(), study.modes(3),
    ]  # fmt: skip
    for thing in things:
        for text in (str(thing), repr(thing)):
            assert "array(" not in text, type(thing)
            assert "[[" not in text, type(thing)
            assert 0 < len(text.splitlines()) < 60, type(thing)


def test_meshes():
    assert repr(MESH) == f"mesh: {len(MESH.points)} nodes, 32 elements"
    lines = str(MESH).splitlines()
    assert lines[1] == "  size 1 × 0.05 × 0.03 m, from (0, -0.025, -0.015) m"
    assert lines[2] == "  32 hex8, material"
    assert lines[3].startswith("  node sets: x_min (9), x_max (9)")


def test_equilibria(rest):
    lines = str(rest).splitlines()
    assert lines[0].startswith("equilibrium of 'held': ")
    (row,) = [line.split() for line in lines if line.split()[0] == "rod.b.position"]
    np.testing.assert_allclose([float(number) for number in row[1:4]], rest["rod.b.position"], rtol=1e-4, atol=1e-12)
    assert row[4] == "m"
    assert lines[-1].startswith("  and ")
    assert lines[-1].endswith(" that are zero")


def test_gauges(run):
    reading = run.gauge(gauge())
    lines = [line.split() for line in str(reading).splitlines()]
    (row,) = [line for line in lines if line[0] == "g1.von_mises"]
    assert float(row[2]) == pytest.approx(reading.von_mises.max(), rel=1e-3)
    assert row[3] == "Pa"
    assert "gauge 'g1' (triple 45) on element" in str(reading)


def test_envelopes(run):
    stress = run.stress("rod")
    found = stress.envelope()
    lines = str(found).splitlines()
    assert lines[0].startswith("envelope of rod.von_mises stress at ")
    assert f"node {stress.max().node}" in lines[2]
    assert str(stress.max()).split(" at ")[0] in lines[2]


def test_section_forces():
    mast = fx.Beam("mast", [(0, 0, 0), (0, 0, 1)], fx.Circle("20 mm"), fx.Steel(), divisions=2)
    model = fx.Model("mast", [mast, fx.Fixed("foot", fx.ground, mast["start"])], gravity=(0, 0, -9.81))
    text = str(model.statics().section_forces("mast"))
    assert text.startswith("section forces of beam 'mast': 1 m in 2 elements, 1 times\n  N   -")
    frame = fx.FlexibleBody(
        "frame", mesh=bar(1.0, 0.05, 0.03, divisions=(4, 1, 1), element="beam2"), material=fx.Steel(),
        interfaces={"a": "x_min", "b": "x_max"},
    )  # fmt: skip
    held = fx.Model("frame", [frame, fx.Fixed("foot", fx.ground, frame["a"])], gravity=(0, 0, -9.81))
    text = str(held.statics().section_forces("frame"))
    assert text.startswith("section forces of body 'frame': 4 beams, 1 times\n  N   ")
    assert "N m in element" in text


def test_runs(run):
    lines = str(run).splitlines()
    assert lines[0] == repr(run)
    assert lines[1] == "  time 0 … 0.005 s"
    assert any(line.startswith("  rod.b ") and "position, orientation, velocity" in line for line in lines)


def test_node_sets_of_a_study():
    study = fx.MeshStudy(MESH, fix=[fx.plane(at=(0, 0, 0), normal="x")], loads=[fx.Gravity((0, 0, -9.81))])
    found, modes = study.statics(), study.modes(3)
    np.testing.assert_array_equal(found["x_min"], 0)
    assert found["x_max"][:, 2].max() < 0
    assert modes["x_max"].shape == (3, 9, 6)
    np.testing.assert_array_equal(modes["x_max"], modes.nodal[:, MESH.node_sets["x_max"]])
    with pytest.raises(UnknownSet, match="there is no node set 'x_mid'; did you mean"):
        found["x_mid"]


def test_rounding_beside_large_values_counts_as_zero():
    values = {"a.force_x": 12.0, "a.force_y": -1.1e-45, "b.force": 1e-20, "b.torque": 1e-20, "c.length": 0.0}
    units = {"a.force_x": "N", "a.force_y": "N", "b.force": "N", "b.torque": "N m", "c.length": "m"}
    said = "\n".join(value_table(values, units))
    assert said.split() == ["a.force", "12", "0", "N", "b.torque", "1e-20", "N", "m", "and", "2", "that", "are", "zero"]


def test_section_forces_of_a_position_are_printed_as_numbers():
    beam = fx.Beam("b", ((0, 0, 0), (1, 0, 0)), fx.Circle(0.01), "steel", divisions=4)
    rest = fx.Model("m", [beam, fx.Fixed("f", fx.ground, beam["start"])], gravity=(0, 0, -9.81)).statics()
    forces = rest.section_forces("b")
    shown = str(forces.at("0.6 m"))
    assert shown.startswith("b.section forces at 0.6 m: ")
    assert len(shown.partition(": ")[2].split(", ")) == 7  # six numbers, and the unit N, N m
    assert str(forces.force("My", "0.6 m")) == f"b.My at 0.6 m: {forces.at('0.6 m').values[0, 4]:.3g} N m"


def test_largest_values_that_are_zero_are_not_listed():
    still = fx.Model("m", [fx.RigidBody("b", mass=1, inertia=1)])
    assert "largest values" not in still.dynamics(until=2e-3, step=1e-3, show=False).summary()
    moving = fx.Model("m", [fx.RigidBody("b", mass=1, inertia=1, velocity=(1, 0, 0))])
    lines = moving.dynamics(until=2e-3, step=1e-3, show=False).summary().splitlines()
    peaks = lines[lines.index("  largest values") + 1 :]
    assert [line.split()[0] for line in peaks] == ["b.position_x", "b.velocity_x", "b.kinetic_energy"]


def test_rounding_of_a_mechanism_at_rest_is_no_drift():
    """Springs and weight hold energy; nothing of it is exchanged but rounding."""
    arm = fx.RigidBody("arm", mass=1.2, inertia=0.01, center_of_mass=(0.15, 0, 0))
    coil = fx.JointSpring("coil", "pin", stiffness=20, damping=0.02)
    model = fx.Model("rest", [arm, fx.Revolute("pin", fx.ground, arm), coil], gravity=(0, -9.81, 0))
    told = model.dynamics(until="0.1 s", step="1 ms", start="equilibrium", show=False).summary()
    assert "check-sum" in told
    assert "do not trust" not in told
