"""What every object of a model is built from: a frozen, validated record whose values may carry units.

    mass: Mass = Field(description="Mass [kg].")

accepts 1.2, "1.2 kg" and "1200 g" and stores 1.2. Unknown keys are refused. A mistake raises ModelError with one
line per problem. Positional arguments follow the class's `positional` names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, ValidationError
from pydantic._internal._model_construction import ModelMetaclass

from flexor.errors import ModelError, Problem, UnitError
from flexor.units import si


class _Positional(ModelMetaclass):
    """Lets `Revolute("pin", a, b, axis="z")` be written; mistakes come out as ModelError."""

    def __call__(cls, *args: Any, **fields: Any) -> Any:
        names = cls.positional  # type: ignore[attr-defined]
        if len(args) > len(names):
            raise TypeError(f"{cls.__name__} takes at most {len(names)} positional arguments {names}, got {len(args)}")
        for name, value in zip(names, args, strict=False):
            if name in fields:
                raise TypeError(f"{cls.__name__}: '{name}' is given twice, by position and by name")
            fields[name] = value
        try:
            return super().__call__(**fields)
        except ValidationError as error:
            raise ModelError(problems_of(error, _title(cls, fields))) from None


class Declaration(BaseModel, metaclass=_Positional):
    """Base of everything a user declares."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    positional: ClassVar[tuple[str, ...]] = ()

    def replace(self, **changes: Any) -> Any:
        """The same declaration with some fields changed, validated again."""
        return type(self)(**{**{n: getattr(self, n) for n in type(self).model_fields}, **changes})


def _title(cls: type, fields: dict[str, Any]) -> str:
    kind = getattr(cls, "type_name", None) or cls.__name__
    name = fields.get("name")
    return f"{kind} '{name}'" if isinstance(name, str) else str(kind)


def problems_of(error: ValidationError, where: str, source: str = "") -> list[Problem]:
    """One Problem per mistake that pydantic found, in the words of this package."""
    problems = []
    for item in error.errors(include_url=False):
        field = ".".join(str(part) for part in item["loc"])
        why = item["msg"].removeprefix("Value error, ")
        fix = ""
        if item["type"] == "extra_forbidden":
            what, why, fix = f"unknown key '{field}'", "no such field", "check the spelling or remove it"
        elif item["type"] == "missing":
            what, why, fix = f"'{field}' is missing", "it has no default", f"add {field}: …"
        else:
            what = f"{field} = {_short(item.get('input'))}" if field else _short(item.get("input"))
            if ";" in why:
                why, _, fix = why.partition(";")
        problems.append(Problem(where=where, what=what, why=why.strip(), fix=fix.strip(), source=source))
    return problems


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _quantity(dimension: str | None) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        try:
            return si(value, dimension)
        except UnitError as error:
            raise ValueError(str(error)) from None

    return convert


def quantity(dimension: str | None) -> Any:
    """Field type: a float in SI, given as a number or as text with a unit of this dimension."""
    return Annotated[float, BeforeValidator(_quantity(dimension))]


Number = quantity(None)
Length = quantity("length")
Angle = quantity("angle")
Time = quantity("time")
Mass = quantity("mass")
Density = quantity("density")
Force = quantity("force")
Torque = quantity("torque")
Frequency = quantity("frequency")

Vector = tuple[float, float, float]


def vector(dimension: str | None) -> Any:
    """Field type: three floats in SI."""

    def convert(value: Any) -> Any:
        if isinstance(value, str) or not hasattr(value, "__len__") or len(value) != 3:
            raise ValueError("it needs three numbers; e.g. [0, 0, 1]")
        return tuple(_quantity(dimension)(component) for component in value)

    return Annotated[Vector, BeforeValidator(convert), PlainSerializer(list, return_type=list)]


Point = vector("length")
Velocity = vector("velocity")
AngularVelocity = vector("angular velocity")
Acceleration = vector("acceleration")

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def _direction(value: Any) -> Any:
    if isinstance(value, str):
        sign = -1.0 if value.startswith("-") else 1.0
        axis = _AXES.get(value.lstrip("+-"))
        if axis is None:
            raise ValueError("it is no direction; write x, y, z, -x … or three numbers, e.g. [0, 0, 1]")
        return tuple(sign * c + 0.0 for c in axis)
    if not hasattr(value, "__len__") or len(value) != 3:
        raise ValueError("it needs a direction; e.g. z or [0, 0, 1]")
    numbers = tuple(float(c) for c in value)
    if sum(c * c for c in numbers) < 1e-24:
        raise ValueError("it is zero-length; it needs a direction, e.g. axis: [0, 0, 1]")
    return numbers


Direction = Annotated[Vector, BeforeValidator(_direction), PlainSerializer(list, return_type=list)]
"""Field type: a direction, "x", "-z" or three numbers; need not be of unit length."""


def _rotation(value: Any) -> Any:
    """Quaternion (w, x, y, z) from a quaternion, a 3×3 matrix, or {axis, angle} / {euler, angles}."""
    import numpy as np

    from flexor.spatial import euler_to_matrix, exp_so3, matrix_to_quaternion

    if isinstance(value, dict):
        if set(value) == {"axis", "angle"}:
            axis = np.array(_direction(value["axis"]))
            angle = _quantity("angle")(value["angle"])
            return tuple(float(q) for q in matrix_to_quaternion(exp_so3(angle * axis / np.linalg.norm(axis))))
        if set(value) == {"euler", "angles"}:
            angles = [_quantity("angle")(a) for a in value["angles"]]
            return tuple(float(q) for q in matrix_to_quaternion(euler_to_matrix(angles, str(value["euler"]).lower())))
        raise ValueError('it is no rotation; write {axis: z, angle: "30 deg"} or {euler: zyx, angles: [0, 0, 0]}')
    array = np.asarray(value, dtype=float)
    if array.shape == (3, 3):
        if np.abs(array @ array.T - np.eye(3)).max() > 1e-6 or np.linalg.det(array) < 0:
            raise ValueError("the matrix is no rotation; its columns must be orthonormal and right-handed")
        return tuple(float(q) for q in matrix_to_quaternion(array))
    if array.shape == (4,):
        size = float(np.linalg.norm(array))
        if size < 1e-12:
            raise ValueError("the quaternion is zero; write (w, x, y, z), e.g. [1, 0, 0, 0]")
        return tuple(float(q) for q in (array if abs(size - 1.0) < 1e-12 else array / size))
    raise ValueError('it is no rotation; write {axis: z, angle: "30 deg"}, a quaternion [w, x, y, z] or a 3×3 matrix')


Rotation = Annotated[
    tuple[float, float, float, float], BeforeValidator(_rotation), PlainSerializer(list, return_type=list)
]
"""Field type: an orientation, kept as a quaternion (w, x, y, z)."""
