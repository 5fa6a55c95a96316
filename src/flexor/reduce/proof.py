"""Is a reduced body right, and up to which frequency? It is compared with the mesh it came from."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import eigh

from flexor.elements.assembly.batches import batches, kind_of
from flexor.elements.solids.isoparametric import Solid
from flexor.errors import SolveError
from flexor.figure import write
from flexor.reduce.auto import frequency_errors
from flexor.reduce.free_body import FreeBody
from flexor.reduce.invariants import inertia_loads
from flexor.reduce.precise import product
from flexor.reduce.reduced import ReducedBody

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COMPONENTS = ("x", "y", "z", "θx", "θy", "θz")
MASS = 1e-6
"""Largest relative error of mass and inertia."""
LACKING = 0.1
"""Error of the strain energy under its own inertia from which a remedy is named."""
ROUNDING = 1e-6
"""Error of the strain energy that has no direction."""
MATCH = 1e-3
"""Relative difference of ω² by which a mode of the body is another one than that of the mesh."""
NOISE = 10.0
"""How many times the rounding that rigid-body motions show a frequency's square may be off by rounding."""
FREE = 1e-2
"""Largest frequency of a rigid-body motion, relative to the first elastic one."""


@dataclass(frozen=True)
class Validation:
    """What was found; `str()` is a report for people, `to_dict()` one for programs.

    mass, mesh_mass [kg]: of the reduced body, and ρV of the elements with the concentrated masses.
    inertia_error: largest relative error of mass, centre and inertia against the mesh.
    rigid_frequency [Hz]: highest frequency that the stiffness gives a rigid-body motion; zero but for rounding.
    full, reduced: (m,) frequencies of the free body [Hz];  errors: (m,) relative.
    clamped: frequency [Hz] up to which the body clamped at an interface is right by estimate, for each of them.
    compliance: (6c,) relative errors of the static compliance at every connection coordinate, another node clamped.
    weight, spin: largest relative error of the strain energy under its own weight, and under the centrifugal forces of a
        spin about any axis, connection nodes held; None where it has none. weight_along, spin_about: directions in which it is
        as large, or nearly, "x, z"; "xy" is an axis between x and y, axes of the mesh.
    lost: (12, 12) twice the strain energy [J] that the basis lacks, by the body's inertia: accelerations of the origin (3),
        angular accelerations (3), products ωₓωₓ, ω_yω_y, ω_zω_z, ωₓω_y, ωₓω_z, ω_yω_z, axes of the mesh. Connection nodes
        held, or, if the body has free modes alone, all free.
    trusted [Hz]: the last mode, free or clamped, up to which all are right within `tolerance`.
    first_wrong [Hz]: the next one, which is not; None if all that were compared are right.
    problems: why the body must not be used; empty if it may.
    """

    interfaces: tuple[str, ...]
    mass: float
    mesh_mass: float
    inertia_error: float
    rigid_frequency: float
    tolerance: float
    full: tuple[float, ...] = ()
    reduced: tuple[float, ...] = ()
    errors: tuple[float, ...] = ()
    clamped: dict[str, float] = field(default_factory=dict)
    compliance: tuple[float, ...] = ()
    weight: float | None = None
    spin: float | None = None
    weight_along: str = ""
    spin_about: str = ""
    lost: tuple[tuple[float, ...], ...] = ()
    trusted: float = 0.0
    first_wrong: float | None = None
    problems: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the body may be used."""
        return not self.problems

    def refuse(self, name: str) -> None:
        """Raise an error with the causes if the body must not be used."""
        if self.problems:
            raise SolveError(f"the reduced body '{name}' is not right", causes=self.problems)

    def scaled(self, length: float = 1.0, stiffness: float = 1.0, density: float = 1.0) -> Validation:
        """That of the body with all lengths, Young's moduli and densities multiplied.   NAK 6.4"""
        mass, hertz = density * length**3, np.sqrt(stiffness / density) / length
        loads = mass * length ** np.repeat([0.0, 1.0], [3, 9])  # of accelerations; of turning
        lost = np.outer(loads, loads) / (stiffness * length) * np.array(self.lost) if self.lost else np.zeros((0, 0))

        def faster(frequencies: tuple[float, ...]) -> tuple[float, ...]:
            return tuple(float(hertz * f) for f in frequencies)

        return replace(
            self,
            mass=mass * self.mass,
            mesh_mass=mass * self.mesh_mass,
            rigid_frequency=float(hertz * self.rigid_frequency),
            full=faster(self.full),
            reduced=faster(self.reduced),
            clamped={name: float(hertz * f) for name, f in self.clamped.items()},
            lost=tuple(map(tuple, lost.tolist())),
            trusted=float(hertz * self.trusted),
            first_wrong=None if self.first_wrong is None else float(hertz * self.first_wrong),
        )

    def to_dict(self) -> dict[str, object]:
        """Plain numbers and texts, for JSON."""
        return {**asdict(self), "passed": self.passed}

    def __str__(self) -> str:
        lines = [
            f"  mass {self.mass:.6g} kg, of the mesh {self.mesh_mass:.6g} kg; "
            f"mass, centre and inertia within {self.inertia_error:.1e}",
            f"  rigid-body motion: stiffness below {self.rigid_frequency:.1e} Hz",
        ]
        if self.compliance:
            worst = int(np.argmax(self.compliance))
            where = f"{COMPONENTS[worst % 6]} of '{self.interfaces[worst // 6]}'"
            lines.append(f"  static compliance within {self.compliance[worst]:.1e} (worst at {where})")
        if self.weight is not None and self.spin is not None:
            hint = "; add CraigBampton(inertia_shapes=True)" if max(self.weight, self.spin) > LACKING else ""
            along = f" along {self.weight_along}" if self.weight_along else ""
            about = f" about {self.spin_about}" if self.spin_about else ""
            lines.append(
                f"  strain energy that it misses, interfaces held: {_percent(self.weight)} under its weight{along}, "
                f"{_percent(self.spin)} in a spin{about}{hint}"
            )
        if self.full:
            lines.append("  free modes     full [Hz]   reduced [Hz]     error")
            for f, r, e in zip(self.full, self.reduced, self.errors):
                lines.append(f"            {f:13.6g} {r:14.6g}  {e:8.1e}")
        for name, frequency in self.clamped.items():
            lines.append(f"  {name}: right, by estimate, up to its mode at {frequency:.5g} Hz")
        more = "at least " if self.first_wrong is None else ""
        until = "" if self.first_wrong is None else f", until the one at {self.first_wrong:.5g} Hz"
        within = f"all modes, free or clamped, are within {100 * self.tolerance:.2g} %"
        lines.append(f"  trusted up to {more}{self.trusted:.5g} Hz: {within}{until}")
        return "\n".join(lines + [f"  NOT USABLE: {problem}" for problem in self.problems])

    def plot(self, file: str | Path | None = None) -> Figure:
        """Errors over frequency; written to a picture if `file` is given. Returns matplotlib's figure."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 3.5), layout="constrained")
        axes = figure.add_subplot()
        axes.semilogy(self.full, np.maximum(np.abs(self.errors), 1e-12), "o", label="free modes")
        axes.axhline(self.tolerance, color="gray", linewidth=0.8)
        axes.axvline(self.trusted, color="gray", linewidth=0.8, linestyle="--", label=f"trusted, {self.trusted:.4g} Hz")
        axes.set_xlabel("frequency of the full model [Hz]")
        axes.set_ylabel("relative error")
        axes.legend()
        write(figure, file)
        return figure


def validate(p: FreeBody, H: np.ndarray, body: ReducedBody, *, modes: int = 20, tolerance: float = 0.01) -> Validation:
    """Compare a reduced body with the model it came from.

    H: its basis;  modes: how many free modes to compare at most;  tolerance: largest error of a trusted frequency.
    """
    squares, shapes = eigh(body.K, body.M)
    rigid = 6 if body.has_connections else 0
    rigid_squares = eigh(p.rigid.T @ (p.K @ p.rigid), p.rigid_mass, eigvals_only=True)
    found = Validation(
        interfaces=body.interfaces,
        mass=body.invariants.mass,
        mesh_mass=_mesh_mass(p),
        inertia_error=_inertia_error(p, body),
        rigid_frequency=float(_hertz(np.abs(rigid_squares)).max()),
        tolerance=tolerance,
    )
    problems = _problems(found, squares, rigid)
    if problems:  # there is no telling what a comparison would mean
        return replace(found, problems=(*problems, *p.far_away()))
    count = min(modes, len(squares) - rigid)
    full = _hertz(p.free_squares(H @ shapes[:, rigid : rigid + count])[:count])
    reduced = _hertz(squares[rigid : rigid + count])
    errors = reduced / full - 1
    clamped = _clamped(p, H, body, float(full[-1])) if body.has_connections and count else {}
    cases = [(full, np.abs(errors)), *clamped.values()]
    frequencies, all_errors = (np.concatenate([case[k] for case in cases]) for k in (0, 1))
    if np.any(reduced**2 < (1 - 2e-6) * full**2 - _rounding(rigid_squares, squares)):
        problems.append("frequencies lie below those of the full model, which no projection can do")
    needed, lost = _inertia_energies(p, H, body)
    errors_of_loads = _inertia_errors(needed, lost) if body.has_connections else {}
    return replace(
        found,
        **errors_of_loads,
        lost=tuple(map(tuple, lost.tolist())),
        full=tuple(full.tolist()),
        reduced=tuple(reduced.tolist()),
        errors=tuple(errors.tolist()),
        clamped={name: _settled(*case, tolerance) for name, case in clamped.items()},
        compliance=tuple(np.abs(_compliance_errors(p, body, squares[rigid:], shapes[:, rigid:])).tolist()),
        trusted=_settled(frequencies, all_errors, tolerance),
        first_wrong=float(frequencies[all_errors > tolerance].min()) if np.any(all_errors > tolerance) else None,
        problems=tuple(problems),
    )


def _problems(found: Validation, squares: np.ndarray, rigid: int) -> list[str]:
    """Why the body must not be used, whatever the full model says."""
    problems = []
    if not abs(found.mass - found.mesh_mass) <= MASS * found.mesh_mass:
        problems.append(f"it has a mass of {found.mass:.6g} kg, the mesh {found.mesh_mass:.6g} kg; check the units")
    if not found.inertia_error <= MASS:
        problems.append("mass, centre or inertia were lost; a link of the mesh does not let it move as a rigid body")
    if squares[0] < -1e-6 * abs(squares[-1]):
        problems.append("its stiffness is not positive; an element is turned inside out or matrices are not symmetric")
    elastic = float(_hertz(squares[rigid:])[0]) if len(squares) > rigid else np.inf
    if not found.rigid_frequency <= FREE * elastic:
        problems.append(
            f"a rigid-body motion is lost, or there is a mechanism: the stiffness gives rigid-body motions up to "
            f"{found.rigid_frequency:.3g} Hz and the first elastic mode {elastic:.3g} Hz; look for supports, springs "
            "to ground, links that lock, hinges in the mesh, matrices printed with few digits, and solid elements so thin that "
            "rounding of their stiffness along the sheet outweighs its bending: use shells, or shorter elements"
        )
    return problems


def _rounding(rigid_squares: np.ndarray, squares: np.ndarray) -> float:
    """How far rounding alone may put the square of a frequency off [Hz²].

    ω² of rigid-body motions should be zero: what the stiffness matrix gives instead is its rounding, the sum of large stiffnesses
    (of a thin plate along itself) that cancel in what is soft. The eigenvalues of the small matrices have an absolute error of
    the order ε ω²_max.
    """
    noise = max(float(np.abs(rigid_squares).max()), float(np.finfo(float).eps * np.abs(squares[-1])))
    return NOISE * noise / (2 * np.pi) ** 2


def _percent(share: float) -> str:
    """`0.012 %`, `3 %`, `100 %`"""
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"


def _hertz(squares: np.ndarray) -> np.ndarray:
    return np.sqrt(np.maximum(squares, 0.0)) / (2 * np.pi)


def _settled(frequencies: np.ndarray, errors: np.ndarray, tolerance: float) -> float:
    """The highest frequency up to which no error is too large."""
    order = np.argsort(frequencies)
    good = errors[order] <= tolerance
    count = len(good) if good.all() else int(np.argmin(good))
    return float(frequencies[order[count - 1]]) if count else 0.0


def _clamped(p: FreeBody, H: np.ndarray, body: ReducedBody, highest: float) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Frequencies [Hz] and estimated errors of the body clamped at each interface, up to a frequency."""
    cases = frequency_errors(p, H, (2 * np.pi * highest) ** 2, _lowest_lacking(p, body))
    return {name: (_hertz(squares), errors) for name, squares, errors in cases[1:]}


def _lowest_lacking(p: FreeBody, body: ReducedBody) -> float:
    """ω² of the lowest mode with held connection nodes that the body lacks; its own highest, where no more are known."""
    inner = slice(body.n_connections, None)
    own = eigh(body.K[inner, inner], body.M[inner, inner], eigvals_only=True) if body.size > body.n_connections else []
    known = max(p.held_squares, key=len, default=np.zeros(0))
    if not len(own):
        held = known if len(known) else p.held_modes(1)[0]
        return float(held[0]) if len(held) else np.inf  # where all nodes are tied nothing is left out
    both = min(len(own), len(known))
    lacking = np.flatnonzero(own[:both] > (1 + MATCH) * known[:both])
    if len(lacking):
        return float(known[lacking[0]])
    return float(known[both] if len(known) > both else own[-1])


def _inertia_error(p: FreeBody, body: ReducedBody) -> float:
    """Largest relative error of mass, centre and inertia: rigid motion of the coordinates against that of the mesh."""
    if not body.has_connections:
        return 0.0
    R, scale = body.rigid, np.repeat([1.0, 1 / p.size], 3)
    full = np.asarray(p.T @ p.rigid)
    exact = full.T @ (p.M_full @ full) * np.outer(scale, scale)
    return float(np.abs(R.T @ body.M @ R * np.outer(scale, scale) - exact).max() / exact[0, 0])


def _mesh_mass(p: FreeBody) -> float:
    """ρV of the elements and the concentrated masses [kg]; from the mass matrix where elements have other mass."""
    if p.mesh is None or not all(issubclass(kind_of(block), Solid) for block in p.mesh.blocks):
        return float(np.trace(p.rigid_mass[:3, :3]) / 3)
    mass = sum(float(np.trace(np.asarray(m.matrix)[:3, :3])) / 3 for m in p.mesh.masses)
    for block in p.mesh.blocks:
        for batch in batches(p.mesh, block, p.options):
            mass += float(np.sum(batch.kind.volume(batch.X, batch.properties) * batch.properties.density))
    return mass


def _compliance_errors(p: FreeBody, body: ReducedBody, squares: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    """(6c,) relative errors of the motion of a connection coordinate under a unit load on it.

    Another connection node is clamped. Where there is none, or the coordinates are modes alone, the free body's
    deformation counts, its rigid acceleration taken out.
    """
    if not p.n_connections:
        return np.zeros(0)
    if body.has_connections and len(p.names) > 1:
        exact = p.static.T @ product(p.K, p.static)
        nodes = range(len(p.names))
        return np.concatenate([_compliance(body.K, k) / _compliance(exact, k) - 1 for k in nodes])
    loads = p.C.T.toarray()
    exact = np.einsum("ij,ij->j", loads, p.solve_free(p.balanced(loads)))
    return ((body.at_connections @ shapes) ** 2 / squares).sum(axis=1) / exact - 1


def _inertia_energies(p: FreeBody, H: np.ndarray, body: ReducedBody) -> tuple[np.ndarray, np.ndarray]:
    """Twice the strain energies (12, 12) of the model under its inertia loads, and what the basis lacks of them.

    The deformation that the basis lacks is orthogonal in K to all it has, so that energies subtract.
    """
    loads = inertia_loads(p) if body.has_connections else p.balanced(inertia_loads(p))
    full = p.held.solve(loads) if body.has_connections else p.solve_free(loads)
    inner = slice(body.n_connections, None)
    forces = (H.T @ loads)[inner]
    needed = loads.T @ full
    lost = needed - forces.T @ np.linalg.solve(body.K[inner, inner], forces) if len(forces) else needed
    return 0.5 * (needed + needed.T), 0.5 * (lost + lost.T)


def _inertia_errors(needed: np.ndarray, lost: np.ndarray) -> dict[str, Any]:
    """Largest relative errors of strain energy, connection nodes held, and where: unit accelerations, spins about any axis."""
    chosen = [0, 1, 2, 6, 7, 8, 9, 10, 11]
    exact = np.diag(needed)[chosen]
    errors = np.where(
        exact > 1e-4 * exact.max(),  # a load that strains it next to nothing does not count
        np.diag(lost)[chosen] / np.where(exact > 0, exact, 1.0),
        0.0,
    )
    weight, spin = np.abs(errors[:3]), np.abs(errors[3:])

    def worst(values: np.ndarray) -> str:
        large = values >= max(0.9 * float(values.max()), ROUNDING)
        return ", ".join(name for name, told in zip(("x", "y", "z", "xy", "xz", "yz"), large) if told)

    return {
        "weight": float(weight.max()),
        "weight_along": worst(weight),
        "spin": float(spin.max()),
        "spin_about": worst(spin),
    }


def _compliance(K: np.ndarray, node: int) -> np.ndarray:
    """(6,) compliance of a connection node with another one clamped."""
    clamp = 0 if node else 1
    kept = np.setdiff1d(np.arange(len(K)), np.arange(6 * clamp, 6 * clamp + 6))
    at = np.searchsorted(kept, np.arange(6 * node, 6 * node + 6))
    return np.linalg.inv(K[np.ix_(kept, kept)])[at, at]
