"""A steel ball in the groove of a fixed race: let go beside the lowest point, it rolls to and fro, or slides where the groove is oiled.

The centre of the ball runs on a circle of radius R − r. Rolling without slip its inertia counts 7/5, so that small swings take
2π √(7 (R − r)/(5 g)); sliding they take 2π √((R − r)/g), as a pendulum's.
"""

import numpy as np

import flexor as fx

RACE, GROOVE, BALL = 0.100, 0.0104, 0.010  # radius of the groove's bottom, of its cross-section, and of the ball [m]
MASS = 7850 * 4 / 3 * np.pi * BALL**3
PATH = RACE - BALL
ROLLING = 2 * np.pi * np.sqrt(7 * PATH / (5 * 9.81))  # s
SLIDING = 2 * np.pi * np.sqrt(PATH / 9.81)


def race(friction: float, angle: float = 0.1) -> fx.Model:
    """The ball lies at an angle [rad] from the lowest point of the groove, which stands upright."""
    at = PATH * np.array([np.sin(angle), 0, -np.cos(angle)])
    ball = fx.RigidBody("ball", MASS, 0.4 * MASS * BALL**2, position=at, shapes=[fx.Sphere(BALL, color="silver")])
    groove = fx.Torus(RACE - GROOVE, GROOVE, axis="y", inside=True)
    touch = fx.Contact(
        "touch", fx.ground.surface(groove), ball, fx.Hertz(fx.Steel(), restitution=0.5), friction=friction
    )
    return fx.Model("ball in a race", [ball, touch], gravity=(0, 0, -9.81))


def swings(friction: float) -> fx.Run:
    """Two swings of a ball that rolls."""
    return race(friction).dynamics(until=2 * ROLLING, step=1e-3, show=False)


def period(run: fx.Run) -> float:
    """Twice the time between two passages of the lowest point [s]."""
    x = run["ball.position_x"].values
    i = np.flatnonzero(x[:-1] * x[1:] < 0)
    times = run.time[i] - x[i] * (run.time[i + 1] - run.time[i]) / (x[i + 1] - x[i])
    return float(2 * np.mean(np.diff(times)))


if __name__ == "__main__":
    for friction, expected in ((0.3, ROLLING), (0.0, SLIDING)):
        run = swings(friction)
        print(f"friction {friction}: a swing takes {period(run):.4f} s, by theory {expected:.4f} s")
