"""Laminates against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.errors import ModelError
from flexor.materials import Isotropic, Orthotropic
from flexor.materials.laminate import Laminate, Ply, ply_stiffness, strain_rotation
from flexor.mesh.section import ShellSection

FIBRE = Orthotropic(young=(140e9, 10e9, 10e9), poisson=(0.3, 0.4, 0.3), shear=(5e9, 3.5e9, 5e9), density=1600.0)
FOAM = Isotropic(50e6, 0.3, 80.0)
SKIN = Isotropic(70e9, 0.3, 2700.0)


def test_plane_stress_of_a_ply() -> None:
    """Q₁₁ = E₁/(1 − ν₁₂ν₂₁), …; turned by 90° the axes change places."""
    Q, G, thinning = ply_stiffness(FIBRE)
    d = 1 - 0.3**2 * 10 / 140
    assert np.allclose(Q, [[140e9 / d, 3e9 / d, 0], [3e9 / d, 10e9 / d, 0], [0, 0, 5e9]])
    assert np.allclose(G, np.diag([5e9, 3.5e9]))
    across, G_across, _ = ply_stiffness(FIBRE, np.pi / 2)
    assert np.allclose(across, Q[np.ix_([1, 0, 2], [1, 0, 2])], atol=1e-3)
    assert np.allclose(G_across, np.diag([3.5e9, 5e9]), atol=1e-3)
    # εzz = −ν₁₃ σ₁/E₁ when pulled along the fibre
    strain = np.linalg.solve(Q, [1.0, 0, 0])
    assert thinning @ strain == pytest.approx(-0.3 / 140e9)


def test_modulus_off_axis() -> None:
    """1/Ex = c⁴/E₁ + s⁴/E₂ + (1/G − 2ν/E₁) c²s²  (Jones, Mechanics of Composite Materials)."""
    for angle in (0.3, 1.0):
        c, s = np.cos(angle), np.sin(angle)
        compliance = np.linalg.inv(ply_stiffness(FIBRE, angle)[0])
        expected = c**4 / 140e9 + s**4 / 10e9 + (1 / 5e9 - 0.6 / 140e9) * c**2 * s**2
        assert compliance[0, 0] == pytest.approx(expected)
        # pulled along x the ply gets thinner by the stress along and across its fibre: −ν₁₃ σ₁/E₁ − ν₂₃ σ₂/E₂
        thinner = ply_stiffness(FIBRE, angle)[2] @ compliance[:, 0]
        assert thinner == pytest.approx(-0.3 * c**2 / 140e9 - 0.4 * s**2 / 10e9)


def test_single_ply_is_a_plate() -> None:
    t = 0.02
    c = Laminate([Ply(SKIN, t)]).stiffness()
    plain = ShellSection(t).stiffness(SKIN)
    for name in ("A", "B", "D", "S", "thickness"):
        assert np.allclose(getattr(c, name), getattr(plain, name), atol=1e-9)
    assert c.S[0, 0, 0] == pytest.approx(5 / 6 * SKIN.shear * t)
    for one, other in zip(c.layers, plain.layers):
        assert np.allclose(one.flow, other.flow)
        assert np.allclose(one.z, other.z)
    moments = Laminate([Ply(SKIN, t)], area_mass=3.0).area_moments()
    assert np.allclose(moments, [[2700 * t + 3, 0, 2700 * t**3 / 12]])


def test_sandwich() -> None:
    """Thin skins, soft core: D from the skins at a distance, shear from the core: S ≈ G_c d²/c."""
    skin, core = 0.5e-3, 20e-3
    c = Laminate([Ply(SKIN, skin), Ply(FOAM, core), Ply(SKIN, skin)]).stiffness()
    d = core + skin
    E = 70e9 / (1 - 0.3**2)
    own = E * skin**3 / 6 + 50e6 / (1 - 0.3**2) * core**3 / 12
    assert c.D[0, 0, 0] == pytest.approx(E * skin * d**2 / 2 + own)
    assert c.S[0, 0, 0] == pytest.approx(FOAM.shear * d**2 / core, rel=5e-3)
    assert np.allclose(c.B, 0, atol=1e-6)
    stretched = E * skin * d / 2 + 50e6 / (1 - 0.3**2) * core**2 / 8  # τ = V/D ∫ E z dz over the half above
    assert c.layers[1].flow[0, 0, 0] == pytest.approx(stretched / c.D[0, 0, 0])


def test_symmetric_cross_ply_shear_factor() -> None:
    """[0/90/0] of equal plies, E₁/E₂ = 25, G₁₃/E₂ = 0.5, G₂₃/E₂ = 0.2: f(z) is a parabola in each ply; by fine sum."""
    ply = Orthotropic(young=(25.0, 1.0, 1.0), poisson=(0.25, 0.25, 0.25), shear=(0.5, 0.2, 0.5))
    c = Laminate([Ply(ply, 1 / 3), Ply(ply, 1 / 3, "90 deg"), Ply(ply, 1 / 3)]).stiffness()
    z = (np.arange(30000) + 0.5) / 30000 - 0.5
    middle = np.abs(z) < 1 / 6
    d = 1 - 0.25**2 / 25
    for axis, (E_outer, E_middle, G_outer, G_middle) in enumerate(((25, 1, 0.5, 0.2), (1, 25, 0.2, 0.5))):
        E, G = np.where(middle, E_middle, E_outer) / d, np.where(middle, G_middle, G_outer)
        bending = (E * z**2).mean()
        f = -np.cumsum(E * z) / 30000 / bending
        assert c.S[0, axis, axis] == pytest.approx(1 / (f**2 / G).mean(), rel=1e-3)


def test_unsymmetric_pair_couples() -> None:
    """[0/90]: B₁₁ = −B₂₂ = −(Q₁₁ − Q₂₂) h²/8 with the 0° ply below."""
    h = 0.01
    c = Laminate([Ply(FIBRE, h / 2), Ply(FIBRE, h / 2, "90 deg")]).stiffness()
    Q = ply_stiffness(FIBRE)[0]
    assert c.B[0, 0, 0] == pytest.approx(-(Q[0, 0] - Q[1, 1]) * h**2 / 8)
    assert c.B[0, 1, 1] == pytest.approx((Q[0, 0] - Q[1, 1]) * h**2 / 8)
    energy = np.block([[c.A[0], c.B[0]], [c.B[0], c.D[0]]])
    assert np.linalg.eigvalsh(energy)[0] > 0


def test_turned_stiffness_is_that_of_turned_plies() -> None:
    angles = np.array([0.4])
    plain = [Ply(FIBRE, 0.002, 0.2), Ply(FIBRE, 0.001, 1.1), Ply(SKIN, 0.003)]
    turned = [ply.replace(angle=ply.angle + 0.4) for ply in plain]
    a, b = Laminate(plain).stiffness().turned(angles), Laminate(turned).stiffness()
    for name in ("A", "B", "D"):
        assert np.allclose(getattr(a, name), getattr(b, name), rtol=1e-9, atol=1e-6)
    T = strain_rotation(0.4)
    assert np.allclose(T @ strain_rotation(-0.4), np.eye(3), atol=1e-15)


def test_declaration() -> None:
    laminate = Laminate([Ply(FIBRE, "0.125 mm", "45 deg"), Ply(SKIN, "1 mm")], offset="2 mm")
    assert laminate.plies[0].angle == pytest.approx(np.pi / 4)
    assert Laminate(**laminate.model_dump()) == laminate
    with pytest.raises(ModelError, match="plies"):
        Laminate([])
