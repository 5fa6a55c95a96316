"""Contact of two surfaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.bodies.marker import MarkerRef, Site, SurfaceRef
from flexor.bodies.shape import Plane, Sphere, Stl
from flexor.bodies.side import AnySurface, Side
from flexor.contact.approach import cut_of, extent_along, pair_of, records_of, sizes_of
from flexor.contact.approach.limits import left_out, lies_along, refusal, tilted
from flexor.contact.approach.polyhedra.pairs import faceted_by
from flexor.contact.contact_friction import ContactFriction, coefficient_alone
from flexor.contact.curvature import above, curved, relative_curvatures
from flexor.contact.deformable.moving_contact import check_sides, check_slices, moving_terms
from flexor.contact.laws.normal import Stiffness
from flexor.contact.laws.patch import follow
from flexor.contact.lightness import lightness
from flexor.contact.normal_laws import AnyNormalLaw
from flexor.contact.strange_numbers import strange_numbers
from flexor.contact.surfaces import SURFACES, Surface
from flexor.contact.touch import Touch
from flexor.contact.touch_law import TouchRecord, touch_law
from flexor.contact.unseen import INSTEAD, looked_at
from flexor.coordinates.frames import Frame, packed
from flexor.declaration import Item
from flexor.dotted import NAME
from flexor.effects import Doubt
from flexor.errors import ModelError, Problem
from flexor.joints.surroundings import Surroundings
from flexor.law import Term
from flexor.law.record import Packed
from flexor.mesh.likely_units import LARGEST_PART
from flexor.spatial import Pose

OVERLAP = 10.0
"""Depth at the start, in depths under the weight of all bodies, that is not meant."""

ENDLESS = 1e30
"""Reach of a surface without end [m]."""

TILTED = np.radians(1.0)
"""Angle between the axes of prisms that is told [rad]."""

EVENLY_CURVED = (Sphere, Plane)
"""Shapes that are curved in the same way wherever, and however turned, they are touched."""


def on_and_shape(what: str, given: Any) -> tuple[Any, Any]:
    """Marker and shape, or None, of what is given as a surface: a marker, or {on: ball, shape: …}; ValueError, which begins with `what`, if it is neither."""
    if isinstance(given, SurfaceRef):
        return given.on, given.shape
    if not isinstance(given, dict) or "on" not in given:
        return given, None
    if set(given) - {"on", "shape"}:
        raise ValueError(f"{what} is no surface; write {{on: ball, shape: {{type: sphere, radius: 10 mm}}}}")
    return given["on"], given.get("shape")


class Contact(Item):
    """Two surfaces that press on each other where they overlap, and rub.

    Each surface is a shape at a marker; if the shape is left out, the only one of the body. Steps are shortened where the surfaces meet, so
    that they neither pass through each other nor leap over the time of an impact.

    Signals: normal_force, friction_force, force_x, force_y, force_z [N] on b in the axes of marker a, gap [m] (negative where they overlap), deepest [m]
    approach so far, slip [m/s], sticks (1 or 0), power [W] that is lost, point_x, point_y, point_z [m] of contact, from marker a in its axes, and of rigid surfaces unseen [m],
    the deepest overlap so far that the contact does not see.
    With Hertz's laws also pressure [Pa], the highest, and semi_major, semi_minor [m] of the ellipse there (of a line half the length that carries and the half width); not with sides of
    bodies that deform.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "a", "b", "law")
    noun: ClassVar[str] = "contact"
    type: Literal["contact"] = "contact"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "hit", "a": {"on": "crank", "shape": {"type": "sphere", "radius": "6 m"}},
         "b": {"on": "rod.tip", "shape": {"type": "sphere", "radius": "5 m"}}, "law": {"type": "penalty", "stiffness": 30.0}},
        {"a": "crank", "shape_a": {"type": "sphere", "radius": 6.0}, "b": "rod.tip", "shape_b": {"type": "sphere", "radius": 5.0},
         "law": {"type": "penalty", "stiffness": 30.0, "exponent": 1.5, "restitution": 0.6, "rest_speed": 20.0},
         "friction": {"coefficient": 0.4, "micro_slip": 30.0, "rolling": 0.1, "spinning": 0.2, "micro_turn": 50.0, "stribeck": 0.5, "slip_speed": 2.0}},
        {"a": "rod.tip", "shape_a": {"type": "plane", "normal": (0.1, 0.3, 1), "at": (0.0, 0.1, 2.5)}, "b": "crank",
         "shape_b": {"type": "sphere", "radius": 9.0},
         "law": {"type": "penalty", "stiffness": 30.0, "damping": 0.1},
         "friction": {"coefficient": 0.4, "model": "smooth", "smooth_speed": 1.5, "rolling": 0.1, "spinning": 0.2, "smooth_spin": 1.0}},
        {"a": "crank", "shape_a": {"type": "sphere", "radius": 6.0}, "b": "rod.tip", "shape_b": {"type": "sphere", "radius": 5.0, "at": (0.1, 0, 0.2)},
         "law": {"type": "hertz", "material": {"type": "isotropic", "young": "1 kPa", "poisson": 0.3}}},
    )  # fmt: skip
    name: str = Field(description="Unique name of the contact.", min_length=1, pattern=NAME)
    a: MarkerRef = Field(
        description="Where the first surface is; with its shape {on: ball, shape: {type: sphere, radius: 10 mm}}."
    )
    b: MarkerRef = Field(description="Where the second surface is, likewise.")
    law: AnyNormalLaw = Field(description="Normal force: penalty, hertz or hertz_line.")
    friction: ContactFriction = Field(ContactFriction(), description="Friction; a number is its coefficient.")
    shape_a: AnySurface | None = Field(
        None,
        description="Shape of the first surface, at its marker; the only one of its body if left out. Or a side of a body that deforms, "
        "{type: side, side: outer}, over which the contact moves.",
    )
    shape_b: AnySurface | None = Field(None, description="Shape of the second surface, likewise.")

    @model_validator(mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        """a: {on: ball, shape: …} is a: ball, shape_a: …"""
        if not isinstance(value, dict):
            return value
        value = dict(value)
        for end in "ab":
            if end not in value:
                continue
            value[end], shape = on_and_shape(f"{end}: it", value[end])
            if shape is not None:
                if value.get(f"shape_{end}") is not None:
                    raise ValueError(f"{end} and shape_{end} both give a shape; leave one of them out")
                value[f"shape_{end}"] = shape
        return value

    @classmethod
    def stands(cls, field: tuple[str | int, ...], given: Mapping[str, Any]) -> tuple[str | int, ...]:
        """shape_a.radius is a.shape.radius, if it was written so"""
        end = str(field[0])[-1:] if field and field[0] in ("shape_a", "shape_b") else ""
        return (end, "shape", *field[1:]) if end and field[0] not in given else field

    _friction = coefficient_alone()

    @model_validator(mode="after")
    def _is_known(self) -> Contact:
        for shape in (self.shape_a, self.shape_b):
            if shape is not None and not isinstance(shape, Side):
                _surface(shape)
        for end in self.over_surfaces:
            if str(getattr(self, end)) != getattr(self, end).body:
                raise ValueError(f"{end}: a side belongs to the whole body; write {end}: {getattr(self, end).body}")
        if self.over_surfaces:
            check_sides(self.shape_a, self.shape_b)
            check_slices(self.law, self.shape_a, self.shape_b)
        elif self.shape_a is not None and self.shape_b is not None:
            self._check_pair(self.shape_a, self.shape_b)
        return self

    @property
    def over_surfaces(self) -> tuple[str, ...]:
        return tuple(end for end in "ab" if isinstance(getattr(self, f"shape_{end}"), Side))

    @property
    def slices(self) -> int:
        """Into how many a surface is cut for line contact; 0: as many places as the surfaces have."""
        return getattr(self.law, "slices", 0)

    @property
    def lines(self) -> bool:
        """Whether surfaces that lie along each other touch at both ends of their line: with a stiffness that is given."""
        return not self.law.elastic

    def _check_pair(self, a: Any, b: Any) -> None:
        """ValueError if they cannot touch, or not by this law."""
        _surface(a), _surface(b)
        if pair_of(a, b, self.slices) is None:
            raise ValueError(f"a {a.type} cannot touch a {b.type}: {refusal(a, b)}")
        if self.slices:
            _check_line(self.law.length, a, b)  # type: ignore[union-attr]
        if isinstance(a, EVENLY_CURVED) and isinstance(b, EVENLY_CURVED):
            self.law.force_law(relative_curvatures(a, b, np.zeros(3), np.eye(3)))

    def _stiffness(self, shapes: tuple[Any, Any], X: Pose) -> tuple[float, float]:
        """Relative curvatures where the surfaces are nearest at the start; refused where the law cannot be used with them. A law without a material needs none."""
        if not self.law.elastic:
            return 1.0, 1.0
        curvatures = relative_curvatures(*shapes, X.p, X.R, self.slices)
        try:
            self.law.force_law(curvatures)
        except ValueError as error:
            raise ModelError(Problem(f"contact '{self.name}'", str(error))) from None
        return curvatures

    def terms(self, around: Surroundings) -> list[Term]:
        shapes = self._shapes(around)
        if self.over_surfaces:
            return moving_terms(self, shapes, around)
        a, b = (_placed(site, shape) for site, shape in zip((around.a, around.b), shapes, strict=True))
        pair = pair_of(*shapes, self.slices, self.lines)
        assert pair is not None
        sizes = sizes_of(*shapes, self.slices)
        symmetric = not self.friction.rubs and not self.law.damping and self.law.restitution == 1.0
        records: list[Any] = [*records_of(*shapes)]
        a_size, b_size = (record(size.words) for record, size in zip(records, sizes, strict=True))
        relative = curved(*shapes) if self.law.elastic else None
        looked = looked_at(*shapes, self.slices)
        law = touch_law(pair.function, *records, symmetric, relative, pair.search, pair.told, pair.lines, looked.look)
        X = self._start(around, shapes)
        light = lightness(around, self.a, self.b)
        stiffness = self.law.packed(self._stiffness(shapes, X), pair.places, above(*shapes), light)
        history: tuple[float, ...] = ()
        for place in range(pair.places):
            g, n, x = pair.function(a_size, b_size, tuple(X.p), tuple(X.R.ravel()), place)
            begin = Touch.begin(p=X.p, R=X.R.ravel(), x=x, n=n, gap=g)
            history += begin if relative is None else self._patched(begin, stiffness, relative, a_size, b_size)
        parameters = TouchRecord.pack(
            a=a,
            b=b,
            marker=packed(around.a),
            stiffness=stiffness,
            rubbing=self.friction.packed(),
            places=pair.places,
            reach_a=_reach(shapes[0]),
            reach_b=_reach(shapes[1]),
            extent=max(_extent(shape) for shape in shapes),
            size_a=sizes[0].words,
            size_b=sizes[1].words,
            **looked.parameters,
        )
        elastic = relative is not None
        return [
            Term(
                self.name,
                law,
                (around.a.node, around.b.node),
                parameters=parameters,
                history=history,
                loss="lost" if elastic else "",
                breaks="changed" if elastic else "",
            )
        ]

    def _patched(self, begin: tuple[float, ...], stiffness: Packed, relative: Any, *sizes: Any) -> tuple[float, ...]:
        """The memory of a place with the patch that its curvatures make."""
        words = np.array(begin)
        follow(Stiffness(stiffness.words), Touch(words), relative, *sizes)
        return tuple(words)

    def _shapes(self, around: Surroundings) -> tuple[Any, Any]:
        """Of both surfaces, those of their bodies if none are given."""
        found, problems = self.fitting(around.shapes)
        if problems:
            raise ModelError([Problem(f"contact '{self.name}'", *each[:3]) for each in problems])
        return found[0], found[1]

    def unfit(self, shapes: Mapping[str, Sequence[Any]]) -> list[Doubt]:
        return self.fitting([shapes.get(end.body, ()) for end in (self.a, self.b)])[1]

    def fitting(self, shapes: Sequence[Sequence[Any]]) -> tuple[list[Any], list[Doubt]]:
        """The shapes of both surfaces, and what is wrong with them; shapes: those of their bodies."""
        found, problems = [], []
        for end, shape, of_body in zip("ab", (self.shape_a, self.shape_b), shapes, strict=True):
            if shape is None and len(of_body) != 1:
                why = f"'{getattr(self, end).body}' has {len(of_body) or 'none'}, so that it is not clear which one touches"
                fix = f"give shape_{end}, e.g. {{type: sphere, radius: 10 mm}}"
                problems.append(Doubt(f"its surface {end} has no shape", why, fix, end))
            found.append(of_body[0] if shape is None and len(of_body) == 1 else shape)
        if not problems:
            try:
                check_sides(*found) if self.over_surfaces else self._check_pair(*found)
            except ValueError as error:
                what, _, fix = str(error).rpartition("; ")
                problems.append(Doubt(what or fix, "", fix if what else ""))
        return found, problems

    def doubts_at_start(self, around: Surroundings) -> list[Doubt]:
        """An overlap much larger than what all weight together would press into it; what is not seen of these shapes."""
        shapes = self._shapes(around)
        pair = None if self.over_surfaces else pair_of(*shapes, self.slices)
        if pair is None:
            return []
        found = strange_numbers(self.law, self.friction)
        found += [each for shape in shapes if (each := in_millimetres(shape)) is not None]
        if unseen_of := left_out(*shapes, self.lines):
            found.append(Doubt(*unseen_of))
        a, b = (
            record(size.words) for record, size in zip(records_of(*shapes), sizes_of(*shapes, self.slices), strict=True)
        )
        X = self._start(around, shapes)
        angle, unseen = tilted(*shapes, X.R)
        if angle > TILTED:
            what = f"the axis of its open prism is {np.degrees(angle):.3g}° off that of the other surface"
            why = f"open prisms touch at one height, so that their ends may overlap by {unseen:.3g} m unseen"
            found.append(Doubt(what, why, "put the axes parallel, or close the profile"))
        if coarse := faceted_by(*shapes, X.R):
            what = f"its curved prism touches as a polyhedron that is up to {coarse:.3g} m off its contour"
            why = "contours themselves touch spheres, cylinders, planes, and prisms and boxes along parallel axes"
            found.append(Doubt(what, why, "put the axes parallel, or accept that much"))
        held = all(around.held(end.body) for end in (self.a, self.b))
        if not held and not self.slices and not self.lines and lies_along(*shapes, X.p, X.R):
            what = "its cylinder lies along the other surface, where no joint keeps them parallel"
            why = "a Hertz contact is one place, which leaps along the line under a load beside its middle: short steps, and energy is not kept"
            found.append(Doubt(what, why, "give fx.HertzLine or fx.Penalty for the law, or hold both by joints"))
        depth = -min(pair.function(a, b, tuple(X.p), tuple(X.R.ravel()), place)[0] for place in range(pair.places))
        if (unseen := looked_at(*shapes, self.slices).unseen(a, b, X, -depth)) > 0.0:
            what = f"its surfaces overlap by {unseen:.3g} m at the start where the contact does not see it"
            why = "between these shapes not every rim, edge and flat end is followed as it meets those of the other one"
            found.append(Doubt(what, why, f"move the bodies apart, or {INSTEAD}"))
        K, exponent = self.law.force_law(self._stiffness(shapes, X))
        if depth <= OVERLAP * (around.weight / K) ** (1 / exponent):
            return found
        force, energy = K * depth**exponent, K * depth ** (exponent + 1) / (exponent + 1)
        what = f"its surfaces overlap by {depth:.3g} m at the start"
        why = f"it begins with a force of {force:.3g} N and {energy:.3g} J, which throw them apart"
        return [*found, Doubt(what, why, "move the bodies apart, or correct the shapes")]

    def _start(self, around: Surroundings, shapes: tuple[Any, Any]) -> Pose:
        """Pose of the axes of surface b in those of a, as the bodies stand."""
        X_a, X_b = (
            X @ Pose(np.array(shape.at), _surface(shape).axes(shape))
            for X, shape in zip(around.poses("now")[:2], shapes, strict=True)
        )
        return X_a.inverse() @ X_b


def _surface(shape: Any) -> Surface:
    """What is known of a shape; ValueError if it cannot touch anything."""
    if type(shape) not in SURFACES:
        known = ", ".join(surface.name for surface in SURFACES.values())
        raise ValueError(f"a {shape.type} is not known as a surface of contact; choose one of {known}")
    return SURFACES[type(shape)]


def _check_line(length: float, a: Any, b: Any) -> None:
    """ValueError if a line of this length cannot be that of two surfaces."""
    cut = cut_of(a, b)
    if cut is None:
        raise ValueError(f"a {a.type} and a {b.type} do not touch along a line; use law: {{type: hertz, …}} or penalty")
    own = extent_along(cut)
    assert own is not None
    if length > 1.01 * own:
        raise ValueError(
            f"the line of {length:g} m is longer than the {cut.type}, {own:g} m; correct the length of the law"
        )


def in_millimetres(shape: Any) -> Doubt | None:
    """What tells that an STL file, which has no units, is in millimetres and was taken for metres."""
    if not isinstance(shape, Stl) or shape.scale != 1.0:
        return None
    size = 2.0 * float(np.max(_surface(shape).reach(shape)))
    if size <= LARGEST_PART:
        return None
    what = f"its surface from {shape.file} is about {size:.3g} m large"
    return Doubt(
        what, "an STL file has no units, and is taken to be in metres", "give scale: 0.001 if it is in millimetres"
    )


def _placed(site: Site, shape: Any) -> Any:
    """Axes of a surface on its node."""
    return Frame.pack(p=site.p_NM + site.R_NM @ np.array(shape.at), R=site.R_NM @ _surface(shape).axes(shape))


def _extent(shape: Any) -> float:
    """Distance from the origin of its axes of its farthest point [m], none of what has no end."""
    reach = float(np.linalg.norm(_surface(shape).reach(shape)))
    return reach if reach < ENDLESS else 0.0


def _reach(shape: Any) -> float:
    """Distance from the origin of its axes of the farthest point that moves nearer to others as it turns [m]: none of a sphere, any of a plane."""
    reach = float(np.linalg.norm(_surface(shape).reach(shape)))
    return 0.0 if isinstance(shape, Sphere) else min(reach, ENDLESS)
