"""A valve on a cam of three arcs, closed by a spring: it follows up to the speed at which it jumps.

Over the nose the roller's centre runs on a circle about that of the nose, and is thrown off with d ω² (1 + d/(r + ρ)). As long as the spring
is stronger, the valve follows; beyond, it flies, misses the closing flank and lands on it.
"""

import numpy as np

import flexor as fx

BASE, NOSE, FLANK, OFFSET = (
    15e-3,
    6e-3,
    60e-3,
    17e-3,
)  # radii of the three arcs; from the shaft to the centre of the nose [m]
ROLLER, MASS, SPRING, PRELOAD = 8e-3, 0.15, 30e3, 10e-3  # m, kg, N/m, m of compression when the valve is closed
LIFT = OFFSET + NOSE - BASE
JUMP = np.sqrt(SPRING * (LIFT + PRELOAD) / (MASS * OFFSET * (1 + OFFSET / (NOSE + ROLLER))))  # rad/s


def profile() -> fx.Profile:
    """Base circle, two flanks that touch base circle and nose, nose along +y."""
    y = (OFFSET**2 - (FLANK - NOSE) ** 2 + (FLANK - BASE) ** 2) / (2 * OFFSET)
    centre = np.array([-np.sqrt((FLANK - BASE) ** 2 - y**2), y])  # of the flank on the right
    nose = np.array([0, OFFSET])
    begin = -BASE * centre / np.linalg.norm(centre)
    end = nose + NOSE * (nose - centre) / np.linalg.norm(nose - centre)
    middle = begin + end - 2 * centre
    middle = centre + FLANK * middle / np.linalg.norm(middle)
    mirror = np.array([-1, 1])
    points = [begin, middle, end, (0, OFFSET + NOSE), end * mirror, middle * mirror, begin * mirror, (0, -BASE)]
    return fx.Profile(points, kind="arcs", closed=True)


def valve_train(speed: float) -> fx.Model:
    """The shaft turns at a given speed [rad/s] and begins with its nose down."""
    shaft = fx.RigidBody("shaft", mass=1.0, inertia=1e-4)
    valve = fx.RigidBody("valve", mass=MASS, inertia=1e-5)
    seat = BASE + ROLLER
    return fx.Model(
        "valve train",
        [
            shaft,
            valve,
            fx.Revolute("bearing", fx.ground, shaft, axis="z", start="180 deg"),
            fx.Prismatic("guide", fx.ground, valve, axis="y", start=seat),
            fx.Motor("drive", joint="bearing", speed=speed),
            fx.Cam("cam", shaft, valve, profile(), radius=ROLLER, stiffness="20 MN/m", damping="2 kN s/m"),
            fx.JointSpring("spring", joint="guide", stiffness=SPRING, free=seat - PRELOAD),
        ],
    )


def follow(speed: float) -> fx.Run:
    """Two turns."""
    return valve_train(speed).dynamics(until=4 * np.pi / speed, step=2e-5, show=False)


if __name__ == "__main__":
    print(f"the valve jumps beyond {JUMP * 30 / np.pi:.0f} rpm")
    for speed in (0.8 * JUMP, 1.2 * JUMP):
        run = follow(speed)
        rpm = speed * 30 / np.pi
        gap = 1e3 * run["cam.gap"].values.max()
        print(
            f"{rpm:5.0f} rpm: lift {1e3 * (run['guide.displacement'].max() - BASE - ROLLER):.3f} mm, largest gap {gap:.3f} mm"
        )
