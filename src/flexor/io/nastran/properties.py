"""PSOLID, PSHELL, PCOMP, PBAR, PBARL, PBEAM, PBEAML: what elements are made of."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from flexor.errors import ModelError
from flexor.io.elastic import made
from flexor.io.nastran.card import Card
from flexor.io.nastran.deck import Deck
from flexor.io.nastran.profiles import dimensions, profile
from flexor.mesh.section import GeneralSection, Laminate, Ply, ShellSection

_STATION = ("YES", "YESA", "NO")


@dataclass(frozen=True)
class Property:
    """What the elements of a property share."""

    card: Card
    material: str | None
    section: str | None = None
    system: int = 0
    """Material coordinate system of a solid."""
    layered: bool = False
    neutral: tuple[float, float] = (0.0, 0.0)
    """(y, z) from the reference line of a beam to its centroid [m]."""
    offset: float = 0.0
    """From the nodes to the middle of a shell [m]."""


def read_properties(deck: Deck) -> dict[int, Property]:
    """Properties by number; sections go into the deck under names like "PSHELL 3"."""
    found: dict[int, Property] = {}
    for name, read in _READERS.items():
        for card in deck.bulk.get(name):
            number = card.integer(1, "number")
            if number in found:
                raise card.wrong(f"property {number} is given twice", "remove or renumber one of them")
            found[number] = read(deck, card)
    return found


def _material(deck: Deck, card: Card, i: int, meaning: str = "material") -> str | None:
    """Name of the material in field i; None if its constants could not be taken."""
    number = card.integer(i, meaning)
    if number not in deck.material_names:
        if any(c.integer(1, "number") == number for n in ("MAT3", "MAT10", "MATHP") for c in deck.bulk.get(n)):
            return None
        raise card.wrong(f"material {number} does not exist", "define it or correct the number")
    name = deck.material_names[number]
    return name if name in deck.materials else None


def _psolid(deck: Deck, card: Card) -> Property:
    system = card.integer(3, "CORDM", 0)
    if system == -1:
        deck.draft.note(
            "PSOLID", "element axes (CORDM −1) are taken as global axes", card.place, severity="approximate"
        )
        system = 0
    return Property(card, _material(deck, card, 2), system=system)


def _pshell(deck: Deck, card: Card) -> Property:
    """MID1, T, MID2, 12I/T³, MID3, TS/T, NSM."""
    units, note = deck.draft.units, deck.draft.note
    first = next((i for i in (2, 4, 6) if card.text(i)), 2)
    material = _material(deck, card, first, "MID")
    mids = {card.text(i) for i in (2, 4, 6, 19)} - {""}
    if len(mids) > 1:
        note("PSHELL", "one material is taken for membrane, bending and shear (MID1)", card.place)
    if not card.text(4) or not card.text(2):
        note("PSHELL", "a shell without membrane or bending material is taken as a full shell", card.place)
    values = {
        "thickness": card.real(3, "thickness") * units.length,
        "bending": card.real(5, "12I/T³", 1.0),
        "shear": card.real(7, "TS/T", 5 / 6) or 5 / 6,
        "area_mass": card.real(8, "NSM", 0.0) * deck.mass_factor * units.mass / units.area,
    }
    return Property(card, material, _add(deck, card, ShellSection, values))


def _pcomp(deck: Deck, card: Card) -> Property:
    """Z0, NSM, …, LAM; then MID, T, THETA, SOUT of each ply from the bottom; blank MID and T repeat the one before."""
    units = deck.draft.units
    plies, name, thickness = [], None, 0.0
    complete = True
    for i in range(9, len(card.fields) + 1, 4):
        if not any(card.text(j) for j in range(i, i + 4)):
            continue
        if card.text(i):
            name = _material(deck, card, i, "ply material")
        if card.text(i + 1):
            thickness = card.real(i + 1, "ply thickness") * units.length
        if name is None:
            complete = False
            continue
        angle = math.radians(card.real(i + 2, "ply angle", 0.0))
        plies.append(
            made(
                Ply,
                f"PCOMP {card.text(1)}",
                card.place,
                material=deck.materials[name],
                thickness=thickness,
                angle=angle,
            )
        )
    lay_up = card.text(8)
    if lay_up == "SYM":
        plies += plies[::-1]
    elif lay_up:
        deck.draft.note(f"PCOMP, LAM={lay_up}", "taken as an ordinary laminate", card.place, severity="approximate")
    if not plies or not complete:
        deck.draft.note("PCOMP", "laminate without complete plies is left out", card.place, severity="harmless")
        return Property(card, None)
    total = sum(ply.thickness for ply in plies)
    bottom = card.real(2, "Z0") * units.length if card.text(2) else -total / 2
    area_mass = card.real(3, "NSM", 0.0) * deck.mass_factor * units.mass / units.area
    values = {"plies": tuple(plies), "offset": bottom + total / 2, "area_mass": area_mass}
    section = _add(deck, card, Laminate, values)
    return Property(card, name, section, layered=True, offset=bottom + total / 2)


def _pbar(deck: Deck, card: Card) -> Property:
    """A, I1 (plane 1: ∫y²), I2, J, NSM; four stress points; K1, K2, I12."""
    values = _general(deck, card, (3, 4, 5, 19, 6), 7)
    values["shear_factors"] = (card.real(17, "K1", 0.0), card.real(18, "K2", 0.0))
    values["points"] = _points(deck, card, 9)
    return Property(card, _material(deck, card, 2), _add(deck, card, GeneralSection, values))


def _general(deck: Deck, card: Card, fields: tuple[int, int, int, int, int], nsm: int) -> dict:
    """A, I1, I2, I12, J in these fields, SI."""
    units = deck.draft.units
    A, I1, I2, I12, J = (card.real(i, name, 0.0) for i, name in zip(fields, ("A", "I1", "I2", "I12", "J")))
    moment = units.second_moment
    values = {"area": A * units.area, "Iy": I2 * moment, "Iz": I1 * moment, "Iyz": I12 * moment, "J": J * moment}
    return {**values, "line_mass": card.real(nsm, "NSM", 0.0) * deck.mass_factor * units.mass / units.length}


def _points(deck: Deck, card: Card, first: int) -> tuple[tuple[float, float], ...]:
    """Stress points C, D, E, F; those at the centroid are blank ones."""
    length = deck.draft.units.length
    pairs = [tuple(card.real(first + 2 * i + k, "stress point", 0.0) * length for k in (0, 1)) for i in range(4)]
    return tuple(dict.fromkeys((y, z) for y, z in pairs if y or z))


def _pbeam(deck: Deck, card: Card) -> Property:
    """End A with its stress points, stations up to end B, then a line K1, K2, … and a line M, N."""
    length = deck.draft.units.length
    values = _general(deck, card, (3, 4, 5, 6, 7), 8)
    at = 0  # line of 8 fields behind the first
    if card.text(9) not in _STATION:
        values["points"], at = _points(deck, card, 9), 1
    while card.text(9 + 8 * at) in _STATION:
        _taper(deck, card, 9 + 8 * at, values)
        at += 2 if card.text(9 + 8 * at) == "YES" else 1
    k, n = 9 + 8 * at, 9 + 8 * (at + 1)
    values["shear_factors"] = (card.real(k, "K1", 1.0), card.real(k + 1, "K2", 1.0))
    inertia = card.real(k + 4, "NSI", 0.0)
    values["line_inertia"] = inertia * deck.mass_factor * deck.draft.units.mass * length
    if any(card.text(i) and card.real(i, "M") for i in range(n, n + 4)):
        deck.draft.note("PBEAM", "the offset of non-structural mass is left out", card.place, severity="approximate")
    y, z = (card.real(n + 4 + i, "N", 0.0) * length for i in (0, 1))
    values["shear_center"] = (-y, -z)
    section = _add(deck, card, GeneralSection, values)
    return Property(card, _material(deck, card, 2), section, neutral=(y, z))


def _taper(deck: Deck, card: Card, start: int, values: dict) -> None:
    """A station SO, X/XB, A, I1, I2, I12, J, NSM: where end B (X/XB = 1) differs from end A, take the mean of both."""
    end = _general(deck, card, (start + 2, start + 3, start + 4, start + 5, start + 6), start + 7)
    fields = {"area": 2, "Iz": 3, "Iy": 4, "Iyz": 5, "J": 6, "line_mass": 7}
    differ = [
        key
        for key, i in fields.items()
        if card.text(start + i) and not math.isclose(end[key], values[key], rel_tol=1e-9)
    ]
    if differ:
        if math.isclose(card.real(start + 1, "X/XB", 1.0), 1.0):
            values.update({key: (values[key] + end[key]) / 2 for key in differ})
        deck.draft.note(
            "PBEAM", "a tapered beam is taken with the mean of its ends", card.place, severity="approximate"
        )


def _profiled(deck: Deck, card: Card) -> Property:
    """PBARL, PBEAML: GROUP, TYPE, then dimensions and NSM of end A."""
    shape, units = card.text(4), deck.draft.units
    material, count = _material(deck, card, 2), dimensions(card.text(4))
    if count is None:
        deck.draft.note(
            f"{card.name}, TYPE={shape}", "profiles of this type are left out", card.place, severity="harmless"
        )
        return Property(card, material)
    sizes = [card.real(9 + i, f"DIM{i + 1}") * units.length for i in range(count)]
    mass = card.real(9 + count, "NSM", 0.0) * deck.mass_factor * units.mass / units.length
    other = 9 + count + 3  # behind SO and X/XB
    if card.name == "PBEAML" and any(
        card.text(other + i) and not math.isclose(card.real(other + i, "DIM") * units.length, sizes[i])
        for i in range(count)
    ):
        deck.draft.note(
            "PBEAML", "a tapered beam is taken with the section of its first end", card.place, severity="approximate"
        )
    try:
        make, values, neutral = profile(shape, sizes)
    except (ValueError, ModelError) as error:
        raise card.wrong(str(error)) from None
    if card.name == "PBARL":  # the bar's reference line is its centroid
        neutral = (0.0, 0.0)
        values = {**values, "shear_center": (0.0, 0.0)} if make is GeneralSection else values
    section = _add(deck, card, make, {**values, "line_mass": mass})
    return Property(card, material, section, neutral=neutral)


def _add(deck: Deck, card: Card, make: type, values: dict) -> str:
    name = f"{card.name} {card.integer(1, 'number')}"
    deck.sections[name] = made(make, name, card.place, **values)
    return name


_READERS: dict[str, Callable[[Deck, Card], Property]] = {
    "PSOLID": _psolid,
    "PSHELL": _pshell,
    "PCOMP": _pcomp,
    "PBAR": _pbar,
    "PBARL": _profiled,
    "PBEAM": _pbeam,
    "PBEAML": _profiled,
}
READ = tuple(_READERS)
