"""The frame that follows a deforming body: the shadow element of FTG 4.1, with its exact derivatives.

The frame (x₀, R₀) is fixed to the body by conditions on the deformations that are measured in it,

    d_k = R₀ᵀ(x_k − x₀) − X_k,   Q_k = R₀ᵀR_k = exp ψ_k,        k over the body's nodes

    Σ w_k d_k = 0,   g = Σ A_k d_k + Σ_i B_ki (Q_k − 1) eᵢ = 0     with constant A_k, B_ki (3×3), ΣA_k = 0

- average (FTG 4.1.2): w, v are shares of mass and of rotational inertia, A_k = w_k X̂_k, B_ki = v_k êᵢ. The shadow is held
  by springs in these proportions and in equilibrium.
- triangle (FTG 4.1.1): three reference points P₁, P₂, P₃ on nodes span the frame: two components of P₂ − P₁ and one of
  P₃ − P₁ stay zero.

With variations in body axes (δφ = R₀ᵀδθ₀, δx̄ = R₀ᵀδx, δθ̄ = R₀ᵀδθ), P̄_k = X_k + d_k and D_k = −Σ B_ki (Q_k eᵢ)^,

    W δφ = Σ A_k δx̄_k + D_k δθ̄_k,   W = Σ −A_k P̂_k + D_k
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.law.dual import sqrt
from flexor.law.record import Packed, Record, integer, integers, numbers, tail
from flexor.law.tuples import (
    add,
    adjugate,
    cross,
    determinant,
    diagonal,
    dot,
    madd,
    mat,
    mm,
    mm_skew,
    mmt,
    mscale,
    msub,
    mtv,
    mv,
    neg,
    norm,
    outer,
    rotation_of,
    scale,
    sub,
    transpose,
    vec,
)
from flexor.spatial import skew

TRIANGLE, AVERAGE = 0, 1
TURNING_WEIGHT = 7
"""Where v_k stands in B_k of the average frame: B_k0 = v_k ê₀."""
NO_FRAME, NOT_FOUND = 1, 2
NEAR = 1e-4
"""φ² of a turn from the axes of a node to the frame, from which on it is looked for from elsewhere."""
FRAME_ERRORS = {
    NO_FRAME: "the points that span its frame have come together or into one line; the body is turned inside out",
    NOT_FOUND: "its frame cannot be found; the body is deformed beyond what a co-rotated frame can follow",
}


class Shadow(Record):
    """Parameters of a law whose nodes carry a shadow frame."""

    method = integer("TRIANGLE or AVERAGE")
    corners = integers(3, "which nodes the three reference points belong to")
    offsets = numbers(6, "of the second and third of them from their nodes", "m")
    triad = numbers(9, "the axes that they span in the undeformed body")
    X = tail("nodes in the undeformed body from their weighted mean, 3 each", "m")
    weights = tail("w_k")
    A = tail("A_k, 9 each")
    B = tail("B_k0, B_k1, B_k2, 27 each")


@dataclass(frozen=True)
class ShadowFrame:
    """Constants of the frame's conditions; positions in the body's axes.

    weights: (c,) w_k;   A: (c, 3, 3);   B: (c, 3, 3, 3), B[k, i] for direction i
    nodes: of the reference points;   offsets: (2, 3) of the second and third;   triad: (3, 3) columns, in the body
    """

    method: int
    weights: np.ndarray
    A: np.ndarray
    B: np.ndarray
    nodes: tuple[int, int, int]
    offsets: np.ndarray
    triad: np.ndarray

    def packed(self, points: np.ndarray) -> Packed:
        """What laws read;  points: (c, 3) of the nodes."""
        return Shadow.pack(
            method=self.method,
            corners=self.nodes,
            offsets=self.offsets,
            triad=self.triad,
            X=points - self.weights @ points,
            weights=self.weights,
            A=self.A,
            B=self.B,
        )

    def at_rest(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """In the undeformed body: G₀ (3, 6c), the spin of the frame by the motions of the nodes, and (3, 3, 3) with
        Σ ωᵢωⱼ of it what the centripetal accelerations eᵢ × (eⱼ × X) of the nodes feign as angular acceleration."""
        X = points - self.weights @ points
        D = np.array([-sum(B_i @ skew(e) for B_i, e in zip(B, np.eye(3))) for B in self.B])
        W = sum(-A @ skew(x) + d for A, x, d in zip(self.A, X, D))
        spin = np.linalg.solve(W, np.hstack([np.hstack([A, d]) for A, d in zip(self.A, D)]))
        hats = [skew(e) for e in np.eye(3)]
        felt = [[np.linalg.solve(W, np.einsum("kab,kb->a", self.A, X @ (a @ b).T)) for b in hats] for a in hats]
        return spin, np.array(felt)


def shadow_frame(
    points: np.ndarray,
    masses: np.ndarray,
    inertias: np.ndarray,
    method: Literal["average", "triangle"] = "average",
    name: str = "body",
    turning: bool = True,
) -> ShadowFrame:
    """The frame of a body with nodes at `points` (c, 3), which carry shares of its mass and rotational inertia.

    turning: whether the nodes have rotations.
    """
    c = len(points)
    nodes, offsets = _triangle(points, turning, name)
    corners = points[list(nodes)]
    corners[1:] += offsets
    triad = _triad(corners[1] - corners[0], corners[2] - corners[0])
    if method == "triangle":
        w = np.zeros(c)
        w[nodes[0]] = 1.0
        A, B = np.zeros((c, 3, 3)), np.zeros((c, 3, 3, 3))
        y, z = triad[:, 1], triad[:, 2]
        # g = (z·(P₃ − P₁), −z·(P₂ − P₁), y·(P₂ − P₁))
        to_second = np.array([np.zeros(3), -z, y])
        to_third = np.array([z, np.zeros(3), np.zeros(3)])
        for corner, C in ((1, to_second), (2, to_third)):
            A[nodes[corner]] += C
            A[nodes[0]] -= C
            for i in range(3):
                B[nodes[corner], i] += offsets[corner - 1, i] * C
        return ShadowFrame(TRIANGLE, w, A, B, nodes, offsets, triad)
    w = masses / masses.sum()
    X = points - w @ points
    scale = float(w @ np.sum(X**2, axis=1)) or 1.0
    v = inertias / masses.sum()
    if c < 3 or np.linalg.matrix_rank(X, tol=1e-6 * np.sqrt(scale)) < 2:
        v = np.maximum(v, 1e-3 * scale * w)  # nodes in a line do not tell how the body turns about it
    A = np.array([w[k] * skew(X[k]) for k in range(c)])
    B = np.array([[v[k] * skew(e) for e in np.eye(3)] for k in range(c)])
    return ShadowFrame(AVERAGE, w, A, B, nodes, offsets, triad)


def _triangle(points: np.ndarray, turning: bool, name: str) -> tuple[tuple[int, int, int], np.ndarray]:
    """Nodes and offsets of three points that span a large triangle.   FTG 4.1.1, with offsets of the body's size"""
    offsets = np.zeros((2, 3))
    first = int(np.argmax(np.linalg.norm(points - points.mean(axis=0), axis=1)))
    from_first = points - points[first]
    second = int(np.argmax(np.linalg.norm(from_first, axis=1)))
    along = from_first[second]
    length = float(np.linalg.norm(along))
    if length == 0.0:
        second, length, along = first, 1.0, np.array([1.0, 0.0, 0.0])
        offsets[0] = along
    away = from_first - np.outer(from_first @ along, along) / length**2
    heights = np.linalg.norm(away, axis=1)
    third = int(np.argmax(heights))
    if heights[third] < 0.05 * length:
        if not turning:
            why = "nodes without rotations in one line do not tell how the body turns about it"
            raise ModelError(Problem(f"body '{name}'", "it has no frame", why, "use elements with more nodes"))
        third = second
        axis = np.eye(3)[int(np.argmin(np.abs(along)))]  # the axis along which P₁P₂ is shortest
        side = np.cross(axis, along)
        offsets[1] = side * (length / np.linalg.norm(side)) - (0.5 * along if third == second else 0.0)
    return (first, second, third), offsets


def _triad(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    x = a / np.linalg.norm(a)
    z = np.cross(a, b)
    z = z / np.linalg.norm(z)
    return np.column_stack([x, np.cross(z, x), z])


# -- compiled ------------------------------------------------------------------------------------------------------


def find_frame(f, n_nodes, x, R):
    """(status, x₀, R₀) of a Shadow f"""
    X, w, B = f.X, f.weights, f.B
    x0 = (0.0, 0.0, 0.0)
    for i in range(n_nodes):
        x0 = add(x0, scale(w[i], vec(x, 3 * i)))
    if f.method == TRIANGLE:
        status, R0 = _triangle_now(f, x, R)
        return status, x0, R0
    S = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(n_nodes):
        S = madd(S, outer(scale(w[i], sub(vec(x, 3 * i), x0)), vec(X, 3 * i)))
        S = madd(S, mscale(B[27 * i + TURNING_WEIGHT], mat(R, 9 * i)))
    # A body that is bent little has its frame near the axes of any of its nodes; of others the triangle tells more.
    if B[TURNING_WEIGHT] > 0.0:
        status, R0 = _climb(mat(R, 0), S, NEAR, 3)
        if status == 0:
            return status, x0, R0
    status, R0 = _triangle_now(f, x, R)
    if status == 0:
        status, R0 = _climb(R0, S, 1e300, 60)
    return status, x0, R0


def _triangle_now(f, x, R):
    """(status, R₀) with the axes that the reference points span"""
    second, third = f.corners[1], f.corners[2]
    first = vec(x, 3 * f.corners[0])
    a = sub(add(vec(x, 3 * second), mv(mat(R, 9 * second), vec(f.offsets, 0))), first)
    b = sub(add(vec(x, 3 * third), mv(mat(R, 9 * third), vec(f.offsets, 3))), first)
    length = norm(a)
    normal = cross(a, b)
    height = norm(normal)
    if not height > 1e-12 * (length * length + dot(b, b)):
        return NO_FRAME, mat(f.triad, 0)
    e1 = scale(1.0 / length, a)
    e3 = scale(1.0 / height, normal)
    e2 = cross(e3, e1)
    return 0, mmt((e1[0], e2[0], e3[0], e1[1], e2[1], e3[1], e1[2], e2[2], e3[2]), mat(f.triad, 0))


def _climb(R0, S, largest, passes):
    """(status, R₀) that maximises tr(R₀ᵀS), the least-squares fit; NOT_FOUND where a turn φ has φ² > largest, or by so few passes.

    Newton, with steps along the gradient where that would not climb. Small steps take the second order along:
    a(e^{−φ̂}C) = g − Wφ + ½ (Cᵀφ × φ − φ²g) with a(C) = g
    """
    for _ in range(passes):
        C = mm(transpose(R0), S)  # symmetric when the condition is met
        trace = C[0] + C[4] + C[8]
        g = (C[7] - C[5], C[2] - C[6], C[3] - C[1])
        W = msub(diagonal(trace), C)
        turning, divisor = adjugate(W), determinant(W)  # W⁻¹ is their quotient
        phi = scale(1.0 / divisor, mv(turning, g))
        size = dot(phi, phi)
        if size < 1e-17 and trace > 0.0:
            top = W[0] > 0.0 and W[0] * W[4] > W[1] * W[3] and divisor > 0.0  # a saddle is half a turn away from it
            status = 0 if top or largest > NEAR else NOT_FOUND
            return status, madd(R0, mm_skew(R0, phi))  # what is left of exp φ̂ is below rounding
        if not size <= largest:
            return NOT_FOUND, R0
        if size < 1e-3:
            curved = sub(scale(1.0 / divisor, mv(turning, cross(mtv(C, phi), phi))), scale(size, phi))
            phi = add(phi, scale(0.5, curved))
        elif not (size < 0.5 and dot(phi, g) > 0.0):
            bound = 0.0
            for i in range(9):
                bound += C[i] * C[i]
            phi = scale(1.0 / sqrt(bound), g)
        R0 = mm(R0, rotation_of(phi))
    return NOT_FOUND, R0


def turning_condition(B, Q):
    """D = −Σ B_i (Q eᵢ)^ of one node;  B: 27 floats, Q: its relative rotation"""
    D = mm_skew(mat(B, 0), (Q[0], Q[3], Q[6]))
    D = madd(D, mm_skew(mat(B, 9), (Q[1], Q[4], Q[7])))
    D = madd(D, mm_skew(mat(B, 18), (Q[2], Q[5], Q[8])))
    return mscale(-1.0, D)


def average_turning(v, Q):
    """The same where all B_i = v êᵢ, as of the average frame: v (tr Q I − Q)"""
    return mscale(v, msub(diagonal(Q[0] + Q[4] + Q[8]), Q))


def turning_slope(B, Q, mu):
    """∂(Dᵀμ)/∂(spin of Q) = Σ aᵢ βᵢᵀ − (aᵢ·βᵢ) I,  aᵢ = Q eᵢ, βᵢ = B_iᵀ μ"""
    N = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(3):
        a = (Q[0], Q[3], Q[6]) if i == 0 else ((Q[1], Q[4], Q[7]) if i == 1 else (Q[2], Q[5], Q[8]))
        beta = mtv(mat(B, 9 * i), mu)
        along = dot(a, beta)
        N = madd(N, msub(outer(a, beta), (along, 0.0, 0.0, 0.0, along, 0.0, 0.0, 0.0, along)))
    return N


def turning_rate_slope(B, Q, spin):
    """∂(D u)/∂(spin of Q) for u held = −Σ B_i û âᵢ"""
    J = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(3):
        a = (Q[0], Q[3], Q[6]) if i == 0 else ((Q[1], Q[4], Q[7]) if i == 1 else (Q[2], Q[5], Q[8]))
        J = madd(J, mm_skew(mm_skew(mat(B, 9 * i), spin), neg(a)))
    return J
