"""MAT1, MAT2, MAT8, MAT9."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexor.io.elastic import lamina, made, orthotropic
from flexor.io.nastran.card import Card
from flexor.io.nastran.deck import Deck
from flexor.materials import Isotropic, Material, Orthotropic


def read_materials(deck: Deck) -> None:
    """Materials by name ("MAT1 3") and by number."""
    readers: dict[str, Callable[[Deck, Card, float, str], Material | None]] = {
        "MAT1": _mat1,
        "MAT2": _mat2,
        "MAT8": _mat8,
        "MAT9": _mat9,
    }
    for card_name, read in readers.items():
        for card in deck.bulk.get(card_name):
            number = card.integer(1, "number")
            name = f"{card_name} {number}"
            if number in deck.material_names:
                raise card.wrong(f"material {number} is given twice", "remove or renumber one of them")
            density = card.real({"MAT1": 5, "MAT2": 8, "MAT8": 8, "MAT9": 23}[card_name], "density", 0.0)
            material = read(deck, card, density * deck.mass_factor * deck.draft.units.density, name)
            deck.material_names[number] = name
            if material is not None:
                deck.materials[name] = material


def _mat1(deck: Deck, card: Card, density: float, where: str) -> Isotropic | Orthotropic:
    """E, G, ν, of which one may be blank: G = E/(2 (1 + ν)). With all three given, G keeps its own value only if it
    differs by more than a per cent."""
    E, G, nu = (card.text(i) and card.real(i, name) for i, name in ((2, "E"), (3, "G"), (4, "ν")))
    stress = deck.draft.units.stress
    if not E and not G:
        raise card.wrong("neither E nor G is given")
    if not E:
        nu = nu or 0.0
        E = 2 * float(G) * (1 + float(nu))
    elif nu == "":
        nu = float(E) / (2 * float(G)) - 1 if G else 0.0
    elif G and abs(float(G) * 2 * (1 + float(nu)) / float(E) - 1) > 0.01:
        deck.draft.note(
            "MAT1", "E, G and ν do not fit together; G is kept as a modulus of its own", card.place, severity="harmless"
        )
        young, shear = (float(E) * stress,) * 3, (float(G) * stress,) * 3
        return made(Orthotropic, where, card.place, young=young, poisson=(nu,) * 3, shear=shear, density=density)
    return made(Isotropic, where, card.place, young=float(E) * stress, poisson=float(nu), density=density)


def _mat2(deck: Deck, card: Card, density: float, where: str) -> Isotropic | Orthotropic | None:
    """Plane-stress matrix G11, G12, G13, G22, G23, G33 of an orthotropic sheet in its own axes."""
    g11, g12, g13, g22, g23, g33 = (card.real(i, f"G ({i - 1})", 0.0) * deck.draft.units.stress for i in range(2, 8))
    determinant = g11 * g22 - g12**2
    if max(abs(g13), abs(g23)) > 1e-6 * max(abs(g11), abs(g22)) or determinant <= 0 or g33 <= 0:
        deck.draft.note(
            "MAT2", "materials that couple shear and extension are left out", card.place, severity="harmless"
        )
        return None
    E1, E2, nu12 = determinant / g22, determinant / g11, g12 / g22
    if np.isclose(E1, E2, rtol=1e-6) and np.isclose(g33, E1 / (2 * (1 + nu12)), rtol=1e-5):
        return made(Isotropic, where, card.place, young=E1, poisson=nu12, density=density)
    return lamina(E1, E2, nu12, g33, g33, g33, density, where, card.place)


def _mat8(deck: Deck, card: Card, density: float, where: str) -> Orthotropic:
    """E1, E2, ν12, G12, G1z, G2z; blank transverse moduli (rigid in shear) are taken as G12."""
    stress = deck.draft.units.stress
    E1, E2, nu12 = card.real(2, "E1") * stress, card.real(3, "E2") * stress, card.real(4, "ν12")
    G12, G13, G23 = (card.real(i, "G", 0.0) * stress for i in (5, 6, 7))
    if not G13 or not G23:
        deck.draft.note("MAT8", "blank transverse shear moduli are taken as G12", card.place, severity="approximate")
    return lamina(E1, E2, nu12, G12, G13 or G12, G23 or G12, density, where, card.place)


def _mat9(deck: Deck, card: Card, density: float, where: str) -> Isotropic | Orthotropic | None:
    """Upper triangle of the 6×6 matrix, row by row."""
    D = np.zeros((6, 6))
    D[np.triu_indices(6)] = [card.real(i, f"G ({i - 1})", 0.0) for i in range(2, 23)]
    D = (D + np.triu(D, 1).T) * deck.draft.units.stress
    material = orthotropic(D, density, where, card.place)
    if material is None:
        deck.draft.note(
            "MAT9", "materials that are not orthotropic in their axes are left out", card.place, severity="harmless"
        )
    return material
