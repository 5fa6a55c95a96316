"""A robot arm of three axes, each driven by a fast motor through a gear, with friction in its bearings and seals.

The rotors are bodies that turn in the link before. Seen from the arm their inertia counts by the square of the gear ratio, and the
friction of a seal on the fast shaft by the ratio itself: it holds the arm when the power is cut, up to a payload that can be told before.
"""

import numpy as np

import flexor as fx

AXES = ("waist", "shoulder", "elbow")
MOVE = {"waist": (0, 120), "shoulder": (80, 25), "elbow": (-130, -40)}  # joint angles from, to [deg]
BEGIN, OVER, CUT = 0.1, 1.0, 1.6  # s, of the move; and when the power is cut
GEAR = {"waist": 120, "shoulder": 140, "elbow": 100}  # turns of the motor for one of the joint
SEAL = {"waist": 0.3, "shoulder": 1.0, "elbow": 0.35}  # N m, friction on the fast shaft
RADIUS, MU, STATIC = 0.05, 0.05, 0.6  # m; friction in the bearings of the joints, and how much larger it is at rest
PLAY = {"stiffness": "40 kN*m/rad", "damping": "40 N*m*s/rad", "backlash": "0.05 deg"}  # of the teeth at the elbow
SERVO, LEAD = 8.0, 0.02  # N m/rad on the fast shaft; s, rates count as much as angles times this
UPPER, FORE, G = 0.45, 0.40, 9.81  # m, lengths; m/s²


def robot_arm(payload: float, drives: str) -> fx.Model:
    """Driven by "motors" that follow the move exactly, by "servos", whose elbow has play in its teeth, or "off", at the end of the move.

    Each link begins at its joint; at zero angles the arm stretches along x. Positive angles raise it.
    """
    column = fx.RigidBody("column", mass=25, inertia=(0.5, 0.5, 0.3), center_of_mass=(0.03, 0, 0.25))
    upper = fx.RigidBody("upper", mass=14, inertia=(0.04, 0.28, 0.28), center_of_mass=(UPPER / 2, 0, 0))
    fore = fx.RigidBody("fore", mass=6, inertia=(0.015, 0.09, 0.09), center_of_mass=(FORE / 2, 0, 0))
    load = fx.RigidBody("payload", mass=payload, inertia=2e-3 * payload)
    places = {  # joint and shaft on the link before, axis, link
        "waist": (fx.ground.at(0, 0, 0), fx.ground.at(-0.15, 0, 0), "z", column),
        "shoulder": (column.at(0.1, 0, 0.4), column.at(0, 0.1, 0.4), "-y", upper),
        "elbow": (upper.at(UPPER, 0, 0), upper.at(0.08, 0.1, 0), "-y", fore),
    }
    items = [column, upper, fore, load, fx.Fixed("gripper", fore.at(FORE, 0, 0), load)]
    for name, (joint, shaft, axis, link) in places.items():
        rotor = fx.RigidBody(f"{name} rotor", mass=2, inertia=8e-4)
        start = np.radians(MOVE[name][drives == "off"])
        gear = fx.Gear(f"{name} gear", f"{name} shaft", name, ratio=1 / GEAR[name])
        if name == "elbow" and drives == "servos":
            gear = gear.replace(**PLAY)
        bearing = fx.Friction(
            f"{name} bearing",
            name,
            coefficient=MU,
            load="bearing",
            radius=RADIUS,
            span="120 mm",
            factor=0.6,
            stribeck=STATIC,
            slip_speed="0.05 rad/s",
            viscous="3 N*m*s/rad",
        )
        items += [
            rotor,
            fx.Revolute(name, joint, link, axis=axis, start=start),
            fx.Revolute(f"{name} shaft", shaft, rotor, axis=axis),
            gear,
            bearing,
            fx.Friction(f"{name} seal", f"{name} shaft", prestress=SEAL[name], viscous="2e-4 N*m*s/rad"),
            *drive(name, drives),
        ]
    return fx.Model("robot arm", items, gravity=(0, 0, -G))


def drive(axis: str, drives: str) -> list[fx.Motor | fx.JointSpring]:
    """What turns a fast shaft: a motor, or a servo, k (target − angle) + d (its rate − the rate), until the power is cut."""
    turned = GEAR[axis] * np.radians(MOVE[axis][1] - MOVE[axis][0])
    move = fx.ramp(0, turned, over=OVER, start=BEGIN)
    if drives == "motors":
        return [fx.Motor(f"{axis} motor", f"{axis} shaft", position=move)]
    t = np.linspace(0, CUT, 321)
    target = fx.table(t, move(t) + LEAD * move.derivative(t))
    power = fx.step(1, 0, at=CUT, width="10 ms")
    servo = fx.JointSpring(
        f"{axis} servo",
        f"{axis} shaft",
        stiffness=SERVO,
        damping=LEAD * SERVO,
        free=target,
        scale=power,
        damping_scale=power,
    )
    return [servo] if drives == "servos" else []


def heaviest() -> float:
    """Payload [kg] that the elbow just holds: weight of forearm and payload = seal through the gear + bearing at rest."""
    reach = FORE * np.cos(np.radians(MOVE["shoulder"][1] + MOVE["elbow"][1]))
    rubs = RADIUS * MU * (1 + STATIC)  # m, of the bearing's load
    return (GEAR["elbow"] * SEAL["elbow"] / G - 6 * (reach / 2 - rubs)) / (reach - rubs)


def run(payload: float, drives: str, until: float) -> fx.Run:
    return robot_arm(payload, drives).dynamics(until=until, step="1 ms", show=False)


if __name__ == "__main__":
    robot_arm(5, "servos").check()
    move = run(5, "motors", until=BEGIN + 0.999 * OVER)  # at rest motors and friction could share the load in any way
    for axis in AXES:
        torque = move[f"{axis} motor.torque"].values
        print(f"{axis} motor: {torque.min():.2f} … {torque.max():.2f} N m")
    print(f"without power the arm holds {heaviest():.2f} kg")
    for payload in (5, 9):
        held = run(payload, "servos", until=CUT + 0.5)
        angle = np.degrees(held["elbow.angle"].values)[[np.searchsorted(held.time, CUT - 1e-9), -1]]
        print(
            f"{payload} kg: the elbow is at {angle[0]:.2f}° as the power is cut, half a second later at {angle[1]:.2f}°"
        )
