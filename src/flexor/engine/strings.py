"""Terms that are asked together (`flexor.law.string`): which they are, and their residuals."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from flexor.law import RESIDUAL, Term
from flexor.law.lanes import gather6, load6, plus6, store6
from flexor.law.primitives import at, call_law
from flexor.law.string import STRING


def strings_of(terms: Sequence[Term], condensed: Collection[int]) -> np.ndarray:
    """The first terms of strings; condensed: numbers of those with nodes that follow others."""
    if not any(term.law.string for term in terms):
        return np.zeros(0, dtype=np.int64)
    found, length = [], 0
    for i, term in enumerate(terms):
        if i in condensed or not _fits(term):
            length = 0
            continue
        length = length + 1 if length and _goes_on(terms[i - 1], term) else 1
        if length == STRING:
            found.append(i - STRING + 1)
            length = 0
    return np.array(found, dtype=np.int64)


def _fits(term: Term) -> bool:
    string = term.law.string
    plain = len(term.nodes) == 2 and not (term.rows or term.scalars or term.reads or term.history)
    return string is not None and plain and term.nodes[1] == term.nodes[0] + 1 and string.fits(term.words())


def _goes_on(last: Term, term: Term) -> bool:
    return last.law is term.law and last.nodes[1] == term.nodes[0]


def side_by_side(terms: Sequence[Term], firsts: np.ndarray, python: bool) -> np.ndarray:
    """(strings, parameters, 8) of the terms of each string."""
    each = [[terms[first + i].words(python) for i in range(STRING)] for first in firsts]
    return np.ascontiguousarray(np.array(each).reshape(len(firsts), STRING, -1).swapaxes(1, 2)) if each else np.zeros(0)


def ask_string(T, d):
    """Residual += those of eight terms from the one described by d on, if they can be told together: status 0."""
    first = T.term_nodes[d.node_list]
    r, residual, node_eq = T.buffer_residual, T.residual, T.node_eq
    status = call_law(
        T.strings, d.law, RESIDUAL, d.n, at(T.k_parameters, d.k), at(T.string_parameters, d.string), at(T.history, d.h),
        T.run.time, T.coefficients.words, at(T.x, 3 * first), at(T.R, 9 * first), at(T.v, 6 * first),
        at(T.proper, 6 * first), T.buffer_s, T.lam, r, T.buffer_matrix, T.buffer_scratch,
    )  # fmt: skip
    if status != 0:
        return status
    for i in range(STRING):
        one, other = node_eq[first + i], node_eq[first + i + 1]
        if one >= 0:
            store6(residual, one, plus6(load6(residual, one), 1.0, gather6(r, i, STRING)))
        if other >= 0:
            store6(residual, other, plus6(load6(residual, other), 1.0, gather6(r, 6 * STRING + i, STRING)))
    return 0
