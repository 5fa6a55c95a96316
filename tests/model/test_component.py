"""Components: a model with them is the same mechanism as one with all items by their dotted names."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ComponentError, ModelError
from flexor.model import lower
from tests.model.examples import ONE_OF_EACH

LINK = (1.0, (0.01, 0.1, 0.1))
PLANE = (0, 0, -9.81)


def link(**about) -> fx.Component:
    """A rod from its origin along x, hung at the port top, with a port at its end."""
    rod = fx.RigidBody("rod", *LINK, position=(0.5, 0, 0), markers={"top": (-0.5, 0, 0), "end": (0.5, 0, 0)})
    return fx.Component(
        "link", [rod], ports={"top": rod["top"], "end": rod["end"]}, parameters={"mass": "rod.mass"}, **about
    )


def pair() -> fx.Component:
    """Two links with a hinge and a spring between them, and a sensor by which a damper acts."""
    upper, lower = fx.Instance("upper", link()), fx.Instance("lower", link(), position=(1, 0, 0))
    hinge = fx.Revolute("hinge", upper["end"], lower["top"], axis="y")
    spring = fx.JointSpring("spring", "hinge", stiffness="20 N m/rad")
    spin = fx.Sensor("spin", "hinge.angle_rate")
    brake = fx.PointTorque("brake", lower["rod"], direction="y", torque="-0.3*spin + 0.01*sin(spin)")
    return fx.Component(
        "pair",
        [upper, lower, hinge, spring, spin, brake],
        ports={"top": upper["top"], "end": lower["end"]},
        parameters={"stiffness": "spring.stiffness", "mass": ["upper.mass", "lower.rod.mass"]},
    )


def chain(**about) -> fx.Model:
    """Three levels: links, pairs, and both pairs in the model."""
    a = fx.Instance("a", pair())
    b = fx.Instance("b", pair(), position=(2, 0, 0), values={"stiffness": "30 N m/rad", "lower.rod.mass": 2})
    pins = [fx.Revolute("pin", fx.ground, a["top"], axis="y"), fx.Revolute("knee", a["end"], b["top"], axis="y")]
    hold = fx.JointSpring("hold", "pin", stiffness=300)
    bend = fx.JointSpring("bend", "knee", stiffness=100)
    return fx.Model("chain", [a, b, *pins, hold, bend], gravity=PLANE, **about)


def flat_chain() -> fx.Model:
    """The same, item by item."""
    items = []
    for name, x, stiffness, mass in (("a", 0.0, 20, 1.0), ("b", 2.0, 30, 2.0)):
        rods = [
            fx.RigidBody(
                f"{name}.{part}.rod",
                m,
                LINK[1],
                position=(x + out, 0, 0),
                markers={"top": (-0.5, 0, 0), "end": (0.5, 0, 0)},
            )
            for part, out, m in (("upper", 0.5, 1.0), ("lower", 1.5, mass))
        ]
        items += [
            *rods,
            fx.Revolute(f"{name}.hinge", rods[0]["end"], rods[1]["top"], axis="y"),
            fx.JointSpring(f"{name}.spring", f"{name}.hinge", stiffness=stiffness),
            fx.Sensor(f"{name}.spin", f"{name}.hinge.angle_rate"),
            fx.PointTorque(
                f"{name}.brake",
                rods[1],
                direction="y",
                torque=f"-0.3*'{name}.spin' + 0.01*sin('{name}.spin')",
            ),
        ]
    items += [
        fx.Revolute("pin", fx.ground, "a.upper.rod.top", axis="y"),
        fx.Revolute("knee", "a.lower.rod.end", "b.upper.rod.top", axis="y"),
        fx.JointSpring("hold", "pin", stiffness=300),
        fx.JointSpring("bend", "knee", stiffness=100),
    ]
    return fx.Model("chain", items, gravity=PLANE)


def test_components_are_the_items_by_dotted_names():
    assert [item.name for item in chain().items] == [item.name for item in flat_chain().items]
    assert chain()["b.lower.rod"].mass == 2
    assert chain()["b.spring"].stiffness == 30
    assert chain()["a.lower.rod"].mass == 1
    assert chain()["knee"].a == fx.MarkerRef(body="a.lower.rod", marker="end")
    assert chain()["a"].use == pair()


def test_dynamics_are_those_of_the_flat_model():
    runs = [model.dynamics(until=0.2, step=0.01, show=False) for model in (chain(), flat_chain())]
    assert runs[0].names == runs[1].names
    for name in runs[0].names:
        assert np.array_equal(runs[0][name][:], runs[1][name][:]), name
    assert np.ptp(runs[0]["b.lower.rod.position_z"][:]) > 1e-3


def test_equilibrium_and_modes_are_those_of_the_flat_model():
    rests = [model.statics() for model in (chain(), flat_chain())]
    assert rests[0]["b.hinge.angle"] == rests[1]["b.hinge.angle"] != 0
    modes = [model.modes() for model in (chain(), flat_chain())]
    assert np.array_equal(modes[0].frequencies, modes[1].frequencies)
    assert np.array_equal(modes[0]["b.end.position_z"], modes[1]["b.lower.rod.end.position_z"])


def test_frequency_response_from_and_to_the_inside_of_components():
    push = fx.PointForce("push", "rod", direction="z", force=0)
    pushed = link().replace(items=(*link().items, push))
    below = fx.Instance("below", pushed)
    model = fx.Model(
        "pushed",
        [below, fx.Revolute("pin", fx.ground, below["top"], axis="y"), fx.JointSpring("hold", "pin", stiffness=300)],
    )
    flat = model.replace(items=model.items)
    assert not flat.source
    found = [
        each.frequency_response([1.0, 2.0], ["below.push.force"], ["below.rod.position_z"]) for each in (model, flat)
    ]
    assert np.array_equal(found[0].values, found[1].values)
    assert np.abs(found[0].values).min() > 0


def test_one_of_each_item_is_the_same_inside_a_component():
    """Names, and all that refers to them: parameters, nodes and readings of the laws are those of the flat model."""
    model = fx.Model("inside", [fx.Instance("c", fx.Component("all", ONE_OF_EACH.items))], gravity=ONE_OF_EACH.gravity)
    inside, flat = lower(model), lower(ONE_OF_EACH)
    assert [node.name for node in inside.nodes[1:]] == [f"c.{node.name}" for node in flat.nodes[1:] if node.name]
    for term, outer in zip(flat.terms, inside.terms, strict=True):
        assert outer.name.replace("c.", "") == term.name
        assert repr(outer.parameters).replace("c.", "") == repr(term.parameters)
        assert (outer.nodes, outer.scalars) == (term.nodes, term.scalars)
        assert list(outer.reads) == [(f"c.{name}", count) for name, count in term.reads]
    assert fx.Model.from_text(model.to_text()) == model
    moved = fx.Instance("c", fx.Component("all", ONE_OF_EACH.items), position=(1, 2, 3))
    assert fx.Model("moved", [moved]).check(raise_errors=False).ok


def test_signals_are_found_by_ports_and_recorded_by_component(tmp_path):
    run = chain().dynamics(until=0.02, step=0.01, show=False, record=["b"], file=tmp_path / "chain.h5")
    assert {name.partition(".")[0] for name in run.names} <= {"time", "b", "energy"}
    assert np.array_equal(run["b.end.position"][:], run["b.lower.rod.end.position"][:])
    read = fx.Run(tmp_path / "chain.h5")
    assert read.model == chain()  # the components as they were given
    assert "a.upper.rod" in read.meta["flat_model"]
    assert fx.Model.from_text(read.meta["flat_model"]).items == chain().items


def test_the_tree_solver_takes_components_as_subsystems():
    from flexor.hierarchy.drawing import drawn
    from flexor.hierarchy.stepper import Tree
    from flexor.solve.prepare import compile_model

    lines = "\n".join(drawn(Tree(compile_model(chain()))))
    assert "a (2 bodies)  by a.hinge" in lines
    assert "b (2 bodies)  by b.hinge" in lines


def test_a_component_moves_with_its_place():
    """Turned by 90° about z and shifted: bodies, points on the ground, directions, sensors of motion."""
    rod = fx.RigidBody(
        "rod", *LINK, position=(0.5, 0, 0), velocity=(0, 0.1, 0), orientation={"axis": "x", "angle": 0.3}
    )
    parts = [
        rod,
        fx.Prismatic("slide", fx.ground, "rod", at=(0.5, 0, 0), axis="y"),
        fx.AxialSpring("spring", fx.ground.at(0, 1, 0), rod, stiffness=100),
        fx.PointForce("push", rod, direction="y", force="3 - 2*far"),
        fx.Sensor("far", "rod.position_y"),
    ]
    made = fx.Component("slider", parts)
    turn = {"axis": "z", "angle": "90 deg"}
    there = fx.Model("there", [fx.Instance("s", made, position=(1, 2, 3), orientation=turn)])
    here = fx.Model("here", parts)
    assert there["s.rod"].position == pytest.approx((1, 2.5, 3))
    assert there["s.spring"].a.at == pytest.approx((0, 2, 3))
    assert there["s.push"].direction == pytest.approx((-1, 0, 0))
    runs = [model.dynamics(until=0.1, step=0.01, show=False) for model in (here, there)]
    moved = runs[1]["s.rod.position"][:]
    assert moved[:, 0] == pytest.approx(1 - runs[0]["rod.position_y"][:], abs=1e-12)
    assert runs[1]["s.far.value"][:] == pytest.approx(runs[0]["far.value"][:], abs=1e-12)
    assert np.ptp(moved[:, 0]) > 1e-3


def test_bodies_without_a_place_stand_where_their_component_does():
    chained = fx.Component(
        "free",
        [
            fx.RigidBody("one", *LINK),
            fx.RigidBody("two", *LINK),
            fx.Revolute("pin", fx.MarkerRef(body="one", at=(1, 0, 0)), "two", axis="z"),
        ],
    )
    model = fx.Model("m", [fx.Instance("f", chained, position=(0, 0, 5))])
    placed = model.check().placement
    assert placed.poses["f.one"].p == pytest.approx((0, 0, 5))
    assert placed.poses["f.two"].p == pytest.approx((1, 0, 5))


def test_gears_find_joints_in_components():
    wheel = fx.Component("wheel", [fx.RigidBody("disc", *LINK), fx.Revolute("axle", fx.ground, "disc", axis="z")])
    gear = fx.Gear("gear", "a.axle", "b.axle.angle", ratio=2)
    train = fx.Component("train", [fx.Instance("a", wheel), fx.Instance("b", wheel, position=(1, 0, 0)), gear])
    model = fx.Model("m", [fx.Instance("train", train)])
    assert [(each.joint, each.variable) for each in model["train.gear"].couples] == [
        ("train.a.axle", "angle"),
        ("train.b.axle", "angle"),
    ]
    model.check()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"lower.rod.mas": 2}, "values.lower.rod.mas: body 'rod' has no field 'mas'; did you mean 'mass'?"),
        ({"lowr.rod.mass": 2}, "values.lowr.rod.mass: component 'pair' has no 'lowr'; did you mean 'lower'?"),
        ({"lower": 2}, "values.lower: 'lower' is a component; name a field in it"),
        ({"mass": "2 m"}, "values.mass: mass = '2 m': m is not a unit of this dimension"),
        ({"spring.name": "b"}, "values.spring.name: spring 'spring' has no field 'name'"),
        ({"spring": 3}, "values.spring: no field is named"),
    ],
)
def test_values_that_lead_nowhere_are_told(values, message):
    with pytest.raises(ModelError) as told:
        fx.Model("m", [fx.Instance("a", pair(), values=values)])
    assert f"component 'a': {message}" in str(told.value)


def test_values_inside_a_model_are_changed_by_path():
    model = chain().with_values({"b.upper.rod.position.2": 0.1, "a.stiffness": 5, "pin.axis": "z", "b.mass": "3 kg"})
    assert model["b.upper.rod"].position == (2.5, 0, 0.1)
    assert model["a.spring"].stiffness == 5
    assert model["pin"].axis == (0, 0, 1)
    assert model["b.upper.rod"].mass == model["b.lower.rod"].mass == 3
    assert model.source  # still one of components
    with pytest.raises(ModelError, match=r"model 'chain': a\.sprin\.stiffness: component 'pair' has no 'sprin'"):
        chain().with_values({"a.sprin.stiffness": 5})


def sprung() -> fx.Component:
    """A block on a spring whose stiffness has two names."""
    block = fx.RigidBody("block", 1, 0.1, position=(0, 0, 0))
    slide = fx.Prismatic("slide", fx.ground, block, at=(0, 0, 0), axis="z")
    names = {"k": "spring.stiffness", "rate": "spring.stiffness"}
    return fx.Component("sprung", [block, slide, fx.JointSpring("spring", "slide", stiffness=1)], parameters=names)


def test_what_is_given_last_holds_by_whatever_name():
    deep = fx.Component("deep", [fx.Instance("in", sprung(), values={"k": 2})], parameters={"all": "in.k"})
    model = fx.Model("m", [fx.Instance("x", deep, values={"in.spring.stiffness": 3})])
    assert model["x.in.spring"].stiffness == 3
    for number, name in enumerate(("x.all", "x.in.spring.stiffness", "x.in.rate", "x.in.k", "x.all"), start=4):
        model = model.with_values({name: number})
        assert model["x.in.spring"].stiffness == number


@pytest.mark.parametrize(
    ("values", "lost"),
    [
        ({"k": 5, "spring.stiffness": 7}, "k"),
        ({"k": 5, "rate": 6}, "k"),
        ({"block.inertia.0": 0.2, "block.inertia": 0.1}, "block.inertia.0"),
    ],
)
def test_a_value_that_another_one_undoes_is_refused(values, lost):
    with pytest.raises(ModelError, match=rf"values\.{lost}: it sets .*, as other values here do; give one of them"):
        fx.Model("m", [fx.Instance("x", sprung(), values=values)])
    deep = fx.Component("deep", [fx.Instance("in", sprung())])
    with pytest.raises(ModelError, match=rf"values\.in\.{lost}: it sets in\."):
        fx.Model("m", [fx.Instance("x", deep, values={f"in.{path}": value for path, value in values.items()})])


def test_values_that_fit_only_together_are_put_in_together():
    values = {"block.inertia.0": 0.6, "block.inertia.1": 0.6}  # 0.6, 0.1, 0.1 would be no body
    model = fx.Model("m", [fx.Instance("x", sprung(), values=values)])
    assert model["x.block"].inertia == (0.6, 0.6, 0.1)
    deep = fx.Component("deep", [fx.Instance("in", sprung())])
    outer = fx.Instance("x", deep, values={f"in.{path}": value for path, value in values.items()})
    assert fx.Model("m", [outer])["x.in.block"].inertia == (0.6, 0.6, 0.1)


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("sprung.stiffness", "has no 'sprung'; did you mean 'spring'"),
        ("spring.stifness", "has no field 'stifness'; did you mean 'stiffness'"),
        ("spring", "no field is named"),
        ("in.block.mas", "has no field 'mas'"),
        ("in.rat", "has no 'rat'; did you mean"),
    ],
)
def test_parameters_of_nothing_are_told_though_nobody_gives_them(target, why):
    inner = fx.Instance("in", sprung())
    part = fx.Component("part", [*sprung().items, inner], parameters={"good": ["in.rate", "spring.stiffness"]})
    fx.Model("m", [fx.Instance("x", part)])
    with pytest.raises(ModelError, match=f"parameter bad = {target}: .*{why}"):
        fx.Model("m", [fx.Instance("x", part.replace(parameters={"bad": target}))])


def test_no_component_is_called_ground():
    with pytest.raises(ModelError, match="component 'ground': its name is taken"):
        fx.Model("m", [fx.Instance("ground", sprung())])


def test_ports_on_the_ground_move_with_their_component():
    rod = fx.RigidBody("rod", 1, 0.1, position=(0, 0, 0))
    stand = fx.Component("stand", [rod], ports={"anchor": fx.ground.at(0.1, 0, 0)})
    turned = fx.Instance("in", stand, position=(0, 2, 0), orientation={"axis": "z", "angle": "90 deg"})
    inner = fx.Fixed("hold", "in.anchor", "in.rod")
    outer = fx.Component("outer", [turned, inner], ports={"anchor": turned["anchor"]})
    ball = fx.RigidBody("ball", 1, 0.1)
    placed = fx.Instance("it", outer, position=(0, 0, 3))
    model = fx.Model("m", [placed, ball, fx.Spherical("pin", placed["anchor"], ball.at(-0.5, 0, 0))])
    for joint in (model["pin"], model["it.hold"]):
        assert joint.a.body == "ground"
        assert np.allclose(joint.a.at, (0, 2.1, 3), atol=1e-14)


def test_an_item_inside_is_replaced_in_the_flat_model():
    spring = chain()["a.spring"].replace(stiffness=7)
    model = chain().with_item(spring)
    assert model["a.spring"].stiffness == 7
    assert not model.source
    assert chain().with_item(fx.JointSpring("hold", "pin", stiffness=1)).source
    assert [item.name for item in chain().without("a.brake").items] == [
        item.name for item in chain().items if item.name != "a.brake"
    ]


@pytest.mark.parametrize(
    ("port", "message"),
    [
        ("en", "b = a.en: component 'a' has no port 'en'; did you mean 'end'?"),
        ("rod.tip", "body 'a.rod' has no marker 'tip'"),
    ],
)
def test_missing_ports_are_told(port, message):
    a = fx.Instance("a", link())
    with pytest.raises(ModelError) as told:
        fx.Model("m", [a, fx.Revolute("pin", fx.ground, a[port], axis="y")]).check()
    assert message in str(told.value)


def test_ports_of_nothing_are_told():
    rod = fx.RigidBody("rod", *LINK)
    for ref, message in (("rod.tip", "body 'rod' has no marker 'tip'"), ("rot", "there is no body 'rot'")):
        made = fx.Component("link", [rod], ports={"end": ref})
        with pytest.raises(ModelError, match=message):
            fx.Model("m", [fx.Instance("a", made)])


def test_names_of_components_are_taken():
    items = [fx.Instance("a", link()), fx.RigidBody("a", *LINK)]
    with pytest.raises(
        ModelError, match=r"its name is that of a component; 'a\.rod' stands in a component of that name"
    ):
        fx.Model("m", items).check()
    with pytest.raises(ModelError, match="its name is given twice"):
        fx.Model("m", [fx.Instance("a", fx.Component("c", [fx.RigidBody("b", *LINK)] * 2))])


def test_components_that_multiply_are_refused():
    made = link()
    for level in range(12):
        made = fx.Component(f"level{level}", [fx.Instance(name, made) for name in "abcdef"])
    with pytest.raises(ModelError, match="component 'all': it has 2,176,782,336 items; at most 200,000 are read"):
        fx.Model("m", [fx.Instance("all", made)])


def test_a_component_cannot_come_and_go():
    with pytest.raises(ModelError, match="component 'a' cannot come and go"):
        fx.Model("m", [], at_rest=[fx.Instance("a", link())])


def test_mistakes_inside_are_component_errors():
    with pytest.raises(ModelError) as told:
        fx.Model("m", [fx.Instance("a", pair(), values={"x": 1}), fx.Instance("b", pair(), values={"y": 1})])
    assert len(told.value.problems) == 2
    assert issubclass(ComponentError, ModelError)
