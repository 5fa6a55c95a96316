"""A ratchet: a wheel with twelve teeth and a pawl with a round nose, which a spring presses on it. It turns one way, and holds the other.

Held, the nose lies in the notch between the flank of a tooth and the back of the next one, and touches both. Without friction the torque M on the wheel, the force F on the flank
and B on the back, and the moment S of the spring follow from the equilibrium of wheel and pawl; the pawl is drawn into the notch by the flank as its pivot lies nearer to the wheel's axis than the nose.
"""

import numpy as np

import flexor as fx

TEETH, OUTER, INNER, WIDTH = 12, 40e-3, 33e-3, 10e-3  # radii of the tips and of the roots, width [m]
NOSE, ARM, PIVOT = (
    2e-3,
    30e-3,
    33e-3,
)  # radius of the nose, its distance from the pivot along y, and that of the pivot from the axis along x [m]
SPRING, PRELOAD = 0.05, 1.0  # N m/rad, rad
START = 38e-3  # where the nose begins, above the back of a tooth [m]


def tooth_wheel() -> fx.Extruded:
    """Each tooth falls radially from its tip to the root, and rises from there along its straight back to the next tip."""
    angles = 2 * np.pi * np.arange(TEETH) / TEETH
    rays = np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.stack([OUTER * rays, INNER * rays], axis=1).reshape(-1, 2).tolist()
    return fx.Extruded(fx.Profile(points, kind="lines", closed=True), WIDTH, color="goldenrod")


def ratchet(drive: fx.PointTorque | fx.Motor, friction: float = 0.1) -> fx.Model:
    """Driven by what is given, on the body `wheel` or its joint `axle`."""
    wheel = fx.RigidBody("wheel", mass=0.4, inertia=1e-4, shapes=[tooth_wheel()])
    nose = fx.Cylinder(NOSE, WIDTH, axis="z", color="firebrick")
    pawl = fx.RigidBody("pawl", mass=0.02, inertia=5e-6, shapes=[nose])
    return fx.Model(
        "ratchet",
        [
            wheel, pawl, drive,
            fx.Revolute("axle", fx.ground, wheel, axis="z", start="-0.15 rad"),
            fx.Revolute("pivot", fx.ground.at(PIVOT, -ARM, 0), pawl.at(PIVOT - START, -ARM, 0), axis="z"),
            fx.JointSpring("spring", joint="pivot", stiffness=SPRING, free=PRELOAD),
            fx.Contact("tooth", wheel, pawl, fx.Penalty("5 MN/m", restitution=0.3), friction=friction),
        ],
    )  # fmt: skip


def freely(speed: float = -5.0, teeth: float = 2.5) -> fx.Run:
    """Turned the free way, by a number of teeth: the pawl climbs each back and falls into the notch behind the tip."""
    until = teeth * 2 * np.pi / TEETH / abs(speed)
    return ratchet(fx.Motor("drive", joint="axle", speed=speed)).dynamics(until=until, step="0.2 ms", show=False)


def held(torque: float = 20.0, friction: float = 0.1) -> fx.Run:
    """Pressed the other way: it falls back by a part of a tooth, and is caught."""
    load = fx.PointTorque("load", "wheel", direction="z", torque=torque)
    return ratchet(load, friction).dynamics(until=0.06, step="0.2 ms", show=False)


def nose_at(angle: float) -> np.ndarray:
    """Where the nose is, of an angle of the pawl [m]."""
    x, y = START - PIVOT, ARM
    return np.array([PIVOT + x * np.cos(angle) - y * np.sin(angle), -ARM + x * np.sin(angle) + y * np.cos(angle)])


def forces(wheel: float, pawl: float, torque: float) -> tuple[float, float]:
    """On the flank and on the back, without friction, of the angles of wheel and pawl [N]."""
    turn = np.array([[np.cos(wheel), -np.sin(wheel)], [np.sin(wheel), np.cos(wheel)]])
    pitch = 2 * np.pi / TEETH
    back = OUTER * np.array([np.cos(pitch), np.sin(pitch)]) - (INNER, 0.0)
    normals = turn @ np.array([(0.0, 1.0), np.array([back[1], -back[0]]) / np.linalg.norm(back)]).T
    nose = nose_at(pawl)
    arms = np.stack([nose, nose - (PIVOT, -ARM)])  # about the axle, about the pivot
    levers = arms[:, :1] * normals[1] - arms[:, 1:] * normals[0]
    flank, behind = np.linalg.solve(levers, [torque, -SPRING * (PRELOAD - pawl)])
    return float(flank), float(behind)


if __name__ == "__main__":
    run = freely()
    print(f"turned freely: the pawl swings by {np.degrees(np.ptp(run['pivot.angle'].values)):.1f} deg")
    run = held()
    print(
        f"held against 20 N m at {np.degrees(run['axle.angle'][-1]):.3f} deg by {run['tooth.normal_force'][-1]:.0f} N"
    )
