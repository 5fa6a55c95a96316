"""Cross-sections of PBARL and PBEAML by type and dimensions. Along y a section is seen upright, along z lying."""

from __future__ import annotations

from collections.abc import Callable

from flexor.io.profiles import composed, upright
from flexor.mesh.section import BeamSection, BoxProfile, Circle, GeneralSection, IProfile, Rectangle, Tube

Profile = tuple[type[BeamSection], dict[str, object], tuple[float, float]]
"""Class, its values, and the centroid (y, z) seen from the shear centre [m]."""


def profile(shape: str, d: list[float]) -> Profile:
    """The section of a type with dimensions in m; ValueError if they do not fit together."""
    if min(d) <= 0:
        raise ValueError(f"dimensions of {shape} must be positive")
    return _PROFILES[shape][1](*d)


def dimensions(shape: str) -> int | None:
    """How many dimensions a type has; None if it is not known."""
    return _PROFILES[shape][0] if shape in _PROFILES else None


def _rod(r: float) -> Profile:
    return Circle, {"radius": r}, (0.0, 0.0)


def _tube(outer: float, inner: float) -> Profile:
    return Tube, {"radius": outer, "thickness": outer - inner}, (0.0, 0.0)


def _tube2(outer: float, thickness: float) -> Profile:
    return Tube, {"radius": outer, "thickness": thickness}, (0.0, 0.0)


def _bar(lying: float, up: float) -> Profile:
    return Rectangle, {"width": up, "height": lying}, (0.0, 0.0)


def _box(lying: float, up: float, t_flange: float, t_web: float) -> Profile:
    if t_flange == t_web:
        return BoxProfile, {"width": up, "height": lying, "thickness": t_web}, (0.0, 0.0)
    b, h = lying - t_web, up - t_flange  # between the middles of the walls
    if b <= t_web or h <= t_flange:
        raise ValueError("the walls of BOX do not fit into it")
    walls = [
        *((up / 2 - t_flange, up / 2, -lying / 2, lying / 2), (-up / 2, t_flange - up / 2, -lying / 2, lying / 2)),
        *((t_flange - up / 2, up / 2 - t_flange, lying / 2 - t_web, lying / 2),),
        *((t_flange - up / 2, up / 2 - t_flange, -lying / 2, t_web - lying / 2),),
    ]
    values, _ = composed(walls, (0.0, 0.0))
    J = 2 * (b * h) ** 2 / (b / t_flange + h / t_web)  # J = 4 A²/∮ ds/t   Bredt
    return GeneralSection, {**values, "J": J}, (0.0, 0.0)


def _i(height: float, lower: float, upper: float, web: float, t_lower: float, t_upper: float) -> Profile:
    if lower == upper and t_lower == t_upper:
        section = IProfile(width=lower, height=height, web=web, flange=t_lower)
        return GeneralSection, upright(section), (0.0, 0.0)
    clear = height - t_lower - t_upper
    if clear <= 0 or web > min(lower, upper):
        raise ValueError("the walls of I do not fit into it")
    walls = [
        (0.0, t_lower, -lower / 2, lower / 2),
        (t_lower, t_lower + clear, -web / 2, web / 2),
        (height - t_upper, height, -upper / 2, upper / 2),
    ]
    stiff_lower, stiff_upper = t_lower * lower**3, t_upper * upper**3
    between = height - (t_lower + t_upper) / 2
    return _from_walls(walls, (t_lower / 2 + between * stiff_upper / (stiff_lower + stiff_upper), 0.0))


def _i1(overhang: float, web: float, clear: float, height: float) -> Profile:
    flange = (height - clear) / 2
    return _i(height, overhang + web, overhang + web, web, flange, flange)


def _t(width: float, height: float, flange: float, web: float) -> Profile:
    if height <= flange or web > width:
        raise ValueError("the walls of T do not fit into it")
    walls = [(0.0, height - flange, -web / 2, web / 2), (height - flange, height, -width / 2, width / 2)]
    return _from_walls(walls, (height - flange / 2, 0.0))


def _l(width: float, height: float, flange: float, web: float) -> Profile:
    if height <= flange or width <= web:
        raise ValueError("the walls of L do not fit into it")
    walls = [(0.0, flange, 0.0, width), (flange, height, 0.0, web)]
    return _from_walls(walls, (flange / 2, web / 2))  # where the legs meet


def _channel(width: float, height: float, web: float, flange: float) -> Profile:
    if height <= 2 * flange or width <= web:
        raise ValueError("the walls of CHAN do not fit into it")
    walls = [
        (-height / 2, height / 2, 0.0, web),
        (height / 2 - flange, height / 2, web, width),
        (-height / 2, flange - height / 2, web, width),
    ]
    b, h = width - web / 2, height - flange
    e = 3 * b**2 * flange / (6 * b * flange + h * web)  # beyond the web's middle (thin walls)
    return _from_walls(walls, (0.0, web / 2 - e))


def _chan1(overhang: float, web: float, clear: float, height: float) -> Profile:
    return _channel(overhang + web, height, web, (height - clear) / 2)


def _z(overhang: float, web: float, clear: float, height: float) -> Profile:
    flange = (height - clear) / 2
    if flange <= 0:
        raise ValueError("the walls of Z do not fit into it")
    walls = [
        (-height / 2, height / 2, -web / 2, web / 2),
        (height / 2 - flange, height / 2, -overhang - web / 2, -web / 2),
        (-height / 2, flange - height / 2, web / 2, overhang + web / 2),
    ]
    return _from_walls(walls, (0.0, 0.0))


def _from_walls(walls: list[tuple[float, float, float, float]], shear_center: tuple[float, float]) -> Profile:
    values, centroid = composed(walls, shear_center)
    if min(b - a for y0, y1, z0, z1 in walls for a, b in ((y0, y1), (z0, z1))) <= 0:
        raise ValueError("the walls do not fit together")
    return GeneralSection, values, (float(centroid[0] - shear_center[0]), float(centroid[1] - shear_center[1]))


_PROFILES: dict[str, tuple[int, Callable[..., Profile]]] = {
    "ROD": (1, _rod),
    "TUBE": (2, _tube),
    "TUBE2": (2, _tube2),
    "BAR": (2, _bar),
    "BOX": (4, _box),
    "I": (6, _i),
    "I1": (4, _i1),
    "T": (4, _t),
    "L": (4, _l),
    "CHAN": (4, _channel),
    "CHAN1": (4, _chan1),
    "Z": (4, _z),
}
