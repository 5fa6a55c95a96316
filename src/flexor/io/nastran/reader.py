"""Nastran bulk data (.bdf, .nas, .dat) to a mesh."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from flexor.io.draft import Draft
from flexor.io.file_text import wrong
from flexor.io.file_units import FileUnits
from flexor.io.nastran import elements, links, loads, materials, properties, springs
from flexor.io.nastran.bulk import read_bulk
from flexor.io.nastran.coordinates import read_grids
from flexor.io.nastran.deck import Deck
from flexor.io.nastran.elements import ElementData
from flexor.io.nastran.properties import Property
from flexor.materials import Isotropic
from flexor.mesh.mesh import Block, Mesh
from flexor.mesh.note import Concern, Severity
from flexor.mesh.shell_section import ShellSection
from flexor.spatial import Pose

_READ = {
    *("GRID", "GRDSET", "CORD1R", "CORD1C", "CORD1S", "CORD2R", "CORD2C", "CORD2S", "PARAM", "BAROR", "BEAMOR", "SET3"),
    *("MAT1", "MAT2", "MAT8", "MAT9", *elements.READ, *properties.READ, *springs.READ, *links.READ),
    *loads.READ,
}
_HARMLESS = {
    *(
        "EIGRL",
        "EIGR",
        "EIGB",
        "EIGC",
        "TLOAD1",
        "TLOAD2",
        "RLOAD1",
        "RLOAD2",
        "DLOAD",
        "TABLED1",
        "TABLED2",
        "TABLED3",
    ),
    *("TABDMP1", "FREQ", "FREQ1", "FREQ2", "FREQ3", "FREQ4", "TSTEP", "DAREA", "MAT4", "TABLEM1", "MDLPRM", "ECHOON"),
    *("ECHOOFF", "SET1", "PLOTEL", "DTI", "USET", "USET1", "QSET", "QSET1", "TABLEST", "MATT1"),
    *("CORD3G", "OMIT", "OMIT1", "NLPARM", "NLSTEP", "TSTEPNL", "DPHASE", "DELAY", "VIEW"),
    *(
        "DESVAR",
        "DVPREL1",
        "DVPREL2",
        "DVMREL1",
        "DRESP1",
        "DRESP2",
        "DCONSTR",
        "DCONADD",
        "DOPTPRM",
        "DEQATN",
        "DLINK",
    ),
}
"""Analyses, tables, outputs."""


def read_nastran(path: Path, units: FileUnits) -> Mesh:
    """The mesh of a deck with supports and loads of its first subcase; what is not taken is listed in `notes`."""
    bulk = read_bulk(path)
    grids, frames = read_grids(bulk)
    deck = Deck(bulk, Draft(path, units), grids, frames)
    _parameters(deck)
    _note_unused(deck)
    found_springs = springs.springs(deck)
    grounds = _add_nodes(deck, found_springs)
    data = elements.read_elements(deck)
    deck.draft.settle()
    materials.read_materials(deck)
    known = properties.read_properties(deck)
    blocks = [_block(deck, known, data, *group) for group in deck.draft.groups()]
    blocks += springs.spring_blocks(deck, found_springs, grounds) + springs.bush_blocks(deck)
    masses = links.masses(deck)
    _no_repeated_numbers(deck, blocks)
    if not blocks and not masses:
        raise wrong(path, None, "the file has no elements that could be read", "; ".join(deck.draft.notes()[:3]))
    acting, loaded = loads.read_loads(deck).made(deck.draft.node_ids)
    if not bulk.ended:
        deck.draft.note("ENDDATA", "is missing; the file may be cut off", bulk.last, severity="approximate")
    return Mesh(
        points=deck.draft.points,
        node_ids=deck.draft.node_ids,
        blocks=tuple(blocks),
        materials=deck.materials,
        sections=deck.sections,
        node_sets=_sets(deck, "GRID"),
        element_sets={**_property_sets(deck, known), **_sets(deck, "ELEM")},
        surfaces=loaded,
        rigid_links=links.rigid_links(deck),
        rigid_bars=links.rigid_bars(deck),
        average_links=links.average_links(deck),
        masses=masses,
        fixed=links.supports(deck),
        retained=links.retained(deck),
        loads=acting,
        title=bulk.title,
        frames={n: Pose(f.p * units.length, f.R) for n, f in frames.items() if n},
        notes=deck.draft.notes(),
    )


def _parameters(deck: Deck) -> None:
    for card in deck.bulk.get("PARAM"):
        if card.text(1) == "WTMASS":
            deck.mass_factor = card.real(2, "WTMASS")
            if deck.mass_factor <= 0:
                raise card.wrong("WTMASS must be positive")
            deck.draft.note(
                "PARAM,WTMASS",
                f"masses and densities are multiplied by {deck.mass_factor:g}",
                card.place,
                severity="harmless",
            )


def _note_unused(deck: Deck) -> None:
    for name, place in deck.bulk.parts:
        deck.draft.note(f"BEGIN {name}", "sections of superelements and other models are left out", place)
    if "MPC" in deck.bulk.case:
        equations = {card.integer(1, "set") for card in deck.bulk.get("MPC", "MPCADD")}
        deck.require_set("MPC", deck.bulk.case["MPC"], equations)
    for name, cards in deck.bulk.cards.items():
        if name in _READ:
            continue
        severity: Severity = "left out"
        concerns: Concern = "mesh"
        if name in _HARMLESS:
            why, severity = "load or analysis, not part of a mesh", "harmless"
        elif name in loads.OTHERS:
            why, concerns = "loads of this kind are left out", "loads"
        elif name == "MPC" and deck.bulk.has_case and "MPC" not in deck.bulk.case:
            why, severity = "the case control does not ask for it", "harmless"
        elif name[0] == "C" and name[:4] not in ("CORD", "CSET"):
            why = "elements of this kind are left out"
        else:
            why = "not supported, left out"
        deck.draft.note(name, why, cards[0].place, len(cards), severity=severity, concerns=concerns)


def _add_nodes(deck: Deck, found: list) -> dict[int, int]:
    """Grid points to the draft, and a fixed node for each spring to the ground: element → its number."""
    grids = deck.grids
    start = 0
    for table in grids.tables:
        end = start + len(table)
        deck.draft.add_nodes(grids.ids[start:end], grids.points[start:end], table.path, table.lines)
        start = end
    grounded = [(card, ends[0]) for card, _, ends in found if ends[1] is None]
    cd = grids.cd
    numbers: dict[int, int] = {}
    if grounded:
        first = 10 ** len(str(int(grids.ids.max(initial=1))))
        at = {number: i for i, number in enumerate(grids.ids.tolist())}
        for k, (card, (number, component)) in enumerate(grounded):
            if number not in at:
                raise card.wrong(f"it refers to node {number}, which does not exist", "add it or correct its number")
            ground = first + k + 1
            numbers[card.integer(1, "number")] = ground
            deck.draft.add_nodes(np.array([ground]), grids.points[[at[number]]], card.path, [card.line])
            deck.grounds.append((ground, number, (0, 1, 2) if component < 3 else (0, 1, 2, 3, 4, 5)))
            deck.draft.note(
                card.name, f"springs to the ground end at fixed nodes {first + 1}, …", card.place, severity="harmless"
            )
        cd = np.concatenate([cd, np.zeros(len(grounded), dtype=np.int64)])
    deck.grids = replace(grids, cd=cd)
    return numbers


def _block(
    deck: Deck,
    known: dict[int, Property],
    data: ElementData,
    kind: str,
    pid: int,
    ids: np.ndarray,
    nodes: np.ndarray,
    _: np.ndarray,
) -> Block:
    draft = deck.draft
    prop = known.get(pid)
    if prop is None:
        batch = next(b for b in draft.batches if np.isin(ids[0], b.ids))
        line = (batch.path, int(batch.lines[np.argmax(batch.ids == ids[0])]))
        if not _is_other_property(deck, pid):
            raise wrong(
                *line, f"element {ids[0]}: property {pid} does not exist", fix="define it or correct the number"
            )
        draft.note(f"property {pid}", "its elements have no material", line, len(ids), severity="harmless")
        return Block(kind, nodes, ids)
    fits = {"tet": "PSOLID", "wed": "PSOLID", "hex": "PSOLID", "she": "PSHELL PCOMP", "bea": "PBAR PBARL PBEAM PBEAML"}[
        kind[:3]
    ]
    if prop.card.name not in fits.split():
        raise prop.card.wrong(f"it is the property of {kind} elements such as {ids[0]}", f"they need {fits}")
    X = draft.points[nodes]
    orientation: np.ndarray | None = None
    block_data: dict[str, np.ndarray] = {}
    isotropic = not prop.layered and isinstance(deck.materials.get(prop.material or ""), Isotropic)
    if kind == "beam2":
        cards = [data.beams[number] for number in ids.tolist()]
        orientation, block_data = elements.beam_data(deck, cards, nodes, prop.neutral)
    elif kind.startswith("shell"):
        if not isotropic:
            orientation = elements.shell_axes(deck, data, ids, X)
        block_data = _shell_data(deck, prop, data, ids)
    elif not isotropic and prop.system:
        frame = deck.frame(prop.system, prop.card)
        orientation = frame.axes_at(X.mean(axis=1) / draft.units.length)
    return Block(kind, nodes, ids, prop.material, prop.section, orientation, block_data)


def _is_other_property(deck: Deck, pid: int) -> bool:
    """Whether a property card that is not read has this number."""
    return any(
        card.text(1) == str(pid)
        for name, cards in deck.bulk.cards.items()
        if name[0] == "P" and name not in _READ
        for card in cards
    )


def _shell_data(deck: Deck, prop: Property, data: ElementData, ids: np.ndarray) -> dict[str, np.ndarray]:
    length, numbers = deck.draft.units.length, ids.tolist()
    found: dict[str, np.ndarray] = {}
    if any(number in data.offset for number in numbers):
        found["offset"] = prop.offset + length * np.array([data.offset.get(number, 0.0) for number in numbers])
    section = deck.sections[prop.section] if prop.section else None
    if any(number in data.thickness for number in numbers) and isinstance(section, ShellSection):
        default = section.thickness / length
        found["thickness"] = length * np.array([data.thickness.get(number, default) for number in numbers])
    return found


def _no_repeated_numbers(deck: Deck, blocks: list[Block]) -> None:
    """Element numbers are unique over all kinds, springs and bushings included."""
    ids = np.concatenate([block.ids for block in blocks] or [np.zeros(0, dtype=np.int64)])
    values, counts = np.unique(ids, return_counts=True)
    if (counts > 1).any():
        number = int(values[counts > 1][0])
        cards = [c for n in springs.READ for c in deck.bulk.get(n) if c.text(1) == str(number)]
        place = cards[-1].place if cards else (deck.draft.path, 0)
        raise wrong(*place, f"element {number} is given twice", fix="remove or renumber one of them")


def _property_sets(deck: Deck, known: dict[int, Property]) -> dict[str, np.ndarray]:
    """Elements of each property, under the name of its card: "PSOLID 2"."""
    found: dict[str, list[np.ndarray]] = {}
    for _, pid, ids, _, _ in deck.draft.groups():
        name = f"{known[pid].card.name} {pid}" if pid in known else f"property {pid}"
        found.setdefault(name, []).append(ids)
    return {name: np.sort(np.concatenate(ids)) for name, ids in found.items()}


def _sets(deck: Deck, what: str) -> dict[str, np.ndarray]:
    """SET3 of grid points or elements: "SET3 5"."""
    found = {}
    for card in deck.bulk.get("SET3"):
        if card.text(2).startswith(what):
            name = f"SET3 {card.integer(1, 'number')}"
            if what == "GRID":
                found[name] = deck.nodes(card, 3, "grid points")
                continue
            ids = deck.draft.elements.ids
            chosen = [ids[(ids >= a) & (ids <= b) & ((ids - a) % s == 0)] for a, b, s in card.ranges(3, "elements")]
            found[name] = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *chosen]))
    return found
