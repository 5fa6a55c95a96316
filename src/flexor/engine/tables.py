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
from flexor.engine.strings import side_by_side, strings_of
from flexor.functions import OUT_SIZE
from flexor.law import Term
from flexor.law.law import Law
from flexor.law.record import LANES
from flexor.model.mechanism import Mechanism

SHARED_FROM = 200
"""Terms with this many equal float parameters keep one copy of them."""
CACHE_LINE = 8
"""Floats in a line of the cache."""


def term_tables(mechanism: Mechanism, equations: Equations, laws: Sequence[Law], python: bool) -> dict[str, np.ndarray]:
    """One record per term, its nodes, scalars, parameters, history, and where it stands in a condensed matrix."""
    terms = mechanism.terms
    records = np.zeros(len(terms), dtype=TermRecord.dtype())
    number = {law: i for i, law in enumerate(laws)}
    reads = [equations.read_by(term) if term.reads else [] for term in terms]
    nodes_of, histories = [term.nodes for term in terms], [term.history for term in terms]
    nodes, own, reading = (_counts(each) for each in (nodes_of, [term.rows for term in terms], reads))
    scalars, history = _counts([term.scalars for term in terms]), _counts(histories)
    law = np.array([number[term.law] for term in terms], dtype=np.int64)
    nodes_in_one = _integers([node for each in nodes_of for node in each])
    records["law"], records["points"] = law, _of_laws(laws, "points", np.int64)[law]
    records["outputs"] = [len(term.outputs if (told := term.own_outputs) is None else told) for term in terms]
    records["contiguous"] = _contiguous(nodes_in_one, nodes)
    records["nodes"], records["scalars"], records["multipliers"], records["own"] = nodes, scalars, own + reading, own
    records["size"] = 6 * nodes + scalars + own + reading
    for field, counts in (("node_list", nodes), ("scalar_list", scalars), ("h", history), ("lam", own)):
        records[field] = _begins(counts)
    _borrow(terms, records)
    records["read_list"], records["k"] = _begins(reading), _begins(_counts([term.ints for term in terms]))
    records["work"] = records["loss"] = records["condense"] = -1
    named = [("work", i, term.work) for i, term in enumerate(terms) if term.work]
    named += [("loss", i, term.loss) for i, term in enumerate(terms) if term.loss]
    for field, i, name in named:
        records[field][i] = records["h"][i] + terms[i].place(name)
    block = np.array(equations.term_block, dtype=np.int64)
    records["lam_eq"][block >= 0] = equations.pattern.start[block[block >= 0]]
    where, where_eq = _condensed(terms, equations, records)
    records["p"], floats = parameters_of(terms, python)
    firsts = strings_of(terms, set(equations.condensed))
    strung = side_by_side(terms, firsts, python)
    records["string"] = -1
    records["string"][firsts] = np.arange(len(firsts)) * (strung.size // max(len(firsts), 1))
    with_history = [i for i, term in enumerate(terms) if term.history and not term.forgets]
    first = records["lam"]
    return {
        "terms": records.view(np.int64),
        "term_reads": _integers([first[lender] + inner for each in reads for lender, inner in each]),
        "term_nodes": nodes_in_one,
        "term_scalars": _integers([scalar for term in terms for scalar in term.scalars]),
        "k_parameters": _integers([each for term in terms for each in term.ints]),
        "p_parameters": floats,
        "string_parameters": _aligned(strung),
        "history": np.array([each for own in histories for each in own], dtype=float),
        "with_history": _integers(sorted(with_history, key=lambda i: terms[i].law.counts_turns)),
        "with_transitions": np.flatnonzero(_of_laws(laws, "transitions", bool)[law]),
        "with_limits": np.flatnonzero(_of_laws(laws, "limits_step", bool)[law]),
        "with_states": _integers([i for i, term in enumerate(terms) if term.rates]),
        "clocks": np.array(sorted({clock for term in terms for clock in term.clocks}), dtype=float).reshape(-1),
        "condense_map": _integers(where),
        "condense_eq": _integers(where_eq),
    }


def _borrow(terms: Sequence[Term], records: np.ndarray) -> None:
    """Let terms that borrow a history find it, and the mark in it that tells whether they are asked."""
    records["acts"] = -1
    lender = 0
    for i, term in enumerate(terms):
        if term.borrows < 0:
            lender = i if term.history else lender
            continue
        records["h"][i] = records["h"][lender] + term.borrows
        records["acts"][i] = records["h"][i] + term.place("acts")
        records["number"][i] = term.number


def _counts(each: Sequence[Sequence[object]]) -> np.ndarray:
    return np.fromiter(map(len, each), dtype=np.int64, count=len(each))


def _begins(counts: np.ndarray) -> np.ndarray:
    """Where each one begins, if they stand one behind the other."""
    begins: np.ndarray = np.cumsum(counts) - counts
    return begins


def _of_laws(laws: Sequence[Law], what: str, kind: type) -> np.ndarray:
    """What each law has under a name."""
    return np.array([getattr(law, what) for law in laws], dtype=kind)


def _contiguous(nodes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Whether the nodes of each term follow one another; counts: how many each has of them all."""
    term = np.repeat(np.arange(len(counts)), counts)
    leaps = (np.diff(nodes) != 1) & (np.diff(term) == 0)
    found: np.ndarray = np.bincount(term[1:][leaps], minlength=len(counts)) == 0
    return found


def parameters_of(terms: Sequence[Term], python: bool) -> tuple[list[int], np.ndarray]:
    """Where the float parameters of each term begin, and all of them."""
    begins: list[int] = []
    floats: list[np.ndarray] = []
    shared: dict[bytes, int] = {}  # identical bodies read the same memory
    known: dict[int, int] = {}  # as do terms of one body, by the address of their record
    end = 0
    gaps = [np.zeros(gap) for gap in range(LANES)]
    for term in terms:
        record = 0 if term.parameters is None else id(term.parameters)
        if record in known:
            begins.append(known[record])
            continue
        own = term.words(python)
        key = own.tobytes() if len(own) >= SHARED_FROM else b""
        if key and key in shared:
            begins.append(shared[key])
            if record:
                known[record] = shared[key]
            continue
        gap = -end % LANES
        begins.append(end + gap)
        if key:
            shared[key] = end + gap
            if record:
                known[record] = end + gap
        if gap:
            floats.append(gaps[gap])
        floats.append(own)
        end += gap + len(own)
    return begins, np.concatenate([*floats, np.zeros(1)], out=at_cache_line(end + 1))


def _condensed(terms: Sequence[Term], equations: Equations, records: np.ndarray) -> tuple[list[int], list[int]]:
    """Where each row of the terms on followers stands in its condensed matrix, and the equations of that; both are told to the records."""
    where: list[int] = []
    where_eq: list[int] = []
    for i, columns in equations.condensed.items():
        term, block = terms[i], equations.term_block[i]
        place = {column: j for j, column in enumerate(columns)}
        r = records[i]
        r["condense"], r["condense_size"], r["condense_eq"] = len(where), len(columns), len(where_eq)
        for node in term.nodes:
            where += [place[column] for column in equations._node_columns(node)]
        for s in term.scalars:
            where.append(place[(int(equations.scalar_block[s]), int(equations.scalar_inner[s]))])
        where += [place[(int(block), j)] for j in range(len(term.rows))]
        where += [place[(int(equations.term_block[lender]), j)] for lender, j in equations.read_by(term)]
        where_eq += [equations.equation(*column) for column in columns]
    return where, where_eq


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


def _aligned(values: np.ndarray) -> np.ndarray:
    """The same numbers, from the begin of a line of the cache on."""
    found = at_cache_line(values.size)
    found[:] = values.reshape(-1)
    return found


def _integers(values: list[int] | list[list[int]]) -> np.ndarray:
    return np.array(values, dtype=np.int64)
