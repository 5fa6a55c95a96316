"""What stands for a function in a field."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

import flexor.functions as fx
from flexor.declaration import Declaration
from flexor.errors import ModelError

ANY = TypeAdapter(fx.AnyFunction)


class Spring(Declaration):
    force: fx.AnyFunction


@pytest.mark.parametrize(
    ("given", "function"),
    [
        (5, fx.constant(5)),
        ("5", fx.constant(5)),
        ("-2.5e3", fx.constant(-2500)),
        ("3000 rpm", fx.constant("3000 rpm")),
        ("20N/mm", fx.constant(20000)),
        ("3 1/s", fx.constant(3)),
        ("5 %", fx.constant(0.05)),
        ("2*sin(3*t)", fx.expression("2*sin(3*t)")),
        ("2*t", fx.expression("2*t")),
        ("t", fx.expression("t")),
        ("x^3", fx.expression("x^3")),
        ("2*pi", fx.expression("2*pi")),
        ({"type": "ramp", "initial": 0, "final": "3 m", "over": "1 s"}, fx.ramp(0, 3, over=1)),
        ({"type": "sum", "terms": [1, "t"]}, fx.constant(1) + "t"),
        (fx.sine(1, frequency=2), fx.sine(1, frequency=2)),
    ],
)
def test_forms(given, function):
    assert Spring(force=given).force == function


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("3000 rmp", "did you mean rpm"),
        ("2*sin(3*t", r"(?s)close the parenthesis\n    2\*sin\(3\*t\n             \^"),
        ("2t", r"write products with \*"),
        ("5 t", "masses in kg"),
        ("2(t+1)", r"write products with \*"),
        ("", "a value is expected"),
        (True, "a bool is no function"),
        ([1, 2], "a list is no function"),
        (None, "a NoneType is no function"),
        (float("nan"), "finite"),
        ({"value": 3}, "force has no type; a function has one of the types constant"),
        ({"type": "rampe"}, "type 'rampe' is unknown; a function has"),
        ({"type": ["ramp"]}, "is unknown"),
        ({"type": "ramp", "initial": 0, "final": 1, "over": 1, "begin": 2}, "unknown key"),
    ],
)
def test_mistakes(given, message):
    with pytest.raises(ModelError, match=message):
        Spring(force=given)


def test_written_as_short_as_possible():
    assert Spring(force=5).model_dump(mode="json") == {"force": 5.0}
    assert Spring(force="2*t").model_dump(mode="json") == {"force": "2*t"}
    short = Spring(force=fx.expression("5")).model_dump(mode="json", exclude_defaults=True)
    assert short == {"force": {"type": "expression", "text": "5"}}
    assert Spring(force=fx.step()).model_dump(mode="json")["force"]["type"] == "step"


def test_schema_offers_all_forms():
    schema = Spring.model_json_schema()
    force = str(schema["properties"]["force"])
    assert "'number'" in force
    assert "'string'" in force
    assert {kind.__name__ for kind in fx.FUNCTIONS} <= set(schema["$defs"])
    for kind in fx.FUNCTIONS:
        for name, field in schema["$defs"][kind.__name__]["properties"].items():
            assert name == "type" or field["description"]
    assert {"x", "y", "file", "columns"} <= set(schema["$defs"]["Table"]["properties"])
    assert schema["$defs"]["Table"]["additionalProperties"] is False


@pytest.mark.parametrize("depth", [17, 100, 3000])
def test_deep_nesting_is_refused(depth):
    text = '{"type": "scaled", "factor": 1, "function": ' * depth + "1" + "}" * depth
    with pytest.raises(ValidationError):
        ANY.validate_json(text)
    nested: object = 1
    for _ in range(depth):
        nested = {"type": "scaled", "factor": 1, "function": nested}
    with pytest.raises(ValidationError):
        ANY.validate_python(nested)


def test_own_kind_of_function_is_accepted_as_an_object():
    class Own(fx.Function):
        @property
        def parameters(self):
            return (1.0,)

    own = Own()
    assert Spring(force=own).force is own
