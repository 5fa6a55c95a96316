"""Solutions with the factor of one front, for eight right-hand sides that stand side by side.

Its columns stand in groups of eight, interleaved: entry j of all eight, then entry j + 1; those that are left over, one after another.
x holds eight values for each place of the elimination; the equations of the front begin at `top`.
"""

from __future__ import annotations

from flexor.law.lanes import difference8, load8, minus8, plus8, store8, times8


def forwards(U, u, k, r, rows, below, x, top):
    """x₁ ← U⁻ᵀx₁, x₂ ← x₂ − U₁₂ᵀx₁."""
    triangle(U, u, k, x, top)
    u += k * k
    i = below
    while i + 8 <= below + r:
        a, b, c, d = 8 * rows[i], 8 * rows[i + 1], 8 * rows[i + 2], 8 * rows[i + 3]
        e, f, g, h = 8 * rows[i + 4], 8 * rows[i + 5], 8 * rows[i + 6], 8 * rows[i + 7]
        gather_eight(U, u, k, x, top, a, b, c, d, e, f, g, h)
        u += 8 * k
        i += 8
    while i < below + r:
        gather_one(U, u, k, x, top, 8 * rows[i])
        u += k
        i += 1


def triangle(U, u, k, x, top):
    """x₁ ← U⁻ᵀx₁."""
    i = 0
    while i + 8 <= k:
        t = top + 8 * i
        gather_eight(U, u, i, x, top, t, t + 8, t + 16, t + 24, t + 32, t + 40, t + 48, t + 56)
        for a in range(8):
            y = load8(x, t + 8 * a)
            for b in range(a):
                y = minus8(y, U[u + 8 * (i + b) + a], load8(x, t + 8 * b))
            store8(x, t + 8 * a, times8(1.0 / U[u + 8 * (i + a) + a], y))
        u += 8 * k
        i += 8
    while i < k:
        gather_one(U, u, i, x, top, top + 8 * i)
        store8(x, top + 8 * i, times8(1.0 / U[u + i], load8(x, top + 8 * i)))
        u += k
        i += 1


def backwards(U, u, k, r, rows, below, x, top):
    """x₁ ← U⁻¹(x₁ − U₁₂x₂)."""
    u += k * k
    t, i = u, below
    while i + 8 <= below + r:
        a, b, c, d = 8 * rows[i], 8 * rows[i + 1], 8 * rows[i + 2], 8 * rows[i + 3]
        e, f, g, h = 8 * rows[i + 4], 8 * rows[i + 5], 8 * rows[i + 6], 8 * rows[i + 7]
        spread_eight(U, t, k, x, top, a, b, c, d, e, f, g, h)
        t += 8 * k
        i += 8
    while i < below + r:
        spread_one(U, t, k, x, top, 8 * rows[i])
        t += k
        i += 1
    i = k
    while i % 8 != 0:
        i -= 1
        u -= k
        store8(x, top + 8 * i, times8(1.0 / U[u + i], load8(x, top + 8 * i)))
        spread_one(U, u, i, x, top, top + 8 * i)
    while i > 0:
        i -= 8
        u -= 8 * k
        t = top + 8 * i
        for q in range(8):
            a = 7 - q
            y = load8(x, t + 8 * a)
            for b in range(a + 1, 8):
                y = minus8(y, U[u + 8 * (i + a) + b], load8(x, t + 8 * b))
            store8(x, t + 8 * a, times8(1.0 / U[u + 8 * (i + a) + a], y))
        spread_eight(U, u, i, x, top, t, t + 8, t + 16, t + 24, t + 32, t + 40, t + 48, t + 56)


def gather_eight(U, u, count, x, top, a, b, c, d, e, f, g, h):
    """Take off eight rows of x, at a … h, what the first `count` of a front give to them."""
    xa, xb, xc, xd = load8(x, a), load8(x, b), load8(x, c), load8(x, d)
    xe, xf, xg, xh = load8(x, e), load8(x, f), load8(x, g), load8(x, h)
    for j in range(count):
        y = load8(x, top + 8 * j)
        xa, xb, xc, xd = minus8(xa, U[u], y), minus8(xb, U[u + 1], y), minus8(xc, U[u + 2], y), minus8(xd, U[u + 3], y)
        xe, xf, xg = minus8(xe, U[u + 4], y), minus8(xf, U[u + 5], y), minus8(xg, U[u + 6], y)
        xh = minus8(xh, U[u + 7], y)
        u += 8
    store8(x, a, xa)
    store8(x, b, xb)
    store8(x, c, xc)
    store8(x, d, xd)
    store8(x, e, xe)
    store8(x, f, xf)
    store8(x, g, xg)
    store8(x, h, xh)


def gather_one(U, u, count, x, top, a):
    """The same for one row."""
    y = load8(x, a)
    for j in range(count):
        y = minus8(y, U[u + j], load8(x, top + 8 * j))
    store8(x, a, y)


def spread_eight(U, u, count, x, top, a, b, c, d, e, f, g, h):
    """Take off the first `count` of a front what eight rows of x, at a … h, give to them."""
    xa, xb, xc, xd = load8(x, a), load8(x, b), load8(x, c), load8(x, d)
    xe, xf, xg, xh = load8(x, e), load8(x, f), load8(x, g), load8(x, h)
    for j in range(count):
        y = minus8(minus8(load8(x, top + 8 * j), U[u], xa), U[u + 1], xb)
        y = minus8(minus8(y, U[u + 2], xc), U[u + 3], xd)
        z = plus8(times8(U[u + 4], xe), U[u + 5], xf)  # a sum of its own, which need not wait for the other
        z = plus8(plus8(z, U[u + 6], xg), U[u + 7], xh)
        store8(x, top + 8 * j, difference8(y, z))
        u += 8


def spread_one(U, u, count, x, top, a):
    """The same for one row."""
    y = load8(x, a)
    for j in range(count):
        store8(x, top + 8 * j, minus8(load8(x, top + 8 * j), U[u + j], y))


def lay(x, top, given, at, width):
    """Up to eight values of a row of right-hand sides where x holds eight."""
    for c in range(width):
        x[top + c] = given[at + c]
    for c in range(width, 8):
        x[top + c] = 0.0


def put(found, at, width, x, top):
    """Up to eight values of x into a row of solutions."""
    for c in range(width):
        found[at + c] = x[top + c]
