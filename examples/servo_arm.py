"""A servo turns a flexible arm with a payload by 60 degrees: PI + limited D, a motor with a lag and a limited torque.

With the sensor at the drive the controller damps the first bending mode of the arm; with the same gains and the sensor at the tip, where the
angle lags behind by the bending, the loop is unstable. The poles of the closed loop tell so before a run does.
"""

import math
from typing import Literal

import flexor as fx
from flexor.mesh.generate import bar

LENGTH, GOAL, OVER = 1.2, math.radians(60), 1.0  # m, rad, s
ALLOY = fx.Isotropic(young="70 GPa", poisson=0.3, density=2700)
FLAT = fx.Rectangle("6 mm", "40 mm")  # thin in the plane of motion


def servo(sensor: Literal["drive", "tip"] = "drive") -> fx.Model:
    """The arm along x on a hub that turns about z; its reference angle rises smoothly to the goal."""
    mesh = bar(LENGTH, "6 mm", "40 mm", (12, 1, 1), element="beam2", section=FLAT, material=ALLOY)
    hub = fx.RigidBody("hub", mass=1, inertia=0.05)
    arm = fx.FlexibleBody(
        "arm",
        mesh=mesh,
        interfaces={"root": "x_min", "tip": "x_max"},
        reduction=fx.CraigBampton(modes=4),
        damping=fx.Rayleigh(beta=2e-4),
    )
    payload = fx.RigidBody("payload", mass=0.5, inertia=1e-3, position=(LENGTH, 0, 0))
    return fx.Model(
        "servo arm",
        [
            *(hub, arm, payload),
            fx.Revolute("shaft", fx.ground, hub, axis="z"),
            fx.Fixed("clamp", hub, arm["root"]),
            fx.Fixed("grip", arm["tip"], payload),
            fx.Sensor("drive", "shaft.angle"),
            fx.Sensor("tip", "payload.euler_zyx_1"),
            fx.Comparator("error", [f"{GOAL}*(1 - cos(pi*min(t/{OVER}, 1)))/2", sensor]),
            fx.PILimitedD(
                "controller", "error", gain=22, integral_time="2 s", derivative_time="0.3 s", filter_time="5 ms"
            ),
            fx.Limitation("amplifier", "controller", lower=-6, upper=6),
            fx.RealPole("motor", "amplifier", time="2 ms"),
            fx.PointTorque("torque", hub, direction="z", torque="motor"),
        ],
    )


if __name__ == "__main__":
    for sensor in ("drive", "tip"):
        print(f"sensor at the {sensor}: poles of the closed loop")
        print(servo(sensor).modes(5, at="start"))
    run = servo().dynamics(until="4 s", step="2 ms")
    print(f"tip at {math.degrees(run['tip.value'].values[-1]):.3f}°")
