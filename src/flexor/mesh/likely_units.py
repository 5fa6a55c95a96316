"""Signs that the numbers of a mesh are not SI, as which they were taken."""

from __future__ import annotations

import numpy as np

from flexor.mesh.mesh import Mesh

LARGEST_PART = 50.0
"""Machine parts are smaller [m]; in millimetres, 50 is a small one."""
SOFTEST, LIGHTEST = 1e7, 1e-3
"""Steel in millimetres, tonnes, seconds has E = 2.1e5 and ρ = 7.85e-9; no solid in SI is so soft [Pa] and light [kg/m³]."""


def looks_like_millimetres(mesh: Mesh) -> str:
    """What tells that the mesh is in millimetres, tonnes, seconds and was taken for SI; empty if nothing does."""
    for name, material in mesh.materials.items():
        young = float(np.max(getattr(material, "young", np.inf)))
        density = float(getattr(material, "density", 0.0))
        if young < SOFTEST and 0 < density < LIGHTEST:
            return f"material '{name}' has Young's modulus {young:.4g} Pa and density {density:.3g} kg/m³"
    size = float(np.ptp(mesh.points, axis=0).max()) if len(mesh.points) else 0.0
    return f"its mesh is {size:.4g} m long" if size > LARGEST_PART else ""
