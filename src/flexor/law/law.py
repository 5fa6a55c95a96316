"""What a law is.

Every body, joint, force or control block contributes to the equations of motion through one function

    status = law(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w)

    want   what is asked for, bits below
    n      number of nodes, scalars, multipliers of this term: n[0], n[1], n[2]
    k, p   integer and float parameters
    h      history, changed only under COMMIT
    t      time
    c      cK, cC, cM, length of the step, gravity, load factor and more: the record `flexor.law.face.Coefficients`
    x, R   per node: position (3), orientation (9, row-major, node axes → global)
    v, a   per node: velocity and *proper* acceleration (a − g), 6 each: linear, angular, in global axes
    s      per scalar: value, rate, second rate
    lam    multipliers
    r      residual, zeroed by the caller; rows: 6 per node, 1 per scalar, 1 per multiplier
    K      cK ∂r/∂q + cC ∂r/∂v + cM ∂r/∂a (+ ∂r/∂λ in the multipliers' columns), row-major, zeroed by the caller
    w      scratch of the declared size; under OUTPUT and ENERGY it takes the answer

It returns 0, or its own error number. ∂/∂q of a rotation is with respect to a global spin, R ← exp(δθ) R.
The residual is inertia + internal − applied forces = 0; the last rows are the constraints Φ, whose multipliers
enter the other rows as (∂Φ/∂q)ᵀ λ. Under VELOCITY_LEVEL or ACCELERATION_LEVEL these rows hold Φ̇ or Φ̈ instead,
and their matrix rows carry cC ∂Φ̇/∂v or cM ∂Φ̈/∂a.
Under ENERGY w = kinetic, potential, strain energy [J], dissipated power, input power [W]; these five are zeroed by the caller.

A law with *transitions* has regimes (it sticks, it slides), one of which it remembers, and is smooth in each of them. Under TRANSITION it
tells its margin, w[0] at the end of the step and w[1] at its begin: positive while the regime lasts, below zero once it is past its end;
its size is of no matter, but |margin| ≤ TOUCH is taken for zero. The time loop cuts the step there, commits it, and then asks by SWITCH to
decide anew: the law changes what it remembers and says by w[0] = 1 that it did (−1: back, ½: no other regime, but another force). Accelerations and multipliers are solved for in the
new regimes and SWITCH is asked again with ACCELERATION_LEVEL, until nothing changes (`flexor.engine.transitions`). Its history has a
field `regime`, 0 as long as none was decided on: before a run, and in statics.

A law that limits steps answers under LENGTH, after a step that has converged, by w[0]: the share of its length that would have served; below 1 the
step is made anew, shorter; above 1 it tells how much longer the next one may be (contacts: `flexor.contact.impact`). It is given, by w[0], the fastest approach
of late of all surfaces that touch [m/s], and tells its own by w[1].

A law with states of first order (`Term.rates`) tells under ERROR the local error of its step, w[0], relative to their size.

The function is plain Python that only indexes; it is compiled when a model first needs it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from flexor.errors import ModelError
from flexor.law.face import EnergyAnswer, Plain, while_it_acts, with_duals, with_face
from flexor.law.record import Record
from flexor.law.string import String


@dataclass(frozen=True)
class Output:
    """A signal that a law can report: its name and SI unit."""

    name: str
    unit: str


@dataclass(frozen=True)
class Law:
    """A law function with what the engine must know about it.

    function: as the engine calls it.   written: as its author wrote it, if that is another one.
    parameters, history: records of what it reads and remembers, if it has names for them.
    signals, energies, remember: what it does under OUTPUT, ENERGY and COMMIT, as functions (p, now, w), where others use that: readings,
    friction. They take dual numbers, too; a law that cannot itself (it computes with four floats at a time) is read by them alone.
    counts_turns: whether its history is nothing but angles, of which the nearest to the last one is meant, so that it may be brought up to date late.
    points: whether positions and linear velocities are all that it reads of its nodes, so that nothing else need be gathered.
    transitions: whether it has regimes, between which it changes at the end of a step.
    limits_step: whether it may find a step too long.
    everywhere: whether it has no nodes of its own, and is given the states of all nodes, which it reads by their numbers; it has no residual. What reads its
    signals lacks their derivatives.
    told_by_unknowns: whether its signals are unknowns of its own, so that who reads them needs neither its history nor its regimes.
    string: its residuals for several terms side by side, if it has such a form (`flexor.law.string`).
    turns: whether its stiffness is that of a body which turns with its nodes, as does its matrix then (`flexor.engine.turned`).
    """

    function: Callable
    errors: Mapping[int, str] = field(default_factory=dict)
    outputs: tuple[Output, ...] = ()
    scratch: int = 8
    symmetric: bool = True
    python: bool = False
    duals: bool = False
    parameters: type[Record] | None = None
    history: type[Record] | None = None
    written: Callable | None = None
    signals: Callable | None = None
    energies: Callable | None = None
    remember: Callable | None = None
    counts_turns: bool = False
    points: bool = False
    transitions: bool = False
    limits_step: bool = False
    everywhere: bool = False
    told_by_unknowns: bool = False
    string: String | None = None
    turns: bool = False

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def body(self) -> Callable:
        """The function as its author wrote it, for laws that are made of others."""
        return self.written or self.function

    @property
    def of_flexor(self) -> bool:
        """Whether it is one of Flexor's own laws, which the tests of all laws have seen."""
        return (self.body.__module__ or "").startswith("flexor.")  # what is made by exec has none

    @property
    def address(self) -> int:
        """Address of the compiled function; compiles it on first use."""
        from flexor.law.compile import compiled

        return int(compiled(self.function, "law").address)

    def __hash__(self) -> int:
        return id(self.function)


def law(
    parameters: type[Record] | None = None,
    *,
    history: type[Record] | None = None,
    errors: Mapping[int, str] | None = None,
    outputs: tuple[tuple[str, str], ...] = (),
    scratch: int = 8,
    symmetric: bool = True,
    tangent: Literal["dual", "own"] = "dual",
    signals: Callable | None = None,
    energies: Callable | None = None,
    remember: Callable | None = None,
    residual: Callable | None = None,
    counts_turns: bool = False,
    points: bool = False,
    transitions: bool = False,
    limits_step: bool = False,
    everywhere: bool = False,
    told_by_unknowns: bool = False,
    apart: bool = False,
    string: String | None = None,
    turns: bool = False,
) -> Callable[[Callable], Law]:
    """Declare a function as a law.

    parameters, history: records of what it reads and remembers; the function is then `law(want, p, now, out)` of `face`.
    errors: what its status numbers mean, in the user's words.
    outputs: (name, SI unit) of the values it writes to `w` under OUTPUT, in order.
    scratch: floats it needs in `w`.
    tangent: "dual": the function fills the residual only, the matrix follows from it; "own": it fills K under MATRIX. A function
    that speaks of MATRIX, which it would never be asked for, is refused without "own".
    signals, energies, remember: what it does under OUTPUT, ENERGY and COMMIT, see `Law`.
    residual: the same function without what it does beside RESIDUAL, for dual numbers: a long law takes less time to compile.
    transitions: whether it answers to TRANSITION and SWITCH.
    limits_step: whether it answers to LENGTH; such a law has no matrix where it has no force.
    counts_turns, points, everywhere, told_by_unknowns, string, turns: see `Law`.
    apart: whether its residual alone is compiled apart, see `with_face`: it takes longer to compile and is quicker.
    symmetric: whether its matrix is (nearly) symmetric, so that a symmetric factorisation serves.
    """

    if tangent not in ("dual", "own"):
        raise ModelError(f'@law: tangent is "dual" or "own", not {tangent!r}')

    def declare(body: Callable) -> Law:
        size = max(scratch, len(outputs), EnergyAnswer.WORDS)
        duals = tangent == "dual"
        if duals and "MATRIX" in body.__code__.co_names:
            raise ModelError(
                f"law {body.__name__}: it looks for MATRIX, but is asked for its residual only, of which the matrix is made by "
                'dual numbers; declare it by @law(…, tangent="own"), or leave the matrix out'
            )
        function = body if parameters is None else with_face(body, parameters, history or Plain, apart)
        of_duals = with_face(residual, parameters, history or Plain) if residual and parameters else function
        called = with_duals(function, size, of_duals) if duals else function
        return Law(
            while_it_acts(function, called) if duals and limits_step else called,
            dict(errors or {}),
            tuple(Output(*o) for o in outputs),
            size,
            symmetric,
            duals=duals,
            parameters=parameters,
            history=history,
            written=body,
            signals=signals,
            energies=energies,
            remember=remember,
            counts_turns=counts_turns,
            points=points,
            transitions=transitions,
            limits_step=limits_step,
            everywhere=everywhere,
            told_by_unknowns=told_by_unknowns,
            string=string,
            turns=turns,
        )

    return declare


@functools.cache
def by_duals(law: Law) -> Law:
    """The same law with its matrix by dual numbers: that of a use that reads unknowns of others, which it does not know of."""
    if law.duals or law.parameters is None:
        return law
    function = with_duals(with_face(law.body, law.parameters, law.history or Plain), law.scratch)
    return replace(law, function=function, symmetric=False, duals=True, string=None)
