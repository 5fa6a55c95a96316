"""Random texts never break the parser; random formulas mean what they mean in NumPy."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import flexor.functions as fx
from flexor.errors import ModelError
from flexor.functions import parser
from flexor.functions.status import POWER_DOMAIN

WORDS = [
    *parser.FUNCTIONS,
    *parser.INFIX,
    *parser.VARIABLES,
    "(",
    ")",
    ",",
    "1",
    "2.5",
    "1e3",
    "not",
    "pi",
    " ",
    "=",
    "é",
]


def read(text):
    """The function and no message, or the message."""
    try:
        return fx.expression(text), ""
    except ModelError as error:
        return None, str(error)


def attempt(text):
    """Read and evaluate: whatever happens is a value or an error of the package."""
    f, message = read(text)
    if f is None:
        assert "^" in message
        return
    things = 3 * len(f.arguments) if f.several else 0
    out = np.full(fx.OUT_SIZE + things, 7.0)  # exactly sized: too deep a stack would be an IndexError
    evaluator, parameters = f.of_several(f.arguments) if f.several else (f.evaluator, f.value_parameters)
    for t in (-1.5, 0.0, 0.7, 40.0):
        out[fx.OUT_SIZE :] = t
        status = evaluator(parameters, t, out)
        assert status == 0 or status in fx.ERRORS
        if status == 0:
            assert np.isfinite(out[0])


@given(st.text(max_size=60))
@settings(derandomize=True, deadline=None, max_examples=500)
def test_any_text(text):
    attempt(text)


@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
@settings(derandomize=True, deadline=None, max_examples=1000)
def test_any_words(text):
    attempt(text)


OPERATIONS = {  # text, NumPy's meaning
    "sin": ("sin({})", np.sin), "cos": ("cos({})", np.cos), "tan": ("tan({})", np.tan),
    "asin": ("asin({})", np.arcsin), "acos": ("acos({})", np.arccos), "atan": ("atan({})", np.arctan),
    "sinh": ("sinh({})", np.sinh), "cosh": ("cosh({})", np.cosh), "tanh": ("tanh({})", np.tanh),
    "exp": ("exp({})", np.exp), "log": ("log({})", np.log), "log10": ("log10({})", np.log10),
    "sqrt": ("sqrt({})", np.sqrt), "abs": ("abs({})", np.abs), "sign": ("sign({})", np.sign),
    "step": ("step({})", lambda u: np.heaviside(u, 1)), "floor": ("floor({})", np.floor),
    "neg": ("(-{})", np.negative), "not": ("(not {})", lambda u: u == 0),
    "+": ("({} + {})", np.add), "-": ("({} - {})", np.subtract), "*": ("({}*{})", np.multiply),
    "/": ("({}/{})", np.divide), "^": ("({}^{})", np.power), "atan2": ("atan2({}, {})", np.arctan2),
    "min": ("min({}, {})", np.minimum), "max": ("max({}, {})", np.maximum), "mod": ("mod({}, {})", np.mod),
    "<": ("({} < {})", np.less), "<=": ("({} <= {})", np.less_equal), ">": ("({} > {})", np.greater),
    ">=": ("({} >= {})", np.greater_equal), "==": ("({} == {})", np.equal),
    "!=": ("({} != {})", np.not_equal),
    "and": ("({} and {})", np.logical_and), "or": ("({} or {})", np.logical_or),
    "if": ("if({}, {}, {})", None),
}  # fmt: skip
COUNTS = {name: text.count("{}") for name, (text, _) in OPERATIONS.items()}


class Outside(Exception):
    """A value that is not finite or has no direction."""


def written(formula):
    if not isinstance(formula, tuple):
        return str(formula)
    name, *parts = formula
    return OPERATIONS[name][0].format(*map(written, parts))


def by_numpy(formula, t):
    """Value of a formula in the precision of t."""
    if formula == "t":
        return t
    if not isinstance(formula, tuple):
        return type(t)(formula)
    name, *parts = formula
    if name == "if":
        return by_numpy(parts[1] if by_numpy(parts[0], t) != 0 else parts[2], t)
    values = [by_numpy(part, t) for part in parts]
    result = type(t)(OPERATIONS[name][1](*values))
    if not np.isfinite(result) or abs(result) > 1e100 or (name == "atan2" and not any(values)):
        raise Outside
    return result


def operation(name, parts):
    return st.tuples(st.just(name), *[parts] * COUNTS[name])


FORMULAS = st.recursive(
    st.one_of(st.just("t"), st.sampled_from([0.1, 0.5, 1.0, 2.0, 3.0]), st.floats(0, 10, allow_subnormal=False)),
    lambda parts: st.sampled_from(list(OPERATIONS)).flatmap(lambda name: operation(name, parts)),
    max_leaves=10,
)


def test_every_operation_is_drawn():
    assert set(parser.FUNCTIONS) | set(parser.INFIX) <= set(OPERATIONS)


@given(FORMULAS, st.floats(-3, 3))
@settings(derandomize=True, deadline=None, max_examples=1000)
def test_agrees_with_numpy(formula, t):
    with np.errstate(all="ignore"):
        try:
            expected = by_numpy(formula, np.float64(t))
            precise = by_numpy(formula, np.longdouble(t))
        except Outside:
            return
    if abs(expected - precise) > 1e-11 * max(1.0, abs(precise)):
        return  # ill-conditioned: rounding decides
    text = written(formula)
    f, _ = read(text)
    if f is None:  # a constant part may have no value, e.g. log(0), where if(…) does not need it
        assert "if(" in text
        return
    out = np.zeros(fx.OUT_SIZE)
    status = f.evaluator(f.value_parameters, t, out)
    if status:  # NumPy takes numbers ≤ 0 to variable powers where the result is real
        assert status == POWER_DOMAIN
    else:
        assert abs(out[0] - float(expected)) <= 1e-9 * max(1.0, abs(expected))
