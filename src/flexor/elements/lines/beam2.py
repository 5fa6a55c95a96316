"""Straight beam of uniform section between two nodes.

Axial force, bending about both axes of an unsymmetric section, shear, St. Venant torsion about the shear centre
(FTG A.9). All of it follows from the section's compliance and equilibrium: with the wrench Q at the middle of the
beam, the section forces at ξ are s = T(−ξ)ᵀ Q and the strains e = S s, so that the ends move against each other by
    v = F Q,   F = ∫ T(−ξ) S T(−ξ)ᵀ dξ = L S + L³/12 Ē S Ēᵀ,   T(ξ) = I + ξ Ē  (twist moved by ξ along the axis)
which is exact for loads at the nodes, whatever couples in S.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexor.elements.axes import columns_to_global, matrix_to_global, strain_to_global, stress_to_global
from flexor.elements.element import Element, Properties
from flexor.elements.lines.pins import released
from flexor.elements.needs import material_of, section_of
from flexor.errors import ModelError, Problem
from flexor.materials import Material
from flexor.mesh.section import BEAM_SECTIONS
from flexor.spatial import PERMUTATION, shift_matrix, skew

_AXIS = np.array([1.0, 0.0, 0.0])
_SLIDE = np.zeros((6, 6))  # Ē
_SLIDE[:3, 3:] = -skew(_AXIS)
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(4)


class Beam2(Element):
    """Two-node beam with 6 freedoms per node.

    orientation: column 1 is the direction of the section's y axis (made perpendicular to the beam). Without it z points
    as far up (global z) as it can; along a vertical beam, y is the global y.
    data: `offsets` (m, 2, 3) from the nodes to the beam's ends at the centroid, global axes [m]; `pins` (m, 2, 6) true
    where an end is released from its node, local axes; `length` (m,) effective lengths for the stiffness [m];
    `compliance` (m, 6, 6) in place of that of the section, e.g. of one that changes along the beam.
    """

    name = "beam2"
    n_nodes = 2
    dofs = 6
    corners = ((-1.0,), (1.0,))
    abaqus = ("B31", "B33")
    nastran = ("CBAR", "CBEAM")
    gmsh = 1
    vtk = 3

    @classmethod
    def stiffness(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        beam = _Beam(X, p)
        return beam.to_nodes(beam.stiffness())

    @classmethod
    def mass(cls, X: np.ndarray, p: Properties, lumped: bool = False) -> np.ndarray:
        beam = _Beam(X, p)
        if not lumped:
            return beam.to_nodes(beam.mass(_inertia(p)))
        half = beam.length[:, None] / 2 * _inertia(p)[:, [0, 3, 4, 5], [0, 3, 4, 5]]
        turned = np.einsum("mij,mj,mij->mi", beam.R, half[:, 1:], beam.R)  # diagonal of R J Rᵀ
        node = np.concatenate([np.repeat(half[:, :1], 3, axis=1), turned], axis=1)
        return np.einsum("mi,ij->mij", np.concatenate([node, node], axis=1), np.eye(12))

    @classmethod
    def spin_load(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        """(m, 3, 3, 12) inertia forces at the nodes: Σ ωᵢωⱼ of them is that of a steady spin about the origin of X.

        Consistent with the element's own displacements, linear along the axis and cubic across; force and moment are
        exact, with the rotary inertia of the sections."""
        return _Beam(X, p).spin_load(_inertia(p))

    @classmethod
    def volume(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        return _Beam(X, p).length * section_of("beam2", p, BEAM_SECTIONS).area

    @classmethod
    def force_operator(cls, X: np.ndarray, p: Properties, where: str = "nodes") -> np.ndarray:
        """(m, points, 6, 12) from nodal displacements to section forces (N, Vy, Vz, T, My, Mz) in section axes, at
        both ends ("nodes") or in the middle ("center"); those which the part beyond exerts on the part before."""
        return _Beam(X, p).forces(where)

    @classmethod
    def fibre_stress_operator(cls, X: np.ndarray, p: Properties, where: str = "nodes") -> np.ndarray:
        """(m, points, 6, 12) from nodal displacements to stress in global axes [Pa] at the section's stress points: for
        each of them both ends ("nodes") or the middle ("center")."""
        beam = _Beam(X, p)
        return stress_to_global(_at_fibres(beam.forces(where), p), beam.R)

    @classmethod
    def fibre_strain_operator(cls, X: np.ndarray, p: Properties, where: str = "nodes") -> np.ndarray:
        """The same for strain."""
        beam = _Beam(X, p)
        strain = np.linalg.inv(material_of("beam2", p).stiffness()) @ _at_fibres(beam.forces(where), p)
        return strain_to_global(strain, beam.R)


class _Beam:
    """Geometry and flexibility of m beams."""

    def __init__(self, X: np.ndarray, p: Properties) -> None:
        section_of("beam2", p, BEAM_SECTIONS), material_of("beam2", p)
        self.offsets = np.asarray(p.data["offsets"], dtype=float) if "offsets" in p.data else np.zeros_like(X)
        ends = X + self.offsets
        self.R, self.length = _axes(ends, p.orientation, "length" in p.data)
        self.middle = ends.mean(axis=1)
        self.compliance, self.active = _compliance(p)
        self.compliance = np.asarray(p.data.get("compliance", self.compliance), dtype=float)
        effective = np.asarray(p.data.get("length", self.length), dtype=float)
        self.Q = np.zeros((len(X), 6, 6))  # wrench at the middle per relative motion there
        act = np.ix_(np.arange(len(X)), self.active, self.active)
        self.Q[act] = np.linalg.inv(_flexibility(self.compliance, effective)[act])
        self.pins = np.asarray(p.data["pins"], dtype=bool).reshape(-1, 12) if "pins" in p.data else None

    def relative(self) -> np.ndarray:
        """(m, 6, 12) from the ends' local freedoms to the motion of end 2 against end 1, both carried to the middle."""
        half = self.length[:, None] / 2 * _AXIS
        return np.concatenate([-shift_matrix(half), shift_matrix(-half)], axis=-1)

    def stiffness(self) -> np.ndarray:
        """(m, 12, 12) of the ends, local axes, before pins."""
        G = self.relative()
        return G.swapaxes(1, 2) @ self.Q @ G

    def motions(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """At four places along the beam: distance from the middle (m,), length that the place stands for (m,), and
        (m, 6, 12) motion of the section per motion of the ends, local axes: as it is under loads at the ends."""
        S, L = self.compliance, self.length
        start = -L / 2
        bend = np.linalg.solve(_flexibility(S, np.where(L > 0, L, 1.0)), self.relative())
        ES, SE, ESE = _SLIDE @ S, S @ _SLIDE.T, _SLIDE @ S @ _SLIDE.T
        for point, weight in zip(_POINTS, _WEIGHTS):
            x = (point * L / 2)[:, None, None]
            a = start[:, None, None]
            # u(x) = T(x − a) u₁ + ∫ T(x − ξ) S T(−ξ)ᵀ dξ Q   from a, the first end, to x
            moved = (x - a) * S + (x - a) ** 2 / 2 * ES - (x**2 - a**2) / 2 * SE
            N = (moved - (x**3 / 6 - x * a**2 / 2 + a**3 / 3) * ESE) @ bend
            N[:, :, :6] += shift_matrix((x - a)[:, :, 0] * _AXIS)
            yield point * L / 2, weight * L / 2, N

    def mass(self, inertia: np.ndarray) -> np.ndarray:
        """(m, 12, 12) of the ends, local axes."""
        parts = [share[:, None, None] * (N.swapaxes(1, 2) @ inertia @ N) for _, share, N in self.motions()]
        return np.sum(parts, axis=0)

    def spin_load(self, inertia: np.ndarray) -> np.ndarray:
        """(m, 3, 3, 12) ∫Nᵀ (ρA eᵢ × (eⱼ × x), eᵢ × J eⱼ) dξ at the nodes, global axes."""
        B = np.eye(12) if self.pins is None else released(self.stiffness(), self.pins)
        B = columns_to_global(np.broadcast_to(B, (len(self.R), 12, 12)), self.R) @ _arms(self.offsets)
        J = self.R @ inertia[:, 3:, 3:] @ self.R.swapaxes(1, 2)
        load = np.zeros((len(self.R), 3, 3, 12))
        for xi, share, N in self.motions():
            x = self.middle + xi[:, None] * self.R[:, :, 0]
            # eᵢ × (eⱼ × x) = eⱼ xᵢ − δᵢⱼ x
            turned = np.einsum("jk,mi->mijk", np.eye(3), x) - np.einsum("ij,mk->mijk", np.eye(3), x)
            density = np.concatenate(
                [inertia[:, 0, 0, None, None, None] * turned, np.einsum("aib,mbj->mija", PERMUTATION, J)], axis=-1
            )
            local = (density.reshape(-1, 3, 3, 2, 3) @ self.R[:, None, None]).reshape(-1, 3, 3, 6)
            load += share[:, None, None, None] * (local @ N[:, None])
        return load @ B[:, None]

    def to_nodes(self, A: np.ndarray) -> np.ndarray:
        """Matrices of the ends, local axes, for the nodes' freedoms in global axes."""
        if self.pins is not None:
            C = released(self.stiffness(), self.pins)
            A = C.swapaxes(1, 2) @ A @ C
        arms = _arms(self.offsets)
        return arms.swapaxes(1, 2) @ matrix_to_global(A, self.R) @ arms

    def forces(self, where: str) -> np.ndarray:
        """(m, points, 6, 12) section forces in section axes per nodal displacement."""
        wrench = self.Q @ self.relative()
        if self.pins is not None:
            wrench = wrench @ released(self.stiffness(), self.pins)
        wrench = columns_to_global(wrench, self.R) @ _arms(self.offsets)
        if where not in ("nodes", "center"):
            raise ValueError(f"beam2 has no place '{where}' for forces and stress; use nodes or center")
        stations = (0.0,) if where == "center" else (-0.5, 0.5)
        carried = [shift_matrix(-at * self.length[:, None] * _AXIS).swapaxes(1, 2) @ wrench for at in stations]
        return np.stack(carried, axis=1)  # s(ξ) = T(−ξ)ᵀ Q


def _axes(ends: np.ndarray, orientation: np.ndarray | None, short: bool) -> tuple[np.ndarray, np.ndarray]:
    """(m, 3, 3) axes as columns and (m,) lengths; a beam of length zero takes its axis from the orientation."""
    x = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(x, axis=1)
    size = np.abs(ends - ends[:, :1]).max(initial=0.0) + np.abs(ends).max(initial=0.0)
    none = length <= 1e-12 * size
    if none.any() and (not short or orientation is None):
        raise _refused(none, "its ends coincide", "it has no direction; merge the nodes or give it offsets")
    x = np.where(none[:, None], orientation[:, :, 0], x) if orientation is not None else x
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    if orientation is not None:
        y = orientation[:, :, 1]
    else:
        y = np.cross([0.0, 0.0, 1.0], x)
        y = np.where(np.linalg.norm(y, axis=1, keepdims=True) > 1e-6, y, [0.0, 1.0, 0.0])
    y = y - np.einsum("mi,mi->m", x, y)[:, None] * x
    across = np.linalg.norm(y, axis=1)
    if (across < 1e-9).any():
        raise _refused(across < 1e-9, "its orientation is along the beam", "give a direction that crosses it")
    y = y / across[:, None]
    return np.stack([x, y, np.cross(x, y)], axis=-1), np.where(none, 0.0, length)


def _refused(which: np.ndarray, what: str, fix: str) -> ModelError:
    first, count = int(np.flatnonzero(which)[0]) + 1, int(which.sum())
    return ModelError(Problem(f"beam2, element {first} of its block", what, f"{count} such beam(s)", fix))


def _moduli(material: Material) -> tuple[float, float, float, float]:
    """Young's modulus along the beam, shear moduli xy and xz, and their mean for torsion [Pa]."""
    compliance = np.linalg.inv(material.stiffness())
    E, Gy, Gz = 1 / compliance[0, 0], 1 / compliance[3, 3], 1 / compliance[5, 5]
    return E, Gy, Gz, (Gy + Gz) / 2


def _compliance(p: Properties) -> tuple[np.ndarray, np.ndarray]:
    """S (6, 6) from section forces (N, Vy, Vz, T, My, Mz) at the centroid to strains (ε, γy, γz, κx, κy, κz), and the
    forces that the section can bear. Where it bears none, S is 1, which only shapes the mass matrix."""
    s = section_of("beam2", p, BEAM_SECTIONS)
    E, Gy, Gz, G = _moduli(material_of("beam2", p))
    bears = np.array([s.area > 0, s.Iz > 0, s.Iy > 0, s.J > 0, s.Iy > 0, s.Iz > 0])
    S = np.diag((~bears).astype(float))
    S[0, 0] += 1 / (E * s.area) if s.area > 0 else 0.0
    I = np.array([[s.Iy or 1 / E, -s.Iyz], [-s.Iyz, s.Iz or 1 / E]])  # σ = E (ε + z κy − y κz)
    S[4:, 4:] = np.linalg.inv(E * I)
    for i, modulus, factor in ((1, Gy, s.shear_factors[0]), (2, Gz, s.shear_factors[1])):
        if bears[i]:
            S[i, i] = 1 / (factor * modulus * s.area) if s.shear and factor > 0 and s.area > 0 else 0.0
    if s.J > 0:
        y, z = s.shear_center
        about = np.array([0, z, -y, 1, 0, 0]) * bears  # torque about the shear centre T − (y Vz − z Vy)
        S += np.outer(about, about) / (G * s.J)
    return S, np.flatnonzero(bears)


def _flexibility(S: np.ndarray, length: np.ndarray) -> np.ndarray:
    L = length[:, None, None]
    return L * S + L**3 / 12 * (_SLIDE @ S @ _SLIDE.T)


def _inertia(p: Properties) -> np.ndarray:
    """(m|1, 6, 6) inertia of the section per length at the centroid, section axes [kg/m, kg m]."""
    s, rho = section_of("beam2", p, BEAM_SECTIONS), np.asarray(p.density, dtype=float)
    M = np.zeros((len(rho), 6, 6))
    M[:, range(3), range(3)] = (rho * s.area + s.line_mass)[:, None]
    M[:, 3, 3] = rho * (s.Iy + s.Iz) + s.line_inertia
    M[:, 4, 4], M[:, 5, 5] = rho * s.Iy, rho * s.Iz
    M[:, 4, 5] = M[:, 5, 4] = -rho * s.Iyz
    return M


def _arms(offsets: np.ndarray) -> np.ndarray:
    """(m, 12, 12) from the nodes' freedoms to those of the beam's ends on rigid arms, global axes."""
    T = np.zeros((len(offsets), 12, 12))
    T[:, :6, :6], T[:, 6:, 6:] = shift_matrix(offsets[:, 0]), shift_matrix(offsets[:, 1])
    return T


def _at_fibres(forces: np.ndarray, p: Properties) -> np.ndarray:
    """(m, points × stations, 6, 12) stress in section axes at the section's stress points, from section forces."""
    S, _ = _compliance(p)
    section, E = section_of("beam2", p, BEAM_SECTIONS), _moduli(material_of("beam2", p))[0]
    y_s, z_s = section.shear_center
    torque = forces[:, :, 3] - y_s * forces[:, :, 2] + z_s * forces[:, :, 1]
    strain = S @ forces
    parts = []
    for y, z, torsion_y, torsion_z in section.stress_points():
        stress = np.zeros_like(forces)
        stress[:, :, 0] = E * (strain[:, :, 0] + z * strain[:, :, 4] - y * strain[:, :, 5])
        stress[:, :, 3], stress[:, :, 5] = torsion_y * torque, torsion_z * torque
        parts.append(stress)
    return np.concatenate(parts, axis=1)
