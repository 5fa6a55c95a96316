"""Reduced bodies that are bent or pulled beyond their linear theory are told of."""

import re
import warnings

import numpy as np
import pytest
from scipy import linalg, optimize

import flexor as fx
from flexor.mesh.generate import bar
from flexor.spatial import quaternion_to_matrix

LENGTH, WIDTH, HEIGHT = 1.0, 20e-3, 5e-3
MESH = bar(LENGTH, WIDTH, HEIGHT, (20, 1, 1), element="hex20")
STEEL = fx.Isotropic("210 GPa", 0.3, 7850)
BUCKLING = np.pi**2 * 210e9 * WIDTH * HEIGHT**3 / 12 / LENGTH**2


def strip(formulation: str = "floating", stiffening: bool = False) -> fx.FlexibleBody:
    return fx.FlexibleBody(
        "strip", mesh=MESH, material=STEEL, interfaces={"root": "x_min", "tip": "x_max"}, formulation=formulation,
        stiffening=stiffening, reduction=fx.CraigBampton(modes=6),
    )  # fmt: skip


def pulled(share: float, **how) -> fx.Model:
    """A strip on a hinge, pulled at its end by a share of its buckling load."""
    body = strip(**how)
    pull = fx.PointForce("pull", body["tip"], direction="x", force=share * BUCKLING)
    return fx.Model("strip", [body, fx.Revolute("hinge", fx.ground, body["root"], axis="y"), pull])


def on_a_hinge() -> float:
    """π² max ∫w'² / ∫w''² of a beam that turns about its end, w(0) = 0, without its free rotation, ∫ x w = 0; polynomials."""
    k = np.arange(1, 13)
    slope = np.outer(k, k) / (k[:, None] + k - 1)
    bend = k * (k - 1)
    curved = np.where(np.outer(bend, bend) > 0, np.outer(bend, bend) / np.maximum(k[:, None] + k - 3, 1), 0.0)
    Z = linalg.null_space(1.0 / (k + 2)[None])
    return float(np.pi**2 * linalg.eigh(Z.T @ slope @ Z, Z.T @ curved @ Z, eigvals_only=True)[-1])


def told_share(what: str, ask) -> float:
    """The share of the buckling load that a warning tells."""
    with pytest.warns(fx.BeyondLinear, match=f"body 'strip': it stands under {what} .* stiffening=True") as told:
        ask()
    text = r"of (\d+) % of the load at which it buckles as it is held here"
    (found,) = (m[1] for m in (re.search(text, str(each.message)) for each in told) if m)
    return float(found) / 100


@pytest.mark.parametrize("share", [0.3, 2.0])
def test_tension_that_is_left_out_is_told(share: float) -> None:
    told = told_share("tension", lambda: pulled(share).modes(3))
    assert told == pytest.approx(share * on_a_hinge(), rel=0.03)
    said = f"tension of {round(100 * told)} %"
    with pytest.warns(fx.BeyondLinear, match=f"body 'strip': it stands under {said} .* Give it stiffening=True"):
        pulled(share).modes(3)
    with pytest.warns(fx.BeyondLinear, match=said):
        pulled(share).dynamics(until=1e-3, step=1e-4, start="equilibrium", show=False)
    with pytest.warns(fx.BeyondLinear, match=said):
        pulled(share).statics()


def test_compression_too() -> None:
    body = strip()
    ends = [
        fx.Revolute("hinge", fx.ground, body["root"], axis="y"),
        fx.Cylindrical("guide", fx.ground.at(1, 0, 0), body["tip"], axis="x"),
    ]
    push = fx.PointForce("push", body["tip"], direction="-x", force=0.4 * BUCKLING)
    told = told_share("compression", fx.Model("strip", [body, *ends, push]).statics)
    assert told == pytest.approx(0.4 * np.pi**2 / 4.4934**2, abs=0.01)  # one end turns, the other does not: tan β = β


@pytest.mark.parametrize("turned", [(1, 0, 0, 0), (0.8, 0, 0.6, 0)])
@pytest.mark.parametrize("share", [-0.5, 0.39, 0.5, 1.5])
@pytest.mark.parametrize("formulation", ["floating", "superelement"])
def test_a_body_clamped_at_one_end_buckles_at_a_quarter_of_the_load(
    formulation: str, share: float, turned: tuple[float, ...]
) -> None:
    body = strip(formulation).replace(position=(0, 0, 0), orientation=turned)
    along = quaternion_to_matrix(np.array(turned))[:, 0]
    push = fx.PointForce("push", body["tip"], direction=tuple(-along), force=share * BUCKLING / 4)
    model = fx.Model("strip", [body, fx.Fixed("clamp", fx.ground, body["root"]), push])
    told = told_share("compression" if share > 0 else "tension", lambda: model.modes(2))
    assert told == pytest.approx(abs(share), abs=0.005, rel=0.01)


@pytest.mark.parametrize("formulation", ["floating", "superelement"])
@pytest.mark.parametrize("share", [-0.35, 0.35, 0.9])
def test_neighbours_move_along(formulation: str, share: float) -> None:
    """Fixed to two light blocks on hinges the strip buckles as on hinges: π² EI/L²."""
    body, near, far = strip(formulation), *(fx.RigidBody(name, mass=0.01, inertia=1e-6) for name in ("near", "far"))
    car = fx.RigidBody("car", mass=0.1, inertia=1e-4)
    joints = [
        fx.Fixed("at near", body["root"], near), fx.Fixed("at far", body["tip"], far), fx.Revolute("a", fx.ground, near, axis="y"),
        fx.Revolute("b", car, far, axis="y"), fx.Prismatic("guide", fx.ground.at(LENGTH, 0, 0), car, axis="x"),
    ]  # fmt: skip
    push = fx.PointForce("push", car, direction="-x", force=share * BUCKLING)
    model = fx.Model("strip", [body, near, far, car, *joints, push])
    told = told_share("compression" if share > 0 else "tension", lambda: model.modes(2))
    assert told == pytest.approx(abs(share), abs=0.01)


@pytest.mark.parametrize("formulation", ["floating", "superelement"])
@pytest.mark.parametrize(("share", "arm"), [(-1.0, 0.0), (0.95, 0.0), (0.5, 0.2)])
def test_a_mass_at_the_tip_moves_along(formulation: str, share: float, arm: float) -> None:
    """Pushed on an arm a beyond the tip of a cantilever: β tan β = L/a, P = β² EI/L²."""
    body, tip = strip(formulation), fx.RigidBody("mass", mass=0.5, inertia=1e-4)
    beta = optimize.brentq(lambda b: b * np.sin(b) * arm - LENGTH * np.cos(b), 1e-6, 1.6)
    buckling = (beta / np.pi) ** 2 * BUCKLING
    push = fx.PointForce("push", tip.at(arm, 0, 0), direction="-x", force=share * buckling)
    joints = [fx.Fixed("clamp", fx.ground, body["root"]), fx.Fixed("on", body["tip"], tip)]
    told = told_share(
        "compression" if share > 0 else "tension", lambda: fx.Model("strip", [body, tip, *joints, push]).modes(1)
    )
    assert told == pytest.approx(abs(share), abs=0.015)


def on_a_spring(stiffness: float, share: float) -> fx.Model:
    """A strip on a hinge with a spring, pushed by a share of its buckling load: β tan β = kL/EI, P = β² EI/L²."""
    bending = BUCKLING * LENGTH**2 / np.pi**2
    beta = optimize.brentq(lambda b: b * np.sin(b) - stiffness * LENGTH / bending * np.cos(b), 1e-9, np.pi / 2)
    body = strip("superelement")
    hinge = fx.Revolute("hinge", fx.ground, body["root"], axis="y")
    push = fx.PointForce("push", body["tip"], direction="-x", force=share * beta**2 * bending / LENGTH**2)
    return fx.Model("strip", [body, hinge, fx.JointSpring("spring", "hinge", stiffness=stiffness), push])


def test_springs_hold_a_body_too() -> None:
    bending = BUCKLING * LENGTH**2 / np.pi**2
    told = told_share("compression", lambda: on_a_spring(3 * bending / LENGTH, 0.6).modes(1))
    assert told == pytest.approx(0.6, abs=0.01)


def test_a_stiff_body_on_a_soft_spring_is_silent() -> None:
    """It tips over at k/L without bending, which its frame counts rightly."""
    bending = BUCKLING * LENGTH**2 / np.pi**2
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.BeyondLinear)
        on_a_spring(0.02 * bending / LENGTH, 0.9).modes(1)


@pytest.mark.parametrize("formulation", ["floating", "superelement"])
def test_a_spin_pulls_as_well(formulation: str) -> None:
    """Tension ½ μ Ω² (L² − x²) of a cantilever against its buckling load, μΩ²L³/EI = 1/η: max ∫½(1 − x²) w'²/∫w''²; polynomials."""
    body, speed = strip(formulation), 20.0
    model = fx.Model("strip", [body, fx.Fixed("clamp", fx.ground, body["root"])])
    k = np.arange(2, 14)
    power = k[:, None] + k
    slope = np.outer(k, k) * 0.5 * (1 / (power - 1) - 1 / (power + 1))
    curved = np.outer(k * (k - 1), k * (k - 1)) / (power - 3)
    eta = 7850 * WIDTH * HEIGHT * speed**2 * LENGTH**4 * np.pi**2 / (BUCKLING * LENGTH**2)
    expected = eta * float(linalg.eigh(slope, curved, eigvals_only=True)[-1])
    told = told_share("tension", lambda: model.modes(3, angular_velocity=(0, 0, speed)))
    assert told == pytest.approx(expected, rel=0.03)


def test_a_run_that_fails_names_the_body_that_was_overloaded() -> None:
    mesh = bar(0.6, 10e-3, 10e-3, (12, 1, 1), element="hex20")
    arm = fx.RigidBody("arm", mass=0.5, inertia=(1e-4, 0.01, 0.01), center_of_mass=(0.3, 0, 0))
    soft = fx.FlexibleBody(
        "soft", mesh=mesh, material=fx.Isotropic("0.2 GPa", 0.3, 13333), interfaces={"root": "x_min", "tip": "x_max"},
        reduction=fx.CraigBampton(modes=8),
    )  # fmt: skip
    hinges = [
        fx.Revolute("first", fx.ground, arm, axis="z", start="-30 deg"),
        fx.Revolute("second", arm.at(0.6, 0, 0), soft["root"], axis="z", start="45 deg", start_rate=2),
    ]
    model = fx.Model("pendulum", [arm, soft, *hinges], gravity=(0, -9.81, 0))
    with pytest.raises((fx.DivergenceError, fx.LawError)) as failed:  # whichever is met first
        model.dynamics(until=0.5, step=1e-3, show=False)
    assert any("body 'soft': it stands under" in cause and "stiffening=True" in cause for cause in failed.value.causes)


@pytest.mark.parametrize(
    "case",
    [
        {"share": 0.05},
        {"share": 0.05, "formulation": "superelement"},
        {"share": 2.0, "stiffening": True},
        {"share": 0.0},
    ],
)
def test_what_is_within_is_silent(case: dict) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.BeyondLinear)
        pulled(**case).modes(3)


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_bodies_bent_by_half_their_length_are_told(formulation: str) -> None:
    body = strip(formulation)
    stiffness = 3 * 210e9 * WIDTH * HEIGHT**3 / 12 / LENGTH**3

    def bent(share: float) -> fx.Model:
        load = fx.PointForce("load", body["tip"], direction="-z", force=share * LENGTH * stiffness)
        return fx.Model("strip", [body, fx.Fixed("clamp", fx.ground, body["root"]), load])

    for share in (0.3, 0.5):
        with pytest.warns(fx.BeyondLinear, match="body 'strip': it bends .* Divide it into several"):
            bent(share).statics()
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.BeyondLinear)
        bent(0.1).statics()


def cantilever(share: float, **how) -> fx.Model:
    """A clamped strip, pushed by a share of its buckling load."""
    body = strip(**how)
    push = fx.PointForce("push", body["tip"], direction="-x", force=share * BUCKLING / 4)
    return fx.Model("strip", [body, fx.Fixed("clamp", fx.ground, body["root"]), push])


@pytest.mark.parametrize("formulation", ["floating", "superelement"])
def test_what_is_left_out_is_an_error_of_the_stiffness(formulation: str) -> None:
    """The largest of all motions; that of the lowest mode by ω² against the stiffened body, relative to that without load."""
    with pytest.warns(fx.BeyondLinear) as told:
        found = cantilever(0.5, formulation=formulation).modes(1).frequencies[0]
    right = cantilever(0.5, stiffening=True).modes(1).frequencies[0]
    free = cantilever(0.0, formulation=formulation).modes(1).frequencies[0]
    share = re.search(r"up to (\d+) % of its stiffness", str(told[0].message))
    assert share is not None
    assert 1.0 < float(share[1]) / 100 / ((found**2 - right**2) / free**2) < 2.0


def test_dividing_a_body_helps() -> None:
    """Under half of the buckling load of all together four pieces soften by 1 − (ω/ω₀)² as a stiffened body does."""
    pieces, length = 4, LENGTH / 4
    mesh = bar(length, WIDTH, HEIGHT, (5, 1, 1), element="hex20")
    bodies = [
        fx.FlexibleBody(
            f"piece {i}", mesh=mesh, material=STEEL, interfaces={"root": "x_min", "tip": "x_max"},
            reduction=fx.CraigBampton(modes=4), position=(i * length, 0, 0),
        )
        for i in range(pieces)
    ]  # fmt: skip
    joints = [fx.Fixed("clamp", fx.ground, bodies[0]["root"])]
    joints += [fx.Fixed(f"weld {i}", bodies[i - 1]["tip"], bodies[i]["root"]) for i in range(1, pieces)]
    push = fx.PointForce("push", bodies[-1]["tip"], direction="-x", force=0.5 * BUCKLING / 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.BeyondLinear)
        free, loaded = (fx.Model("strip", [*bodies, *joints, *load]).modes(1).frequencies[0] for load in ([], [push]))
    without, right = (cantilever(share, stiffening=True).modes(1).frequencies[0] for share in (0.0, 0.5))
    assert (loaded / free) ** 2 == pytest.approx((right / without) ** 2, abs=0.02)  # 0.08 in one piece


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_a_body_bears_its_own_weight(enforcement: str) -> None:
    """A column on its foot buckles at qL = 7.837 EI/L² (Greenhill)."""
    body = strip("superelement").replace(reduction=fx.CraigBampton(modes=6, inertia_shapes=True))
    foot = fx.Fixed("foot", fx.ground, body["root"], enforcement=enforcement)
    share, density = 0.6, 7850 * WIDTH * HEIGHT
    g = share * 7.837 * BUCKLING * LENGTH**2 / np.pi**2 / (density * LENGTH**3)
    told = told_share("compression", fx.Model("strip", [body, foot], gravity=(-g, 0, 0)).statics)
    assert told == pytest.approx(share, abs=0.015)


def test_what_stands_apart_does_not_matter() -> None:
    """Fifty softer beams beside the strip have all the lowest modes."""
    model = cantilever(0.7, formulation="superelement")
    apart: list = []
    for i in range(50):
        ends = [(0, i + 1.0, 0), (3, i + 1.0, 0)]
        beam = fx.Beam(f"beam {i}", points=ends, divisions=1, section=fx.Rectangle(0.02, 1e-3), material=STEEL)
        apart += [beam, fx.Fixed(f"foot {i}", fx.ground.at(*ends[0]), beam["start"])]
    told = told_share("compression", model.replace(items=(*model.items, *apart)).statics)
    assert told == pytest.approx(0.7, abs=0.015)


@pytest.mark.parametrize(("angle", "told"), [(40, False), (90, True)])
def test_a_superelement_that_is_twisted_far_is_told(angle, told) -> None:
    soft = fx.Isotropic(young=2e8, poisson=0.3, density=1200)
    mesh = bar("1 m", "30 mm", "20 mm", (10, 1, 1), element="beam2", section=fx.Rectangle(0.03, 0.02), material=soft)
    rod = fx.FlexibleBody("rod", mesh, interfaces={"a": "x_min", "b": "x_max"}, reduction=fx.CraigBampton(modes=4))
    hinge = fx.Revolute("hinge", fx.ground.at(1, 0, 0), rod["b"], axis="x")
    turn = fx.Motor("turn", "hinge", position=fx.ramp(0, f"{angle} deg", over=0.1))
    model = fx.Model("twisted", [rod, fx.Fixed("root", fx.ground, rod["a"]), hinge, turn])
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        model.dynamics(until=0.15, step=1e-3, show=False)
    said = [str(each.message) for each in found if issubclass(each.category, fx.BeyondLinear)]
    assert any("two of its interfaces turn by" in each for each in said) == told
