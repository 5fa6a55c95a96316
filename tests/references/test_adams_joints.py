"""One body on one joint, released from rest: MSC.ADAMS curves that are distributed with Project Chrono.

Body: 1 kg, moments of inertia (0.04, 0.1, 0.1) kg m² in axes whose initial orientation the curves give as a quaternion
(w, x, y, z); gravity 9.80665 m/s² along −z. The curves hold position and velocity of the centre of mass, orientation,
angular velocity in global axes, and the size of the reaction (or spring) force.

projectchrono/chrono, data/testing/joints and src/tests/unit_tests/physics (BSD-3-Clause). On the hinge, on the ball
and in the Cardan joint the body is the same pendulum. ADAMS' curves of the latter two lag behind that of the hinge,
which is exact to 5e-6, by up to 8e-4 m and 2.6e-3 m/s: their velocity is judged by the curve of the hinge.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import flexor as fx

FLAT = (0.04, 0.1, 0.1)


@dataclass
class Case:
    """The body's centre, the joint or spring whose force is compared, and the tilt of its axes about x [deg]."""

    center: tuple[float, float, float]
    force: str
    tilt: float = 0.0
    inertia: tuple[float, float, float] = FLAT
    step: float = 5e-4  # smaller where the body whips

    @property
    def body(self) -> fx.RigidBody:
        turn = {"axis": "x", "angle": f"{self.tilt} deg"}
        return fx.RigidBody("body", 1.0, self.inertia, position=self.center, orientation=turn)

    @property
    def axis(self) -> np.ndarray:
        """z axis of the body."""
        angle = np.radians(self.tilt)
        return np.array([0.0, -np.sin(angle), np.cos(angle)])


CASES = {
    "revolute_case01": Case((2, 0, 0), "joint", tilt=-90),
    "spherical_case01": Case((2, 0, 0), "joint"),
    "universal_case01": Case((0, 2, 0), "joint", tilt=90, inertia=(0.1, 0.1, 0.04)),
    "revspherical_case01": Case((2, 2, 0), "ball", inertia=(0.1, 0.04, 0.1), step=2.5e-5),
    "distance_case02": Case((-1, 4, 3), "rod", step=1e-4),
    "rotspring_case01": Case((2, 0, 0), "joint", tilt=-90),
    "transpring_case01": Case((0, 0, 0), "spring"),
    "cylindrical_case03": Case((3, 2, 3), "joint", tilt=-45),
    "prismatic_case02": Case((3, 2, 3), "joint", tilt=-45),
}


def items(name: str, case: Case) -> list:
    body = case.body
    joint = {"name": "joint", "a": fx.ground, "b": body}
    match name.split("_")[0]:
        case "revolute":
            return [fx.Revolute(**joint, at=(0, 0, 0), axis=case.axis)]
        case "spherical":
            return [fx.Spherical(**joint, at=(0, 0, 0))]
        case "universal":
            return [fx.Universal(**joint, at=(0, 0, 0), axis="x", cross_axis="z")]
        case "revspherical":
            link = fx.RigidBody("link", 0.0, position=(0, 0, 0))
            return [
                link,
                fx.Revolute("hinge", fx.ground, link, axis="z"),
                fx.Spherical("ball", link, body, at=(2, 0, 0)),
            ]
        case "distance":
            return [fx.Distance("rod", fx.ground.at(1, 2, 3), body.at(2, 0, 0))]
        case "rotspring":
            spring = fx.JointSpring("spring", "joint", stiffness=200, damping=10)
            return [fx.Revolute(**joint, at=(0, 0, 0), axis=case.axis), spring]
        case "transpring":
            return [fx.AxialSpring("spring", fx.ground, body, stiffness=10, damping=0.5, free_length=0)]
        case "cylindrical":
            return [fx.Cylindrical(**joint, at=(1, 2, 3), axis=case.axis)]
        case "prismatic":
            return [fx.Prismatic(**joint, at=(1, 2, 3), axis=case.axis)]
    raise AssertionError(name)


def model(name: str) -> fx.Model:
    case = CASES[name]
    return fx.Model(name, gravity=(0, 0, -9.80665), items=[case.body, *items(name, case)])


@pytest.mark.parametrize("name", CASES)
def test_motion_and_force(reference, name: str) -> None:
    record = reference.record("adams_joint_suite")
    t, *columns = reference.curve(f"adams_{name}")
    columns = np.array(columns).T
    run = model(name).dynamics(until=5, step=CASES[name].step, output=0.1, show=False)
    assert np.allclose(run.time, t)
    tolerance = record["tolerance"]
    assert np.abs(run["body.position"] - columns[:, 0:3]).max() < tolerance["pos"]
    velocity = columns[:, 3:6]
    if name in ("spherical_case01", "universal_case01"):
        velocity = reference.curve("adams_revolute_case01")[4:7].T
        if name == "universal_case01":
            velocity = velocity[:, [1, 0, 2]]  # it swings in the y-z plane
    assert np.abs(run["body.velocity"] - velocity).max() < tolerance["vel"]
    assert quaternion_distance(run["body.orientation"][:], columns[:, 6:10]) < tolerance["quat"]
    assert np.abs(run["body.angular_velocity"] - columns[:, 10:13]).max() < tolerance["avel"]
    signal = run[f"{CASES[name].force}.force"]
    assert np.abs(signal.norm().values - columns[:, 13]).max() < tolerance["force"]
    end = record["reference"]["pos_at_5s"]
    expected = next(value for key, value in end.items() if key.lower() == name)
    assert np.abs(run["body.position"][-1] - expected).max() < tolerance["pos"]


def quaternion_distance(a: np.ndarray, b: np.ndarray) -> float:
    """Largest difference of two rows of quaternions, ±q being the same orientation."""
    return float(np.minimum(np.abs(a - b).max(axis=1), np.abs(a + b).max(axis=1)).max())
