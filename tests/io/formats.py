"""One distorted reference element written in each format, with the node order as the programs' manuals state it.

The orders are written down here a second time, as lists of edges, independently of the element classes: what a reader
returns must lie where the element's own natural coordinates say.
"""

from __future__ import annotations

import numpy as np

TET = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
WEDGE = ((0, 0, -1), (1, 0, -1), (0, 1, -1), (0, 0, 1), (1, 0, 1), (0, 1, 1))
HEX = ((-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1))
CORNERS = {"tet4": TET, "tet10": TET, "wedge6": WEDGE, "wedge15": WEDGE, "hex8": HEX, "hex20": HEX}

_BOTTOM3, _TOP3, _UP3 = ((0, 1), (1, 2), (2, 0)), ((3, 4), (4, 5), (5, 3)), ((0, 3), (1, 4), (2, 5))
_BOTTOM4, _TOP4 = ((0, 1), (1, 2), (2, 3), (3, 0)), ((4, 5), (5, 6), (6, 7), (7, 4))
_UP4 = ((0, 4), (1, 5), (2, 6), (3, 7))
_TET10 = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))

EDGES = {
    # Abaqus Analysis User's Guide, "Three-dimensional solid element library"
    "abaqus": {"tet10": _TET10, "wedge15": _BOTTOM3 + _TOP3 + _UP3, "hex20": _BOTTOM4 + _TOP4 + _UP4},
    # MSC Nastran Quick Reference Guide, CTETRA, CPENTA, CHEXA
    "nastran": {"tet10": _TET10, "wedge15": _BOTTOM3 + _UP3 + _TOP3, "hex20": _BOTTOM4 + _UP4 + _TOP4},
    # Gmsh reference manual, "Node ordering"
    "gmsh": {
        "tet10": ((0, 1), (1, 2), (2, 0), (0, 3), (2, 3), (1, 3)),
        "wedge15": ((0, 1), (0, 2), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (3, 5), (4, 5)),
        "hex20": (*((0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)),),
    },
}
NAMES = {
    "abaqus": {
        "tet4": "C3D4",
        "tet10": "C3D10",
        "wedge6": "C3D6",
        "wedge15": "C3D15",
        "hex8": "C3D8",
        "hex20": "C3D20",
    },
    "nastran": {
        **dict.fromkeys(("tet4", "tet10"), "CTETRA"),
        **dict.fromkeys(("wedge6", "wedge15"), "CPENTA"),
        **dict.fromkeys(("hex8", "hex20"), "CHEXA"),
    },
    "gmsh": {"tet4": 4, "tet10": 11, "wedge6": 6, "wedge15": 18, "hex8": 5, "hex20": 17},
}
VOLUMES = {"tet": 1 / 6, "wedge": 1.0, "hex": 8.0}
_MAP = np.array([[1.3, 0.2, -0.1], [0.1, 0.8, 0.3], [-0.2, 0.1, 1.1]])
_SHIFT = np.array([0.4, -2.0, 3.0])


def placed(natural: np.ndarray) -> np.ndarray:
    """Where the reference element lies: an affine image of its natural coordinates."""
    return np.asarray(natural, dtype=float) @ _MAP.T + _SHIFT


def volume(element: str) -> float:
    return VOLUMES[element.rstrip("0123456789")] * float(np.linalg.det(_MAP))


def nodes_in(format: str, element: str) -> np.ndarray:
    """(k, 3) positions in the node order of the format."""
    corners = np.array(CORNERS[element], dtype=float)
    middles = [(corners[a] + corners[b]) / 2 for a, b in EDGES[format].get(element, ())]
    return placed(np.array([*corners, *middles]))


def file_in(format: str, element: str) -> str:
    """A file that holds the one element; node numbers are 11, 12, …"""
    X = nodes_in(format, element)
    ids = np.arange(11, 11 + len(X))
    return {"abaqus": _abaqus, "nastran": _nastran, "gmsh": _gmsh}[format](X, ids, NAMES[format][element])


def _abaqus(X: np.ndarray, ids: np.ndarray, name: str) -> str:
    rows = [f"{n}, {x!r}, {y!r}, {z!r}" for n, (x, y, z) in zip(ids, X.tolist())]
    numbers = [str(n) for n in (7, *ids)]
    first, rest = ", ".join(numbers[:16]), ", ".join(numbers[16:])
    element = f"{first},\n {rest}" if rest else first
    return "\n".join(["*NODE", *rows, f"*ELEMENT, TYPE={name}", element, ""])


def _nastran(X: np.ndarray, ids: np.ndarray, name: str) -> str:
    rows = [
        f"GRID*   {n:<16d}{0:<16d}{x:<16.9E}{y:<16.9E}\n*       {z:<16.9E}" for n, (x, y, z) in zip(ids, X.tolist())
    ]
    fields = [f"{n:8d}" for n in (7, 2, *ids)]
    lines = ["".join(fields[i : i + 8]) for i in range(0, len(fields), 8)]
    card = f"{name:8s}" + "\n        ".join(lines)
    return "\n".join(["BEGIN BULK", *rows, card, "PSOLID  2       3", "MAT1,3,2.1+11,,.3,7850.", "ENDDATA", ""])


def _gmsh(X: np.ndarray, ids: np.ndarray, number: int) -> str:
    rows = [f"{n} {x!r} {y!r} {z!r}" for n, (x, y, z) in zip(ids, X.tolist())]
    head = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(X)), *rows, "$EndNodes"]
    element = " ".join(str(v) for v in (7, number, 2, 5, 1, *ids))
    return "\n".join([*head, "$Elements", "1", element, "$EndElements", ""])
