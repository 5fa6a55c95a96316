"""What items find around them: sites on nodes, joints with their variables filled in, numbers, distances."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import flexor as fx
from flexor.joints.surroundings import Surroundings
from flexor.law import RESIDUAL
from flexor.model.placement import place
from flexor.model.surroundings import Around, Placed
from tests.laws.scene import Places, site

ARM = fx.RigidBody("arm", 1.0, 0.1, center_of_mass=(0.1, 0, 0), markers={"tip": (0.5, 0, 0)})
BOB = fx.PointMass("bob", 1.0, position=(0.5, 1.2, 0))
PIN = fx.Revolute("pin", fx.ground, ARM, axis="z")
SPRING = fx.AxialSpring("spring", ARM["tip"], BOB, stiffness=1.0)
MOTOR = fx.Motor("drive", "pin", speed=2.0)


def floor(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    if want & RESIDUAL:
        r[0] += x[0]


COIL = fx.UserLaw("coil", floor, on=[ARM, BOB], scalars={"charge": 0.3})


@pytest.fixture
def placed():
    items = (ARM, BOB, PIN, SPRING, MOTOR, COIL)
    return Placed(items, place(items), {"arm": (1, 0), "bob": (2, 0)}, {"coil": (4,)})


def test_the_helper_of_tests_offers_the_same():
    offers = {name for name, each in vars(Surroundings).items() if isinstance(each, property)}
    names = "a b site sites observer drawn scalars joint carrier length offset readings variables weight partners ends_drawn along path shapes attached"
    assert offers == set(names.split())
    assert offers <= set(dir(Places(site(1))))
    for name in offers:
        assert getattr(Surroundings, name).__doc__, f"say what {name} is"
        assert getattr(Around, name) is not getattr(Surroundings, name)


def test_ends_and_distance_of_a_spring(placed):
    around = Around(placed, SPRING)
    assert (around.a.node, around.b.node) == (1, 2)
    assert_allclose(around.a.p_NM, (0.4, 0, 0))  # from the centre of mass, where the node is
    assert around.length == pytest.approx(1.2)


def test_a_motor_acts_on_the_sites_of_its_joint(placed):
    around = Around(placed, MOTOR)
    assert (around.a.node, around.b.node) == (0, 1)
    assert_allclose(around.b.p_NM, (-0.1, 0, 0))
    assert around.joint.start == (0.0,)
    assert PIN.start is None


def test_a_motor_on_a_guide_finds_it_and_its_motion():
    sledge = fx.RigidBody("sledge", 1.0, 0.1, position=(1, 0, 0), velocity=(2, 0, 0), angular_velocity=(0, 0, 3))
    rail = fx.Guide("rail", [fx.ground, fx.ground.at(4, 0, 0)], sledge.at(0, 0.5, 0))
    motor = fx.Motor("drive", rail, speed=1.0)
    items = (sledge, rail, motor)
    placed = Placed(items, place(items), {"sledge": (1, 0)}, {})
    path, around = Around(placed, motor).path
    assert path is rail
    assert [each.node for each in around.along] == [0, 0]
    assert_allclose(around.velocities()[-1], (0.5, 0, 0, 0, 0, 3))  # v + ω × r
    assert rail.rate(around) == pytest.approx(0.5)


def test_a_law_with_scalars_of_its_own(placed):
    assert Around(placed, MOTOR).path is None
    around = Around(placed, COIL)
    assert [each.node for each in around.sites] == [1, 2]
    assert around.scalars == (4,)
    (term,) = placed.terms(COIL)
    assert term.nodes == (1, 2)
    assert term.scalars == (4,)


def test_what_does_not_belong_to_an_item_is_not_found(placed):
    with pytest.raises(AttributeError, match="joint"):
        _ = Around(placed, SPRING).joint
    assert np.all(Around(placed, COIL).sites[1].p_NM == 0)


def test_an_item_tells_what_it_binds():
    """Else nobody would know of its rows before the run."""

    class Silent(fx.Distance):
        binds = ()

        def terms(self, around):
            return fx.Distance("rod", self.a, self.b).terms(around)

    rod = Silent("rod", ARM.at(1, 0, 0), fx.ground.at(1, 2, 0))
    items = (ARM, rod)
    placed = Placed(items, place(items), {"arm": (1, 0)}, {})
    with pytest.raises(
        fx.LawError, match=r"'rod': its law has constraint rows \(length\) that Silent.binds does not name"
    ):
        placed.terms(rod)


def test_partners_in_a_joint_and_poses_as_drawn():
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, position=(1, 2, 3))
    pin = fx.Revolute("pin", fx.ground, arm, at=(1, 2, 3))
    first, second = (fx.JointSpring(name, "pin", stiffness=1) for name in ("first", "second"))
    mount = fx.Bushing("mount", fx.ground.at(1, 0, 0), arm, (1,) * 6)
    items = (arm, pin, first, second, mount)
    among = Placed(items, place(items), {"arm": (1, 0)}, {})
    assert Around(among, first).partners == (second,)
    a, b = Around(among, mount).ends_drawn
    assert_allclose(a.p, (1, 0, 0))
    assert_allclose(b.p, (1, 2, 3))


def test_markers_of_a_guide_and_its_slider(placed):
    guide = fx.Guide("rail", [ARM, ARM["tip"]], BOB)
    around = Around(placed, guide)
    assert [each.node for each in around.along] == [1, 1]
    assert around.b.node == 2
    assert_allclose(around.along[1].p_NM, (0.4, 0, 0))
    assert_allclose([pose.p for pose in around.poses("now")], [(0, 0, 0), (0.5, 0, 0), (0.5, 1.2, 0)])
