"""*NODE, *ELEMENT, *NSET, *ELSET, *SURFACE: the mesh itself."""

from __future__ import annotations

import numpy as np

from flexor.io.abaqus.deck import Deck, whole
from flexor.io.abaqus.keywords import Keyword
from flexor.io.abaqus.sets import NamedSets
from flexor.io.element_names import difference_of_abaqus, in_our_order, of_abaqus
from flexor.io.file_text import Lines, wrong
from flexor.io.number_table import integer_records, real_table

POINT_ELEMENTS = ("MASS", "ROTARYI")


def heading(deck: Deck, keyword: Keyword) -> None:
    deck.title = " ".join(line.strip() for lines in keyword.data for line in lines.text)


def node(deck: Deck, keyword: Keyword) -> None:
    """*NODE: number and coordinates, rectangular, cylindrical (SYSTEM=C) or spherical (SYSTEM=S)."""
    system = keyword.options.get("SYSTEM", "R").upper()
    if system not in ("R", "C", "S"):
        raise wrong(*keyword.place, f"SYSTEM={system} is unknown", fix="R, C or S")
    own = keyword.scope == "assembly"
    members = []
    for lines in keyword.data:
        columns = 7 if max(text.count(",") for text in lines.text) > 4 else 4  # the last three are a normal
        table = real_table(lines, columns, "*NODE")
        ids = _whole(table[:, 0], lines)
        if own and not deck.node_offset and deck.draft.highest_node:
            deck.node_offset = 10 ** len(str(deck.draft.highest_node))
            what = f"nodes of the assembly are numbered from {deck.node_offset} on"
            deck.draft.note("*ASSEMBLY", what, (lines.path, lines.numbers[0]), severity="harmless")
        ids = ids + deck.node_offset if own else ids
        deck.draft.add_nodes(ids, _rectangular(table[:, 1:4], system), lines.path, lines.numbers)
        members.append(ids)
    if name := keyword.options.get("NSET"):
        deck.node_sets.get(name, keyword.scope, keyword.place).listed += members


def _whole(column: np.ndarray, lines: Lines) -> np.ndarray:
    bad = (column != np.floor(column)) | (np.abs(column) > 2**53)
    if bad.any():
        at = int(np.argmax(bad))
        what = f"*NODE: {column[at]:g} is not a node number"
        raise wrong(lines.path, lines.numbers[at], what, fix="a line is: number, x, y, z")
    return column.astype(np.int64)


def _rectangular(points: np.ndarray, system: str) -> np.ndarray:
    if system == "R":
        return points
    turn = np.radians(points[:, 1])
    if system == "C":  # r, θ°, z
        return np.stack([points[:, 0] * np.cos(turn), points[:, 0] * np.sin(turn), points[:, 2]], axis=1)
    rise = np.radians(points[:, 2])  # r, θ° in the x-y plane, φ° above it
    across = points[:, 0] * np.cos(rise)
    return np.stack([across * np.cos(turn), across * np.sin(turn), points[:, 0] * np.sin(rise)], axis=1)


def element(deck: Deck, keyword: Keyword) -> None:
    """*ELEMENT, TYPE=…: number and nodes, over several lines if need be."""
    name = keyword.option("TYPE", "the kind of element").upper()
    members: list[np.ndarray] = []
    kind = of_abaqus(name)
    for lines in keyword.data:
        if name in POINT_ELEMENTS:
            records, firsts = integer_records(lines, 2, f"element of type {name}")
            places = [(lines.path, int(line)) for line in firsts]
            deck.point_elements.setdefault(name, []).extend(
                (int(e), int(n) + (deck.node_offset if keyword.scope == "assembly" else 0), place)
                for (e, n), place in zip(records, places)
            )
            deck.left_out.append(records[:, 0])  # known numbers, but not elements of the mesh
            members.append(records[:, 0])
        elif kind is None:
            members.append(_unknown(deck, keyword, name, lines))
        else:
            extra = 1 if kind.n_nodes == 2 and lines.text[0].rstrip(", ").count(",") == 3 else 0
            records, firsts = integer_records(lines, 1 + kind.n_nodes + extra, f"element of type {name}")
            if extra:
                deck.beam_points.update(zip(records[:, 0].tolist(), records[:, 3].tolist()))
            nodes = in_our_order(records[:, 1 : 1 + kind.n_nodes], kind.abaqus_order)
            deck.draft.add_elements(kind.name, records[:, 0], nodes, lines.path, firsts)
            if differs := difference_of_abaqus(name):
                place = (lines.path, lines.numbers[0])
                deck.draft.note(f"*ELEMENT, TYPE={name}", differs, place, len(records), severity="approximate")
            members.append(records[:, 0])
    if set_name := keyword.options.get("ELSET"):
        deck.element_sets.get(set_name, keyword.scope, keyword.place).listed += members


def _unknown(deck: Deck, keyword: Keyword, name: str, lines: Lines) -> np.ndarray:
    """Elements of a kind that Flexor does not have: noted, their numbers kept so that sets may name them."""
    ids, goes_on = [], False
    for text in lines.text:
        first = text.split(",", 1)[0].strip()
        if not goes_on:
            ids.append(int(first) if first.isdecimal() and len(first) < 19 else 0)
        goes_on = text.rstrip().endswith(",")
    numbers = np.array(ids, dtype=np.int64)
    deck.left_out.append(numbers)
    place = (lines.path, lines.numbers[0])
    deck.draft.note(f"*ELEMENT, TYPE={name}", "elements of this kind are left out", place, len(numbers))
    return numbers


def nset(deck: Deck, keyword: Keyword) -> None:
    name = keyword.option("NSET", "the set")
    if other := keyword.options.get("ELSET"):
        deck.sets_of_elements.append((name, keyword.scope, other, keyword))
        return
    _members(deck, keyword, deck.node_sets, name)


def elset(deck: Deck, keyword: Keyword) -> None:
    _members(deck, keyword, deck.element_sets, keyword.option("ELSET", "the set"))


def _members(deck: Deck, keyword: Keyword, sets: NamedSets, name: str) -> None:
    scope = keyword.scope if "INSTANCE" not in keyword.options else "assembly"
    target = sets.get(name, scope, keyword.place)
    offset = deck.node_offset if keyword.scope == "assembly" and "INSTANCE" not in keyword.options else 0
    if sets.what == "element":
        offset = 0
    if "GENERATE" in keyword.options:
        for place, fields in keyword.rows():
            values = [whole(each, place, f"*{keyword.name}, GENERATE") for each in fields]
            first, last, step = [*values, *([values[0]] if len(values) == 1 else []), 1][:3]
            if step <= 0 or last < first:
                what = f"*{keyword.name}, GENERATE: {first}, {last}, {step} is no range"
                raise wrong(*place, what, fix="first, last, step with first ≤ last and step ≥ 1")
            target.ranges.append((first + offset, last + offset, step))
        return
    for lines in keyword.data:
        text = ",".join(each.strip().rstrip(",") for each in lines.text)
        try:
            flat = np.fromstring(text, dtype=np.int64, sep=",")
            if len(flat) == text.count(",") + 1:
                target.listed.append(flat + offset)
                continue
        except ValueError:
            pass  # names among the numbers
        for place, fields in Keyword(keyword.name, keyword.options, *keyword.place, [lines]).rows():
            for each in filter(None, fields):
                named = deck.number_or_name(each, keyword)
                if isinstance(named, int):
                    target.listed.append(np.array([named]))
                else:
                    target.others.append((named, place))


def surface(deck: Deck, keyword: Keyword) -> None:
    deck.surfaces[keyword.option("NAME", "the surface").upper()] = keyword


def element_nodes(deck: Deck) -> None:
    """Node sets that are given as the nodes of element sets; once all elements are there."""
    for name, scope, other, keyword in deck.sets_of_elements:
        wanted = deck.element_numbers(other, keyword, keyword.place)
        for batch in deck.draft.batches:
            chosen = np.isin(batch.ids, wanted)
            deck.node_sets.get(name, scope, keyword.place).listed.append(np.unique(batch.nodes[chosen]))


KEYWORDS = {
    "HEADING": heading,
    "NODE": node,
    "ELEMENT": element,
    "NSET": nset,
    "ELSET": elset,
    "SURFACE": surface,
}
