"""A cube in fields of all kinds, the grids of a shell, the reading of a deck, as the tests of bulk data share them."""

from __future__ import annotations

from pathlib import Path

from flexor.io import read_mesh
from flexor.mesh import Mesh


def small(*fields: object) -> str:
    """A line of fields of eight characters."""
    return "".join(str(each).ljust(8) for each in fields) + "\n"


CUBE = (
    "SOL 103\nCEND\nTITLE = a cube\nECHO = NONE\nBEGIN BULK\n$ a cube\n"
    + small("GRID", 1, "", "0.", "0.", "0.")
    + small("GRID", 2, "", "1.", " 0.", "      0.")
    + "GRID*   3                               1.0             1.0             *\n*       0.0\n"
    + "grid,4,,0.,1.,0.\n"
    + small("GRID", "       5", 0, "0.", "0.", "1.")
    + small("GRID", 6, "", "1.", "0.+0", "1.0E0")
    + small("GRID", 7, "", "1.", "1.", "10.-1")
    + small("GRID", 8, "", "0.", "1.D0", ".1+1")
    + small("CHEXA", 11, 2, 1, 2, 3, 4, 5, 6, "+HX1")
    + small("+HX1", 7, 8)
    + small("PSOLID", 2, 3)
    + small("MAT1", 3, "2.1+11", "", "0.3", "7850.")
)
HELD = CUBE.replace("ECHO = NONE", "SPC = 4")
PSOLID, HX1 = small("PSOLID", 2, 3), small("+HX1", 7, 8)
SHELL = """GRID,1,,0.,0.,0.
GRID,2,,2.,0.,0.
GRID,3,,2.,1.,0.
GRID,4,,0.,1.,0.
GRID,5,,0.,0.,9.
MAT1,3,2.1+11,,.3,7850.
"""


def read(tmp_path: Path, text: str, end: bool = True, **options: str) -> Mesh:
    path = tmp_path / "deck.bdf"
    path.write_text(text + ("ENDDATA\n" if end else ""))
    return read_mesh(path, **options)
