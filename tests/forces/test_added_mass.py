"""Masses added at markers, against closed forms."""

import numpy as np
import pytest

import flexor as fx

G = 9.81


def test_a_body_with_an_added_mass_is_the_body_of_steiner():
    """The same motion, frequencies and energies as one rigid body with mass, centre and inertia of both."""
    m, p, J = 2.0, np.array([0.1, -0.05, 0.2]), np.diag([0.1, 0.2, 0.25])
    m2, p2, J2 = 0.7, np.array([0.4, 0.3, -0.1]), np.array([[0.05, 0.01, 0], [0.01, 0.06, 0], [0, 0, 0.07]])
    mass = m + m2
    center = (m * p + m2 * p2) / mass
    steiner = lambda r: r @ r * np.eye(3) - np.outer(r, r)  # noqa: E731
    whole = J + m * steiner(p - center) + J2 + m2 * steiner(p2 - center)
    spin = {"velocity": (0.3, 0, 1), "angular_velocity": (2, -3, 1)}
    one = fx.RigidBody("body", mass, whole, center_of_mass=tuple(center), **spin)
    two = fx.RigidBody("body", m, J, center_of_mass=tuple(p), **spin)
    hinge = [fx.AxialSpring("s", fx.ground.at(0, 0, 1), "body", stiffness=30)]
    added = fx.AddedMass("ballast", two.at(*p2), mass=m2, inertia=J2)
    models = [fx.Model("m", [*items, *hinge], gravity=(0, 0, -G)) for items in ([one], [two, added])]
    a, b = (model.dynamics(until=0.5, step=0.0005, show=False) for model in models)
    for signal in ("body.position", "energy.kinetic", "energy.potential"):
        np.testing.assert_allclose(b[signal], a[signal], atol=2e-6)
    assert "ballast.kinetic_energy" in b.names


def test_a_mass_on_the_tip_of_a_cantilever():
    """Light beam: ω = √(3EI/(m L³)) with 33/140 of the beam's mass added (Rayleigh)."""
    steel, side, length, m = fx.Steel(), 0.01, 1.0, 5.0
    beam = fx.Beam("beam", [(0, 0, 0), (length, 0, 0)], fx.Rectangle(side, side), steel, divisions=6)
    model = fx.Model(
        "tip mass", [beam, fx.Fixed("clamp", fx.ground, beam["start"]), fx.AddedMass("tip", beam["end"], m)]
    )
    omega = np.sqrt(3 * steel.young * side**4 / 12 / ((m + 33 / 140 * steel.density * side**2 * length) * length**3))
    assert model.modes(2).frequencies[0] * 2 * np.pi == pytest.approx(omega, rel=5e-4)
    heavy = model.replace(gravity=(0, 0, -G)).replace(items=(*model.items,))
    sag = m * G * length**3 / (3 * steel.young * side**4 / 12)
    weight = steel.density * side**2 * G * length**4 / (8 * steel.young * side**4 / 12)
    assert heavy.statics()["beam.end.position"][2] == pytest.approx(-(sag + weight), rel=2e-2)  # large deflection


def test_a_body_without_inertia_moves_with_what_is_added():
    """A massless arm with two masses is a physical pendulum."""
    arm = fx.RigidBody("arm", mass=0)
    items = [arm, fx.Spherical("ball", fx.ground, arm)]
    with pytest.raises(fx.ModelError, match="no mass"):
        fx.Model("pendulum", items).check()
    masses = [fx.AddedMass("a", arm.at(0.3, 0, 0), 1.0), fx.AddedMass("b", arm.at(0, 0.2, 0), 2.0)]
    run = fx.Model("pendulum", [*items, *masses], gravity=(0, 0, -G)).dynamics(until=0.2, step=0.002, show=False)
    # about O at the start: J = Σ m (r² 1 − r rᵀ),  α = J⁻¹ Σ r × m g
    r = np.array([[0.3, 0, 0], [0, 0.2, 0]])
    J = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip((1.0, 2.0), r))
    alpha = np.linalg.solve(J, sum(np.cross(x, [0, 0, -m * G]) for m, x in zip((1.0, 2.0), r)))
    np.testing.assert_allclose(run["arm.angular_acceleration"][0], alpha, atol=1e-9)
    total = run["energy.kinetic"] + run["energy.potential"]
    assert np.ptp(total) < 1e-4 * run["energy.kinetic"].max()


def test_on_a_reduced_body():
    """A superelement with a mass on its interface falls as one."""
    from flexor.mesh.generate import bar

    mesh = bar(1.0, 0.02, 0.02, divisions=(10, 1, 1), material=fx.Steel())
    ends = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(1, 0, 0), normal="x")}
    body = fx.FlexibleBody("bar", mesh, interfaces=ends)
    m = fx.Steel().density * 0.02**2
    model = fx.Model("falling", [body, fx.AddedMass("tip", body["right"], m)], gravity=(0, 0, -G))
    run = model.dynamics(until=0.1, step=0.005, show=False)
    assert run["bar.right.position"][-1, 2] == pytest.approx(-G * 0.1**2 / 2, rel=1e-6)
    assert run["energy.kinetic"][-1] == pytest.approx(m * (G * 0.1) ** 2, rel=1e-3)


def test_nothing_is_refused():
    with pytest.raises(fx.ModelError, match="neither mass nor inertia"):
        fx.AddedMass("none", "arm")
    with pytest.raises(fx.ModelError, match="not physical"):
        fx.AddedMass("odd", "arm", 1, (1, 1, 5))
    with pytest.raises(fx.ModelError, match="point mass"):
        fx.Model("m", [fx.PointMass("p", 1), fx.AddedMass("ring", "p", 1, 0.1)]).check()


def test_printed_models_tell_what_is_added():
    arm = fx.RigidBody("arm", mass=1, inertia=1)
    assert "mass 0.5 kg" in str(fx.Model("m", [arm, fx.AddedMass("extra", arm, 0.5)]))


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_it_is_as_a_block_that_is_welded_on(formulation):
    from flexor.mesh.generate import bar

    mesh = bar(1.0, 0.02, 0.02, divisions=(8, 1, 1), material=fx.Steel())
    ends = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(1, 0, 0), normal="x")}
    body = fx.FlexibleBody("bar", mesh, interfaces=ends, formulation=formulation)
    items = [body, fx.Fixed("clamp", fx.ground, body["left"])]
    block = fx.RigidBody("block", 2.0, 0.01)
    added = fx.Model("m", [*items, fx.AddedMass("tip", body["right"], 2.0, 0.01)], gravity=(0, 0, -G))
    welded = fx.Model("m", [*items, block, fx.Fixed("weld", body["right"], block)], gravity=(0, 0, -G))
    np.testing.assert_allclose(added.modes(4).frequencies, welded.modes(4).frequencies, rtol=1e-6)
    tip = "bar.right.position"
    np.testing.assert_allclose(added.statics()[tip], welded.statics()[tip], atol=1e-10)
