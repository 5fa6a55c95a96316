"""Materials; a new one is listed in MATERIALS."""

from flexor.materials.material import MATERIALS, Aluminium, Isotropic, Material, Orthotropic, Steel

__all__ = ["MATERIALS", "Aluminium", "Isotropic", "Material", "Orthotropic", "Steel"]
