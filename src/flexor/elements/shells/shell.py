"""What three- and four-node shells have in common: a flat element of membrane, bending and transverse shear.

Each element lies in a plane of its own. Nodes off that plane (warped quadrilaterals, sections with an offset) are tied
to it by rigid arms along the normal, so that every rigid motion stays free of strain and forces balance:
    u_plane = u + θ × d n        d from the node to the element's middle surface
Freedoms in the plane: u, v, θz belong to the membrane, w, θx, θy to the plate. A facet of a curved shell knows the
curvature of the surface around it and does not take bending for rotation about its normal (`drilling`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import numpy as np

from flexor.elements.axes import columns_to_global, matrix_to_global, strain_to_global, stress_to_global
from flexor.elements.element import Element, Properties
from flexor.elements.needs import material_of, section_of
from flexor.elements.quadrature import Rule
from flexor.elements.shells.drilling import drilling
from flexor.errors import ModelError, Problem
from flexor.materials.laminate import Laminate, ShellStiffness
from flexor.mesh.section import SHELL_SECTIONS
from flexor.spatial import skew

Point = Sequence[float] | np.ndarray
Strains = Callable[[Point], tuple[np.ndarray, np.ndarray, np.ndarray]]
_MEMBRANE, _PLATE = (0, 1, 5), (2, 3, 4)


class Shell(Element):
    """Base of the shells. A subclass tells its plane, its strains and its shape functions.

    section: ShellSection or Laminate.
    orientation: column 0, projected onto the element, is the material's axis 1 (global x without it); where it stands
    on the element, column 2 takes its place. data: `thickness` (m,) and `offset` (m,) in place of the section's [m];
    `curvature` (m, 3, 3) of the surface (see `facet_curvature`), none without it.
    """

    dofs = 6
    rule: ClassVar[Rule]
    center: ClassVar[Point]

    @classmethod
    def plane(cls, X: np.ndarray) -> np.ndarray:
        """(m, 3, 3) axes as columns, the normal last."""
        raise TypeError(f"{cls.name} declares no such part")

    @classmethod
    def shapes(cls, point: Point) -> tuple[np.ndarray, np.ndarray]:
        """Shape functions (k,) and their natural derivatives (2, k)."""
        raise TypeError(f"{cls.name} declares no such part")

    @classmethod
    def strains(cls, xy: np.ndarray, c: ShellStiffness) -> Strains:
        """Function from a point to the operators of membrane strain, curvature (m, 3, 3k) and shear (m, 2, 3k)."""
        raise TypeError(f"{cls.name} declares no such part")

    @classmethod
    def stiffness(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        R, xy, arm, c = cls._flat(X, p)
        strains = cls.strains(xy, c)
        n = 3 * cls.n_nodes
        membrane, plate, coupling = np.zeros((3, len(X), n, n))
        coupled = bool(np.abs(c.B).max() > 1e-12 * np.sqrt(np.abs(c.A).max() * np.abs(c.D).max()))
        for point, weight in zip(cls.rule.points, cls.rule.weights):
            Bm, Bb, Bs = strains(point)
            dA = (weight * cls.area_ratio(xy, point))[:, None, None]
            membrane += Bm.swapaxes(1, 2) @ (dA * c.A @ Bm)
            plate += Bb.swapaxes(1, 2) @ (dA * c.D @ Bb) + Bs.swapaxes(1, 2) @ (dA * c.S @ Bs)
            if coupled:
                coupling += Bm.swapaxes(1, 2) @ (dA * c.B @ Bb)
        K = np.zeros((len(X), 2 * n, 2 * n))
        im, ib = _freedoms(cls.n_nodes, _MEMBRANE), _freedoms(cls.n_nodes, _PLATE)
        K[:, im[:, None], im], K[:, ib[:, None], ib] = membrane, plate
        K[:, im[:, None], ib], K[:, ib[:, None], im] = coupling, coupling.swapaxes(1, 2)
        turn = cls._drilling(R, xy, arm, p)
        K = _to_nodes(_to_nodes(K, arm, turn).swapaxes(1, 2), arm, turn)
        K = matrix_to_global(K, R)
        return (K + K.swapaxes(1, 2)) / 2

    @classmethod
    def mass(cls, X: np.ndarray, p: Properties, lumped: bool = False) -> np.ndarray:
        """Consistent: bilinear motion with rotary inertia, none about the normal. Lumped: a diagonal, with the rotary
        inertia about all three axes alike and without the coupling of an offset."""
        section = section_of(cls.name, p, SHELL_SECTIONS)
        m, k, offset = len(X), cls.n_nodes, cls._offset(p)
        moments = section.area_moments(np.asarray(p.density, dtype=float), p.data.get("thickness"))
        m0, m1, m2 = np.broadcast_to(moments, (m, 3)).T  # about the middle of the thickness
        m1, m2 = m1 + offset * m0, m2 + 2 * offset * m1 + offset**2 * m0  # about the nodes
        share = np.zeros((m, k, k))
        for point, weight in zip(cls.rule.points, cls.rule.weights):
            N, dN = cls.shapes(point)
            share += (weight * _surface(dN, X))[:, None, None] * np.outer(N, N)
        if lumped:
            node = np.stack([m0, m0, m0, m2, m2, m2], axis=-1)
            diagonal = (share.sum(axis=2)[:, :, None] * node[:, None, :]).reshape(m, 6 * k)
            return diagonal[:, :, None] * np.eye(6 * k)
        n = cls.plane(X)[:, :, 2]
        block = np.zeros((m, 6, 6))
        block[:, :3, :3] = m0[:, None, None] * np.eye(3)
        block[:, :3, 3:] = -m1[:, None, None] * skew(n)  # u = θ × z n
        block[:, 3:, :3] = block[:, :3, 3:].swapaxes(1, 2)
        block[:, 3:, 3:] = m2[:, None, None] * (np.eye(3) - n[:, :, None] * n[:, None, :])
        return np.einsum("mij,mde->midje", share, block).reshape(m, 6 * k, 6 * k)

    @classmethod
    def volume(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        points = zip(cls.rule.points, cls.rule.weights)
        area = sum(weight * _surface(cls.shapes(point)[1], X) for point, weight in points)
        return area * cls._stiffness(p).thickness

    @classmethod
    def jacobians(cls, X: np.ndarray) -> np.ndarray:
        R = cls.plane(X)
        xy = np.einsum("mki,mij->mkj", X - X.mean(axis=1, keepdims=True), R)[..., :2]
        return np.stack([cls.area_ratio(xy, corner) for corner in cls.corners], axis=1)

    @classmethod
    def area_ratio(cls, xy: np.ndarray, point: Point) -> np.ndarray:
        """(m,) determinant of the Jacobian in the plane."""
        J = cls.shapes(point)[1] @ xy
        return J[:, 0, 0] * J[:, 1, 1] - J[:, 0, 1] * J[:, 1, 0]

    @classmethod
    def resultant_operator(cls, X: np.ndarray, p: Properties, where: str = "nodes") -> np.ndarray:
        """(m, points, 8, N) from nodal displacements to Nxx, Nyy, Nxy [N/m], Mxx, Myy, Mxy [N], qx, qy [N/m] in the
        element's own axes (`plane`)."""
        parts = []
        for R, c, Bm, Bb, Bs in cls._operators(X, p, where):
            N, M, q = c.A @ Bm + c.B @ Bb, c.B @ Bm + c.D @ Bb, c.S @ Bs
            parts.append(columns_to_global(np.concatenate([N, M, q], axis=1), R))
        return np.stack(parts, axis=1)

    @classmethod
    def stress_operator(cls, X: np.ndarray, p: Properties, where: str = "nodes") -> np.ndarray:
        return cls._recover(X, p, where, strain=False)

    @classmethod
    def strain_operator(cls, X: np.ndarray, p: Properties, where: str = "nodes") -> np.ndarray:
        return cls._recover(X, p, where, strain=True)

    @classmethod
    def _recover(cls, X: np.ndarray, p: Properties, where: str, strain: bool) -> np.ndarray:
        """Stress or strain at the points of the top, then the middle, then the bottom."""
        points = list(cls._operators(X, p, where))
        rows = []
        for index in range(3):
            for R, c, Bm, Bb, Bs in points:
                layer = c.layers[index]
                in_plane, shear = Bm + layer.z[:, None, None] * Bb, layer.flow @ (c.S @ Bs)
                local = np.zeros((len(X), 6, 6 * cls.n_nodes))
                if strain:
                    local[:, 2] = (layer.thinning[:, None] @ in_plane)[:, 0]
                    shear = np.linalg.solve(np.broadcast_to(layer.transverse, (len(X), 2, 2)), shear)
                else:
                    in_plane = layer.in_plane @ in_plane
                local[:, [0, 1, 3]], local[:, [5, 4]] = in_plane, shear
                rows.append(columns_to_global(local, R))
        convert = strain_to_global if strain else stress_to_global
        return convert(np.stack(rows, axis=1), points[0][0])

    @classmethod
    def _operators(
        cls, X: np.ndarray, p: Properties, where: str
    ) -> Iterator[tuple[np.ndarray, ShellStiffness, np.ndarray, np.ndarray, np.ndarray]]:
        """At each point: axes, stiffness, and the operators of strain on all local freedoms of the nodes."""
        R, xy, arm, c = cls._flat(X, p)
        strains, turn = cls.strains(xy, c), cls._drilling(R, xy, arm, p)
        im, ib = _freedoms(cls.n_nodes, _MEMBRANE), _freedoms(cls.n_nodes, _PLATE)
        for point in cls._points(where):
            wide = []
            for B, columns in zip(strains(point), (im, ib, ib)):
                all_freedoms = np.zeros((*B.shape[:2], 6 * cls.n_nodes))
                all_freedoms[:, :, columns] = B
                wide.append(_to_nodes(all_freedoms, arm, turn))
            yield R, c, wide[0], wide[1], wide[2]

    @classmethod
    def _points(cls, where: str) -> np.ndarray:
        if where not in ("nodes", "center", "points"):
            raise ValueError(f"{cls.name} has no place '{where}' for stress; use nodes, center or points")
        return np.array({"nodes": cls.corners, "center": [cls.center], "points": cls.rule.points}[where])

    @classmethod
    def _flat(cls, X: np.ndarray, p: Properties) -> tuple[np.ndarray, np.ndarray, np.ndarray, ShellStiffness]:
        """Axes, nodes in the plane (m, k, 2), arms from the nodes to it (m, k) and the stiffness in these axes."""
        R = cls.plane(X)
        flat = ~np.isfinite(R).all(axis=(1, 2))
        if flat.any():
            raise ModelError(
                Problem(
                    f"{cls.name}, element {int(np.flatnonzero(flat)[0]) + 1} of its block",
                    "its nodes lie on one line",
                    f"{int(flat.sum())} such element(s) have no area",
                    "merge or move the nodes",
                )
            )
        c = cls._stiffness(p).turned(_material_angle(R, p.orientation))
        local = np.einsum("mki,mij->mkj", X - X.mean(axis=1, keepdims=True), R)
        arm = np.reshape(cls._offset(p), (-1, 1)) - local[..., 2]
        return R, np.ascontiguousarray(local[..., :2]), arm, c

    @classmethod
    def _drilling(cls, R: np.ndarray, xy: np.ndarray, arm: np.ndarray, p: Properties) -> np.ndarray | None:
        """What bending adds to the rotations about the normal, or None where the shell is flat."""
        C = p.data.get("curvature")
        if C is None or not np.any(C):
            return None
        in_plane = R[:, :, :2]
        z = np.reshape(cls._offset(p), (-1, 1)) - arm
        return drilling(xy, z, in_plane.swapaxes(1, 2) @ C @ in_plane)

    @classmethod
    def _stiffness(cls, p: Properties) -> ShellStiffness:
        section = section_of(cls.name, p, SHELL_SECTIONS)
        if isinstance(section, Laminate):
            return section.stiffness()
        return section.stiffness(material_of(cls.name, p), p.data.get("thickness"))

    @classmethod
    def _offset(cls, p: Properties) -> np.ndarray:
        return np.asarray(p.data.get("offset", section_of(cls.name, p, SHELL_SECTIONS).offset), dtype=float)


def _freedoms(nodes: int, of_node: tuple[int, ...]) -> np.ndarray:
    return (6 * np.arange(nodes)[:, None] + np.array(of_node)).ravel()


def _to_nodes(B: np.ndarray, arm: np.ndarray, turn: np.ndarray | None) -> np.ndarray:
    """(m, rows, 6k) operators on freedoms in the plane, made to act on those of the nodes: drilling, then arms."""
    B = _on_arms(B, arm)
    if turn is not None:
        nodes = B.reshape(*B.shape[:2], -1, 6)
        nodes[..., 3:5] += np.einsum("mri,mija->mrja", nodes[..., 5], turn)
    return B


def _on_arms(B: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """(m, rows, 6k) operators on freedoms in the plane, made to act on nodes on arms (m, k) from there."""
    B = np.array(B)
    nodes = B.reshape(*B.shape[:2], -1, 6)
    nodes[..., 4] += arm[:, None] * nodes[..., 0]  # u + d θy
    nodes[..., 3] -= arm[:, None] * nodes[..., 1]  # v − d θx
    return B


def _surface(dN: np.ndarray, X: np.ndarray) -> np.ndarray:
    """(m,) area of the true, perhaps warped, surface per natural area."""
    tangents = dN @ X
    return np.linalg.norm(np.cross(tangents[:, 0], tangents[:, 1]), axis=1)


def _material_angle(R: np.ndarray, orientation: np.ndarray | None) -> np.ndarray:
    """(m,) angle from the element's first axis to the material's axis 1 in the plane [rad]."""
    axes = np.eye(3)[None] if orientation is None else orientation
    first, third = (np.einsum("mij,mi->mj", R, np.broadcast_to(axes[:, :, i], R.shape[:2])) for i in (0, 2))
    stands = np.hypot(first[:, 0], first[:, 1]) < 2e-3
    axis = np.where(stands[:, None], third, first)
    return np.arctan2(axis[:, 1], axis[:, 0])
