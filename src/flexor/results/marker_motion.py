"""How markers move: not recorded, but computed from the motion of their bodies, which is.

    x = x_B + r,   v = v_B + ω × r,   a = a_B + α × r + ω × (ω × r),   r = R_WB p_BM        (3.4) of the theory manual

Names: "knuckle.wheel.position", also orientation, velocity, angular_velocity, acceleration, angular_acceleration and
euler_zyx (any sequence of axes), each with components _x, _y, _z (_1, _2, _3 of Euler angles); "knuckle.center_of_mass.…".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from flexor.bodies.marker import Attachable, MarkerRef
from flexor.declaration import Vector
from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion
from flexor.spatial import EULER_SEQUENCES, continuous_quaternions, matrix_to_euler, matrix_to_quaternion
from flexor.spatial import quaternion_to_matrix as to_matrix

if TYPE_CHECKING:
    from flexor.bodies import Body
    from flexor.model import Model
    from flexor.recover.from_signals import Signals

Attached: TypeAlias = str | MarkerRef | Attachable
"""How a user names a marker: "body.marker", "body", a body itself, or body.at(0.1, 0, 0)."""
CENTER = "center_of_mass"
UNITS = {
    "position": "m",
    "orientation": "",
    "velocity": "m/s",
    "angular_velocity": "rad/s",
    "acceleration": "m/s²",
    "angular_acceleration": "rad/s²",
}
_EULER = "euler_"


@dataclass(frozen=True, eq=False)
class MarkerMotion:
    """A marker at T times: global position, axes R_WM (T, 3, 3), and rates in global axes (T, 3)."""

    time: np.ndarray
    position: np.ndarray
    R: np.ndarray
    velocity: np.ndarray
    angular_velocity: np.ndarray
    acceleration: np.ndarray
    angular_acceleration: np.ndarray

    @property
    def orientation(self) -> np.ndarray:
        """(T, 4) quaternions w, x, y, z without jumps."""
        return continuous_quaternions(matrix_to_quaternion(self.R))

    def euler(self, sequence: str = "zyx", fixed: bool = False) -> np.ndarray:
        """(T, 3) Euler angles [rad] in the order of the axes, the outer two without jumps by a turn."""
        return euler_angles(self.R, sequence, fixed)

    def at(self, p_BM: ArrayLike, R_BM: np.ndarray | None = None) -> MarkerMotion:
        """A point that moves with it, given in its axes [m]."""
        r = self.R @ np.asarray(p_BM, dtype=float)
        w, alpha = self.angular_velocity, self.angular_acceleration
        return MarkerMotion(
            self.time,
            self.position + r,
            self.R if R_BM is None else self.R @ R_BM,
            self.velocity + np.cross(w, r),
            w,
            self.acceleration + np.cross(alpha, r) + np.cross(w, np.cross(w, r)),
            alpha,
        )


def euler_angles(R: np.ndarray, sequence: str, fixed: bool = False) -> np.ndarray:
    """(T, 3) Euler angles of rotations over time [rad]."""
    angles = matrix_to_euler(R, sequence, fixed=fixed)
    angles[:, [0, 2]] = np.unwrap(angles[:, [0, 2]], axis=0)
    return angles


def motion_of(model: Model, signals: Signals, marker: Attached) -> MarkerMotion:
    """Of "body", "body.marker", "body.center_of_mass", "ground", or of a point of a rigid body, `crank.at(0.1, 0, 0)`.

    signals: a Run, or values by name, "time" among them.
    """
    ref = reference_to(marker, model)
    if ref.body == "ground":
        return _ground(np.asarray(signals["time"], dtype=float)).at(*place_of(None, ref))
    body = _body(model, ref)
    recorded = f"{ref.body}.{ref.marker}" if ref.marker else ref.body
    if ref.marker and _is_recorded(signals, recorded):
        given = None if ref.marker == CENTER else body.marker(ref.marker).orientation
        return _recorded(signals, recorded).at((0, 0, 0), None if given is None else to_matrix(given))
    if not _is_recorded(signals, ref.body):
        fix = f"record={(ref.body,)!r} records it"
        raise ModelError(Problem(f"marker '{marker}'", f"the motion of '{ref.body}' was not recorded", "", fix))
    if body.flexible and (ref.marker or ref.at is not None):
        why, fix = "a point of a body that deforms does not follow its frame", "declare a marker or interface there"
        raise ModelError(Problem(f"marker '{marker}'", "it was not recorded", why, fix))
    return _recorded(signals, ref.body).at(*place_of(body, ref))


def marker_values(model: Model, signals: Signals, name: str) -> tuple[np.ndarray, str] | None:
    """(values over time, unit) of a signal of a marker by its name; None if it is no such name."""
    owner, what, column = _parsed(name)
    if what is None or ("." not in owner and what in UNITS):
        return None
    known = {*marker_names(model), *bodies_of(model), *getattr(model, "ports", ())}
    if owner not in known and not _is_recorded(signals, owner):
        return None
    try:
        motion = motion_of(model, signals, owner)
    except ModelError:
        return None
    values = motion.euler(what.removeprefix(_EULER)) if what.startswith(_EULER) else getattr(motion, what)
    return (values if column is None else values[:, column]), UNITS.get(what, "rad")


def marker_names(model: Model) -> Iterator[str]:
    """Markers of all bodies, "knuckle.wheel", and the centre of mass of rigid ones."""
    for name, body in bodies_of(model).items():
        if not body.flexible:
            names = dict.fromkeys([*body.marker_names, *([CENTER] if hasattr(body, CENTER) else [])])
            yield from (f"{name}.{marker}" for marker in names)


def marker_signals(model: Model) -> list[str]:
    """Names of what is known of these markers."""
    return [f"{marker}.{what}" for marker in marker_names(model) for what in UNITS]


def _parsed(name: str) -> tuple[str, str | None, int | None]:
    """(owner, quantity, component) of a name; no quantity if it is none of a marker."""
    owner, _, what = name.rpartition(".")
    stem, _, last = what.rpartition("_")
    for quantity, axis in ((what, None), (stem, last)):
        axes = "wxyz" if quantity == "orientation" else "123" if quantity.startswith(_EULER) else "xyz"
        if quantity in UNITS or (quantity.removeprefix(_EULER) in EULER_SEQUENCES and quantity.startswith(_EULER)):
            if axis is None:
                return owner, quantity, None
            if len(axis) == 1 and axis in axes:
                return owner, quantity, axes.index(axis)
    return owner, None, None


def bodies_of(model: Model) -> Mapping[str, Body]:
    """What carries markers, by name."""
    return {item.name: item for item in getattr(model, "items", ()) if hasattr(item, "marker_names")}


def reference_to(marker: Attached, model: Model) -> MarkerRef:
    """Of a name, a body or a reference; ports of components are found, too."""
    if isinstance(marker, str | MarkerRef):
        ref = MarkerRef.model_validate(marker)
        return model.marker(ref) if hasattr(model, "marker") else ref
    if hasattr(marker, "as_reference"):
        return MarkerRef.model_validate(marker.as_reference())
    raise ModelError(Problem("marker", f"{marker!r} is none", "", 'give "body.marker", "body", or body.at(x, y, z)'))


def _body(model: Model, ref: MarkerRef) -> Body:
    bodies = bodies_of(model)
    if ref.body not in bodies:
        fix = suggestion(ref.body, [*bodies, "ground"], "bodies are")
        raise ModelError(Problem(f"marker '{ref}'", f"there is no body '{ref.body}'", "", fix))
    body = bodies[ref.body]
    known = [*body.marker_names, *([CENTER] if hasattr(body, CENTER) else [])]
    if ref.marker is not None and ref.marker not in known:
        fix = suggestion(ref.marker, known, "it has") or "it has no markers"
        raise ModelError(Problem(f"marker '{ref}'", f"'{ref.body}' has no marker '{ref.marker}'", "", fix))
    return body


def place_of(body: Body | None, ref: MarkerRef) -> tuple[Vector, np.ndarray | None]:
    """Position in the body's axes, and orientation there if it has one."""
    p, q = ref.at or (0.0, 0.0, 0.0), ref.orientation
    if body is not None and ref.marker == CENTER and CENTER not in body.markers:
        p = getattr(body, CENTER)
    elif body is not None and ref.marker is not None:
        marker = body.marker(ref.marker)
        p, q = marker.at, marker.orientation
    return p, None if q is None else to_matrix(q)


def _is_recorded(signals: Signals, node: str) -> bool:
    names = getattr(signals, "units", signals)  # of a Run, those of its columns
    return f"{node}.position_x" in names and f"{node}.orientation_w" in names


def _recorded(signals: Signals, node: str) -> MarkerMotion:
    from flexor.recover.from_signals import Reader  # loads recovery

    read = Reader(signals, node)
    position, R = read.pose(node)
    velocity, acceleration = read.twist(node), read.twist(node, "acceleration")
    if velocity is None or acceleration is None:
        raise ModelError(Problem(f"marker '{node}'", "its velocity was not recorded", "", "record the whole body"))
    rates = velocity[:, :3], velocity[:, 3:], acceleration[:, :3], acceleration[:, 3:]
    return MarkerMotion(read("time"), position, R, *rates)


def _ground(time: np.ndarray) -> MarkerMotion:
    zero = np.zeros((len(time), 3))
    return MarkerMotion(time, zero, np.tile(np.eye(3), (len(time), 1, 1)), zero, zero, zero, zero)


def seen_from(a: MarkerMotion, b: MarkerMotion) -> MarkerMotion:
    """The motion of b as an observer sees it who moves with a, in the axes of a.

    p = R_Aᵀ d,   ṗ = R_Aᵀ (ḋ − ω_A × d),   p̈ = R_Aᵀ (d̈ − α_A × d − 2 ω_A × (ḋ − ω_A × d) − ω_A × (ω_A × d)),   d = x_B − x_A
    """
    from flexor.recover.history import turn  # loads recovery

    to_a = np.swapaxes(a.R, 1, 2)
    d, w = b.position - a.position, a.angular_velocity
    carried = np.cross(w, d)
    rate = b.velocity - a.velocity - carried
    second = b.acceleration - a.acceleration - np.cross(a.angular_acceleration, d) - 2 * np.cross(w, rate)
    spin = b.angular_velocity - w
    turning = b.angular_acceleration - a.angular_acceleration - np.cross(w, spin)
    return MarkerMotion(
        a.time,
        turn(to_a, d),
        to_a @ b.R,
        turn(to_a, rate),
        turn(to_a, spin),
        turn(to_a, second - np.cross(w, carried)),
        turn(to_a, turning),
    )
