"""Loads on the mesh of a flexible body that turn with it: pressure, traction, forces at nodes, times a function of time.

Virtual work of the nodal forces f in the shapes of the body is g·δz̄ with g = shapesᵀ f, constant in the body's frame.

    superelement:  r_k −= λ(t) R₀ g_k,   r_q −= λ(t) g_q          R₀ turns with the nodes, δφ = G δq̄ (20.3)
    floating:      r −= λ(t) [R g_force; R (g_moment + L q); g_q − K_g q]     L: the forces move along with the modes
    full mesh:     the forces at a node turn with it, if it turns, else with the elements that meet there, in equal shares;
                   each share is the load of a superelement without modes
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from flexor.bodies.shadow_frame import FRAME_ERRORS, FRAME_FLOATS, FRAME_INTS, find_frame, turning_condition
from flexor.elements.loads import Centrifugal, Gravity, load_vector
from flexor.functions import ERRORS, OUT_SIZE
from flexor.law import ENERGY, LOAD, MATRIX, OUTPUT, RESIDUAL, Element, law
from flexor.law.parameters import Parameters
from flexor.law.primitives import at, call_function
from flexor.law.tuples import (
    add,
    dot,
    inverse,
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
    put,
    put_col,
    put_mat,
    scale,
    skew,
    sub,
    transpose,
    vec,
)

PER_NODE = 40
"""per node X (3), w (1), A (9), B (27), as in the superelement law"""
_OUTPUTS = (("factor", ""), ("power", "W"))


def _answer(want, factor, power, w):
    if want & ENERGY:
        for i in range(4):
            w[i] = 0.0
        w[4] = power
    else:
        w[0] = factor
        w[1] = power


@law(errors=ERRORS, outputs=_OUTPUTS, scratch=OUT_SIZE)
def floating_load(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """k: function (2), whether it stiffens;  p: force and moment at the frame in its axes, per mode g, L (3), row of K_g"""
    status = call_function(k[0], at(p, k[1]), t, w)
    if status != 0:
        return status
    factor = c[LOAD] * w[0]
    m = n[1]
    N = 6 + m
    R_WB = mat(R, 0)
    modal, lever = at(p, 6), at(p, 6 + m)
    stiffness = at(lever, 3 * m)
    moment = vec(p, 3)
    for i in range(m):
        moment = add(moment, scale(s[3 * i], vec(lever, 3 * i)))
    force, moment = scale(factor, mv(R_WB, vec(p, 0))), scale(factor, mv(R_WB, moment))
    if want & RESIDUAL:
        put(r, 0, neg(force))
        put(r, 3, neg(moment))
        for i in range(m):
            r[6 + i] -= factor * _modal_force(m, k[2], i, modal, stiffness, s)
    if want & MATRIX:
        put_mat(K, N, 0, 3, mscale(c[0], skew(force)))
        put_mat(K, N, 3, 3, mscale(c[0], skew(moment)))
        for i in range(m):
            put_col(K, N, 3, 6 + i, scale(-c[0] * factor, mv(R_WB, vec(lever, 3 * i))))
            if k[2]:
                for j in range(m):
                    K[(6 + i) * N + 6 + j] += c[0] * factor * stiffness[i * m + j]
    if want & (OUTPUT | ENERGY):
        power = dot(force, vec(v, 0)) + dot(moment, vec(v, 3))
        for i in range(m):
            power += factor * _modal_force(m, k[2], i, modal, stiffness, s) * s[3 * i + 1]
        _answer(want, factor, power, w)
    return 0


def _modal_force(m, stiffens, i, modal, stiffness, s):
    """g − K_g q of one mode"""
    value = modal[i]
    if stiffens:
        for j in range(m):
            value -= stiffness[i * m + j] * s[3 * j]
    return value


@law(errors={**ERRORS, **{100 + code: text for code, text in FRAME_ERRORS.items()}}, outputs=_OUTPUTS, scratch=OUT_SIZE)
def superelement_load(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """k: frame (4), turning, function (2);  p: frame (15), nodes (40 each), g"""
    nc, m = n[0], n[1]
    N = 6 * nc + m
    X = at(p, FRAME_FLOATS)
    weight = at(X, 3 * nc)
    A = at(weight, nc)
    B = at(A, 9 * nc)
    g = at(B, 27 * nc)
    status = call_function(k[FRAME_INTS + 1], at(p, k[FRAME_INTS + 2]), t, w)
    if status != 0:
        return status
    factor = c[LOAD] * w[0]
    status, x0, R0 = find_frame(k, p, X, weight, B, nc, x, R)
    if status != 0:
        return 100 + status
    if want & RESIDUAL:
        for i in range(2 * nc):
            put(r, 3 * i, scale(-factor, mv(R0, vec(g, 3 * i))))
        for i in range(6 * nc, N):
            r[i] -= factor * g[i]
    if want & MATRIX:
        W = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for i in range(nc):
            W = msub(W, mm_skew(mat(A, 9 * i), mtv(R0, sub(vec(x, 3 * i), x0))))
            if k[FRAME_INTS]:
                W = madd(W, turning_condition(at(B, 27 * i), mm(transpose(R0), mat(R, 9 * i))))
        W_inverse = inverse(W)
        for j in range(2 * nc):
            part = mat(A, 9 * (j // 2))
            if j % 2:
                if not k[FRAME_INTS]:
                    continue
                part = turning_condition(at(B, 27 * (j // 2)), mm(transpose(R0), mat(R, 9 * (j // 2))))
            turn = mmt(mm(W_inverse, part), R0)  # δφ by this node's motion
            for i in range(2 * nc):
                # −δ(R₀ g) = R₀ ĝ δφ
                put_mat(K, N, 3 * i, 3 * j, mscale(c[0] * factor, mm(mm(R0, skew(vec(g, 3 * i))), turn)))
    if want & (OUTPUT | ENERGY):
        power = 0.0
        for i in range(2 * nc):
            power += factor * dot(mv(R0, vec(g, 3 * i)), vec(v, 3 * i))
        for i in range(m):
            power += factor * g[6 * nc + i] * s[3 * i + 1]
        _answer(want, factor, power, w)
    return 0


def nodal_forces(reduced: Any, loads: Sequence[Any]) -> np.ndarray:
    """(N_fe,) forces of all equations of the mesh under loads on it [N, N m]; weights are those of the scaled body."""
    from flexor.bodies.control_point import loaded_mesh

    model = loaded_mesh(reduced)
    heavy = [load for load in loads if isinstance(load, Gravity | Centrifugal)]
    f = load_vector(model, [load for load in loads if not isinstance(load, Gravity | Centrifugal)])
    if heavy:
        unit = Gravity((1.0, 0.0, 0.0)).nodal_forces(model)
        heavier = reduced.invariants.mass / float(unit[model.dofs.owners[:, 1] == 0].sum())
        f += heavier * load_vector(model, heavy)
    return f


def floating_load_element(
    name: str,
    node: int,
    scalars: Sequence[int],
    g: np.ndarray,
    function: Any,
    python: bool,
    lever: np.ndarray | None = None,
    stiffness: np.ndarray | None = None,
) -> Element:
    """g: (6 + m,), lever: (3, m), see `load_on`;  stiffness: (m, m) geometric stiffness of the load, or none."""
    m = len(scalars)
    packed = Parameters(python).function(function).integers(int(stiffness is not None))
    packed.numbers(g, np.zeros((m, 3)) if lever is None else lever.T, () if stiffness is None else stiffness)
    return Element(name, floating_load, (node,), tuple(scalars), **packed.packed())


def superelement_load_element(
    name: str,
    nodes: Sequence[int],
    scalars: Sequence[int],
    body: dict[str, Any],
    g: np.ndarray,
    function: Any,
    python: bool,
) -> Element:
    """body: parameters of the superelement, whose frame carries the load."""
    c = len(nodes)
    floats = np.asarray(body["floats"])
    frame, each = floats[:FRAME_FLOATS], floats[FRAME_FLOATS + 7 : FRAME_FLOATS + 7 + PER_NODE * c]
    packed = Parameters(python).integers(*body["ints"][:FRAME_INTS], body["ints"][6]).function(function)
    return Element(name, superelement_load, tuple(nodes), tuple(scalars), **packed.numbers(frame, each, g).packed())


def mesh_load_elements(
    name: str,
    f: np.ndarray,
    turning: np.ndarray,
    numbers: Mapping[int, int],
    placed: Sequence[tuple[np.ndarray, np.ndarray, Any]],
    function: Any,
    python: bool,
) -> tuple[Element, ...]:
    """Loads on a whole mesh.

    f: (n, 6) at its points, in the axes of the body.   turning: (n,) which have a rotation or follow such nodes.
    numbers: of the nodes at the points.   placed: points, middle and law of every finite element.
    The first one has the signal `factor`; the power of all together is in the energy that the run records as input.
    """
    loaded = np.flatnonzero(turning & f.any(axis=1)).tolist()
    elements = [floating_load_element(name, numbers[i], (), f[i], function, python) for i in loaded]
    count = np.bincount(np.concatenate([points for points, _, _ in placed]), minlength=len(f))
    shares = np.where(turning[:, None], 0.0, f) / np.maximum(count, 1)[:, None]
    for points, _, made in placed:
        if shares[points].any():
            nodes = [numbers[int(i)] for i in points]
            body = made.parameters
            elements.append(superelement_load_element(name, nodes, (), body, shares[points].ravel(), function, python))
    outputs = [element.law.outputs[:1] if i == 0 else () for i, element in enumerate(elements)]
    return tuple(replace(element, own_outputs=own) for element, own in zip(elements, outputs, strict=True))
