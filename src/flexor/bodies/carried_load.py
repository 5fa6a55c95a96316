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
from typing import TYPE_CHECKING

import numpy as np

from flexor.bodies.superelement.layout import CorotatedBody
from flexor.bodies.superelement.shadow_frame import FRAME_ERRORS, Shadow, find_frame, turning_condition
from flexor.elements.assembly.loads import Centrifugal, Gravity, Load, load_vector
from flexor.functions import ERRORS, OUT_SIZE, Function
from flexor.functions.call import Call, evaluate, packed
from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, Term, law
from flexor.law.face import put_energies
from flexor.law.primitives import at
from flexor.law.record import Packed, Record, integer, nested, numbers, repacked, tail
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
from flexor.reduce.meshed_body import MeshedBody

if TYPE_CHECKING:
    from flexor.bodies.full_mesh.corotated_element import Placed

_OUTPUTS = (("factor", ""), ("power", "W"))


class FloatingLoad(Record):
    """Parameters of a load on a floating body, in the axes of its frame."""

    factor = nested(Call, "what it is multiplied by, over time")
    stiffens = integer("1: it has a geometric stiffness")
    force = numbers(3, "resultant", "N")
    moment = numbers(3, "moment about the frame's origin", "N m")
    modal = tail("g of each mode")
    lever = tail("L of each mode, 3 each: the moment gained as the forces move along with it")
    stiffness = tail("K_g of the modes, row by row, or nothing")


class CorotatedLoad(Record):
    """Parameters of a load on a superelement, in the axes of its frame."""

    frame = nested(Shadow, "the frame that carries it")
    turning = integer("1: the nodes have rotations")
    factor = nested(Call, "what it is multiplied by, over time")
    g = tail("on nodes, 6 each, and modes", "N, N m")


def _answer(want, factor, power, w):
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, 0.0, 0.0, power)
    else:
        w[0] = factor
        w[1] = power


@law(FloatingLoad, tangent="own", errors=ERRORS, outputs=_OUTPUTS, scratch=OUT_SIZE)
def floating_load(want, p, now, out):
    """r −= λ(t) [R g_force; R (g_moment + L q); g_q − K_g q]"""
    status = evaluate(p.factor, now.t, out.w)
    if status != 0:
        return status
    factor = now.c.load * out.w[0]
    m, s, lever = now.n.scalars, now.s, p.lever
    N = 6 + m
    R_WB = mat(now.R, 0)
    moment = vec(p.moment, 0)
    for i in range(m):
        moment = add(moment, scale(s[3 * i], vec(lever, 3 * i)))
    force, moment = scale(factor, mv(R_WB, vec(p.force, 0))), scale(factor, mv(R_WB, moment))
    if want & RESIDUAL:
        put(out.r, 0, neg(force))
        put(out.r, 3, neg(moment))
        for i in range(m):
            out.r[6 + i] -= factor * _modal_force(p, m, i, s)
    if want & MATRIX:
        cK, K = now.c.K, out.K
        put_mat(K, N, 0, 3, mscale(cK, skew(force)))
        put_mat(K, N, 3, 3, mscale(cK, skew(moment)))
        for i in range(m):
            put_col(K, N, 3, 6 + i, scale(-cK * factor, mv(R_WB, vec(lever, 3 * i))))
            if p.stiffens:
                for j in range(m):
                    K[(6 + i) * N + 6 + j] += cK * factor * p.stiffness[i * m + j]
    if want & (OUTPUT | ENERGY):
        power = dot(force, vec(now.v, 0)) + dot(moment, vec(now.v, 3))
        for i in range(m):
            power += factor * _modal_force(p, m, i, s) * s[3 * i + 1]
        _answer(want, factor, power, out.w)
    return 0


def _modal_force(p, m, i, s):
    """g − K_g q of one mode"""
    value = p.modal[i]
    if p.stiffens:
        stiffness = p.stiffness
        for j in range(m):
            value -= stiffness[i * m + j] * s[3 * j]
    return value


@law(
    CorotatedLoad,
    tangent="own",
    errors={**ERRORS, **{100 + code: text for code, text in FRAME_ERRORS.items()}},
    outputs=_OUTPUTS,
    scratch=OUT_SIZE,
)
def superelement_load(want, p, now, out):
    """r_k −= λ(t) R₀ g_k,   r_q −= λ(t) g_q"""
    nc, m = now.n.nodes, now.n.scalars
    x, R, r, K, g = now.x, now.R, out.r, out.K, p.g
    N = 6 * nc + m
    status = evaluate(p.factor, now.t, out.w)
    if status != 0:
        return status
    factor = now.c.load * out.w[0]
    status, x0, R0 = find_frame(p.frame, nc, x, R)
    if status != 0:
        return 100 + status
    if want & RESIDUAL:
        for i in range(2 * nc):
            put(r, 3 * i, scale(-factor, mv(R0, vec(g, 3 * i))))
        for i in range(6 * nc, N):
            r[i] -= factor * g[i]
    if want & MATRIX:
        A, B = p.frame.A, p.frame.B
        W = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for i in range(nc):
            W = msub(W, mm_skew(mat(A, 9 * i), mtv(R0, sub(vec(x, 3 * i), x0))))
            if p.turning:
                W = madd(W, turning_condition(at(B, 27 * i), mm(transpose(R0), mat(R, 9 * i))))
        W_inverse = inverse(W)
        for j in range(2 * nc):
            part = mat(A, 9 * (j // 2))
            if j % 2:
                if not p.turning:
                    continue
                part = turning_condition(at(B, 27 * (j // 2)), mm(transpose(R0), mat(R, 9 * (j // 2))))
            turn = mmt(mm(W_inverse, part), R0)  # δφ by this node's motion
            for i in range(2 * nc):
                # −δ(R₀ g) = R₀ ĝ δφ
                put_mat(K, N, 3 * i, 3 * j, mscale(now.c.K * factor, mm(mm(R0, skew(vec(g, 3 * i))), turn)))
    if want & (OUTPUT | ENERGY):
        power = 0.0
        for i in range(2 * nc):
            power += factor * dot(mv(R0, vec(g, 3 * i)), vec(now.v, 3 * i))
        for i in range(m):
            power += factor * g[6 * nc + i] * now.s[3 * i + 1]
        _answer(want, factor, power, out.w)
    return 0


def nodal_forces(body: MeshedBody, loads: Sequence[Load]) -> np.ndarray:
    """(N_fe,) forces of all equations of the mesh under loads on it [N, N m]; weights are those of the scaled body."""
    model = body.loadable()
    heavy = [load for load in loads if isinstance(load, Gravity | Centrifugal)]
    f = load_vector(model, [load for load in loads if not isinstance(load, Gravity | Centrifugal)])
    if heavy:
        unit = Gravity((1.0, 0.0, 0.0)).nodal_forces(model)
        heavier = body.mass_properties.mass / float(unit[model.dofs.owners[:, 1] == 0].sum())
        f += heavier * load_vector(model, heavy)
    return f


def floating_load_term(
    name: str,
    node: int,
    scalars: Sequence[int],
    g: np.ndarray,
    function: Function | None,
    lever: np.ndarray | None = None,
    stiffness: np.ndarray | None = None,
) -> Term:
    """g: (6 + m,), lever: (3, m), see `load_on`;  stiffness: (m, m) geometric stiffness of the load, or none."""
    parameters = FloatingLoad.pack(
        factor=packed(function),
        stiffens=stiffness is not None,
        force=g[:3],
        moment=g[3:6],
        modal=g[6:],
        lever=np.zeros((len(scalars), 3)) if lever is None else lever.T,
        stiffness=() if stiffness is None else stiffness,
    )
    return Term(name, floating_load, (node,), tuple(scalars), parameters=parameters)


def superelement_load_term(
    name: str,
    nodes: Sequence[int],
    scalars: Sequence[int],
    body: Packed,
    g: np.ndarray,
    function: Function | None,
) -> Term:
    """body: parameters of the superelement, whose frame carries the load."""
    carrier = CorotatedBody(body.words)
    parameters = CorotatedLoad.pack(
        frame=repacked(carrier.frame), turning=carrier.turning, factor=packed(function), g=g
    )
    return Term(name, superelement_load, tuple(nodes), tuple(scalars), parameters=parameters)


def mesh_load_terms(
    name: str,
    f: np.ndarray,
    turning: np.ndarray,
    numbers: Mapping[int, int],
    placed: Sequence[Placed],
    function: Function | None,
) -> tuple[Term, ...]:
    """Loads on a whole mesh.

    f: (n, 6) at its points, in the axes of the body.   turning: (n,) which have a rotation or follow such nodes.
    numbers: of the nodes at the points.   placed: points, middle and law of every finite element.
    The first one has the signal `factor`; the power of all together is in the energy that the run records as input.
    """
    loaded = np.flatnonzero(turning & f.any(axis=1)).tolist()
    terms = [floating_load_term(name, numbers[i], (), f[i], function) for i in loaded]
    count = np.bincount(np.concatenate([points for points, _, _ in placed]), minlength=len(f))
    shares = np.where(turning[:, None], 0.0, f) / np.maximum(count, 1)[:, None]
    for points, _, made in placed:
        if shares[points].any():
            nodes = [numbers[int(i)] for i in points]
            body = made.parameters
            terms.append(superelement_load_term(name, nodes, (), body, shares[points].ravel(), function))
    outputs = [term.law.outputs[:1] if i == 0 else () for i, term in enumerate(terms)]
    return tuple(replace(term, own_outputs=own) for term, own in zip(terms, outputs, strict=True))
