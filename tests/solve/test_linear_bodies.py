"""Reduced bodies that are bent or pulled beyond their linear theory are told of."""

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar

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


@pytest.mark.parametrize(("share", "said"), [(0.3, "tension of 30 %"), (2.0, "tension of 200 %")])
def test_tension_that_is_left_out_is_told(share: float, said: str) -> None:
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
    with pytest.warns(fx.BeyondLinear, match="compression of 40 % of its buckling load, which softens it"):
        fx.Model("strip", [body, *ends, push]).statics()


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

    with pytest.warns(fx.BeyondLinear, match="body 'strip': it bends .* Divide it into several"):
        bent(0.5).statics()
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.BeyondLinear)
        bent(0.1).statics()
