"""An eccentric cam lifts a follower by a roller, which friction turns; a spring presses it down up to the speed at which it lifts off.

The centre of the roller is at e cos φ + √((R + ρ)² − e² sin² φ) above the shaft. At the top it is thrown off with e ω² (1 + e/(R + ρ)), which
the spring has to overcome for all that moves.
"""

import numpy as np

import flexor as fx

CAM, OFFSET, ROLLER, WIDTH = (
    30e-3,
    8e-3,
    12e-3,
    10e-3,
)  # radius of the cam, its eccentricity, radius of the roller, width of both [m]
MASS, PIN, SPRING, PRELOAD = (
    0.3,
    0.1,
    20e3,
    8e-3,
)  # kg of the follower and of its roller, N/m, m of compression at the lowest point
LOW = CAM + ROLLER - OFFSET
LIFT_OFF = np.sqrt(SPRING * (PRELOAD + 2 * OFFSET) / ((MASS + PIN) * OFFSET * (1 + OFFSET / (CAM + ROLLER))))  # rad/s


def lift(angle: np.ndarray) -> np.ndarray:
    """Of the follower above its lowest point, at an angle of the cam from the top [m]."""
    reach = CAM + ROLLER
    return OFFSET * np.cos(angle) + np.sqrt(reach**2 - (OFFSET * np.sin(angle)) ** 2) - LOW


def drive(speed: float) -> fx.Model:
    """The shaft turns at a given speed [rad/s]; it begins with the cam down."""
    disc = fx.Cylinder(CAM, WIDTH, axis="z", at=(0, OFFSET, 0), color="goldenrod")
    shaft = fx.RigidBody("shaft", mass=1.0, inertia=1e-4, shapes=[disc])
    follower = fx.RigidBody("follower", mass=MASS, inertia=1e-5)
    roller = fx.RigidBody("roller", PIN, 0.5 * PIN * ROLLER**2, shapes=[fx.Cylinder(ROLLER, WIDTH, axis="z")])
    return fx.Model(
        "cam and roller",
        [
            shaft, follower, roller,
            fx.Revolute("bearing", fx.ground, shaft, axis="z", start="180 deg"),
            fx.Prismatic("guide", fx.ground, follower, axis="y", start=LOW),
            fx.Revolute("pin", follower, roller, axis="z"),
            fx.Motor("drive", joint="bearing", speed=speed),
            fx.JointSpring("spring", joint="guide", stiffness=SPRING, free=LOW - PRELOAD),
            fx.Contact("cam", shaft, roller, fx.Penalty("20 MN/m", restitution=0.4), friction=0.15),
        ],
    )  # fmt: skip


def turns(speed: float) -> fx.Run:
    """Two of them."""
    return drive(speed).dynamics(until=4 * np.pi / speed, step=0.01 / speed, show=False)


if __name__ == "__main__":
    for share in (0.9, 1.3):
        run = turns(share * LIFT_OFF)
        print(f"at {share:.0%} of {LIFT_OFF:.0f} rad/s the largest gap is {1e3 * run['cam.gap'].values.max():.3f} mm")
