"""Bodies of shape functions in mechanisms: closed forms, meshes of the same part, rigid bodies, files, recovery."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.linalg import eigh

import flexor as fx
from flexor.mesh.generate import tube
from flexor.results import Run
from tests.bodies.test_stiffened_motion import momenta

E, NU, RHO = 210e9, 0.3, 7850.0
SOFT = fx.Isotropic(4e7, 0.3, 900.0)


def hoop(**about):
    given = {"orders": (2, 3, 2), "markers": {"rim": (0.105, 0, 0.01)}, "position": (0, 0, 0), **about}
    return fx.ShapeBody("hoop", fx.HollowCylinder(0.095, 0.105, 0.02), given.pop("material", "steel"), **given)


# ---- the same part by finite elements


@cache
def meshed_tube():
    mesh = tube(0.06, 0.04, 0.1, (24, 2, 6), element="hex20", material=fx.Steel())
    shifted = mesh.__class__(**{**vars(mesh), "points": mesh.points - [0, 0, 0.05]})
    return fx.FlexibleBody(
        "tube",
        shifted,
        interfaces={},
        reduction=fx.Modal(modes=14),
        formulation="floating",
        markers={"rim": (0.06, 0, 0.05)},
        position=(0, 0, 0),
    )


def shaped_tube(orders=(3, 4, 6), **about):
    given = {"markers": {"rim": (0.06, 0, 0.05)}, "position": (0, 0, 0), **about}
    return fx.ShapeBody("tube", fx.HollowCylinder(0.04, 0.06, 0.1), "steel", orders=orders, **given)


def test_frequencies_are_those_of_a_mesh():
    theirs = np.sqrt(np.diag(meshed_tube().reduced.K)) / (2 * np.pi)
    mine = shaped_tube().made.frequencies[:12]
    np.testing.assert_allclose(mine, theirs[:12], rtol=5e-3)
    assert np.all(mine < theirs[:12])  # both come from above, and the mesh is the stiffer


def test_frequencies_converge_from_above():
    found = np.array([shaped_tube((n, n, n), up_to="6 kHz").made.frequencies[0] for n in (2, 3, 4, 5)])
    steps = found[:-1] - found[1:]
    assert np.all(steps > 0)
    assert steps[-1] < 1e-2 * steps[0]
    assert steps[-1] < 2e-4 * found[-1]


def test_modes_of_a_model_are_those_of_the_body():
    body = hoop(up_to="6 kHz")
    modes = fx.Model("free", [body]).modes(count=12)
    np.testing.assert_allclose(modes.frequencies[6:10], body.made.frequencies[:4], rtol=1e-6)
    nodal = modes.nodal("hoop")
    assert nodal.shape == (len(modes), len(body.made.nodes), 6)


@pytest.mark.parametrize("damping", [fx.Rayleigh(alpha=40.0, beta=2e-6), None], ids=["its own", "that of the material"])
def test_damping_of_its_modes(damping):
    """ζ = ½ (α/ω + β ω) of the complex modes of the free body; the material's damping is a β (D = β K)."""
    steel = fx.Steel().replace(damping=5e-6)
    tube = fx.ShapeBody("tube", fx.HollowCylinder(0.04, 0.06, 0.1), steel, orders=(3, 4, 6), up_to="12 kHz", damping=damping)  # fmt: skip
    alpha, beta = (damping.alpha, damping.beta) if damping else (0.0, 5e-6)
    found = fx.Model("free", [tube]).modes(count=24, complex=True)
    elastic = np.abs(found.eigenvalues) > 2 * np.pi * 1000
    omega = np.abs(found.eigenvalues[elastic])
    assert len(omega) >= 4
    np.testing.assert_allclose(found.damping[elastic], 0.5 * (alpha / omega + beta * omega), rtol=1e-6)


# ---- closed forms


def test_a_timoshenko_beam():
    """Bending of a free short beam, length 5 times its height, by Timoshenko's theory with κ = 10(1 + ν)/(12 + 11ν) (Cowper 1966)."""
    L, h = 0.5, 0.1
    beam = fx.ShapeBody("beam", fx.Box(L, h, h), "steel", orders=(8, 3, 3)).made
    A, J, kappa, G = h**2, h**4 / 12, 10 * (1 + NU) / (12 + 11 * NU), E / (2 * (1 + NU))
    x, weight = np.polynomial.legendre.leggauss(20)
    g = np.polynomial.legendre.legvander(x, 11)
    slope = (
        np.stack([np.polynomial.legendre.legval(x, np.polynomial.legendre.legder(e)) for e in np.eye(12)], 1) * 2 / L
    )
    zero, W = np.zeros_like(g), np.diag(weight * L / 2)
    shear, curvature = np.hstack([slope, -g]), np.hstack([zero, slope])
    K = kappa * G * A * shear.T @ W @ shear + E * J * curvature.T @ W @ curvature
    M = RHO * A * np.hstack([g, zero]).T @ W @ np.hstack([g, zero]) + RHO * J * np.hstack([zero, g]).T @ W @ np.hstack(
        [zero, g]
    )
    expected = np.sqrt(eigh(K, M, eigvals_only=True)[2:4]) / (2 * np.pi)
    np.testing.assert_allclose(beam.frequencies[[0, 1]], expected[0], rtol=2e-3)
    assert np.abs(beam.frequencies / expected[1] - 1).min() < 6e-3


def test_a_rotating_ring_grows():
    """u = ρω²r/8E · ((3 + ν)(1 − ν)(a² + b²) + (3 + ν)(1 + ν) a²b²/r² − (1 − ν²) r²), plane stress; Timoshenko, Strength of Materials II."""
    a, b, omega = 0.095, 0.105, 300.0
    ring = hoop(orders=(3, 1, 2), markers={"in": (a, 0, 0), "out": (0, b, 0), "west": (-b, 0, 0)})
    spins = fx.Model("spun", [ring]).statics(angular_velocity=(0, 0, omega))
    for name, r in (("in", a), ("out", b)):
        u = RHO * omega**2 * r / (8 * E)
        u *= (3 + NU) * (1 - NU) * (a**2 + b**2) + (3 + NU) * (1 + NU) * (a * b / r) ** 2 - (1 - NU**2) * r**2
        assert np.hypot(*spins[f"hoop.{name}.position"][:2]) - r == pytest.approx(u, rel=2e-3)


def test_a_thick_tube_under_pressure():
    """Lamé: u(a) = p a/E ((a² + b²)/(b² − a²) + ν), hoop stress p (a² + b²)/(b² − a²) at the bore, ends open."""
    a, b, p = 0.04, 0.06, 2e7
    body = shaped_tube((4, 1, 2), markers={"bore": (a, 0, 0), "west": (-b, 0, 0)})
    load = fx.MeshLoad("oil", "tube", fx.Pressure("inner", p))
    rest = fx.Model("pressed", [body, fx.Fixed("held", fx.ground.at(-b, 0, 0), body["west"]), load]).statics()
    ratio = (a**2 + b**2) / (b**2 - a**2)
    moved = rest["tube.bore.position"][0] - a
    outer = 2 * p * a**2 * b / (E * (b**2 - a**2))  # what the held side does not move by
    assert moved - outer == pytest.approx(p * a / E * (ratio + NU), rel=5e-3)
    q = np.array([rest[f"tube.mode_{i + 1}"] for i in range(body.made.size)])
    stress = body.made.field.stress([(a, 0, 0)])[0] @ q
    assert stress[1] == pytest.approx(p * ratio, rel=0.01)
    assert stress[0] == pytest.approx(-p, rel=0.05)


# ---- motion


def test_without_flexibility_it_moves_as_a_rigid_body():
    """A box of very stiff material tumbles about its middle axis."""
    stiff = fx.Isotropic(1e16, 0.3, 1000.0)
    spin = {"position": (0, 0, 0), "velocity": (1, 0, 0.5), "angular_velocity": (0.1, 12, 0.05)}
    block = fx.ShapeBody(
        "block", fx.Box(0.3, 0.2, 0.1), stiff, orders=(1, 1, 1), markers={"corner": (0.15, 0.1, 0.05)}, **spin
    )
    rigid = block.rigid()
    runs = [fx.Model("free", [each]).dynamics(until=1.0, step=5e-4, show=False) for each in (block, rigid)]
    mine, theirs = (run["block.corner.position"][-1] for run in runs)
    np.testing.assert_allclose(mine, theirs, atol=5e-6)


def test_free_flight_keeps_momentum_and_energy():
    """A soft ring, undeformed at the start, spins about no principal axis and rings."""
    body = hoop(material=SOFT, up_to="600 Hz", velocity=(1, 2, 3), angular_velocity=(12, 3, 20))
    run = fx.Model("flight", [body]).dynamics(until=0.5, step=2e-4, integrator=fx.GeneralizedAlpha(0.9), show=False)
    rows = np.linspace(0, len(run) - 1, 6).astype(int)
    P, L = (np.array(values) for values in zip(*(momenta(run, body, row) for row in rows)))
    assert np.abs(P - P[0]).max() < 1e-10 * np.linalg.norm(P[0])
    assert np.abs(L - L[0]).max() < 1e-4 * np.linalg.norm(L[0])
    energy, kinetic = run["energy.check_sum"].values, run["energy.kinetic"].values[0]
    assert np.ptp(energy) < 2e-4 * kinetic
    assert run["hoop.strain_energy"].values.max() > 4e-4 * kinetic


def test_a_shaft_whirls_alike_as_shape_functions_and_as_a_mesh():
    """Frequencies of a tube that spins freely in space, seen from it."""
    omega = (0, 0, 3000.0)
    mine = fx.Model("a", [shaped_tube(up_to="20 kHz")]).modes(angular_velocity=omega, count=16).frequencies
    theirs = fx.Model("b", [meshed_tube()]).modes(angular_velocity=omega, count=16).frequencies
    low = mine > 1.5e3
    np.testing.assert_allclose(mine[low][:6], theirs[theirs > 1.5e3][:6], rtol=6e-3)


# ---- fewer coordinates


def test_static_shapes_stay_where_modes_are_left_out():
    """The deflection at a marker is that of all shape functions."""
    whole, few = hoop().made, hoop(up_to="2 kHz").made
    assert few.size < 0.3 * whole.size
    at = (0.105, 0, 0.01)
    flexibility = [body.motion_at(at) @ np.diag(1 / np.diag(body.K)) @ body.motion_at(at).T for body in (whole, few)]
    np.testing.assert_allclose(flexibility[1], flexibility[0], rtol=1e-6, atol=1e-9 * np.abs(flexibility[0]).max())


def test_filtering_leaves_out_what_contributes_nothing():
    whole = hoop(markers={}).made
    body = hoop(markers={}, keep=fx.CharacteristicSet(modes=8, threshold=1e-3)).made
    assert body.size < 0.8 * whole.size
    np.testing.assert_allclose(body.frequencies[:8], whole.frequencies[:8], rtol=1e-3)
    assert (
        len(body.dropped)
        == int(body.why[1].split()[0])
        == 189 - int(body.why[1].split()[2]) + int(body.why[1].split()[0])
    )
    assert "were left out" in str(body)
    assert set(body.dropped) & {"tangential: 1", "axial: g1(z)", "radial: 1"}


def test_a_filtered_body_has_no_momentum():
    """Its functions do not contain the rigid motions: these are taken away from every shape."""
    body = hoop(markers={}, keep=fx.CharacteristicSet(modes=4, threshold=0.05))
    made = body.made
    M = np.einsum("kkrs->rs", made.invariants.products)
    np.testing.assert_allclose(M, np.eye(len(M)), atol=1e-8)
    u = made.shapes.reshape(len(made.nodes), 3, -1)
    from flexor.elements.assembly.model import assemble

    mass = assemble(made.mesh).M
    translation = np.array([np.tile(e, len(u)) for e in np.eye(3)])
    assert np.abs(translation @ (mass @ made.shapes[:, :8])).max() < 5e-3 * np.sqrt(made.mass_properties.mass)


def test_a_trial_run_tells_which_functions_are_needed():
    """A ring that is squeezed needs the waves of its load; with these alone it moves as with all, and those left out are still (NAK 7.5)."""
    markers = {"top": (0, 0.105, 0.01), "bottom": (0, -0.105, 0.01)}

    def squeezed(**fields):
        body = hoop(markers=markers, **fields)
        push = [
            fx.PointForce(end, body[end], direction=(0, sense, 0), force=fx.Sine(500.0, frequency="200 Hz"))
            for end, sense in (("top", -1), ("bottom", 1))
        ]
        return body, fx.Model("squeezed", [body, *push]).dynamics(until=5e-3, step=5e-5, show=False)

    whole, trial = squeezed()
    names = trial.needed_functions("hoop", threshold=1e-3)
    assert set(names) < set(whole.made.names)
    assert not [name for name in names if "1φ" in name]  # the load has even waves only
    keep = fx.CharacteristicSet(functions=names, markers=False)
    few, run = squeezed(keep=keep)
    assert set(few.made.names) == set(names)
    assert few.made.size < 0.7 * whole.made.size
    at = "hoop.top.position_y"
    moved = np.abs(trial[at].values - trial[at].values[0]).max()
    np.testing.assert_allclose(run[at].values, trial[at].values, atol=1e-2 * moved)
    assert fx.CharacteristicSet.model_validate(keep.model_dump()) == keep
    strange = hoop(keep=fx.CharacteristicSet(functions=("nothing",)))
    with pytest.raises(fx.ModelError, match="no shape function 'nothing'"):
        _ = strange.made


@pytest.mark.filterwarnings("ignore:the equilibrium found lies beyond a critical speed")  # it is free in its plane
def test_static_shapes_of_a_spin_are_kept():
    """With them the ring grows in a spin as with all functions; with nothing but bending waves it does not grow."""
    growth = []
    for keep in (
        None,
        fx.CharacteristicSet(spin=True, markers=False, threshold=1e-4),
        fx.CharacteristicSet(modes=2, markers=False, threshold=1e-2),
    ):
        body = hoop(markers={"rim": (0.105, 0, 0.01)}, keep=keep)
        still, spun = (
            fx.Model("spin", [body]).statics(angular_velocity=(0, 0, speed))["hoop.rim.position_x"]
            for speed in (0.0, 300.0)
        )
        growth.append(spun - still)
    assert growth[1] == pytest.approx(growth[0], rel=1e-3)
    assert growth[2] < 0.5 * growth[0]


# ---- stiffening


def test_the_blades_of_a_fan_are_stiffened_by_its_spin():
    """A strip on its middle, first flap: Southwell, ω² = ω₀² + 1.193 Ω² of a clamped beam on a hub without radius."""
    L, b, h = 1.0, 0.05, 0.02
    strip = fx.ShapeBody(
        "strip",
        fx.Box(L, b, h),
        "steel",
        orders=(7, 2, 2),
        markers={"middle": (0, 0, 0)},
        stiffening=True,
        up_to="2 kHz",
        position=(0, 0, 0),
    )
    hub = fx.Fixed("hub", fx.ground, strip["middle"])
    flap = [fx.Model("fan", [strip, hub]).modes(angular_velocity=(0, 0, w), count=4).frequencies for w in (0.0, 300.0)]
    expected = np.sqrt(flap[0][0] ** 2 + 1.193 * (300.0 / (2 * np.pi)) ** 2)
    assert flap[1][0] == pytest.approx(expected, rel=5e-3)
    assert expected > 1.2 * flap[0][0]


# ---- refused, told


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"orders": (0, 2, 2)}, "too small"),
        ({"orders": (2, 0, 2)}, "too small"),
        (
            {"orders": (-1, 2, 2)},
            r"^body 'hoop': orders: \(-1, 2, 2\) are too small: below 1 it cannot even turn or stretch",
        ),
        ({"orders": (40, 2, 2)}, "too large"),
        ({"orders": (2, 100, 2)}, "too large"),
        ({"orders": (10, 40, 10)}, "shape functions, more than"),
        ({"material": {"type": "isotropic", "young": 1e9, "poisson": 0.3}}, "no density"),
        (
            {"material": fx.Orthotropic(young=(1e9, 1e9, 1e9), poisson=(0.1, 0.1, 0.1), shear=(1e8, 1e8, 1e8))},
            "no density",
        ),
        ({"keep": {"markers": False}}, "nothing in it"),
    ],
)
def test_what_cannot_be_is_refused(change, said):
    with pytest.raises(fx.ModelError, match=said):
        hoop(**change)


def test_stress_outside_of_a_body_is_refused():
    """Shape functions grow quickly there; a little off, as points of a drawn surface are, they are told."""
    field = fx.ShapeBody("block", fx.Box(0.2, 0.1, 0.1), fx.Steel(), orders=(1, 1, 1)).reduced.field
    assert np.isfinite(field.stress([(0.1, 0.05, 0.05 + 1e-5)])).all()
    for point, said in (((0, 0, 0.07), "point 1 .* is 0.02 m off the body"), ((0, np.nan, 0), "is no place")):
        for asked in (field.stress, field.strain):
            with pytest.raises(fx.ModelError, match=said):
                asked([(0, 0, 0), point])


def test_a_bore_is_no_body():
    with pytest.raises(fx.ModelError, match="touched from within"):
        fx.ShapeBody("bore", fx.Cylinder(0.1, 0.2, inside=True), "steel", orders=(2, 2, 2))


def test_a_set_that_rounding_cannot_tell_apart_is_told():
    """Polynomials of the whole height on a part that has material in a small part of it alone."""
    spindle = fx.TurnedPart([(0, 0), (0.05, 0), (0.05, 0.005), (0.001, 0.005), (0.001, 0.2), (0, 0.2)])
    body = fx.ShapeBody("spindle", spindle, "steel", orders=(8, 1, 16), up_to="20 kHz", position=(0, 0, 0))
    assert "within rounding" in str(body.made)
    report = fx.Model("m", [body]).check()
    assert any("cannot be told apart" in str(each) for each in report.warnings)


def test_a_marker_off_the_body_is_told():
    report = fx.Model("m", [hoop(markers={"far": (0.5, 0, 0), "bore": (0, 0, 0)})]).check()
    told = " ".join(map(str, report.warnings))
    assert "marker 'far'" in told
    assert "marker 'bore'" in told


# ---- files, recovery, pictures


def test_a_run_in_a_file_is_recovered_as_it_was(tmp_path):
    body = hoop(up_to="3 kHz", angular_velocity=(0, 0, 100), markers={"rim": (0.105, 0, 0)})
    push = fx.PointForce("push", body["rim"], direction="x", force="1000*sin(2000*t)")
    model = fx.Model("shaken", [body, push])
    assert fx.Model.from_yaml(model.to_yaml()).to_yaml() == model.to_yaml()
    run = model.dynamics(until=2e-3, step=2e-5, show=False, file=tmp_path / "run.h5")
    again = Run(tmp_path / "run.h5")
    mine, theirs = (each.stress("hoop").tensor("2 ms") for each in (run, again))
    np.testing.assert_allclose(theirs, mine, rtol=1e-9)
    made = body.made
    q = np.array([run[f"hoop.mode_{i + 1}"][-1] for i in range(made.size)])
    np.testing.assert_allclose(mine, made.field.stress(made.nodes) @ q, rtol=1e-9, atol=1e-6 * np.abs(mine).max())


def test_it_is_drawn():
    from flexor.viewer.of_model import scene_of_model

    scene = scene_of_model(fx.Model("m", [hoop(up_to="3 kHz")]))
    (drawn,) = [each for each in scene.header["bodies"] if each["name"] == "hoop"]
    assert drawn["mesh"]["modes"] == hoop(up_to="3 kHz").made.size


STEPS = fx.TurnedPart([(0.01, 0), (0.03, 0), (0.03, 0.02), (0.02, 0.02), (0.02, 0.08), (0.01, 0.08)])


def test_stiffening_of_a_stepped_part_is_refused():
    with pytest.raises(fx.ModelError, match="turned parts with steps"):
        fx.ShapeBody("stub", STEPS, "steel", orders=(2, 2, 3), stiffening=True)


def test_a_stepped_shaft_is_watched_loaded_and_recovered():
    """It bends in a mechanism, with a gauge, although its drawn mesh does not hold together."""
    stub = fx.ShapeBody(
        "stub",
        STEPS,
        "steel",
        orders=(2, 2, 4),
        markers={"foot": (0.02, 0, 0), "head": (0.015, 0, 0.08)},
        position=(0, 0, 0),
    )
    pull = fx.PointForce("pull", stub["head"], direction="x", force="2 kN")
    rest = fx.Model("bent", [stub, fx.Fixed("held", fx.ground.at(0.02, 0, 0), stub["foot"]), pull]).statics()
    assert rest["stub.head.position"][0] > 0.015
    assert rest.stress("stub").max().value > 1e6
    reading = rest.gauge(fx.StrainGauge("g", "stub", at=(0.02, 0, 0.05), direction="z"))
    q = np.array([rest[f"stub.mode_{i + 1}"] for i in range(stub.made.size)])
    strain = stub.made.field.strain([reading.position])[0] @ q
    assert reading.legs[0, 0] == pytest.approx(strain[2], rel=1e-9)


def test_modes_of_a_mesh_and_of_shapes_are_drawn_alike():
    from flexor.viewer.of_modes import scene_of_modes

    body = hoop(up_to="3 kHz")
    scene = scene_of_modes(fx.Model("m", [body]).modes(count=8))
    (drawn,) = [each for each in scene.header["bodies"] if each["name"] == "hoop"]
    assert drawn["mesh"]["modes"] == body.made.size


def test_a_rotor_whirls_forward_and_backward():
    """A disc in the middle of a shaft, turned in one piece: its tilting mode splits, ω² ∓ (I_p/I_d) Ω ω = ω₀²."""
    profile = [(0, 0), (0.01, 0), (0.01, 0.19), (0.1, 0.19), (0.1, 0.21), (0.01, 0.21), (0.01, 0.4), (0, 0.4)]
    rotor = fx.ShapeBody(
        "rotor",
        fx.TurnedPart(profile),
        "steel",
        orders=(3, 2, 8),
        markers={"a": (0, 0, 0), "b": (0, 0, 0.4)},
        up_to="3 kHz",
        position=(0, 0, 0),
    )
    bearings = [
        fx.Spherical("left", fx.ground, rotor["a"]),
        fx.PointOnLine("right", fx.ground.at(0, 0, 0.4), rotor["b"], axis="z"),
    ]
    speed = 200.0
    diagram = fx.Model("rotor", [rotor, *bearings]).campbell([0.0, speed], 6, rotor="rotor", axis="z")
    rest, turning = (np.sort(each[np.isfinite(each) & (each > 1.0)])[:4] for each in diagram.frequencies)
    assert rest[0] == pytest.approx(rest[1], rel=1e-4)  # up and down
    assert rest[2] == pytest.approx(rest[3], rel=1e-4)  # tilting
    assert turning[:2] == pytest.approx(rest[:2], rel=5e-3)
    backward, forward = turning[2:4]
    assert backward * forward == pytest.approx(rest[2] ** 2, rel=5e-3)
    ratio = 2 * np.pi * (forward - backward) / speed
    assert 1.6 < ratio < 1.97  # I_p/I_d of the disc alone is 1.97; its shaft tilts as well


def test_each_component_may_have_orders_of_its_own():
    """Without waves in the radial displacement beyond one, the ring cannot bend in its plane."""
    whole = hoop(markers={}).made
    plain = hoop(markers={}, orders=((2, 3, 2), (2, 3, 2), (2, 3, 2))).made
    held = hoop(markers={}, orders=((2, 1, 2), (2, 3, 2), (2, 3, 2))).made
    np.testing.assert_array_equal(plain.frequencies, whole.frequencies)
    assert held.size == whole.size - 3 * 4 * 3
    assert held.frequencies[0] > 1.4 * whole.frequencies[0]
