"""Full meshes and other bodies that deform, which touch: plates, rings, blocks."""

import flexor as fx
from flexor.mesh.generate import bar

RUBBER = fx.Isotropic(young="200 MPa", poisson=0.3, density=1000)
UPRIGHT = {"axis": "x", "angle": "90 deg"}
RUB = {"coefficient": 0.3, "micro_slip": 1e-2}
ROLL = {**RUB, "rolling": 0.01, "spinning": 0.01}
PUSH = fx.Penalty(1e5, rest_speed=0.1)


def slab(name, divisions=(4, 2, 1), formulation="full_mesh", modes=1, **about):
    """A plate of 400 × 100 × 20 mm, from x = 0 on."""
    mesh = bar(0.4, 0.1, 0.02, divisions=divisions, element="hex8", material=RUBBER)
    ends = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(0.4, 0, 0), normal="x")}
    if formulation != "full_mesh":
        about = {"reduction": fx.CraigBampton(modes=modes), **about}
    return fx.FlexibleBody(name, mesh, formulation=formulation, **{"interfaces": ends, **about})


def hoop(name, **about):
    about = {"orders": (1, 2, 1), "up_to": "1 kHz", "orientation": UPRIGHT, **about}
    return fx.ShapeBody(name, fx.HollowCylinder(0.08, 0.1, 0.05), RUBBER, **about)


def top(body):
    """The upper face of a plate."""
    return body.surface(fx.plane(at=(0, 0, 0.01), normal="z"))


def bottom(body):
    return body.surface(fx.plane(at=(0, 0, -0.01), normal="z"))


def scene(kind):
    """Two bodies, and their sides."""
    a = slab("one", position=(0, 0, 0))
    if kind == "ring on a mesh":
        b = hoop("two", position=(0.215, 0.002, 0.1085))
        return a, b, top(a), b.surface("outer")
    if kind == "slices on a mesh":
        b = hoop("two", position=(0.215, 0.002, 0.1085))
        return a, b, top(a), b.surface("outer", slices=2)
    if kind == "ring over an edge of a mesh":  # across it, leaning at 45°
        b = hoop("two", position=(0.215, 0.1197, 0.0797), orientation={"axis": "x", "angle": "45 deg"})
        return a, b, a.surface("skin"), b.surface("outer")
    other = (0.053, 0.013, 0.0195)
    if kind == "mesh on a mesh":
        b = slab("two", (2, 1, 1), position=other)
        return a, b, top(a), bottom(b)
    if kind == "mesh on the border of a mesh":
        b = slab("two", (2, 1, 1), position=(0.053, 0.0, 0.0195))
        return a, b, top(a), bottom(b)
    if kind == "superelement on a mesh":
        b = slab("two", (2, 1, 1), "superelement", position=other)
        return a, b, top(a), bottom(b)
    if kind == "mesh on a superelement":
        a = slab("one", (4, 2, 1), "superelement", 20, position=(0, 0, 0))
        b = slab("two", (2, 1, 1), position=other)
        return a, b, top(a), bottom(b)
    if kind == "mesh on a floating body":
        a = slab("one", (4, 2, 1), "floating", position=(0, 0, 0))
        b = slab("two", (2, 1, 1), position=other)
        return a, b, top(a), bottom(b)
    a = fx.ShapeBody("one", fx.Box(0.4, 0.1, 0.02), RUBBER, orders=(2, 1, 1), up_to="1 kHz", position=(0, 0, 0))
    b = slab("two", (2, 1, 1), position=(-0.15, 0.01, 0.0195))
    return a, b, a.surface("z_max"), bottom(b)


SCENES = (
    "ring on a mesh", "slices on a mesh", "ring over an edge of a mesh", "mesh on a mesh", "mesh on the border of a mesh", "superelement on a mesh",
    "mesh on a superelement", "mesh on a floating body", "mesh on shape functions",
)  # fmt: skip
