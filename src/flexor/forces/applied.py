"""Applied point force and torque: any function of time, fixed in space or following the body."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from flexor.bodies.marker import MarkerRef, Site
from flexor.declaration import Direction, Item
from flexor.dotted import NAME
from flexor.functions import ERRORS, OUT_SIZE, AnyFunction, Function, function_of
from flexor.functions.call import Argued, Reads, drive
from flexor.functions.samples import SINE
from flexor.joints.surroundings import Surroundings
from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, Law, Term, law
from flexor.law.face import put_energies
from flexor.law.record import Record, integer, nested, numbers
from flexor.law.tuples import add, cross, dot, mat, mscale, mv, neg, put, put_mat, scale, skew, skew2, vec
from flexor.spatial import direction


class AppliedLoad(Record):
    """Parameters of both laws."""

    p_NM = numbers(3, "point it acts at, in axes of the node", "m")
    direction = numbers(3, "in global axes, or in axes of the node if it follows")
    follows = integer("1: the direction turns with the body")
    magnitude = nested(Argued, "over time, or by a reading", "N or N m")


def _load(p, now, w):
    """(status, magnitude at time t, load vector in global axes)"""
    status = drive(p.magnitude, now, w)
    magnitude = now.c.load * w[0]
    f = scale(magnitude, vec(p.direction, 0))
    if p.follows:
        f = mv(mat(now.R, 0), f)
    return status, magnitude, f


@law(AppliedLoad, tangent="own", errors=ERRORS, outputs=(("force", "N"), ("power", "W")), scratch=OUT_SIZE)
def applied_force(want, p, now, out):
    """r −= f at the marker"""
    s_M = mv(mat(now.R, 0), vec(p.p_NM, 0))
    status, magnitude, f = _load(p, now, out.w)
    if status != 0:
        return status
    if want & RESIDUAL:
        put(out.r, 0, neg(f))
        put(out.r, 3, neg(cross(s_M, f)))
    if want & MATRIX:
        cK = now.c.K
        if p.follows:  # δf = δθ × f and δs = δθ × s: the moment s × f turns as a whole
            put_mat(out.K, 6, 0, 3, mscale(cK, skew(f)))
            put_mat(out.K, 6, 3, 3, mscale(cK, skew(cross(s_M, f))))
        else:  # −δs × f = f × (δθ × s) = −f̃ s̃ δθ
            put_mat(out.K, 6, 3, 3, mscale(-cK, skew2(f, s_M)))
    if want & (OUTPUT | ENERGY):
        _answer(want, magnitude, dot(f, add(vec(now.v, 0), cross(vec(now.v, 3), s_M))), out.w)
    return 0


@law(AppliedLoad, tangent="own", errors=ERRORS, outputs=(("torque", "N m"), ("power", "W")), scratch=OUT_SIZE)
def applied_torque(want, p, now, out):
    """r −= m"""
    status, magnitude, m = _load(p, now, out.w)
    if status != 0:
        return status
    if want & RESIDUAL:
        put(out.r, 3, neg(m))
    if want & MATRIX and p.follows:
        put_mat(out.K, 6, 3, 3, mscale(now.c.K, skew(m)))
    if want & (OUTPUT | ENERGY):
        _answer(want, magnitude, dot(m, vec(now.v, 3)), out.w)
    return 0


def _answer(want, magnitude, power, w):
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, 0.0, 0.0, power)
    else:
        w[0] = magnitude
        w[1] = power


class _Applied(Item):
    positional: ClassVar[tuple[str, ...]] = ("name", "on")
    law: ClassVar[Law]
    by_sensor: ClassVar[tuple[str, ...]] = ("force", "torque")
    name: str = Field(description="Unique name of the load.", min_length=1, pattern=NAME)
    on: MarkerRef = Field(description="The body and point that it acts on.")
    direction: Direction = Field(description="Its direction: global axes, or the marker's axes if it follows.")
    follows: bool = Field(False, description="Whether the direction turns with the body.")

    @property
    def in_space(self) -> dict[str, Literal["point", "direction"]]:
        return {} if self.follows else {"direction": "direction"}

    def _terms(self, site: Site, magnitude: Function) -> list[Term]:
        along = direction(self.direction)
        if self.follows:
            along = site.R_NM @ along
        by = Reads()
        parameters = AppliedLoad.pack(
            p_NM=site.p_NM, direction=along, follows=int(self.follows), magnitude=by.drive(magnitude)
        )
        return [Term(self.name, by.law(type(self).law), (site.node,), parameters=parameters, reads=by.reads)]


class PointForce(_Applied):
    """A force at a point of a body. Signals: force [N], power [W]."""

    noun: ClassVar[str] = "force"
    type: Literal["point_force"] = "point_force"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "push", "on": "crank.tip", "direction": "y", "force": SINE},
        {"on": {"body": "crank", "at": (0.1, 0, 0)}, "direction": (1, 2, -3), "force": "-5 N", "follows": True},
    )
    law: ClassVar = applied_force
    force: Annotated[AnyFunction, function_of("time", "force")] = Field(
        description="Magnitude [N], a number or a function of time or of a sensor."
    )

    def terms(self, around: Surroundings) -> list[Term]:
        return self._terms(around.site, self.force)


class PointTorque(_Applied):
    """A torque on a body. Signals: torque [N m], power [W]."""

    noun: ClassVar[str] = "torque"
    type: Literal["point_torque"] = "point_torque"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "twist", "on": "crank", "direction": (0, 0, -2), "torque": SINE},
        {"on": "crank.tip", "direction": (1, 2, -3), "torque": "2 N*m", "follows": True},
    )
    law: ClassVar = applied_torque
    needs_orientation: ClassVar[bool] = True
    torque: Annotated[AnyFunction, function_of("time", "torque")] = Field(
        description="Magnitude [N m], a number or a function of time or of a sensor."
    )

    def terms(self, around: Surroundings) -> list[Term]:
        return self._terms(around.site, self.torque)
