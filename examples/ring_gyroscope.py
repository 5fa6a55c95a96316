"""Vibrating ring as a gyroscope: its standing wave stays behind when the ring turns (Bryan 1890).

A thin ring floats in space and turns slowly. Two short pushes across its diameter set it ringing with two waves round the circumference. Seen from
the ring, the pattern of nodes and bellies goes back by 2/(n² + 1) = 2/5 of the angle by which the ring has turned; from that
angle one can tell the rotation, as hemispherical gyroscopes in satellites do.

The ring is a body of shape functions: the two bending modes of equal frequency are a cosine and a sine, and no line of a mesh disturbs them.
"""

import numpy as np

import flexor as fx

RADIUS, THICKNESS, WIDTH = 0.1, 0.002, 0.01  # m
SPIN = 6.0  # rad/s
PUSH = 0.5e-3  # s

ring = fx.ShapeBody(
    "ring",
    fx.HollowCylinder(RADIUS - THICKNESS / 2, RADIUS + THICKNESS / 2, WIDTH),
    "steel",
    orders=(2, 4, 2),
    markers={"east": (RADIUS, 0, 0), "west": (-RADIUS, 0, 0)},
    up_to="1 kHz",
    position=(0, 0, 0),
    angular_velocity=(0, 0, SPIN),
)
pulse = f"5*sin(pi*min(t, {PUSH})/{PUSH})"
model = fx.Model(
    "ring gyroscope",
    [
        ring,
        fx.PointForce("push_east", ring["east"], direction="x", follows=True, force=pulse),
        fx.PointForce("push_west", ring["west"], direction="-x", follows=True, force=pulse),
    ],
)


def pattern(run: fx.Run, window: float = 0.02) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and angle of a belly seen from the ring [rad], from the amplitudes of the cosine and the sine in windows of time.

    c cos 2φ + s sin 2φ with c = a cos 2θ cos ωt, s = a sin 2θ cos ωt has tan 4θ = 2 Σ cs/(Σ c² − Σ s²).
    """
    c, s = (run[f"ring.{mode}"].values for mode in ring_modes())
    rows = max(2, round(window / (run.time[1] - run.time[0])))
    begins = np.arange(rows // 4, len(c) - rows, rows)
    angles = [
        0.25 * np.arctan2(2 * c[i : i + rows] @ s[i : i + rows], np.sum(c[i : i + rows] ** 2 - s[i : i + rows] ** 2))
        for i in begins
    ]
    return run.time[begins + rows // 2], np.unwrap(angles, period=np.pi / 2)


def ring_modes() -> tuple[str, str]:
    """The two lowest modes with two waves, cosine first: by the radial motion at φ = 0 and φ = 45°."""
    east = ring.made.motion_at((RADIUS, 0, 0))[0]
    oblique = ring.made.motion_at((RADIUS / np.sqrt(2), RADIUS / np.sqrt(2), 0))
    between = (oblique[0] + oblique[1]) / np.sqrt(2)
    first, second = (int(np.flatnonzero(np.abs(each) > 0.5 * np.abs(each[:6]).max())[0]) for each in (east, between))
    assert np.sign(east[first]) > 0 < np.sign(between[second])
    return f"mode_{first + 1}", f"mode_{second + 1}"


if __name__ == "__main__":
    run = model.dynamics(until="0.2 s", step="50 us", show=False)
    times, angles = pattern(run)
    behind, turned = angles[0] - angles[-1], SPIN * (times[-1] - times[0])
    print(
        f"the ring turned by {np.degrees(turned):.1f}°, its wave stayed behind by {np.degrees(behind):.1f}°: {behind / turned:.4f}"
    )
