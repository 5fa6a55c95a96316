"""Applied point force and torque: any function of time, fixed in space or following the body."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from flexor.bodies.marker import MarkerRef, Site
from flexor.declaration import Declaration, Direction
from flexor.functions import ERRORS, OUT_SIZE, Function, function_of
from flexor.law import ENERGY, LOAD, MATRIX, OUTPUT, RESIDUAL, Element, law
from flexor.law.parameters import Parameters
from flexor.law.primitives import at, call_function
from flexor.law.tuples import add, cross, dot, mat, mscale, mv, neg, put, put_mat, scale, skew, skew2, vec
from flexor.spatial import direction


def _load(k, p, t, c, R, w):
    """(status, magnitude at time t, load vector in global axes); its direction turns with the body if k[2]"""
    status = call_function(k[0], at(p, k[1]), t, w)
    magnitude = c[LOAD] * w[0]
    f = scale(magnitude, vec(p, 3))
    if k[2]:
        f = mv(mat(R, 0), f)
    return status, magnitude, f


@law(errors=ERRORS, outputs=(("force", "N"), ("power", "W")), scratch=OUT_SIZE)
def applied_force(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """r −= f at the marker;  k: function (2), follows the body;  p: p_NM, direction"""
    s_M = mv(mat(R, 0), vec(p, 0))
    status, magnitude, f = _load(k, p, t, c, R, w)
    if status != 0:
        return status
    if want & RESIDUAL:
        put(r, 0, neg(f))
        put(r, 3, neg(cross(s_M, f)))
    if want & MATRIX:
        cK = c[0]
        if k[2]:  # δf = δθ × f and δs = δθ × s: the moment s × f turns as a whole
            put_mat(K, 6, 0, 3, mscale(cK, skew(f)))
            put_mat(K, 6, 3, 3, mscale(cK, skew(cross(s_M, f))))
        else:  # −δs × f = f × (δθ × s) = −f̃ s̃ δθ
            put_mat(K, 6, 3, 3, mscale(-cK, skew2(f, s_M)))
    if want & (OUTPUT | ENERGY):
        power = dot(f, add(vec(v, 0), cross(vec(v, 3), s_M)))
        if want & ENERGY:
            for i in range(4):
                w[i] = 0.0
            w[4] = power
        else:
            w[0] = magnitude
            w[1] = power
    return 0


@law(errors=ERRORS, outputs=(("torque", "N m"), ("power", "W")), scratch=OUT_SIZE)
def applied_torque(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """r −= m;  k: function (2), follows the body;  p: p_NM (unused), direction"""
    status, magnitude, m = _load(k, p, t, c, R, w)
    if status != 0:
        return status
    if want & RESIDUAL:
        put(r, 3, neg(m))
    if want & MATRIX and k[2]:
        put_mat(K, 6, 3, 3, mscale(c[0], skew(m)))
    if want & (OUTPUT | ENERGY):
        power = dot(m, vec(v, 3))
        if want & ENERGY:
            for i in range(4):
                w[i] = 0.0
            w[4] = power
        else:
            w[0] = magnitude
            w[1] = power
    return 0


class _Applied(Declaration):
    positional: ClassVar[tuple[str, ...]] = ("name", "on")
    law: ClassVar[Any] = None
    name: str = Field(description="Unique name of the load.", min_length=1, pattern=r"^[^.\s][^.]*$")
    on: MarkerRef = Field(description="The body and point that it acts on.")
    direction: Direction = Field(description="Its direction: global axes, or the marker's axes if it follows.")
    follows: bool = Field(False, description="Whether the direction turns with the body.")

    def _elements(self, site: Site, magnitude: Function, python: bool) -> list[Element]:
        along = direction(self.direction)
        if self.follows:
            along = site.R_NM @ along
        packed = Parameters(python).function(magnitude).integers(self.follows).numbers(site.p_NM, along)
        return [Element(self.name, type(self).law, (site.node,), **packed.packed())]


class PointForce(_Applied):
    """A force at a point of a body. Signals: force [N], power [W]."""

    noun: ClassVar[str] = "force"
    type: Literal["point_force"] = "point_force"
    law: ClassVar = applied_force
    force: function_of("time", "force") = Field(description="Magnitude [N], a number or a function of time.")  # type: ignore[valid-type]

    def elements(self, site: Site, python: bool = False) -> list[Element]:
        return self._elements(site, self.force, python)


class PointTorque(_Applied):
    """A torque on a body. Signals: torque [N m], power [W]."""

    noun: ClassVar[str] = "torque"
    type: Literal["point_torque"] = "point_torque"
    law: ClassVar = applied_torque
    torque: function_of("time", "torque") = Field(description="Magnitude [N m], a number or a function of time.")  # type: ignore[valid-type]

    def elements(self, site: Site, python: bool = False) -> list[Element]:
        return self._elements(site, self.torque, python)
