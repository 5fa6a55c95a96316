"""Readers and writers of mesh, matrix and display files; each is loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexor.later import load_later

if TYPE_CHECKING:
    from flexor.io.abaqus.writer import write_inp
    from flexor.io.matrices.archive import write_matrices
    from flexor.io.matrices.matrix_model import MatrixModel
    from flexor.io.read_matrices import read_matrices
    from flexor.io.read_mesh import read_mesh
    from flexor.io.read_points import read_points
    from flexor.io.step import mesh_step
    from flexor.io.stl import read_stl
    from flexor.io.vtu import write_pvd, write_series, write_vtu

_NAMES = {
    "abaqus.writer": "write_inp",
    "matrices.archive": "write_matrices",
    "matrices.matrix_model": "MatrixModel",
    "read_matrices": "read_matrices",
    "read_mesh": "read_mesh",
    "read_points": "read_points",
    "step": "mesh_step",
    "stl": "read_stl",
    "vtu": "write_pvd write_series write_vtu",
}

__all__ = [
    "MatrixModel",
    "mesh_step",
    "read_matrices",
    "read_mesh",
    "read_points",
    "read_stl",
    "write_inp",
    "write_matrices",
    "write_pvd",
    "write_series",
    "write_vtu",
]

load_later(__name__, _NAMES)
