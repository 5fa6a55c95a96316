"""Nastran DMIG: matrices at grid points, as EXTSEOUT or PARAM,EXTOUT punch them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from flexor.io.file_text import must_end, read_lines, wrong
from flexor.io.matrices.abaqus_mtx import Labelled
from flexor.io.nastran.bulk import read_bulk
from flexor.io.nastran.card import Card

_ROLES = {"K": "K", "M": "M", "B": "C"}


def read_dmig(path: Path, names: dict[str, str] | None = None) -> tuple[dict[str, tuple[Labelled, Path]], list[str]]:
    """Matrices by role. The first letter tells it (KAAX, MAAX, BAAX), or `names`: {"K": "KJJ"}."""
    by_name: dict[str, list[Card]] = {}
    bulk = read_bulk(path)
    if not bulk.ended:
        must_end(read_lines(path))
    for card in bulk.get("DMIG"):
        by_name.setdefault(card.text(1), []).append(card)
    if not by_name:
        raise wrong(path, None, "the file has no DMIG", fix="export the matrices, e.g. with EXTSEOUT(DMIGPCH)")
    wanted = {name.upper(): role for role, name in (names or {}).items()}
    found: dict[str, tuple[Labelled, Path]] = {}
    notes = []
    for name, cards in by_name.items():
        role = wanted.get(name) if wanted else _ROLES.get(name[:1])
        if role is None or name.startswith("K4") or _form(cards) == 9:
            notes.append(f"DMIG {name}: not a stiffness, mass or damping matrix, left out ({path}:{cards[0].line})")
        elif role in found:
            fix = f'say which to take, names={{"{role}": "{name}"}}'
            raise wrong(*cards[0].place, f"DMIG {name} is a second matrix {role}", fix=fix)
        else:
            found[role] = (_entries(cards), path)
    if wanted and (missing := set(wanted) - set(by_name)):
        raise wrong(path, None, f"the file has no DMIG {missing.pop()}", fix=f"it has {', '.join(by_name)}")
    return found, notes


def _form(cards: list[Card]) -> int:
    """IFO of the header: 1 square, 6 symmetric, 9 rectangular."""
    for card in cards:
        if card.text(2) == "0":
            if card.integer(4, "TIN", 1) > 2 and any(_is_complex(c) for c in cards):
                raise card.wrong("the matrix is complex", "stiffness, mass and damping are real")
            return card.integer(3, "IFO")
    raise cards[0].wrong("its header (with 0 for the column) is missing", "the file may be cut off: export it again")


def _is_complex(card: Card) -> bool:
    return (
        any(card.text(i) and card.real(i, "B") != 0 for i in range(8, len(card.fields) + 1, 4)) and card.text(2) != "0"
    )


def _entries(cards: list[Card]) -> Labelled:
    """Columns GJ, CJ with entries G, C, A."""
    rows, columns, values = [], [], []
    for card in cards:
        column = card.integer(2, "GJ")
        if column == 0:
            continue
        own = (column, card.integer(3, "CJ", 0))
        for i in range(5, len(card.fields), 4):
            if any(card.text(i + k) for k in range(3)):
                rows.append((card.integer(i, "G"), card.integer(i + 1, "C", 0)))
                columns.append(own)
                values.append(card.real(i + 2, "A"))
    if not values:
        raise cards[0].wrong("it has no entries", "the file may be cut off: export it again")
    return Labelled(np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64), np.array(values))
