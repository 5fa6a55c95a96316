"""Coordinates and velocities led back to the constraints after a step, through the same tree.   VK 5

[ M  Gᵀ ] [ Δ ]   [  0 ]
[ G  0  ] [ μ ] = [ −Φ ]      Φ for coordinates, then Φ̇ for velocities: the smallest change by inertia
"""

from __future__ import annotations

import math

from flexor.engine.memory import NOT_CONVERGED, OK
from flexor.hierarchy.evaluate import accelerate_again, gather, gather_constraints, refine
from flexor.hierarchy.memory import TreeMemory
from flexor.hierarchy.runge_kutta import NODE, derivative, normalise, unpack
from flexor.hierarchy.together import agree
from flexor.law import RESIDUAL, VELOCITY_LEVEL
from flexor.law.primitives import at, call

ROUNDS = 4  # corrections of the coordinates, at most
NOTICED = 1e-15  # velocities off the constraints by less need no correction [m/s, rad/s]


def settle(H: TreeMemory):
    """Lead the state y back to the constraints; its derivative, and the engine's state with its accelerations."""
    numbers = H.numbers
    y = H.y
    normalise(H, y)
    unpack(H, y)
    numbers.opening = 0.0
    if numbers.n_joints > 0 and numbers.stabilise:
        status = _positions(H, y)
        if status != OK:
            return status
    status = gather(H, True)
    if status == OK:
        status = call(H.factor, H)
    if status == OK and numbers.n_joints > 0 and numbers.stabilise:
        status = _velocities(H, y)
    if status == OK:
        status = accelerate_again(H)
    if status == OK:
        status = refine(H)
    derivative(H, y, at(H.k, numbers.stages * numbers.size))
    return status


def _positions(H, y):
    """q ← q + Δq with the matrices at hand, which are those of the last stage, or new ones where these do not serve.   VK (46)"""
    T = H.engine
    numbers = H.numbers
    last = 1e300
    for round_ in range(ROUNDS):
        if T.run.n_followers > 0:
            call(T.follow, T)
        status = agree(H, OK, gather_constraints(H, RESIDUAL))
        if status != OK:
            return status
        size = numbers.value
        if round_ == 0:
            numbers.opening = size
        numbers.left = size
        if size <= numbers.closed:
            break
        if round_ > 0 and size > 0.01 * last:
            if size > 0.5 * last and size < 1e3 * numbers.closed:
                break  # rounding
            status = gather(H, True)
            if status == OK:
                status = call(H.factor, H)
            if status != OK:
                return status
            gather_constraints(H, RESIDUAL)
        last = size
        status = call(H.solve, H)
        if status != OK:
            return status
        _move(H, y)
        unpack(H, y)
    return OK if numbers.left <= numbers.open_limit else NOT_CONVERGED


def _move(H, y):
    """x += Δx, q ← exp(½ Δθ) ∘ q, s += Δs"""
    T = H.engine
    d = H.answer
    for i in range(T.run.n_independent):
        eq = T.node_eq[T.node_list[i]]
        z = at(y, NODE * i)
        for j in range(3):
            z[j] += d[eq + j]
        ax, ay, az = 0.5 * d[eq + 3], 0.5 * d[eq + 4], 0.5 * d[eq + 5]
        turn = math.sqrt(ax * ax + ay * ay + az * az)
        f = math.sin(turn) / turn if turn > 1e-8 else 1.0
        w = math.cos(turn)
        ax, ay, az = f * ax, f * ay, f * az
        qw, qx, qy, qz = z[3], z[4], z[5], z[6]
        z[3] = w * qw - ax * qx - ay * qy - az * qz
        z[4] = w * qx + ax * qw + ay * qz - az * qy
        z[5] = w * qy + ay * qw + az * qx - ax * qz
        z[6] = w * qz + az * qw + ax * qy - ay * qx
    o = NODE * T.run.n_independent
    for i in range(T.run.n_scalars):
        y[o + 2 * i] += d[T.scalar_eq[i]]


def _velocities(H, y):
    """v ← v + Δv with the matrices of the position; then f and u for it.   VK (42), (43)"""
    T = H.engine
    status = agree(H, OK, gather_constraints(H, RESIDUAL | VELOCITY_LEVEL))
    if status != OK:
        return status
    if H.numbers.value > NOTICED:
        status = call(H.solve, H)
        if status != OK:
            return status
        d = H.answer
        for i in range(T.run.n_independent):
            node = T.node_list[i]
            eq = T.node_eq[node]
            for j in range(6):
                y[NODE * i + 7 + j] += d[eq + j]
                T.v[6 * node + j] = y[NODE * i + 7 + j]
        o = NODE * T.run.n_independent
        for i in range(T.run.n_scalars):
            y[o + 2 * i + 1] += d[T.scalar_eq[i]]
            T.s[3 * i + 1] = y[o + 2 * i + 1]
    return gather(H, False)
