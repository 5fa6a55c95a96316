"""Order of convergence while surfaces touch: halved steps leave a quarter of the error, with every law and every kind of contact.

Asperities that bend before they slide are the exception: their stretch grows by h u of the end of each step (39.7), which is of first order and damps what rings
within the micro-slip. What rolls or sticks moves as if they were stiff, whatever the step.
"""

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar

G = 9.81
FLOOR = fx.ground.surface(fx.Plane())
SOFT = fx.Isotropic("1 MPa", 0.3, density=1000)
SMOOTH = {"model": "smooth", "smooth_speed": 0.5}

pytestmark = pytest.mark.filterwarnings(
    "ignore::flexor.DoubtfulModel"
)  # few modes, few elements, pressed in at the start


def pressed(law, shape=None, height=0.05):
    """What hits the floor with 1 m/s, all the time until it is on its way back."""
    body = fx.RigidBody("body", 1.0, 1e-3, position=(0, 0, height), velocity=(0, 0, -1), shapes=[shape or fx.Sphere(0.05)])  # fmt: skip
    return fx.Model("pressed", [body, fx.Contact("touch", FLOOR, body, law)])


def moving(rub, slope=0.0, **speed):
    """A ball of 50 mm on the floor or on a slope."""
    r, m, K = 0.05, 1.0, 1e4
    body = fx.RigidBody("body", m, 0.4 * m * r**2, position=(0, 0, r - m * G * np.cos(slope) / K), shapes=[fx.Sphere(r)], **speed)  # fmt: skip
    touch = fx.Contact("touch", FLOOR, body, fx.Penalty(K), friction=rub)
    return fx.Model("moving", [body, touch], gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))


def ring():
    """A ring of shape functions that falls, and slides over the floor."""
    body = fx.ShapeBody(
        "body", fx.HollowCylinder(0.08, 0.1, 0.05), fx.Isotropic("200 MPa", 0.3, density=1000), orders=(1, 2, 1), up_to="300 Hz",
        position=(0, 0, 0.0999), orientation={"axis": "x", "angle": "90 deg"}, velocity=(1, 0, -0.3), angular_velocity=(0, 8, 0),
    )  # fmt: skip
    touch = fx.Contact("touch", FLOOR, body.surface("outer", slices=2), fx.Penalty(2e4), friction={"coefficient": 0.3, **SMOOTH})  # fmt: skip
    return fx.Model("ring", [body, touch])


def plate(formulation):
    """A ball that falls on a clamped plate of some elements, and slides."""
    mesh = bar(0.4, 0.1, 0.02, divisions=(4, 2, 1), element="hex8", material=fx.Isotropic("20 MPa", 0.3, density=1000))
    ends = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(0.4, 0, 0), normal="x")}
    more = {} if formulation == "full_mesh" else {"reduction": fx.CraigBampton(modes=3)}
    slab = fx.FlexibleBody("slab", mesh, interfaces=ends, formulation=formulation, position=(0, 0, 0), **more)
    body = fx.RigidBody("body", 0.5, 3e-4, position=(0.163, 0.013, 0.0499), velocity=(0.3, 0.1, -0.3), shapes=[fx.Sphere(0.04)])  # fmt: skip
    touch = fx.Contact("touch", body, slab.surface("skin"), fx.Penalty(5e3), friction={"coefficient": 0.3, **SMOOTH})
    return fx.Model("plate", [slab, body, fx.Fixed("clamp", fx.ground, slab["left"]), touch])


ROLLER = fx.Cylinder(0.05, 0.1, axis="y")
SPINS = fx.ContactFriction(0.3, rolling=5e-3, spinning=5e-3, smooth_spin=5.0, **SMOOTH)
CASES = {
    "hertz": (lambda: pressed(fx.Hertz(SOFT)), 0.02, 200, "z"),
    "hertz, line": (lambda: pressed(fx.HertzLine(SOFT, 0.1), ROLLER, 0.045), 0.01, 200, "z"),  # δ^(1/9) has no slope at zero
    **{
        name: (lambda name=name: pressed(fx.Penalty(1e4, restitution=0.5, dissipation=name)), 0.02, 200, "z")
        for name in ("hunt_crossley", "lankarani_nikravesh", "flores")
    },
    "smooth friction": (lambda: moving({"coefficient": 0.3, **SMOOTH}, velocity=(1, 0, 0)), 0.1, 50, "x"),
    "smooth rolling and spinning": (lambda: moving(SPINS, velocity=(1, 0, 0), angular_velocity=(0, 20, 10)), 0.1, 50, "x"),
    "shape functions": (ring, 0.01, 100, "xz"),
    **{name: (lambda name=name: plate(name), 0.02, 100, "xz") for name in ("floating", "superelement", "full_mesh")},
}  # fmt: skip


def ends(make, until, counts):
    """(3, 3) positions at the end, with so many equal steps."""
    found = []
    for count in counts:
        run = make().dynamics(until=until, step=until / count, show=False)
        assert len(run.history["step_size"]) == count  # none is shortened
        assert run["touch.gap"].values.max() < 1e-9
        found.append(run["body.position"][-1])
    return np.array(found)


@pytest.mark.parametrize("case", CASES)
def test_contact_is_of_second_order(case):
    make, until, count, axes = CASES[case]
    coarse, fine = np.diff(ends(make, until, (count, 2 * count, 4 * count)), axis=0)
    for axis in axes:
        assert coarse["xyz".index(axis)] / fine["xyz".index(axis)] == pytest.approx(4.0, rel=0.05)


@pytest.mark.parametrize("more", [{}, {"rolling": 5e-3, "micro_turn": 0.05}], ids=["sliding", "rolling"])
def test_asperities_are_of_first_order(more):
    rub = fx.ContactFriction(0.5, micro_slip=1e-3, **more)
    coarse, fine = np.diff(ends(lambda: moving(rub, velocity=(0.05, 0, 0)), 0.02, (200, 400, 800))[:, 0])
    assert coarse / fine == pytest.approx(2.0, rel=0.05)


def test_rolling_on_a_slope_does_not_depend_on_the_step():
    """g sin α/(1 + ⅖ r²/r_e²) but for the micro-slip of 1 µm; r_e = r − δ/2 to the point of contact, halfway in the overlap."""
    r, slope = 0.05, 0.3
    inner = r - 0.5 * G * np.cos(slope) / 1e4
    way = 0.5 * G * np.sin(slope) / (1 + 0.4 * r**2 / inner**2) * 0.2**2
    found = [moving(0.5, slope).dynamics(until=0.2, step=0.2 / count, show=False)["body.position_x"][-1] for count in (50, 100, 200)]  # fmt: skip
    assert found == pytest.approx([way] * 3, abs=2e-6)
    assert np.ptp(found) < 1e-8
