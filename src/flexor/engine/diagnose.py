"""From a status number to a diagnosis in the user's own names."""

from __future__ import annotations

import numpy as np

from flexor.engine.angle_limits import angles_at_limits
from flexor.engine.memory import LAW_FAILED, NOT_FINITE, SINGULAR, STEP_TOO_SMALL, SWITCHES_ENDLESSLY
from flexor.engine.system import System
from flexor.errors import DivergenceError, LawError, SingularError, SolveError
from flexor.law import RESIDUAL
from flexor.law.python_law import PythonLaw


def describe_failure(system: System, status: int) -> SolveError:
    """The exception for a kernel's status, naming term or equations."""
    error = _failure(system, status)
    if not isinstance(error, LawError):
        error.causes = (*angles_at_limits(system), *error.causes)
    return error


def _failure(system: System, status: int) -> SolveError:
    time, step = float(system.run.time0), int(system.run.step_count)
    raised = system.solver.error
    if isinstance(raised, SolveError):
        return raised
    if raised is not None:
        error = SolveError(f"the linear solver raised {type(raised).__name__}: {raised}", time=time, step=step)
        error.__cause__ = raised
        return error
    if status == LAW_FAILED:
        return _law_failed(system, time, step)
    if status == NOT_FINITE:
        return _not_finite(system, time, step)
    if status == SINGULAR:
        return _singular(system, time, step)
    if status == STEP_TOO_SMALL:
        return DivergenceError(
            "the error tolerance cannot be met with the smallest step allowed",
            time=time,
            step=step,
            causes=["a jump in a force or motion; smooth it", "a tolerance below what rounding allows; raise `error`"],
        )
    if status == SWITCHES_ENDLESSLY:
        return _switches(system, time, step)
    return DivergenceError(
        "Newton's iteration does not converge, however small the step",
        time=time,
        step=step,
        worst=worst_equations(system),
        causes=[
            "a locked or toggle position, where the mechanism can go on in several ways; change the start slightly",
            "a stop, a very stiff spring or a discontinuous function; smooth it or allow smaller steps (min_step)",
            "a motor that asks for more than the mechanism allows; check its function",
            "a step too long for what turns or vibrates fast (0.3 rad in a step are many); shorten it, or lower rho",
        ],
    )


def _switches(system: System, time: float, step: int) -> SolveError:
    names = [term.name for term in system.mechanism.terms if term.law.transitions and term.law.told_by_unknowns]
    return DivergenceError(
        f"something switches to and fro without end: {', '.join(repr(name) for name in names[:6])} or what else has regimes",
        time=time,
        step=step,
        causes=[
            "a switch in a loop that drives its input back from both sides, at once; give the loop a Hysteresis or SampleAndHold, or use "
            "a Limitation with a steep Amplifier in place of a LogicSwitch",
        ],
    )


def worst_equations(system: System, count: int = 5) -> list[tuple[str, float]]:
    """Names and residuals of the worst equations."""
    residual = system.memory.residual
    order = np.argsort(-np.abs(np.nan_to_num(residual, nan=np.inf)))[:count]
    return [(system.equations.name(int(i)), float(residual[i])) for i in order if residual[i] != 0.0]


def _law_failed(system: System, time: float, step: int) -> SolveError:
    term = system.mechanism.terms[system.run.error_term]
    code = int(system.run.error_code)
    raised = term.law.failure() if isinstance(term.law, PythonLaw) else None
    if raised is not None:
        reason = f"its Python law raised {type(raised).__name__}: {raised}"
    else:
        reason = term.law.errors.get(code, f"its law '{term.law.name}' stopped with status {code}")
    error = LawError(f"'{term.name}': {reason}", time=time, step=step)
    error.__cause__ = raised
    return error


def _not_finite(system: System, time: float, step: int) -> SolveError:
    """Ask law by law who produced the NaN."""
    guilty = []
    residual = system.memory.buffer_residual
    system.run.want = RESIDUAL
    for i, term in enumerate(system.mechanism.terms):
        with system.alone(i):
            system.call("assemble")
        if not np.all(np.isfinite(residual[: term.size])):
            guilty.append(term.name)
    named = ", ".join(f"'{name}'" for name in dict.fromkeys(guilty)) or "the solution of the linear system"
    return DivergenceError(
        f"a value is not finite (NaN or infinity) in {named}",
        time=time,
        step=step,
        causes=[
            "a parameter or function of that object gives no number there; check its values",
            "a step far too large",
        ],
    )


def _singular(system: System, time: float, step: int) -> SolveError:
    block, row = (system.solver.dropped or [system.solver.bad_pivot[:2]])[0]
    name = system.equations.name(system.equations.equation(block, row))
    return SingularError(
        f"the system of equations is singular at '{name}'",
        time=time,
        step=step,
        causes=[
            "constraints that repeat or contradict each other in this position",
            "a body with neither inertia nor support in that direction; give it mass and inertia",
        ],
    )
