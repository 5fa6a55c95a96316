"""What sensors tell motors that follow them: positions, which are measured between two markers and have rates of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexor.bodies import MarkerRef
from flexor.control import Sensor
from flexor.coordinates.measure import DISTANCE
from flexor.dotted import split
from flexor.errors import ModelError, Problem
from flexor.joints import Joint
from flexor.joints.kinematics import FreeMotions
from flexor.joints.surroundings import Sensed
from flexor.model.attachments import attachments
from flexor.model.joint_state import GROUND
from flexor.spatial import shift_twist

if TYPE_CHECKING:
    from flexor.declaration import Item
    from flexor.model.surroundings import Placed

AXES = ("position_x", "position_y", "position_z")
_ALONG = FreeMotions("xyz", "zyx").measures[:3]


def sensed_position(placed: Placed, item: Item, name: str) -> Sensed:
    """What the sensor of this name measures; item: the motor that follows it."""
    sensor = placed.items[name]
    if not isinstance(sensor, Sensor):
        raise ModelError(
            Problem(
                item.called(item.name),
                f"it cannot follow {sensor.called(name)}",
                "a motor prescribes positions and speeds exactly, for which it needs their rates, and a block has a value alone",
                f"give the motor a stiffness, with which it follows position='{name}' by a spring; or let a torque or force be '{name}'",
            )
        )
    owner, _, signal = sensor.of.rpartition(".")
    if signal == "value" and isinstance(placed.items.get(owner), Sensor):
        return sensed_position(placed, item, owner)
    measured = placed.items.get(owner)
    if isinstance(measured, Joint) and signal in measured.variables:
        index, state = measured.variables.index(signal), placed.begin.joints[owner]
        turns = measured.units[index] == "rad"
        a, b = placed.ends(measured)
        return Sensed(
            measured.free.measures[index], a, b, state.values[index], state.rates[index], sensor.of, turns,
            single=turns and len(measured.rotations) == 1,
        )  # fmt: skip
    if measured is not None and measured.line is not None and signal == "length":
        first, last = attachments(measured)
        d, rate, _ = _between(placed, first, last)
        length = float(np.linalg.norm(d))
        return Sensed(DISTANCE, placed.site(first), placed.site(last), length, float(d @ rate) / max(length, 1e-300))
    body, marker = split(owner, placed.bodies)
    if (body in placed.bodies or body == GROUND) and signal in AXES:
        observer = sensor.seen_from or MarkerRef(body=GROUND)
        seen = MarkerRef(body=body, marker=marker or None)
        d, rate, R = _between(placed, observer, seen)
        k = AXES.index(signal)
        return Sensed(_ALONG[k], placed.site(observer), placed.site(seen), float(R[:, k] @ d), float(R[:, k] @ rate))
    raise ModelError(
        Problem(
            item.called(item.name),
            f"it cannot follow sensor '{name}', which reads '{sensor.of}'",
            "a motor prescribes positions or speeds by joint variables, lengths and positions of markers, whose rates come with them"
            + ("; the time is written t" if sensor.of == "time" else ""),
            "let it read one of these, or give the motor a stiffness, with which a spring follows any position",
        )
    )


def _between(placed: Placed, a: MarkerRef, b: MarkerRef) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """From a to b at the start, its rate as seen from a, both in global axes, and the axes of a."""
    begin = placed.begin
    poses = [placed.pose(ref, begin) for ref in (a, b)]
    arms = [pose.p - begin.poses[ref.body].p for pose, ref in zip(poses, (a, b), strict=True)]
    twists = [shift_twist(begin.twists[ref.body], arm) for ref, arm in zip((a, b), arms, strict=True)]
    d = poses[1].p - poses[0].p
    return d, twists[1][:3] - twists[0][:3] - np.cross(twists[0][3:], d), poses[0].R
