"""*RIGID BODY, *MPC, *COUPLING with *KINEMATIC or *DISTRIBUTING, *BOUNDARY, *TRANSFORM."""

from __future__ import annotations

import numpy as np

from flexor.io.abaqus.deck import Deck, reals, whole
from flexor.io.abaqus.keywords import Keyword
from flexor.io.abaqus.surfaces import surface_nodes, surface_shares
from flexor.io.draft import Place
from flexor.io.file_text import wrong
from flexor.mesh.mesh import AverageLink, RigidLink

ALL = (0, 1, 2, 3, 4, 5)
_NAMED_SUPPORTS = {
    "ENCASTRE": ALL,
    "PINNED": (0, 1, 2),
    "XSYMM": (0, 4, 5),
    "YSYMM": (1, 3, 5),
    "ZSYMM": (2, 3, 4),
    "XASYMM": (1, 2, 3),
    "YASYMM": (0, 2, 4),
    "ZASYMM": (0, 1, 5),
}


def rigid_body(deck: Deck, keyword: Keyword) -> None:
    """*RIGID BODY, REF NODE, with NSET or TIE NSET (all components), PIN NSET (translations), ELSET (its nodes)."""
    place = keyword.place
    reference = deck.node(keyword.option("REF NODE", "the reference node"), keyword, place)
    if "ROT NODE" in keyword.options:
        deck.draft.note(
            "*RIGID BODY, ROT NODE", "rotations belong to the reference node itself", place, severity="harmless"
        )
    found = False
    for option, components in (("NSET", ALL), ("TIE NSET", ALL), ("PIN NSET", (0, 1, 2))):
        if name := keyword.options.get(option):
            _link(deck, reference, deck.nodes(name, keyword, place), components)
            found = True
    if name := keyword.options.get("ELSET"):
        wanted = deck.element_numbers(name, keyword, place)
        chosen = [batch.nodes[np.isin(batch.ids, wanted)].ravel() for batch in deck.draft.batches]
        nodes = deck.draft.nodes.find(np.unique(np.concatenate([np.zeros(0, np.int64), *chosen])))
        if not len(nodes):
            deck.draft.note("*RIGID BODY, ELSET", "none of its elements could be read; it is left out", place)
        _link(deck, reference, nodes, ALL)
        found = True
    if not found:
        raise wrong(*place, "*RIGID BODY ties no nodes", fix="give NSET, TIE NSET, PIN NSET or ELSET")


def _link(deck: Deck, reference: int, nodes: np.ndarray, components: tuple[int, ...]) -> None:
    dependents = tuple(int(n) for n in nodes if n != reference)
    if dependents:
        deck.rigid_links.append(RigidLink(reference, dependents, components, len(deck.rigid_links) + 1))


def mpc(deck: Deck, keyword: Keyword) -> None:
    """*MPC: BEAM and TIE follow rigidly, PIN in translation; other types are noted."""
    for place, fields in keyword.rows():
        kind = fields[0].upper()
        if kind not in ("BEAM", "TIE", "PIN") or len(fields) < 3:
            deck.draft.note(f"*MPC, {kind[:20]}", "multi-point constraints of this type are left out", place)
            continue
        nodes, reference = deck.nodes(fields[1], keyword, place), deck.node(fields[2], keyword, place)
        apart = np.ptp(deck.draft.points[[*nodes, reference]], axis=0).max() > 1e-9 * np.ptp(deck.draft.points)
        if kind != "BEAM" and apart:
            what = "equal displacements of nodes that are apart are left out; a beam type would be taken"
            deck.draft.note(f"*MPC, {kind}", what, place)
            continue
        _link(deck, reference, nodes, (0, 1, 2) if kind == "PIN" else ALL)


def coupling(deck: Deck, keyword: Keyword) -> None:
    """*COUPLING, REF NODE, SURFACE: what follows says how."""
    close_coupling(deck)
    place = keyword.place
    reference = deck.node(keyword.option("REF NODE", "the reference node"), keyword, place)
    surface_nodes(deck, _surface(keyword), place)
    if "ORIENTATION" in keyword.options:
        deck.draft.note(
            "*COUPLING, ORIENTATION", "components are taken along global axes", place, severity="approximate"
        )
    deck.coupling = (keyword, reference)


def _surface(coupling: Keyword) -> str:
    return coupling.option("SURFACE", "the coupled surface")


def _open_coupling(deck: Deck, keyword: Keyword) -> tuple[Keyword, int]:
    if deck.coupling is None:
        raise wrong(*keyword.place, f"*{keyword.name} without *COUPLING", fix="put *COUPLING before it")
    opened, deck.coupling = deck.coupling, None
    return opened


def close_coupling(deck: Deck) -> None:
    """A *COUPLING that nothing says more about is told."""
    if deck.coupling is not None:
        why = "without *KINEMATIC or *DISTRIBUTING behind it, left out"
        deck.draft.note("*COUPLING", why, deck.coupling[0].place)
        deck.coupling = None


def kinematic(deck: Deck, keyword: Keyword) -> None:
    """*KINEMATIC: the surface follows the reference node in the listed components, all if none is listed."""
    opened, reference = _open_coupling(deck, keyword)
    components: set[int] = set()
    for place, fields in keyword.rows():
        components |= set(_range(fields, place, keyword))
    nodes = surface_nodes(deck, _surface(opened), opened.place)
    _link(deck, reference, nodes, tuple(sorted(components)) or ALL)


def distributing(deck: Deck, keyword: Keyword) -> None:
    """*DISTRIBUTING: the reference node moves with the average of the surface, or the weighted one of its nodes."""
    opened, reference = _open_coupling(deck, keyword)
    nodes, shares = surface_shares(deck, _surface(opened), opened.place)
    if shares.apart:
        why = f"{shares.apart} nodes of elements without faces do not take part in the average"
        deck.draft.note("*DISTRIBUTING", why, opened.place, severity="approximate")
    method = keyword.options.get("WEIGHTING METHOD", "UNIFORM").upper()
    if method != "UNIFORM":
        deck.draft.note(
            f"*DISTRIBUTING, WEIGHTING METHOD={method}",
            "weights are taken as uniform",
            keyword.place,
            severity="approximate",
        )
    components: set[int] = set()
    for place, fields in keyword.rows():
        components |= set(_range(fields, place, keyword))
    others = nodes != reference
    if not others.any():
        raise wrong(*opened.place, "*COUPLING couples no nodes", fix="check its surface")
    weights, levers = shares.weights, shares.levers if shares.by != "number" else shares.levers[:0]
    if not others.all():
        why = "the reference node lies on the surface, whose other nodes count alike then"
        deck.draft.note("*DISTRIBUTING", why, opened.place, severity="approximate")
        nodes, weights, levers = nodes[others], np.ones(int(others.sum())), levers[:0]
    link = AverageLink(
        reference,
        tuple(nodes.tolist()),
        tuple(weights.tolist()),
        tuple(sorted(components)) or ALL,
        id=len(deck.average_links) + 1,
        levers=tuple(map(tuple, levers.tolist())),
    )
    deck.average_links.append(link)


def kinematic_coupling(deck: Deck, keyword: Keyword) -> None:
    """*KINEMATIC COUPLING, REF NODE: nodes and the components that follow it."""
    reference = deck.node(keyword.option("REF NODE", "the reference node"), keyword, keyword.place)
    for place, fields in keyword.rows():
        nodes = deck.nodes(fields[0], keyword, place)
        _link(deck, reference, nodes, _range(fields[1:3], place, keyword) if len(fields) > 1 else ALL)


def _range(fields: list[str], place: Place, keyword: Keyword) -> tuple[int, ...]:
    """Components from "first, last" of a data line, counted from 1 there and from 0 here."""
    numbers = [whole(each, place, f"*{keyword.name}") for each in fields[:2] if each]
    if not numbers:
        return ALL
    first, last = numbers[0], numbers[-1]
    if not 1 <= first <= last <= 6:
        what = f"*{keyword.name}: components {first} to {last}"
        raise wrong(*place, what, "they run from 1 to 6", "correct the line")
    return tuple(range(first - 1, last))


def boundary(deck: Deck, keyword: Keyword) -> None:
    """*BOUNDARY: held components of nodes, by range or by name (ENCASTRE, …); OP=NEW drops those of earlier steps."""
    if keyword.options.get("OP", "").upper() == "NEW" and keyword.step > deck.supports_of:
        deck.fixed.clear()
    deck.supports_of = max(deck.supports_of, keyword.step)
    for place, fields in keyword.rows():
        if len(fields) < 2:
            why, fix = "node or set, first component, last component", "correct the line"
            raise wrong(*place, "*BOUNDARY line is incomplete", why, fix)
        nodes = deck.nodes(fields[0], keyword, place)
        if fields[1].upper() in _NAMED_SUPPORTS:
            components = _NAMED_SUPPORTS[fields[1].upper()]
        else:
            if any(each.isdecimal() and int(each[:9]) > 6 for each in fields[1:3]):
                deck.draft.note(
                    "*BOUNDARY",
                    "components beyond 6 (temperature, warping) are left out",
                    place,
                    severity="approximate",
                )
                continue
            components = _range(fields[1:3], place, keyword)
        if any(reals(fields[3:4], place, "*BOUNDARY")):
            deck.draft.note("*BOUNDARY", "prescribed displacements other than 0 are left out", place)
            continue
        for each in nodes.tolist():
            if each in deck.transformed and not _whole_triples(components):
                deck.draft.note("*BOUNDARY", "single components in the axes of *TRANSFORM are left out", place)
                continue
            deck.fixed.setdefault(each, set()).update(components)


def retained_dofs(deck: Deck, keyword: Keyword) -> None:
    """*RETAINED NODAL DOFS: components of nodes that a substructure keeps."""
    for place, fields in keyword.rows():
        components = _range(fields[1:3], place, keyword)
        for node in deck.nodes(fields[0], keyword, place).tolist():
            deck.retained.setdefault(node, set()).update(components)


def _whole_triples(components: tuple[int, ...]) -> bool:
    """All or none of the translations, and of the rotations: the same in any axes."""
    chosen = set(components)
    return all(part <= chosen or not part & chosen for part in ({0, 1, 2}, {3, 4, 5}))


def transform(deck: Deck, keyword: Keyword) -> None:
    nodes = deck.nodes(keyword.option("NSET", "the nodes"), keyword, keyword.place)
    deck.transformed.update(nodes.tolist())


KEYWORDS = {
    "TRANSFORM": transform,
    "RIGID BODY": rigid_body,
    "MPC": mpc,
    "COUPLING": coupling,
    "KINEMATIC": kinematic,
    "DISTRIBUTING": distributing,
    "KINEMATIC COUPLING": kinematic_coupling,
    "BOUNDARY": boundary,
    "RETAINED NODAL DOFS": retained_dofs,
}
