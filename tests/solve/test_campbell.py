"""Campbell diagrams and critical speeds against closed forms of rotor dynamics."""

from __future__ import annotations

import sys
import warnings
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from scipy.optimize import brentq

import flexor as fx
from flexor.bodies.formulations import FORMULATIONS
from flexor.materials import Isotropic
from flexor.mesh.generate import bar
from flexor.mesh.section import Circle
from flexor.solve import GravityLeftOut
from flexor.solve.crossing import beside

mpl.use("Agg")
JP, JT, K = 0.12, 0.2, 30.0


def tilting_disc(kx: float = K, ky: float = K, **body) -> fx.Model:
    """A disc in a ball joint, turning about z; springs resist tilting about x with kx and about y with ky."""
    disc = fx.RigidBody("disc", 1.0, (JT, JT, JP), **body)
    items = [disc, fx.Spherical("ball", fx.ground, disc)]
    for axis, k in (((0, 1, 0), kx), ((1, 0, 0), ky)):  # long springs along the axis, at arms of 1 m
        for sign in (1, -1):
            arm = sign * np.array(axis)
            items.append(
                fx.AxialSpring(
                    f"s{arm}".replace(".", ""), fx.ground.at(*(arm * 5)), disc.at(0, 0, 1), stiffness=k / 2,
                    free_length=np.hypot(5, 1),
                )
            )  # fmt: skip
    return fx.Model("disc", items)


def jeffcott(kx: float, ky: float, inner: float = 0.0, outer: float = 0.0) -> fx.Model:
    """A mass of 1 kg on springs and dampers of a hub that turns about z, with dampers to the ground."""
    hub = fx.RigidBody("hub", 1.0, (0.01, 0.01, 0.02))
    mass = fx.PointMass("mass", 1.0)
    items = [hub, mass, fx.Revolute("bearing", fx.ground, hub, axis="z")]
    for i, (k, sign) in enumerate([(kx, 1), (kx, -1), (ky, 1), (ky, -1)]):
        at = (sign, 0, 0) if i < 2 else (0, sign, 0)
        items.append(fx.AxialSpring(f"spring{i}", hub.at(*at), mass, stiffness=k / 2, damping=inner / 2, free_length=1))
        items.append(fx.AxialSpring(f"damper{i}", fx.ground.at(*at), mass, damping=outer / 2, free_length=1))
    for sign in (1, -1):
        items.append(fx.AxialSpring(f"axial{sign}", fx.ground.at(0, 0, sign), mass, stiffness=2e3, free_length=1))
    return fx.Model("jeffcott", items)


def test_gyroscopic_splitting():
    """Jt ω² ∓ Jp Ω ω − k = 0, and the critical speed √(k/(Jt − Jp)) of forward, √(k/(Jt + Jp)) of backward whirl."""
    model = tilting_disc(angular_velocity=(0, 0, 3))
    k = K * 25 / 26  # the springs' direction is inclined
    found = model.campbell([0, 10, 20, "30 rad/s"], rotor="disc", axis="z")
    half = found.speeds * JP / (2 * JT)
    whole = np.hypot(half, np.sqrt(k / JT))
    np.testing.assert_allclose(2 * np.pi * found.frequencies, np.stack([whole - half, whole + half], 1), rtol=1e-9)
    np.testing.assert_allclose(found.whirl, [[-1, 1]] * 4, atol=1e-9)
    np.testing.assert_allclose(found.critical(), np.sqrt([k / (JT + JP), k / (JT - JP)]), rtol=1e-8)
    np.testing.assert_allclose(
        found.critical(order=2), np.sqrt([k / (4 * JT + 2 * JP), k / (4 * JT - 2 * JP)]), rtol=1e-8
    )
    assert found.frame == "inertial"
    assert found.senses() == ["backward", "forward"]
    assert [(crossing.mode, round(crossing.whirl)) for crossing in found.crossings()] == [(0, -1), (1, 1)]


def test_disc_in_bearings_that_differ():
    """Jt² ω⁴ − (Jt (k₁ + k₂) + Jp² Ω²) ω² + k₁ k₂ = 0; elliptic orbits."""
    k = np.array([K, 2 * K]) * 25 / 26
    found = tilting_disc(K, 2 * K).campbell([0, 15, 30], rotor="disc", axis="z")
    assert found.frame == "inertial"
    for speed, frequencies in zip(found.speeds, found.frequencies, strict=True):
        squares = np.roots([JT**2, 0, -(JT * k.sum() + (JP * speed) ** 2), 0, k.prod()])
        np.testing.assert_allclose(2 * np.pi * frequencies, np.sort(squares[squares > 0]), rtol=1e-8)
    assert -1 < found.whirl[1, 0] < 0 < found.whirl[1, 1] < 1
    assert found.senses() == ["backward", "forward"]
    # ω = Ω in the equation above: (Jt² − Jp²) Ω⁴ − Jt (k₁ + k₂) Ω² + k₁ k₂ = 0
    squares = np.roots([JT**2 - JP**2, -JT * k.sum(), k.prod()])
    np.testing.assert_allclose(found.critical(), np.sort(np.sqrt(squares)), rtol=1e-8)


def test_inner_damping_makes_fast_rotors_unstable():
    """m λ² + (cₑ + cᵢ) λ + k − i Ω cᵢ = 0; unstable beyond Ω = √(k/m) (1 + cₑ/cᵢ)."""
    k, inner, outer = 400.0, 2.0, 1.0
    found = jeffcott(k, k, inner, outer).campbell([0, 25, 29.9, 30.1, 40], 3, rotor="bearing")
    assert found.frame == "inertial"
    for speed, values, sense in zip(found.speeds, found.eigenvalues, found.whirl, strict=True):
        expected = np.roots([1.0, inner + outer, k - 1j * speed * inner])
        forward, backward = values[sense > 0.5], values[sense < -0.5]
        np.testing.assert_allclose(forward, expected[expected.imag > 0], rtol=1e-8)
        np.testing.assert_allclose(backward.conj(), expected[expected.imag < 0], rtol=1e-8)
    unstable = np.any(found.damping < 0, axis=1)
    np.testing.assert_array_equal(unstable, [False, False, False, True, True])


def test_rotor_that_is_not_round():
    """λ⁴ + (ω₁² + ω₂² + 2Ω²) λ² + (ω₁² − Ω²)(ω₂² − Ω²) = 0 in the rotating frame; diverges between ω₁ and ω₂."""
    w1, w2 = 400.0, 625.0
    found = jeffcott(w1, w2).campbell([0, 10, 22, 30], 2, rotor="bearing")
    assert found.frame == "rotating"
    for speed, values in zip(found.speeds, found.eigenvalues, strict=True):
        squares = np.roots([1, w1 + w2 + 2 * speed**2, (w1 - speed**2) * (w2 - speed**2)])
        expected = np.sort(np.abs(np.sqrt(squares.astype(complex))))
        np.testing.assert_allclose(np.sort(np.abs(values)), expected, rtol=1e-6)
    assert np.max(np.abs(found.eigenvalues[2].real)) > 1.0
    assert np.max(np.abs(found.eigenvalues[3].real)) < 1e-3


def test_unbalance_of_a_rotor_that_is_not_round():
    """It rests in the rotating frame, and both critical speeds are borders of the range in which the rotor diverges."""
    found = jeffcott(400.0, 625.0).campbell([0, 10, 22, 30], 3, rotor="bearing")
    np.testing.assert_allclose(found.critical(order=0), [20, 25], rtol=1e-6)


def test_two_real_modes_that_become_a_vibration():
    """Between its critical speeds the rotor has one growing and one decaying mode, beyond them both are one vibration."""
    found = jeffcott(400.0, 625.0).campbell([22, 30], 4, rotor="bearing")
    assert found.frequencies.shape == (2, 4)
    np.testing.assert_allclose(found.eigenvalues[0, 0].real, -found.eigenvalues[0, 1].real, rtol=1e-9)
    np.testing.assert_allclose(found.frequencies[1, 0], found.frequencies[1, 1], rtol=1e-12)


def test_neither_round_nor_in_equal_bearings_is_refused():
    model = jeffcott(400.0, 625.0)
    extra = fx.AxialSpring("extra", fx.ground.at(1, 0, 0), model["mass"], stiffness=100, free_length=1)
    with pytest.raises(fx.ModelError, match="change as it turns"):
        model.replace(items=(*model.items, extra)).campbell([0, 10], rotor="bearing")


def test_a_rotor_in_rigid_bearings_has_no_diagram():
    disc = fx.RigidBody("disc", 1, (1, 1, 2))
    model = fx.Model("rotor", [disc, fx.Revolute("bearing", fx.ground, disc, axis="z")])
    with pytest.raises(fx.ModelError, match="campbell: nothing vibrates"):
        model.campbell([0, 10], rotor="bearing")


def test_motor_and_gravity_do_not_matter():
    model = jeffcott(400.0, 400.0)
    driven = model.replace(items=(*model.items, fx.Motor("drive", "bearing", speed="500 rpm")), gravity=(0, -9.81, 0))
    free = model.campbell([0, 10, 30], 3, rotor="bearing")
    with pytest.warns(GravityLeftOut, match="left out"):
        found = driven.campbell([0, 10, 30], 3, rotor="bearing")
    np.testing.assert_allclose(found.frequencies, free.frequencies, rtol=1e-9)
    np.testing.assert_allclose(free.frequencies[:, :2], 20 / (2 * np.pi), rtol=1e-9)
    np.testing.assert_allclose(free.critical(), [20, 20], rtol=1e-8)


def disc_on_springs(across: float = 1e6, axial: float = 0.0) -> fx.Model:
    """A disc that springs hold across its axis x and, if asked, along it; nothing holds its tilting."""
    disc = fx.RigidBody("disc", mass=10, inertia=(0.1, 0.06, 0.06))
    springs = [
        fx.AxialSpring(name, fx.ground.at(*at), disc, stiffness=k, free_length=1)
        for name, at, k in (("y", (0, 1, 0), across), ("z", (0, 0, 1), across), ("x", (1, 0, 0), axial))
        if k
    ]
    return fx.Model("rotor", [disc, *springs])


@pytest.mark.parametrize("speeds", [[3, 6, 9], [0, 3, 6, 9]])
@pytest.mark.parametrize("count", [2, 3, 6])
def test_free_motions_of_a_rotor(speeds: list[float], count: int) -> None:
    """A free disc nutates with Ip/It Ω, never 1 Ω; its tilt rests; 'critical 0 rpm' is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = disc_on_springs().campbell(speeds, count, rotor="disc", axis="x")
    free = 0.1 / 0.06 * found.speeds / (2 * np.pi)
    for mode, sense in enumerate(found.senses()):
        line = found.frequencies[:, mode]
        if sense == "free":
            np.testing.assert_array_equal(line, 0.0)
        elif line[-1] < 5:
            np.testing.assert_allclose(line, free, rtol=1e-9, atol=1e-12)
    assert not found.crossings()
    assert found.senses().count("free") == min(count, 2)


def test_a_free_ball_joint_is_no_numerical_accident() -> None:
    disc = fx.RigidBody("disc", mass=10, inertia=(0.1, 0.06, 0.06))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fx.Model("top", [disc, fx.Spherical("ball", fx.ground, disc)]).campbell(
            [0, 100, 200], 3, rotor="disc", axis="x"
        )
    nutation = 0.1 / 0.06 * found.speeds / (2 * np.pi)
    np.testing.assert_allclose(found.frequencies, np.stack([0 * nutation, nutation], 1), rtol=1e-9)


def test_axial_modes_are_told_from_critical_speeds() -> None:
    """Order 1 meets √(k/m) = 10 rad/s of the translations and √(250/10) = 5 rad/s along the axis."""
    found = disc_on_springs(1e3, 250.0).campbell([0, 4, 8, 12], 8, rotor="disc", axis="x")
    np.testing.assert_allclose(found.critical(), [10, 10], rtol=1e-8)
    first = found.crossings()[0]
    assert first.speed == pytest.approx(5.0, rel=1e-8)
    assert not first.lateral
    assert found.senses()[first.mode] == "axial"
    assert f"(mode {first.mode + 1}, axial)" in str(found)
    assert "nor axial and torsional modes" in str(found)
    assert found.critical(order=0.5)[0] == pytest.approx(10.0, rel=1e-8)  # of another order all count


def test_equal_blades_are_followed_at_once(monkeypatch) -> None:
    """Shapes of equal frequencies are arbitrary among themselves: they are no reason to look for others."""

    def wheel(count: int) -> fx.Model:
        items: list = []
        for i in range(count):
            c, s = np.cos(2 * np.pi * i / count), np.sin(2 * np.pi * i / count)
            ends = [(0.1 * c, 0.1 * s, 0), (0.4 * c, 0.4 * s, 0)]
            beam = fx.Beam(f"b{i}", points=ends, divisions=3, section=fx.Rectangle(0.02, 0.005), material=fx.Steel())
            items += [beam, fx.Fixed(f"f{i}", fx.ground.at(*ends[0]), beam["start"])]
        return fx.Model("wheel", items)

    module = sys.modules["flexor.solve.campbell"]
    asked, original = [], module.complex_modes
    monkeypatch.setattr(module, "complex_modes", lambda *a, **k: asked.append(a[1:]) or original(*a, **k))
    speeds = [0, 60, 120]
    found = wheel(14).campbell(speeds, 5, axis="z")
    assert len(asked) <= 2 * len(speeds)
    monkeypatch.undo()
    alone = wheel(1).campbell(speeds, 1, axis="z")
    np.testing.assert_allclose(found.frequencies, np.repeat(alone.frequencies, 5, axis=1), rtol=1e-7)


# -- the rotating frame ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "speeds", [[0, 100, 200, 300], [50, 60, 70], np.linspace(0, 300, 61)], ids=["few", "near", "many"]
)
@pytest.mark.parametrize("inertia", [(0.06, 0.06), (0.05, 0.07)], ids=["round", "not round"])
def test_unbalance_meets_the_rotor_where_its_frequency_goes_through_zero(inertia, speeds) -> None:
    """Overhung disc on a massless shaft. Seen from the disc, in equilibrium: det (K − Ω² diag(m, I − Iₚ)) = 0 in each plane."""
    E, length, I, mass, polar = 2.1e11, 0.5, np.pi * 0.01**4 / 4, 10.0, 0.1
    section = fx.StiffnessSection((1e8, 1e12, 1e12, 2e3, E * I, E * I), mass=1e-6, inertia=(1e-9, 5e-10, 5e-10))
    beam = fx.Beam("shaft", points=[(0, 0, 0), (length, 0, 0)], section=section, divisions=4)
    disc = fx.RigidBody("disc", mass=mass, inertia=(polar, *inertia))
    items = [beam, disc, fx.Fixed("seat", beam["end"], disc), fx.Fixed("hub", fx.ground, beam["start"])]
    found = fx.Model("overhung", items).campbell(speeds, 4, axis="x")
    K = np.array([[12, -6 * length], [-6 * length, 4 * length**2]]) * E * I / length**3
    exact = [
        brentq(lambda w, I=I: np.linalg.det(K - w * w * np.diag([mass, I - polar])), 1, 200)
        for I in sorted(set(inertia))
    ]
    np.testing.assert_allclose(found.critical(0), sorted(exact), rtol=3e-7)
    assert found.frame == "rotating"
    assert f"{exact[0] * 30 / np.pi:.4g}"[:3] in found.critical_told(0)
    if len(speeds) == 4:  # every mode is followed: forward whirl falls behind by the speed, backward is ahead of it
        np.testing.assert_allclose(sorted(found.frequencies[2, :2]), [20.72, 40.18], atol=0.01)
        assert sorted(found.frequencies[1, :2] < found.frequencies[2, :2]) == [True, True]


# -- a flexible shaft ------------------------------------------------------------------------------------------

E, NU, RHO, LENGTH, RADIUS = 2e11, 0.3, 7850.0, 1.0, 0.05


def shaft(pieces: int, modes: int, formulation: str) -> fx.Model:
    """A round shaft, simply supported, of several flexible bodies in series."""
    length = LENGTH / pieces
    mesh = bar(
        length,
        0.01,
        0.01,
        (24 // pieces, 1, 1),
        element="beam2",
        material=Isotropic(E, NU, RHO),
        section=Circle(RADIUS),
    )
    faces = {"a": fx.plane((0, 0, 0), "x"), "b": fx.plane((length, 0, 0), "x")}
    bodies = [
        fx.FlexibleBody(
            f"s{i}",
            mesh,
            interfaces=faces,
            reduction=fx.CraigBampton(modes=modes),
            position=(i * length, 0, 0),
            formulation=formulation,
        )
        for i in range(pieces)
    ]
    welds = [fx.Fixed(f"w{i}", a["b"], b["a"]) for i, (a, b) in enumerate(pairwise(bodies))]
    left = fx.Spherical("left", fx.ground, bodies[0]["a"])
    right = fx.PointOnLine("right", fx.ground.at(LENGTH, 0, 0), bodies[-1]["b"], axis="x")
    return fx.Model("shaft", [*bodies, *welds, left, right])


def spinning_timoshenko(speed: float) -> np.ndarray:
    """First backward and forward frequency [Hz]: (κGA β² − ρA ω²)(EI β² + κGA − ρI ω² + 2ρI Ω ω) = (κGA β)²"""
    A, I, beta = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4, np.pi / LENGTH
    shear = 6 * (1 + NU) / (7 + 6 * NU) * E / (2 * (1 + NU)) * A
    p = np.polymul([-RHO * A, 0, shear * beta**2], [-RHO * I, 2 * RHO * I * speed, E * I * beta**2 + shear])
    p[-1] -= (shear * beta) ** 2
    return np.sort(np.abs(np.roots(p).real))[:2] / (2 * np.pi)


@pytest.mark.parametrize("formulation", [f for f in ("superelement", "floating") if f in FORMULATIONS])
def test_flexible_shaft(formulation):
    """Rotary inertia and gyroscopic moments of the sections; a piece lacks the stress stiffening (Jp − Jt) Ω² inside."""
    speeds = [0.0, 1500.0, 3000.0]
    exact = np.array([spinning_timoshenko(speed) for speed in speeds])
    errors = []
    for pieces, modes in ((1, 14), (4, 4)):
        found = shaft(pieces, modes, formulation).campbell(speeds, 4, rotor="s0", axis="x")
        assert found.frame == "inertial"
        frequencies = np.sort(found.frequencies[:, :2], axis=1)
        errors.append(frequencies / exact - 1)
        # the splitting by gyroscopic moments
        np.testing.assert_allclose(np.diff(frequencies)[1:], np.diff(exact)[1:], rtol=0.01)
    one, four = errors
    assert np.all(np.abs(one[0]) < 4e-4)
    lacking = -(RADIUS**2 / 4 * (np.pi / LENGTH * 3000) ** 2) / (2 * (2 * np.pi * exact[0, 0]) ** 2)
    np.testing.assert_allclose(one[2] - one[0], lacking, rtol=0.05)
    assert np.all(np.abs(four[2] - four[0]) < 0.06 * abs(lacking))
    critical = [brentq(lambda w, i=i: w - 2 * np.pi * spinning_timoshenko(w)[i], 100, 3000) for i in (0, 1)]
    np.testing.assert_allclose(found.critical()[:2], critical, rtol=6e-4)


def test_sparse_factors_draw_the_same_diagram(monkeypatch):
    """The few modes that are followed, against all of them, also where modes are shifted from the rotating frame."""
    model = shaft(4, 4, "superelement")
    speeds = [0.0, 800.0, 1600.0]
    dense = model.campbell(speeds, 4, rotor="s0", axis="x")
    monkeypatch.setattr(sys.modules["flexor.solve.modes"], "SMALL", 10)
    few = model.campbell(speeds, 4, rotor="s0", axis="x")
    np.testing.assert_allclose(few.frequencies, dense.frequencies, rtol=1e-7)
    np.testing.assert_allclose(few.whirl, dense.whirl, atol=1e-5)
    np.testing.assert_allclose(few.critical(), dense.critical(), rtol=1e-6)


# -- all turns ---------------------------------------------------------------------------------------------------


def test_whole_mechanism_turning_agrees_with_modes():
    arm = fx.RigidBody("arm", 1.0, (0.001, 0.01, 0.01), center_of_mass=(0.3, 0, 0))
    items = [arm, fx.Revolute("pin", fx.ground.at(0.5, 0, 0), arm, axis="z"), fx.JointSpring("k", "pin", stiffness=5)]
    model = fx.Model("m", items)
    found = model.campbell([0, 5, 10], axis="z")
    assert found.frame == "rotating"
    np.testing.assert_allclose(
        (2 * np.pi * found.frequencies[:, 0]) ** 2, (5 + 0.15 * found.speeds**2) / 0.1, rtol=1e-9
    )
    alone = model.modes(angular_velocity=(0, 0, 10))
    assert found.frequencies[2, 0] == pytest.approx(alone.frequencies[0], rel=1e-12)


def test_diagram_is_drawn_and_printed(tmp_path):
    found = tilting_disc().campbell([0, 10, 20, 30], rotor="disc", axis="z")
    figure = found.plot(tmp_path / "campbell.png", orders=(1, 2))
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["mode 1, backward", "mode 2, forward"]
    lines = {line.get_label(): line.get_linestyle() for line in axes.lines}
    assert (lines["mode 1, backward"], lines["mode 2, forward"]) == ("--", "-")
    circles = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    np.testing.assert_allclose(circles, np.append(found.critical(), found.critical(2)) * 30 / np.pi, rtol=1e-12)
    assert (tmp_path / "campbell.png").stat().st_size > 5000
    assert "backward" in str(found)
    assert "286.48" in str(found)  # 30 rad/s
    told = str(found).splitlines()[-1]
    for speed, mode in zip(found.critical() * 30 / np.pi, ("(mode 1, backward)", "(mode 2, forward)"), strict=True):
        assert f"{speed:.6g} rpm {mode}" in told
    assert "unbalance does not excite backward whirl" in told
    assert "none up to 19.0986 rpm" in str(tilting_disc().campbell([0, 2], rotor="disc", axis="z"))
    with pytest.raises(fx.FileError, match="cannot be written"):
        found.plot(tmp_path / "no" / "campbell.png")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"speeds": [10, 5], "rotor": "disc", "axis": "z"}, "ascend"),
        ({"speeds": "3000 rpm", "rotor": "disc", "axis": "z"}, "'3000 rpm', not a list.*speeds=\\("),
        ({"speeds": "369", "rotor": "disc", "axis": "z"}, "not a list"),
        ({"speeds": 5, "rotor": "disc", "axis": "z"}, "not a list"),
        ({"speeds": [], "rotor": "disc", "axis": "z"}, "not a list"),
        ({"speeds": [0, float("nan")], "rotor": "disc", "axis": "z"}, "not all of them are numbers"),
        ({"speeds": [0, float("inf")], "rotor": "disc", "axis": "z"}, "not all of them are numbers"),
        ({"speeds": [0, 5], "rotor": "disk", "axis": "z"}, "did you mean 'disc'"),
        ({"speeds": [0, 5], "rotor": "disc"}, "axis of rotation is missing"),
        ({"speeds": [0, 5]}, "axis of rotation is missing"),
        ({"speeds": [0, 5], "rotor": "ball"}, "turns about one axis"),
        ({"speeds": [0, 5], "rotor": "s[0 1 0]"}, "neither a joint nor a body"),
        ({"speeds": [0, 5], "rotor": "disc", "axis": "w"}, "direction"),
    ],
)
def test_mistakes(arguments, message):
    with pytest.raises(fx.ModelError, match=message):
        tilting_disc().campbell(**arguments)


def test_command(tmp_path):
    import json

    from typer.testing import CliRunner

    from flexor.cli.app import app

    file = tilting_disc().save(tmp_path / "disc.yaml")
    arguments = ["campbell", str(file), "--to", "30 rad/s", "--steps", "3", "--rotor", "disc", "--axis", "z"]
    told = CliRunner().invoke(app, [*arguments, "--plot", str(tmp_path / "c.png")])
    assert told.exit_code == 0, told.output
    assert "critical speeds" in told.output
    assert told.output.count("(mode 1, backward)") == 1
    assert (tmp_path / "c.png").exists()
    found = json.loads(CliRunner().invoke(app, [*arguments, "--order", "2", "--json"]).output)
    k = K * 25 / 26
    np.testing.assert_allclose(
        found["critical_speeds_rad_s"], np.sqrt([k / (4 * JT + 2 * JP), k / (4 * JT - 2 * JP)]), rtol=1e-8
    )


@pytest.mark.parametrize("across", [{"damping": 200}, {"stiffness": 2e5, "free_length": 1}])
def test_a_disc_free_to_tilt_nutates_on_supports_that_are_not_alike_in_all_directions(across):
    """Ω J_p/J_t, from rest on and from speed to speed; one tilt stays free."""
    disc = fx.RigidBody("disc", mass=10, inertia=(0.1, 0.06, 0.06))
    springs = [
        fx.AxialSpring(name, fx.ground.at(0, y, z), disc, stiffness=1e6, free_length=1)
        for name, y, z in (("y", 1, 0), ("z", 0, 1))
    ]
    more = fx.AxialSpring("more", fx.ground.at(0, -1, 0), disc, **across)
    model = fx.Model("r", [disc, *springs, more])
    for speeds in ([0, 100, 200], [100, 200]):
        found = model.campbell(speeds, 6, rotor="disc", axis="x")
        assert found.frame == "inertial"
        nutation = found.senses().index("forward")
        np.testing.assert_allclose(found.frequencies[:, nutation], np.array(speeds) / 0.6 / (2 * np.pi), atol=1e-9)
        assert found.senses().count("free") == 2


def test_a_speed_without_a_steady_state_is_passed_on_both_sides():
    """Near a singular speed nothing is found; the mean of both sides is what a smooth line has there."""

    def line(speed):
        if abs(speed - 100.0) < 5e-4:
            raise fx.DivergenceError("no equilibrium")
        return 3j * speed + 1e-3 * (speed - 100.0) ** 2, 1.0

    value, whirl = beside(line, 100.0, fx.DivergenceError("no equilibrium"))
    assert value == pytest.approx(300j, rel=1e-8)
    assert whirl == 1.0

    def none(speed):
        raise fx.DivergenceError("no equilibrium")

    with pytest.raises(fx.DivergenceError, match=r"954\.93 rpm.*closer together"):
        beside(none, 100.0, fx.DivergenceError("no equilibrium"))
