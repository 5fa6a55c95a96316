"""Ready-made meshes: box, bar, plate, cylinder, tube, ring, L and T profiles.

    mesh = bar("1 m", "0.1 m", "0.1 m", divisions=(40, 4, 4), element="hex20")

Lengths may carry units. `element` is hex8, hex20, wedge6, wedge15, tet4 or tet10; thin parts also take shell4 and
shell3 and a bar takes beam2, with a `section` of their own if need be. Every mesh has node sets for its faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.materials.material import Material
from flexor.mesh.beam_section import Rectangle
from flexor.mesh.extrude import (
    Value,
    corner,
    extruded,
    in_space,
    lifted,
    mesh_of,
    positive_lengths,
    whole_divisions,
)
from flexor.mesh.mesh import Mesh
from flexor.mesh.patch import Map, Patch, mesh_patches
from flexor.mesh.section import Section
from flexor.mesh.shell_section import ShellSection

_SHELLS = ("shell3", "shell4")


def box(
    size: Sequence[Value],
    divisions: Sequence[int] = (10, 10, 10),
    *,
    at: Sequence[Value] = (0.0, 0.0, 0.0),
    element: str = "hex8",
    material: Material | str | None = None,
) -> Mesh:
    """A box with edges along x, y, z and its lowest corner at `at`; sets x_min, x_max, y_min, …"""
    lengths, low = positive_lengths(size, 3), corner(at)
    patch = Patch(whole_divisions(divisions, 3), lambda s: low + s * lengths)
    points, nodes = mesh_patches([patch], element)
    sides = {}
    for axis, name in enumerate("xyz"):
        sides[f"{name}_min"] = points[:, axis] - low[axis]
        sides[f"{name}_max"] = points[:, axis] - low[axis] - lengths[axis]
    return mesh_of(points, nodes, element, material, sides)


def bar(
    length: Value,
    width: Value,
    height: Value,
    divisions: Sequence[int] = (20, 2, 2),
    *,
    element: str = "hex8",
    material: Material | str | None = None,
    section: Section | None = None,
) -> Mesh:
    """A rectangular bar along x from the origin, width in y and height in z about the axis; sets x_min, x_max, …

    With element="beam2" a line of beams; `section` is theirs then, the rectangle unless given.
    """
    l, b, h = positive_lengths((length, width, height), 3)
    if element != "beam2":
        return box((l, b, h), divisions, at=(0, -b / 2, -h / 2), element=element, material=material)
    (n,) = whole_divisions(tuple(divisions)[:1] if isinstance(divisions, list | tuple) else divisions, 1)
    points = np.linspace(0, 1, n + 1)[:, None] * [l, 0, 0]
    nodes = np.stack([np.arange(n), np.arange(1, n + 1)], axis=1)
    sides = {"x_min": points[:, 0], "x_max": points[:, 0] - l}
    axes = np.tile(np.eye(3), (n, 1, 1))
    return mesh_of(points, nodes, element, material, sides, section or Rectangle(b, h), orientation=axes)


def plate(
    length: Value,
    width: Value,
    thickness: Value = 0.0,
    divisions: Sequence[int] = (10, 10, 1),
    *,
    element: str = "hex8",
    material: Material | str | None = None,
    section: Section | None = None,
) -> Mesh:
    """A plate in the plane x, y with a corner at the origin and its middle at z = 0; sets x_min, x_max, …

    With element="shell4" or "shell3" a surface at z = 0; give its thickness, or its `section`.
    """
    if element not in _SHELLS:
        l, b, t = positive_lengths((length, width, thickness), 3)
        return box((l, b, t), divisions, at=(0, 0, -t / 2), element=element, material=material)
    l, b = positive_lengths((length, width), 2)
    if section is None and not thickness:
        why, fix = "a shell needs one", 'write e.g. thickness="5 mm", or section=ShellSection("5 mm")'
        raise ModelError(Problem("plate", "it has no thickness", why, fix))
    if section is not None and thickness:
        why = "the section has its own"
        raise ModelError(Problem("plate", "thickness and section are both given", why, "leave out one of them"))
    section = section or ShellSection(thickness)
    across = whole_divisions(tuple(divisions)[:2] if isinstance(divisions, list | tuple) else divisions, 2)
    patch = Patch(across, lambda s: in_space(s[..., 0] * l, s[..., 1] * b, 0 * s[..., 0]))
    points, nodes = mesh_patches([patch], element)
    x, y = points[:, 0], points[:, 1]
    return mesh_of(points, nodes, element, material, {"x_min": x, "x_max": x - l, "y_min": y, "y_max": y - b}, section)


def cylinder(
    radius: Value,
    length: Value,
    divisions: Sequence[int] = (16, 2, 10),
    *,
    axis: str = "z",
    element: str = "hex8",
    material: Material | str | None = None,
) -> Mesh:
    """A solid cylinder from the origin along an axis; sets start, end, outer.

    divisions: around (a multiple of 4), between a square core and the surface, along.
    """
    r, l = positive_lengths((radius, length), 2)
    around, radial, along = whole_divisions(divisions, 3)
    if around % 4:
        why = "its core is a square grid"
        raise ModelError(Problem("cylinder", f"{around} divisions around do not fit", why, "use a multiple of 4"))
    side, core = around // 4, 0.42 * r

    def sector(start: float) -> Map:
        def position(s: np.ndarray) -> np.ndarray:
            angle = start + s[..., 1] * pi / 2
            edge = 2 * s[..., 1] - 1  # along the side of the core
            inner = _turned(core * np.ones_like(edge), core * edge, start + pi / 4)
            outer = r * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
            return inner + s[..., :1] * (outer - inner)

        return position

    def square(s: np.ndarray) -> np.ndarray:
        return core * (2 * s - 1)

    sections = [Patch((side, side), square)]
    sections += [Patch((radial, side), sector(k * pi / 2 - pi / 4)) for k in range(4)]
    return extruded(sections, l, along, axis, element, material, {"outer": r})


def tube(
    outer: Value,
    inner: Value,
    length: Value,
    divisions: Sequence[int] = (24, 2, 10),
    *,
    axis: str = "z",
    element: str = "hex8",
    material: Material | str | None = None,
    section: Section | None = None,
) -> Mesh:
    """A hollow cylinder with outer and inner radius from the origin along an axis; sets start, end, outer, inner.

    divisions: around, through the wall, along. With shells a surface at the mean radius, of the wall's thickness
    unless a `section` is given.
    """
    ro, ri, l = positive_lengths((outer, inner, length), 3)
    if not ri < ro:
        raise ModelError(Problem("tube", f"the inner radius {ri:g} m is not below the outer {ro:g} m"))
    around, wall, along = whole_divisions(divisions, 3)
    thirds = [around * (k + 1) // 3 - around * k // 3 for k in range(3)]
    if around < 3:
        raise ModelError(Problem("tube", f"{around} divisions around do not close", "", "use 3 or more"))
    starts = np.cumsum([0, *thirds]) * 2 * pi / around

    def sector(k: int) -> Map:
        def position(s: np.ndarray) -> np.ndarray:
            angle = starts[k] + s[..., 1] * (starts[k + 1] - starts[k])
            return (ri + s[..., :1] * (ro - ri)) * np.stack([np.cos(angle), np.sin(angle)], axis=-1)

        return position

    if element not in _SHELLS:
        sections = [Patch((wall, thirds[k]), sector(k)) for k in range(3)]
        return extruded(sections, l, along, axis, element, material, {"outer": ro, "inner": ri})

    def surface(k: int) -> Map:
        def position(s: np.ndarray) -> np.ndarray:
            flat = sector(k)(np.stack([np.full_like(s[..., 0], 0.5), s[..., 0]], axis=-1))
            return lifted(axis, flat, s[..., 1] * l)

        return position

    points, nodes = mesh_patches([Patch((thirds[k], along), surface(k)) for k in range(3)], element)
    x = points[:, "xyz".index(axis)]
    section = section or ShellSection(ro - ri)
    return mesh_of(points, nodes, element, material, {"start": x, "end": x - l}, section)


def ring(
    outer: Value,
    inner: Value,
    thickness: Value,
    divisions: Sequence[int] = (36, 3, 2),
    *,
    axis: str = "z",
    element: str = "hex8",
    material: Material | str | None = None,
) -> Mesh:
    """A flat ring, a short tube from 0 to its thickness along the axis; divisions around, from inside to outside, through the thickness."""
    return tube(outer, inner, thickness, divisions, axis=axis, element=element, material=material)


def l_profile(
    width: Value,
    height: Value,
    thickness: Value,
    length: Value,
    divisions: Sequence[int] = (4, 4, 1, 20),
    *,
    axis: str = "x",
    element: str = "hex8",
    material: Material | str | None = None,
) -> Mesh:
    """An angle with two legs of equal thickness, its outer corner on the axis; sets start, end.

    The profile lies in the next two axes (y and z for axis="x"): a leg of `width` along the first, one of `height`
    along the second, both measured to the outer corner. divisions: along each leg beyond the corner, through the
    thickness, along the axis. A short length makes a flat L-shaped frame.
    """
    w, h, t, l = positive_lengths((width, height, thickness, length), 4)
    if t >= min(w, h):
        raise ModelError(Problem("l_profile", "the legs are not longer than thick", "", "use a box"))
    nw, nh, nt, along = whole_divisions(divisions, 4)
    sections = [
        _rectangle((0, 0), (t, t), (nt, nt)),
        _rectangle((t, 0), (w, t), (nw, nt)),
        _rectangle((0, t), (t, h), (nt, nh)),
    ]
    return extruded(sections, l, along, axis, element, material)


def t_profile(
    width: Value,
    height: Value,
    flange: Value,
    web: Value,
    length: Value,
    divisions: Sequence[int] = (4, 8, 2, 2, 20),
    *,
    axis: str = "x",
    element: str = "hex8",
    material: Material | str | None = None,
) -> Mesh:
    """A T: a flange of `width`, centred on the axis, and a web in its middle; sets start, end.

    The flange lies along the first of the next two axes (y for axis="x"), from 0 to `flange` along the second, and
    the web, `web` thick, reaches on to `height`. divisions: overhang on each side, web beyond the flange, across the
    web, through the flange, along the axis.
    """
    w, h, f, b, l = positive_lengths((width, height, flange, web, length), 5)
    if b >= w or f >= h:
        raise ModelError(Problem("t_profile", "the web is not narrower than the flange or not beyond it"))
    no, nh, nb, nf, along = whole_divisions(divisions, 5)
    sections = [
        _rectangle((-w / 2, 0), (-b / 2, f), (no, nf)),
        _rectangle((-b / 2, 0), (b / 2, f), (nb, nf)),
        _rectangle((b / 2, 0), (w / 2, f), (no, nf)),
        _rectangle((-b / 2, f), (b / 2, h), (nb, nh)),
    ]
    return extruded(sections, l, along, axis, element, material)


def _rectangle(low: Sequence[float], high: Sequence[float], divisions: tuple[int, int]) -> Patch:
    a, b = np.array(low, dtype=float), np.array(high, dtype=float)
    return Patch(divisions, lambda s: a + s * (b - a))


def _turned(x: np.ndarray, y: np.ndarray, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * x - s * y, s * x + c * y], axis=-1)
