"""Bushing: elastic and damped in six directions; flexible revolute, ball, prismatic and cylindrical joints.   FTG 5.1.2, 5.2"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from flexor.bodies.marker import MarkerRef
from flexor.coordinates.frames import Frame
from flexor.declaration import Direction, Item, bounded
from flexor.dotted import NAME
from flexor.effects import Doubt
from flexor.forces.bushing_law import NONE, SWING, VECTOR, SixDirections, Turned, bushing
from flexor.functions import AnyFunction, Function
from flexor.functions.call import packed
from flexor.functions.measure import refuse
from flexor.functions.samples import CUBIC, RISING, SPLINE
from flexor.joints.surroundings import Surroundings
from flexor.law import Term
from flexor.spatial import triad
from flexor.units import Dimension, si

DIRECTIONS = ("x", "y", "z", "rx", "ry", "rz")
Way = Literal["x", "y", "z", "rx", "ry", "rz"]
Row = tuple[float, float, float, float, float, float]
Six = Row | tuple[Row, Row, Row, Row, Row, Row]

UNSYMMETRIC = replace(bushing, symmetric=False)


def six(linear: str, angular: str) -> BeforeValidator:
    """Makes a field of six values along and about x, y, z, or of a 6×6 matrix in SI units."""

    def convert(value: Any) -> Six:
        given = value.tolist() if isinstance(value, np.ndarray) else value
        if not isinstance(given, list | tuple) or len(given) != 6:
            raise ValueError(
                "it needs six numbers, along and about x, y, z, or a 6×6 matrix; 0 leaves a direction free"
            )
        if all(isinstance(row, list | tuple) and len(row) == 6 for row in given):
            rows = [tuple(bounded(si(each, None)) for each in row) for row in given]
            return tuple(rows)  # type: ignore[return-value]
        kinds = (linear,) * 3 + (angular,) * 3
        return tuple(bounded(si(each, kind)) for each, kind in zip(given, kinds, strict=True))  # type: ignore[return-value]

    one = float | str
    row = tuple[one, one, one, one, one, one]
    matrix = tuple[Row, Row, Row, Row, Row, Row]
    return BeforeValidator(convert, json_schema_input_type=row | matrix)


Stiffnesses = Annotated[Six, six("stiffness", "rotational stiffness")]
Dampings = Annotated[Six, six("damping", "rotational damping")]
ZERO = (0.0,) * 6
PARALLEL = 1e-6
"""Angle between two directions that makes no plane [rad]."""


class Bushing(Item):
    """Elastic and damped in six directions between two markers.

    Directions x, y, z and rotations about them are those of marker A, z along `axis`. The rotation is measured by its rotation vector, up to
    half a turn; where nothing resists rotation about z, B may turn about it without end.

    fx.Bushing.revolute(…), .ball(…), .prismatic(…), .cylindrical(…) make flexible joints of it.

    Signals: deflection [m], rotation [rad]; force [N] and torque [N m] that it exerts on B; strain_energy [J]. All in axes of A.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "a", "b", "stiffness", "damping")
    noun: ClassVar[str] = "bushing"
    type: Literal["bushing"] = "bushing"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {
            "name": "rubber",
            "a": "crank",
            "b": "rod.tip",
            "stiffness": ("0.02 N/mm", "20 N/m", 8, 2, 2, 0.5),
            "damping": (1, 1, 0.3, 0.2, 0.2, 0.1),
        },
        {
            "a": "crank",
            "b": "rod.tip",
            "stiffness": (3, 2, 1, 0.4, 0.5, 0.6),
            "curves": {"x": CUBIC, "rz": SPLINE},
            "dampers": {"y": RISING, "ry": RISING},
            "axis": (1, 2, 0),
        },
        {"a": "crank", "b": "rod.tip", "stiffness": (3, 2, 0, 0.7, 0.5, 0), "damping": (1, 1, 0, 0.3, 0.1, 0.2)},
        {"a": "crank", "b": "rod.tip", "stiffness": (3, 2, 1, 0, 0, 0), "damping": (0, 0, 0, 0.3, 0.1, 0.2)},
        {
            "a": "crank",
            "b": "rod.tip",
            "stiffness": (0, 0, 0, 0.4, 0.5, 0.6),
            "curves": {"x": RISING, "y": {"type": "polynomial", "coefficients": (0, 1, 0, 0.1)}},
            "interconnected": "xy",
        },
        {"a": "crank", "b": "rod.tip", "curves": {"x": RISING}, "interconnected": "xyz"},
    )
    name: str = Field(description="Unique name of the bushing.", min_length=1, pattern=NAME)
    a: MarkerRef = Field(description="Marker on the first body (or ground); its axes are those of the bushing.")
    b: MarkerRef = Field(description="Marker on the second body.")
    stiffness: Stiffnesses = Field(
        ZERO,
        description="Along x, y, z [N/m] and about them [N m/rad], or a 6×6 matrix, as a rule symmetric; 0 leaves a direction free.",
    )
    damping: Dampings = Field(ZERO, description="Along x, y, z [N s/m] and about them [N m s/rad], or a 6×6 matrix.")
    curves: dict[Way, AnyFunction] = Field(
        {},
        description="Further forces as functions of deflection, and torques of rotation, by direction: {x: …, rz: …}.",
    )
    dampers: dict[Way, AnyFunction] = Field(
        {}, description="Further damping forces and torques as functions of rate, likewise."
    )
    interconnected: Literal["xy", "xyz"] | None = Field(
        None,
        description="Directions whose curves hold for the distance in any direction between them (a round clearance).",
    )
    relaxed: Literal["drawn", "coincident"] = Field(
        "drawn",
        description="Where it is free of stress: as drawn (at the start, with all loops closed), or where its markers coincide with their axes.",
    )
    axis: Direction = Field((0.0, 0.0, 1.0), description="Its z axis, in the axes of marker A.")
    x_axis: Direction | None = Field(
        None, description="Towards which its x axis points, likewise; any side if left out."
    )

    @property
    def needs_orientation(self) -> bool:
        turning = any(way.startswith("r") for way in (*self.curves, *self.dampers))
        return turning or any(bool(M[3:].any() or M[:, 3:].any()) for M in self.matrices)

    @property
    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """Stiffness and damping, 6×6."""
        return _matrix(self.stiffness), _matrix(self.damping)

    @model_validator(mode="after")
    def _fitting(self) -> Bushing:
        _, D = self.matrices
        symmetric = 0.5 * (D + D.T)
        if np.linalg.eigvalsh(symmetric)[0] < -1e-9 * max(np.abs(symmetric).max(), 1e-300):
            raise ValueError("damping would give energy in some direction; it must not be negative: check its signs")
        for field, given, measures in (
            ("curves", self.curves, ("length", "angle")),
            ("dampers", self.dampers, ("velocity", "angular velocity")),
        ):
            for way, function in given.items():
                angular = way.startswith("r")
                effort = Dimension.of("torque" if angular else "force")
                refuse(each.inside(field, way) for each in function.misfits(effort, Dimension.of(measures[angular])))
                if function.sensors:
                    raise ValueError(
                        f"{field}.{way} depends on sensor '{function.sensors[0]}', but is a function of its direction"
                    )
        if self.x_axis is not None and np.linalg.norm(np.cross(self.axis, self.x_axis)) < PARALLEL * (
            np.linalg.norm(self.axis) * np.linalg.norm(self.x_axis)
        ):
            raise ValueError(
                "x_axis is parallel to axis, which is z; turn it, e.g. x_axis: x where axis is z, or leave it out"
            )
        if self.interconnected is not None:
            ways = [way for way in self.interconnected if way in self.curves]
            if not ways:
                raise ValueError(
                    f"interconnected: {self.interconnected} needs a curve; give one for x, which then holds for all of them, e.g. "
                    "curves: {x: …}; constant stiffnesses are round by themselves"
                )
            for way in ways:
                if abs(self.curves[way](0.0)) > 0.0:  # type: ignore[index]
                    raise ValueError(f"curves.{way} is not zero at zero, where it would have no direction")
        return self

    @property
    def _shared(self) -> dict[str, Function]:
        """Curves by direction; one that is given for one of the interconnected directions holds for all of them."""
        found: dict[str, Function] = {str(way): function for way, function in self.curves.items()}
        if self.interconnected is not None:
            ways = [way for way in self.interconnected if way in found]
            if len(ways) == 1:
                found |= dict.fromkeys(self.interconnected, found[ways[0]])
        return found

    def resists(self, axes: np.ndarray) -> Sequence[Sequence[float]]:
        rows = np.kron(np.eye(2), axes @ triad(self.axis, self.x_axis)).T
        return [rows[i].tolist() for i, way in enumerate(DIRECTIONS) if way in self._resisted]

    @property
    def _resisted(self) -> set[str]:
        """Directions with an elastic force."""
        K, curves = self.matrices[0], self._shared
        return {way for i, way in enumerate(DIRECTIONS) if K[i].any() or K[:, i].any() or way in curves}

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        K, D = self.matrices
        found = []
        if not (K.any() or D.any() or self.curves or self.dampers):
            found.append(
                Doubt("it exerts no force", "stiffness, damping and curves are empty", "give one or remove it")
            )
        for name, M in (("stiffness", K), ("damping", D)):
            off = np.abs(M - M.T)
            if off.max() > 1e-6 * np.abs(M).max():
                i, j = np.unravel_index(off.argmax(), off.shape)
                what = f"{name} is not symmetric: {DIRECTIONS[i]}{DIRECTIONS[j]} = {M[i, j]:g}, {DIRECTIONS[j]}{DIRECTIONS[i]} = {M[j, i]:g}"
                why = "it may give energy, as an oil film does" if name == "stiffness" else "that part takes no energy"
                found.append(Doubt(what, why, "if that is not meant, give the mean of both", name))
        symmetric = 0.5 * (K + K.T)
        least = np.linalg.eigvalsh(symmetric)[0]
        if least < -1e-9 * np.abs(symmetric).max():
            what = f"stiffness is negative in some direction (least eigenvalue {least:g})"
            found.append(Doubt(what, "it pushes away from where it is drawn", "check its signs", "stiffness"))
        return found

    def terms(self, around: Surroundings) -> list[Term]:
        """Its law; both markers get the axes that the bushing has at the start."""
        a, b, (X_WA, X_WB) = around.a, around.b, around.ends_drawn
        if self.relaxed == "coincident":
            X_WB = X_WA
        own = triad(self.axis, self.x_axis)
        K, D = self.matrices
        curves = self._shared
        resisted = self._resisted
        rotation = VECTOR if "rz" in resisted else SWING if resisted & {"rx", "ry"} else NONE
        parameters = SixDirections.pack(
            a=Frame.pack(p=a.p_NM, R=a.R_NM @ own),
            b=Frame.pack(p=b.p_NM, R=b.R_NM @ X_WB.R.T @ X_WA.R @ own),
            drawn=own.T @ X_WA.R.T @ (X_WB.p - X_WA.p),
            stiffness=K.ravel(),
            damping=D.ravel(),
            rotation=rotation,
            connected=len(self.interconnected or ""),
            bent=int(bool(curves or self.dampers)),
            **{way: packed(curves.get(way), integral=True) for way in DIRECTIONS},
            **{f"damper_{way}": packed(self.dampers.get(way)) for way in DIRECTIONS},  # type: ignore[call-overload]
        )
        plain = np.allclose(K, K.T, rtol=1e-6) and np.allclose(D, D.T, rtol=1e-6)
        return [
            Term(
                self.name,
                bushing if plain else UNSYMMETRIC,
                (a.node, b.node),
                history=Turned.begin(),
                parameters=parameters,
            )
        ]

    @classmethod
    def revolute(
        cls, name: str, a: Any, b: Any, *, radial: Any, axial: Any, tilting: Any, damping_time: float = 0.0, **more: Any
    ) -> Bushing:
        """A flexible revolute joint: free about its axis; radial and axial stiffness [N/m], against tilting [N m/rad].

        damping_time: damping over stiffness [s].   more: other fields, e.g. axis="x".
        """
        return _flexible(cls, name, a, b, (radial, radial, axial, tilting, tilting, 0), damping_time, more)

    @classmethod
    def ball(cls, name: str, a: Any, b: Any, *, radial: Any, damping_time: float = 0.0, **more: Any) -> Bushing:
        """A flexible ball joint: free to turn; the same stiffness in all directions [N/m]."""
        return _flexible(cls, name, a, b, (radial, radial, radial, 0, 0, 0), damping_time, more)

    @classmethod
    def prismatic(
        cls,
        name: str,
        a: Any,
        b: Any,
        *,
        radial: Any,
        tilting: Any,
        twisting: Any,
        damping_time: float = 0.0,
        **more: Any,
    ) -> Bushing:
        """A flexible prismatic joint: free along its axis; stiffness across [N/m], against tilting and twisting [N m/rad]."""
        return _flexible(cls, name, a, b, (radial, radial, 0, tilting, tilting, twisting), damping_time, more)

    @classmethod
    def cylindrical(
        cls, name: str, a: Any, b: Any, *, radial: Any, tilting: Any, damping_time: float = 0.0, **more: Any
    ) -> Bushing:
        """A flexible cylindrical joint: free along and about its axis; stiffness across [N/m] and against tilting [N m/rad]."""
        return _flexible(cls, name, a, b, (radial, radial, 0, tilting, tilting, 0), damping_time, more)


def _matrix(given: Any) -> np.ndarray:
    values = np.array(given, dtype=float)
    return np.diag(values) if values.ndim == 1 else values


def _flexible(
    cls: type[Bushing], name: str, a: Any, b: Any, stiffness: tuple[Any, ...], damping_time: float, more: dict[str, Any]
) -> Bushing:
    kinds = ("stiffness",) * 3 + ("rotational stiffness",) * 3
    values = tuple(si(value, kind) for value, kind in zip(stiffness, kinds, strict=True))
    if damping_time:
        more = {"damping": tuple(si(damping_time, "time") * value for value in values), **more}
    return cls(name, a, b, values, **more)
