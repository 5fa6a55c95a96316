"""Block systems with known mechanics or random numbers, and their sparse matrices for comparison."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from flexor.engine.linear.pattern import Pattern, analyse
from flexor.engine.linear.solver import BlockSolver

LINK_INERTIA = np.array([1.0, 1.0, 1.0, 1 / 600, 0.0842, 0.0842])  # 1 kg, 1 m × 0.1 m × 0.1 m


@dataclass
class System:
    """Blocks of a matrix in the user's numbering; block (j, i) is stored too, transposed or not."""

    rows: list[int] = field(default_factory=list)
    multiplier: list[bool] = field(default_factory=list)
    blocks: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)

    def block(self, rows: int, diagonal: np.ndarray | None = None, multiplier: bool = False) -> int:
        self.rows.append(rows)
        self.multiplier.append(multiplier)
        i = len(self.rows) - 1
        if diagonal is not None:
            self.blocks[i, i] = np.array(diagonal, dtype=float)
        return i

    def couple(self, i: int, j: int, matrix: np.ndarray, back: np.ndarray | None = None) -> None:
        self.blocks[i, j] = matrix
        self.blocks[j, i] = matrix.T if back is None else back

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return [pair for pair in self.blocks if pair[0] != pair[1]]

    def analyse(self) -> Pattern:
        return analyse(self.rows, self.pairs, self.multiplier)

    def solver(self, symmetric: bool = True, python: bool = False, pattern: Pattern | None = None) -> BlockSolver:
        solver = BlockSolver(pattern or self.analyse(), symmetric, python)
        self.load(solver)
        return solver

    def load(self, solver: BlockSolver) -> None:
        solver.clear()
        for (i, j), matrix in self.blocks.items():
            solver.add(i, j, matrix)

    @property
    def starts(self) -> np.ndarray:
        return np.concatenate([[0], np.cumsum(self.rows)])

    def matrix(self) -> sparse.csr_array:
        """In the user's numbering."""
        starts = self.starts
        parts = []
        for (i, j), matrix in self.blocks.items():
            a, b = np.indices(matrix.shape)
            parts.append((matrix.ravel(), (a + starts[i]).ravel(), (b + starts[j]).ravel()))
        data, rows, columns = (np.concatenate(part) for part in zip(*parts))
        return sparse.csr_array((data, (rows, columns)), shape=(starts[-1], starts[-1]))

    def places(self, pattern: Pattern) -> np.ndarray:
        """Equation in the pattern of each row in the user's numbering."""
        return np.concatenate([pattern.start[i] + np.arange(rows) for i, rows in enumerate(self.rows)])

    def solve(self, solver: BlockSolver, b: np.ndarray) -> np.ndarray:
        """Solution in the user's numbering, by factors that `solver` already has."""
        places = self.places(solver.pattern)
        vector = np.zeros(solver.pattern.n)
        vector[places] = b
        assert solver.solve(vector) == 0
        return vector[places]

    def residual(self, x: np.ndarray, b: np.ndarray) -> float:
        """Largest |A x − b| in any row, relative to |A| |x| + |b| of the whole."""
        matrix = self.matrix()
        return float(np.abs(matrix @ x - b).max() / ((abs(matrix) @ np.abs(x)).max() + np.abs(b).max()))


def skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def point(s: np.ndarray) -> np.ndarray:
    """δp = δx + δθ × s of a point at s from the centre of mass."""
    return np.hstack([np.eye(3), -skew(s)])


def revolute(s: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """The point stays, and the body does not turn about the two directions across the axis."""
    across = np.linalg.svd(axis.reshape(1, 3))[2][1:]
    return np.vstack([point(s), np.hstack([np.zeros((2, 3)), across])])


def mass_matrix(direction: np.ndarray, factor: float) -> np.ndarray:
    """Of a link along `direction`, in global axes."""
    u = direction / np.linalg.norm(direction)
    across = np.linalg.svd(u.reshape(1, 3))[2][1:]
    R = np.vstack([u, across]).T
    mass = np.diag(LINK_INERTIA)
    mass[3:, 3:] = R @ mass[3:, 3:] @ R.T
    return factor * mass


def chain(n: int, factor: float = 1.0, geometric: bool = False, straight: bool = True) -> System:
    """n links on revolute joints from the ground on, axes y and (y + z)/√2 in turn; `factor` of the masses.

    geometric: with some coupling between neighbouring links as the joints' geometric stiffness makes it.
    """
    rng = np.random.default_rng(n)
    system = System()
    links = []
    half = np.array([0.5, 0.0, 0.0])
    halves = []
    for _ in range(n):
        halves.append(half)
        links.append(system.block(6, mass_matrix(half, factor)))
        if not straight:
            half = half + 0.3 * rng.standard_normal(3)
            half = 0.5 * half / np.linalg.norm(half)
    for k in range(n):
        axis = np.array([0.0, 1.0, 0.0]) if k % 2 == 0 else np.array([0.0, 0.5, 0.5]) ** 0.5
        joint = system.block(5, np.zeros((5, 5)), multiplier=True)
        system.couple(joint, links[k], -revolute(-halves[k], axis))
        if k:
            system.couple(joint, links[k - 1], revolute(halves[k - 1], axis))
            if geometric:
                system.couple(links[k - 1], links[k], 1e-3 * rng.standard_normal((6, 6)))
    return system


def ring(n: int, factor: float = 1.0) -> System:
    """n links in a plane polygon, closed by n parallel revolute joints: three constraints are redundant."""
    system = System()
    angles = 2 * np.pi * np.arange(n) / n
    size = 0.5 / np.sin(np.pi / n)
    corners = size * np.stack([np.cos(angles), np.sin(angles), np.zeros(n)], axis=1)
    halves = (np.roll(corners, -1, axis=0) - corners) / 2
    links = [system.block(6, mass_matrix(half, factor)) for half in halves]
    for k in range(n):
        joint = system.block(5, np.zeros((5, 5)), multiplier=True)
        axis = np.array([0.0, 0.0, 1.0])
        system.couple(joint, links[k], -revolute(-halves[k], axis))
        system.couple(joint, links[k - 1], revolute(halves[k - 1], axis))
    return system


def hub(n: int, factor: float = 1.0) -> System:
    """A hub with n links on spherical joints around it."""
    rng = np.random.default_rng(n)
    system = System()
    centre = system.block(6, factor * np.diag([10.0, 10, 10, 3, 3, 4]))
    for _ in range(n):
        half = rng.standard_normal(3)
        half *= 0.5 / np.linalg.norm(half)
        link = system.block(6, mass_matrix(half, factor))
        joint = system.block(3, np.zeros((3, 3)), multiplier=True)
        system.couple(joint, centre, point(half))
        system.couple(joint, link, -point(-half))
    return system


def massless_link() -> tuple[System, list[int]]:
    """Two bodies joined by a link without mass, on a universal and a spherical joint."""
    rng = np.random.default_rng(0)
    system = System()
    half = np.array([0.5, 0.1, 0.0])
    masses = (np.diag([2.0, 2, 2, 1, 1, 1]), np.zeros((6, 6)), 3 * np.eye(6))
    a, link, b = (system.block(6, mass) for mass in masses)
    spin = np.hstack([np.zeros(3), half / np.linalg.norm(half)])
    universal = system.block(4, np.zeros((4, 4)), multiplier=True)
    system.couple(universal, link, -np.vstack([point(-half), spin]))
    system.couple(universal, a, np.vstack([point(rng.standard_normal(3)), spin]))
    spherical = system.block(3, np.zeros((3, 3)), multiplier=True)
    system.couple(spherical, link, point(half))
    system.couple(spherical, b, -point(rng.standard_normal(3)))
    return system, [universal, link, spherical]


def grid(n: int, diagonal: bool = False, symmetric: bool = True, seed: int = 0) -> System:
    """n × n nodes of six degrees of freedom, coupled to four (or eight) neighbours."""
    rng = np.random.default_rng(seed)
    system = System()
    for _ in range(n * n):
        system.block(6, np.zeros((6, 6)))
    steps = [(0, 1), (1, 0)] + ([(1, 1), (1, -1)] if diagonal else [])
    for i in range(n):
        for j in range(n):
            system.blocks[i * n + j, i * n + j] += 0.1 * np.eye(6)
            for di, dj in steps:
                if i + di < n and 0 <= j + dj < n:
                    spring(system, i * n + j, (i + di) * n + j + dj, rng, symmetric)
    return system


def spring(system: System, i: int, j: int, rng: np.random.Generator, symmetric: bool = True) -> None:
    """Positive matrix between two blocks; with an unsymmetric part on request."""
    m, n = system.rows[i], system.rows[j]
    factor = rng.standard_normal((m + n, m + n))
    matrix = factor @ factor.T / (m + n)
    if not symmetric:
        matrix += 0.3 * rng.standard_normal((m + n, m + n))
    for (a, b), part in (
        ((i, i), matrix[:m, :m]),
        ((j, j), matrix[m:, m:]),
        ((i, j), matrix[:m, m:]),
        ((j, i), matrix[m:, :m]),
    ):
        system.blocks[a, b] = system.blocks.get((a, b), 0.0) + part


def random_system(seed: int, symmetric: bool = True, constrained: bool = True) -> System:
    """Blocks of sizes 1 … 14, random springs between them, and, if constrained, some random multipliers."""
    rng = np.random.default_rng(seed)
    system = System()
    sizes = [6, 6, 6, 6, 1, 2, 3, 4, 5, 7, 9, 12, 14, *rng.integers(1, 15, 12).tolist()]
    for size in rng.permutation(sizes).tolist():
        system.block(size, np.eye(size))
    bodies = len(system.rows)
    for i in range(1, bodies):
        spring(system, i, int(rng.integers(0, i)), rng, symmetric)
    for _ in range(bodies // 2):
        i, j = rng.choice(bodies, 2, replace=False).tolist()
        spring(system, i, j, rng, symmetric)
    if constrained:
        for _ in range(8):
            a, b = rng.choice([i for i in range(bodies) if system.rows[i] >= 4], 2, replace=False).tolist()
            rows = int(rng.integers(1, 5))
            joint = system.block(rows, np.zeros((rows, rows)), multiplier=True)
            for body in (a, b):
                forwards = rng.standard_normal((rows, system.rows[body]))
                back = None if symmetric else forwards.T + 0.1 * rng.standard_normal(forwards.T.shape)
                system.couple(joint, body, forwards, back)
    return system
