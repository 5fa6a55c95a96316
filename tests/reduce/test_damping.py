"""Damping of flexible bodies in a mechanism: what a declared ratio gives in modes of free and of held bodies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh

import flexor as fx
from flexor.mesh.generate import bar

MESH = bar(0.5, 0.02, 0.01, divisions=(12, 1, 1), element="hex20", material=fx.Steel())
ENDS = {"root": "x_min", "tip": "x_max"}
FORMULATIONS = ("superelement", "floating")


def beam(formulation, damping):
    about = {"reduction": fx.CraigBampton(modes=12), "position": (0, 0, 0)}
    return fx.FlexibleBody("beam", MESH, interfaces=ENDS, formulation=formulation, damping=damping, **about)


def ratios(body, held, count):
    """ω of undamped modes and ζ of damped ones that vibrate, from the lowest on."""
    clamp = [fx.Fixed("clamp", fx.ground, body["root"])] if held else []
    model = fx.Model("beam", [body, *clamp])
    omega = 2 * np.pi * model.modes(count + 6, at="start").frequencies
    found = model.modes(count + 12, at="start", complex=True)
    vibrates = found.frequencies > 1.0
    return omega[omega > 2 * np.pi][:count], found.damping[vibrates][:count]


def deforming(reduced, held):
    """ω, and for every mode the masses of free elastic modes in it: φᵀM(free mode), all squares together its elastic share."""
    first = 6 if held else 0
    squares, shapes = eigh(reduced.K[first:, first:], reduced.M[first:, first:])
    z = np.vstack([np.zeros((first, len(squares))), shapes])[:, 6 - first :]
    free, modes = eigh(reduced.K, reduced.M)
    return np.sqrt(free[6:]), (modes[:, 6:].T @ reduced.M @ z)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("held", [False, True])
def test_rayleigh_alpha_counts_the_share_of_deformation(formulation, held):
    """ζ = α/2ω · s, s the part of the mode's kinetic energy that is deformation: 1 of a free body, 0.01 of a clamped one."""
    body = beam(formulation, fx.Rayleigh(alpha=4.0))
    omega, zeta = ratios(body, held, 3)
    share = np.sum(deforming(body.reduced, held)[1][:, :3] ** 2, axis=0)
    assert share == pytest.approx([1, 1, 1] if not held else [0.0101, 0.00998, 0.629], rel=0.01)
    assert zeta == pytest.approx(4.0 / (2 * omega) * share, rel=2e-3)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("held", [False, True])
def test_rayleigh_beta_is_exact_however_the_body_is_held(formulation, held):
    omega, zeta = ratios(beam(formulation, fx.Rayleigh(beta=1e-5)), held, 4)
    assert zeta == pytest.approx(0.5e-5 * omega, rel=1e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("held", [False, True])
def test_modal_damping_is_of_free_modes(formulation, held):
    """A held mode gets Σ ζ (ωᵢ/ω) cᵢ², cᵢ its part in the free mode i: 0.15 % of 2 % in a clamped beam."""
    body = beam(formulation, fx.ModalDamping(0.02))
    omega, zeta = ratios(body, held, 3)
    free, parts = deforming(body.reduced, held)
    expected = 0.02 * (free @ parts[:, :3] ** 2) / omega
    assert zeta == pytest.approx(expected, rel=5e-3)
    assert zeta[0] == pytest.approx(0.00150 if held else 0.02, rel=0.01)
