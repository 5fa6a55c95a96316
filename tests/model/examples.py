"""A sound model with one of each kind of item; a new member of a registry must be added here."""

from pathlib import Path

import flexor as fx

_arm = fx.RigidBody("arm", 1.2, (0.1, 0.2, 0.25, 0.01, 0, 0), center_of_mass=(0.1, 0, 0), markers={"tip": (0.5, 0, 0)})
_chain = [fx.RigidBody(f"link {i}", 1.0 + i, 0.1, center_of_mass=(0.1, 0.2, 0.3)) for i in range(8)]
_pairs = [
    fx.Fixed("fixed", fx.ground.at(1, 0, 0), _chain[0]),
    fx.Revolute("revolute", _chain[0].at(0.1, 0, 0), _chain[1], axis="y", start="20 deg"),
    fx.Prismatic("prismatic", _chain[1].at(0.1, 0, 0), _chain[2], axis=(1, 1, 0), start="30 mm"),
    fx.Cylindrical("cylindrical", _chain[2].at(0.1, 0, 0), _chain[3], axis="x", start=(0.1, 0.2)),
    fx.Spherical("spherical", _chain[3].at(0.1, 0, 0), _chain[4], start=(0.1, 0.2, 0.3)),
    fx.Universal("universal", _chain[4].at(0.1, 0, 0), _chain[5], axis="x", cross_axis="z", start=(0.1, -0.2)),
    fx.Planar("planar", _chain[5].at(0.1, 0, 0), _chain[6], axis="z", start_rate=(0.1, 0.2, 0.3)),
    fx.PointOnLine("point on line", _chain[6].at(0.1, 0, 0), _chain[7], axis="y"),
]
_strut = fx.FlexibleBody(
    "strut",
    str(Path(__file__).with_name("strut.inp")),
    material=fx.Aluminium(),
    interfaces={"foot": fx.plane(at=(0, 0, 0), normal="x"), "head": fx.Interface(fx.plane(at=(0.4, 0, 0), normal="x"))},
    reduction=fx.CraigBampton(modes=2),
    damping=fx.Rayleigh(0, 1e-5),
    position=(0, 2, 0),
)
_blade = fx.Beam(
    "blade",
    [(0, 0, 0), (0.4, 0, 0), (0.8, 0.1, 0)],
    fx.Rectangle("40 mm", "4 mm"),
    fx.Aluminium(),
    divisions=4,
    curve="spline",
    twist=(0, "5 deg", "15 deg"),
    damping=1e-4,
)
_link = fx.GenericPart(
    "generic link",
    2.0,
    (0.02, 0.03, 0.04),
    center_of_mass=(0.2, 0, 0),
    markers={"left": (0, 0, 0), "right": (0.4, 0, 0)},
    position=(0, 4, 0),
)
_bob = fx.PointMass("bob", "250 g", position=(0, 0, -1))

ONE_OF_EACH = fx.Model(
    "one of each",
    gravity=(0, 0, -9.81),
    items=[
        *(_arm, _bob, *_chain, _strut, _blade, _link),
        fx.Revolute("pin", fx.ground, _arm, axis="z"),
        fx.Fixed("blade root", fx.ground.at(0, 3, 0), _blade["start"]),
        *_pairs,
        fx.Distance("rod", fx.ground, _bob),
        fx.Motor("drive", "pin", speed=fx.ramp(0, "60 rpm", over="1 s")),
        fx.AxialSpring(
            "spring", _arm["tip"], _bob, stiffness="2 N/mm", damping=3, force=fx.table([-1, 0, 1], [-5, 0, 9])
        ),
        fx.JointSpring("torsion", "cylindrical", variable="angle", stiffness=5, free="10 deg"),
        fx.PointForce("push", _arm["tip"], direction="y", force="3*sin(t)", follows=True),
        fx.PointTorque("twist", _chain[7], direction=(0, 1, 1), torque=2.5),
        fx.MeshLoad("gas", "strut", fx.Pressure(fx.plane(at=(0.4, 0, 0), normal="x"), "2 bar"), factor="sin(3*t)"),
        fx.RollingDisc("contact", _chain[7], radius="0.3 m", axis="x", normal=(0, 1, 3), point=(0, 0, -0.5)),
    ],
)
