"""Solids of every kind for tests of contact, with points all over their surfaces that are found in another way than by the code under test."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.spatial import cKDTree

import flexor as fx

CAM = fx.Profile([(0.5, 0), (0, 0.4), (-0.45, 0), (0, -0.5)], closed=True)
BARREL = fx.Profile([(0.3, -0.5), (0.45, 0.0), (0.3, 0.5)], kind="arcs")
RACE = fx.Profile([(2.4, -1.5), (2.9, 0.0), (2.4, 1.5)], kind="arcs")
RING = fx.Profile([(0.9, 0.0), (0.7, 0.2), (0.5, 0.0), (0.7, -0.2)], closed=True)
CORNERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
TETRAHEDRON = fx.Triangles(
    tuple(tuple(x - 0.25 for x in corner) for corner in CORNERS), ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
)

CONVEX = {
    "sphere": fx.Sphere(0.4),
    "box": fx.Box(1, 0.8, 0.6),
    "cylinder": fx.Cylinder(0.3, 1.0),
    "torus": fx.Torus(0.6, 0.15),
    "cone": fx.Cone(0.5, 0.9, top=0.1),
    "barrel": fx.Revolved(BARREL),
    "ring": fx.Revolved(RING),
    "cam": fx.Extruded(CAM, 0.6),
    "tetrahedron": TETRAHEDRON,
}
"""What stands alone."""
HOLLOW = {
    "socket": fx.Sphere(2.5, inside=True),
    "bore": fx.Cylinder(2.2, 3.0, inside=True),
    "tube": fx.Torus(5.0, 2.2, inside=True),
    "funnel": fx.Cone(2.6, 3.0, top=2.2, inside=True),
    "race": fx.Revolved(RACE, inside=True),
    "slot": fx.Extruded(fx.Profile.circle(2.3), 3.0, inside=True),
}
"""What stands around others."""


def cloud(shape, n=90):
    """Points on the surface, in the axes of the shape, about as many along each direction as told."""
    turn = np.linspace(0, 2 * np.pi, n, endpoint=False)
    if isinstance(shape, fx.Sphere):
        return shape.radius * _directions(n)
    if isinstance(shape, fx.Box):
        return _box(shape, n)
    if isinstance(shape, fx.Torus):
        section = np.column_stack([shape.ring + shape.radius * np.cos(turn), shape.radius * np.sin(turn)])
        return _turned(section, turn)
    if isinstance(shape, fx.Cylinder | fx.Cone):
        top = shape.top if isinstance(shape, fx.Cone) else shape.radius
        half = shape.length / 2
        wall = _between((shape.radius, -half), (top, half), n)
        low = _between((4 * shape.radius if shape.inside else 0, -half), (shape.radius, -half), n)
        high = _between((top, half), (4 * top if shape.inside else 0, half), n)
        return _turned(np.concatenate([wall, low, high]), turn)
    if isinstance(shape, fx.Revolved):
        section = _fine(shape.profile)
        if not shape.profile.closed:
            far = 4 * section[:, 0].max() if shape.inside else 0.0
            ends = [_between(end, (far, end[1]), n) for end in (section[0], section[-1])]
            section = np.concatenate([section, *ends])
        return _turned(section, turn)
    if isinstance(shape, fx.Extruded):
        section, half = _fine(shape.profile), shape.length / 2
        wall = np.concatenate(
            [np.column_stack([section, np.full(len(section), z)]) for z in np.linspace(-half, half, n // 2)]
        )
        shares = np.linspace(1, 6, 2 * n) if shape.inside else np.linspace(0, 1, n // 2)  # they are star-shaped
        lids = [
            np.column_stack([share * section[::3], np.full(len(section[::3]), z)])
            for share in shares
            for z in (-half, half)
        ]
        return np.concatenate([wall, *lids])
    found = []
    for corners in np.array(shape.points)[np.array(shape.triangles)]:
        a, b = (each.ravel() for each in np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n)))
        a, b = a[a + b <= 1 + 1e-12], b[a + b <= 1 + 1e-12]
        found.append(corners[0] + np.outer(a, corners[1] - corners[0]) + np.outer(b, corners[2] - corners[0]))
    return np.concatenate(found)


def inside(shape, y):
    """Whether a point lies in the solid, by another rule than distances."""
    rho = np.hypot(y[0], y[1])
    hollow = getattr(shape, "inside", False)
    if isinstance(shape, fx.Sphere):
        return (np.linalg.norm(y) < shape.radius) != hollow
    if isinstance(shape, fx.Box):
        return bool(np.all(np.abs(y) < np.array([shape.x, shape.y, shape.z]) / 2))
    if isinstance(shape, fx.Torus):
        return ((rho - shape.ring) ** 2 + y[2] ** 2 < shape.radius**2) != hollow
    if isinstance(shape, fx.Cylinder | fx.Cone):
        top = shape.top if isinstance(shape, fx.Cone) else shape.radius
        wall = np.interp(y[2], [-shape.length / 2, shape.length / 2], [shape.radius, top])
        return abs(y[2]) < shape.length / 2 and (rho < wall) != hollow
    if isinstance(shape, fx.Revolved):
        section = _fine(shape.profile)
        if shape.profile.closed:
            return _winds(section, (rho, y[2])) != hollow
        wall = np.interp(y[2], section[:, 1], section[:, 0])
        return section[0, 1] < y[2] < section[-1, 1] and (rho < wall) != hollow
    if isinstance(shape, fx.Extruded):
        return abs(y[2]) < shape.length / 2 and _winds(_fine(shape.profile), y[:2]) != hollow
    corners = np.array(shape.points)[np.array(shape.triangles)]  # of a convex one
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return bool(np.all(np.einsum("ij,ij->i", normals, y - corners[:, 0]) < 0))


def faces(shape):
    """Corners (n, 3, 3) of the triangles of a polyhedron: a box, a star-shaped prism with straight sides, a triangulated surface."""
    if isinstance(shape, fx.Triangles):
        return np.array(shape.points)[np.array(shape.triangles)]
    if isinstance(shape, fx.Box):
        section, half = 0.5 * np.array([shape.x, shape.y]) * [(-1, -1), (1, -1), (1, 1), (-1, 1)], shape.z / 2
    else:
        section, half = np.array(shape.profile.points), shape.length / 2
    low, high = (np.insert(section, 2, z, axis=1) for z in (-half, half))
    found = []
    for a, b, c, d in zip(low, np.roll(low, -1, axis=0), np.roll(high, -1, axis=0), high):
        found += [(a, b, c), (a, c, d), ((0, 0, -half), b, a), ((0, 0, half), d, c)]
    return np.array(found)


def least_distance(a, b):
    """Between triangles (n, 3, 3) and (m, 3, 3), all pairs of them: 0 where an edge goes through a triangle."""
    if _pierces(a, b) or _pierces(b, a):
        return 0.0
    edges = [np.concatenate([each[:, [i, (i + 1) % 3]] for i in range(3)]) for each in (a, b)]
    corners = min(_to_triangles(a.reshape(-1, 3), b), _to_triangles(b.reshape(-1, 3), a))
    return min(corners, _between_segments(*edges))


def _pierces(a, b):
    """Whether an edge of triangles a goes through a triangle of b."""
    p = np.concatenate([a[:, i] for i in range(3)])[:, None]
    way = np.concatenate([a[:, (i + 1) % 3] - a[:, i] for i in range(3)])[:, None]
    u, v = b[:, 1] - b[:, 0], b[:, 2] - b[:, 0]
    n = np.cross(u, v)
    along = np.einsum("ijk,jk->ij", way, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.einsum("ijk,jk->ij", b[None, :, 0] - p, n) / along
        at = p + s[..., None] * way - b[None, :, 0]
        x = np.einsum("ijk,jk->ij", np.cross(at, v[None]), n) / np.einsum("jk,jk->j", n, n)
        y = np.einsum("ijk,jk->ij", np.cross(u[None], at), n) / np.einsum("jk,jk->j", n, n)
        return bool(((s >= 0) & (s <= 1) & (x >= 0) & (y >= 0) & (x + y <= 1)).any())


def _to_triangles(points, b):
    """Least height of points over triangles, above which they stand; corners and edges are those of segments."""
    n = np.cross(b[:, 1] - b[:, 0], b[:, 2] - b[:, 0])
    n /= np.linalg.norm(n, axis=1)[:, None]
    over = np.ones((len(points), len(b)), dtype=bool)
    for i in range(3):
        inward = np.cross(n, b[:, (i + 1) % 3] - b[:, i])
        over &= np.einsum("ijk,jk->ij", points[:, None] - b[None, :, i], inward) >= 0
    height = np.abs(np.einsum("ijk,jk->ij", points[:, None] - b[None, :, 0], n))
    return float(np.where(over, height, np.inf).min())


def _between_segments(one, other):
    """Least distance of segments (n, 2, 3) and (m, 2, 3): by turns the nearest point of one and of the other, from all four ends and the crossing."""
    p, u = one[:, None, 0], (one[:, 1] - one[:, 0])[:, None]
    q, v = other[None, :, 0], (other[:, 1] - other[:, 0])[None]
    uu, vv, uv = (np.sum(x * y, axis=-1) for x, y in ((u, u), (v, v), (u, v)))
    e = q - p
    ue, ve = np.sum(u * e, axis=-1), np.sum(v * e, axis=-1)
    best = np.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.nan_to_num((ue * vv - uv * ve) / (uu * vv - uv * uv))
    for start in (np.zeros_like(uv), np.ones_like(uv), np.clip(crossing, 0, 1)):
        s = start
        for _ in range(2):
            t = np.clip((s * uv - ve) / vv, 0, 1)
            best = min(best, float(np.linalg.norm(e + t[..., None] * v - s[..., None] * u, axis=-1).min()))
            s = np.clip((ue + t * uv) / uu, 0, 1)
            best = min(best, float(np.linalg.norm(e + t[..., None] * v - s[..., None] * u, axis=-1).min()))
    return best


def _directions(n):
    i = np.arange(n * n) + 0.5  # a spiral from pole to pole
    z, turn = 1 - 2 * i / (n * n), np.pi * (1 + 5**0.5) * i
    return np.column_stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z])


def _box(shape, n):
    a, b = (each.ravel() for each in np.meshgrid(np.linspace(-0.5, 0.5, n), np.linspace(-0.5, 0.5, n)))
    faces = [np.insert(np.column_stack([a, b]), axis, end, axis=1) for axis in range(3) for end in (-0.5, 0.5)]
    return np.concatenate(faces) * [shape.x, shape.y, shape.z]


def _between(a, b, n):
    return np.array(a) + np.linspace(0, 1, n)[:, None] * (np.array(b) - np.array(a))


def _turned(section, turn):
    x, z = section.T
    return np.stack(
        [np.outer(np.cos(turn), x), np.outer(np.sin(turn), x), np.tile(z, (len(turn), 1))], axis=-1
    ).reshape(-1, 3)


def _fine(profile):
    return profile.trace.points


def _winds(polygon, y):
    """Even or odd number of crossings."""
    (x_1, y_1), (x_2, y_2) = polygon.T, np.roll(polygon, -1, axis=0).T
    between = (y_1 > y[1]) != (y_2 > y[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = x_1 + (y[1] - y_1) / (y_2 - y_1) * (x_2 - x_1)
    return bool(np.sum(between & (crossing > y[0])) % 2)


def climbed(separation, n, found, rng):
    """The largest separation near a direction n that has one of `found` [m], by random directions ever nearer to the best of them."""
    width = 0.05
    while width > 1e-9:
        m = n + width * rng.normal(size=(24, 3))
        m /= np.linalg.norm(m, axis=1)[:, None]
        s = separation(m)
        k = int(s.argmax())
        if s[k] > found + 1e-13:
            n, found = m[k], s[k]
        else:
            width *= 0.5
    return found


def support(shape, n):
    """How far a convex solid reaches along unit vectors (m, 3), in its own axes: the meridian or the section by points, all else exactly."""
    across = np.hypot(n[:, 0], n[:, 1])
    if isinstance(shape, fx.Sphere):
        return np.full(len(n), shape.radius)
    if isinstance(shape, fx.Box):
        return np.abs(n) @ np.array([shape.x, shape.y, shape.z]) / 2
    if isinstance(shape, fx.Triangles):
        return (n @ np.array(shape.points).T).max(axis=1)
    if isinstance(shape, fx.Extruded):
        return (n[:, :2] @ _fine(shape.profile).T).max(axis=1) + np.abs(n[:, 2]) * shape.length / 2
    if isinstance(shape, fx.Revolved):
        section = _fine(shape.profile)
    else:
        top, half = shape.top if isinstance(shape, fx.Cone) else shape.radius, shape.length / 2
        section = np.array([(shape.radius, -half), (top, half)])
    return (np.column_stack([across, n[:, 2]]) @ section.T).max(axis=1)


def overlapping(a, b, R, way, depth, rng):
    """(place along a way at which two convex solids, b turned by R, overlap by a depth; that depth by a search over directions)"""

    def room(n):  # they are apart along n at p if n · p is more
        return support(a, n) + support(b, -n @ R)

    n = _directions(90)
    towards = n @ way
    n, towards = n[towards > 0.05], towards[towards > 0.05]
    p = way * ((room(n) - depth) / towards).min()

    def separation(m):
        return m @ p - room(m)

    s = separation(n)
    best = s.argsort()[-4:]
    return p, max(climbed(separation, n[k], s[k], rng) for k in best)


def from_hollow(shape):
    """The distances of points (m, 3) from the surface of what is hollow, negative within its solid: by points on its meridian, or its section, 2 mm from each other."""
    if isinstance(shape, fx.Sphere):
        return lambda y: shape.radius - np.linalg.norm(y, axis=1)
    if isinstance(shape, fx.Torus):
        return lambda y: shape.radius - np.hypot(np.hypot(y[:, 0], y[:, 1]) - shape.ring, y[:, 2])
    if isinstance(shape, fx.Extruded):
        section, half = _fine(shape.profile), shape.length / 2
        tree = cKDTree(_dense(np.vstack([section, section[:1]])))
        angles, radii = np.arctan2(section[:, 1], section[:, 0]), np.linalg.norm(section, axis=1)  # it is star-shaped
        order = np.argsort(angles)

        def from_slot(y):
            d, over, rho = tree.query(y[:, :2])[0], np.abs(y[:, 2]) - half, np.hypot(y[:, 0], y[:, 1])
            free = rho < np.interp(np.arctan2(y[:, 1], y[:, 0]), angles[order], radii[order], period=2 * np.pi)
            within, beyond = np.where(free, d, np.maximum(-d, over)), np.where(free, np.hypot(d, over), over)
            return np.where(over < 0, within, beyond)

        return from_slot
    if isinstance(shape, fx.Revolved):
        section = _fine(shape.profile)
    else:
        top, half = shape.top if isinstance(shape, fx.Cone) else shape.radius, shape.length / 2
        section = np.array([(shape.radius, -half), (top, half)])
    far = np.array([10.0, 0.0])
    tree = cKDTree(_dense(np.vstack([section[0] + far, section, section[-1] + far])))

    def from_meridian(y):
        rho, z = np.hypot(y[:, 0], y[:, 1]), y[:, 2]
        d = tree.query(np.column_stack([rho, z]))[0]
        solid = (z > section[0, 1]) & (z < section[-1, 1]) & (rho > np.interp(z, section[:, 1], section[:, 0]))
        return np.where(solid, -d, d)

    return from_meridian


def _dense(chain, step=2e-3):
    """Points along a chain of lines."""
    return np.concatenate([_between(p, q, 2 + int(np.linalg.norm(q - p) / step)) for p, q in pairwise(chain)])
