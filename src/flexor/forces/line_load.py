"""Line load: a force per length on a beam, constant or a function of position and time, fixed in space or following.

Its virtual work is that in the positions which the beam interpolates along an element, (21.14) of the theory manual,

    x(ξ) = N₁ x₁ + N₂ t₁ + N₃ x₂ + N₄ t₂,   F_k = ∫ N_k q ds,   r = −(F₁, t₁ × F₂, F₃, t₂ × F₄)

by five Gauss points on the part of the element that is loaded. With its ends held an element under q has the section forces

    n(s) = F₁ − ∫₀ˢ q,   m(s) = t₁ × F₂ + (x₁ − x) × F₁ − ∫₀ˢ (x(σ) − x) × q        in section axes

which come on top of those that its deformation tells (`flexor.recover.beam_line`).
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field

from flexor.bodies.beam.beam import Beam
from flexor.bodies.beam.exact_term import helix, shear_share
from flexor.declaration import Direction, Item
from flexor.dotted import NAME
from flexor.errors import ModelError, Problem
from flexor.functions import ERRORS, OUT_SIZE, AnyFunction, Constant, function_of
from flexor.functions.call import Argued, Call, Reads, drive, evaluate
from flexor.functions.call import packed as call
from flexor.functions.samples import SINE
from flexor.joints.surroundings import Surroundings
from flexor.law import ENERGY, OUTPUT, RESIDUAL, Term, law
from flexor.law.face import put_energies
from flexor.law.record import Record, integer, nested, number, numbers
from flexor.law.tuples import add, cross, dot, mat, mv, neg, norm, put, scale, sub, vec
from flexor.spatial import direction

GAUSS = (0.906179845938664, 0.5384693101056831)
WEIGHTS = (0.2369268850561891, 0.47862867049936647, 0.5688888888888889)
STATIONS = ("start", "middle", "end")
FORCES = ("axial_force", "shear_force_y", "shear_force_z", "torque", "bending_moment_y", "bending_moment_z")
NameOfBody = Annotated[str, BeforeValidator(lambda value: getattr(value, "name", value), json_schema_input_type=str)]


class OnElement(Record):
    """Parameters of the law, for one element."""

    first = number("arc length of its first node", "m")
    length = number("its length", "m")
    shear = number("1/(1 + Φ) of (21.14)")
    S_1 = numbers(9, "section axes at node 1, in axes of the node")
    S_2 = numbers(9, "section axes at node 2, in axes of the node")
    direction = numbers(3, "in global axes, or in section axes if it follows")
    follows = integer("1: the direction turns with the sections")
    whole = integer("1: it loads the beam to its end, wherever `ends` is")
    along = nested(Call, "factor by the distance from where it begins")
    starts = nested(Call, "arc length where it begins, over time", "m")
    ends = nested(Call, "arc length where it ends, over time", "m")
    force = nested(Argued, "force per length over time, or by a reading", "N/m")


def _point(i):
    """Gauss points of [−1, 1] and their weights."""
    if i == 2:
        return 0.0, WEIGHTS[2]
    if i == 0 or i == 4:
        return (-GAUSS[0] if i == 0 else GAUSS[0]), WEIGHTS[0]
    return (-GAUSS[1] if i == 1 else GAUSS[1]), WEIGHTS[1]


def _loaded(p, now, w):
    """(status, force per length over time, arc length where it begins, part of the element that is loaded: from, to)"""
    status = evaluate(p.starts, now.t, w)
    begin = w[0]
    end = p.first + p.length
    if p.whole == 0 and status == 0:
        status = evaluate(p.ends, now.t, w)
        end = w[0]
    if status == 0:
        status = drive(p.force, now, w)
    low = max(begin, p.first) - p.first
    high = min(end, p.first + p.length) - p.first
    return status, now.c.load * w[0], begin, low, max(low, high)


def _unit(p, xi, d_1, d_2):
    """Direction of the load at a place of the element."""
    if p.follows == 0:
        return d_1
    d = add(scale(1.0 - xi, d_1), scale(xi, d_2))
    return scale(1.0 / norm(d), d)


def _shares(p, xi):
    """N₁ … N₄ of (21.14)"""
    even = 0.5 * xi * (1.0 - xi)
    odd = p.shear * xi * (1.0 - xi) * (1.0 - 2.0 * xi)
    return 1.0 - xi + odd, p.length * (even + 0.5 * odd), xi - odd, p.length * (0.5 * odd - even)


@law(
    OnElement,
    errors=ERRORS,
    outputs=(
        ("force", "N"),
        ("power", "W"),
        *((f"{s}_{f}", "N" if "force" in f else "N m") for s in STATIONS for f in FORCES),
    ),
    scratch=OUT_SIZE + 20,
)
def line_load(want, p, now, out):
    """r −= ∫ Nᵀ q ds"""
    w = out.w
    N1, N2 = mat(now.R, 0), mat(now.R, 9)
    t_1 = mv(N1, (p.S_1[0], p.S_1[3], p.S_1[6]))
    t_2 = mv(N2, (p.S_2[0], p.S_2[3], p.S_2[6]))
    d_1 = vec(p.direction, 0)
    d_2 = d_1
    if p.follows:
        d_2 = mv(N2, mv(mat(p.S_2, 0), d_1))
        d_1 = mv(N1, mv(mat(p.S_1, 0), d_1))
    status, intensity, begin, low, high = _loaded(p, now, w)
    if status != 0:
        return status
    zero = (0.0, 0.0, 0.0)
    F1, F2, F3, F4 = zero, zero, zero, zero
    half = 0.5 * (high - low)
    total = 0.0
    for i in range(5):
        place, weight = _point(i)
        s = low + half * (1.0 + place)
        factor = 1.0
        if p.along.address != 0 and half > 0.0:
            status = evaluate(p.along, p.first + s - begin, w)
            if status != 0:
                return status
            factor = w[0]
        xi = s / p.length
        amount = weight * half * factor * intensity
        q = scale(amount, _unit(p, xi, d_1, d_2))
        n1, n2, n3, n4 = _shares(p, xi)
        F1, F2 = add(F1, scale(n1, q)), add(F2, scale(n2, q))
        F3, F4 = add(F3, scale(n3, q)), add(F4, scale(n4, q))
        total += amount
    if want & RESIDUAL:
        put(out.r, 0, neg(F1))
        put(out.r, 3, neg(cross(t_1, F2)))
        put(out.r, 6, neg(F3))
        put(out.r, 9, neg(cross(t_2, F4)))
    if want & (OUTPUT | ENERGY):
        power = dot(F1, vec(now.v, 0)) + dot(F3, vec(now.v, 6))
        power += dot(cross(t_1, F2), vec(now.v, 3)) + dot(cross(t_2, F4), vec(now.v, 9))
        if want & ENERGY:
            put_energies(w, 0.0, 0.0, 0.0, 0.0, power)
        else:
            status = _held(p, now, begin, low, high, intensity, d_1, d_2, F1, cross(t_1, F2), w)
            w[0] = total
            w[1] = power
            return status
    return 0


def _held(p, now, begin, low, high, intensity, d_1, d_2, F, M, w):
    """Section forces of the element with its ends held, at its start, middle and end, in the axes of the section halfway."""
    S_a, S_b = mat(p.S_1, 0), mat(p.S_2, 0)
    R_a, R_b = mat(now.R, 0), mat(now.R, 9)
    x = add(mv(R_a, (S_a[0], S_a[3], S_a[6])), mv(R_b, (S_b[0], S_b[3], S_b[6])))
    x = scale(1.0 / norm(x), x)
    z = add(mv(R_a, (S_a[2], S_a[5], S_a[8])), mv(R_b, (S_b[2], S_b[5], S_b[8])))
    z = sub(z, scale(dot(z, x), x))
    z = scale(1.0 / norm(z), z)
    y = cross(z, x)
    for station in range(3):
        at = 0.5 * station * p.length
        n, m = F, sub(M, scale(at, cross(x, F)))
        top = min(high, at)
        half = 0.5 * (top - low)
        for i in range(5 if half > 0.0 else 0):
            place, weight = _point(i)
            s = low + half * (1.0 + place)
            factor = 1.0
            if p.along.address != 0:
                status = evaluate(p.along, p.first + s - begin, w)
                if status != 0:
                    return status
                factor = w[0]
            q = scale(weight * half * factor * intensity, _unit(p, s / p.length, d_1, d_2))
            n = sub(n, q)
            m = sub(m, scale(s - at, cross(x, q)))
        first = OUT_SIZE + 2 + 6 * station
        w[first], w[first + 1], w[first + 2] = dot(n, x), dot(n, y), dot(n, z)
        w[first + 3], w[first + 4], w[first + 5] = dot(m, x), dot(m, y), dot(m, z)
    for i in range(18):
        w[2 + i] = w[OUT_SIZE + 2 + i]
    return 0


class LineLoad(Item):
    """A force per length on a beam, or on a part of it, which may move along.

    fx.LineLoad("snow", "roof", direction="-z", force="800 N/m")
    fx.LineLoad("train", "bridge", direction="-z", force=5e4, begin="30*t - 20", end="30*t")

    The force per length is `force`, a function of time, times `along`, a function of the distance from where it begins. Lengths are
    arc lengths of the undeformed beam. Signals of each element, e.g. snow.roof.element 1: force [N], power [W], and the section
    forces of the element with its ends held, which `run.section_forces` adds.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "body")
    noun: ClassVar[str] = "line load"
    type: Literal["line_load"] = "line_load"
    by_sensor: ClassVar[tuple[str, ...]] = ("force",)
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "snow", "body": "fin", "direction": "-z", "force": SINE},
        {
            "body": "fin",
            "direction": (0, 1, -2),
            "force": "3 N/m",
            "follows": True,
            "along": "1 - 2*x",
            "begin": 0.1,
            "end": "0.3 + t",
        },
    )
    name: str = Field(description="Unique name of the load.", min_length=1, pattern=NAME)
    body: NameOfBody = Field(description="Name of the beam.")
    direction: Direction = Field(
        description="Its direction: global axes, or the section's (x along the beam) if it follows."
    )
    force: Annotated[AnyFunction, function_of("time", "force per length")] = Field(
        description="Force per length [N/m], a number or a function of time or of a sensor."
    )
    along: Annotated[AnyFunction, function_of("length", "dimensionless")] | None = Field(
        None,
        description="What it is multiplied by, a function of the distance x from where it begins [m]; 1 if left out.",
    )
    begin: Annotated[AnyFunction, function_of("time", "length")] = Field(
        Constant(0.0),
        description="Arc length from the start of the beam where it begins [m], may be a function of time.",
    )
    end: Annotated[AnyFunction, function_of("time", "length")] | None = Field(
        None, description="Where it ends [m], may be a function of time; the end of the beam if left out."
    )
    follows: bool = Field(False, description="Whether the direction turns with the sections.")

    @property
    def in_space(self) -> dict[str, Literal["point", "direction"]]:
        return {} if self.follows else {"direction": "direction"}

    def refuse_outside(self, beam: Beam) -> None:
        """ModelError if it never loads the beam."""
        length = float(beam.geometry[2][-1])
        begin = self.begin.value if isinstance(self.begin, Constant) else None
        end = length if self.end is None else self.end.value if isinstance(self.end, Constant) else None
        for field, value in (("begin", begin), ("end", end)):
            if value is not None and not -1e-9 * length <= value <= (1 + 1e-9) * length:
                what, why = f"{field} = {value:g} m is not on the beam", f"'{beam.name}' is {length:g} m long"
                raise ModelError(Problem(field, what, why, f"give one between 0 and {length:g} m"))
        if begin is not None and end is not None and begin >= end:
            why = "nothing of the beam is loaded"
            raise ModelError(Problem("end", f"it begins at {begin:g} m and ends at {end:g} m", why, "exchange them"))

    def terms(self, around: Surroundings) -> list[Term]:
        carrier = around.carrier
        return self.on_beam(carrier.body, carrier.node)  # type: ignore[arg-type]

    def on_beam(self, beam: Beam, node: int) -> list[Term]:
        """A term for every element that is loaded at some time; node: number of the beam's first."""
        x, S, stations = beam.geometry
        along = direction(self.direction)
        terms = []
        for i, section in enumerate(beam.properties):
            first, last = float(stations[i]), float(stations[i + 1])
            if isinstance(self.begin, Constant) and self.begin.value >= last:
                continue
            if isinstance(self.end, Constant) and self.end.value <= first:
                continue
            length = float(np.linalg.norm(helix(x[i : i + 2], S[i])[0]))
            by = Reads()
            parameters = OnElement.pack(
                first=first,
                length=length,
                shear=shear_share(section, length),
                S_1=S[i, 0],
                S_2=S[i, 1],
                direction=along,
                follows=int(self.follows),
                whole=int(self.end is None),
                along=call(self.along),
                starts=call(self.begin),
                ends=call(self.end),
                force=by.drive(self.force),
            )
            name = f"{self.name}.{beam.name}.element {i + 1}"
            terms.append(Term(name, by.law(line_load), (node + i, node + i + 1), parameters=parameters, reads=by.reads))
        return terms
