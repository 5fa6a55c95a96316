"""Bodies and coordinates without (full) inertia: their constraints have to support them in the linear solver.

See `flexor.engine.linear.support`. A thin rod has no moment of inertia about its axis, a massless link none at all.
"""

from __future__ import annotations

import numpy as np

from flexor.engine.diagnose import describe_failure
from flexor.engine.memory import OK
from flexor.engine.system import System
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL

NEGLIGIBLE = 1e-12
"""Inertia in one direction, relative to the largest of the block, that counts as none."""


def support_light(system: System) -> None:
    """Let the constraints of blocks without full inertia support them in the linear solver."""
    acts_on = _constraints_of(system, light_blocks(system))
    if acts_on:
        system.support(acts_on, _weights(system))


def support_all(system: System) -> bool:
    """Let all constraints support what they act on, where blocks lack inertia only together; whether that is new."""
    acts_on = _constraints_of(system, None)
    if len(acts_on) == system.solver.n_supporting:
        return False
    system.support(acts_on, _weights(system))
    return True


def light_blocks(system: System) -> set[int]:
    """Blocks of coordinates whose mass matrix is singular, locked degrees of freedom left out."""
    _mass_matrix(system)
    p = system.equations.pattern
    blocks = np.array([b for b, multiplier in enumerate(system.equations.multiplier) if not multiplier], dtype=np.int64)
    found: set[int] = set()
    locked = np.zeros(p.n, dtype=bool)
    locked[system.memory.locked_eq] = True
    for size in np.unique(p.rows[blocks]).tolist():
        alike = blocks[p.rows[blocks] == size]
        offset, stride, _ = p.locate(alike, alike)
        row, column = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")
        M = system.solver.values[offset[:, None, None] + row * stride[:, None, None] + column]
        M = 0.5 * (M + M.transpose(0, 2, 1))
        out = locked[p.start[alike][:, None] + np.arange(size)]
        M[out[:, :, None] | out[:, None, :]] = 0.0
        largest = np.abs(M).max(axis=(1, 2))
        M += np.eye(size) * np.where(out, largest[:, None], 0.0)[:, None, :]
        least = np.linalg.eigvalsh(M / np.where(largest > 0.0, largest, 1.0)[:, None, None])[:, 0]
        free = ~out.all(axis=1)
        found |= set(alike[free & (least <= NEGLIGIBLE)].tolist())
    return found


def _mass_matrix(system: System) -> None:
    status = system.evaluate(MATRIX | RESIDUAL | ACCELERATION_LEVEL, 0.0, 0.0, 1.0)
    if status != OK:
        raise describe_failure(system, status)


def _constraints_of(system: System, blocks: set[int] | None) -> dict[int, list[int]]:
    """Multiplier blocks that act on any of the blocks (None: all), each with the blocks of coordinates that it acts on."""
    eq = system.equations
    found: dict[int, list[int]] = {}
    if blocks is not None and not blocks:
        return found
    rows = set(eq.term_block.tolist())
    for i in range(len(eq.segments)):
        multiplier = int(eq.term_block[i])
        if multiplier >= 0 and not eq.mechanism.terms[i].readings:
            coordinates = sorted({*eq.segments.blocks(i)} - rows)
            if coordinates and (blocks is None or blocks.intersection(coordinates)):
                found[multiplier] = coordinates
    return found


def _weights(system: System) -> np.ndarray:
    """P of each constraint: the inertia that it meets, 1/(B M̂⁻¹ Bᵀ), M̂ with the largest moment of inertia in all directions."""
    from scipy import sparse  # takes long to load, and few models need it

    _mass_matrix(system)
    own = system.is_coordinate
    matrix = sparse.csr_array(system.solver.to_csc().tocsr())
    inertia = np.where(own, np.maximum(matrix.diagonal(), 0.0), 0.0)
    _, rows = system.node_rows
    for part in (rows[:, :3], rows[:, 3:]):
        inertia[part] = np.where(own[part], inertia[part].max(axis=1, initial=0.0)[:, None], 0.0)
    mobility = np.divide(1.0, inertia, out=np.zeros_like(inertia), where=inertia > 0.0)
    constraints = np.flatnonzero(system.is_constraint)
    B = matrix[constraints]
    met = np.asarray(B.multiply(B) @ mobility).ravel()
    weights = np.zeros(len(own))
    heavy = met > 0.0
    typical = float(np.median(1.0 / met[heavy])) if heavy.any() else 1.0
    weights[constraints] = np.divide(1.0, met, out=np.full(len(met), typical), where=heavy)
    return weights
