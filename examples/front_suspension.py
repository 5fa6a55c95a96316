"""A front axle: double wishbones in rubber bushings, struts with stops, tie rods and an anti-roll bar, under the loads of the road.

In heave both levers of the bar turn alike and it adds nothing; in roll it adds 2 kₜ (dφ/dz)² to the rate of each wheel. The bushings hardly
matter for these rates; under a side force they yield. x forward, y left, z up; the car body is the ground.
"""

import numpy as np

import flexor as fx

LOAD = 4000.0  # N on one wheel at rest
RUBBER = np.array([2e6, 2e6, 0.4e6, 100, 100, 40])  # across, across, along the axis [N/m]; about them [N m/rad]
HARD = RUBBER * (1e4, 1e4, 1e4, 1, 1, 1)  # nearly hinges
BAR = 80e9 * np.pi / 32 * 0.022**4 / 0.7  # G J/L of a steel bar, 22 mm thick, 0.7 m long [N m/rad]
SIDES = {"left": 1, "right": -1}
POINTS = {  # of the left side as drawn [m]
    "lower front": (0.14, 0.30, 0.22),
    "lower rear": (-0.14, 0.30, 0.22),
    "lower ball": (0, 0.70, 0.18),
    "upper front": (0.12, 0.38, 0.54),
    "upper rear": (-0.12, 0.38, 0.54),
    "upper ball": (-0.02, 0.64, 0.50),
    "rack": (0.12, 0.32, 0.26),
    "steering arm": (0.12, 0.68, 0.24),
    "tower": (0, 0.45, 0.70),
    "strut": (0, 0.55, 0.20),
    "contact": (0, 0.75, 0),
    "bar": (0.30, 0.35, 0.30),
    "lever": (0.06, 0.50, 0.30),
    "link": (0.06, 0.50, 0.205),
}
BODIES = {  # mass [kg], inertia [kg m²], points whose mean is the centre of mass
    "lower arm": (4, (0.06, 0.03, 0.08), ("lower front", "lower rear", "lower ball", "lower ball")),
    "upper arm": (2, (0.02, 0.01, 0.025), ("upper front", "upper rear", "upper ball", "upper ball")),
    "upright": (30, (0.9, 1.4, 0.9), ("lower ball", "upper ball")),
    "lever": (1, (0.004, 0.008, 0.01), ("bar", "lever")),
}


def half(side: str, load: float | fx.Function, push: float, rubber: np.ndarray) -> list:
    """One side: wishbones, upright with wheel, strut, tie rod, lever of the bar, and the road."""
    at = {name: np.array(point) * (1, SIDES[side], 1) for name, point in POINTS.items()}

    def body(name: str, *markers: str) -> fx.RigidBody:
        mass, inertia, points = BODIES[name]
        middle, own = np.mean([at[point] for point in points], axis=0), {marker: at[marker] for marker in markers}
        return fx.RigidBody(f"{side} {name}", mass=mass, inertia=inertia, center_of_mass=middle, markers=own)

    def bushing(arm: fx.RigidBody, eye: str) -> fx.Bushing:
        ends = fx.ground.at(*at[eye]), arm.at(*at[eye])
        return fx.Bushing(f"{side} {eye}", *ends, stiffness=rubber, damping=1e-3 * rubber, axis="x")

    lower, upper, lever = body("lower arm"), body("upper arm"), body("lever")
    upright = body("upright", "contact")
    strut = fx.AxialSpring(
        f"{side} strut",
        fx.ground.at(*at["tower"]),
        lower.at(*at["strut"]),
        stiffness="45 N/mm",
        damping="2.5 kN*s/m",
        free_length="0.645 m",
        lower_stop=fx.Stop(at="0.46 m", stiffness="200 N/mm"),
        upper_stop=fx.Stop(at="0.56 m", stiffness="200 N/mm"),
    )
    return [
        *(lower, upper, upright, lever, strut),
        *(bushing(lower, eye) for eye in ("lower front", "lower rear")),
        *(bushing(upper, eye) for eye in ("upper front", "upper rear")),
        fx.Spherical(f"{side} lower ball", lower, upright, at=at["lower ball"]),
        fx.Spherical(f"{side} upper ball", upper, upright, at=at["upper ball"]),
        fx.Distance(f"{side} tie rod", fx.ground.at(*at["rack"]), upright.at(*at["steering arm"])),
        fx.Distance(f"{side} drop link", lever.at(*at["lever"]), lower.at(*at["link"])),
        fx.PointForce(f"{side} road", upright["contact"], direction="z", force=load),
        fx.PointForce(f"{side} grip", upright["contact"], direction="y", force=push),
        fx.Sensor(f"{side} rise", f"{side} upright.contact.position_z"),
        fx.Sensor(f"{side} shift", f"{side} upright.contact.position_y"),
    ]


def axle(
    left: float | fx.Function = LOAD,
    right: float | fx.Function = LOAD,
    push: float = 0.0,
    rubber: np.ndarray = RUBBER,
    bar: float = BAR,
) -> fx.Model:
    """The axle under wheel loads and a push to the left on each wheel [N]; bar: stiffness between its levers [N m/rad]."""
    items = [*half("left", left, push, rubber), *half("right", right, push, rubber)]
    middle = (POINTS["bar"][0], 0, POINTS["bar"][2])
    items += [
        fx.Revolute("bearing", fx.ground, "left lever", at=middle, axis="y"),
        fx.Revolute("bar", "left lever", "right lever", at=middle, axis="y"),
    ]
    torsion = [fx.JointSpring("torsion", joint="bar", stiffness=bar)] if bar else []
    return fx.Model("front suspension", items + torsion, gravity=(0, 0, -9.81))


def rate(roll: bool = False, rubber: np.ndarray = RUBBER, bar: float = BAR) -> float:
    """Stiffness of one wheel about rest [N/m], in heave or in roll."""
    low, high = (axle(LOAD + d, LOAD + (-d if roll else d), 0.0, rubber, bar).statics() for d in (-10, 10))
    return float(20 / (high["left rise.value"] - low["left rise.value"]))


def ride() -> fx.Model:
    """Both wheels are pressed up into the stops from 0.2 s to 0.8 s; from 1.4 s on the left one is pressed up, the right one relieved."""
    bump = fx.step(LOAD, LOAD + 2000, at=0.2, width=0.05) + fx.step(0, -2000, at=0.8, width=0.05)
    left, right = (bump + fx.step(0, sign * 2000, at=1.4, width=0.05) for sign in (1, -1))
    return axle(left, right)


if __name__ == "__main__":
    axle().check()
    variants = {"as built": (RUBBER, BAR), "without the bar": (RUBBER, 0.0), "hard bushings": (HARD, BAR)}
    for name, (rubber, bar) in variants.items():
        pushed, rest = (axle(push=push, rubber=rubber, bar=bar).statics()["left shift.value"] for push in (1000, 0))
        heave, roll = (rate(way, rubber, bar) for way in (False, True))
        print(
            f"{name}: {heave / 1e3:.2f} N/mm in heave, {roll / 1e3:.2f} N/mm in roll, "
            f"{1e3 * (pushed - rest):.2f} mm to the side under 1 kN"
        )
    print(axle().modes(2))
