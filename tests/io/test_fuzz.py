"""Damaged files: a FileError or a whole mesh, never another exception, never a part taken for the whole."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from flexor.elements.quality import quality
from flexor.errors import FileError
from flexor.files import LARGEST
from flexor.io import read_matrices, read_mesh, read_points, read_stl
from flexor.io.matrices.calculix import read_dofs
from flexor.mesh import Mesh
from tests.io import abaqus_decks as abaqus
from tests.io import nastran_decks as nastran
from tests.io import test_gmsh as gmsh
from tests.io import test_matrices as matrices

ABAQUS = (
    abaqus.CUBE
    + abaqus.SOLID
    + """*NODE
100, 0.5, 0.5, 2.
*NSET, NSET=A, GENERATE
1, 4, 1
*NSET, NSET=B
A, 15
*SURFACE, NAME=Top
Body, S2
*COUPLING, REF NODE=100, SURFACE=Top
*DISTRIBUTING
1, 6
*ELEMENT, TYPE=MASS, ELSET=M
9, 100
*MASS, ELSET=M
2.
*ELEMENT, TYPE=S3, ELSET=Skin
10, 1, 2, 3
*SHELL SECTION, ELSET=Skin, MATERIAL=Steel
0.01
*ELEMENT, TYPE=B31, ELSET=Rod
11, 1, 2
*ORIENTATION, NAME=O
1., 0., 0., 0., 1., 0.
3, 30.
*BEAM SECTION, SECTION=RECT, ELSET=Rod, MATERIAL=Steel
0.1, 0.2
0., 1., 0.
*BOUNDARY
A, 1, 3
*STEP
*STATIC
*CLOAD
A, 1, 10.
100, 5, 2.
*DLOAD
Body, P3, 100.
Body, GRAV, 9.81, 0., 0., -1.
Body, CENTRIF, 100., 0., 0., 0., 0., 0., 1.
*DSLOAD
Top, P, 5.
*END STEP
*STEP
*STATIC
*BOUNDARY, OP=NEW
B, 1, 3
*CLOAD, OP=NEW
B, 1, 3.
*END STEP
"""
)
NASTRAN = (
    nastran.CUBE
    + """GRID,20,,.5,.5,2.
RBE2,31,20,123456,5,6,7,8
RBE3,32,,20,123,1.,123,1,2,+
+,2.,123,3
RBAR,33,1,2,12346,5
SPC1,4,123,1,THRU,3
ASET1,123456,20
CONM2,41,1,,3.,.1,.2,.3
,1.,.1,2.,.2,.3,3.
CORD2R,1,0,10.,0.,0.,10.,0.,1.,
,10.,1.,0.
GRID,101,1,1.,2.,3.
CQUAD4,50,7,1,2,3,4,30.
PSHELL,7,3,.01,3
CBAR,51,8,1,2,0.,1.,0.
PBARL,8,3,,BAR
,.1,.3,2.
CELAS2,52,1000.,1,1,2,1
CBUSH,53,10,1,2,0.,1.,0.
PBUSH,10,K,1.,2.,3.,4.,5.,6.
LOAD,9,1.,2.,5,1.,6
FORCE,5,1,1,2.,1.,0.,0.
MOMENT1,5,20,2.,1,2
PLOAD4,6,11,4.,,,,5,7
PLOAD2,6,3.,50
PLOAD,6,3.,1,2,3
GRAV,6,,9.81,0.,0.,-1.
RFORCE,5,1,,2.,0.,0.,1.
ENDDATA
"""
)
FILES: dict[str, tuple[str, bytes]] = {
    "abaqus": (".inp", ABAQUS.encode()),
    "nastran": (".bdf", NASTRAN.encode()),
    **{f"gmsh {kind}": (".msh", data) for kind, data in gmsh.FILES.items() if "endian" not in kind},
}


def attempt(path: Path, data: bytes, read: Callable[[Path], object] = read_mesh) -> object | None:
    """What is read, None if it is refused; anything but a FileError is a failure."""
    path.write_bytes(data)
    try:
        return read(path)
    except FileError as error:
        message = str(error)
    assert str(path) in message  # which file it is
    assert "\n" not in message
    return None


def size(mesh: Mesh) -> tuple[int, ...]:
    return (
        len(mesh.points),
        mesh.n_elements,
        len(mesh.rigid_links),
        len(mesh.average_links),
        len(mesh.masses),
        len(mesh.fixed),
        len(mesh.loads),
    )


@pytest.mark.parametrize("kind", FILES)
def test_cut_files_are_never_taken_for_whole(tmp_path: Path, kind: str) -> None:
    suffix, data = FILES[kind]
    path = tmp_path / f"cut{suffix}"
    whole = read_mesh_of(path, data)
    for end in range(0, len(data), 3):
        mesh = attempt(path, data[:end])
        if isinstance(mesh, Mesh) and (size(mesh) != size(whole) or mesh.materials != whole.materials):
            hints = ("may be cut off", "no section gives them", "no element of it", "ENDDATA")
            warned = any(hint in note for note in mesh.notes for hint in hints)
            between_keywords = kind == "abaqus" and data[:end].endswith(b"\n")  # nothing tells that more should follow
            assert warned or between_keywords


def read_mesh_of(path: Path, data: bytes) -> Mesh:
    path.write_bytes(data)
    return read_mesh(path)


@pytest.mark.parametrize("kind", FILES)
def test_random_damage(tmp_path: Path, kind: str) -> None:
    suffix, data = FILES[kind]
    path = tmp_path / f"damaged{suffix}"
    rng = np.random.default_rng(11)
    for _ in range(400):
        damaged = bytearray(data)
        for _ in range(rng.integers(1, 4)):
            at, length = int(rng.integers(len(damaged))), int(rng.integers(1, 12))
            match rng.integers(5):
                case 0:
                    damaged[at : at + 1] = bytes([rng.integers(32, 127)])
                case 1:
                    del damaged[at : at + length]
                case 2:
                    damaged[at:at] = damaged[max(at - 30, 0) : at]
                case 3:
                    damaged[at : at + 1] = rng.choice([b",", b"\n", b"-", b"9", b"*", b" ", b"e", b"."])
                case 4:
                    damaged[at:at] = bytes(rng.integers(0, 256, 3, dtype=np.uint8))
        attempt(path, bytes(damaged))


@pytest.mark.parametrize("kind", ["abaqus", "nastran", "gmsh 2.2 text", "gmsh 4.1 text"])
def test_lines_lost_doubled_and_exchanged(tmp_path: Path, kind: str) -> None:
    suffix, data = FILES[kind]
    path = tmp_path / f"lines{suffix}"
    lines = data.split(b"\n")
    for i in range(len(lines) - 1):
        attempt(path, b"\n".join(lines[:i] + lines[i + 1 :]))
        attempt(path, b"\n".join(lines[: i + 1] + lines[i:]))
        attempt(path, b"\n".join([*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]]))


@pytest.mark.parametrize("kind", ["abaqus", "nastran", "gmsh 2.2 text", "gmsh 4.1 text"])
def test_numbers_made_extreme(tmp_path: Path, kind: str) -> None:
    suffix, data = FILES[kind]
    path = tmp_path / f"numbers{suffix}"
    words = data.replace(b"\n", b" \n ").split(b" ")
    rng = np.random.default_rng(7)
    numbers = [i for i, word in enumerate(words) if word[:1].isdigit()]
    for i in rng.choice(numbers, min(len(numbers), 40), replace=False).tolist():
        for value in (b"0", b"-1", b"99999999999999999999", b"1e999", b"nan", b"1e-320", b"", b"0x1", b"1_0", b"inf"):
            comma = b"," if words[i].endswith(b",") else b""
            attempt(path, b" ".join([*words[:i], value + comma, *words[i + 1 :]]))


@pytest.mark.parametrize("kind", FILES)
def test_coordinates_out_of_this_world(tmp_path: Path, kind: str) -> None:
    """Numbers whose squares are infinite are no places; what is read can be looked at."""
    suffix, data = FILES[kind]
    if "binary" in kind:
        return
    path = tmp_path / f"far{suffix}"
    start = data.index({"abaqus": b"*NODE", "nastran": b"grid,4"}.get(kind, b"$Nodes"))
    number = re.compile(rb"(?<=[,\s])-?\d*\.?\d+(?=[,\s])")
    refused = 0
    for match in list(number.finditer(data, start, start + 150)):
        for value in (b"1e308", b"-1e200", b"1e17", b"1e14"):
            mesh = attempt(path, data[: match.start()] + value + data[match.end() :])
            refused += mesh is None
            if isinstance(mesh, Mesh):
                str(quality(mesh))
    assert refused > 5


def test_what_is_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.inp")
    (tmp_path / "folder.inp").mkdir()
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(tmp_path / "socket.inp"))
        for path, kind in (
            ("/dev/zero", "a device"),
            ("/dev/null", "a device"),
            (tmp_path / "pipe.inp", "a pipe"),
            (tmp_path / "folder.inp", "a folder"),
            (tmp_path / "socket.inp", "a socket"),
        ):
            for read in (read_mesh, read_points, read_stl, lambda p: read_mesh(p, format="abaqus")):
                with pytest.raises(FileError, match=f"this is {kind}, not a file"):
                    read(path)


def test_files_too_large_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.inp"
    with path.open("wb") as file:  # a file with a hole: it takes no room
        file.write(b"*NODE\n")
        file.truncate(LARGEST + 1)
    with pytest.raises(FileError, match=r"the file has 4.29 GB; at most 4.29 GB are read"):
        read_mesh(path)


def test_foreign_files(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    samples = [
        b"",
        b"\0" * 100,
        bytes(rng.integers(0, 256, 5000, dtype=np.uint8)),
        b"%PDF-1.4\n",
        b"{}",
        b"\xff\xfe*\0N\0",
    ]
    for suffix in (".inp", ".bdf", ".nas", ".msh", ".dat", ""):
        for data in samples:
            assert attempt(tmp_path / f"foreign{suffix}", data) is None


def test_damaged_matrices(tmp_path: Path) -> None:
    rng = np.random.default_rng(13)
    matrices.test_calculix(tmp_path)
    sources = {
        "job.mas": (tmp_path / "job.mas").read_bytes(),
        "rows.dof": (tmp_path / "job.dof").read_bytes(),
        "k.pch": (matrices.dmig("KAAX", matrices.K, True) + matrices.dmig("MAAX", matrices.M, False)).encode(),
        "nodes.csv": matrices.points_file(tmp_path).read_bytes(),
    }
    for name, data in sources.items():
        path = tmp_path / f"damaged_{name}"
        for _ in range(150):
            at, length = int(rng.integers(len(data))), int(rng.integers(1, 30))
            damaged = data[:at] if rng.random() < 0.4 else data[:at] + data[at + length :]
            readers = {".csv": read_points, ".dof": read_dofs}
            attempt(path, damaged, readers.get(path.suffix, lambda p: read_matrices(p, dofs=tmp_path / "job.dof")))
