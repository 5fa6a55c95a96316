"""Axial joint: the distance along a line is the only motion."""

from __future__ import annotations

import pytest

import flexor as fx


def test_a_mass_on_a_strut_swings_along_it():
    body = fx.RigidBody("body", mass=2, inertia=(0.01, 0.02, 0.03))
    model = fx.Model(
        "strut",
        gravity=(0, 0, -9.81),
        items=[
            body,
            fx.Axial("strut", fx.ground, body, axis="z", start="0.5 m"),
            fx.JointSpring("s", joint="strut", stiffness=2000, free=0.5),
        ],
    )
    assert model.statics()["strut.length"] == pytest.approx(0.5 - 2 * 9.81 / 2000)
