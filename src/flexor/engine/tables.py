"""Elements and following nodes of a mechanism as the flat arrays that the engine reads; see `memory`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.engine.equations import Equations
from flexor.engine.memory import Follower, Term
from flexor.engine.slaves import CURVED, MODAL
from flexor.law.law import Law
from flexor.law.record import LANES
from flexor.model.mechanism import Mechanism

SHARED_FROM = 200
"""Elements with this many equal float parameters keep one copy of them."""
CACHE_LINE = 8
"""Floats in a line of the cache."""


def element_tables(
    mechanism: Mechanism, equations: Equations, laws: Sequence[Law], python: bool
) -> dict[str, np.ndarray]:
    """One record per element, its nodes, scalars, parameters, history, and where it stands in a condensed matrix."""
    index = {law: i for i, law in enumerate(laws)}
    records = np.zeros(len(mechanism.elements) * Term.WORDS, dtype=np.int64)
    nodes: list[int] = []
    scalars: list[int] = []
    ints: list[int] = []
    floats: list[np.ndarray] = []
    n_floats = 0
    shared: dict[bytes, int] = {}  # identical bodies read the same memory
    history: list[float] = []
    where: list[int] = []
    where_eq: list[int] = []
    lam = 0
    with_history = []
    for i, element in enumerate(mechanism.elements):
        r = Term(records, i)
        r.law = index[element.law]
        r.nodes, r.scalars, r.multipliers = (
            len(element.nodes), len(element.scalars), element.n_multipliers,
        )  # fmt: skip
        r.node_list, r.scalar_list = len(nodes), len(scalars)
        own = element.words(python)
        key = own.tobytes()
        if key not in shared or len(own) < SHARED_FROM:
            gap = -n_floats % LANES
            shared[key] = n_floats + gap
            floats += [np.zeros(gap), own]
            n_floats += gap + len(own)
        r.k, r.p = len(ints), shared[key]
        r.h, r.lam = len(history), lam
        block = equations.element_block[i]
        r.lam_eq = equations.pattern.start[block] if block >= 0 else 0
        r.size = element.size
        r.outputs = len(element.outputs)
        r.contiguous = all(b == a + 1 for a, b in zip(element.nodes, element.nodes[1:], strict=False))
        r.condense = -1
        if i in equations.condensed:
            columns = equations.condensed[i]
            place = {column: j for j, column in enumerate(columns)}
            r.condense, r.condense_size, r.condense_eq = (
                len(where),
                len(columns),
                len(where_eq),
            )
            for node in element.nodes:
                where += [place[column] for column in equations._node_columns(node)]
            for s in element.scalars:
                where.append(place[(int(equations.scalar_block[s]), int(equations.scalar_inner[s]))])
            where += [place[(int(block), j)] for j in range(len(element.rows))]
            where_eq += [equations.equation(*column) for column in columns]
        nodes += element.nodes
        scalars += element.scalars
        ints += element.ints
        history += element.history
        lam += element.n_multipliers
        if element.history:
            with_history.append(i)
    return {
        "terms": records,
        "term_nodes": _integers(nodes),
        "term_scalars": _integers(scalars),
        "k_parameters": _integers(ints),
        "p_parameters": np.concatenate([*floats, np.zeros(1)], out=at_cache_line(n_floats + 1)),
        "history": np.array(history),
        "with_history": _integers(with_history),
        "condense_map": _integers(where),
        "condense_eq": _integers(where_eq),
    }


def slave_tables(mechanism: Mechanism, equations: Equations) -> dict[str, np.ndarray]:
    """One record per node that follows another, its motions, sites and shapes, and memory for its gradient."""
    records = np.zeros(len(mechanism.slaves) * Follower.WORDS, dtype=np.int64)
    motions: list[int] = []
    sites: list[float] = []
    at = 0
    for i, slave in enumerate(mechanism.slaves):
        r = Follower(records, i)
        size = len(equations.slave_columns[i])
        r.node, r.master = slave.node, slave.master
        r.master_follower = equations.slave_of_node.get(slave.master, -1)
        r.motion, r.motion_count = len(motions), len(slave.scalars)
        r.site, r.gradient, r.size = len(sites), at, size
        root = slave.master
        while root in equations.slave_of_node:
            root = mechanism.slaves[equations.slave_of_node[root]].master
        r.leading = 6 if root > 0 else 0
        at += 6 * size
        modal = MODAL if slave.curvature is None else CURVED
        kinds = slave.motions if slave.shapes is None else ((modal, 0),) * len(slave.scalars)
        for (kind, axis), scalar in zip(kinds, slave.scalars, strict=True):
            motions += [int(kind), axis, scalar]
        for site in (slave.site_master, slave.site_slave):
            sites += [*np.ravel(site.p_NM), *np.ravel(site.R_NM)]
        if slave.shapes is not None:
            sites += np.ravel(slave.shapes.T).tolist()
        if slave.curvature is not None:
            sites += np.ravel(slave.curvature.transpose(1, 2, 0)).tolist()
    return {
        "followers": records,
        "motions": _integers(motions),
        "sites": np.array(sites),
        "gradients": np.zeros(at),
        "right": np.zeros(at),
        "follower_force": np.zeros(6 * len(mechanism.slaves)),
    }


def at_cache_line(size: int) -> np.ndarray:
    """Zeros (size,) that begin where a line of the cache does: vectors of four floats then do not lie across two."""
    floats = np.zeros(size + CACHE_LINE)
    begin = -(floats.ctypes.data // 8) % CACHE_LINE
    return floats[begin : begin + size]


def _integers(values: list[int]) -> np.ndarray:
    return np.array(values, dtype=np.int64)
