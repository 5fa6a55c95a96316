"""Reduced bodies that are bent or pulled beyond their linear theory are told of."""

import re
import warnings

import numpy as np
import pytest
from scipy import linalg

import flexor as fx
from flexor.mesh.generate import bar
from flexor.spatial import quaternion_to_matrix

LENGTH, WIDTH, HEIGHT = 1.0, 20e-3, 5e-3
MESH = bar(LENGTH, WIDTH, HEIGHT, (20, 1, 1), element="hex20")
STEEL = fx.Isotropic("210 GPa", 0.3, 7850)
BUCKLING = np.pi**2 * 210e9 * WIDTH * HEIGHT**3 / 12 / LENGTH**2


def strip(formulation: str = "floating", stiffening: bool = False) -> fx.FlexibleBody:
    return fx.FlexibleBody(
        "strip", mesh=MESH, material=STEEL, interfaces={"root": "x_min", "tip": "x_max"}, formulation=formulation,
        stiffening=stiffening, reduction=fx.CraigBampton(modes=6),
    )  # fmt: skip


def pulled(share: float, **how) -> fx.Model:
    """A strip on a hinge, pulled at its end by a share of its buckling load."""
    body = strip(**how)
    pull = fx.PointForce("pull", body["tip"], direction="x", force=share * BUCKLING)
    return fx.Model("strip", [body, fx.Revolute("hinge", fx.ground, body["root"], axis="y"), pull])


def on_a_hinge() -> float:
    """π² max ∫w'² / ∫w''² of a beam that turns about its end, w(0) = 0, without its free rotation, ∫ x w = 0; polynomials."""
    k = np.arange(1, 13)
    slope = np.outer(k, k) / (k[:, None] + k - 1)
    bend = k * (k - 1)
    curved = np.where(np.outer(bend, bend) > 0, np.outer(bend, bend) / np.maximum(k[:, None] + k - 3, 1), 0.0)
    Z = linalg.null_space(1.0 / (k + 2)[None])
    return float(np.pi**2 * linalg.eigh(Z.T @ slope @ Z, Z.T @ curved @ Z, eigvals_only=True)[-1])


def told_share(what: str, ask) -> float:
    """The share of the buckling load that a warning tells."""
    with pytest.warns(
        fx.BeyondLinear, match=f"body 'strip': it stands under {what} .* Give it stiffening=True"
    ) as told:
        ask()
    (found,) = (m[1] for m in (re.search(r"of (\d+) % of its buckling", str(each.message)) for each in told) if m)
    return float(found) / 100


@pytest.mark.parametrize("share", [0.3, 2.0])
def test_tension_that_is_left_out_is_told(share: float) -> None:
    told = told_share("tension", lambda: pulled(share).modes(3))
    assert told == pytest.approx(share * on_a_hinge(), rel=0.03)
    said = f"tension of {round(100 * told)} %"
    with pytest.warns(fx.BeyondLinear, match=f"body 'strip': it stands under {said} .* Give it stiffening=True"):
        pulled(share).modes(3)
    with pytest.warns(fx.BeyondLinear, match=said):
        pulled(share).dynamics(until=1e-3, step=1e-4, start="equilibrium", show=False)
    with pytest.warns(fx.BeyondLinear, match=said):
        pulled(share).statics()


def test_compression_too() -> None:
    body = strip()
    ends = [
        fx.Revolute("hinge", fx.ground, body["root"], axis="y"),
        fx.Cylindrical("guide", fx.ground.at(1, 0, 0), body["tip"], axis="x"),
    ]
    push = fx.PointForce("push", body["tip"], direction="-x", force=0.4 * BUCKLING)
    told = told_share("compression", fx.Model("strip", [body, *ends, push]).statics)
    assert told == pytest.approx(0.4 * np.pi**2 / 4.4934**2, abs=0.01)  # one end turns, the other does not: tan β = β


@pytest.mark.parametrize("turned", [(1, 0, 0, 0), (0.8, 0, 0.6, 0)])
@pytest.mark.parametrize("share", [-0.5, 0.39, 0.5])
def test_a_body_clamped_at_one_end_buckles_at_a_quarter_of_the_load(share: float, turned: tuple[float, ...]) -> None:
    body = strip().replace(position=(0, 0, 0), orientation=turned)
    along = quaternion_to_matrix(np.array(turned))[:, 0]
    push = fx.PointForce("push", body["tip"], direction=tuple(-along), force=share * BUCKLING / 4)
    model = fx.Model("strip", [body, fx.Fixed("clamp", fx.ground, body["root"]), push])
    told = told_share("compression" if share > 0 else "tension", lambda: model.modes(2))
    assert told == pytest.approx(abs(share), abs=0.01)


def test_a_spin_pulls_as_well() -> None:
    body = strip()
    model = fx.Model("strip", [body, fx.Fixed("clamp", fx.ground, body["root"])])
    with pytest.warns(fx.BeyondLinear, match="tension"):
        model.modes(3, angular_velocity=(0, 0, 60))


@pytest.mark.parametrize("case", [{"share": 0.05}, {"share": 2.0, "stiffening": True}, {"share": 0.0}])
def test_what_is_within_is_silent(case: dict) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.BeyondLinear)
        pulled(**case).modes(3)


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_bodies_bent_by_half_their_length_are_told(formulation: str) -> None:
    body = strip(formulation)
    stiffness = 3 * 210e9 * WIDTH * HEIGHT**3 / 12 / LENGTH**3

    def bent(share: float) -> fx.Model:
        load = fx.PointForce("load", body["tip"], direction="-z", force=share * LENGTH * stiffness)
        return fx.Model("strip", [body, fx.Fixed("clamp", fx.ground, body["root"]), load])

    for share in (0.3, 0.5):
        with pytest.warns(fx.BeyondLinear, match="body 'strip': it bends .* Divide it into several"):
            bent(share).statics()
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.BeyondLinear)
        bent(0.1).statics()
