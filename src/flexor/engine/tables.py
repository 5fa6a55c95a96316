"""Terms and following nodes of a mechanism as the flat arrays that the engine reads; see `memory`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.coordinates.driven import driven_coordinate
from flexor.engine.equations import Equations
from flexor.engine.memory import (
    BY_CURVED_MODES,
    BY_JOINT,
    BY_MODES,
    FollowerRecord,
    MotionRecord,
    SiteRecord,
    TermRecord,
)
from flexor.functions import OUT_SIZE
from flexor.law.law import Law
from flexor.law.record import LANES
from flexor.model.mechanism import Mechanism

SHARED_FROM = 200
"""Terms with this many equal float parameters keep one copy of them."""
CACHE_LINE = 8
"""Floats in a line of the cache."""


def term_tables(mechanism: Mechanism, equations: Equations, laws: Sequence[Law], python: bool) -> dict[str, np.ndarray]:
    """One record per term, its nodes, scalars, parameters, history, and where it stands in a condensed matrix."""
    index = {law: i for i, law in enumerate(laws)}
    rows: list[dict[str, int]] = []
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
    reads: list[tuple[int, int]] = []
    with_history = []
    for i, term in enumerate(mechanism.terms):
        r = {
            "law": index[term.law],
            "nodes": len(term.nodes),
            "scalars": len(term.scalars),
            "multipliers": term.n_multipliers + term.n_read,
            "node_list": len(nodes),
            "scalar_list": len(scalars),
            "h": len(history),
            "own": term.n_multipliers,
            "lam": lam,
            "read_list": len(reads),
            "size": term.size,
            "outputs": len(term.outputs),
            "work": len(history) + term.place(term.work) if term.work else -1,
            "loss": len(history) + term.place(term.loss) if term.loss else -1,
            "contiguous": all(b == a + 1 for a, b in zip(term.nodes, term.nodes[1:], strict=False)),
            "points": int(term.law.points),
            "condense": -1,
        }
        rows.append(r)
        own = term.words(python)
        key = own.tobytes()
        if key not in shared or len(own) < SHARED_FROM:
            gap = -n_floats % LANES
            shared[key] = n_floats + gap
            floats += [np.zeros(gap), own]
            n_floats += gap + len(own)
        r["k"], r["p"] = len(ints), shared[key]
        for lender, inner in equations.read_by(term):
            reads.append((lender, inner))
        block = equations.term_block[i]
        r["lam_eq"] = equations.pattern.start[block] if block >= 0 else 0
        if i in equations.condensed:
            columns = equations.condensed[i]
            place = {column: j for j, column in enumerate(columns)}
            r["condense"], r["condense_size"], r["condense_eq"] = len(where), len(columns), len(where_eq)
            for node in term.nodes:
                where += [place[column] for column in equations._node_columns(node)]
            for s in term.scalars:
                where.append(place[(int(equations.scalar_block[s]), int(equations.scalar_inner[s]))])
            where += [place[(int(block), j)] for j in range(len(term.rows))]
            where += [place[(int(equations.term_block[lender]), j)] for lender, j in equations.read_by(term)]
            where_eq += [equations.equation(*column) for column in columns]
        nodes += term.nodes
        scalars += term.scalars
        ints += term.ints
        history += term.history
        lam += term.n_multipliers
        if term.history and not term.forgets:
            with_history.append(i)
    names = {field.name for field in TermRecord.FIELDS}
    assert all(names >= r.keys() for r in rows)
    return {
        "terms": _integers([[r.get(field.name, 0) for field in TermRecord.FIELDS] for r in rows]).reshape(-1),
        "term_reads": _integers([rows[lender]["lam"] + inner for lender, inner in reads]),
        "term_nodes": _integers(nodes),
        "term_scalars": _integers(scalars),
        "k_parameters": _integers(ints),
        "p_parameters": np.concatenate([*floats, np.zeros(1)], out=at_cache_line(n_floats + 1)),
        "history": np.array(history),
        "with_history": _integers(sorted(with_history, key=lambda i: mechanism.terms[i].law.counts_turns)),
        "with_transitions": _integers([i for i, term in enumerate(mechanism.terms) if term.law.transitions]),
        "with_limits": _integers([i for i, term in enumerate(mechanism.terms) if term.law.limits_step]),
        "with_states": _integers([i for i, term in enumerate(mechanism.terms) if term.rates]),
        "clocks": np.array(sorted({clock for term in mechanism.terms for clock in term.clocks}), dtype=float).reshape(
            -1
        ),
        "condense_map": _integers(where),
        "condense_eq": _integers(where_eq),
    }


def follower_tables(mechanism: Mechanism, equations: Equations) -> dict[str, np.ndarray]:
    """One record per node that follows another, its motions, sites and shapes, and memory for its gradient."""
    records = np.zeros(len(mechanism.followers) * FollowerRecord.WORDS, dtype=np.int64)
    counts = [len(follower.scalars if follower.drives == () else follower.motions) for follower in mechanism.followers]
    motions = np.zeros(sum(counts) * MotionRecord.WORDS, dtype=np.int64)
    number = {term.name: i for i, term in enumerate(mechanism.terms) if term.law is driven_coordinate}
    drives: list[int] = []
    sites: list[np.ndarray] = []
    column_eq: list[int] = []
    n_motions = n_sites = 0
    at = 0
    for i, follower in enumerate(mechanism.followers):
        r = FollowerRecord(records, i)
        size = len(equations.follower_columns[i])
        r.node, r.master = follower.node, follower.master
        relayed = equations.node_block[follower.master] >= 0
        r.master_follower = -1 if relayed else equations.follower_of_node.get(follower.master, -1)
        r.motion, r.motion_count = n_motions * MotionRecord.WORDS, counts[i]
        r.base = size - len(follower.scalars)
        r.site, r.gradient, r.size = n_sites, at, size
        root = follower.master
        while root > 0 and equations.node_block[root] < 0:
            root = mechanism.followers[equations.follower_of_node[root]].master
        r.leading = 6 if root > 0 else 0
        r.own_eq = equations.equation(int(equations.node_block[follower.node]), 0) if i in equations.tie_block else -1
        r.column_eq = len(column_eq)
        column_eq += (
            [equations.equation(*each) for each in equations.follower_columns[i]] if i in equations.tie_block else []
        )
        at += 6 * (size + counts[i] - len(follower.scalars))
        r.manner = BY_JOINT if follower.shapes is None else BY_MODES if follower.curvature is None else BY_CURVED_MODES
        every = follower.motions if follower.shapes is None else ((False, 0),) * len(follower.scalars)
        free, column, behind = iter(follower.scalars), int(r.base), size
        for (turns, axis), drive in zip(every, follower.drives or ("",) * counts[i], strict=True):
            motion = MotionRecord(motions, n_motions)
            motion.turns, motion.axis = turns, axis
            if drive:
                motion.scalar, motion.drive, motion.column = len(drives), number[drive], behind
                drives.append(number[drive])
                behind += 1
            else:
                motion.scalar, motion.drive, motion.column = next(free), -1, column
                column += 1
            n_motions += 1
        site = SiteRecord.pack(
            p_M=follower.site_master.p_NM,
            R_M=follower.site_master.R_NM,
            p_S=follower.site_follower.p_NM,
            R_S=follower.site_follower.R_NM,
            shapes=() if follower.shapes is None else follower.shapes.T,
            curvature=() if follower.curvature is None else follower.curvature.transpose(1, 2, 0),
        )
        sites.append(site.words)
        n_sites += len(site.words)
    return {
        "followers": records,
        "motions": motions,
        "sites": np.concatenate([*sites, np.zeros(0)]),
        "gradients": np.zeros(at),
        "right": np.zeros(at),
        "follower_force": np.zeros(6 * len(mechanism.followers)),
        "relays": _integers(list(equations.relays)),
        "relay_columns": _integers(column_eq),
        "drives": _integers(drives),
        "driven": np.zeros(3 * len(drives)),
        "buffer_drive": np.zeros(OUT_SIZE),
    }


def at_cache_line(size: int) -> np.ndarray:
    """Zeros (size,) that begin where a line of the cache does: vectors of four floats then do not lie across two."""
    floats = np.zeros(size + CACHE_LINE)
    begin = -(floats.ctypes.data // 8) % CACHE_LINE
    return floats[begin : begin + size]


def _integers(values: list[int] | list[list[int]]) -> np.ndarray:
    return np.array(values, dtype=np.int64)
