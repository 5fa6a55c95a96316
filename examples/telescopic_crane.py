"""A telescopic crane lifts a load: a cylinder raises the boom while its inner part slides out.

Both parts bend. The inner boom slides on two pads: its rear end rides in the outer boom, and the mouth of the outer boom along the inner one.
The further it is out, the closer the pads are to each other and the harder they press.
"""

import numpy as np

import flexor as fx

LENGTH, LOAD, ROPE = 8.0, 1000.0, 2.0  # m of each boom, kg, m
FOOT, EYE = np.array([0.8, 0, -1.2]), 2.5  # of the cylinder, from the hinge; where it meets the boom [m]
IN, OUT, RAISED = 1.0, 5.0, np.radians(60)  # m from the hinge to the rear pad; rad
OVER = 30.0  # s that it takes
OUTER, INNER = fx.BoxProfile("250 mm", "350 mm", "8 mm"), fx.BoxProfile("200 mm", "300 mm", "6 mm")
NODES = [f"node {i}" for i in range(17)]


def stroke(angle: float) -> float:
    """Length of the cylinder [m] that holds a straight boom at this angle [rad]."""
    return float(np.linalg.norm(EYE * np.array([np.cos(angle), 0, np.sin(angle)]) - FOOT))


def boom(name: str, section: fx.BoxProfile, x: float) -> fx.Beam:
    return fx.Beam(
        name, [(0, 0, 0), (LENGTH, 0, 0)], section, "steel", divisions=16, up="z", damping=2e-3, position=(x, 0, 0)
    )


def crane(rear: float = IN, over: float | None = None) -> fx.Model:
    """Level, with its rear pad at a distance from the hinge [m]; it stays so, or within a time [s] slides out and is raised."""
    outer, inner = boom("outer", OUTER, 0), boom("inner", INNER, rear)
    load = fx.PointMass("load", LOAD, position=(rear + LENGTH, 0, -ROPE))
    slide = fx.ramp(rear, OUT, over=over) if over else rear
    lift = fx.ramp(stroke(0), stroke(RAISED), over=over) if over else stroke(0)
    return fx.Model(
        "telescopic crane",
        [
            *(outer, inner, load),
            fx.Revolute("hinge", fx.ground, outer["start"], axis="-y"),
            fx.Distance("cylinder", fx.ground.at(*FOOT), outer["node 5"], length=lift),  # node 5 is at EYE
            fx.Guide("rear", [outer[node] for node in NODES], inner["start"], twist="locked", position=slide),
            fx.Guide("mouth", [inner[node] for node in NODES], outer["end"]),
            fx.Distance("rope", inner["end"], load),
        ],
        gravity=(0, 0, -9.81),
    )


if __name__ == "__main__":
    for rear in (IN, OUT):
        rest = crane(rear).statics()
        press = np.hypot(rest["mouth.force_1"], rest["mouth.force_2"]) / 1e3
        print(f"rear pad at {rear:.0f} m: mouth {press:.1f} kN, tip sinks {-1e3 * rest['inner.end.position_z']:.1f} mm")
    run = crane(over=OVER).dynamics(until=OVER + 5, step="20 ms", start="equilibrium")
    energies = run.energies()
    rise = np.ptp(run["load.position_z"].values)
    work = np.ptp(energies["input"].values) / 1e3
    print(f"the load rises by {rise:.2f} m; cylinder and slide do {work:.1f} kJ")
