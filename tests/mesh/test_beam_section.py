"""Cross-sections against handbooks and against sums over small areas."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from scipy.integrate import quad

from flexor.errors import ModelError
from flexor.mesh.section import (
    BEAM_SECTIONS,
    SECTIONS,
    BoxProfile,
    Circle,
    GeneralSection,
    IProfile,
    Rectangle,
    Tube,
)


def by_sum(inside, size: float) -> tuple[float, float, float]:
    """Area, Iy and Iz by summing small squares."""
    y, z = np.meshgrid(*[(np.arange(2000) + 0.5) / 2000 * size - size / 2] * 2)
    dA = (size / 2000) ** 2
    there = inside(y, z)
    return there.sum() * dA, (z[there] ** 2).sum() * dA, (y[there] ** 2).sum() * dA


SHAPES = {
    "rectangle": (Rectangle(0.02, 0.05), lambda y, z: (abs(y) < 0.01) & (abs(z) < 0.025)),
    "circle": (Circle(0.03), lambda y, z: np.hypot(y, z) < 0.03),
    "tube": (Tube(0.03, 0.01), lambda y, z: (np.hypot(y, z) < 0.03) & (np.hypot(y, z) > 0.02)),
    "i": (
        IProfile(0.04, 0.06, 0.01, 0.008),
        lambda y, z: (abs(y) < 0.02) & (abs(z) < 0.03) & ((abs(z) > 0.022) | (abs(y) < 0.005)),
    ),
    "box": (
        BoxProfile(0.04, 0.06, 0.01),
        lambda y, z: (abs(y) < 0.02) & (abs(z) < 0.03) & ((abs(z) > 0.02) | (abs(y) > 0.01)),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_area_and_moments(name: str) -> None:
    section, inside = SHAPES[name]
    assert np.allclose((section.area, section.Iy, section.Iz), by_sum(inside, 0.07), rtol=2e-3)
    assert section.Iyz == 0


def test_torsion_of_rectangles() -> None:
    """J = α a b³, τ = T/(β a b²) with α, β of Timoshenko & Goodier, § 109; the same on all sides of a square."""
    for ratio, alpha, beta in ((1, 0.1406, 0.208), (2, 0.229, 0.246), (5, 0.291, 0.291), (10, 0.312, 0.312)):
        flat, high = Rectangle(0.01 * ratio, 0.01), Rectangle(0.01, 0.01 * ratio)
        found, turned = flat.J, high.J
        assert found == pytest.approx(alpha * ratio * 0.01**4, rel=3e-3)
        assert turned == found
        worst = 1 / (beta * ratio * 0.01**3)
        assert np.abs(flat.stress_points()[:, 2]).max() == pytest.approx(worst, rel=3e-3)
        assert np.abs(high.stress_points()[:, 3]).max() == pytest.approx(worst, rel=3e-3)
    square = Rectangle(0.01, 0.01).stress_points()
    assert square[4, 3] == pytest.approx(-square[5, 2], rel=1e-3)
    # middle of the short side of 2:1, 0.796 of the largest stress (Roark, table 10.7)
    points = Rectangle(0.02, 0.01).stress_points()
    assert points[4, 3] / -points[5, 2] == pytest.approx(0.795, abs=2e-3)


def test_torsion_of_round_and_thin_profiles() -> None:
    expected = {
        Circle(0.02): pi / 2 * 0.02**4,
        Tube(0.02, 0.02): pi / 2 * 0.02**4,
        Tube(0.02, 0.001): 2 * pi * 0.0195**3 * 0.001 * (1 + (0.001 / 0.039) ** 2),
        BoxProfile(0.05, 0.05, 0.001): 0.049**3 * 0.001,
        IProfile(0.1, 0.2, 0.006, 0.01): (2 * 0.1 * 0.01**3 + 0.19 * 0.006**3) / 3,
    }
    for section, torsion in expected.items():
        found = section.J
        assert found == pytest.approx(torsion)
    # stress points turn with the torque: y τz − z τy > 0
    for section in (Rectangle(0.02, 0.05), Circle(0.02), Tube(0.02, 0.003), SHAPES["i"][0], SHAPES["box"][0]):
        y, z, ty, tz = section.stress_points().T
        assert np.all(y * tz - z * ty >= 0)
        assert np.any(y * tz - z * ty > 0)


def test_shear_factors() -> None:
    """5/6, 6/7, 1/2 of rectangle, circle, thin tube; thin profiles by integrating τ² over their walls."""
    assert Rectangle(0.01, 0.04).shear_factors == (5 / 6, 5 / 6)
    assert Circle(0.01).shear_factors == pytest.approx((6 / 7, 6 / 7))
    assert Tube(0.1, 0.0001).shear_factors == pytest.approx((0.5, 0.5), rel=1e-3)
    b, h, s, t = 0.1, 0.19, 0.006, 0.01  # midlines
    profile = IProfile(b, h + t, s, t)
    inertia = s * h**3 / 12 + b * t * h**2 / 2
    web = 2 * quad(lambda z: (b * t * h / 2 + s / 2 * (h**2 / 4 - z**2)) ** 2 / s, 0, h / 2)[0]
    flanges = 4 * quad(lambda x: (t * h / 2 * x) ** 2 / t, 0, b / 2)[0]
    assert profile.shear_factors[1] == pytest.approx(inertia**2 / (web + flanges) / profile.area)
    assert profile.shear_factors[1] == pytest.approx(h * s / profile.area, rel=0.1)  # about the web alone
    square = BoxProfile(0.1, 0.1, 0.001)
    assert square.shear_factors == pytest.approx((5 / 12, 5 / 12), rel=0.02)  # thin square box (Cowper, ν = 0: 0.4167)
    assert BoxProfile(0.1, 0.2, 0.01).shear_factors[0] == BoxProfile(0.2, 0.1, 0.01).shear_factors[1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Tube(0.01, 0.02), "wall is thicker"),
        (lambda: BoxProfile(0.01, 0.05, 0.005), "walls do not fit"),
        (lambda: IProfile(0.05, 0.02, 0.003, 0.01), "walls do not fit"),
        (lambda: GeneralSection(1e-4, Iy=1e-9, Iz=1e-9, Iyz=2e-9), "Iyz is impossible"),
        (lambda: Rectangle(-0.01, 0.02), "width"),
        (lambda: Circle("5 kg"), "radius"),
    ],
)
def test_impossible_sections_are_refused(make, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        make()


def test_units_and_round_trip() -> None:
    assert Rectangle("12 mm", "5 mm").area == pytest.approx(60e-6)
    samples = [
        *[section for section, _ in SHAPES.values()],
        GeneralSection("3 cm^2", "8300 mm^4", "400 mm^4", "1 cm^4", points=(("1 mm", 0.002),), line_mass="2 kg/m"),
    ]
    for section in samples:
        assert type(section)(**section.model_dump()) == section
    assert {type(section) for section in samples} == set(BEAM_SECTIONS)
    assert len({kind.model_fields["type"].default for kind in SECTIONS}) == len(SECTIONS)
