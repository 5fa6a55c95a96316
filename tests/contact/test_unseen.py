"""Overlaps that a contact does not see are told, by the start's check, by runs and by equilibria; what it sees is not."""

from __future__ import annotations

import ctypes
import warnings
from functools import cache

import numpy as np
import pytest

import flexor as fx
from flexor.contact import contact, contacts
from flexor.contact.approach import distances_of, pair_of, records_of, sizes_of
from flexor.contact.approach.pair import SurfacePair
from flexor.contact.unseen.curves import PIECE, curves_of
from flexor.contact.unseen.look import floor_of, look_along, on_curve
from flexor.contact.unseen.looked import looked_at
from flexor.explicit import tables
from flexor.law.compile import compiled
from flexor.law.record import Record, integer, number, tail
from flexor.law.tuples import mat, vec
from flexor.results.sunk import UnseenOverlap
from flexor.spatial import Pose, exp_so3
from tests.contact.solids import BARREL, CAM, TETRAHEDRON

L_SECTION = [(-0.3, -0.3), (0.5, -0.3), (0.5, -0.1), (-0.1, -0.1), (-0.1, 0.5), (-0.3, 0.5)]
ROUND = fx.Extruded(fx.Profile.circle(0.4), 0.6)
SHAPES = {
    "box": fx.Box(1, 0.8, 0.6),
    "cylinder": fx.Cylinder(0.3, 1.0),
    "cone": fx.Cone(0.5, 0.9, top=0.1),
    "tip": fx.Cone(0.5, 0.9, top=0.0),
    "barrel": fx.Revolved(BARREL),
    "cam": fx.Extruded(CAM, 0.6),
    "angle": fx.Extruded(fx.Profile(L_SECTION, kind="lines", closed=True), 0.8),
    "tetrahedron": TETRAHEDRON,
}


@pytest.mark.parametrize("name", SHAPES)
def test_edges_are_on_the_surface(name):
    """Every piece of an edge, by the distance from the solid itself."""
    shape = SHAPES[name]
    curves = curves_of(shape)
    distance = distances_of(shape, fx.Sphere(1.0))[0]
    size = records_of(shape, fx.Sphere(1.0))[0](sizes_of(shape, fx.Sphere(1.0))[0].words)
    for i in range(len(curves)):
        for share in (0.0, 0.3, 0.5, 1.0):
            at = on_curve(curves.ravel(), i, share * curves[i, 9])
            assert distance(size, at)[0] == pytest.approx(0.0, abs=1e-5)
    assert curves.shape[1] == PIECE


def test_depth_of_crossing_edges():
    """A bar across the end of another one: no corner is within it, but its edges are, by 1 mm."""
    bar = fx.Box(1.0, 0.1, 0.1)
    (from_a, from_b), records = distances_of(bar, bar), records_of(bar, bar)
    a, b = (record(size.words) for record, size in zip(records, sizes_of(bar, bar), strict=True))
    edges = curves_of(bar)
    look = look_along(from_a, from_b)
    across = exp_so3(np.array([0.0, 0.0, np.pi / 2]))
    for gap in (-1e-3, -1e-5):
        p = np.array([0.02, 0.03, 0.1 + gap])
        d = look(a, b, edges.ravel(), len(edges), edges.ravel(), len(edges), tuple(p), tuple(across.ravel()), -1e-7)
        assert d == pytest.approx(gap, rel=1e-6)
    far = look(
        a, b, edges.ravel(), len(edges), edges.ravel(), len(edges), (0.0, 0.0, 0.3), tuple(np.eye(3).ravel()), -1e-7
    )
    assert -1e-7 < far <= 0.2


def test_what_is_seen_is_not_told():
    """Pairs that see all of each other are not looked at; those that are looked at tell nothing where they touch as they should."""
    for a, b in (("box", "cylinder"), ("cylinder", "cone"), ("box", "angle"), ("tetrahedron", "angle")):
        assert looked_at(SHAPES[a], SHAPES[b]).look is None
    cylinder = SHAPES["cylinder"]
    looked = looked_at(ROUND, cylinder)
    a, b = (
        record(size.words) for record, size in zip(records_of(ROUND, cylinder), sizes_of(ROUND, cylinder), strict=True)
    )
    pair = pair_of(ROUND, cylinder)
    for depth in (-1e-3, 1e-5, 1e-3):
        X = Pose(np.array([0.0, 0.4 + 0.3 - depth, 0.1]), np.eye(3))
        told = min(pair.function(a, b, tuple(X.p), tuple(X.R.ravel()), k)[0] for k in range(pair.places))
        assert told == pytest.approx(-depth, abs=1e-9)
        assert looked.unseen(a, b, X, told) == 0.0
        assert looked.unseen(a, b, X, 1.0) == (pytest.approx(depth, rel=1e-6) if depth > 1e-4 else 0.0)


@cache
def _blind(function):
    """An approach that sees nothing but what is apart."""

    def approach(a, b, p, R, k):
        g, n, x = function(a, b, p, R, k)
        return max(g, 1e-6 + 0.0 * g), n, x

    return approach


@pytest.fixture
def blind(monkeypatch):
    """Contacts see no overlap."""

    def pair(*args):
        found = pair_of(*args)
        return SurfacePair(_blind(found.function), found.places)

    for module in (contact, contacts, tables):
        monkeypatch.setattr(module, "pair_of", pair)


def falling(height=0.7, many=False):
    """A cylinder over a round prism; both along z."""
    roller = fx.RigidBody(
        "roller", mass=1.0, inertia=(0.1,) * 3, shapes=[SHAPES["cylinder"]], position=(0, height, 0.05)
    )
    touch = fx.Contact("touch", fx.ground.surface(ROUND), "roller", fx.Penalty(1e5))
    if many:
        touch = fx.Contacts("touch", [roller], fx.Penalty(1e5), walls=[fx.ground.surface(ROUND)])
    return fx.Model("falling", [roller, touch], gravity=(0, -9.81, 0))


def test_runs_tell_what_is_unseen(blind):
    with pytest.warns(
        UnseenOverlap, match=r"contact 'touch': its surfaces overlapped by 0\.\d+ m where it does not see"
    ):
        run = falling(0.72).dynamics(until=0.2, step=0.005, show=False)
    # it has fallen 0.196 m, and was 0.02 m above
    assert 0.1 < run["touch.unseen"][-1] < 0.2
    assert run["touch.deepest"][-1] == 0.0


def test_the_explicit_solver_tells_it_too(blind):
    with pytest.warns(UnseenOverlap, match="contact 'touch'"):
        run = falling(0.72, many=True).dynamics(until=0.2, output=0.01, solver="explicit", show=False)
    assert 0.05 < run["touch.unseen"][-1] < 0.2


def test_few_pairs_tell_it_too(blind):
    with pytest.warns(UnseenOverlap, match="contact 'touch'"):
        falling(0.72, many=True).dynamics(until=0.2, step=0.005, show=False)


def test_check_tells_it(blind):
    told = [str(each) for each in falling(0.69).check()]
    assert any("overlap by 0.01 m at the start where the contact does not see it" in each for each in told)


def test_nothing_is_told_of_what_is_seen():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = falling(0.72).dynamics(until=0.2, step=0.005, show=False)
    assert run["touch.unseen"][-1] == 0.0
    assert run["touch.deepest"][-1] > 1e-3


class Case(Record):
    """Two surfaces as they stand."""

    places = integer("at how many they may touch")
    slack = number("overlap that may be unseen", "m")
    count_a = integer("pieces of edges")
    count_b = integer("likewise")
    size_a = tail("numbers of a")
    size_b = tail("numbers of b")
    edges_a = tail("edges of a")
    edges_b = tail("edges of b")
    pose = tail("origin and axes of b")


class Meeting:
    """(least gap that is told, distance of the deepest edge) of two shapes at a pose, compiled."""

    def __init__(self, a, b):
        pair, sizes, looked = pair_of(a, b), sizes_of(a, b), looked_at(a, b)
        (of_a, of_b), approach, look = records_of(a, b), pair.function, looked.look

        def run(p, x, out):
            case, best = Case(p), 1e300
            A, B, at, R = of_a(case.size_a), of_b(case.size_b), vec(case.pose, 0), mat(case.pose, 3)
            for k in range(case.places):
                best = min(best, approach(A, B, at, R, k)[0])
            floor = floor_of(case.slack, best)
            out[0] = best
            out[1] = look(A, B, case.edges_a, case.count_a, case.edges_b, case.count_b, at, R, floor)
            return 0

        self.call = compiled(run, "evaluator").ctypes
        self.words = np.array(
            Case.pack(
                places=int(pair.places), size_a=sizes[0].words, size_b=sizes[1].words, pose=np.full(12, 7.77), **looked.parameters
            ).words
        )  # fmt: skip
        self.first, self.out = int(np.argmax(self.words == 7.77)), np.zeros(2)
        self.slack = looked.parameters["slack"]

    def __call__(self, p, R):
        self.words[self.first : self.first + 12] = [*p, *R.ravel()]
        pointer = ctypes.POINTER(ctypes.c_double)
        self.call(self.words.ctypes.data_as(pointer), 0.0, self.out.ctypes.data_as(pointer))
        return self.out[0], self.out[1]


def standing(rng):
    """Axes in any direction, and others nearly along those of the other body; a way towards it, and an offset beside that."""
    tilt = rng.choice([0.0, 1e-9, 1e-6, 1e-4, 3e-3, 0.02, 0.1]) * rng.normal(size=3)
    R = exp_so3(3 * rng.normal(size=3))
    if rng.random() < 0.7:
        quarters = [exp_so3(0.5 * np.pi * rng.integers(4) * np.eye(3)[rng.integers(3)]) for _ in range(2)]
        R = exp_so3(tilt) @ quarters[0] @ quarters[1]
    way = rng.normal(size=3) if rng.random() < 0.5 else np.eye(3)[rng.integers(3)] * rng.choice([-1, 1])
    return R, way / np.linalg.norm(way), rng.uniform(-0.5, 0.5, 3) * rng.choice([0, 1, 1])


@pytest.mark.parametrize(("solid", "frustum"), [("angle", "cylinder"), ("angle", "cone"), ("cam", "cylinder")])
def test_frusta_are_seen_by_prisms(solid, frustum):
    """Cylinders and cones that come near from everywhere, apart, touching and 1 % of their size within: flush ends, edges, outer and inner corners."""
    meeting, rng, missed = Meeting(SHAPES[solid], SHAPES[frustum]), np.random.default_rng(7), 0
    for _ in range(150):
        R, way, off = standing(rng)
        low, high = 0.0, 3.0
        for _ in range(45):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if min(meeting(off + middle * way, R)) > 0.0 else (middle, high)
        for deep in (1e-3, 1e-2):
            told, edges = meeting(off + (high - deep) * way, R)
            missed += edges < floor_of(meeting.slack, told)
    assert missed <= 1  # of 300; several times as many before flush ends and outer corners were followed
