"""Explicit Runge–Kutta methods as tables of coefficients, and one step of them on the group.

The state of a node is its position, the quaternion of its axes (normalised where it is read), its velocity and angular velocity in global
axes: q̇ = ½ ω ∘ q. That of a scalar is its value and rate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flexor.engine.memory import OK
from flexor.hierarchy.evaluate import accelerate, accelerations
from flexor.hierarchy.memory import TreeMemory
from flexor.law.primitives import at, call
from flexor.law.rotation_vector import store_quaternion
from flexor.law.tuples import mat, store, vec

NODE = 13
"""Floats of a node's state."""


@dataclass(frozen=True)
class Tableau:
    """Coefficients of a method: y₁ = y₀ + h Σ bᵢ kᵢ, kᵢ = f(t₀ + cᵢ h, y₀ + h Σ aᵢⱼ kⱼ).

    error: weights of the difference to the embedded method.   dense: of each stage, a polynomial θ P₁ + θ² P₂ + … in the part θ of the step.
    order: that of the error.
    """

    c: tuple[float, ...]
    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    error: tuple[float, ...] = ()
    dense: tuple[tuple[float, ...], ...] = ()
    order: int = 4

    @property
    def words(self) -> np.ndarray:
        """c, A (full rows), b, error, dense (4 each), as the kernels read them."""
        n = len(self.b)
        A = np.zeros((n, n))
        for i, row in enumerate(self.a):
            A[i, : len(row)] = row
        error = self.error or (0.0,) * n
        dense = np.array(self.dense or ((0.0,) * 4,) * n)
        return np.concatenate([self.c, A.reshape(-1), self.b, error, dense.reshape(-1)])


RK4 = Tableau((0, 1 / 2, 1 / 2, 1), ((), (1 / 2,), (0, 1 / 2), (0, 0, 1)), (1 / 6, 1 / 3, 1 / 3, 1 / 6))
"""The classical method of Runge and Kutta."""
DORMAND_PRINCE = Tableau(
    c=(0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1),
    a=(
        (),
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    ),
    b=(35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0),
    error=(71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),
    dense=(
        (1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432),
        (0, 0, 0, 0),
        (0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799),
        (0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072),
        (0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632),
        (0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844),
        (0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423),
    ),
    order=5,
)
"""Dormand and Prince 1980, of order 5(4), with Shampine's dense output of order 4 (1986)."""


def error_weights(nodes: int, scalars: int, length: float) -> tuple[np.ndarray, np.ndarray]:
    """By what an error of each number of the state is measured, and which of these are rates. length: size of the model [m]."""
    node = [1 / length] * 3 + [2.0] * 4 + [1 / length] * 3 + [1.0] * 3
    weights = np.array(node * nodes + [1.0, 1.0] * scalars)
    return weights, np.array(([0] * 7 + [1] * 6) * nodes + [0, 1] * scalars, dtype=np.int64)


def pack(H, y):
    """The engine's state as one vector."""
    T = H.engine
    for i in range(T.run.n_independent):
        node, z = T.node_list[i], at(y, NODE * i)
        store(z, 0, vec(T.x, 3 * node))
        store_quaternion(mat(T.R, 9 * node), at(z, 3))
        for j in range(6):
            z[7 + j] = T.v[6 * node + j]
    o = NODE * T.run.n_independent
    for i in range(T.run.n_scalars):
        y[o + 2 * i] = T.s[3 * i]
        y[o + 2 * i + 1] = T.s[3 * i + 1]


def unpack(H, y):
    """And back; quaternions are normalised on the way."""
    T = H.engine
    for i in range(T.run.n_independent):
        node, z = T.node_list[i], at(y, NODE * i)
        store(T.x, 3 * node, vec(z, 0))
        rotate(at(z, 3), at(T.R, 9 * node))
        for j in range(6):
            T.v[6 * node + j] = z[7 + j]
    o = NODE * T.run.n_independent
    for i in range(T.run.n_scalars):
        T.s[3 * i] = y[o + 2 * i]
        T.s[3 * i + 1] = y[o + 2 * i + 1]


def rotate(q, R):
    """R of a quaternion of any length"""
    w, x, y, z = q[0], q[1], q[2], q[3]
    f = 2.0 / (w * w + x * x + y * y + z * z)
    R[0], R[1], R[2] = 1.0 - f * (y * y + z * z), f * (x * y - w * z), f * (x * z + w * y)
    R[3], R[4], R[5] = f * (x * y + w * z), 1.0 - f * (x * x + z * z), f * (y * z - w * x)
    R[6], R[7], R[8] = f * (x * z - w * y), f * (y * z + w * x), 1.0 - f * (x * x + y * y)


def normalise(H, y):
    """Quaternions of unit length.   VK (6)"""
    for i in range(H.engine.run.n_independent):
        q = at(y, NODE * i + 3)
        f = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        for j in range(4):
            q[j] *= f


def derivative(H, y, k):
    """ẏ by the velocities in y and the engine's accelerations."""
    T = H.engine
    for i in range(T.run.n_independent):
        o = NODE * i
        node = T.node_list[i]
        z, d = at(y, o), at(k, o)
        qw, qx, qy, qz = z[3], z[4], z[5], z[6]
        wx, wy, wz = 0.5 * z[10], 0.5 * z[11], 0.5 * z[12]
        d[0], d[1], d[2] = z[7], z[8], z[9]
        d[3] = -wx * qx - wy * qy - wz * qz
        d[4] = wx * qw + wy * qz - wz * qy
        d[5] = wy * qw + wz * qx - wx * qz
        d[6] = wz * qw + wx * qy - wy * qx
        for j in range(6):
            d[7 + j] = T.a[6 * node + j]
    o = NODE * T.run.n_independent
    for i in range(T.run.n_scalars):
        k[o + 2 * i] = T.s[3 * i + 1]
        k[o + 2 * i + 1] = T.s[3 * i + 2]


def stages(H, h):
    """y1, the end of a step of length h from y0 at TIME0, where the first derivative is known; the engine's state is that of the last stage."""
    T = H.engine
    n, size = H.numbers.stages, H.numbers.size
    A, b = at(H.tableau, n), at(H.tableau, n + n * n)
    y, y0, k = H.y, H.y0, H.k
    for stage in range(1, n):
        for i in range(size):
            y[i] = 0.0
        for j in range(stage):
            f = A[stage * n + j]
            if f != 0.0:
                one = at(k, j * size)
                for i in range(size):
                    y[i] += f * one[i]
        for i in range(size):
            y[i] = y0[i] + h * y[i]
        T.run.time = T.run.time0 + H.tableau[stage] * h
        T.coefficients.step = H.tableau[stage] * h
        H.numbers.stage = stage
        status = call(H.rates, H)
        if status != OK:
            return status
    y1 = H.y1
    for i in range(size):
        s = 0.0
        for j in range(n):
            s += b[j] * k[j * size + i]
        y1[i] = y0[i] + h * s
    T.run.time = T.run.time0 + h
    T.coefficients.step = h
    return OK


def error_of(H, h):
    """Largest difference to the embedded method: lengths in model sizes, angles; velocities by the length of the step."""
    n, size = H.numbers.stages, H.numbers.size
    e = at(H.tableau, 2 * n + n * n)
    worst = 0.0
    for i in range(size):
        s = 0.0
        for j in range(n):
            s += e[j] * H.k[j * size + i]
        s = abs(h * s) * H.weights[i]
        worst = max(worst, h * s if H.is_rate[i] else s)
    return worst


def interpolate(H, theta, h, y):
    """The state at a part θ of a finished step."""
    n, size = H.numbers.stages, H.numbers.size
    dense = at(H.tableau, 3 * n + n * n)
    for i in range(size):
        y[i] = H.y0[i]
    for j in range(n):
        p = at(dense, 4 * j)
        f = h * theta * (p[0] + theta * (p[1] + theta * (p[2] + theta * p[3])))
        if f != 0.0:
            for i in range(size):
                y[i] += f * H.k[j * size + i]


def rates(H: TreeMemory):
    """ẏ of the state y at the present time, through the tree."""
    unpack(H, H.y)
    status = accelerations(H)
    derivative(H, H.y, at(H.k, H.numbers.stage * H.numbers.size))
    return status


def begin(H: TreeMemory):
    """Accelerations at the engine's state, which begins the next step."""
    status = accelerate(H)
    pack(H, H.y0)
    derivative(H, H.y0, H.k)
    return status
