"""The parts of a model that have to fit, and that they know nothing of each other."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import flexor as fx
from flexor.model.tree import parts_with_loops


def body(name, **fields):
    return fx.RigidBody(name, 1.0, 0.1, **fields)


def slider_crank(i, **main):
    y = 0.5 * i
    crank, rod, piston = (body(f"{name}{i}") for name in ("crank", "rod", "piston"))
    return [
        crank, rod, piston,
        fx.Revolute(f"main{i}", fx.ground.at(0, y, 0), crank, axis="z", **main),
        fx.Revolute(f"pin{i}", crank.at(0.08, 0, 0), rod, axis="z"),
        fx.Revolute(f"wrist{i}", rod.at(0.3, 0, 0), piston, axis="z"),
        fx.Prismatic(f"bore{i}", fx.ground.at(0, y, 0), piston, axis="x"),
    ]  # fmt: skip


def four_bar(i, start):
    """Not closed with its joints at zero: it has to be brought together from wherever it is drawn."""
    a, b, c = (body(f"{name}{i}") for name in "abc")
    return [
        a, b, c,
        fx.Revolute(f"A{i}", fx.ground.at(0, 0, i), a, axis="z", start=start),
        fx.Revolute(f"B{i}", a.at(0.2, 0, 0), b, axis="z"),
        fx.Revolute(f"C{i}", b.at(0.6, 0, 0), c, axis="z"),
        fx.Revolute(f"D{i}", fx.ground.at(0.7, 0, i), c.at(0.5, 0, 0), axis="z"),
    ]  # fmt: skip


def chain(n):
    links = [body(f"link{i}") for i in range(n)]
    ends = [fx.ground.at(0, 0, 0), *(link.at(0.1, 0, 0) for link in links)]
    return [*links, *(fx.Revolute(f"hinge{i}", ends[i], link, axis="y", start=0.1) for i, link in enumerate(links))]


def names(part):
    return {item.name for item in part}


def test_a_chain_has_nothing_to_fit():
    assert parts_with_loops(chain(20)) == []


def test_each_mechanism_is_a_part_with_its_motor_and_trees_are_left_out():
    drive = fx.Motor("drive", "main2", speed=1)
    spring = fx.JointSpring("spring", "main1", stiffness=1)
    first, second = parts_with_loops([*slider_crank(1), *chain(3), spring, *slider_crank(2), drive])
    assert names(first) == names(slider_crank(1))
    assert names(second) == {*names(slider_crank(2)), "drive"}


def test_what_binds_two_mechanisms_makes_them_one():
    one, two = slider_crank(1), slider_crank(2)
    rod = fx.Distance("rod", one[0], two[0])
    (both,) = parts_with_loops([*one, *two, rod])
    assert len(both) == 15


@pytest.mark.parametrize("fields", [{"position": (0, 0, 0)}, {"velocity": (1, 0, 0)}])
def test_what_is_stated_of_the_end_of_a_chain_closes_a_loop_with_the_ground(fields):
    items = [item.replace(**fields) if item.name in ("link0", "link2") else item for item in chain(3)]
    assert len(parts_with_loops(items)) == 1


def test_mechanisms_start_as_if_they_were_alone():
    """Some closed as they are drawn, some led to their start, some brought together: to rounding the same in company."""
    mechanisms = [
        slider_crank(0),
        slider_crank(1, start="100 deg", start_rate=30),
        four_bar(2, "40 deg"),
        slider_crank(3, start="-170 deg"),
        four_bar(4, "200 deg"),
    ]
    together = fx.Model("all", [*chain(4), *(item for items in mechanisms for item in items)]).check()
    for items in mechanisms:
        # the same size, in which lengths are measured, by bodies that are bound to nothing
        ghosts = [body(f"ghost{i}", position=X.p) for i, X in enumerate(together.placement.poses.values())]
        alone = fx.Model("one", [*items, *ghosts]).check().placement
        for joint in (item for item in items if isinstance(item, fx.joints.Joint)):
            found, wanted = together.placement.joints[joint.name], alone.joints[joint.name]
            assert_allclose(found.values, wanted.values, atol=1e-9)
            assert_allclose(found.rates, wanted.rates, atol=1e-8)
            assert_allclose(found.X_WJa.p, found.X_WJb.p if joint.type == "revolute" else found.X_WJa.p, atol=1e-13)
    assert together.placement.joints["main3"].values[0] == pytest.approx(np.radians(-170), abs=1e-12)


def test_every_mechanism_that_cannot_be_is_told_and_does_not_hide_the_others():
    def contradictory(i):
        return [
            item.replace(start=0.1) if item.name.startswith("bore") else item for item in slider_crank(i, start=0.2)
        ]

    items = [*slider_crank(0, start=1), *contradictory(1), *slider_crank(2), *contradictory(3)]
    report = fx.Model("m", items).check(raise_errors=False)
    told = {problem.where for problem in report.problems}
    assert told == {"joint 'main1'", "joint 'bore1'", "joint 'main3'", "joint 'bore3'"}
    many = fx.Model("m", [item for i in range(13) for item in contradictory(i)]).check(raise_errors=False)
    assert len(many.problems) == 21
    assert "3 more of its mechanisms" in str(many.problems[-1])


def test_a_law_that_cannot_be_evaluated_leaves_only_its_own_mechanism_alone():
    """A motor's table that begins later: its run will say so; the other mechanism is closed."""
    late = fx.Motor("drive", "main1", position=fx.Table((1, 2), (0, 1), extrapolation="error"))
    report = fx.Model("m", [*slider_crank(1), late, *four_bar(2, "40 deg")]).check()
    state = report.placement.joints["D2"]
    assert_allclose(state.X_WJa.p, state.X_WJb.p, atol=1e-13)
