"""Contact among many surfaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from flexor.bodies.marker import MarkerRef, Site, SurfaceRef
from flexor.bodies.shape import Plane, Shape, Sphere
from flexor.contact.approach import pair_of, records_of, sizes_of
from flexor.contact.approach.limits import refusal
from flexor.contact.broad.boxes import boxes, reach_of
from flexor.contact.broad.near_pairs import NearPairs
from flexor.contact.contact import Contact, on_and_shape
from flexor.contact.contact_friction import ContactFriction, coefficient_alone
from flexor.contact.every_pair import joined_term
from flexor.contact.normal_laws import AnyNormalLaw, Hertz, NormalLaw
from flexor.contact.surfaces import SURFACES
from flexor.contact.tally import TALLY_SIGNALS, Tally
from flexor.declaration import Item
from flexor.dotted import NAME
from flexor.effects import Doubt
from flexor.errors import ModelError, Problem
from flexor.joints.surroundings import Surroundings
from flexor.law import ENERGY, OUTPUT, RESIDUAL, Term, law
from flexor.law.record import Record, integer
from flexor.spatial import Pose

Given = MarkerRef | SurfaceRef | str | dict[str, Any]


ENDLESS = 1e150
"""Reach of what has no end [m]."""
MOST_PAIRS = 500
"""Pairs of surfaces every one of which is looked at, where the solver does not find those that are near."""


class Adding(Record):
    """Parameters of a tally."""

    found = integer("1: the solver finds the pairs")


@law(
    Adding,
    history=Tally,
    errors={1: "its pairs are found by the explicit solver alone"},
    outputs=TALLY_SIGNALS,
    tangent="own",
)
def tally_law(want, p, now, out):
    """What a solver has added up that finds the pairs itself; nobody else may ask for forces."""
    if want & RESIDUAL and p.found == 0:
        return 1
    h, w = now.h, out.w
    if want & OUTPUT:
        w[0], w[1], w[2], w[3] = h.normal_force, h.friction_force, h.touching, h.sticking
        w[4], w[5], w[6], w[7] = h.depth, h.deepest, h.power, h.unseen
    if want & ENERGY:
        w[2] = h.stored  # what is lost is told by `loss`
    return 0


@dataclass(frozen=True)
class ManySurfaces:
    """What touches what: the surfaces of an item with their places, each of which may touch each other one and every wall.

    n_free: how many of them are no walls.
    """

    name: str
    shapes: tuple[Any, ...]
    sites: tuple[Site, ...]
    n_free: int
    law: NormalLaw
    friction: ContactFriction

    @property
    def n_pairs(self) -> int:
        """How many pairs there are, near or far."""
        return self.n_free * (self.n_free - 1) // 2 + self.n_free * (len(self.shapes) - self.n_free)

    @property
    def few(self) -> bool:
        """Whether every two of them can be looked at."""
        return self.n_pairs <= MOST_PAIRS

    @property
    def tally(self) -> Term:
        """The term that adds up what a solver finds."""
        return self._term(True)

    @property
    def refused(self) -> Term:
        """A term that tells that they are too many."""
        return self._term(False)

    def _term(self, found: bool) -> Term:
        parameters = Adding.pack(found=int(found))
        return Term(self.name, tally_law, parameters=parameters, history=Tally.begin(), loss="loss", many=self)


class Contacts(Item):
    """Many surfaces, each of which may touch each other one and every wall; which are near each other is found while the run goes on.

    Each surface is a shape at a marker; if the shape is left out, the only one of the body. Walls do not touch each other.

    Signals: normal_force and friction_force [N], summed over all pairs; touching and sticking, at how many places; the depth [m] of the
    deepest overlap, and the deepest [m] so far; power [W] that is lost.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "surfaces", "law")
    noun: ClassVar[str] = "contact"
    type: Literal["contacts"] = "contacts"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"surfaces": ({"on": "crank", "shape": {"type": "sphere", "radius": "6 m"}}, {"on": "rod.tip", "shape": {"type": "sphere", "radius": "5 m"}}),
         "law": {"type": "penalty", "stiffness": 30.0}},
        {"surfaces": ("crank",), "walls": ("rod.tip",),
         "shapes": ({"type": "sphere", "radius": 6.0}, {"type": "sphere", "radius": 5.0, "at": (0.1, 0, 0.2)}),
         "law": {"type": "penalty", "stiffness": 30.0, "exponent": 1.5, "restitution": 0.6, "rest_speed": 20.0},
         "friction": {"coefficient": 0.4, "micro_slip": 30.0, "rolling": 0.1, "spinning": 0.2, "micro_turn": 50.0, "stribeck": 0.5, "slip_speed": 2.0}},
    )  # fmt: skip
    name: str = Field(description="Unique name of the contacts.", min_length=1, pattern=NAME)
    surfaces: tuple[MarkerRef, ...] = Field(
        description="Where the surfaces are, each of which may touch each other; with a shape {on: ball, shape: {type: sphere, radius: 10 mm}}.",
        min_length=1,
    )
    law: AnyNormalLaw = Field(description="Normal force of each pair: penalty, hertz or hertz_line.")
    friction: ContactFriction = Field(
        ContactFriction(), description="Friction of each pair; a number is its coefficient."
    )
    walls: tuple[MarkerRef, ...] = Field((), description="Where surfaces are that touch those, but not each other.")
    shapes: tuple[Shape | None, ...] = Field(
        (),
        description="Shape of each surface at its marker, then of each wall; where there is none, the only one of its body.",
    )

    @model_validator(mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        """surfaces: [{on: ball, shape: …}] is surfaces: [ball], shapes: […]"""
        if not isinstance(value, dict):
            return value
        value, shapes = dict(value), []
        for field in ("surfaces", "walls"):
            given = value.get(field)
            if not isinstance(given, list | tuple):
                continue
            found = [on_and_shape(f"{field}: one", each) for each in given]
            value[field] = [on for on, _ in found]
            shapes += [shape for _, shape in found]
        if any(shape is not None for shape in shapes):
            if value.get("shapes"):
                raise ValueError("surfaces and shapes both give shapes; leave shapes out")
            value["shapes"] = shapes
        return value

    @classmethod
    def stands(cls, field: tuple[str | int, ...], given: Mapping[str, Any]) -> tuple[str | int, ...]:
        """shapes.3.radius is surfaces.3.shape.radius, or that of a wall, if it was written so"""
        if len(field) < 2 or field[0] != "shapes" or "shapes" in given:
            return field
        number, count = int(field[1]), len(given["surfaces"])
        where = ("surfaces", number) if number < count else ("walls", number - count)
        return (*where, "shape", *field[2:])

    _friction = coefficient_alone()

    @model_validator(mode="after")
    def _is_whole(self) -> Contacts:
        count = len(self.surfaces) + len(self.walls)
        if self.shapes and len(self.shapes) != count:
            raise ValueError(
                f"shapes has {len(self.shapes)} members for {count} surfaces and walls; give null where the body has one shape"
            )
        if count < 2:
            raise ValueError("there is one surface alone, which cannot touch anything; give more surfaces, or walls")
        bodies = {ref.body for ref in (*self.surfaces, *self.walls)}
        if len(bodies) < 2:
            raise ValueError(
                f"all surfaces are on '{bodies.pop()}', which does not touch itself; give surfaces, or walls, of another body"
            )
        if (twice := self._twice()) is not None:
            raise ValueError(
                f"surface '{twice}' is there twice; all that touches it would be pressed twice as hard, leave one of them out"
            )
        return self

    def _twice(self) -> MarkerRef | None:
        """A surface, or wall, that equals another one."""
        seen: dict[object, list[Shape | None]] = {}
        for ref, shape in zip((*self.surfaces, *self.walls), self.shapes or repeat(None), strict=False):
            others = seen.setdefault((ref.body, ref.marker, ref.at), [])
            if shape in others:
                return ref
            others.append(shape)
        return None

    def unfit(self, shapes: Mapping[str, Sequence[Any]]) -> list[Doubt]:
        return self._found([shapes.get(ref.body, ()) for ref in (*self.surfaces, *self.walls)])[1]

    def _found(self, of_bodies: Sequence[Sequence[Any]]) -> tuple[list[Any], list[Doubt]]:
        """The shapes of all surfaces, and what is wrong with them."""
        refs, given = (*self.surfaces, *self.walls), self.shapes or (None,) * len(of_bodies)
        found: list[Any] = []
        problems: list[Doubt] = []
        for i, (ref, shape, of_body) in enumerate(zip(refs, given, of_bodies, strict=True)):
            field = "surfaces" if i < len(self.surfaces) else "walls"
            if shape is None and len(of_body) != 1:
                why = f"'{ref.body}' has {len(of_body) or 'none'}, so that it is not clear which one touches"
                fix = "write {on: ball, shape: {type: sphere, radius: 10 mm}}"
                problems.append(Doubt(f"surface '{ref}' has no shape", why, fix, field))
                continue
            found.append(of_body[0] if shape is None else shape)
            if type(found[-1]) not in SURFACES:
                known = ", ".join(surface.name for surface in SURFACES.values())
                problems.append(
                    Doubt(
                        f"a {found[-1].type} is not known as a surface of contact", "", f"choose one of {known}", field
                    )
                )
        return found, problems or self._pairs_unfit(found)

    def _pairs_unfit(self, shapes: Sequence[Any]) -> list[Doubt]:
        """Kinds that cannot touch each other, or not by this law."""
        free = len(self.surfaces)
        kinds = {(*_kind(shape), i < free): shape for i, shape in enumerate(shapes)}
        problems = []
        for (_, _, is_free), a in kinds.items():
            for (_, _, other_free), b in kinds.items():
                if not (is_free or other_free):
                    continue
                if a is b and sum(_kind(each) == _kind(a) for each in shapes[:free]) < 2:
                    continue
                if pair_of(a, b, getattr(self.law, "slices", 0)) is None:
                    problems.append(
                        Doubt(
                            f"a {a.type} cannot touch a {b.type}",
                            refusal(a, b),
                            "make one of them a wall, or leave it out",
                        )
                    )
                elif isinstance(self.law, Hertz) and self.law.radius is None and not isinstance(a, Sphere | Plane):
                    why = "of many pairs the curvatures are known for spheres and planes alone"
                    problems.append(
                        Doubt(f"Hertz's law with a {a.type}", why, "give radius, or use law: {type: penalty, …}", "law")
                    )
        return list(dict.fromkeys(problems))

    def many(self, around: Surroundings) -> ManySurfaces:
        """What the explicit solver needs to know."""
        shapes, problems = self._found(around.shapes)
        if problems:
            raise ModelError([Problem(f"contacts '{self.name}'", *each[:3]) for each in problems])
        return ManySurfaces(self.name, tuple(shapes), around.attached, len(self.surfaces), self.law, self.friction)

    def terms(self, around: Surroundings) -> list[Term]:
        many = self.many(around)
        if not many.few:
            return [many.refused]
        poses, weight = around.poses("now"), around.weight
        pairs = [self._pair(many, around, poses, weight, i, j) for i, j in self._pairs()]
        terms = [term for pair, one in pairs for term in pair.terms(one)]
        reach = [_reach(shape, site) for shape, site in zip(many.shapes, many.sites, strict=True)]
        return [joined_term(self.name, terms, [reach[i] + reach[j] for i, j in self._pairs()], many)]

    def _pairs(self) -> list[tuple[int, int]]:
        """Numbers of all two surfaces that may touch, walls first; those of one body do not."""
        refs, free = (*self.surfaces, *self.walls), len(self.surfaces)
        every = [(j, i) for i in range(free) for j in range(i + 1, len(refs))]
        return [(i, j) for i, j in every if refs[i].body != refs[j].body]

    def _pair(
        self, many: ManySurfaces, around: Surroundings, poses: Sequence[Pose], weight: float, i: int, j: int
    ) -> tuple[Contact, Any]:
        """The contact of two of the surfaces, and what it finds around it."""
        refs = (*self.surfaces, *self.walls)
        shapes = many.shapes[i], many.shapes[j]
        contact = Contact(
            self.name, refs[i], refs[j], self.law, friction=self.friction, shape_a=shapes[0], shape_b=shapes[1]
        )
        return contact, OfTwo(many.sites[i], many.sites[j], (poses[i], poses[j]), weight, around.mass_of, around.held)

    def doubts_at_start(self, around: Surroundings) -> list[Doubt]:
        """The pair that overlaps most, if that is much more than what all weight together would press into it."""
        many = self.many(around)
        refs, poses = (*self.surfaces, *self.walls), around.poses("now")
        placed = [
            X @ Pose(np.array(shape.at), SURFACES[type(shape)].axes(shape))
            for X, shape in zip(poses, many.shapes, strict=True)
        ]
        x, R = np.array([X.p for X in placed]), np.array([X.R for X in placed])
        deepest, worst, count = 0.0, (0, 0), 0
        for i, j in _overlapping(many.shapes, x, R):
            if i >= many.n_free or refs[i].body == refs[j].body:
                continue
            depth = -_gap(many, j, i, placed)
            count += depth > 0
            if depth > deepest:
                deepest, worst = depth, (j, i)
        if not count:
            return []
        pair, one = self._pair(many, around, poses, around.weight, *worst)
        found = [each for each in pair.doubts_at_start(one) if "overlap" in each.what]
        of = f"of {count} pairs that overlap at the start, '{refs[worst[1]]}' and '{refs[worst[0]]}' do so most: "
        return [Doubt(of + each.what, each.why, each.fix) for each in found]


class OfTwo(NamedTuple):
    """What a contact of two of many surfaces finds around it."""

    a: Site
    b: Site
    standing: tuple[Pose, Pose]
    weight: float
    mass_of: Callable[[str], float]
    held: Callable[[str], bool]
    shapes: tuple[tuple[Shape, ...], ...] = ((), ())

    def poses(self, when: str) -> tuple[Pose, Pose]:
        return self.standing


def _kind(shape: Any) -> tuple[type, bool]:
    """Shapes that are touched alike: of one type, from outside or from within."""
    return type(shape), getattr(shape, "inside", False)


def _overlapping(shapes: Sequence[Any], x: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Pairs whose boxes overlap, but spheres that are apart from each other or from a plane."""
    reach = reach_of(shapes)
    reach[[getattr(shape, "inside", False) for shape in shapes]] = np.inf  # what is hollow is all around
    pairs = NearPairs(len(shapes)).update(*boxes(reach, x, R))
    radius = np.array([shape.radius if isinstance(shape, Sphere) and not shape.inside else np.nan for shape in shapes])
    flat = np.array([isinstance(shape, Plane) for shape in shapes])
    i, j = pairs.T
    apart = np.linalg.norm(x[i] - x[j], axis=1) > radius[i] + radius[j]
    above = flat[j] & (np.einsum("nk,nk->n", x[i] - x[j], R[j, :, 2]) > radius[i])
    return pairs[~(apart | above)]


def _gap(many: ManySurfaces, i: int, j: int, placed: Sequence[Pose]) -> float:
    """Of two surfaces as they stand [m]; infinite if they cannot touch."""
    a, b, slices = many.shapes[i], many.shapes[j], getattr(many.law, "slices", 0)
    pair = pair_of(a, b, slices)
    if pair is None:
        return np.inf
    sizes = [record(size.words) for record, size in zip(records_of(a, b), sizes_of(a, b, slices), strict=True)]
    X = placed[i].inverse() @ placed[j]
    return float(min(pair.function(*sizes, tuple(X.p), tuple(X.R.ravel()), k)[0] for k in range(pair.places)))


def _reach(shape: Any, site: Site) -> float:
    """Distance from its node of the farthest point of a surface that may touch something; beyond all bounds of what has no end or is hollow [m]."""
    half = np.minimum(np.array(SURFACES[type(shape)].reach(shape), dtype=float), ENDLESS)
    if half.max() >= ENDLESS or getattr(shape, "inside", False):
        return ENDLESS
    own = shape.radius if isinstance(shape, Sphere) else float(np.linalg.norm(half))
    return own + float(np.linalg.norm(site.p_NM + site.R_NM @ np.array(shape.at)))
