"""Table: measured or tabulated values with interpolation between them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Annotated, ClassVar, Literal, cast

import numpy as np
from pydantic import BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator
from pydantic.config import JsonDict

from flexor.declaration import Number
from flexor.functions.columns import read_columns
from flexor.functions.function import OUT_SIZE, Function
from flexor.functions.status import OUTSIDE_TABLE

Extrapolation = Literal["hold", "linear", "periodic", "error"]
EXTRAPOLATIONS: tuple[Extrapolation, ...] = ("hold", "linear", "periodic", "error")
HOLD, LINEAR, PERIODIC, ERROR = 0, 1, 2, 3
HEAD = 3  # p = number of points n, extrapolation, ∫ at 0; n × x; (n − 1) × a, b, c, d; n × ∫ from the first x
SLACK = 1e-9  # of the table's length: rounding in the time of a run is no reason to stop
LARGEST = 1_000_000  # points


def table_evaluator(p, x, out):
    n = int(p[0])
    extrapolation = int(p[1])
    first = p[HEAD]
    last = p[HEAD + n - 1]
    length = last - first
    turns = 0.0
    s = x
    if extrapolation == PERIODIC:
        s = (x - first) % length
        turns = (x - first - s) / length
        s += first
    if extrapolation == ERROR and (s < first - SLACK * length or s > last + SLACK * length):
        for i in range(4):
            out[i] = math.nan
        return OUTSIDE_TABLE
    inside = min(max(s, first), last)

    low = 0  # the interval: x[low] ≤ inside < x[low + 1], the last one closed
    high = n - 1
    while high - low > 1:
        middle = (low + high) // 2
        if p[HEAD + middle] <= inside:
            low = middle
        else:
            high = middle
    c = HEAD + n + 4 * low
    h = inside - p[HEAD + low]
    f = p[c] + h * (p[c + 1] + h * (p[c + 2] + h * p[c + 3]))
    f1 = p[c + 1] + h * (2.0 * p[c + 2] + 3.0 * h * p[c + 3])
    f2 = 2.0 * p[c + 2] + 6.0 * h * p[c + 3]
    area = h * (p[c] + h * (p[c + 1] / 2.0 + h * (p[c + 2] / 3.0 + h * p[c + 3] / 4.0)))
    area += p[HEAD + 5 * n - 4 + low]

    beyond = s - inside
    if beyond != 0.0:
        f2 = 0.0
        if extrapolation == HOLD:
            f1 = 0.0
        area += beyond * (f + 0.5 * beyond * f1)
        f += beyond * f1
    out[0] = f
    out[1] = f1
    out[2] = f2
    out[3] = area + turns * p[HEAD + 6 * n - 5] - p[2]
    return 0


def _as_list(values: object) -> object:
    return values.tolist() if isinstance(values, np.ndarray) else values


Numbers = Annotated[tuple[Number, ...], BeforeValidator(_as_list)]


def _or_file(schema: JsonDict) -> None:
    """Tell editors that a file may stand in place of x and y."""
    name = {"type": "string", "description": "CSV file to read instead of x and y, e.g. load.csv."}
    pair = {"type": "array", "items": {"type": ["string", "integer"]}, "minItems": 2, "maxItems": 2}
    pair["description"] = "Columns of x and y in the file, by name or number from 1."
    cast("dict[str, object]", schema["properties"]).update(file=name, columns=pair)
    schema.pop("required", None)


class Table(Function):
    """Values y at increasing x, joined by straight lines or smooth curves.

    Kinds of interpolation:

    - linear: straight lines
    - cubic: the cubic spline, f, f′ and f″ continuous, not-a-knot at its ends (through three points the
      parabola); it may overshoot beside sudden changes
    - akima: piecewise cubic (Akima 1970), f and f′ continuous; it hardly overshoots

    Extrapolation, what holds outside the table:

    - hold: the end values
    - linear: the tangents at the ends
    - periodic: the table repeats itself, smoothly across the seam; its last value must equal the first
    - error: nothing, the run stops (beyond a margin of 1e-9 of the table's length); the integral counts from
      the point of the table nearest to 0

    Instead of x and y, `file` names a CSV file to read, relative to the current folder, and `columns` two of
    its columns by name or number, counted from 1 (default: 1 and 2); the values become part of the
    declaration.
    """

    model_config = ConfigDict(json_schema_extra=_or_file)
    positional: ClassVar[tuple[str, ...]] = ("x", "y")
    value_fields: ClassVar[tuple[str, ...]] = ("y",)
    argument_fields: ClassVar[tuple[str, ...]] = ("x",)
    evaluator: ClassVar[Callable[..., int]] = staticmethod(table_evaluator)
    type: Literal["table"] = "table"
    x: Numbers = Field(description="Arguments, increasing; at least two.")
    y: Numbers = Field(description="Values, as many as arguments.")
    kind: Literal["linear", "cubic", "akima"] = Field("linear", description="Interpolation: linear, cubic or akima.")
    extrapolation: Extrapolation = Field("hold", description="Outside the table: hold, linear, periodic or error.")

    @model_validator(mode="before")
    @classmethod
    def _from_file(cls, given: object, info: ValidationInfo) -> object:
        if not isinstance(given, dict) or "file" not in given:
            return given
        if "x" in given or "y" in given:
            raise ValueError("it has both a file and values; give either file or x and y")
        rest = {key: value for key, value in given.items() if key not in ("file", "columns")}
        folder = (info.context or {}).get("folder", ".")
        x, y = read_columns(given["file"], given.get("columns", (1, 2)), folder)
        return {**rest, "x": x, "y": y}

    @model_validator(mode="after")
    def _fits(self) -> Table:
        x, y = self.x, self.y
        if len(x) != len(y):
            raise ValueError(f"x has {len(x)} values and y has {len(y)}; each point needs both")
        if not 2 <= len(x) <= LARGEST:
            raise ValueError(f"it has {len(x)} points; a table has 2 to {LARGEST}")
        for i in range(1, len(x)):
            if not x[i] > x[i - 1]:
                what = "repeats" if x[i] == x[i - 1] else "is less than"
                raise ValueError(
                    f"x[{i}] = {x[i]:.9g} {what} x[{i - 1}] = {x[i - 1]:.9g} (counted from 0); x must "
                    "increase: sort the points, and where a jump is meant move one of two equal ones a little"
                )
        if self.extrapolation == "periodic" and abs(y[-1] - y[0]) > 1e-9 * (max(y) - min(y)):
            raise ValueError(
                f"a periodic table ends as it begins, but y[0] = {y[0]:.9g}, y[-1] = {y[-1]:.9g}; "
                "repeat the first value at the end of the period"
            )
        return self

    @functools.cached_property
    def parameters(self) -> tuple[float, ...]:  # type: ignore[override]
        x = np.array(self.x)
        a, b, c, d = coefficients = _coefficients(x, np.array(self.y), self.kind, self.extrapolation == "periodic")
        h = np.diff(x)
        areas = np.cumsum(h * (a + h * (b / 2 + h * (c / 3 + h * d / 4))))
        mode = float(EXTRAPOLATIONS.index(self.extrapolation))
        p = [float(len(x)), mode, 0.0, *x.tolist(), *coefficients.T.ravel().tolist(), 0.0, *areas.tolist()]
        out = [0.0] * OUT_SIZE
        zero = min(max(0.0, self.x[0]), self.x[-1]) if self.extrapolation == "error" else 0.0
        table_evaluator(p, zero, out)
        p[2] = out[3]
        return tuple(p)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        return self.x


def _coefficients(x: np.ndarray, y: np.ndarray, kind: str, periodic: bool) -> np.ndarray:
    """a, b, c, d (rows) of a + b h + c h² + d h³ on each interval, h = x − xᵢ."""
    if periodic:
        y = np.append(y[:-1], y[0])
    slope = np.diff(y) / np.diff(x)
    if kind == "linear" or len(x) == 2:
        return np.array([y[:-1], slope, 0.0 * slope, 0.0 * slope])
    from scipy.interpolate import Akima1DInterpolator, CubicSpline

    if kind == "cubic":
        return CubicSpline(x, y, bc_type="periodic" if periodic else "not-a-knot").c[::-1]
    if not periodic:
        return Akima1DInterpolator(x, y).c[::-1]
    n, period = len(x) - 1, x[-1] - x[0]  # three copies; the middle one knows its neighbours
    xs = np.concatenate([x[:-1] - period, x, x[1:] + period])
    ys = np.concatenate([y[:-1], y, y[1:]])
    return Akima1DInterpolator(xs, ys).c[::-1, n : 2 * n]


table = Table
