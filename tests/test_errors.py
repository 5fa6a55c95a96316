import pickle
import re
from pathlib import Path

import pytest

from flexor import errors
from flexor.errors import (
    AssemblyError,
    CompileError,
    DivergenceError,
    FileError,
    FlexorError,
    LawError,
    ModelError,
    Problem,
    SingularError,
    SolveError,
    UnitError,
)

AXIS = Problem(
    where="joint 'pin'",
    what="axis is zero-length",
    why="it needs a direction",
    fix="e.g. axis: [0, 0, 1]",
    source="model.yaml:31",
)
MASS = Problem("body 'rod'", "mass is negative")


def test_the_tree_in_the_docstring_is_the_tree():
    drawn, path = {}, []
    for line in errors.__doc__.splitlines():
        if match := re.match(r"    ([│├└─ ]*)(\w+Error)", line):
            depth = len(match[1]) // 4
            path[depth:] = [match[2]]
            drawn[match[2]] = path[depth - 1] if depth else "Exception"
    real = {
        name: next(base.__name__ for base in vars(errors)[name].__bases__ if base is not ValueError)
        for name in errors.__all__
        if name != "Problem"
    }
    assert drawn == real


def test_public_names():
    defined = {name for name, each in vars(errors).items() if getattr(each, "__module__", "") == "flexor.errors"}
    assert defined == set(errors.__all__)


def test_a_problem_is_one_line():
    assert str(AXIS) == (
        "joint 'pin': axis is zero-length; it needs a direction, e.g. axis: [0, 0, 1]  (model.yaml:31)"
    )
    assert str(MASS) == "body 'rod': mass is negative"
    assert str(Problem("", "no bodies", fix="add one")) == "no bodies; add one"


def test_one_or_many_problems():
    assert str(ModelError(AXIS)) == str(AXIS)
    assert str(ModelError([AXIS, MASS])) == f"2 problems:\n  {AXIS}\n  {MASS}"
    assert ModelError(each for each in (AXIS, MASS)).problems == (AXIS, MASS)
    assert FileError("no such file").problems == ()
    assert str(CompileError("no")) == "no"


@pytest.mark.parametrize("kind", [ModelError, UnitError])
def test_validators_may_raise_them(kind):
    assert issubclass(kind, ValueError)


def test_validation_collects_every_mistake():
    pydantic = pytest.importorskip("pydantic")

    def refuse(value):
        raise ModelError(AXIS)

    Axis = pydantic.create_model("Axis", a=(int, ...), b=(int, ...))
    Checked = pydantic.create_model(
        "Checked", __base__=Axis, __validators__={"no": pydantic.field_validator("a", "b")(refuse)}
    )
    with pytest.raises(pydantic.ValidationError) as caught:
        Checked(a=1, b=2)
    assert [each["ctx"]["error"].problems for each in caught.value.errors()] == [(AXIS,), (AXIS,)]


def test_solve_error_tells_the_whole_story():
    error = DivergenceError(
        "Newton did not converge in 20 iterations",
        time=0.3125,
        step=1560,
        worst=[("joint 'pin', rotation about x", 3.21e5), ("body 'rod', mode 3", 12.0)],
        causes=["the step is too large: try step='0.1 ms'"],
        result=Path("run.h5"),
    )
    assert str(error) == (
        "Newton did not converge in 20 iterations\n"
        "  at t = 0.3125 s, step 1560\n"
        "  worst equations:\n"
        "    joint 'pin', rotation about x  3.21e+05\n"
        "    body 'rod', mode 3  12\n"
        "  likely causes:\n"
        "    - the step is too large: try step='0.1 ms'\n"
        "  results so far: run.h5"
    )
    assert isinstance(error, SolveError)
    assert (error.time, error.step, error.result) == (0.3125, 1560, Path("run.h5"))
    assert error.worst[1] == ("body 'rod', mode 3", 12.0)


def test_solve_error_says_only_what_it_knows():
    assert str(SingularError("singular")) == "singular"
    assert str(AssemblyError("cannot close", step=0)) == "cannot close\n  at step 0"
    assert str(LawError("the ends coincide", time=0.0)) == "the ends coincide\n  at t = 0 s"


@pytest.mark.parametrize(
    "error",
    [
        ModelError([AXIS, MASS]),
        UnitError(AXIS),
        FileError("gone"),
        LawError("refused", time=1.0, step=2, worst=[("a", 1.0)], causes=["b"], result="c.h5"),
    ],
)
def test_errors_travel_between_processes(error):
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_everything_is_a_flexor_error():
    for name in set(errors.__all__) - {"Problem"}:
        assert issubclass(getattr(errors, name), FlexorError)
