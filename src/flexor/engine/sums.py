"""Sums over all equations, four at a time (`flexor.law.lanes`): one after the other each addition waits for the last."""

from __future__ import annotations

from flexor.law.lanes import load4, plus4, product4, store4, times4, total4, zeros4


def set_negative(n, r, d):
    """d = −r;  returns r·r"""
    whole = n - n % 4
    sums = zeros4()
    for i in range(0, whole, 4):
        part = load4(r, i)
        store4(d, i, times4(-1.0, part))
        sums = plus4(sums, 1.0, product4(part, part))
    total = total4(sums)
    for i in range(whole, n):
        d[i] = -r[i]
        total += r[i] * r[i]
    return total


def weighted_square(n, w, d):
    """Σ wᵢ dᵢ²"""
    whole = n - n % 4
    sums = zeros4()
    for i in range(0, whole, 4):
        part = load4(d, i)
        sums = plus4(sums, 1.0, product4(product4(part, part), load4(w, i)))
    total = total4(sums)
    for i in range(whole, n):
        total += w[i] * d[i] * d[i]
    return total
