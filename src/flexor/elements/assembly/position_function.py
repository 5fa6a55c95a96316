"""A pressure as a function of position: a number, a formula in x, y, z, or a Python function.

Formulas are read by Python's own grammar, of which only numbers, x, y, z, pi, e, arithmetic, comparisons and the
functions below are let through; nothing else can run.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable
from functools import cache
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import BeforeValidator, PlainSerializer

from flexor.declaration import bounded
from flexor.errors import ModelError, Problem, UnitError
from flexor.units import Quantity, si

LONGEST = 2000  # characters
DEEPEST = 100  # operations within each other
PYTHON = "(Python function)"
"""What stands for one in a file, which cannot carry it."""
_BINARY: dict[type, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide, ast.Pow: np.power,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.And: np.logical_and, ast.Or: np.logical_or,
}  # fmt: skip
_UNARY: dict[type, Callable[[np.ndarray], np.ndarray]] = {
    ast.USub: np.negative,
    ast.UAdd: np.positive,
    ast.Not: np.logical_not,
}
_FUNCTIONS: dict[str, Callable[..., np.ndarray]] = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp, "log": np.log, "log10": np.log10,
    "sqrt": np.sqrt, "abs": np.abs, "sign": np.sign, "floor": np.floor, "atan2": np.arctan2, "mod": np.mod,
    "min": np.minimum, "max": np.maximum, "when": np.where, "step": lambda a: np.where(a >= 0, 1.0, 0.0),
}  # fmt: skip
_ARGUMENTS = {"atan2": 2, "mod": 2, "min": 2, "max": 2, "when": 3}
_LISTED = ", ".join("if" if name == "when" else name for name in _FUNCTIONS)
_CONSTANTS = {"pi": np.pi, "e": np.e}
_IF = re.compile(r"\bif\s*\(")
_WITH_UNIT = re.compile(r"\s*[-+\d.eE]+\s+[^\W\d]")
_LETTER = re.compile(r"\b[xyz]\b")
_OPERATION = re.compile(r"[*+(^]")
"""What stands in formulas, and rarely in a number with its unit."""


def values_at(pressure: float | str | Callable[..., float], points: np.ndarray) -> np.ndarray:
    """(…,) values at points (…, 3) [m]; refused where they are not finite."""
    if isinstance(pressure, float):
        return np.full(points.shape[:-1], pressure)
    x, y, z = np.moveaxis(points, -1, 0)
    with np.errstate(all="ignore"):
        if isinstance(pressure, str):
            found = _evaluated(_formula(pressure), {"x": x, "y": y, "z": z})
        else:
            found = _called(pressure, x, y, z)
    values = np.broadcast_to(np.asarray(found, dtype=float), x.shape)
    if not np.isfinite(values).all():
        at = points[~np.isfinite(values)][0]
        where = ", ".join(f"{c:.4g}" for c in at)
        what = f"the pressure {pressure!r} is not finite at ({where}) m"
        raise ModelError(Problem("load", what, "", "check the formula there"))
    return values


def _called(function: Callable[..., ArrayLike], x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """A Python function of arrays, or of numbers if it cannot take arrays."""
    try:
        return np.broadcast_to(np.asarray(function(x, y, z), dtype=float), x.shape)
    except (TypeError, ValueError):
        return np.vectorize(function, otypes=[float])(x, y, z)


@cache
def _formula(text: str) -> ast.expr:
    """The formula as a tree; ValueError in plain words if it is none."""
    if len(text) > LONGEST:
        raise ValueError(f"the formula has {len(text)} characters; at most {LONGEST} are allowed")
    plain = _IF.sub("when(", text).replace("^", "**").replace("−", "-").replace("·", "*").replace("×", "*")
    try:
        tree = ast.parse(plain.strip(), mode="eval").body
        _check(tree)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"{text!r} is no formula; write e.g. 9810*(0.5 - z)") from None
    return tree


def _check(node: ast.AST, depth: int = 0) -> None:
    if depth > DEEPEST:
        raise ValueError(f"the formula is nested more than {DEEPEST} deep")
    match node:
        case ast.Constant(value=int() | float()):
            return
        case ast.Name(id=name) if name in (*"xyz", *_CONSTANTS):
            return
        case ast.Name(id=name):
            raise ValueError(f"'{name}' is unknown; a formula may hold x, y, z, pi, e and {_LISTED}")
        case ast.BinOp(left=a, op=op, right=b) | ast.Compare(left=a, ops=[op], comparators=[b]) if type(op) in _BINARY:
            parts: list[ast.expr] = [a, b]
        case ast.BoolOp(values=parts):
            pass
        case ast.UnaryOp(op=op, operand=a) if type(op) in _UNARY:
            parts = [a]
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in _FUNCTIONS:
            if len(parts) != _ARGUMENTS.get(name, 1):
                raise ValueError(f"'{'if' if name == 'when' else name}' takes {_ARGUMENTS.get(name, 1)} arguments")
        case ast.Call(func=ast.Name(id=name)):
            raise ValueError(f"there is no function '{name}'; there are {_LISTED}")
        case _:
            raise ValueError("the formula holds something else than numbers, x, y, z, arithmetic and functions")
    for part in parts:
        _check(part, depth + 1)


def _evaluated(node: ast.AST, at: dict[str, np.ndarray]) -> np.ndarray:
    match node:
        case ast.Constant(value=value):
            return np.array(value, dtype=float)
        case ast.Name(id=name):
            return at[name] if name in at else np.array(_CONSTANTS[name])
        case ast.BinOp(left=a, op=op, right=b) | ast.Compare(left=a, ops=[op], comparators=[b]):
            return _BINARY[type(op)](_evaluated(a, at), _evaluated(b, at))
        case ast.BoolOp(op=op, values=[first, *rest]):
            whole = _evaluated(first, at)
            for part in rest:
                whole = _BINARY[type(op)](whole, _evaluated(part, at))
            return whole
        case ast.UnaryOp(op=op, operand=a):
            return _UNARY[type(op)](_evaluated(a, at))
        case ast.Call(func=ast.Name(id=name), args=parts):
            return _FUNCTIONS[name](*(_evaluated(part, at) for part in parts))
    raise TypeError(ast.dump(node))


def _given(value: Quantity | Callable[..., float]) -> Quantity | Callable[..., float]:
    """A number or a text with a unit as Pa; a formula and a function as they are."""
    if callable(value):
        return value
    if value == PYTHON:
        raise ValueError("it was a Python function, which a file cannot carry; write it as a formula in x, y, z")
    try:
        number = bounded(float(si(value, "pressure")))
    except UnitError as error:
        if not isinstance(value, str) or not (_LETTER.search(value) or _OPERATION.search(value)):
            raise
        try:
            _formula(value)
        except ValueError as refused:
            raise (error if _WITH_UNIT.match(value) and not _LETTER.search(value) else refused) from None
        return value
    except TypeError:
        raise ValueError("it is no single value; write a pressure, or a formula in x, y, z") from None
    if not math.isfinite(number):
        raise ValueError("it is no finite number; write a pressure, e.g. 1 MPa")
    return number


def _written(value: float | str | Callable[..., float]) -> float | str:
    return PYTHON if callable(value) else value


PressureOfPosition = Annotated[
    float | str | Callable[..., float],
    BeforeValidator(_given, json_schema_input_type=float | str),
    PlainSerializer(_written, return_type=float | str),
]
"""Field type: a pressure [Pa], a formula in x, y, z [m], or a Python function of them."""
