"""The two enforcements of a joint, multipliers and elimination, describe the same motion.

Their discretisations differ by O(h²); the runs are extrapolated from three steps to h → 0.
"""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx

ASYMMETRIC = (0.03, 0.05, 0.04, 0.004, -0.002, 0.003)
SKEW = (0.2, 1, 0.3)
JOINTS = {
    "fixed": (fx.Fixed, {}),
    "revolute": (fx.Revolute, {"axis": SKEW, "start": 0.4, "start_rate": 3}),
    "prismatic": (fx.Prismatic, {"axis": SKEW, "start": 0.1, "start_rate": 0.5}),
    "cylindrical": (fx.Cylindrical, {"axis": SKEW, "start": (0.1, 0.3), "start_rate": (0.5, 2)}),
    "spherical": (fx.Spherical, {"start": (0.2, -0.3, 0.4), "start_rate": (1, 2, -1)}),
    "universal": (fx.Universal, {"axis": SKEW, "cross_axis": (1, -0.2, 0), "start": (0.2, 0.3), "start_rate": (2, 1)}),
    "planar": (fx.Planar, {"axis": SKEW, "start": (0.1, 0.05, 0.3), "start_rate": (0.5, -0.3, 2)}),
    "point on line": (fx.PointOnLine, {"axis": SKEW, "start": (0.1, 0.2, -0.3, 0.4), "start_rate": (0.5, 1, 1, -1)}),
}


def model(kind: str, enforcement: str) -> fx.Model:
    """A carrier that swings on a hinge, and a body on the joint in question."""
    joint, options = JOINTS[kind]
    carrier = fx.RigidBody("carrier", 1.7, ASYMMETRIC, center_of_mass=(0.25, 0.02, -0.04))
    body = fx.RigidBody("body", 0.9, ASYMMETRIC, center_of_mass=(0.2, -0.03, 0.05))
    base = fx.Revolute("base", fx.ground, carrier, axis=(0.1, 1, 0.2), start_rate=2, enforcement="multipliers")
    tested = joint("joint", carrier.at(0.5, 0, 0), body, enforcement=enforcement, **options)
    return fx.Model("carrier and body", [carrier, body, base, tested], gravity=(0, 0, -9.81))


def extrapolated(kind: str, enforcement: str) -> dict[str, np.ndarray]:
    """Signals with the errors h² and h³ removed."""
    tight = {"displacement": 1e-14, "acceleration": 1e-11}
    settings = {"until": 0.2, "output": 0.04, "tolerances": tight, "show": False}
    runs = [model(kind, enforcement).dynamics(step=step, **settings) for step in (8e-4, 4e-4, 2e-4)]
    found = {}
    for name in ("body.position", "body.angular_velocity", "joint.force", "joint.torque"):
        a, b, c = (run[name].values for run in runs)
        found[name] = (8 * (4 * c - b) / 3 - (4 * b - a) / 3) / 7
    return found


@pytest.mark.parametrize("kind", JOINTS)
def test_same_motion_and_same_reactions(kind: str) -> None:
    a, b = extrapolated(kind, "multipliers"), extrapolated(kind, "elimination")
    assert np.abs(a["body.position"] - b["body.position"]).max() < 1e-8
    assert np.abs(a["body.angular_velocity"] - b["body.angular_velocity"]).max() < 1e-7
    for name in ("joint.force", "joint.torque"):
        assert np.abs(a[name] - b[name]).max() < 2e-5
