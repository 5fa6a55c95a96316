"""Rods whose elements all move by themselves, as the tests of whole meshes share them."""

from __future__ import annotations

from typing import Any

import numpy as np

import flexor as fx
from flexor.bodies.body import Start
from flexor.mesh.generate import bar, plate
from flexor.mesh.mesh import Mesh
from flexor.spatial import Pose
from tests.laws.flexible import Sample

H, E, RHO = 0.1, 1e7, 1000.0
ENDS = {"root": fx.plane(at=(0, 0, 0), normal="x"), "tip": fx.plane(at=(1, 0, 0), normal="x")}


def strip(element: str, *divisions: int, young: float = E, poisson: float = 0.0) -> Mesh:
    """1 m × 100 mm × 100 mm along x."""
    material = fx.Isotropic(young=young, poisson=poisson, density=RHO)
    if element.startswith("shell"):
        section = fx.ShellSection(thickness=H)
        return plate(1, H, divisions=divisions, element=element, material=material, section=section)
    section = fx.Rectangle(width=H, height=H) if element == "beam2" else None
    return bar(1, H, H, divisions=divisions, element=element, material=material, section=section)


def rod(mesh: Mesh, **about: Any) -> fx.FlexibleBody:
    return fx.FlexibleBody("rod", mesh, **{"interfaces": ENDS, "formulation": "full_mesh", **about})


def clamped(body: Any, *items: Any) -> Any:
    return fx.Model("cantilever", [body, fx.Fixed("clamp", fx.ground, body["root"]), *items])


def lowered(body: Any) -> Sample:
    return Sample(body, body.parts(Start(Pose(), np.zeros(6))))
