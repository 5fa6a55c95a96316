"""What every object of a model is built from: a frozen, validated record whose values may carry units.

    mass: Mass = Field(description="Mass [kg].")

accepts 1.2, "1.2 kg" and "1200 g" and stores 1.2. Unknown keys are refused. A mistake raises ModelError
with one line per problem. Positional arguments follow the class's `positional` names.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar, Union, cast, get_args, get_origin

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetJsonSchemaHandler,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    ValidationError,
    WrapValidator,
    model_serializer,
)
from pydantic._internal._model_construction import ModelMetaclass
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticUndefined

from flexor.effects import AlongLine, Coupled, Doubt, Drive
from flexor.errors import ModelError
from flexor.mistakes import problems_of
from flexor.shown import given, in_short, table
from flexor.units import Measured, Quantity, measured, si

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")

_UNIT = re.compile(r"\[([^\], ]+(?: [^\], ]+)?)\]")
"""One unit in the description of a field, not two to choose from."""


class _Positional(ModelMetaclass):
    """Lets `Revolute("pin", a, b, axis="z")` be written; mistakes come out as ModelError."""

    if TYPE_CHECKING:  # what it makes are declarations
        positional: tuple[str, ...]

        def called(cls, name: object) -> str: ...

    def __call__(cls, *args: object, **fields: object) -> object:
        names = cls.positional
        if len(args) > len(names):
            raise TypeError(f"{cls.__name__} takes at most {len(names)} positional arguments {names}, got {len(args)}")
        for name, value in zip(names, args):
            if name in fields:
                raise TypeError(f"{cls.__name__}: '{name}' is given twice, by position and by name")
            fields[name] = value
        try:
            return super().__call__(**fields)
        except ValidationError as error:
            raise ModelError(problems_of(error, cls.called(fields.get("name")), cast("type[BaseModel]", cls))) from None

    __instancecheck__ = type.__instancecheck__
    """By descent alone, which is quicker than to ask an abstract base class who is registered with it."""

    @property
    def __signature__(cls) -> inspect.Signature:
        """How it is called."""
        return _signature(cast("type[Declaration]", cls))

    @__signature__.setter
    def __signature__(cls, value: object) -> None:
        """Pydantic's, which knows nothing of positional arguments, is not taken."""

    def __dir__(cls) -> list[str]:
        """What it has of its own, for `help()` and completion; the machinery of validation stays out of sight."""
        own = {name for each in cls.__mro__ if each not in BaseModel.__mro__ for name in vars(each)}
        return sorted(own | (set(dir(object)) - set(vars(BaseModel))))


class Declaration(BaseModel, metaclass=_Positional):
    """Base of everything a user declares."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)
    positional: ClassVar[tuple[str, ...]] = ()
    noun: ClassVar[str] = ""
    """What an engineer calls it in a sentence: body, joint, spring; the name of the class if left out."""

    told: ClassVar[str] = ""
    """What its docstring says; for `help()` the fields are added to it."""

    samples: ClassVar[tuple[dict[str, object], ...]] = ()
    """Fields of a few examples, as a file has them: the laws of an item are tested on them, and the manual shows the first.

    They attach to the bodies crank and rod, each with a marker tip, act on the joints hinge, slider, sleeve, cardan, ball, table
    (revolute, prismatic, cylindrical, universal, spherical, planar), wheel, arm (revolute), on the flexible body strut and on the beam fin.
    Without a name they are
    called after their type.
    """

    @property
    def in_space(self) -> dict[str, Literal["point", "direction"]]:
        """Fields that are points or directions in global axes; all others move with the bodies."""
        return {}

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        if "told" not in cls.__dict__:
            cls.told = inspect.cleandoc(cls.__dict__.get("__doc__") or "")
        fields = [(name, field) for name, field in cls.model_fields.items() if name != "type"]
        lines = [f"    {name}: {field.description or ''}" for name, field in fields]
        cls.__doc__ = "\n".join([cls.told, "", "Fields:", "", *lines]) if lines else cls.told

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema tells its fields one by one."""
        schema = handler(core_schema)
        described = handler.resolve_ref_schema(schema)
        described.pop("description", None)
        if cls.told:
            described["description"] = cls.told
        return schema

    if TYPE_CHECKING:

        def __init__(self, *args: Any, **fields: Any) -> None: ...
    else:

        def __getattr__(self, name: str) -> object:
            """Declarations are often asked for what only some have; pydantic looks in several places before it says no."""
            if name[:1] != "_":
                raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
            return super().__getattr__(name)

    @classmethod
    def called(cls, name: object) -> str:
        """How messages call the thing of this name: `joint 'pin'`."""
        noun = cls.noun or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", cls.__name__).lower()
        return f"{noun} '{name}'" if isinstance(name, str) else noun

    @model_serializer(mode="wrap")
    def _type_first(self, write: SerializerFunctionWrapHandler) -> object:
        """The `type` is written even where defaults are left out, so that the reader knows what it reads."""
        data = write(self)
        return {"type": self.type, **data} if hasattr(self, "type") else data

    def __repr_args__(self) -> Iterator[tuple[str, object]]:
        """What was given; defaults are left out."""
        return given(self)

    def __str__(self) -> str:
        """What was given, a line for each field."""
        kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).lower()
        name = getattr(self, "name", None)
        rows = [(key, self.shown(key)) for key, _ in given(self) if key != "name"]
        return table(f"{kind} '{name}'" if isinstance(name, str) else kind, rows)

    def shown(self, field: str) -> str:
        """The value of a field in a line, with its unit as far as the field tells one."""
        value = getattr(self, field)
        numbers = isinstance(value, float) or (
            isinstance(value, tuple) and value != () and all(isinstance(each, float) for each in value)
        )
        unit = _UNIT.search(type(self).model_fields[field].description or "") if numbers else None
        return f"{in_short(value)} {unit[1]}" if unit else in_short(value)

    def __hash__(self) -> int:
        """Equal declarations have equal hashes, also where they hold tables."""
        return hash((type(self), *(_hashed(getattr(self, name)) for name in type(self).model_fields)))

    def with_fields(self, **values: object) -> Self:
        """The same declaration with other values in some fields, which are known to fit and are not validated: quicker than `model_copy`."""
        made, put = object.__new__(type(self)), object.__setattr__
        put(made, "__dict__", self.__dict__ | values)
        put(made, "__pydantic_fields_set__", self.__pydantic_fields_set__ | values.keys())
        put(made, "__pydantic_extra__", self.__pydantic_extra__)
        put(made, "__pydantic_private__", self.__pydantic_private__)
        return made

    def replace(self, **changes: object) -> Self:
        """The same declaration with some fields changed, validated again."""
        return type(self)(**{**{n: getattr(self, n) for n in type(self).model_fields}, **changes})


def _hashed(value: object) -> int:
    if isinstance(value, dict):
        return hash(frozenset((key, _hashed(each)) for key, each in value.items()))
    if isinstance(value, list | tuple):
        return hash(tuple(map(_hashed, value)))
    try:
        return hash(value)
    except TypeError:  # arrays of a mesh in memory
        return 0


def _signature(cls: type[Declaration]) -> inspect.Signature:
    """How it is called: positional fields first, all others by name."""
    fields = {name: field for name, field in cls.model_fields.items() if name != "type"}
    order = [*(name for name in cls.positional if name in fields), *(n for n in fields if n not in cls.positional)]
    found: list[inspect.Parameter] = []
    for name in order:
        field = fields[name]
        default = inspect.Parameter.empty if field.is_required() else field.get_default(call_default_factory=True)
        after_default = field.is_required() and any(each.default is not each.empty for each in found)
        first = name in cls.positional and not after_default
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if first else inspect.Parameter.KEYWORD_ONLY
        found.append(inspect.Parameter(name, kind, default=default))
    return inspect.Signature(sorted(found, key=lambda each: each.kind))


class Item(Declaration):
    """Base of what stands in a model under a name: bodies, joints, motors, forces, contacts.

    The check of a model, its assembly and its start ask each item what it does by the properties below; they know no classes of
    springs, rods or motors. An item that says nothing exerts forces which nobody can foresee.
    """

    if TYPE_CHECKING:
        name: str
        type: str

    one_way: ClassVar[bool] = False
    """Whether what it binds fits in one way only as long as it closes no loop; if it is not known, several are reckoned with."""

    readable: ClassVar[bool] = False
    """Whether it has a value under its name that functions may depend on: sensors, blocks of a control system."""

    prescribes: ClassVar[dict[str, int]] = {}
    """Fields that prescribe a motion as functions of time, and which derivative of the position each gives."""

    @property
    def binds(self) -> tuple[str, ...]:
        """Names of its constraint rows, which bind the bodies that it is attached to; none if it only exerts forces."""
        return ()

    @property
    def eliminates(self) -> tuple[str, str] | None:
        """Names of two bodies, the second of which it makes follow the first, where the user asks for elimination.

        What is no joint then has `follower` and `driving_terms`, see `flexor.joints.prescribed_motion`.
        """
        return None

    @property
    def line(self) -> AlongLine | None:
        """How it acts along the line between its ends a and b, if it does nothing else."""
        return None

    @property
    def drive(self) -> Drive | None:
        """What it prescribes of a joint variable."""
        return None

    @property
    def couples(self) -> tuple[Coupled, ...]:
        """Joint variables that it couples; it binds, or exerts forces on, the bodies of their joints."""
        return ()

    @property
    def one_housing(self) -> str:
        """What helps where the joints whose variables it couples do not stand on one body; nothing where they need not."""
        return ""

    @property
    def start_rates_of_marker(self) -> tuple[float, ...] | None:
        """Velocity and spin at t = 0 with which it moves its marker `on`, in the axes of `seen_from` [m/s, rad/s]; None if it does not."""
        return None

    @property
    def adds_inertia(self) -> tuple[float, np.ndarray] | None:
        """Mass and inertia, in the axes of its marker, that it adds where it is attached (field `on`) [kg, kg m²]."""
        return None

    @property
    def displaces(self) -> dict[str, tuple[str, ...]]:
        """Bodies that it takes away, at t = 0, from where they are drawn, and which of position and orientation it changes."""
        return {}

    @property
    def holds(self) -> bool:
        """Whether it may hold a body that it is attached to in its place: what acts between two ends, a and b, may."""
        return has(type(self), "a") and has(type(self), "b")

    @property
    def needs_orientation(self) -> bool:
        """Whether it turns the body that it is attached to, or holds its orientation; a point mass has none."""
        return False

    @property
    def reads_reactions_of(self) -> str | None:
        """Name of a joint whose reactions it depends on; such a joint is not eliminated."""
        return None

    def objections(self, joint: Any) -> list[Doubt]:
        """What cannot be meant in it, of an item that acts on this joint."""
        return []

    def resistance(self) -> tuple[float, float]:
        """Stiffness and damping along its line where it is undeformed [N/m, N s/m]."""
        return (0.0, 0.0)

    def resists(self, axes: np.ndarray) -> Sequence[Sequence[float]]:
        """Directions in which it holds its end b elastically, force and moment each; axes: R of marker A, in global axes.

        Of items along a line or a joint variable that is known without it.
        """
        return ()

    @property
    def over_surfaces(self) -> tuple[str, ...]:
        """Fields of attachments by which it touches a deforming body anywhere on its surface, not at a node of it."""
        return ()

    def misplaced(self, points: np.ndarray) -> Doubt | None:
        """What is wrong with where its attachments are: (n, 3), in the order of its fields, as the bodies are declared [m]."""
        return None

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        """What is probably not meant in it, seen alone, where gravity [m/s²] acts."""
        return []

    def unfit(self, shapes: Mapping[str, Sequence[Any]]) -> list[Doubt]:
        """What cannot be meant in it with the bodies that it is attached to; shapes: of each body, by its name."""
        return []

    def doubts_at_start(self, around: Any) -> list[Doubt]:
        """What is probably not meant in how it starts; around: its Surroundings."""
        return []


def _has(kind: type, name: str) -> bool:
    return name in getattr(kind, "model_fields", ()) or hasattr(kind, name)


has: Callable[[type, str], bool] = cache(_has)
"""Whether the declarations of a kind have a field, or anything else, of this name: asked once, not of each of thousands."""


def told_by(item: object, name: str, default: Any = None) -> Any:
    """A field of an item, or what stands for it where its kind has none: `getattr`, but quick to say no."""
    return getattr(item, name) if has(type(item), name) else default


@cache
def answers(kind: type[Item], name: str) -> bool:
    """Whether items of a kind answer a question of `Item` (`doubts`, `misplaced`, …) by themselves; else there is nothing to tell."""
    return getattr(kind, name) is not getattr(Item, name)


def registered(names: Mapping[str, object], base: type[Item] = Item) -> tuple[type[Item], ...]:
    """The items among the names of a folder, in the order of its lines: those that have a `type` in files."""
    kinds = dict.fromkeys(each for each in names.values() if isinstance(each, type) and issubclass(each, base))
    return tuple(kind for kind in kinds if "type" in kind.model_fields)


def taken(kind: type[Declaration], name: str) -> Any:
    """The type of what a user may write in a field: `float | str` where a float is kept."""
    for validator in kind.__pydantic_decorators__.field_validators.values():
        if name in validator.info.fields and validator.info.json_schema_input_type is not PydanticUndefined:
            return _taken(validator.info.json_schema_input_type)
    field = kind.model_fields[name]
    return _taken(Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation)


def _taken(kind: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        given = [getattr(each, "json_schema_input_type", PydanticUndefined) for each in inner[1:]]
        return _taken(next((each for each in reversed(given) if each is not PydanticUndefined), inner[0]))
    if origin in (Union, UnionType):
        return reduce(or_, map(_taken, inner))
    if origin in (tuple, list, dict):
        return origin[tuple(each if each is Ellipsis else _taken(each) for each in inner)]
    return kind


LARGEST = 1e100
"""Beyond this no quantity is real, and its powers overflow."""


def bounded(number: T) -> T:
    """The number, refused where it is beyond LARGEST (what is not finite or no number is told otherwise)."""
    if isinstance(number, float) and LARGEST < abs(number) < math.inf:
        raise ValueError(f"it is beyond ±{LARGEST:g}; no real thing is that large, check the number and its unit")
    return number


_PLAIN = (float, int)


def plain(x: Any, y: Any, z: Any) -> bool:
    """Whether all three are bare numbers, none of them beyond LARGEST, which need no looking at."""
    if type(x) in _PLAIN and type(y) in _PLAIN and type(z) in _PLAIN:
        return bool(-LARGEST <= x <= LARGEST and -LARGEST <= y <= LARGEST and -LARGEST <= z <= LARGEST)
    return False


def _quantity(dimension: str | None) -> Callable[[Quantity], float]:
    def convert(value: Quantity) -> float:
        if type(value) is float and -LARGEST <= value <= LARGEST:  # most are
            return value
        return bounded(si(value, dimension))

    return convert


def quantity(dimension: str | None) -> BeforeValidator:
    """Makes `Annotated[float, quantity("length")]` a field: a float in SI, given as a number or as text with such a unit."""
    return BeforeValidator(_quantity(dimension), json_schema_input_type=float | str)


def remembered(dimension: str | None) -> WrapValidator:
    """As `quantity`, of a dimension that is judged later; with AS_WRITTEN what was written is kept, in files too."""

    def convert(value: Quantity, validate: Callable[[float], float]) -> float:
        number = measured(value, dimension)
        return bounded(number) if validate(number) == number else number

    return WrapValidator(convert, json_schema_input_type=float | str)


def _as_written(value: float) -> float | str:
    return value.text if isinstance(value, Measured) else value


AS_WRITTEN = PlainSerializer(_as_written, when_used="json")

Number = Annotated[float, remembered(None), AS_WRITTEN]
Length = Annotated[float, quantity("length")]
Area = Annotated[float, quantity("area")]
SecondMoment = Annotated[float, quantity("second moment of area")]
Angle = Annotated[float, quantity("angle")]
Time = Annotated[float, quantity("time")]
Mass = Annotated[float, quantity("mass")]
Density = Annotated[float, quantity("density")]
LinearDensity = Annotated[float, quantity("linear density")]
Modulus = Annotated[float, quantity("pressure")]
Force = Annotated[float, quantity("force")]
Torque = Annotated[float, quantity("torque")]
Stiffness = Annotated[float, quantity("stiffness")]
RotationalStiffness = Annotated[float, quantity("rotational stiffness")]
Frequency = Annotated[float, quantity("frequency")]

Vector = tuple[float, float, float]


_NUMBERS = {float, int, str}


def _three(value: object, what: str) -> Sequence[Quantity]:
    if type(value) is tuple and len(value) == 3 and _NUMBERS.issuperset(map(type, value)):
        return value
    several = isinstance(value, Iterable) and hasattr(value, "__len__") and not isinstance(value, str | dict)
    components = list(cast("Iterable[Quantity]", value)) if several else []
    if len(components) != 3 or any(hasattr(each, "__len__") and not isinstance(each, str) for each in components):
        raise ValueError(what)
    return components


_Three = tuple[float | str, float | str, float | str]


def _three_numbers(value: Sequence[Quantity], dimension: str | None) -> Vector:
    x, y, z = [each if type(each) is float else si(each, dimension) for each in value]
    if -LARGEST <= x <= LARGEST and -LARGEST <= y <= LARGEST and -LARGEST <= z <= LARGEST:
        return (x, y, z)
    return (bounded(x), bounded(y), bounded(z))


def vector(dimension: str | None) -> BeforeValidator:
    """Makes `Annotated[Vector, vector("length"), AS_LIST]` a field: three floats in SI."""

    def convert(value: object) -> Vector:
        return _three_numbers(_three(value, "it needs three numbers; e.g. [0, 0, 1]"), dimension)

    return BeforeValidator(convert, json_schema_input_type=_Three)


AS_LIST = PlainSerializer(list, return_type=list)

Point = Annotated[Vector, vector("length"), AS_LIST]
Velocity = Annotated[Vector, vector("velocity"), AS_LIST]
AngularVelocity = Annotated[Vector, vector("angular velocity"), AS_LIST]
Acceleration = Annotated[Vector, vector("acceleration"), AS_LIST]

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def _direction(value: object) -> tuple[float, ...]:
    if isinstance(value, str):
        if value in _AXES:
            return _AXES[value]
        sign = -1.0 if value.startswith("-") else 1.0
        axis = _AXES.get(value.lstrip("+-"))
        if axis is None:
            raise ValueError("it is no direction; write x, y, z, -x … or three numbers, e.g. [0, 0, 1]")
        return tuple(sign * c + 0.0 for c in axis)
    numbers = _three_numbers(_three(value, "it needs a direction; e.g. z or [0, 0, 1]"), "dimensionless")
    if max(map(abs, numbers)) < 1e-12:
        raise ValueError("it is zero-length; it needs a direction, e.g. axis: [0, 0, 1]")
    return numbers


def _axis_name(value: Vector) -> str | list[float]:
    """`x` for (1, 0, 0)"""
    named = {_direction(sign + axis): sign + axis for axis in "xyz" for sign in ("", "-")}
    return named.get(value, list(value))


Direction = Annotated[
    Vector, BeforeValidator(_direction, json_schema_input_type=str | _Three), PlainSerializer(_axis_name)
]
"""Field type: a direction, "x", "-z" or three numbers; need not be of unit length."""


def _rotation(value: object) -> tuple[float, ...]:
    """Quaternion (w, x, y, z) from a quaternion, a 3×3 matrix, or {axis, angle} / {euler, angles}."""
    import numpy as np

    from flexor.spatial import direction, euler_to_matrix, exp_so3, matrix_to_quaternion  # loads NumPy

    try:
        array = np.empty(0) if isinstance(value, dict) else np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = np.empty(0)
    if isinstance(value, dict) and set(value) == {"axis", "angle"}:
        R = exp_so3(si(value["angle"], "angle") * direction(_direction(value["axis"])))
    elif isinstance(value, dict) and set(value) == {"euler", "angles"}:
        angles = si([*_three(value["angles"], "its angles are no three numbers; e.g. angles: [0, 0, 0]")], "angle")
        R = euler_to_matrix(angles, str(value["euler"]).lower())
    elif array.shape == (3, 3):
        if np.abs(array @ array.T - np.eye(3)).max() > 1e-6 or np.linalg.det(array) < 0:
            raise ValueError("its matrix is no rotation; the columns must be orthonormal and right-handed")
        R = array
    elif array.shape == (4,):
        size = float(np.linalg.norm(array))
        if not 1e-12 < size < 1e12:
            raise ValueError("its quaternion has no direction; write [w, x, y, z], e.g. [1, 0, 0, 0]")
        return tuple(float(q) for q in (array if abs(size - 1.0) < 1e-12 else array / size))
    else:
        raise ValueError(
            'it is no rotation; write {axis: z, angle: "30 deg"}, {euler: zyx, angles: [0, 0, 0]}, '
            "a quaternion [w, x, y, z] or a 3×3 matrix"
        )
    return tuple(float(q) for q in matrix_to_quaternion(R))


_Quaternion = tuple[float, float, float, float]
_Matrix = tuple[Vector, Vector, Vector]
Rotation = Annotated[
    _Quaternion,
    BeforeValidator(_rotation, json_schema_input_type=dict[str, object] | _Quaternion | _Matrix),
    AS_LIST,
]
"""Field type: an orientation, kept as a quaternion (w, x, y, z)."""
