"""Materials; a new one is listed in MATERIALS."""

from flexor.materials.material import MATERIALS, READY_MADE, Aluminium, Isotropic, Material, Orthotropic, Steel

__all__ = ["MATERIALS", "READY_MADE", "Aluminium", "Isotropic", "Material", "Orthotropic", "Steel"]
