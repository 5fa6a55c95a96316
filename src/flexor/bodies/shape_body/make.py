"""From a declared body of shape functions to the reduced body: series, integrals, free shapes, what is left out."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flexor.bodies.shape import Box
from flexor.bodies.shape_body.cartesian import CartesianSeries
from flexor.bodies.shape_body.characteristic_set import needed
from flexor.bodies.shape_body.cylindrical import CylindricalSeries
from flexor.bodies.shape_body.drawn_mesh import drawn_mesh
from flexor.bodies.shape_body.free_shapes import FreeShapes, free_shapes
from flexor.bodies.shape_body.geometry import pose_of, round_section
from flexor.bodies.shape_body.integrals import Integrals
from flexor.bodies.shape_body.mean_motion import mean_motion
from flexor.bodies.shape_body.shape_field import ShapeField
from flexor.bodies.shape_body.shaped import ShapedBody, shaped_body
from flexor.errors import ModelError, Problem
from flexor.reduce.damping import Rayleigh

if TYPE_CHECKING:
    from flexor.bodies.shape_body.shape_body import ShapeBody

SPINS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


def series_of(body: ShapeBody) -> CartesianSeries | CylindricalSeries:
    """The series that its geometry and orders ask for."""
    g = body.geometry
    if isinstance(g, Box):
        return CartesianSeries((g.x, g.y, g.z), body.all_orders)
    return CylindricalSeries(round_section(g), body.all_orders)


LOST = 0.2
"""Relative error of frequencies by rounding from which on a body is refused."""
KEPT = 8
"""Bodies that are remembered: equal parts of a mechanism, and a model that is checked and then run, are made once."""
_MADE: OrderedDict[str, ShapedBody] = OrderedDict()


def made_of(body: ShapeBody) -> ShapedBody:
    """The reduced body; remembered if an equal one was made lately, whatever its name, place and motion."""
    key = body.model_dump_json(
        include={"geometry", "material", "orders", "keep", "up_to", "damping", "markers", "interfaces"}
    )
    if key not in _MADE:
        _MADE[key] = _made_of(body)
    _MADE.move_to_end(key)
    while len(_MADE) > KEPT:
        _MADE.popitem(last=False)
    found = _MADE[key]
    return found if found.name == body.name else replace(found, name=body.name)


_LOWEST: dict[str, float] = {}


def lowest_frequency(body: ShapeBody) -> float:
    """Of the free body with all functions of its series [Hz]; remembered."""
    key = body.model_dump_json(include={"geometry", "material", "orders"})
    if key not in _LOWEST:
        series = series_of(body)
        chosen, _, classes = series.chosen
        found = Integrals(series, chosen, body.material.stiffness(), body.material.density)
        _LOWEST[key] = float(np.sqrt(free_shapes(found, classes).squares[0]) / (2 * np.pi))
    return _LOWEST[key]


def _made_of(body: ShapeBody) -> ShapedBody:
    material = body.material
    series, pose = series_of(body), pose_of(body.geometry)
    chosen, names, classes = series.chosen
    found = Integrals(series, chosen, material.stiffness(), material.density)
    shapes = free_shapes(found, classes)
    if shapes.blur > LOST:
        what = f"it is too thin for shape functions, {series.thickness / series.extent:.2g} of its largest size"
        why = "it bends so much more easily than it shears that rounding hides its bending"
        fix = "use a beam, or a flexible_body with a mesh of shells or beams"
        raise ModelError(Problem(f"body '{body.name}'", what, why, fix))
    said = [f"{chosen.shape[1]} shape functions, {len(shapes.squares)} free modes of them"]
    has = tuple(str(name) for name in names)
    dropped: tuple[str, ...] = ()

    def field_of(found: Integrals, shapes: FreeShapes) -> ShapeField:
        center = found.first / found.mass
        return ShapeField(series, found.chosen @ shapes.V, shapes.rigid, center, pose, material.stiffness())

    if body.keep is not None:
        vectors, count = _characteristic(body, found, shapes, field_of(found, shapes))
        kept = needed(vectors, body.keep.threshold) | _named(body, has)
        has, dropped = (tuple(name for name, own in zip(has, kept) if bool(own) == wanted) for wanted in (True, False))
        before = shapes.squares[:count]
        found = Integrals(series, chosen[:, kept], material.stiffness(), material.density)
        shapes = free_shapes(found, classes[kept])
        said.append(_told_of_filter(len(dropped), len(names), before, shapes.squares))
    if shapes.dependent:
        said.append(f"{shapes.dependent} combinations of them are sums of others to within rounding and were left out")
    if body.up_to is not None:
        shapes, sentence = _up_to(body, found, shapes, field_of(found, shapes))
        said.append(sentence)
    damping = body.damping or Rayleigh(0.0, material.damping)
    mesh = drawn_mesh(series, pose, material)
    field = field_of(found, shapes)
    held = {name: mean_motion(body.name, field, side) for name, side in body.interfaces.items()}
    return shaped_body(
        body.name,
        found,
        shapes,
        field,
        mesh,
        damping,
        held,
        why=tuple(said),
        functions=len(names),
        names=has,
        dropped=dropped,
        method="shape functions",
    )


def _named(body: ShapeBody, names: tuple[str, ...]) -> np.ndarray:
    """(n,) whether each function is asked for by its name."""
    assert body.keep is not None
    unknown = sorted(set(body.keep.functions) - set(names))
    if unknown:
        what, why = f"it has no shape function {unknown[0]!r}", f"its orders make {names[0]!r} … {names[-1]!r}"
        fix = "take the names that run.needed_functions gave for a body of the same orders"
        raise ModelError(Problem(f"body '{body.name}', keep.functions", what, why, fix))
    return np.isin(names, body.keep.functions)


def _loads(
    body: ShapeBody, found: Integrals, shapes: FreeShapes, field: ShapeField, markers: bool, spin: bool
) -> np.ndarray:
    """(m, k) modal forces of unit forces and moments at its markers and interfaces, and of centrifugal forces."""
    columns = [np.zeros((len(shapes.squares), 0))]
    if markers:
        columns += [field.motion_at(marker.at).T for marker in body.markers.values()]
        columns += [mean_motion(body.name, field, side).motion.T for side in body.interfaces.values()]
    if spin:
        position = found.position_products - (found.first / found.mass)[:, None, None] * found.translation
        trace = np.einsum("kkn->n", position)
        rows = [0.5 * (position[i, j] + position[j, i]) - (i == j) * trace for i, j in SPINS]
        columns.append(shapes.V.T @ np.array(rows).T)
    return np.hstack(columns)


def _characteristic(body: ShapeBody, found: Integrals, shapes: FreeShapes, field: ShapeField) -> tuple[np.ndarray, int]:
    """(n, k) states of the deformations that are typical of the body; the first so many are free modes."""
    assert body.keep is not None
    asked = body.keep
    count = max(asked.modes, int((shapes.squares <= (2 * np.pi * (asked.up_to or 0.0)) ** 2).sum()))
    static = _loads(body, found, shapes, field, asked.markers, asked.spin) / shapes.squares[:, None]
    static = static[:, np.abs(static).max(axis=0, initial=0.0) > 0]
    count = min(count, len(shapes.squares))
    return shapes.V @ np.hstack([np.eye(len(shapes.squares))[:, :count], static]), count


def _told_of_filter(dropped: int, count: int, before: np.ndarray, after: np.ndarray) -> str:
    said = f"{dropped} of {count} shape functions contribute to no typical deformation and were left out"
    after = after[: len(before)]
    if not len(after) or len(after) < len(before):
        return said
    change = float(np.abs(np.sqrt(after / before) - 1).max())
    return f"{said}; frequencies of the {len(before)} typical modes change by {100 * change:.2g} % at most"


def _up_to(body: ShapeBody, found: Integrals, shapes: FreeShapes, field: ShapeField) -> tuple[FreeShapes, str]:
    """The modes up to a frequency, and what the others do statically at the markers and in a spin."""
    assert body.up_to is not None
    low = shapes.squares <= (2 * np.pi * body.up_to) ** 2
    kept, rest = np.flatnonzero(low), np.flatnonzero(~low)
    static = (_loads(body, found, shapes, field, True, True) / shapes.squares[:, None])[rest]
    static = static / np.maximum(np.linalg.norm(static, axis=0), 1e-300)
    U, size, _ = np.linalg.svd(static, full_matrices=False)
    U = U[:, size > 1e-6 * size.max(initial=0.0)]
    squares, turned = np.linalg.eigh(U.T @ (shapes.squares[rest][:, None] * U))
    W = np.zeros((len(low), len(kept) + len(squares)))
    W[kept, np.arange(len(kept))] = 1.0
    W[np.ix_(rest, np.arange(len(kept), W.shape[1]))] = U @ turned
    found_shapes = shapes.combined(W, np.concatenate([shapes.squares[kept], squares]))
    said = f"{len(kept)} modes up to {body.up_to:g} Hz and {len(squares)} static shapes of its markers and of a spin are kept"
    return found_shapes, said
