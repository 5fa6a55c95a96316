"""Along which axes a joint's reactions are: those of the joint frame on A, as the manual has them."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.spatial import exp_so3

AXES = {"x": ("y", "z", "x"), "y": ("x", "-z", "y"), "z": ("x", "y", "z")}


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("turned", [False, True])
def test_reactions_are_along_the_axes_of_the_manual(axis, turned):
    """The load on a hinge turned by its variable; it is seen from A, on a base that is turned, too."""
    R = exp_so3(np.array([0.4, -0.3, 0.8])) if turned else np.eye(3)
    load = np.array([3.0, 5.0, 7.0])
    base = fx.RigidBody("base", mass=1, inertia=1, orientation=R, position=(0, 0, 0))
    body = fx.RigidBody("body", mass=1, inertia=1)
    items = [
        base,
        body,
        fx.Fixed("held", fx.ground, base, at=(0, 0, 0)),
        fx.Revolute("hinge", base, body, axis=axis, start=0.7, locked=()),
        fx.Motor("motor", "hinge", position=0.7),
        *(fx.PointForce(f"f{i}", body, direction=i, force=float(f)) for i, f in zip("xyz", load, strict=True)),
    ]
    rest = fx.Model("m", items).statics()
    on_b = dict(zip("xyz", -R.T @ load, strict=True))
    for i, along in zip("xyz", AXES[axis], strict=True):
        expected = on_b[along[-1]] * (-1 if along[0] == "-" else 1)
        assert rest[f"hinge.force_{i}"] == pytest.approx(expected, abs=1e-9)
