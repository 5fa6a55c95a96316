"""Cam: a follower on a curve.   FTG 6.3.3, 6.3.4"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.bodies.marker import MarkerRef
from flexor.coordinates.curve import Piece, arc_length
from flexor.coordinates.frames import packed as frame
from flexor.coordinates.profile import Profile, told
from flexor.declaration import Direction, Length, Number, quantity
from flexor.dotted import NAME
from flexor.effects import Doubt
from flexor.functions import AnyFunction, function_of
from flexor.functions.call import packed as call
from flexor.functions.samples import RISING
from flexor.joints.cam_friction_law import RubbingOnCam, cam_friction, smooth_cam_friction
from flexor.joints.cam_law import ERROR, LEAVE, STOP, Curve, OnCurve, Place, near_curve, on_curve
from flexor.joints.path import Path, RubbingSite
from flexor.joints.surroundings import Surroundings
from flexor.law import Term
from flexor.law.record import Packed
from flexor.spatial import triad

_ROUND = {"points": ((1.5, 0), (0, 1.2), (-1.4, 0), (0, -1.6)), "closed": True}
_BENT = {"points": ((-2, 0), (-1, 0.41421356237309515), (0, 0), (2, -2), (4, -4)), "kind": "arcs"}
_EDGE = {"points": ((-20, 0), (0, 0), (20, -20)), "kind": "lines"}


class Cam(Path):
    """A follower, a point of B or a roller of given radius, on a curve that stands on A.

    Without stiffness or force the follower stays on the curve whatever pulls at it, as in a groove. With them it is pressed away by the
    penetration δ: stiffness·δ^exponent + force(δ) + damping·δ̇, never pulled; it may lose contact and return. In a corner the nearer side
    presses. The curve lies in the plane
    across `axis`; along the axis the follower is free. Friction takes it as it takes a joint, by its name.

    Signals: position [m], the arc length of the point of contact; gap [m]; force [N] on the follower.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "a", "b", "profile")
    noun: ClassVar[str] = "cam"
    type: Literal["cam"] = "cam"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "lobe", "a": "crank", "b": "rod.tip", "profile": _ROUND, "radius": "100 mm"},
        {
            "a": "crank",
            "b": "rod.tip",
            "profile": _BENT,
            "axis": (1, -2, 0.5),
            "side": "right",
            "ends": "stop",
            "stop": 30,
        },
        {"a": "crank", "b": "rod.tip", "profile": _ROUND, "radius": 9, "stiffness": 50, "exponent": 1.5, "damping": 3},
        {
            "a": "crank",
            "b": "rod.tip",
            "profile": _EDGE,
            "force": RISING,
            "damping": 2,
            "always_damped": True,
            "ends": "leave",
        },
    )
    name: str = Field(description="Unique name of the cam.", min_length=1, pattern=NAME)
    a: MarkerRef = Field(description="Where the curve stands on the first body (or ground).")
    b: MarkerRef = Field(description="The follower on the second body: the point, or the centre of the roller.")
    profile: Profile = Field(description="The curve, in the x-y plane of its frame.")
    axis: Direction = Field((0.0, 0.0, 1.0), description="z axis of the frame of the curve, in the axes of marker A.")
    side: Literal["outside", "inside", "left", "right"] | None = Field(
        None,
        description="Where the follower is; outside of a closed curve, left of an open one in its direction if left out.",
    )
    radius: Length = Field(0.0, description="Radius of the roller [m].", ge=0)
    stiffness: Number = Field(0.0, description="Of the contact [N/m]; with an exponent, per m to its power.", ge=0)
    exponent: Number = Field(1.0, description="Of the penetration; 1.5 for a ball.", ge=1)
    damping: Annotated[float, quantity("damping")] = Field(0.0, description="In contact [N s/m].", ge=0)
    force: Annotated[AnyFunction, function_of("length", "force")] | None = Field(
        None, description="Further force [N] as a function of the penetration [m], negative where they are apart."
    )
    always_damped: bool = Field(False, description="Whether the damper acts without contact, too, and pulls.")
    ends: Literal["stop", "leave", "error"] = Field(
        "error", description="What happens beyond the ends of an open curve: a stop, no contact, or the end of the run."
    )
    stop: Annotated[float, quantity("stiffness")] = Field(
        0.0, description="Stiffness of the stops along the curve [N/m]; only with ends: stop.", ge=0
    )

    @property
    def sprung(self) -> bool:
        """Whether it is pressed away by springs."""
        return self.stiffness > 0 or self.force is not None

    @model_validator(mode="after")
    def _makes_sense(self) -> Cam:
        closed = self.profile.closed
        if self.side in ("outside", "inside") and not closed:
            raise ValueError(f"an open curve has no {self.side}; choose side: left or right of its direction")
        if self.side in ("left", "right") and closed:
            raise ValueError("of a closed curve choose side: outside or inside")
        if not self.sprung and (self.damping or self.always_damped):
            raise ValueError(
                "damping is given without stiffness; a follower that never leaves its curve has none, add stiffness: …"
            )
        if not self.stiffness and self.exponent != 1.0:
            raise ValueError("exponent has no effect without stiffness; add stiffness: …, or leave it out")
        if closed and self.ends != "error":
            raise ValueError("a closed curve has no ends; leave out ends")
        if (self.ends == "stop") != (self.stop > 0):
            raise ValueError("stops need both: ends: stop and their stiffness, e.g. stop: 1 MN/m")
        if self.ends == "leave" and not self.sprung:
            raise ValueError(
                "a follower that is bound to the curve cannot leave it; add stiffness: … or choose ends: stop"
            )
        for i, turn in [] if self.sprung else self.profile.corners():
            at = told(self.profile.points[i % len(self.profile.points)])
            where = f"the curve has a corner of {np.degrees(abs(turn)):.3g}° at {at}"
            raise ValueError(f"{where}, where its direction jumps; round it by an arc, or add stiffness: …")
        self._has_one_side()
        self._has_room()
        return self

    def _has_one_side(self) -> None:
        """A curve that crosses itself has no inside; only a point in a groove goes straight on."""
        if (self.sprung or self.radius) and (met := self.profile.crossing) is not None:
            one, other = map(self.profile.between, met.pieces)
            raise ValueError(
                f"its curve crosses or touches itself at {told(met.at)}, {one} and {other}; a follower beside it would be on both sides at "
                "once: give the points in order along the outline, or make several cams of it"
            )

    def _has_room(self) -> None:
        """A roller that fits nowhere; one that is bound to the curve and does not fit everywhere."""
        if not self.radius:
            return
        room = self.profile.room(self._left)
        if room.out_of_reach(self.radius) == 0.0:
            return
        if self.radius > room.largest:
            raise ValueError(
                f"a roller of radius {self.radius:g} m does not fit {self._where} the curve; it must be smaller than {room.largest:.4g} m"
            )
        if not self.sprung:
            raise ValueError(
                f"{self._held_up()}; the path of its centre is undercut: take a smaller roller, round the curve, or add stiffness: …"
            )

    @property
    def _where(self) -> str:
        if self.profile.closed:
            return self.side or "outside"
        return f"on the {self.side or 'left'} of"

    def _held_up(self) -> str:
        """Where a roller does not come to the curve."""
        largest, at, other = self.profile.room(self._left).narrowest()
        how = f"where the radius of curvature is {largest:.4g} m"
        if np.linalg.norm(at - other) > 1e-9 * largest:
            how = f"where one of {largest:.4g} m touches {told(other)}, too"
        hollow = [(abs(turn), i) for i, turn in self.profile.corners() if turn * self._left > 0]
        if hollow:
            turn, i = max(hollow)
            at = np.array(self.profile.points[i % len(self.profile.points)])
            how = f"where it has a corner of {np.degrees(turn):.3g}°"
        return f"a roller of radius {self.radius:g} m does not come to {told(at)} of the curve, {how}"

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        """A damper that is none, a roller that bridges hollows of the curve."""
        if self.always_damped and not self.damping:
            return [
                Doubt(
                    "always_damped has no effect", "there is no damping", "give it, or leave this out", "always_damped"
                )
            ]
        if not self.radius or not (share := self.profile.room(self._left).out_of_reach(self.radius)):
            return []
        why = f"over {100 * share:.2g}% of its length it rests on two places at once, of which only the nearer presses"
        return [Doubt(self._held_up(), why, "take a smaller roller or round the curve", "radius")]

    @property
    def _left(self) -> float:
        """1 where the follower is to the left of the curve's direction, −1 to the right."""
        if self.profile.closed:
            inside = np.sign(self.profile.area) or 1.0
            return float(inside if self.side == "inside" else -inside)
        return -1.0 if self.side == "right" else 1.0

    @property
    def binds(self) -> tuple[str, ...]:
        return () if self.sprung else ("contact",)

    def terms(self, around: Surroundings) -> list[Term]:
        """Its law; it begins on the piece of the curve that is nearest."""
        piece, parameter = self._place(around)
        return [
            Term(
                self.name,
                near_curve if self.sprung else on_curve,
                (around.a.node, around.b.node),
                rows=self.binds,
                parameters=self._parameters(around),
                history=Place.begin(piece=float(piece), parameter=parameter),
            )
        ]

    def rubs(self, around: Surroundings, sticks: bool) -> RubbingSite:
        piece, parameter = self._place(around)
        pose_a, pose_b = around.poses("declared")
        R_WA = pose_a.R @ triad(self.axis)
        profile = self.profile
        fields = {
            "cam": self._parameters(around),
            "bound": int(not self.sprung),
            "around": profile.length if profile.closed else 0.0,
            "R_b": (around.b.R_NM @ pose_b.R.T @ R_WA).ravel(),
        }
        s = float(arc_length(Piece(profile.pieces()[piece].words), parameter))
        now_a, now_b = around.poses("now")
        c_1, c_2 = profile.tangent(piece, parameter)
        D = (now_a.R @ triad(self.axis)).T @ now_b.R @ pose_b.R.T @ R_WA
        angle = float(np.arctan2(D[1, 0] - D[0, 1], D[0, 0] + D[1, 1]) - np.arctan2(c_2, c_1))
        start = s + (self._left * self.radius * angle if self.radius else 0.0)
        history = {"piece": float(piece), "parameter": parameter, "s": s, "angle": angle}
        law = cam_friction if sticks else smooth_cam_friction
        return RubbingSite(law, RubbingOnCam, fields, (around.a.node, around.b.node), start, history)

    def _place(self, around: Surroundings) -> tuple[int, float]:
        """Number of the piece of the curve that is nearest, and parameter on it."""
        return self.profile.nearest(triad(self.axis).T @ around.offset)

    def _parameters(self, around: Surroundings) -> Packed:
        a, b = around.a, around.b
        pieces = self.profile.pieces()
        curve = Curve.pack(
            side=self._left,
            closed=int(self.profile.closed),
            ends={"stop": STOP, "leave": LEAVE, "error": ERROR}[self.ends],
            corners=len(self.profile.corners()),
            count=len(pieces),
            pieces=np.concatenate([piece.words for piece in pieces]),
        )
        return OnCurve.pack(
            a=frame(replace(a, R_NM=a.R_NM @ triad(self.axis))),
            b=frame(b),
            radius=self.radius,
            stiffness=self.stiffness,
            exponent=self.exponent,
            damping=self.damping,
            always=int(self.always_damped),
            force=call(self.force),
            force_with_energy=call(self.force, integral=True),
            stop=self.stop,
            curve=curve,
        )
