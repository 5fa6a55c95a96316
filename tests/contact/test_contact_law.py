"""The law of a contact: order of convergence, exact tangents where it touches, parts and slides; what is refused, and files."""

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.contact.laws.ellipse import complete, point_stiffness
from flexor.contact.laws.normal import palmgren_stiffness
from flexor.law import COMMIT
from flexor.law.face import INTEGRATED
from tests.laws.calls import call, matrix, residual
from tests.laws.random_states import random_state
from tests.laws.samples import samples_of
from tests.laws.states import COORDINATES, VELOCITIES, perturbed, slope_and_error


@pytest.mark.parametrize(
    "law",
    [fx.Penalty(1e4), fx.Penalty(1e6, exponent=1.5), fx.Penalty(1e4, restitution=0.5), fx.Penalty(1e4, damping=0.3)],
    ids=["linear", "hertz", "restitution", "damping"],
)
def test_every_law_converges_with_second_order(law):
    """Halved steps leave a quarter of the error, from the touch to the parting of an impact."""
    until = 0.012 if law.exponent > 1 else 0.02

    def end(count):
        ball = fx.RigidBody("ball", 1.0, 1e-3, position=(0, 0, 0.05), velocity=(0, 0, -1), shapes=[fx.Sphere(0.05)])
        contact = fx.Contact("floor", fx.ground.surface(fx.Plane()), ball, law)
        run = fx.Model("drop", [ball, contact]).dynamics(until=until, step=until / count, show=False)
        return run["ball.position_z"][-1]

    coarse, fine, finest = (end(count) for count in (100, 200, 400))
    assert (coarse - fine) / (fine - finest) == pytest.approx(4.0, rel=0.15)


@pytest.mark.parametrize("sliding", [True, False])
def test_tangent_while_it_slides_or_sticks_in_a_step(sliding):
    """In a step of time the stretch of the asperities follows the velocity; beyond the micro-slip it is cut back."""
    sample = samples_of(fx.Contact)[1]
    rub = sample.declaration.friction.replace(micro_slip=1e-3 if sliding else 1e3)
    term = replace(sample, declaration=sample.declaration.replace(friction=rub)).term
    for seed in range(3):
        state = replace(random_state(term, seed), states=INTEGRATED)
        state = replace(state, h=call(term, replace(state, t=state.t - 0.02), COMMIT).h)
        for c, what in (((1.0, 0.0, 0.0), COORDINATES), ((0.0, 1.0, 0.0), VELOCITIES)):
            K = matrix(term, state, c)
            found = [
                slope_and_error(lambda d, j=j, w=what, s=state: residual(term, perturbed(s, w, j, d)), 1e-5)
                for j in range(12)
            ]
            slopes, errors = np.array(found)[:, 0].T, np.array(found)[:, 1].T
            np.testing.assert_allclose(K, slopes, rtol=0, atol=1e-6 * np.abs(K).max() + 10 * errors.max())


def test_force_and_tangent_pass_zero_where_surfaces_touch_and_part():
    """At g = 0 a Hertz contact has neither force nor stiffness, on either side nothing but what belongs to it, and no NaN."""
    term = samples_of(fx.Contact)[3].term
    state = random_state(term, 0)

    def at_gap(gap):
        """The second body moved along the line of centres."""
        from tests.laws.calls import outputs

        g = outputs(term, state)[5]
        force = residual(term, state)[6:9]
        x = state.x.copy()
        x[1] -= (gap - g) * force / np.linalg.norm(force)
        return replace(state, x=x)

    for gap in (0.0, 1e-9, 1e-3, -1e-9, -1e-4):
        moved = at_gap(gap)
        r, K = residual(term, moved), matrix(term, moved, (1.0, 0.0, 0.0))
        assert np.all(np.isfinite(r))
        assert np.all(np.isfinite(K))
        assert (np.abs(r).max() > 0) == (gap < -1e-12)


def test_stiffness_of_ellipses_and_lines():
    """Elliptic integrals, Hertz's circle, crossed cylinders (equal: a circle), and steel by Palmgren's 3.84e-5 N^0.9/ℓ^0.8 (N, mm)."""
    assert complete(0.5) == pytest.approx((1.8540746773013719, 1.3506438810476755), rel=1e-14)
    assert point_stiffness(2.0, 10.0, 10.0) == pytest.approx(4 / 3 * 2.0 * np.sqrt(0.1), rel=1e-8)
    # Johnson's approximation for slender ellipses: R_e = 1/√(A B)/2 and F₂ near one
    assert point_stiffness(1.0, 10.0, 13.0) == pytest.approx(4 / 3 * (10.0 * 13.0) ** -0.25, rel=3e-3)
    modulus = 206e3 / (2 * (1 - 0.3**2))
    for load, length in ((1000.0, 10.0), (50.0, 4.0)):
        depth = (load / palmgren_stiffness(modulus, length)) ** 0.9
        assert depth == pytest.approx(3.84e-5 * load**0.9 / length**0.8, rel=3e-3)


def test_what_cannot_touch_is_refused_in_words():
    ball = fx.RigidBody("ball", 1.0, 0.1, position=(0, 0, 1), shapes=[fx.Sphere(0.05)])
    plane = fx.ground.surface(fx.Plane())
    with pytest.raises(fx.ModelError, match="a plane cannot touch a plane"):
        fx.Contact("c", plane, ball.surface(fx.Plane()), fx.Penalty(1e6))
    with pytest.raises(fx.ModelError, match="material is missing"):
        fx.Contact("c", plane, ball, {"type": "hertz"})
    with pytest.raises(fx.ModelError, match="surface a has no shape; 'ground' has none"):
        fx.Model("m", [ball, fx.Contact("c", fx.ground, ball, fx.Penalty(1e6))]).check()
    with pytest.raises(fx.ModelError, match="connects body 'ball' with itself"):
        fx.Model("m", [ball, fx.Contact("c", ball, ball, fx.Penalty(1e6))]).check()
    with pytest.raises(fx.ModelError, match="restitution and damping; give one"):
        fx.Penalty(1e6, restitution=0.5, damping=1.0)
    model = fx.Model("m", [ball, fx.Contact("c", plane, ball, fx.Penalty(1e6))])
    with pytest.raises(fx.ModelError, match="it is a contact; steps are not shortened where surfaces meet"):
        model.dynamics(until=0.1, step=1e-3, solver="tree", show=False)


def test_files_may_give_shapes_with_their_ends(tmp_path):
    """a: {on: …, shape: …} is read as a and shape_a, and written so."""
    ball = fx.RigidBody("ball", 1.0, 0.1, position=(0, 0, 1), shapes=[fx.Sphere(0.05)])
    contact = fx.Contact("c", fx.ground.at(0, 0, 0.1).surface(fx.Plane()), ball, fx.Hertz("steel"), friction=0.2)
    model = fx.Model("m", [ball, contact])
    model.save(tmp_path / "m.yaml")
    assert fx.Model.load(tmp_path / "m.yaml") == model
    assert contact.friction == fx.ContactFriction(0.2)
    assert contact.a == fx.ground.at(0, 0, 0.1)
