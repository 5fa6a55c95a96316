"""The user's own laws: a compiled and a Python spring on a point mass, m ẍ = −k x, x(t) = cos ωt."""

import numpy as np
import pytest

import flexor as fx
from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, law

OMEGA, MASS = 10.0, 2.0


@law(outputs=(("force", "N"),))
def compiled_spring(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    if want & RESIDUAL:
        r[0] += p[0] * x[0]
    if want & MATRIX:
        K[0] += c[0] * p[0]
    if want & OUTPUT:
        w[0] = -p[0] * x[0]
    if want & ENERGY:
        for i in range(5):
            w[i] = 0.0
        w[2] = 0.5 * p[0] * x[0] * x[0]
    return 0


def python_spring(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    if want & RESIDUAL:
        r[0] += p[0] * x[0]
    if want & OUTPUT:
        w[0] = -p[0] * x[0]
    if want & ENERGY:
        w[:5] = 0.0
        w[2] = 0.5 * p[0] * x[0] ** 2


def failing_law(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    if t > 0.05:
        raise RuntimeError("no value beyond 50 ms")


def model(spring):
    mass = fx.PointMass("mass", MASS, position=(1, 0, 0))
    own = fx.UserLaw("spring", spring, on=(mass,), floats=(MASS * OMEGA**2,), outputs=(("force", "N"),))
    return fx.Model("oscillator", items=[mass, own])


@pytest.mark.parametrize("spring", [compiled_spring, python_spring])
def test_oscillator(spring):
    run = model(spring).dynamics(until=0.5, step=1e-3, integrator="newmark", show=False)
    # trapezoidal rule: phase error ω t (ωh)²/12
    expected = np.cos(OMEGA * run.time)
    assert np.abs(run["mass.position_x"] - expected).max() < 1.1 * OMEGA * 0.5 * (OMEGA * 1e-3) ** 2 / 12
    np.testing.assert_allclose(run["spring.force"], -MASS * OMEGA**2 * run["mass.position_x"].values, rtol=1e-12)
    assert np.ptp(run["energy.check_sum"].values) < 1e-9 * MASS * OMEGA**2


def test_exception_of_a_python_law_comes_out_whole():
    with pytest.raises(fx.LawError, match="'spring': its Python law raised RuntimeError: no value") as caught:
        model(failing_law).dynamics(until=0.2, step=1e-3, show=False)
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert caught.value.__cause__.__traceback__ is not None
    assert caught.value.run.time[-1] == pytest.approx(0.05)


def test_a_file_takes_no_code(tmp_path):
    with pytest.raises(fx.ModelError, match="a file cannot carry code"):
        model(compiled_spring).save(tmp_path / "oscillator.yaml")
    text = "name: m\nitems:\n  - {type: user_law, name: spring, law: os.system, on: [ground]}\n"
    with pytest.raises(fx.ModelError, match="a file cannot carry code"):
        fx.Model.from_yaml(text)
