"""Stiffness of solids from the gradients of their shape functions, in compiled code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexor.law.lanes import load8, plus8, store8, times8
from flexor.law.record import Record, integers_at, kernel_at, numbers_at
from flexor.law.table import AddressTable

VOIGT = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2]])
"""Place of the tensor component (i, j) in xx, yy, zz, xy, yz, zx."""


class GradientTable(Record):
    """Some elements with k shape functions and q points each."""

    stiffen = kernel_at("K = ∫ Bᵀ D B dV")
    size = integers_at("elements, points, shape functions; numbers from the tensor of one element to the next, 81 or 0")
    G = numbers_at("(m, q, k, 3) gradients")
    dV = numbers_at("(m, q) volumes of the points")
    C = numbers_at("(m|1, 3, 3, 3, 3) tensors C[p, r, i, j] of elasticity")
    K = numbers_at("(m, 3k, 3k) matrices")
    block = numbers_at("scratch: block of a pair of shape functions")


def stiffen(t: GradientTable):
    """Kernel: with H = ∫ ∇N ∇Nᵀ dV it is K[ai, bj] = C[p, r, i, j] H[ap, br]."""
    m, q, k, step = t.size[0], t.size[1], t.size[2], t.size[3]
    G, dV, C, K, block = t.G, t.dV, t.C, t.K, t.block
    width = 3 * k
    for e in range(m):
        for a in range(k):
            for b in range(a, k):
                put_block(G, 3 * e * q * k + 3 * a, 3 * (b - a), width, dV, e * q, q, C, e * step, block)
                for i in range(3):
                    for j in range(3):
                        K[e * width * width + (3 * a + i) * width + 3 * b + j] = block[3 * i + j]
                        K[e * width * width + (3 * b + j) * width + 3 * a + i] = block[3 * i + j]
    return 0


def put_block(G, g, other, stride, dV, v, points, C, c, block):
    """The block of two shape functions, the gradients of which begin at g and `other` numbers behind."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for p in range(points):
        here = g + p * stride
        there = here + other
        x, y, z = dV[v + p] * G[here], dV[v + p] * G[here + 1], dV[v + p] * G[here + 2]
        u, w, s = G[there], G[there + 1], G[there + 2]
        xx, xy, xz = xx + x * u, xy + x * w, xz + x * s
        yx, yy, yz = yx + y * u, yy + y * w, yz + y * s
        zx, zy, zz = zx + z * u, zy + z * w, zz + z * s
    first = plus8(plus8(times8(xx, load8(C, c)), xy, load8(C, c + 9)), xz, load8(C, c + 18))
    second = plus8(plus8(times8(yx, load8(C, c + 27)), yy, load8(C, c + 36)), yz, load8(C, c + 45))
    third = plus8(plus8(times8(zx, load8(C, c + 54)), zy, load8(C, c + 63)), zz, load8(C, c + 72))
    store8(block, 0, plus8(plus8(first, 1.0, second), 1.0, third))
    last = xx * C[c + 8] + xy * C[c + 17] + xz * C[c + 26] + yx * C[c + 35] + yy * C[c + 44] + yz * C[c + 53]
    block[8] = last + zx * C[c + 62] + zy * C[c + 71] + zz * C[c + 80]


KERNELS: tuple[Callable, ...] = (stiffen,)


def gradient_stiffness(G: np.ndarray, dV: np.ndarray, D: np.ndarray) -> np.ndarray:
    """(m, 3k, 3k) matrices ∫ Bᵀ D B dV from gradients G (m, q, k, 3) and volumes dV (m, q) of the points.

    D: (m|1, 6, 6) elasticity, symmetric.
    """
    m, q, k, _ = G.shape
    C = D[:, VOIGT[:, :, None, None], VOIGT].transpose(0, 2, 4, 1, 3)  # (m|1, i, p, j, r) → p, r, i, j
    K = np.empty((m, 3 * k, 3 * k))
    table = AddressTable(GradientTable)
    for name, array in (
        ("size", np.array([m, q, k, 81 if len(C) > 1 else 0])),
        ("G", G),
        ("dV", dV),
        ("C", C),
        ("K", K),
        ("block", np.empty(9)),
    ):
        table.set(name, array)
    table.set_kernel("stiffen", stiffen)
    table.call("stiffen")
    return K
