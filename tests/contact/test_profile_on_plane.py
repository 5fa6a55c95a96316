"""Bodies of revolution with curved profiles of several pieces, and prisms likewise, on planes: their lowest point is never lost between two pieces."""

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import flexor as fx
from flexor.spatial import exp_so3
from tests.contact.test_approach import Meeting

RADIUS, CROWN, HALF = 0.01, 0.5, 0.01


def crown(z):
    """Radius of a barrel at a height."""
    return RADIUS - CROWN + np.sqrt(CROWN**2 - z * z)


def barrel(count: int, kind: str) -> fx.Profile:
    return fx.Profile([(float(crown(z)), float(z)) for z in np.linspace(-HALF, HALF, count)], kind=kind)


def kinked(lean: float) -> fx.Profile:
    """Two arcs that meet at an angle in the middle: outwards (lean > 0), or in a waist between two bulges."""
    z = np.array([0.0, 0.005, 0.01])
    rho = crown(z - 0.5 * HALF) - lean * z
    points = [*zip(rho[::-1], -z[::-1]), *zip(rho[1:], z[1:])]
    return fx.Profile([(float(x), float(y)) for x, y in points], kind="arcs")


def landed(lean: float) -> fx.Profile:
    """A cylinder whose ends are rounded off, from where it is round on with an angle."""
    z = np.array([-0.01, -0.0075, -0.005, 0.0, 0.005, 0.0075, 0.01])
    beyond = np.maximum(np.abs(z) - 0.005, 0.0)
    return fx.Profile([(float(x), float(y)) for x, y in zip(crown(beyond) - lean * beyond, z)], kind="arcs")


LAND, ROUND_LAND = landed(2e-3), landed(0.0)
RING = fx.Profile.circle(0.004, at=(0.012, 0.001))
BALL = fx.Profile([(0, -0.01), (0.01 * np.sqrt(0.5), -0.01 * np.sqrt(0.5)), (0.01, 0), (0.01 * np.sqrt(0.5), 0.01 * np.sqrt(0.5)), (0, 0.01)], kind="arcs")  # fmt: skip

PROFILES = {
    **{f"{kind} {count}": barrel(count, kind) for kind, counts in (("arcs", (3, 5, 9, 17)), ("spline", (3, 4, 5, 9, 16))) for count in counts},
    "kink outwards": kinked(0.02), "slight kink": kinked(2e-4), "waist": kinked(-0.02), "land": LAND, "round land": ROUND_LAND, "ring": RING, "ball": BALL,
    "wavy": fx.Profile([(0.01, -0.02), (0.011, -0.01), (0.01, 0.0), (0.0112, 0.01), (0.01, 0.02)]),
}  # fmt: skip
"""Of bodies of revolution."""


def least_height(profile: fx.Profile, m: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Of m x + c y over a profile, by the roots of its derivative on cubics and by the circle on arcs: independent of how the contact finds it."""
    found = np.full(np.shape(m), np.inf)
    for piece in profile._pieces:
        ends = piece.at(np.array([0.0, piece.end]))[0]
        found = np.minimum(found, np.min(np.multiply.outer(m, ends[:, 0]) + np.multiply.outer(c, ends[:, 1]), axis=-1))
        if piece.kind == 1:
            angle = np.arctan2(-c, -m)
            sweep = piece.end / piece.p[2]
            turned = np.mod((angle - piece.p[3]) * np.sign(sweep), 2 * np.pi)
            low = m * piece.p[0] + c * piece.p[1] - abs(piece.p[2]) * np.hypot(m, c)
            found = np.where(turned < abs(sweep), np.minimum(found, low), found)
        if piece.kind == 2:
            x, y = np.array(piece.p).reshape(2, 4)
            for i in np.ndindex(np.shape(m)):
                h = np.polynomial.Polynomial(m[i] * x + c[i] * y)
                at = [r.real for r in h.deriv().roots() if abs(r.imag) < 1e-9 and 0 < r.real < 1]
                found[i] = min([found[i], *(h(s) for s in at)])
    return found


def joints(profile: fx.Profile) -> np.ndarray:
    """Angles of the tangents at both ends of every piece [rad]."""
    ends = [piece.at(np.array([0.0, piece.end]))[1] for piece in profile._pieces]
    return np.array([np.arctan2(t[1], t[0]) for pair in ends for t in pair])


tilts = st.tuples(st.integers(0, 100), st.floats(0, 9), st.sampled_from((-1.0, 0.0, 1.0)), st.floats(-3, 3))


@pytest.mark.parametrize("name", PROFILES)
@settings(max_examples=60, deadline=None, derandomize=True, phases=[Phase.generate])
@given(tilt=tilts)
def test_no_bulge_is_lost_between_two_pieces(name, tilt):
    """The gap on a plane is the least height of the profile in the meridian that goes down, m = −sin β, c = cos β: for directions of the plane's normal that are
    perpendicular to the ends of pieces, and off that by 1 rad to 1e-9 rad; at a random turn about the axis."""
    profile = PROFILES[name]
    number, power, sign, spin = tilt
    at = joints(profile)
    beta = at[number % len(at)] + sign * 10.0**-power
    if np.cos(beta) < 0.0:  # the other normal: the axis is turned upside down
        beta += np.pi
    for angle in (beta, np.pi - beta):
        R = exp_so3(np.array([0.0, angle, 0.0])) @ exp_so3(np.array([0.0, 0.0, spin]))
        p = np.array([0.1, 0.2, 0.03])
        m, c = -np.hypot(R[2, 0], R[2, 1]), R[2, 2]
        exact = p[2] + float(least_height(profile, np.array([m]), np.array([c]))[0])
        g, n, x = Meeting(fx.Plane(), fx.Revolved(profile)).nearest(p, R)
        assert g == pytest.approx(exact, abs=1e-13)
        assert n == (0, 0, 1)
        assert x[2] == pytest.approx(0.5 * g, abs=1e-15)


CAMS = {
    "circle": fx.Profile.circle(0.05),
    "egg": fx.Profile([(0.06, 0), (0, 0.04), (-0.05, 0), (0, -0.04)], closed=True),
    "half": fx.Profile([(0, -0.05), (0.05, 0), (0, 0.05), (0, 0)], kind="arcs", closed=True),
    "sixteen": fx.Profile(
        [(0.05 * np.cos(a), 0.04 * np.sin(a)) for a in np.arange(16) * np.pi / 8], kind="arcs", closed=True
    ),
    "spline of twelve": fx.Profile(
        [(0.05 * np.cos(a), 0.04 * np.sin(a)) for a in np.arange(12) * np.pi / 6], closed=True
    ),
    "four arcs": fx.Profile(
        [(0.05, 0), (0.04, 0.03), (0, 0.05), (-0.03, 0.035), (-0.05, 0), (-0.04, -0.03), (0, -0.05), (0.03, -0.035)],
        kind="arcs",
        closed=True,
    ),
}
"""Of prisms."""


@pytest.mark.parametrize("name", CAMS)
@settings(max_examples=60, deadline=None, derandomize=True, phases=[Phase.generate])
@given(tilt=tilts)
def test_prisms_on_planes_lose_no_bulge_either(name, tilt):
    """Likewise of a contour that rolls on a plane, its axis level or not."""
    profile = CAMS[name]
    number, power, sign, lean = tilt
    at = joints(profile)
    beta = at[number % len(at)] + sign * 10.0**-power
    level = np.array([[np.cos(-beta), -np.sin(-beta), 0], [0, 0, -1], [np.sin(-beta), np.cos(-beta), 0]])
    for turn in (0.0, np.pi):
        R = exp_so3(np.array([0.0, 0.1 * lean, 0.0])) @ exp_so3(np.array([0.0, turn, 0.0])) @ level
        p = np.array([0.1, 0.2, 0.3])
        low = float(least_height(profile, np.array([R[2, 0]]), np.array([R[2, 1]]))[0]) - 0.05 * abs(R[2, 2])
        g, _, _ = Meeting(fx.Plane(), fx.Extruded(profile, 0.1)).nearest(p, R)
        assert g == pytest.approx(p[2] + low, abs=1e-13)


@pytest.mark.parametrize("name", ["arcs 3", "arcs 9", "spline 5", "kink outwards", "land", "round land", "ball"])
def test_the_sum_of_all_depths_has_no_jump(name):
    """As a body tilts at one height over its ends, corners and from flat onto round: else force and stored energy would jump. A degree more changes the depth by no more
    than the size of the body times that."""
    profile = PROFILES[name]
    meeting = Meeting(fx.Plane(), fx.Revolved(profile))
    for begin in (*joints(profile)[:4], 0.5 * np.pi):
        tilt = begin + np.linspace(-1e-5, 1e-5, 41)
        total = []
        for each in tilt:
            R = exp_so3(np.array([0.0, each, 0.0]))
            low = float(least_height(profile, np.array([-abs(R[2, 0])]), np.array([R[2, 2]]))[0])
            p = np.array([0.0, 0.0, -low - 2e-6])
            total.append(sum(max(-meeting(p, R, k)[0], 0.0) for k in range(meeting.pair.places)))
        assert np.abs(np.diff(total)).max() < 3 * 0.03 * (tilt[1] - tilt[0])


@pytest.mark.parametrize("profile", [LAND, ROUND_LAND])
def test_a_roller_with_a_land_lies_on_both_of_its_ends(profile):
    """Where its cylinder becomes round, δ = W/2K, and stays level; turned by 0.1 mrad one end is 1 µm lower than the other, and comes back."""
    weight, K, turn = 10.0, 1e6, 1e-4
    body = fx.RigidBody("b", weight / 9.81, 1e-3, position=(0, 0, RADIUS), orientation={"axis": "y", "angle": turn}, shapes=[fx.Revolved(profile, axis="x")])  # fmt: skip
    contact = fx.Contact("c", fx.ground.surface(fx.Plane()), body, fx.Penalty(K, damping="20 s/m"))
    guide = fx.Planar("g", fx.ground, body, axis="y")
    s = fx.Model("land", [body, guide, contact], gravity=(0, 0, -9.81)).statics()
    assert RADIUS - s["b.position_z"] == pytest.approx(weight / (2 * K), rel=1e-3)
