"""read_mesh: a mesh from a file of any format that Flexor knows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from flexor.errors import FileError, Problem
from flexor.files import as_path
from flexor.io.file_text import read_bytes
from flexor.io.file_units import FileUnits
from flexor.materials.material import Material
from flexor.mesh.likely_units import looks_like_millimetres
from flexor.mesh.made_of import made_of
from flexor.mesh.mesh import Mesh
from flexor.mesh.note import Note, warn_of
from flexor.mesh.section import Section

_SUFFIXES = {
    ".inp": "abaqus",
    ".bdf": "nastran",
    ".nas": "nastran",
    ".fem": "nastran",
    ".pch": "nastran",
    ".blk": "nastran",
    ".msh": "gmsh",
}
_SIGNS = (
    ("gmsh", re.compile(rb"\A\s*\$(MeshFormat|Comments|NOD)")),
    ("abaqus", re.compile(rb"^\s*\*(NODE|HEADING|PART|INCLUDE|ELEMENT)\b", re.I | re.M)),
    ("nastran", re.compile(rb"^(BEGIN\s+BULK|GRID[ *,]|CEND|SOL\s+\d+|ENDDATA)", re.I | re.M)),
)
_SNIFFED = 200_000  # bytes


def read_mesh(
    path: str | Path,
    *,
    units: str = "SI",
    format: str | None = None,
    material: Material | str | None = None,
    section: Section | None = None,
) -> Mesh:
    """The mesh in a file: Abaqus or CalculiX .inp, Nastran bulk data .bdf .nas .dat, Gmsh .msh.

    units: what the numbers of the file are in; "SI" takes them as they are, "mm-t-s" converts from millimetre, tonne
    and second (N, MPa).   format: "abaqus", "nastran" or "gmsh" if neither suffix nor content tells.
    material: of all elements, instead of what the file says, e.g. "steel" or fx.Isotropic(…); Gmsh files hold none.
    section: of the shells or beams likewise, e.g. fx.ShellSection("2 mm").
    Supports and loads are those of the first static step or subcase. What could not be taken over is listed in the mesh's
    `notes`; what of it changes an answer is told by a warning, IncompleteMesh. A file that is wrong raises FileError.
    """
    mesh = mesh_of_file(path, units=units, format=format, material=material, section=section)
    warn_of(mesh.notes, str(path), "mesh", "units")
    return mesh


def mesh_of_file(
    path: str | Path,
    *,
    units: str = "SI",
    format: str | None = None,
    material: Material | str | None = None,
    section: Section | None = None,
) -> Mesh:
    """As `read_mesh`, without its warnings, for those who tell the notes in their own way."""
    path = as_path(path, "mesh file")
    system = FileUnits.of(units)
    name = format or format_of(path)
    if name is None or name not in _READERS:
        raise FileError(Problem(str(path), f"format {name!r} is unknown", fix=f"one of {', '.join(_READERS)}"))
    mesh = made_of(_READERS[name]()(path, system), material, section)
    sign = looks_like_millimetres(mesh) if system.is_si else ""
    hint = f'{sign}; if the file is in millimetres, tonnes, seconds, read it with units="mm-t-s"'
    return replace(mesh, notes=(*mesh.notes, Note(hint, "approximate", "units"))) if sign else mesh


def format_of(path: Path, otherwise: str | None = "") -> str | None:
    """ "abaqus", "nastran" or "gmsh", by content if it is unmistakable, else by suffix; FileError, or `otherwise`."""
    start = read_bytes(path, _SNIFFED)
    for name, sign in _SIGNS:
        if sign.search(start):
            return name
    if path.suffix.lower() in _SUFFIXES:
        return _SUFFIXES[path.suffix.lower()]
    if otherwise == "":
        known = ", ".join(dict.fromkeys(_SUFFIXES))
        fix = 'say format="nastran" or the like'
        raise FileError(Problem(str(path), "the kind of file cannot be told", f"known suffixes: {known}", fix))
    return otherwise


def _abaqus() -> Callable[[Path, FileUnits], Mesh]:
    from flexor.io.abaqus.reader import read_abaqus

    return read_abaqus


def _nastran() -> Callable[[Path, FileUnits], Mesh]:
    from flexor.io.nastran.reader import read_nastran

    return read_nastran


def _gmsh() -> Callable[[Path, FileUnits], Mesh]:
    from flexor.io.gmsh.reader import read_gmsh

    return read_gmsh


_READERS = {"abaqus": _abaqus, "nastran": _nastran, "gmsh": _gmsh}
