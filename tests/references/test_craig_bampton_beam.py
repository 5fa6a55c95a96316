"""Craig-Bampton reduction of a cantilever of Hermite elements, to the digits of the record."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import eigh

from flexor.reduce import FreeBody
from flexor.reduce.basis import craig_bampton


def cantilever(n: int = 20) -> FreeBody:
    """EI = ρA = L = 1, root clamped, boundary = deflection and slope of the tip."""
    h = 1.0 / n
    k = np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2]])
    k = np.vstack([k, -k[0], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]) / h**3
    m = np.array(
        [
            [156, 22 * h, 54, -13 * h],
            [22 * h, 4 * h**2, 13 * h, -3 * h**2],
            [54, 13 * h, 156, -22 * h],
            [-13 * h, -3 * h**2, -22 * h, 4 * h**2],
        ]
    ) * (h / 420)
    K, M = np.zeros((2, 2 * n + 2, 2 * n + 2))
    for e in range(n):
        at = np.arange(2 * e, 2 * e + 4)
        K[np.ix_(at, at)] += k
        M[np.ix_(at, at)] += m
    K, M = (sparse.csc_array(A[2:, 2:]) for A in (K, M))
    tip = sparse.csr_array((np.ones(2), ([0, 1], [2 * n - 2, 2 * n - 1])), shape=(2, 2 * n))
    nodes = np.zeros((n, 3))
    nodes[:, 0] = np.linspace(h, 1, n)
    owners = np.stack([np.repeat(np.arange(n), 2), np.tile([2, 4], n)], axis=1)
    return FreeBody(
        *(K, M, tip, nodes[-1:], ("tip",)),
        rigid=np.zeros((2 * n, 6)),
        T=sparse.csc_array(sparse.eye_array(2 * n)),
        M_full=M,
        owners=owners,
        nodes=nodes,
        node_ids=np.arange(1, n + 1),
    )


def test_full_model_and_held_modes(reference):
    record = reference.record("craig_bampton_beam")["reference"]
    p = cantilever()
    full = np.sqrt(eigh(p.K.toarray(), p.M.toarray(), eigvals_only=True))
    assert np.allclose(full[:4], record["full_fe"], rtol=1e-8)
    held = np.sqrt(p.held_modes(4)[0])
    assert np.allclose(held, record["fixed_interface"], rtol=3e-8)


@pytest.mark.parametrize("count", [0, 1, 2, 4, 6])
def test_reduced_frequencies(reference, count):
    record = reference.record("craig_bampton_beam")
    p = cantilever()
    H = craig_bampton(p, count)
    ω = np.sqrt(eigh(H.T @ (p.K @ H), H.T @ (p.M @ H), eigvals_only=True))
    printed = record["reference"]["cb"][str(count)]
    assert np.allclose(ω[: len(printed)], printed, rtol=record["tolerance"]["rel"])
    full = np.array(record["reference"]["full_fe"])
    assert np.all(ω[:4][: len(ω)] >= full[: len(ω[:4])] * (1 - 1e-8)), "convergence is from above"
