"""*MATERIAL with *ELASTIC, *DENSITY and *DAMPING."""

from __future__ import annotations

import numpy as np

from flexor.io.abaqus.deck import Deck, GivenMaterial, reals
from flexor.io.abaqus.keywords import Keyword
from flexor.io.draft import Place
from flexor.io.elastic import lamina, made, orthotropic
from flexor.io.file_text import wrong
from flexor.materials import Isotropic, Material, Orthotropic

_CONSTANTS = {"ISOTROPIC": 2, "ISO": 2, "ENGINEERING CONSTANTS": 9, "ORTHOTROPIC": 9, "ORTHO": 9, "LAMINA": 6}


def material(deck: Deck, keyword: Keyword) -> None:
    name = keyword.option("NAME", "the material")
    if name.upper() in deck.materials:
        raise wrong(*keyword.place, f"material {name!r} is given twice", fix="remove or rename one of them")
    deck.material = deck.materials[name.upper()] = GivenMaterial(name, keyword.place)


def _current(deck: Deck, keyword: Keyword) -> GivenMaterial:
    if deck.material is None:
        raise wrong(*keyword.place, f"*{keyword.name} without *MATERIAL", fix="put *MATERIAL, NAME=… before it")
    return deck.material


def elastic(deck: Deck, keyword: Keyword) -> None:
    """*ELASTIC: isotropic, engineering constants, orthotropic, lamina; of a table over temperature the first row."""
    current = _current(deck, keyword)
    kind = keyword.options.get("TYPE", "ISOTROPIC").upper()
    if kind not in _CONSTANTS:
        deck.draft.note(
            f"*ELASTIC, TYPE={kind}", f"material {current.name!r} is left out", keyword.place, severity="harmless"
        )
        return
    values: list[float] = []
    rows = list(keyword.rows())
    for place, fields in rows:
        values += reals(fields[:8], place, "*ELASTIC")
    if len(values) < _CONSTANTS[kind] and not (kind.startswith("ISO") and len(values) == 1):
        why = f"{len(values)} constants where {_CONSTANTS[kind]} are needed"
        raise wrong(*keyword.place, "*ELASTIC is incomplete", why, "the file may be cut off: export it again")
    if len(rows) > (2 if _CONSTANTS[kind] == 9 else 1):
        deck.draft.note(
            "*ELASTIC", "of constants over temperature the first ones are taken", keyword.place, severity="approximate"
        )
    current.elastic = (kind, [*values, 0.0][: _CONSTANTS[kind]], keyword.place)


def density(deck: Deck, keyword: Keyword) -> None:
    current = _current(deck, keyword)
    for place, fields in keyword.rows():
        current.density = reals(fields, place, "*DENSITY", 1)[0]
        return
    raise wrong(*keyword.place, "*DENSITY has no value", fix="the file may be cut off: export it again")


def damping(deck: Deck, keyword: Keyword) -> None:
    """*DAMPING, BETA: stiffness-proportional damping; ALPHA has no place in a material here."""
    current = _current(deck, keyword)
    if beta := keyword.options.get("BETA"):
        current.damping = reals([beta], keyword.place, "*DAMPING")[0]
    for option in keyword.options.keys() - {"BETA"}:
        deck.draft.note(f"*DAMPING, {option}", "left out", keyword.place, severity="approximate")


def make_materials(deck: Deck) -> dict[str, Material]:
    """Materials by name as written, in SI."""
    found = {}
    for each in deck.materials.values():
        if each.elastic is not None:
            found[each.name] = _made(deck, each, *each.elastic)
        else:
            why = "material without elastic constants is left out"
            deck.draft.note(f"*MATERIAL, NAME={each.name}", why, each.place, severity="harmless")
    return found


def _made(deck: Deck, each: GivenMaterial, kind: str, values: list[float], place: Place) -> Material:
    stress, where = deck.draft.units.stress, f"material {each.name!r}"
    density = each.density * deck.draft.units.density
    more = {"density": density, "damping": each.damping * deck.draft.units.time}
    if kind.startswith("ISO"):
        return made(Isotropic, where, place, young=values[0] * stress, poisson=values[1], **more)
    if kind == "LAMINA":
        E1, E2, nu12, G12, G13, G23 = values
        G = G12 * stress, (G13 or G12) * stress, (G23 or G12) * stress
        return lamina(E1 * stress, E2 * stress, nu12, *G, density, where, place)
    if kind == "ENGINEERING CONSTANTS":
        E1, E2, E3, nu12, nu13, nu23, G12, G13, G23 = values
        young, shear = (tuple(v * stress for v in group) for group in ((E1, E2, E3), (G12, G23, G13)))
        return made(Orthotropic, where, place, young=young, poisson=(nu12, nu23, nu13), shear=shear, **more)
    D = np.zeros((6, 6))  # D1111, D1122, D2222, D1133, D2233, D3333, D1212, D1313, D2323
    D[[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]] = values[:6]
    D[[1, 2, 2], [0, 0, 1]] = D[[0, 0, 1], [1, 2, 2]]
    D[[3, 5, 4], [3, 5, 4]] = values[6:9]
    result = orthotropic(D * stress, density, where, place)
    if result is None:
        raise wrong(*place, "the elasticity matrix has no inverse", fix="correct the constants", where=where)
    return result


KEYWORDS = {"MATERIAL": material, "ELASTIC": elastic, "DENSITY": density, "DAMPING": damping}
IGNORED = {
    "EXPANSION": "thermal expansion",
    "PLASTIC": "plasticity",
    "CONDUCTIVITY": "heat conduction",
    "SPECIFIC HEAT": "heat capacity",
}
"""Parts of a material that linear dynamics does not use."""
