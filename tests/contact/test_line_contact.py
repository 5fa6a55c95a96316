"""Line contact slice by slice: Palmgren's force, crowned and misaligned rollers, Lundberg's logarithmic profile."""

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.contact.laws.normal import lundberg_drop
from flexor.contact.laws.strip import strip_loads

R, L = 0.01, 0.016
STEEL = fx.Steel()
E = STEEL.young / (2 * (1 - STEEL.poisson**2))


def palmgren(depth, length=L):
    """δ = 1.36 (N/E*)^0.9/ℓ^0.8"""
    return E * (depth * length**0.8 / 1.36) ** (10 / 9)


def pressed(shape, depth, slices=40, tilt=0.0):
    """A roller along x held so that its middle is pressed into a plane, which is tilted about y."""
    roller = fx.RigidBody("roller", 1.0, 1e-3, position=(0, 0, R - depth), shapes=[shape])
    held = fx.Fixed("held", fx.ground.at(0, 0, R - depth), roller)
    plane = fx.ground.surface(fx.Plane((-np.sin(tilt), 0, np.cos(tilt))))
    contact = fx.Contact("touch", plane, roller, fx.HertzLine(STEEL, L, slices=slices))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fx.DoubtfulModel)  # they overlap at the start
        return fx.Model("roller", [roller, held, contact]).statics()


def peak(force_per_length, radius=R):
    """p₀ = √(q E*/(π R)) of a strip."""
    return np.sqrt(force_per_length * E / (np.pi * radius))


@pytest.mark.parametrize("slices", [1, 10])
def test_a_straight_roller_carries_evenly(slices):
    """N by Palmgren, b = √(4NR/(πℓE*)) and p₀ = 2N/(πbℓ) by Hertz, whatever the number of slices."""
    depth = 3e-6
    found = pressed(fx.Cylinder(R, L, axis="x"), depth, slices)
    N = found["touch.normal_force"]
    assert pytest.approx(palmgren(depth), rel=1e-9) == N
    b = np.sqrt(4 * N * R / (np.pi * L * E))
    assert found["touch.semi_minor"] == pytest.approx(b, rel=1e-9)
    assert found["touch.semi_major"] == pytest.approx(L / 2, rel=1e-9)
    assert found["touch.pressure"] == pytest.approx(2 * N / (np.pi * b * L), rel=1e-9)


def test_a_crowned_roller_converges_with_its_slices():
    """Depth δ − z²/2r at the height z: N = K/ℓ ∫ (δ − z²/2r)^(10/9) dz over the part that touches."""
    crown, depth = 2.0, 8e-6
    edge = crown - np.sqrt(crown**2 - (L / 2) ** 2)
    shape = fx.Revolved(fx.Profile([(R - edge, -L / 2), (R, 0), (R - edge, L / 2)], kind="arcs"), axis="x")
    z = np.linspace(0, L / 2, 200001)
    local = np.maximum(depth - (crown - np.sqrt(crown**2 - z**2)), 0)
    exact = 2 * np.trapezoid(palmgren(local) / L, z)
    found = {n: pressed(shape, depth, n) for n in (8, 16, 64)}
    errors = [abs(found[n]["touch.normal_force"] / exact - 1) for n in found]
    assert errors[2] < errors[0] / 8
    assert errors[2] < 3e-4
    reaches = np.sqrt(2 * crown * depth)
    assert found[64]["touch.semi_major"] == pytest.approx(min(reaches, L / 2), abs=L / 64)
    assert found[64]["touch.pressure"] == pytest.approx(peak(palmgren(depth) / L), rel=2e-3)


def test_a_misaligned_roller_is_pressed_at_its_edge():
    """Depth δ + θ z: N = K/(ℓ θ) · 9/19 [(δ + θℓ/2)^(19/9) − (…)^(19/9)]; the edge carries most, less so with a crown."""
    depth, tilt, n = 3e-6, 2e-4, 64
    found = pressed(fx.Cylinder(R, L, axis="x"), depth, n, tilt)
    ends = np.maximum(depth + tilt * L / 2 * np.array([-1, 1]), 0.0)
    K = palmgren(1.0)
    exact = K / (L * tilt) * 9 / 19 * (ends[1] ** (19 / 9) - ends[0] ** (19 / 9))
    assert found["touch.normal_force"] == pytest.approx(exact, rel=1e-3)
    last = depth + tilt * L / 2 * (1 - 1 / n)
    assert found["touch.pressure"] == pytest.approx(peak(palmgren(last) / L), rel=1e-4)
    assert abs(found["touch.point"][0]) > 0.09 * L
    crowned = fx.Revolved(fx.HertzLine(STEEL, L).logarithmic_profile(R, "3 kN"), axis="x")
    assert pressed(crowned, depth, n, tilt)["touch.pressure"] < 0.9 * found["touch.pressure"]


def test_lundbergs_profile():
    """d = Q/(πℓE*) ln 1/(1 − (2z/ℓ)²), bounded at the ends; under its load slices are pressed nearly alike."""
    law, Q = fx.HertzLine(STEEL, L), 5e3
    profile = law.logarithmic_profile("10 mm", "5 kN")
    rho, z = np.array(profile.points).T
    inner = np.abs(z) < 0.45 * L
    expected = Q / (np.pi * L * E) * np.log(1 / (1 - (2 * z[inner] / L) ** 2))
    np.testing.assert_allclose(R - rho[inner], expected, rtol=0.03, atol=1e-12)
    assert 3e-6 < R - rho[0] < 10e-6
    depth = 1.36 * (Q / E) ** 0.9 / L**0.8
    found = pressed(fx.Revolved(profile, axis="x"), depth, 20)
    assert found["touch.pressure"] == pytest.approx(peak(Q / L), rel=0.01)
    assert found["touch.normal_force"] == pytest.approx(Q, rel=0.1)
    assert found["touch.semi_major"] == pytest.approx(L / 2, rel=1e-9)
    with pytest.raises(fx.ModelError, match="both must be positive"):
        law.logarithmic_profile("10 mm", 0)


@pytest.mark.parametrize("n", [10, 20, 40])
def test_coupled_slices_are_pressed_evenly_by_lundbergs_profile(n):
    """As the profile was made for; without it, ends carry more. Sum and moment stay."""
    Q, w = 5e3, L / n
    z = w * (np.arange(n) + 0.5) - L / 2
    wide = np.full(n, np.sqrt(4 * R / (np.pi * E * w)))
    at, drop = lundberg_drop(E, L, 1 / R, Q)
    profile = -np.interp(z, at, drop)
    even = strip_loads(E, w, z, profile, wide, np.full(n, Q / n))
    np.testing.assert_allclose(even, Q / n, rtol=0.05)
    np.testing.assert_allclose(even[1:-1], Q / n, rtol=0.01)
    straight = strip_loads(E, w, z, 0 * z, wide, np.full(n, Q / n))
    assert straight[0] == pytest.approx(straight[-1], rel=1e-6)
    assert straight[0] > 1.2 * Q / n > Q / n > straight[n // 2]
    tilted = Q / n * np.maximum(0, 1 + 1.3 * z / (L / 2))
    found = strip_loads(E, w, z, profile, wide, tilted)
    assert found.sum() == pytest.approx(tilted.sum(), rel=1e-6)
    assert found @ z == pytest.approx(tilted @ z, rel=1e-6)
    assert found.min() >= 0
    assert found[-1] > tilted[-1]


def test_coupled_slices_sink_as_a_strip_on_a_half_space():
    """In the middle of a long even strip: u = Q/(πℓE*) (2 ln(2ℓ/b) + 1), Johnson (1985) 5.1 and (4.45)."""
    n, Q = 40, 5e3
    w = L / n
    z = w * (np.arange(n) + 0.5) - L / 2
    b = np.sqrt(4 * Q * R / (np.pi * L * E))
    rho = 0.5 * np.exp(-0.5) * b
    sum_of = np.sum(np.arcsinh((z + w / 2) / rho) - np.arcsinh((z - w / 2) / rho)) / (np.pi * E * w) * Q / n
    assert sum_of == pytest.approx(Q / (np.pi * L * E) * (2 * np.log(2 * L / b) + 1), rel=1e-3)


def rest_on(below, above, height, law):
    """How deep a body sinks under 1 kN."""
    body = fx.RigidBody("body", 1.0, 1e-3, position=(0, 0, height - 1e-6), shapes=[above])
    items = [
        body,
        fx.Prismatic("up", fx.ground, body, axis="z"),
        fx.PointForce("push", body, direction="-z", force=1000),
        fx.Contact("touch", fx.ground.surface(below), body, law),
    ]
    return -fx.Model("roller", items).statics()["touch.gap"]


def test_a_roller_lies_on_a_box_and_on_triangles_as_on_a_plane():
    """Corners of the other surface take no part of the stiffness."""
    law, roller = fx.HertzLine(STEEL, L), fx.Cylinder(R, L, axis="y")
    points = [(x, y, z) for z in (-0.05, 0.0) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]
    sides = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    slab = fx.Triangles(points, [corners for a, b, c, d in sides for corners in ((a, c, b), (a, d, c))])
    plane, box = rest_on(fx.Plane(), roller, R, law), rest_on(fx.Box(0.2, 0.2, 0.05, at=(0, 0, -0.025)), roller, R, law)
    assert palmgren(plane) == pytest.approx(1000, rel=1e-6)
    assert box == pytest.approx(plane, rel=1e-9)
    assert abs(rest_on(slab, roller, R, law)) == pytest.approx(plane, rel=1e-6)


@pytest.mark.parametrize("shaft_first", [True, False])
def test_the_shorter_of_two_cylinders_is_cut(shaft_first):
    roller, shaft = fx.Cylinder(R, L, axis="y"), fx.Cylinder(R, 0.5, axis="y")
    below, above = (shaft, roller) if shaft_first else (roller, shaft)
    assert palmgren(rest_on(below, above, 2 * R, fx.HertzLine(STEEL, L))) == pytest.approx(1000, rel=1e-6)


@pytest.mark.parametrize(
    ("shape", "length", "words"),
    [(fx.Sphere(R), L, "do not touch along a line"), (fx.Cylinder(R, L), 5 * L, "longer than")],
)
def test_lines_that_are_none_are_refused(shape, length, words):
    with pytest.raises(fx.ModelError, match=words):
        fx.Contact(
            "touch", fx.ground.surface(fx.Plane()), fx.RigidBody("b", 1, 1).surface(shape), fx.HertzLine(STEEL, length)
        )


def test_a_roller_along_another_one_is_told():
    """With Hertz's law one place stands for a line, unless slices do or joints keep the axes parallel; coins on each other share a face, a stiffness that is given both ends."""
    roller = fx.RigidBody("b", 2, 1e-3, position=(0, 0, 0.1), shapes=[fx.Cylinder(0.05, 0.1, axis="y")])
    coin = fx.RigidBody("b", 2, 1e-3, position=(0.01, 0.1, 0), shapes=[fx.Cylinder(0.05, 0.1, axis="y")])
    support, flat = (
        fx.ground.surface(fx.Cylinder(0.05, 0.1, axis="y")),
        fx.ground.surface(fx.Plane((0, 0, 1), at=(0, 0, 0.05))),
    )
    hertz, lines = fx.Hertz("steel", radius=0.05), fx.HertzLine("steel", 0.1, slices=4)
    pin = fx.Revolute("pin", fx.ground.at(0, 0, 0.1), roller, axis="y")
    for items, told in (
        ([roller, fx.Contact("c", support, roller, hertz)], True),
        ([roller, fx.Contact("c", roller, support, hertz)], True),
        ([roller, fx.Contact("c", support, roller, fx.Penalty(1e6))], False),
        ([roller, pin, fx.Contact("c", support, roller, hertz)], False),
        ([roller, fx.Contact("c", support, roller, lines)], False),
        ([roller, fx.Contact("c", flat, roller, hertz)], False),
        ([coin, fx.Contact("c", support, coin, hertz)], False),
    ):
        assert ("contact 'c': its cylinder lies along" in str(fx.Model("rollers", items).check())) == told


def test_a_crowned_roller_on_a_cam():
    """A round cam, a spline through 48 points of a circle and a cylinder press a crowned roller alike: force, approach, pressure and ellipse."""
    small, large, crown, half = 0.012, 0.03, 0.5, 5e-3
    fall = crown - np.sqrt(crown**2 - half**2)
    profile = fx.Profile([(small - fall, -half), (small, 0), (small - fall, half)], kind="arcs")
    roller = fx.RigidBody("roller", 0.1, 1e-5, shapes=[fx.Revolved(profile)])
    angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    spline = fx.Profile(large * np.column_stack([np.cos(angle), np.sin(angle)]), closed=True)
    found = []
    for cam in (fx.Cylinder(large, 0.02), fx.Extruded(fx.Profile.circle(large), 0.02), fx.Extruded(spline, 0.02)):
        items = [
            roller, fx.Prismatic("guide", fx.ground, roller, axis="y", start=small + large + 1e-6), fx.PointForce("push", roller, direction="-y", force=500),
            fx.Contact("cam", fx.ground.surface(cam), roller, fx.Hertz("steel")),
        ]  # fmt: skip
        rest = fx.Model("pressed", items).statics()
        assert rest["cam.normal_force"] == pytest.approx(500, rel=1e-9)
        found.append([rest[f"cam.{each}"] for each in ("gap", "pressure", "semi_major", "semi_minor")])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9)
    np.testing.assert_allclose(found[2], found[0], rtol=5e-4)
