"""A car on the tree solver, after Vlasenko and Kasper: 17 bodies and 20 joints, and a passenger who gets in after 2.5 s.

It is made of components on three levels: struts and wheels, suspensions, the car. Each wheel turns on an arm that is hinged to the body and held by a
strut, a rod in a tube with spring and damper; arm and strut close a loop. Tyres are springs with dampers up and down, along and across. The
paper does not print the data of its car: these are plausible ones of a small car.
"""

from typing import Any

import numpy as np

import flexor as fx

BODY, ARM, ROD, TUBE, WHEEL = 900.0, 12.0, 3.0, 4.0, 28.0  # kg
CORNERS = {"front_left": (1.2, 0.6), "front_right": (1.2, -0.6), "rear_left": (-1.2, 0.6), "rear_right": (-1.2, -0.6)}
HINGE, STRUT, HUB = 0.0, 0.25, 0.4  # m, outwards from the hinge of an arm
LEAN, TALL = -0.07, 0.45  # m, from the foot of a strut to its top: outwards and up
SPRING, DAMPER = 28e3, 1.8e3  # N/m, N s/m
TYRE = {"x": (20e3, 1e3), "y": (20e3, 1e3), "z": (180e3, 400.0)}  # N/m, N s/m
LOW, MIDDLE = 0.3, 0.55  # m, height of the arms and of the body
SEAT = (0.1, 0.35, 0.0)  # m, in the body
ENTERS, OVER, WEIGHT = 2.5, 0.1, 1000.0  # s, s, N: VK (49)
G = 9.81


def strut(side: int) -> fx.Component:
    """Rod and tube with spring and damper; its origin is the foot. side: 1 on the left, −1 on the right."""
    up = np.array([0.0, side * LEAN, TALL])
    rod = fx.RigidBody("rod", ROD, 0.03, position=up / 4, markers={"foot": -up / 4})
    tube = fx.RigidBody("tube", TUBE, 0.04, position=3 * up / 4, markers={"top": up / 4})
    slide = fx.Prismatic("slide", rod, tube, at=(0, 0, 0), axis=up)
    carried = BODY / 4 * G * (HUB - HINGE) / (STRUT - HINGE)  # N, as drawn
    spring = fx.JointSpring("spring", slide, stiffness=SPRING, damping=DAMPER, free=carried / SPRING)
    return fx.Component(
        "strut",
        [rod, tube, slide, spring],
        ports={"foot": rod["foot"], "top": tube["top"]},
        parameters={"stiffness": "spring.stiffness", "damping": "spring.damping"},
    )


def wheel() -> fx.Component:
    """A wheel with its tyre on the ground; its origin is the hub."""
    disc = fx.RigidBody("disc", WHEEL, (0.7, 1.2, 0.7), position=(0, 0, 0))
    load = (BODY / 4 + ARM + ROD + TUBE + WHEEL) * G
    tyre = [
        fx.GlobalSpring(
            f"tyre_{axis}",
            fx.ground.at(0, 0, 0),
            disc,
            direction=axis,
            stiffness=stiffness,
            damping=damping,
            free=load / stiffness if axis == "z" else 0.0,
        )
        for axis, (stiffness, damping) in TYRE.items()
    ]
    return fx.Component("wheel", [disc, *tyre], ports={"hub": disc.at(0, 0, 0)})


def suspension(side: int) -> fx.Component:
    """Arm, strut and wheel: four bodies and three joints; its origin is the hinge of the arm."""
    foot, hub = (0, side * STRUT, 0), (0, side * HUB, 0)
    middle = np.array([0, side * (HINGE + HUB) / 2, 0])
    points = {"hinge": (0, side * HINGE, 0), "foot": foot, "hub": hub}
    arm = fx.RigidBody("arm", ARM, 0.2, position=middle, markers={name: at - middle for name, at in points.items()})
    spring = fx.Instance("strut", strut(side), position=foot)
    wheels = fx.Instance("wheel", wheel(), position=hub)
    joints = [
        fx.Spherical("foot", arm["foot"], spring["foot"]),
        fx.Revolute("hub", arm["hub"], wheels["hub"], axis="y"),
    ]
    ports = {"hinge": arm["hinge"], "top": spring["top"]}
    return fx.Component(
        "suspension", [arm, spring, wheels, *joints], ports=ports, parameters={"spring": "strut.stiffness"}
    )


def car() -> fx.Model:
    """The car, nearly at rest as drawn, with z upwards."""
    body = fx.RigidBody("body", BODY, (300, 1100, 1200), position=(0, 0, MIDDLE))
    sides = {side: suspension(side) for side in (1, -1)}
    items: list[Any] = [body]
    for name, (x, y) in CORNERS.items():
        side = int(np.sign(y))
        corner = fx.Instance(name, sides[side], position=(x, y, LOW))
        top = body.at(x, y + side * (STRUT + LEAN), LOW + TALL - MIDDLE)
        items += [
            corner,
            fx.Revolute(f"{name}_hinge", body.at(x, y, LOW - MIDDLE), corner["hinge"], axis="x"),
            fx.Universal(f"{name}_top", top, corner["top"], axis="x", cross_axis="y"),
        ]
    enters = fx.ramp(0, WEIGHT, over=OVER, start=ENTERS)
    passenger = fx.PointForce("passenger", body.at(*SEAT), direction="-z", force=enters)
    return fx.Model("car", [*items, passenger], gravity=(0, 0, -G))


if __name__ == "__main__":
    run = car().dynamics(until="6 s", step="1 ms", output="10 ms", solver="tree")
    z = run["body.position_z"]
    print(f"the body sinks by {1e3 * (z.at(2.4) - z[-1]):.1f} mm")
