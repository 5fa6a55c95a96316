"""Elements and following nodes of a mechanism as the flat arrays that the engine reads; see `slots`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.engine import slots
from flexor.engine.equations import Equations
from flexor.engine.slaves import CURVED, MODAL
from flexor.law.law import Law
from flexor.model.mechanism import Mechanism

SHARED_FROM = 200
"""Elements with this many equal float parameters keep one copy of them."""


def element_tables(mechanism: Mechanism, equations: Equations, laws: Sequence[Law]) -> dict[int, np.ndarray]:
    """One record per element, its nodes, scalars, parameters, history, and where it stands in a condensed matrix."""
    index = {law: i for i, law in enumerate(laws)}
    records = np.zeros((len(mechanism.elements), slots.ELEMENT_STRIDE), dtype=np.int64)
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
        r = records[i]
        r[slots.E_LAW] = index[element.law]
        r[slots.E_NODES], r[slots.E_SCALARS], r[slots.E_MULTIPLIERS] = (
            len(element.nodes), len(element.scalars), element.n_multipliers,
        )  # fmt: skip
        r[slots.E_NODE_LIST], r[slots.E_SCALAR_LIST] = len(nodes), len(scalars)
        own = np.asarray(element.floats, dtype=float)
        key = own.tobytes()
        if key not in shared or len(own) < SHARED_FROM:
            shared[key] = n_floats
            floats.append(own)
            n_floats += len(own)
        r[slots.E_K], r[slots.E_P] = len(ints), shared[key]
        r[slots.E_H], r[slots.E_LAM] = len(history), lam
        block = equations.element_block[i]
        r[slots.E_LAM_EQ] = equations.pattern.start[block] if block >= 0 else 0
        r[slots.E_SIZE] = element.size
        r[slots.E_OUTPUTS] = len(element.outputs)
        r[slots.E_CONTIGUOUS] = all(b == a + 1 for a, b in zip(element.nodes, element.nodes[1:], strict=False))
        r[slots.E_CONDENSE] = -1
        if i in equations.condensed:
            columns = equations.condensed[i]
            place = {column: j for j, column in enumerate(columns)}
            r[slots.E_CONDENSE], r[slots.E_CONDENSE_SIZE], r[slots.E_CONDENSE_EQ] = (
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
        slots.ELEMENTS: records,
        slots.ELEMENT_NODES: _integers(nodes),
        slots.ELEMENT_SCALARS: _integers(scalars),
        slots.K_PARAMETERS: _integers(ints),
        slots.P_PARAMETERS: np.concatenate([*floats, np.zeros(1)]),
        slots.HISTORY: np.array(history),
        slots.HISTORY_ELEMENTS: _integers(with_history),
        slots.CONDENSE_MAP: _integers(where),
        slots.CONDENSE_EQ: _integers(where_eq),
    }


def slave_tables(mechanism: Mechanism, equations: Equations) -> dict[int, np.ndarray]:
    """One record per node that follows another, its motions, sites and shapes, and memory for its gradient."""
    records = np.zeros((len(mechanism.slaves), slots.SLAVE_STRIDE), dtype=np.int64)
    motions: list[int] = []
    sites: list[float] = []
    at = 0
    for i, slave in enumerate(mechanism.slaves):
        r = records[i]
        size = len(equations.slave_columns[i])
        r[slots.L_NODE], r[slots.L_MASTER] = slave.node, slave.master
        r[slots.L_MASTER_SLAVE] = equations.slave_of_node.get(slave.master, -1)
        r[slots.L_MOTION], r[slots.L_MOTION_COUNT] = len(motions), len(slave.scalars)
        r[slots.L_SITE], r[slots.L_T], r[slots.L_SIZE] = len(sites), at, size
        root = slave.master
        while root in equations.slave_of_node:
            root = mechanism.slaves[equations.slave_of_node[root]].master
        r[slots.L_LEADING] = 6 if root > 0 else 0
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
        slots.SLAVES: records,
        slots.SLAVE_MOTIONS: _integers(motions),
        slots.SLAVE_SITES: np.array(sites),
        slots.SLAVE_T: np.zeros(at),
        slots.SLAVE_RIGHT: np.zeros(at),
        slots.SLAVE_FORCE: np.zeros(6 * len(mechanism.slaves)),
    }


def _integers(values: list[int]) -> np.ndarray:
    return np.array(values, dtype=np.int64)
