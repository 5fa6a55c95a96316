"""What a finite element is: one class per file, class attributes and a few batched methods.

All methods work on m elements at once. X is (m, k, 3) node positions [m]; results are (m, N, N) or (m, p, 6, N) with
N = k · len(dofs) in node-major order. Strain and stress order: xx, yy, zz, xy, yz, zx, engineering shear strain.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

if TYPE_CHECKING:
    from flexor.materials import Material
    from flexor.mesh.section import Section


@dataclass(frozen=True)
class Properties:
    """Material and section data of m elements, or of all alike (leading axis 1).

    D: (m|1, 6, 6) elasticity in global axes;  density: (m|1,) [kg/m³].
    section: the section declaration of shells and beams;  orientation: (m, 3, 3) or None;  data: see Block.data.
    options: element options such as incompatible modes.
    """

    D: np.ndarray
    density: np.ndarray
    material: Material | None = None
    section: Section | None = None
    orientation: np.ndarray | None = None
    data: dict[str, np.ndarray] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)


class Element:
    """Base of element kinds. A new one is a file with a subclass, listed in ELEMENTS."""

    name: ClassVar[str]
    """Name in models and files, e.g. "hex8"."""
    n_nodes: ClassVar[int]
    dofs: ClassVar[int] = 3
    """Degrees of freedom per node: 3 (solids) or 6 (shells, beams, springs)."""
    faces: ClassVar[tuple[tuple[int, ...], ...]] = ()
    """Local nodes of each face, outward normal by the right-hand rule, corners first, then mid-sides."""
    corners: ClassVar[tuple[tuple[float, ...], ...]] = ()
    """Natural coordinates of the nodes."""
    abaqus: ClassVar[tuple[str, ...]] = ()
    nastran: ClassVar[tuple[str, ...]] = ()
    gmsh: ClassVar[int | None] = None
    vtk: ClassVar[int | None] = None
    """Cell types of importers and exporters; node orders in `*_order` where they differ from ours."""
    abaqus_order: ClassVar[tuple[int, ...] | None] = None
    nastran_order: ClassVar[tuple[int, ...] | None] = None
    gmsh_order: ClassVar[tuple[int, ...] | None] = None
    vtk_order: ClassVar[tuple[int, ...] | None] = None
    """ours[i] = theirs[order[i]]"""

    @classmethod
    def stiffness(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        """(m, N, N) stiffness matrices."""
        raise TypeError(f"{cls.name} declares no stiffness")

    @classmethod
    def mass(cls, X: np.ndarray, p: Properties, lumped: bool = False) -> np.ndarray:
        """(m, N, N) mass matrices, consistent or lumped (diagonal)."""
        raise TypeError(f"{cls.name} declares no mass")

    @classmethod
    def volume(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        """(m,) volumes [m³]."""
        raise TypeError(f"{cls.name} declares no volume")

    @classmethod
    def jacobians(cls, X: np.ndarray) -> np.ndarray:
        """(m, q) Jacobian determinants at the integration points, for quality checks; empty for line elements."""
        return np.ones((len(X), 0))

    @classmethod
    def stress_operator(cls, X: np.ndarray, p: Properties, where: str = "nodes") -> np.ndarray:
        """(m, points, 6, N) matrices from nodal displacements to stress, at the nodes (or "center", "points");
        shells have the points of the top, then middle, then bottom surface, and stress in global axes."""
        raise TypeError(f"{cls.name} declares no stress")

    @classmethod
    def strain_operator(cls, X: np.ndarray, p: Properties, where: str = "nodes") -> np.ndarray:
        """The same for strain."""
        raise TypeError(f"{cls.name} declares no strain")

    @classmethod
    def body_load(cls, X: np.ndarray, p: Properties, field: np.ndarray) -> np.ndarray:
        """(m, N) consistent load of an acceleration field given at the nodes (m, k, 3): Mass × field."""
        M = cls.mass(X, p)
        values = np.zeros((len(X), cls.n_nodes, cls.dofs))
        values[..., :3] = field
        return np.einsum("mij,mj->mi", M, values.reshape(len(X), -1))
