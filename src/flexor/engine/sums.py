"""Sums over all equations, four at a time (`flexor.law.four`): one after the other each addition waits for the last."""

from __future__ import annotations

from flexor.law.four import lane, load, plus, product, store, times, zeros


def set_negative(n, r, d):
    """d = −r;  returns r·r"""
    whole = n - n % 4
    sums = zeros()
    for i in range(0, whole, 4):
        part = load(r, i)
        store(d, i, times(-1.0, part))
        sums = plus(sums, 1.0, product(part, part))
    total = (lane(sums, 0) + lane(sums, 1)) + (lane(sums, 2) + lane(sums, 3))
    for i in range(whole, n):
        d[i] = -r[i]
        total += r[i] * r[i]
    return total


def weighted_square(n, w, d):
    """Σ wᵢ dᵢ²"""
    whole = n - n % 4
    sums = zeros()
    for i in range(0, whole, 4):
        part = load(d, i)
        sums = plus(sums, 1.0, product(product(part, part), load(w, i)))
    total = (lane(sums, 0) + lane(sums, 1)) + (lane(sums, 2) + lane(sums, 3))
    for i in range(whole, n):
        total += w[i] * d[i] * d[i]
    return total
