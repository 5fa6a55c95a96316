"""Whipple bicycle: linearised eigenvalues of Meijaard, Papadopoulos, Ruina & Schwab, Proc. R. Soc. A 463 (2007).

Wheels roll without slipping (nonholonomic constraints); the state is straight, upright motion at constant speed.
"""

import numpy as np
import pytest

import flexor as fx
from flexor.solve import modes

W, C, TILT, G = 1.02, 0.08, np.pi / 10, 9.81


def bicycle(parameters, speed):
    """x forward, y to the right, z down in the paper; here y is to the left and z up."""
    R, B, H, F = (parameters[name] for name in "RBHF")
    rear, front = np.array([0, 0, R["r"]]), np.array([W, 0, F["r"]])

    def body(name, data, at, spin=0.0, inertia=None):
        return fx.RigidBody(
            name, data["m"], inertia, position=at, velocity=(speed, 0, 0), angular_velocity=(0, spin, 0)
        )

    def moments(data):
        # a turn by π about x maps (x, y, z) of the paper to (x, −y, −z): Ixz changes its sign
        return (data["Ixx"], data["Iyy"], data["Izz"], 0.0, -data["Ixz"], 0.0)

    def wheel(data):
        return (data["Ixx"], data["Iyy"], data["Ixx"])

    bodies = {
        "rear": body("rear", R, rear, speed / R["r"], wheel(R)),
        "frame": body("frame", B, (B["x"], 0, -B["z"]), 0.0, moments(B)),
        "fork": body("fork", H, (H["x"], 0, -H["z"]), 0.0, moments(H)),
        "front": body("front", F, front, speed / F["r"], wheel(F)),
    }
    # the steering axis leans back by the tilt and meets the ground at w + c
    axis = np.array([-np.sin(TILT), 0, np.cos(TILT)])
    items = [
        *bodies.values(),
        fx.Revolute("rear hub", bodies["frame"], bodies["rear"], at=rear, axis="y"),
        fx.Revolute("steer", bodies["frame"], bodies["fork"], at=(W + C, 0, 0), axis=axis),
        fx.Revolute("front hub", bodies["fork"], bodies["front"], at=front, axis="y"),
        fx.RollingDisc("rear contact", bodies["rear"], radius=R["r"], axis="y"),
        fx.RollingDisc("front contact", bodies["front"], radius=F["r"], axis="y"),
    ]
    return fx.Model("bicycle", gravity=(0, 0, -G), items=items)


def values(text_or_number):
    if isinstance(text_or_number, str):
        real, _, imaginary = text_or_number.replace("j", "").partition(" +- ")
        return [complex(float(real), float(imaginary))]
    return [complex(text_or_number)]


@pytest.mark.parametrize("speed", ["0", "4", "5", "10"])
def test_eigenvalues(reference, speed):
    data = reference.record("bicycle_meijaard_linear")
    found = modes(bicycle(data["parameters"], float(speed)), 40, at="start", complex=True).eigenvalues
    for expected in [v for entry in data["reference"]["eig"][speed] for v in values(entry)]:
        nearest = found[np.argmin(np.abs(found - expected))]
        assert nearest == pytest.approx(expected, rel=1e-6, abs=1e-6)
