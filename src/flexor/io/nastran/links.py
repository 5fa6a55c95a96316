"""RBE2, RBE3, RBAR; SPC, SPC1, SPCADD; ASET, BSET; CONM1, CONM2."""

from __future__ import annotations

import numpy as np

from flexor.io.nastran.card import Card
from flexor.io.nastran.deck import Components, Deck
from flexor.mesh.mesh import AverageLink, NodalMass, RigidBar, RigidLink
from flexor.spatial import skew

READ = ("RBE2", "RBE3", "RBAR", "SPC", "SPC1", "SPCADD", "ASET", "ASET1", "BSET", "BSET1", "CONM1", "CONM2")
HeldNodes = tuple[tuple[int, Components], ...]


def rigid_links(deck: Deck) -> tuple[RigidLink, ...]:
    """RBE2: GN, CM, dependents; a real number at the end is a thermal expansion."""
    found: list[RigidLink] = []
    for card in deck.bulk.get("RBE2"):
        node, components = deck.node(card.integer(2, "GN"), card), card.components(3, "CM")
        while card.fields and (not card.fields[-1].strip() or "." in card.fields[-1]):
            card.fields.pop()
        nodes = deck.nodes(card, 4, "dependent grid points")
        by_components: dict[Components, list[int]] = {}
        for each in nodes.tolist():
            if each != node and (own := deck.components(each, components, card)):
                by_components.setdefault(own, []).append(each)
        number = card.integer(1, "number")
        found += [RigidLink(node, tuple(each), own, number) for own, each in by_components.items()]
    return tuple(found)


def rigid_bars(deck: Deck) -> tuple[RigidBar, ...]:
    """RBAR: GA, GB, independent components CNA, CNB, dependent ones CMA, CMB (blank: all that are not independent)."""
    found: list[RigidBar] = []
    for card in deck.bulk.get("RBAR"):
        nodes = (deck.node(card.integer(2, "GA"), card), deck.node(card.integer(3, "GB"), card))
        groups = [card.components(i, "components") for i in (4, 5, 6, 7)]
        if not groups[0] and not groups[1]:
            groups[0] = (0, 1, 2, 3, 4, 5)
        if not groups[2] and not groups[3]:
            groups[2], groups[3] = (tuple(sorted(set(range(6)) - set(g))) for g in groups[:2])
        own = [deck.components(nodes[i % 2], g, card) if g else () for i, g in enumerate(groups)]
        if any(each is None for each in own):
            continue
        independent, dependent = (own[0] or (), own[1] or ()), (own[2] or (), own[3] or ())
        if sum(map(len, independent)) != 6:
            raise card.wrong("the independent components of both ends must be six", "correct CNA and CNB")
        found.append(RigidBar(nodes, independent, dependent, card.integer(1, "number")))
    return tuple(found)


def average_links(deck: Deck) -> tuple[AverageLink, ...]:
    """RBE3: REFGRID, REFC, then groups of weight, components, grid points; UM and ALPHA end them."""
    found: list[AverageLink] = []
    for card in deck.bulk.get("RBE3"):
        node = deck.node(card.integer(3, "REFGRID"), card)
        components = deck.components(node, card.components(4, "REFC"), card)
        if components is None:
            continue
        independents, weights, taken = [], [], []
        members = _until_marks(deck, card)
        at = 0
        while at < len(members):
            weight, own = Card(card.name, members[at:], *card.place).real(1, "weight"), members[at + 1 : at + 2]
            at += 2
            stop = next((i for i in range(at, len(members)) if "." in members[i]), len(members))
            group = Card(card.name, ["", *own, *members[at:stop]], *card.place)
            nodes = deck.nodes(group, 3, "independent grid points")
            if not len(nodes):
                raise card.wrong("a weight has no grid points; the card may be cut off")
            independents += nodes.tolist()
            weights += [weight] * len(nodes)
            taken.append(group.components(2, "C", "123"))
            at = stop
        if not independents:
            raise card.wrong("it has no independent grid points")
        if any(each != taken[0] for each in taken):
            why = "different components of the independent grid points are replaced by the first group's"
            deck.draft.note("RBE3", why, card.place, severity="approximate")
        if not {0, 1, 2} <= set(taken[0]) and any(deck.cd[n] > 0 for n in independents):
            deck.draft.note(
                "RBE3",
                "single components of independent points are taken along global axes",
                card.place,
                severity="approximate",
            )
        link = AverageLink(node, tuple(independents), tuple(weights), components, taken[0], card.integer(1, "number"))
        found.append(link)
    return tuple(found)


def _until_marks(deck: Deck, card: Card) -> list[str]:
    members = card.members(5)
    for mark in ("UM", "ALPHA"):
        if mark in members:
            if mark == "UM":
                deck.draft.note("RBE3, UM", "dependent components of other points are left out", card.place)
            members = members[: members.index(mark)]
    return members


def supports(deck: Deck) -> HeldNodes:
    """SPC, SPC1 of the chosen set (SPCADD opened), and permanent supports of GRID."""
    chosen = _chosen_sets(deck)
    held: dict[int, set[int]] = {}
    for card in deck.bulk.get("SPC"):
        if chosen is None or card.integer(1, "set", 0) in chosen:
            for i in (2, 5):
                if not card.text(i):
                    continue
                node, components = deck.node(card.integer(i, "grid point"), card), card.components(i + 1, "C")
                if card.real(i + 2, "displacement", 0.0):
                    deck.draft.note("SPC", "prescribed displacements other than 0 are left out", card.place)
                    continue
                held.setdefault(node, set()).update(deck.components(node, components, card) or ())
    for card in deck.bulk.get("SPC1"):
        if chosen is None or card.integer(1, "set", 0) in chosen:
            components = card.components(2, "C")
            for node in deck.nodes(card, 3, "grid points").tolist():
                held.setdefault(node, set()).update(deck.components(node, components, card) or ())
    for card in deck.bulk.get("GRDSET"):
        if components := card.components(7, "PS"):
            for i in set(range(len(deck.grids.ids))) - set(deck.grids.supports):
                held.setdefault(i, set()).update(deck.components(i, components, card) or ())
    for i, card in deck.grids.supports.items():
        held.setdefault(i, set()).update(deck.components(i, card.components(7, "PS"), card) or ())
    for number, _, components in deck.grounds:
        held[int(deck.draft.nodes.find(np.array([number]))[0])] = set(components)
    return tuple((node, tuple(sorted(each))) for node, each in sorted(held.items()) if each)


def _chosen_sets(deck: Deck) -> set[int] | None:
    """Numbers of the sets that hold: what the case control asks for; all without one (a note if they are several)."""
    added = {c.integer(1, "set"): c for c in deck.bulk.get("SPCADD")}
    used = {c.integer(1, "set", 0): c for c in deck.bulk.get("SPC", "SPC1")}
    wanted = deck.bulk.case.get("SPC")
    if wanted is None:
        if deck.bulk.has_case:
            if used:
                card = next(iter(used.values()))
                deck.draft.note("SPC", "the case control asks for no supports", card.place, severity="harmless")
            return set()
        if len(added) == 1:
            wanted = next(iter(added))
        else:
            if len(used) > 1:
                card = next(iter(used.values()))
                why = f"no case control chooses among the sets {', '.join(map(str, sorted(used)))}; all are held"
                deck.draft.note("SPC", why, card.place, severity="approximate")
            return None
    deck.require_set("SPC", wanted, {*added, *used})
    chosen, open_sets = {wanted}, [wanted]
    while open_sets:
        opened = added.get(open_sets.pop())
        for text in opened.members(2) if opened else ():
            if text.isdecimal() and int(text) not in chosen:
                deck.require_set("SPC", int(text), {*added, *used}, opened)
                chosen.add(int(text))
                open_sets.append(int(text))
    return chosen


def retained(deck: Deck) -> HeldNodes:
    """ASET, BSET (pairs of point and components), ASET1, BSET1 (components, points)."""
    kept: dict[int, set[int]] = {}
    for card in deck.bulk.get("ASET", "BSET"):
        for i in range(1, len(card.fields), 2):
            if card.text(i):
                node = deck.node(card.integer(i, "grid point"), card)
                own = deck.components(node, card.components(i + 1, "C"), card)
                kept.setdefault(node, set()).update(own or ())
    for card in deck.bulk.get("ASET1", "BSET1"):
        components = card.components(1, "C")
        for node in deck.nodes(card, 2, "grid points").tolist():
            kept.setdefault(node, set()).update(deck.components(node, components, card) or ())
    return tuple((node, tuple(sorted(each))) for node, each in sorted(kept.items()) if each)


def masses(deck: Deck) -> tuple[NodalMass, ...]:
    return (*(_conm2(deck, c) for c in deck.bulk.get("CONM2")), *(_conm1(deck, c) for c in deck.bulk.get("CONM1")))


def _conm2(deck: Deck, card: Card) -> NodalMass:
    """CID, M, offset X, inertia about the centre of mass; products I21 = ∫ρ x y dV stand with a minus in the tensor."""
    units = deck.draft.units
    node = deck.node(card.integer(2, "grid point"), card)
    mass = card.real(4, "mass") * deck.mass_factor * units.mass
    system = card.integer(3, "CID", 0)
    offset = np.array([card.real(i, "offset", 0.0) for i in (5, 6, 7)])
    I11, I21, I22, I31, I32, I33 = (card.real(i, "inertia", 0.0) for i in range(9, 15))
    inertia = np.array([[I11, -I21, -I31], [-I21, I22, -I32], [-I31, -I32, I33]]) * deck.mass_factor * units.inertia
    if system == -1:  # X is the place of the centre of mass
        r = offset * units.length - deck.draft.points[node]
    else:
        R = deck.frame(system, card).axes_at(deck.draft.points[node : node + 1] / units.length)[0]
        r, inertia = R @ offset * units.length, R @ inertia @ R.T
    S = skew(r)
    matrix = np.zeros((6, 6))  # T = ½ m |v + ω × r|² + ½ ω·I ω
    matrix[:3, :3] = mass * np.eye(3)
    matrix[:3, 3:], matrix[3:, :3] = -mass * S, mass * S
    matrix[3:, 3:] = inertia - mass * S @ S
    return NodalMass(node, matrix, card.integer(1, "number"))


def _conm1(deck: Deck, card: Card) -> NodalMass:
    """Lower triangle of the 6×6 mass matrix, row by row, in the axes of CID."""
    units = deck.draft.units
    node = deck.node(card.integer(2, "grid point"), card)
    M = np.zeros((6, 6))
    M[np.tril_indices(6)] = [card.real(i, "mass", 0.0) for i in range(4, 25)]
    M = M + np.tril(M, -1).T
    scale = np.array([1.0] * 3 + [units.length] * 3)
    M *= deck.mass_factor * units.mass * np.outer(scale, scale)
    axes_at = deck.frame(card.integer(3, "CID", 0), card).axes_at(deck.draft.points[node : node + 1] / units.length)
    R = np.kron(np.eye(2), axes_at[0])
    return NodalMass(node, R @ M @ R.T, card.integer(1, "number"))
