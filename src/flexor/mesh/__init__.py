"""Finite-element meshes: data, generators, quality, selections."""

from flexor.mesh.mesh import AverageLink, Block, Mesh, NodalMass, RigidBar, RigidLink

__all__ = ["AverageLink", "Block", "Mesh", "NodalMass", "RigidBar", "RigidLink"]
