"""Stress under harmonic and random vibration: closed form of a cantilever, statics, a long run, brute-force covariances."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar
from flexor.recover import StressIncomplete
from flexor.recover.harmonic_stress import largest_over_cycle
from flexor.recover.measures import measure_of
from flexor.solve.frequency.random import CoarseSpectrum

L, B, H, BETA = 0.5, 0.02, 0.01, 2e-5


def rod(formulation: str = "superelement", modes: int = 6, divisions=(16, 2, 2)) -> fx.FlexibleBody:
    ends = {"left": fx.Interface("x_min", tie="average"), "tip": fx.Interface("x_max", tie="average")}
    mesh = bar(L, B, H, divisions, element="hex20", material=fx.Isotropic(young=210e9, poisson=0.0, density=7850))
    reduction = {} if formulation == "full_mesh" else {"reduction": fx.CraigBampton(modes)}
    return fx.FlexibleBody(
        "rod", mesh=mesh, interfaces=ends, formulation=formulation, damping=fx.Rayleigh(beta=BETA), **reduction
    )


def shaken(body: fx.FlexibleBody, given: str = "acceleration", **motion) -> fx.Model:
    still = dict.fromkeys(("x", "y", "z", "angle_x", "angle_y", "angle_z"), 0)
    return fx.Model("cantilever", [body, fx.PrescribedMotion("shaker", body["left"], given=given, **(still | motion))])


def bending_stress(hertz: float, x: float) -> complex:
    """Elastic σ_xx at the upper side of an Euler-Bernoulli beam per base acceleration across: EI w'''' = ρAω² w, w(0) = −1/ω², w'(0) = 0."""
    w = 2 * np.pi * hertz
    E = 210e9 * (1 + 1j * w * BETA)
    k = (7850 * B * H * w**2 / (E * B * H**3 / 12)) ** 0.25
    c, s, C, S = np.cos(k * L), np.sin(k * L), np.cosh(k * L), np.sinh(k * L)
    rows = [[1, 0, 1, 0], [0, 1, 0, 1], [C, S, -c, -s], [S, C, s, -c]]
    a = np.linalg.solve(rows, [-1 / w**2, 0, 0, 0])
    shape = a @ [np.cosh(k * x), np.sinh(k * x), -np.cos(k * x), -np.sin(k * x)]
    return complex(-210e9 * H / 2 * k**2 * shape)


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
@pytest.mark.parametrize("given", ["acceleration", "displacement"])
def test_cantilever_on_a_shaker(formulation, given):
    hertz = np.array([5.0, 20.0, 33.0, 60.0, 150.0])
    stress = shaken(rod(formulation), given).harmonic_motion(hertz, "shaker.z").stress("rod")
    points = stress.sites.positions
    site = int(np.argmin(np.abs(points - [0.125, 0.0, H / 2]).sum(axis=1) + 1e3 * (points[:, 2] < points[:, 2].max())))
    assert abs(points[site, 0] - 0.125) < 1e-9
    expected = np.array([bending_stress(f, 0.125) for f in hertz])
    if given == "displacement":
        expected *= -((2 * np.pi * hertz) ** 2)
    got = stress.at(node=int(stress.sites.nodes[site]))[:, 0]
    np.testing.assert_allclose(got, expected, rtol=0.02)
    np.testing.assert_allclose(stress.amplitude("xx")[:, stress.sites.rows[site]], np.abs(got), rtol=1e-12)


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_stress_of_its_own_inertia_that_modes_lack_is_told(formulation):
    """Along its axis a rod bears ρ (L − x) a, at the root twice of what modes of bending and the ends' shapes hold."""
    with pytest.warns(StressIncomplete, match=r"off by about 50 %.*inertia_shapes"):
        shaken(rod(formulation, 2)).harmonic_motion([50.0], {"shaker.x": 1000.0}).stress("rod")
    with warnings.catch_warnings():
        warnings.simplefilter("error", StressIncomplete)
        shaken(rod(formulation, 6)).harmonic_motion([33.0], {"shaker.z": 1000.0}).stress("rod")


@pytest.mark.parametrize("formulation", ["superelement", "floating", "full_mesh"])
def test_at_zero_frequency_it_is_that_of_statics(formulation):
    def model(force):
        body = rod(formulation, divisions=(6, 1, 1))
        push = fx.PointForce("push", body["tip"], direction=(0.3, 1, 2), force=force)
        return fx.Model("held", [body, fx.Fixed("weld", fx.ground, body["left"]), push])

    load = 1e-3
    got = model(0.0).harmonic_motion([0.0], {"push.force": load}).stress("rod")
    expected = model(load).statics().stress("rod", "xx").frame()
    np.testing.assert_allclose(got.components(0.0)[:, 0].real, expected, rtol=1e-5, atol=1e-6 * np.nanmax(expected))
    assert np.nanmax(np.abs(got.components(0.0).imag)) == 0


def test_the_largest_over_a_cycle_is_that_of_a_long_run():
    """Bending and torsion a quarter of a cycle apart: amplitudes of components do not tell how large von Mises becomes."""
    hertz, a, turn = 20.0, 1e-2, 100.0
    body = rod(modes=4, divisions=(8, 2, 2)).model_copy(update={"damping": fx.Rayleigh(beta=5e-4)})
    vibration = shaken(body).harmonic_motion([hertz], {"shaker.angle_x": turn, "shaker.z": (a, "90 deg")})
    stress = vibration.stress("rod")
    run = shaken(
        body,
        angle_x=fx.sine(turn, frequency=hertz, phase="90 deg"),
        z=fx.sine(a, frequency=hertz, phase="180 deg"),
    ).dynamics("1 s", "0.25 ms", show=False)
    history = run.stress("rod")
    late = run.time > run.time[-1] - 1 / hertz - 1e-9
    values = np.array([history.frame(float(t)) for t in run.time[late]])
    got = stress.amplitude()[0]
    assert stress.max(ties=False).frequency == hertz
    inside = got > 0.05 * np.nanmax(got)
    np.testing.assert_allclose(got[inside], values.max(axis=0)[inside], rtol=0.01)
    naive = measure_of("von_mises")(np.abs(stress.components(hertz)))
    assert np.nanmax(np.abs(naive[inside] / got[inside] - 1)) > 0.2


def test_largest_over_a_cycle_against_sampling():
    rng = np.random.default_rng(1)
    v = rng.normal(size=(5, 40)) + 1j * rng.normal(size=(5, 40))
    t = np.exp(2j * np.pi * np.linspace(0, 1, 4001))[:, None, None]
    sampled = np.linalg.norm((v * t).real, axis=1).max(axis=0)
    np.testing.assert_allclose(largest_over_cycle(v), sampled, rtol=1e-6)


def test_rms_von_mises_against_the_covariances_of_components():
    """Segalman: E[σᵀAσ] = Σ A_ij E[σ_i σ_j], at every node from the components at every frequency."""
    f = np.linspace(10, 60, 101)
    body = rod(modes=4, divisions=(6, 2, 1)).model_copy(update={"damping": fx.Rayleigh(beta=5e-4)})
    model = shaken(body)
    vibration = model.harmonic_motion(f, ["shaker.z", "shaker.x", "shaker.y"])
    density = {"shaker.z": fx.table([0, 100], [1.0, 3.0]), "shaker.y": 0.5}
    got = vibration.stress("rod").random(density)
    covariance: np.ndarray = 0.0
    for name, values in (("shaker.z", 1 + 0.02 * f), ("shaker.y", 0.5 + 0 * f)):
        alone = model.harmonic_motion(f, name).stress("rod")
        sigma = np.array([alone.components(each) for each in f])
        each = np.einsum("fni,fnj->fnij", sigma, sigma.conj()).real * values[:, None, None, None]
        covariance = covariance + np.trapezoid(each, f, axis=0)
    A = np.zeros((6, 6))
    A[:3, :3] = 1.5 * np.eye(3) - 0.5
    A[3:, 3:] = 3 * np.eye(3)
    np.testing.assert_allclose(got.von_mises**2, np.einsum("ij,nij->n", A, covariance), rtol=1e-8)
    variance = np.einsum("nii->ni", covariance)
    np.testing.assert_allclose(got.components**2, variance, rtol=1e-7, atol=1e-12 * np.nanmax(variance))
    assert got.max().value == pytest.approx(np.nanmax(got.von_mises))
    assert "RMS von Mises" in str(got)
    with pytest.warns(CoarseSpectrum, match="closer"):
        model.harmonic_motion(np.linspace(10, 60, 7), "shaker.z").stress("rod").random({"shaker.z": 1.0})


def test_fields_are_written(tmp_path):
    vibration = shaken(rod(modes=2, divisions=(4, 1, 1))).harmonic_motion(["20 Hz", "40 Hz"], {"shaker.z": 1.0})
    stress = vibration.stress("rod")
    path = stress.vtu(tmp_path / "v")
    assert path.read_text().count("<DataSet") == 2
    assert b"stress_von_mises_amplitude" in (tmp_path / "v" / "rod_00000.vtu").read_bytes()
    assert stress.random({"shaker.z": 1.0}).vtu(tmp_path / "r").exists()
    u = vibration.displacement("rod", relative_to="left")
    assert u.shape[0] == 2
    assert np.abs(u[0]).max() > 0
    assert "20 to 40 Hz" in str(vibration)
    assert "von Mises" in str(stress)


def test_bad_input_is_refused():
    model = shaken(rod(modes=2, divisions=(4, 1, 1)))
    stress = model.harmonic_motion([20.0], "shaker.z").stress("rod")
    with pytest.raises(fx.ModelError, match="nearest one is 20 Hz"):
        stress.components(21.0)
    with pytest.raises(fx.ModelError, match="principal"):
        stress.amplitude("principal_1")
    with pytest.raises(fx.ModelError, match="ascend"):
        stress.random({"shaker.z": 1.0})
    with pytest.raises(fx.ModelError, match="flexible bodies are"):
        model.harmonic_motion([20.0], "shaker.z").stress("shaker")
    with pytest.raises(fx.ModelError, match="begin above"):
        model.harmonic_motion([0.0], "shaker.z")
    mass = fx.PointMass("mass", 1.0)
    with pytest.raises(fx.ModelError, match="no flexible body"):
        fx.Model("m", [mass, fx.PointForce("f", mass, direction="x", force=0)]).harmonic_motion([1.0], "f")
