"""The inner skin, by whose balls a skin of triangles touches solids with edges.

Inside of a solid with edges the distance d has kinks, and the deepest point of a flat skin that a rim is pressed into lies on one: its normal would jump from evaluation to
evaluation. So each vertex y_i has a point c_i = y_i − w_i inside, with a radius ρ_i, and balls roll over the triangles between these:

    g = min d(c(σ)) − ρ(σ),   c = Σ N_i c_i,  ρ = Σ N_i ρ_i       up to a depth of ρ the centre c is outside of the solid, where n = ∇d is continuous
    w_i · m_T = ρ_i           of all triangles T at the vertex: the balls touch each of them, n = −m_T, and g is the gap of the triangle itself

Where triangles meet at an angle their edge is rounded by ρ, which is small there. At the border of a part of a skin a wall across it is taken, so that balls do not look out.

Of a body with modes w_i is fixed in its frame. Of a full mesh it follows the triangle, w_i = α_i e + β_i g + γ_i m with its sides e, g and unit normal m, so that a force F_n on c, not
on y, acts by virtual work also on the sides:

    δc = δy − α δe − β δg − γ δm,      δm = (1 − m mᵀ)(δe × g + e × δg)/|e × g|
"""

from __future__ import annotations

import numpy as np

from flexor.law.tuples import add, cross, dot, norm, scale, sub

NARROW = 0.2
"""Radius of the balls, in parts of the shortest side of the triangles: those below the two faces of a plate do not meet."""
ROUNDED = 1e-3
"""By which, at most, edges of the skin are rounded, in sizes of it."""
EDGE = 0.87
"""m · m of two triangles at an edge of the skin, or less: they meet at 30° or more."""
LEVEL = 0.1
"""Singular value of the normals at a vertex, in parts of the largest one, below which they are those of one plane."""


def inner_skin(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """w (n, 3) and ρ (n,) of all vertices [m]; w by least squares where more than three planes meet."""
    corners = points[triangles]
    radius = NARROW * float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).min())
    least = min(radius, ROUNDED * float(np.ptp(points, axis=0).max()))
    normals = [np.array(each) for each in _planes(points, triangles)]
    rho = np.array([radius if (m @ m.T).min() > EDGE else least for m in normals])
    w = np.array([np.linalg.pinv(m, rcond=LEVEL).sum(axis=1) for m in normals])
    return rho[:, None] * w, rho


def _planes(points: np.ndarray, triangles: np.ndarray) -> list[list[np.ndarray]]:
    """Normals of the triangles at each vertex, and of walls at borders."""
    faces: list[list[np.ndarray]] = [[] for _ in points]
    directed = {(int(t[k]), int(t[(k + 1) % 3])) for t in triangles for k in range(3)}
    for triangle in triangles.tolist():
        a, b, c = points[triangle]
        m = _unit(np.cross(b - a, c - a))
        for k in range(3):
            i, j = triangle[k], triangle[(k + 1) % 3]
            faces[i].append(m)
            if (j, i) not in directed:  # a border: the wall across it
                wall = _unit(np.cross(points[j] - points[i], m))
                faces[i].append(wall)
                faces[j].append(wall)
    return faces


def _unit(u: np.ndarray) -> np.ndarray:
    return u / max(float(np.linalg.norm(u)), 1e-300)


def by_triangles(points: np.ndarray, triangles: np.ndarray, w: np.ndarray) -> np.ndarray:
    """α, β, γ of the corners of each triangle, (k, 9)."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    e, g = b - a, c - a
    normal = np.cross(e, g)
    m = normal / np.linalg.norm(normal, axis=1)[:, None]
    axes = np.linalg.inv(np.stack([e, g, m], axis=2))
    return np.einsum("kij,knj->kni", axes, w[triangles]).reshape(-1, 9)


def carried(o, e, g, s, t):
    """(α, β, γ, w) at a point of a triangle with the sides e and g; o: the nine numbers of its corners."""
    r = 1.0 - s - t
    alpha, beta = r * o[0] + s * o[3] + t * o[6], r * o[1] + s * o[4] + t * o[7]
    gamma = r * o[2] + s * o[5] + t * o[8]
    c = cross(e, g)
    w = add(add(scale(alpha, e), scale(beta, g)), scale(gamma / norm(c), c))
    return alpha, beta, gamma, w


def inner_triangle(o, a, e, g):
    """Corner and sides of the triangle inside of a + s e + t g."""
    zero = 0.0 * (a[0] + e[0])
    w_a, w_b, w_c = (
        carried(o, e, g, zero, zero)[3],
        carried(o, e, g, 1.0 + zero, zero)[3],
        carried(o, e, g, zero, 1.0 + zero)[3],
    )
    return sub(a, w_a), sub(e, sub(w_b, w_a)), sub(g, sub(w_c, w_a))


def on_sides(o, e, g, s, t, F):
    """Forces on the sides e and g by a force F on c beyond those by the same force on y."""
    alpha, beta, gamma, _w = carried(o, e, g, s, t)
    c = cross(e, g)
    far = norm(c)
    m = scale(1.0 / far, c)
    turn = scale(gamma / far, sub(F, scale(dot(m, F), m)))
    return sub(scale(-alpha, F), cross(g, turn)), sub(scale(-beta, F), cross(turn, e))
