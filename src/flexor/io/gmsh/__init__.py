"""Gmsh meshes."""
