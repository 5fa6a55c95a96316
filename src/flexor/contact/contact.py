"""Contact of two surfaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator, model_validator

from flexor.bodies.marker import MarkerRef, Site, SurfaceRef
from flexor.bodies.shape import Shape, Sphere
from flexor.contact.approach import pair_of, refusal, sizes_of
from flexor.contact.contact_friction import ContactFriction
from flexor.contact.normal_laws import AnyNormalLaw
from flexor.contact.surfaces import SURFACES, Surface
from flexor.contact.touch import Touch
from flexor.contact.touch_law import TouchRecord, touch_law
from flexor.coordinates.frames import Frame
from flexor.declaration import Item
from flexor.dotted import NAME
from flexor.effects import Doubt
from flexor.errors import ModelError, Problem
from flexor.joints.surroundings import Surroundings
from flexor.law import Term
from flexor.spatial import Pose


class Contact(Item):
    """Two surfaces that press on each other where they overlap, and rub.

    Each surface is a shape at a marker; if the shape is left out, the only one of the body. Steps are shortened where the surfaces meet, so
    that they neither pass through each other nor leap over the time of an impact.

    Signals: normal_force, friction_force, force_x, force_y, force_z [N] on b in global axes, gap [m] (negative where they overlap), deepest [m]
    approach so far, slip [m/s], sticks (1 or 0), power [W] that is lost, point_x, point_y, point_z [m] of contact.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "a", "b", "law")
    noun: ClassVar[str] = "contact"
    type: Literal["contact"] = "contact"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "hit", "a": {"on": "ground", "shape": {"type": "plane"}}, "b": {"on": "crank", "shape": {"type": "sphere", "radius": "20 mm"}},
         "law": {"type": "hertz", "material": "steel", "restitution": 0.7}, "friction": 0.3},
        {"a": "crank", "shape_a": {"type": "sphere", "radius": 2.0}, "b": "rod.tip", "shape_b": {"type": "sphere", "radius": 1.5, "at": (0.1, 0, 0.2)},
         "law": {"type": "penalty", "stiffness": 30.0}},
        {"a": "crank", "shape_a": {"type": "sphere", "radius": 2.0}, "b": "rod.tip", "shape_b": {"type": "sphere", "radius": 1.5},
         "law": {"type": "penalty", "stiffness": 30.0, "exponent": 1.5, "restitution": 0.6, "rest_speed": 20.0},
         "friction": {"coefficient": 0.4, "micro_slip": 30.0, "rolling": 0.1, "spinning": 0.2, "micro_turn": 50.0, "stribeck": 0.5, "slip_speed": 2.0}},
        {"a": "rod.tip", "shape_a": {"type": "plane", "normal": (0.1, 0.3, 1), "at": (0.0, 0.1, 2.5)}, "b": "crank",
         "shape_b": {"type": "sphere", "radius": 3.0},
         "law": {"type": "penalty", "stiffness": 30.0, "damping": 0.1},
         "friction": {"coefficient": 0.4, "model": "smooth", "smooth_speed": 1.5, "rolling": 0.1, "spinning": 0.2, "smooth_spin": 1.0}},
    )  # fmt: skip
    name: str = Field(description="Unique name of the contact.", min_length=1, pattern=NAME)
    a: MarkerRef = Field(
        description="Where the first surface is; with its shape {on: ball, shape: {type: sphere, radius: 10 mm}}."
    )
    b: MarkerRef = Field(description="Where the second surface is, likewise.")
    law: AnyNormalLaw = Field(description="Normal force: penalty, hertz or hertz_line.")
    friction: ContactFriction = Field(ContactFriction(), description="Friction; a number is its coefficient.")
    shape_a: Shape | None = Field(
        None, description="Shape of the first surface, at its marker; the only one of its body if left out."
    )
    shape_b: Shape | None = Field(None, description="Shape of the second surface, likewise.")

    @model_validator(mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        """a: {on: ball, shape: …} is a: ball, shape_a: …"""
        if not isinstance(value, dict):
            return value
        value = dict(value)
        for end in "ab":
            given = value.get(end)
            if isinstance(given, SurfaceRef):
                given = {"on": given.on, "shape": given.shape}
            if isinstance(given, dict) and "on" in given:
                if set(given) - {"on", "shape"}:
                    raise ValueError(
                        f"{end}: it is no surface; write {{on: ball, shape: {{type: sphere, radius: 10 mm}}}}"
                    )
                value[end] = given["on"]
                if given.get("shape") is not None:
                    if value.get(f"shape_{end}") is not None:
                        raise ValueError(f"{end} and shape_{end} both give a shape; leave one of them out")
                    value[f"shape_{end}"] = given["shape"]
        return value

    @field_validator("friction", mode="before", json_schema_input_type=ContactFriction | float)
    @classmethod
    def _coefficient(cls, value: object) -> object:
        return {"coefficient": value} if isinstance(value, int | float) and not isinstance(value, bool) else value

    @model_validator(mode="after")
    def _is_known(self) -> Contact:
        for shape in (self.shape_a, self.shape_b):
            if shape is not None:
                _surface(shape)
        if self.shape_a is not None and self.shape_b is not None:
            self._check_pair(self.shape_a, self.shape_b)
        return self

    @property
    def slices(self) -> int:
        """Into how many a surface is cut for line contact; 0: as many places as the surfaces have."""
        return getattr(self.law, "slices", 0)

    def _check_pair(self, a: Any, b: Any) -> None:
        if pair_of(a, b, self.slices) is None:
            raise ValueError(f"a {a.type} cannot touch a {b.type}: {refusal(a, b)}")
        self.law.force_law(_relative(a, b))

    def terms(self, around: Surroundings) -> list[Term]:
        shapes = self._shapes(around)
        a, b = (_placed(site, shape) for site, shape in zip((around.a, around.b), shapes, strict=True))
        surfaces = [_surface(shape) for shape in shapes]
        pair = pair_of(*shapes, self.slices)
        if pair is None:
            what = f"a {shapes[0].type} cannot touch a {shapes[1].type}"
            raise ModelError(Problem(f"contact '{self.name}'", what, refusal(*shapes)))
        sizes = sizes_of(*shapes, self.slices)
        symmetric = not self.friction.rubs and not self.law.damping and self.law.restitution == 1.0
        a_size, b_size = (surface.size(size.words) for surface, size in zip(surfaces, sizes, strict=True))
        law = touch_law(pair.function, surfaces[0].size, surfaces[1].size, symmetric)  # type: ignore[arg-type]
        X_a, X_b = (
            X @ Pose(np.array(shape.at), surface.axes(shape))
            for X, shape, surface in zip(around.poses("now")[:2], shapes, surfaces, strict=True)
        )
        X = X_a.inverse() @ X_b
        history: tuple[float, ...] = ()
        for place in range(pair.places):
            _g, _n, x = pair.function(a_size, b_size, tuple(X.p), tuple(X.R.ravel()), place)
            history += Touch.begin(p=X.p, R=X.R.ravel(), x=x)
        parameters = TouchRecord.pack(
            a=a,
            b=b,
            stiffness=self.law.packed(_relative(*shapes)),
            rubbing=self.friction.packed(),
            places=pair.places,
            reach=_reach(shapes[1]),
            size_a=sizes[0].words,
            size_b=sizes[1].words,
        )
        return [Term(self.name, law, (around.a.node, around.b.node), parameters=parameters, history=history)]

    def _shapes(self, around: Surroundings) -> tuple[Any, Any]:
        """Of both surfaces, those of their bodies if none are given."""
        found = []
        for end, shape, of_body in zip("ab", (self.shape_a, self.shape_b), around.shapes, strict=True):
            if shape is None:
                if len(of_body) != 1:
                    what = f"its surface {end} has no shape"
                    why = f"'{getattr(self, end).body}' has {len(of_body) or 'none'}, so that it is not clear which one touches"
                    raise ModelError(
                        Problem(
                            f"contact '{self.name}'",
                            what,
                            why,
                            f"give shape_{end}, e.g. {{type: sphere, radius: 10 mm}}",
                        )
                    )
                shape = of_body[0]
            found.append(shape)
        return found[0], found[1]

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        if self.a.body == self.b.body:
            why = f"both surfaces are on '{self.a.body}', which does not touch itself"
            return [Doubt("it does nothing", why, "give surfaces of two bodies")]
        return []


def _surface(shape: Any) -> Surface:
    """What is known of a shape; ValueError if it cannot touch anything."""
    if type(shape) not in SURFACES:
        known = ", ".join(surface.name for surface in SURFACES.values())
        raise ValueError(f"a {shape.type} is not known as a surface of contact; choose one of {known}")
    return SURFACES[type(shape)]


def _relative(a: Any, b: Any) -> tuple[float, float]:
    """Relative principal curvatures of two shapes, their directions taken to agree."""
    first, second = _surface(a).curvatures(a), _surface(b).curvatures(b)
    return first[0] + second[0], first[1] + second[1]


def _placed(site: Site, shape: Any) -> Any:
    """Axes of a surface on its node."""
    return Frame.pack(p=site.p_NM + site.R_NM @ np.array(shape.at), R=site.R_NM @ _surface(shape).axes(shape))


def _reach(shape: Any) -> float:
    """Distance from the origin of its axes of the farthest point that may touch something [m]."""
    reach = float(np.linalg.norm(_surface(shape).reach(shape)))
    return reach if np.isfinite(reach) and not isinstance(shape, Sphere) else 0.0
