"""Guide: a slider on a line through markers that may lie on flexible bodies.   FTG 6.3.1, 6.3.2, (6.33)"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import Field, field_validator, model_validator

from flexor.bodies.marker import MarkerRef
from flexor.coordinates.constraint import POSITION, SPEED
from flexor.coordinates.guide import GuideLine, GuideMarker
from flexor.declaration import Length, Number, quantity
from flexor.dotted import NAME
from flexor.effects import Doubt
from flexor.errors import LawError
from flexor.functions import AnyFunction, function_of
from flexor.functions.call import packed as call
from flexor.functions.samples import CUBIC
from flexor.joints.guide_friction_law import RubbingOnGuide, guide_friction, smooth_guide_friction
from flexor.joints.guide_law import ERROR, LEAVE, STOP, OnGuide, OnLine, on_guide
from flexor.joints.guide_line import arc_lengths, cardinal_functions, directions_across, nearest, tangents, weights
from flexor.joints.path import Path, RubbingSite
from flexor.joints.surroundings import Surroundings
from flexor.law import Term
from flexor.law.record import Packed
from flexor.spatial import triad

_RAIL = tuple({"body": "crank", "at": at} for at in ((-9, 0.3, 0), (-3, 0, 0), (0, 0, 0), (8, 0.4, -0.2)))
_BAR = tuple({"body": "crank", "at": at} for at in ((-9, 0, 0), (9, 3, 2)))
_SHORT = tuple({"body": "crank", "at": at} for at in ((-0.5, 0, 0), (0, 0, 0), (0.5, 0.02, 0)))

SHARPEST = 100.0
"""Largest angle between neighbouring chords [deg]; a spline through fewer points says nothing about the bend."""


class Guide(Path):
    """A point of B slides along a line through markers; they may lie on a rigid body, along a flexible one, or on several.

    The line is a cubic spline through the markers where they are now, so that the slider passes from segment to segment without a
    jump of curvature; its `position` is the arc length of the undeformed line, 0 at the first marker. B may turn about all axes, or with
    twist: locked not about the line, as it is drawn. Two guides, each along one of two booms with its slider on the other, make a telescope.

    With stiffness B is pressed towards the line by a spring across it, beyond a radial clearance: a pipe in a pipe.

    Motors, joint springs and friction take it as they take a joint, by its name; its variable is the position.

    Signals: position [m] and speed [m/s] along the guide; on B: force_1, force_2 [N] across the guide, torque [N m] about it, force [N]
    along it; gap [m], the distance from the line; strain_energy [J].
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "along", "b")
    noun: ClassVar[str] = "guide"
    type: Literal["guide"] = "guide"
    prescribes: ClassVar[dict[str, int]] = {"position": 0, "speed": 1}
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "rail", "along": _RAIL, "b": "rod.tip"},
        {"along": _RAIL, "b": "rod.tip", "twist": "locked", "position": "9 + 0.3*sin(1.3*t)"},
        {"along": _BAR, "b": "rod.tip", "twist": "locked", "speed": CUBIC, "drag": 0.3},
        {"along": _SHORT, "b": "rod.tip", "ends": "stop", "stop": 20, "spring": 2, "free": 0.3, "drag": 0.7},
        {"along": _RAIL, "b": "rod.tip", "clearance": 0.05, "stiffness": 20, "exponent": 1.5, "damping": 1.5},
        {"along": _RAIL, "b": "rod.tip", "stiffness": 20, "damping": 1.5, "ends": "leave"},
    )
    name: str = Field(description="Unique name of the guide.", min_length=1, pattern=NAME)
    along: tuple[MarkerRef, ...] = Field(description="Two or more markers, in order along the line.")
    b: MarkerRef = Field(description="The slider: a point on another body.")
    twist: Literal["free", "locked"] = Field("free", description="Whether B may turn about the line.")
    ends: Literal["stop", "leave", "error"] = Field(
        "error",
        description="What happens beyond the ends: a stop, no contact (only with stiffness), or the end of the run.",
    )
    stop: Annotated[float, quantity("stiffness")] = Field(
        0.0, description="Stiffness of the stops along the line [N/m]; only with ends: stop.", ge=0
    )
    clearance: Length = Field(0.0, description="Radial play [m]; only with stiffness.", ge=0)
    stiffness: Number = Field(
        0.0, description="Across the line [N/m]; with an exponent, per m to its power. 0: B stays on the line.", ge=0
    )
    exponent: Number = Field(1.0, description="Of the distance beyond the clearance; 1.5 for a ball.", ge=1)
    damping: Annotated[float, quantity("damping")] = Field(
        0.0, description="Across the line, in contact [N s/m].", ge=0
    )
    position: Annotated[AnyFunction, function_of("time", "length")] | None = Field(
        None, description="Drive: position along the line as a function of time [m]."
    )
    speed: Annotated[AnyFunction, function_of("time", "velocity")] | None = Field(
        None, description="Drive: speed along the line as a function of time [m/s]."
    )
    spring: Annotated[float, quantity("stiffness")] = Field(0.0, description="Stiffness along the line [N/m].")
    free: Length = Field(0.0, description="Position where the spring along the line is free [m].")
    drag: Annotated[float, quantity("damping")] = Field(0.0, description="Damping along the line [N s/m].")

    @field_validator("along", mode="before")
    @classmethod
    def _several(cls, value: object) -> object:
        one = isinstance(value, str | dict | MarkerRef) or hasattr(value, "as_reference")
        if one or (hasattr(value, "__len__") and len(value) < 2):
            raise ValueError("one marker makes no line; name two or more in order, e.g. along: [boom.root, boom.tip]")
        return value

    @model_validator(mode="after")
    def _makes_sense(self) -> Guide:
        if self.b.body in {ref.body for ref in self.along}:
            raise ValueError(f"b is on '{self.b.body}' as the line is; let it be on another body")
        for one, next_ in pairwise(self.along):
            if one == next_:
                raise ValueError(f"the marker {one} is named twice in a row; leave it out once")
        if (self.ends == "stop") != (self.stop > 0):
            raise ValueError("stops need both: ends: stop and their stiffness, e.g. stop: 1 MN/m")
        if self.stiffness == 0 and (self.clearance or self.damping):
            raise ValueError(
                "clearance or damping is given without stiffness; a slider that is bound to the line has none, add stiffness: …"
            )
        if self.stiffness == 0 and self.exponent != 1.0:
            raise ValueError("exponent has no effect without stiffness; add stiffness: …, or leave it out")
        if self.ends == "leave" and self.stiffness == 0:
            raise ValueError(
                "a slider that is bound to the line cannot leave it; add stiffness: … or choose ends: stop"
            )
        if self.position is not None and self.speed is not None:
            raise ValueError("it is driven by a position and by a speed; give one of them")
        return self

    @property
    def binds(self) -> tuple[str, ...]:
        across = ("across 1", "across 2") if self.stiffness == 0 else ()
        twist = ("twist",) if self.twist == "locked" else ()
        return (*across, *twist, *(("position",) if self.drives_itself else ()))

    @property
    def drives_itself(self) -> bool:
        """Whether its position or speed is given."""
        return self.position is not None or self.speed is not None

    @property
    def holds(self) -> bool:
        return True

    @property
    def needs_orientation(self) -> bool:
        return self.twist == "locked"

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        if self.free and not self.spring:
            why = "there is no spring along the line"
            return [Doubt("free has no effect", why, "give its stiffness, spring: …, or leave it out", "free")]
        return []

    def misplaced(self, points: np.ndarray) -> Doubt | None:
        """Markers that coincide or turn back, a slider beyond the ends."""
        line, b = points[:-1], points[-1]
        chords = np.diff(line, axis=0)
        lengths = np.linalg.norm(chords, axis=1)
        if lengths.min() <= 1e-9 * lengths.sum():
            i = int(np.argmin(lengths))
            what = f"its markers {self.along[i]} and {self.along[i + 1]} coincide"
            return Doubt(what, "the line has no direction between them", "leave out one", "along")
        units = chords / lengths[:, None]
        turns = np.degrees(np.arccos(np.clip(np.sum(units[:-1] * units[1:], axis=1), -1, 1)))
        if np.any(turns > SHARPEST):
            i = int(np.argmax(turns))
            what, why = (
                f"its line turns back by {turns[i]:.3g}° at {self.along[i + 1]}",
                "no smooth line is meant by that",
            )
            return Doubt(what, why, "name the markers in order along the line, or add some to round the bend", "along")
        knots = arc_lengths(line)
        s, along = nearest(knots, line, b), tangents(knots, line)
        beyond = max(
            -(b - line[0]) @ along[0] if s <= 0 else 0.0, (b - line[-1]) @ along[-1] if s >= knots[-1] else 0.0
        )
        if self.ends == "error" and beyond > 1e-6 * knots[-1]:
            what = f"its slider begins {beyond:.3g} m beyond the end of the guide"
            return Doubt(what, "", "place it between the ends, make the guide longer, or choose ends: stop", "b")
        return None

    def drawn_at(self, points: np.ndarray) -> float:
        """Position along it of the slider as it is drawn [m]; points: of its markers, then of the slider."""
        line, b = points[:-1], points[-1]
        return float(nearest(arc_lengths(line), line, b))

    def terms(self, around: Surroundings) -> list[Term]:
        """Its law, on the nodes of the markers and of B; it begins where B is nearest to the line."""
        return [
            Term(
                self.name,
                on_guide,
                self.nodes(around),
                rows=self.binds,
                parameters=self.parameters(around),
                history=OnLine.begin(s=self.place(around)),
            )
        ]

    def nodes(self, around: Surroundings) -> tuple[int, ...]:
        """Of its markers, each once, and of B."""
        return (*dict.fromkeys(site.node for site in around.along), around.b.node)

    def place(self, around: Surroundings, when: Literal["begin", "now"] = "now") -> float:
        """Where the slider is along the line [m]."""
        return nearest(self._line(around).knots, *_places(around, when))

    def rate(self, around: Surroundings) -> float:
        """With which speed it begins [m/s]."""
        points, _ = _places(around, "begin")
        N, N_1, _ = weights(self._line(around).knots, self.place(around, "begin"))
        *line, b = (twist[:3] for twist in around.velocities())
        T = N_1 @ points
        return float((b - N @ np.array(line)) @ T / (T @ T))

    def spline(self, around: Surroundings) -> Packed:
        """The line and B, for what acts along it."""
        return GuideLine.pack(**self._line(around).fields)

    def parameters(self, around: Surroundings) -> Packed:
        """Of its own law."""
        b, line = around.b, self._line(around)
        return OnGuide.pack(
            **line.fields,
            bound=int(self.stiffness == 0),
            twist=int(self.twist == "locked"),
            driven=int(self.drives_itself),
            ends={"stop": STOP, "leave": LEAVE, "error": ERROR}[self.ends],
            b=b.R_NM @ line.R_WB.T @ line.on_b,
            tight=int(self.clearance == 0),
            clearance=self.clearance,
            stiffness=self.stiffness,
            curved=int(self.exponent != 1),
            exponent=self.exponent,
            damping=self.damping,
            stop=self.stop,
            spring=self.spring,
            free=self.free,
            dragged=int(self.drag != 0),
            drag=self.drag,
            given=SPEED if self.speed is not None else POSITION,
            motion=call(self.speed, integral=True) if self.speed is not None else call(self.position),
            start=self.place(around, "begin"),
            start_rate=0.0,
        )

    def directions(self, points: np.ndarray) -> tuple[np.ndarray, ...]:
        knots = arc_lengths(points[:-1])
        return (weights(knots, nearest(knots, points[:-1], points[-1]))[1] @ points[:-1],)

    def rubs(self, around: Surroundings, sticks: bool) -> RubbingSite:
        law, s = (guide_friction if sticks else smooth_guide_friction), self.place(around)
        return RubbingSite(law, RubbingOnGuide, {"guide": self.parameters(around)}, self.nodes(around), s, {"s": s})

    def _line(self, around: Surroundings) -> _Line:
        sites, b = around.along, around.b
        *poses, pose_b = around.poses("declared")
        points = np.array([pose.p for pose in poses])
        if wrong := self.misplaced(np.array([*points, pose_b.p])):
            raise LawError(f"'{self.name}': {wrong.what}; {wrong.fix}")
        knots = arc_lengths(points)
        along = tangents(knots, points)
        across = directions_across(along, triad(along[0])[:, 0])
        N, N_1, _ = weights(knots, nearest(knots, points, pose_b.p))
        on_b = np.cross(N_1 @ points, N @ across[:, 0])
        on_b /= np.linalg.norm(on_b)
        nodes = self.nodes(around)
        markers = [
            GuideMarker.pack(
                node=nodes.index(site.node),
                p=site.p_NM,
                y=(site.R_NM @ pose.R.T @ pair.T).T.ravel(),
            ).words
            for site, pose, pair in zip(sites, poses, across)
        ]
        fields = {
            "count": len(sites),
            "length": knots[-1],
            "reach": 2 * knots[-1] / (len(knots) - 1),
            "point": b.p_NM,
            "knots": knots,
            "cubics": cardinal_functions(knots),
            "markers": np.concatenate(markers),
        }
        return _Line(knots, fields, on_b, pose_b.R)


class _Line(NamedTuple):
    """The line as it is drawn: arc lengths of the markers, fields of `GuideLine`, the direction on B that the twist keeps, axes of B."""

    knots: np.ndarray
    fields: dict[str, Any]
    on_b: np.ndarray
    R_WB: np.ndarray


def _places(around: Surroundings, when: Literal["begin", "now"]) -> tuple[np.ndarray, np.ndarray]:
    """Points of the markers, and B's point."""
    *line, b = (pose.p for pose in around.poses(when))
    return np.array(line), b
