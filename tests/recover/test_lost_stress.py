"""What a reduced body lacks under its own inertia: energies in closed form, and the warning that tells of it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar
from flexor.recover import StressIncomplete, lost_stress

SOFT = fx.Isotropic(young=1e9, poisson=0.0, density=1000.0)
LENGTH, SPEED = 1.0, 20.0
ENDS = {"root": "x_min", "tip": "x_max"}
FEW, WITH_SHAPES = fx.CraigBampton(modes=4), fx.CraigBampton(modes=4, inertia_shapes=True)
"""The first four held modes bend the rod."""


def rod(reduction=FEW, formulation="superelement", **about):
    mesh = bar(LENGTH, 0.05, 0.04, (12, 1, 1), element="hex20", material=SOFT)
    return fx.FlexibleBody("rod", mesh, interfaces=ENDS, reduction=reduction, formulation=formulation, **about)


def clamped(body, **about):
    return fx.Model("clamped", [body, fx.Fixed("clamp", fx.ground, body["root"])], **about)


def told(action):
    """Warnings of an action."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    return [str(each.message) for each in caught if each.category is StressIncomplete]


@pytest.mark.filterwarnings("ignore::flexor.recover.StressIncomplete")
@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_a_spinning_rod(formulation):
    """σ = ½ρω²(L² − x²); without shapes it is constant, ⅓ρω²L²: energies 2/15 and 1/9, so 1/6 is lost."""
    spin = {"angular_velocity": (0, 0, SPEED)}
    found, exact = (clamped(rod(reduction, formulation)).statics(**spin) for reduction in (FEW, WITH_SHAPES))
    few, full = found.body("rod"), exact.body("rod")
    assert lost_stress(few) == pytest.approx(np.sqrt(1 / 6), rel=0.01)
    assert lost_stress(full) < 1e-4
    whole = energies_of(full)
    assert energies_of(few) / (1 - lost_stress(few) ** 2) == pytest.approx(whole, rel=1e-3)
    # it is the error of stress in the mean square over the body
    a, b = (position.stress("rod", "xx", place="centers").tensor(0.0)[:, 0] for position in (found, exact))
    assert np.linalg.norm(a - b) / np.linalg.norm(b) == pytest.approx(lost_stress(few), rel=0.05)


def energies_of(history):
    return float(history.strain_energy()[0])


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_a_hanging_rod(formulation):
    """σ = ρg(L − x); without shapes ½ρgL: energies 1/3 and 1/4, so 1/4 is lost."""
    model = clamped(rod(formulation=formulation), gravity=(9.81, 0, 0))
    assert lost_stress(model.statics().body("rod")) == pytest.approx(0.5, rel=0.01)


def test_it_is_told_once_per_body_and_run_with_the_fix():
    spun = clamped(rod()).statics(angular_velocity=(0, 0, SPEED))
    (text,) = told(lambda: [spun.stress("rod"), spun.stress("rod", "xx").max(), spun.body("rod").displacement(0)])
    assert text.startswith("body 'rod': stress and strain may be off by about 41 %")
    assert text.endswith("reduce it with CraigBampton(inertia_shapes=True)")
    again = clamped(rod()).statics(angular_velocity=(0, 0, SPEED))
    gauge = fx.StrainGauge("g", "rod", at=(0.5, 0, 0.02), direction="x")
    assert len(told(lambda: [again.gauge(gauge), gauge.read(again.body("rod"))])) == 1
    with pytest.warns(StressIncomplete) as caught:
        clamped(rod()).statics(angular_velocity=(0, 0, SPEED)).stress("rod")
    assert caught[0].filename == __file__  # where the user asked


def test_films_of_stress_tell_it_and_films_of_displacement_do_not(tmp_path):
    spun = clamped(rod()).statics(angular_velocity=(0, 0, SPEED))
    assert not told(lambda: spun.vtu("rod", tmp_path, fields=("displacement",)))
    assert told(lambda: spun.vtu("rod", tmp_path))


def test_it_is_not_told_of_shapes_whole_meshes_rigid_bodies_slow_motion_and_larger_loads():
    spin = {"angular_velocity": (0, 0, SPEED)}
    assert not told(lambda: clamped(rod(WITH_SHAPES)).statics(**spin).stress("rod"))
    for formulation in ("full_mesh", "rigid"):
        assert not told(lambda name=formulation: clamped(rod(formulation=name)).statics().stress("rod"))
    assert not told(lambda: clamped(rod(formulation="full_mesh")).statics(**spin).stress("rod"))
    assert not told(lambda: clamped(rod()).statics(angular_velocity=(0, 0, 0.05)).stress("rod"))
    pulled = clamped(rod()).with_item(fx.PointForce("pull", on=rod()["tip"], direction="x", force=3e4))
    assert 1e-3 < lost_stress(pulled.statics(**spin).body("rod")) < 0.02
    assert not told(lambda: pulled.statics(**spin).stress("rod"))


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_inertia_of_a_driven_rod(formulation):
    """The origin, on the pin, feels −g alone, and all turns as the motor does."""
    stiff = fx.Isotropic(young=1e11, poisson=0.0, density=1000.0)
    body = rod(WITH_SHAPES, formulation, damping=fx.Rayleigh(0.0, 1e-4), material=stiff)
    model = fx.Model("driven", [
        body,
        fx.Revolute("pin", fx.ground, body["root"], axis="z"),
        fx.Motor("drive", "pin", speed=fx.ramp(0, 30, over=1.0)),
    ], gravity=(0, -9.81, 0))  # fmt: skip
    run = model.dynamics(until=0.6, step=1e-3, show=False)
    angle, speed = run["pin.angle"].values, run["pin.angle_rate"].values
    expected = np.zeros((len(run), 12))
    expected[:, 0], expected[:, 1] = 9.81 * np.sin(angle), 9.81 * np.cos(angle)
    expected[:, 5], expected[:, 8] = np.gradient(speed, run.time, edge_order=2), speed**2
    late = slice(300, None)
    found, size = run.body("rod").inertia, np.abs(expected).max(axis=0)
    size[size == 0] = np.repeat(size[[0, 5, 8]], [3, 3, 6])[size == 0]
    np.testing.assert_allclose(found[late] / size, expected[late] / size, atol=0.02)
    assert lost_stress(run.body("rod")) < 1e-3


def test_free_modes_alone():
    """A free rod that spins about its middle is strained along itself, which bending modes do not show at all."""
    mesh = bar(LENGTH, 0.05, 0.04, (12, 1, 1), element="hex20", material=SOFT)
    body = fx.FlexibleBody(
        "rod", mesh, reduction=fx.Modal(modes=4), formulation="floating", angular_velocity=(0, 0, 40)
    )
    run = fx.Model("flying", [body]).dynamics(until=0.01, step=1e-3, show=False)
    assert lost_stress(run.body("rod")) > 0.9
    (text,) = told(lambda: run.stress("rod"))
    assert "take more modes" in text


def test_the_proof_of_a_scaled_body_is_that_of_the_scaled_mesh():
    a, e, d = 2.0, 3.0, 5.0
    small = bar(0.6, 0.05, 0.04, (5, 1, 1), material=fx.Isotropic(young=1e9, poisson=0.3, density=1000.0))
    large = bar(1.2, 0.10, 0.08, (5, 1, 1), material=fx.Isotropic(young=3e9, poisson=0.3, density=5000.0))
    one, two = (fx.reduce_mesh(mesh, ENDS, FEW, use_cache=False).validation for mesh in (small, large))
    scaled = one.scaled(length=a, stiffness=e, density=d)
    lost = np.array(two.lost)
    size = np.sqrt(np.maximum(np.diag(lost), 1e-9 * np.diag(lost).max()))
    np.testing.assert_allclose(np.array(scaled.lost) / np.outer(size, size), lost / np.outer(size, size), atol=1e-5)
    for name in ("mass", "mesh_mass", "trusted", "first_wrong"):
        assert getattr(scaled, name) == pytest.approx(getattr(two, name), rel=1e-5)
    np.testing.assert_allclose(scaled.full, two.full, rtol=1e-6)
    np.testing.assert_allclose(scaled.reduced, two.reduced, rtol=1e-6)
    np.testing.assert_allclose(list(scaled.clamped.values()), list(two.clamped.values()), rtol=1e-5)


def test_what_is_not_known_is_not_told():
    history = clamped(rod()).statics(angular_velocity=(0, 0, SPEED)).body("rod")
    vars(history)["inertia"] = None
    assert lost_stress(history) == 0.0
