"""The bodies, surfaces and kinds of pairs of a mechanism as records of the explicit solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.bodies.rigid_body import Inertial, moment_matrix
from flexor.bodies.shape import Box, Cylinder, Extruded, Plane, Revolved, Sphere, Stl, Torus, Triangles
from flexor.contact.approach import pair_of, records_of, sizes_of
from flexor.contact.approach.polyhedra.pairs import route
from flexor.contact.broad.cells import LARGE, SMALL
from flexor.contact.broad.near_pairs import MUCH_LARGER
from flexor.contact.contacts import ENDLESS, ManySurfaces
from flexor.contact.normal_laws import Hertz
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.surface import is_hollow
from flexor.contact.unseen.looked import Looked, looked_at
from flexor.engine.system import System
from flexor.explicit.memory import ALIKE, BY_AXES, NOT_AT_ALL, Inert, PairGroup, SurfaceRecord
from flexor.explicit.pairs import no_pairs, one_after_the_other, pair_kernel
from flexor.law import Term

EVEN = 1e-12
"""Differences of principal moments, in parts of them, that are none."""
PLAIN = (Sphere, Plane, Box, Cylinder, Torus)
"""Kinds of surfaces of which all members touch in the same way, whatever their size."""
FEW = 16
"""Boxes and cylinders of different sizes, up to which each is a kind of its own where edges are looked at for unseen overlaps."""


def body_table(terms: Sequence[Term]) -> np.ndarray:
    """An Inert for each body; terms: those of rigid bodies and particles."""
    table = np.zeros((len(terms), Inert.WORDS))
    for row, term in zip(table, terms, strict=True):
        assert term.parameters is not None
        given, body = Inertial(term.parameters.words), Inert(row)
        body.node, body.mass, body.lightness = term.nodes[0], given.mass, 1.0 / given.mass
        body.manner = NOT_AT_ALL
        if not given.point:
            moments, axes = np.linalg.eigh(moment_matrix(tuple(given.inertia)))
            if moments[2] - moments[0] <= EVEN * moments[2]:
                body.manner, axes = ALIKE, np.eye(3)
            else:
                body.manner = BY_AXES
                axes[:, 2] *= np.sign(np.linalg.det(axes))
            body.moments[:], body.axes[:] = moments, axes.ravel()
            body.nimbleness = 1.0 / moments[0]
    return table


@dataclass
class SurfaceTables:
    """Surfaces and kinds of pairs of all items with many of them."""

    surfaces: np.ndarray
    groups: np.ndarray
    group_of: np.ndarray
    turned: np.ndarray
    sizes: np.ndarray
    kinds: np.ndarray
    edge: float
    smallest: float
    kernel: Callable

    @property
    def most_places(self) -> int:
        return max((int(PairGroup(row).places) for row in self.groups), default=1)


def surface_tables(system: System, many: Sequence[tuple[int, ManySurfaces]], body_of: dict[int, int]) -> SurfaceTables:
    """many: with the number of its term, what each item has; body_of: number of each node's body."""
    families: dict[tuple[Any, ...], int] = {}
    members: list[Any] = []
    records, sizes, words = [], [], 0
    for item, (_, each) in enumerate(many):
        polyhedra = any(isinstance(shape, Extruded | Stl | Triangles) or is_hollow(shape) for shape in each.shapes)
        edged = _edged(each.shapes)
        for i, (shape, site) in enumerate(zip(each.shapes, each.sites, strict=True)):
            own = _own(shape, polyhedra, edged)
            key = (item, i < each.n_free, type(shape), getattr(shape, "inside", False), *own)
            if key not in families:
                families[key] = len(families)
                members.append((item, i < each.n_free, shape))
            size = _size(each, shape)
            record = SurfaceRecord(np.zeros(SurfaceRecord.WORDS))
            _fill(record, shape, site, body_of)
            record.family, record.size = families[key], words
            sizes.append(size)
            words += len(size)
            records.append(record._memory)
    table = np.array(records).reshape(-1, SurfaceRecord.WORDS)
    groups, group_of, turned, kernel = _groups(system, many, members, sizes)
    size_of = np.array([_width(SurfaceRecord(row)) for row in table])
    finite = size_of[size_of < ENDLESS]
    typical = MUCH_LARGER * float(np.median(finite)) if len(finite) else 1.0
    small = size_of[size_of <= typical]
    return SurfaceTables(
        table,
        groups,
        group_of,
        turned,
        np.concatenate([*sizes, np.zeros(1)]),
        np.where(size_of <= typical, SMALL, LARGE).astype(np.int64),
        float(small.max()) if len(small) else 1.0,
        float(small.min()) if len(small) else 1.0,
        kernel,
    )


def _width(record: SurfaceRecord) -> float:
    """Of the box in which it may touch anything; of what is hollow that is everywhere [m]."""
    if record.round or record.bound >= ENDLESS:
        return 2.0 * record.bound
    return 2.0 * float(np.linalg.norm(record.half))


def _own(shape: Any, polyhedra: bool, edged: bool) -> tuple[Any, ...]:
    """What else tells its kind: shapes with corners and profiles are kinds of their own, as are boxes and cylinders among them."""
    plain = type(shape) in PLAIN and not (polyhedra and (isinstance(shape, Box) or is_hollow(shape)))
    plain = plain and not (isinstance(shape, Box) and edged)
    return () if plain and not (isinstance(shape, Cylinder) and edged) else (shape,)


def _edged(shapes: Sequence[Any]) -> bool:
    """Whether some have edges that are looked at, so that what they touch has to be known; many boxes and cylinders of different sizes are not."""
    return len({shape for shape in shapes if isinstance(shape, Box | Cylinder)}) <= FEW and any(
        isinstance(shape, Extruded | Revolved | Stl | Triangles) for shape in shapes
    )


def _known(shape: Any, shapes: Sequence[Any]) -> bool:
    """Whether it stands for nothing but itself."""
    return bool(_own(shape, False, _edged(shapes))) or isinstance(shape, Plane)


def _slices(each: ManySurfaces) -> int:
    return getattr(each.law, "slices", 0)


def _size(each: ManySurfaces, shape: Any) -> np.ndarray:
    """Numbers of a surface, cut into slices if the law has some."""
    surface = SURFACES[type(shape)]
    packed = surface.pack(shape, _slices(each)) if surface.sliced and _slices(each) else surface.pack(shape)
    return np.asarray(packed.words, dtype=float)


def _fill(record: SurfaceRecord, shape: Any, site: Any, body_of: dict[int, int]) -> None:
    surface = SURFACES[type(shape)]
    p = site.p_NM + site.R_NM @ np.array(shape.at)
    half = np.minimum(np.array(surface.reach(shape), dtype=float), ENDLESS)
    hollow = getattr(shape, "inside", False)
    record.node, record.moves = site.node, int(site.node != 0)
    record.body = body_of.get(site.node, len(body_of))
    record.p[:], record.R[:] = p, (site.R_NM @ surface.axes(shape)).ravel()
    record.half[:] = half
    record.round = int(
        isinstance(shape, Sphere)
        and not hollow
        and not p.any()
        and record.moves
        and np.array_equal(site.R_NM, np.eye(3))
    )
    record.sweeps = int(record.moves and half.max() >= ENDLESS)
    endless = hollow or half.max() >= ENDLESS
    record.bound = ENDLESS if endless else shape.radius if isinstance(shape, Sphere) else float(np.linalg.norm(half))
    record.reach = float(np.linalg.norm(p)) + (
        0.0 if half.max() >= ENDLESS or isinstance(shape, Sphere) else float(np.linalg.norm(half))
    )
    if isinstance(shape, Sphere):
        record.curvature = (-1.0 if hollow else 1.0) / shape.radius


def _groups(
    system: System, many: Sequence[tuple[int, ManySurfaces]], members: list[Any], sizes: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, Callable]:
    """Kinds of pairs among the kinds of surfaces."""
    n = len(members)
    group_of, turned = np.full((n, n), -1, dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    records: list[np.ndarray] = []
    kernel: Callable = no_pairs
    for i, (item, is_free, one) in enumerate(members):
        for j, (other_item, other_free, other) in enumerate(members[i:], start=i):
            if item != other_item or not (is_free or other_free):
                continue
            term, each = many[item]
            if pair_of(one, other, _slices(each)) is None:
                continue  # told by the check
            swapped = isinstance(one, Sphere) and not isinstance(other, Sphere)
            a, b = (other, one) if swapped else (one, other)
            pair = pair_of(a, b, _slices(each))
            assert pair is not None
            number = len(records)
            record = PairGroup(_group(system, term, each, a, b, pair.places))
            for side, shape, size in zip("ab", (a, b), sizes_of(a, b, _slices(each)), strict=True):
                setattr(record, f"size_{side}", -1)
                if type(shape) not in PLAIN or route(a, b):
                    setattr(record, f"size_{side}", sum(len(words) for words in sizes))
                    sizes.append(np.asarray(size.words, dtype=float))
            looked = looked_at(a, b, _slices(each)) if all(_known(shape, each.shapes) for shape in (a, b)) else Looked()
            record.slack, record.edges_a = looked.parameters["slack"], sum(len(words) for words in sizes)
            record.count_a, record.count_b = looked.parameters["count_a"], looked.parameters["count_b"]
            record.edges_b = record.edges_a + len(looked.parameters["edges_a"])
            sizes += [looked.parameters["edges_a"], looked.parameters["edges_b"]]
            records.append(record._memory)
            group_of[i, j] = group_of[j, i] = number
            turned[i, j], turned[j, i] = int(swapped), int(not swapped and i != j)
            views: list[Any] = [*records_of(a, b)]
            own = pair_kernel(pair.function, *views, number, looked.look)
            kernel = own if kernel is no_pairs else one_after_the_other(kernel, own)
    return np.array(records).reshape(-1, PairGroup.WORDS), group_of, turned, kernel


def _group(system: System, term: int, each: ManySurfaces, a: Any, b: Any, places: int) -> np.ndarray:
    row = np.zeros(PairGroup.WORDS)
    group = PairGroup(row)
    group.places, group.tally = places, int(system.terms["h"][term])
    group.curved = int(isinstance(each.law, Hertz) and each.law.radius is None)
    assert not group.curved or all(isinstance(shape, Sphere | Plane) for shape in (a, b))
    stiffness = each.law.packed((1.0, 1.0), places).words
    rubbing = each.friction.packed().words
    start = PairGroup.stiffness.offset  # type: ignore[attr-defined]
    row[start : start + len(stiffness)] = stiffness
    start = PairGroup.rubbing.offset  # type: ignore[attr-defined]
    row[start : start + len(rubbing)] = rubbing
    return row
