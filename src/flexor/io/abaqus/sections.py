"""*SOLID SECTION, *SHELL SECTION, *BEAM SECTION, *BEAM GENERAL SECTION, *SPRING: what elements are made of."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexor.io.abaqus.deck import Deck, reals, whole
from flexor.io.abaqus.keywords import Keyword
from flexor.io.abaqus.orientation import Orientation
from flexor.io.draft import Place
from flexor.io.elastic import made
from flexor.io.file_text import wrong
from flexor.io.profiles import composed
from flexor.materials import Isotropic, Material, Orthotropic
from flexor.mesh.section import (
    BoxProfile,
    Circle,
    GeneralSection,
    IProfile,
    Laminate,
    Ply,
    Rectangle,
    RotationalSpringSection,
    Section,
    ShellSection,
    SpringSection,
    Tube,
)


@dataclass(frozen=True)
class Use:
    """Elements that share material, section and orientation."""

    material: str | None = None
    section: str | None = None
    orientation: Orientation | None = None
    n1: tuple[float, float, float] = (0.0, 0.0, -1.0)
    """Direction of a beam's first section axis."""
    centroid: tuple[float, float] = (0.0, 0.0)
    """Of a beam's section, from its nodes along both section axes [m]."""
    layered: bool = False
    kind: str = ""
    """Element that the section asks for, where the type of the elements leaves it open."""


def _give(deck: Deck, keyword: Keyword, use: Use) -> None:
    name = keyword.option("ELSET", "the elements")
    given = deck.draft.assign(deck.element_numbers(name, keyword, keyword.place), len(deck.uses))
    if not given:
        deck.draft.note(f"*{keyword.name}, ELSET={name}", "no element of it could be read", keyword.place)
    deck.uses.append(use)


def _material(deck: Deck, keyword: Keyword, name: str | None = None, place: Place | None = None) -> str | None:
    """Name of the material as it is written where it is defined; None if its constants could not be taken."""
    name = name or keyword.option("MATERIAL", "the material")
    if name.upper() not in deck.materials:
        what = f"*{keyword.name}: material {name!r} does not exist"
        raise wrong(*(place or keyword.place), what, fix="define it or correct the name")
    defined = deck.materials[name.upper()].name
    return defined if defined in deck.made_materials else None


def _orientation(deck: Deck, keyword: Keyword) -> Orientation | None:
    name = keyword.options.get("ORIENTATION")
    if not name:
        return None
    if name.upper() not in deck.orientations:
        what = f"*{keyword.name}: orientation {name!r} does not exist"
        raise wrong(*keyword.place, what, fix="define it or correct the name")
    return deck.orientations[name.upper()]


def _add(deck: Deck, keyword: Keyword, make: Callable[..., Section], place: Place, **values: object) -> str:
    """A section under the name of its element set."""
    name = base = keyword.option("ELSET", "the elements")
    count = 1
    while name in deck.sections:
        count += 1
        name = f"{base} {count}"
    deck.sections[name] = made(make, f"section of {base!r}", place, **values)
    return name


def solid_section(deck: Deck, keyword: Keyword) -> None:
    if "COMPOSITE" in keyword.options:
        deck.draft.note(
            "*SOLID SECTION, COMPOSITE",
            "layered solids are left without a material",
            keyword.place,
            severity="harmless",
        )
        _give(deck, keyword, Use())
        return
    _give(deck, keyword, Use(_material(deck, keyword), orientation=_orientation(deck, keyword)))


def shell_section(deck: Deck, keyword: Keyword) -> None:
    """*SHELL SECTION: one thickness, or plies from the bottom to the top (COMPOSITE)."""
    rows, length = list(keyword.rows()), deck.draft.units.length
    if "NODAL THICKNESS" in keyword.options:
        deck.draft.note(
            "*SHELL SECTION, NODAL THICKNESS",
            "the thickness of the section is taken",
            keyword.place,
            severity="approximate",
        )
    if not rows:
        raise wrong(*keyword.place, "*SHELL SECTION has no thickness", fix="the file may be cut off: export it again")
    offset = {"SPOS": 0.5, "SNEG": -0.5}.get(keyword.options.get("OFFSET", "").upper())
    if offset is None:
        offset = reals([keyword.options.get("OFFSET", "")], keyword.place, "OFFSET")[0]
    orientation, place = _orientation(deck, keyword), rows[0][0]
    if "COMPOSITE" in keyword.options:
        plies, materials = [], []
        for where, fields in rows:
            if len(fields) < 3:
                raise wrong(*where, "a ply is: thickness, integration points, material, angle", fix="complete the line")
            materials.append(_material(deck, keyword, fields[2], where))
            thickness = reals(fields[:1], where, "ply", 1)[0]
            angle = math.radians(reals(fields[3:4], where, "ply angle")[0]) if fields[3:4] else 0.0
            if materials[-1] is not None:
                what = {"material": deck.made_materials[materials[-1]], "thickness": thickness * length, "angle": angle}
                plies.append(made(Ply, "ply", where, **what))
        if len(plies) < len(rows):
            deck.draft.note(
                "*SHELL SECTION, COMPOSITE",
                "plies without elastic constants: section left out",
                place,
                severity="harmless",
            )
            _give(deck, keyword, Use())
            return
        total = sum(ply.thickness for ply in plies)
        name = _add(deck, keyword, Laminate, place, plies=tuple(plies), offset=-offset * total)
        _give(deck, keyword, Use(materials[0], name, orientation, layered=True))
        return
    thickness = reals(rows[0][1][:1], place, "*SHELL SECTION", 1)[0] * length
    name = _add(deck, keyword, ShellSection, place, thickness=thickness, offset=-offset * thickness)
    _give(deck, keyword, Use(_material(deck, keyword), name, orientation))


def shell_general_section(deck: Deck, keyword: Keyword) -> None:
    if "MATERIAL" in keyword.options or "COMPOSITE" in keyword.options:
        shell_section(deck, keyword)
        return
    deck.draft.note(
        "*SHELL GENERAL SECTION", "sections given by their stiffness are left out", keyword.place, severity="harmless"
    )
    _give(deck, keyword, Use())


def beam_section(deck: Deck, keyword: Keyword) -> None:
    """*BEAM SECTION, SECTION=RECT, CIRC, PIPE, BOX, I, GENERAL: sizes, then the direction of the first axis."""
    _beam(deck, keyword, _material(deck, keyword))


def beam_general_section(deck: Deck, keyword: Keyword) -> None:
    """*BEAM GENERAL SECTION: area, I11, I12, I22, J or a profile; first axis; Young's and shear modulus."""
    rows, units = list(keyword.rows()), deck.draft.units
    if len(rows) < 3:
        why = "sizes, first axis, Young's and shear modulus stand on three lines"
        raise wrong(*keyword.place, "*BEAM GENERAL SECTION is incomplete", why, "add them, blank if default")
    place, fields = rows[2]
    E, G = reals(fields[:2], place, "*BEAM GENERAL SECTION", 2)
    density = reals([keyword.options.get("DENSITY", "")], keyword.place, "DENSITY")[0] * units.density
    name = f"{keyword.option('ELSET', 'the elements')} material"
    nu = E / (2 * G) - 1 if G else 2.0
    material: Material
    if -1 < nu < 0.5:
        material = made(Isotropic, name, place, young=E * units.stress, poisson=nu, density=density)
    else:  # E and G do not belong together: each keeps its own
        young, shear = (E * units.stress,) * 3, (G * units.stress,) * 3
        material = made(Orthotropic, name, place, young=young, poisson=(0.0,) * 3, shear=shear, density=density)
    deck.made_materials[name] = material
    _beam(deck, keyword, name)


def _beam(deck: Deck, keyword: Keyword, material: str | None) -> None:
    rows = list(keyword.rows())
    if not rows:
        raise wrong(*keyword.place, f"*{keyword.name} has no sizes", fix="the file may be cut off: export it again")
    place, fields = rows[0]
    n1 = (0.0, 0.0, -1.0)
    if len(rows) > 1 and any(rows[1][1]):
        given = reals(rows[1][1][:3], rows[1][0], "first section axis", 3)
        n1 = (given[0], given[1], given[2])
        if not any(n1):
            raise wrong(*rows[1][0], "the first section axis is zero-length", fix="e.g. 0, 0, -1")
    shape = keyword.options.get("SECTION", "GENERAL").upper()
    sizes = reals(fields, place, f"*{keyword.name}, SECTION={shape}")
    profile = _profile(shape, sizes, deck.draft.units.length, keyword, place)
    if profile is None:
        deck.draft.note(
            f"*{keyword.name}, SECTION={shape}",
            "profiles of this kind are left out",
            keyword.place,
            severity="harmless",
        )
        _give(deck, keyword, Use(material, n1=n1))
        return
    make, values, centroid = profile
    name = _add(deck, keyword, make, place, **values)
    _give(deck, keyword, Use(material, name, n1=n1, centroid=centroid))


def _profile(shape: str, sizes: list[float], length: float, keyword: Keyword, place: Place) -> tuple | None:
    """Class, values in SI, and centroid seen from the node. Section axes 1, 2 of the file are y, z."""
    needed = {"RECT": 2, "CIRC": 1, "PIPE": 2, "BOX": 6, "I": 7, "GENERAL": 5}.get(shape)
    if needed is None:
        return None
    if len(sizes) < needed:
        why = f"{len(sizes)} values where {needed} are needed"
        raise wrong(*place, f"*{keyword.name}, SECTION={shape} is incomplete", why, "correct the line")
    at_node = (0.0, 0.0)
    if shape == "GENERAL":
        A, I11, I12, I22, J = sizes[:5]
        values = {"area": A * length**2, "Iy": I11 * length**4, "Iz": I22 * length**4}
        return (
            GeneralSection,
            {**values, "Iyz": I12 * length**4, "J": J * length**4, "shear_factors": (1.0, 1.0)},
            at_node,
        )
    s = [each * length for each in sizes]
    if shape == "RECT":
        return Rectangle, {"width": s[0], "height": s[1]}, at_node
    if shape == "PIPE":
        return Tube, {"radius": s[0], "thickness": s[1]}, at_node
    if shape == "CIRC":
        if len(s) == 1:
            return Circle, {"radius": s[0]}, at_node
        return (Circle, {"radius": s[0] / 2}, at_node) if s[0] == s[1] else None  # CalculiX: both diameters
    if shape == "BOX":
        a, b, t1, t2, t3, t4 = s[:6]
        if t1 == t2 == t3 == t4:
            return BoxProfile, {"width": a, "height": b, "thickness": t1}, at_node
        return None
    l, h, b1, b2, t1, t2, t3 = s[:7]
    if b1 == b2 and t1 == t2:
        return IProfile, {"width": b1, "height": h, "web": t3, "flange": t1}, (0.0, h / 2 - l)
    walls = [(-b1 / 2, b1 / 2, -l, t1 - l), (-t3 / 2, t3 / 2, t1 - l, h - t2 - l), (-b2 / 2, b2 / 2, h - t2 - l, h - l)]
    if min(h - t1 - t2, b1, b2, t1, t2, t3) <= 0:
        raise wrong(*place, "the walls of the I do not fit into it", fix="correct the sizes")
    lower, upper = t1 * b1**3, t2 * b2**3
    center = t1 / 2 - l + (h - (t1 + t2) / 2) * upper / (lower + upper)  # flanges share the shear as their Iz
    general, at = composed(walls, (0.0, center))
    return GeneralSection, general, (float(at[0]), float(at[1]))


def spring(deck: Deck, keyword: Keyword) -> None:
    """*SPRING: SPRINGA along the line of its nodes; SPRING2 between the components on its first data line."""
    rows = [(place, fields) for place, fields in keyword.rows() if any(fields)]
    if "NONLINEAR" in keyword.options or not 1 <= len(rows) <= 2:
        deck.draft.note("*SPRING", "springs without one stiffness are left out", keyword.place)
        _give(deck, keyword, Use())
        return
    place, fields = rows[-1]
    k = reals(fields[:1], place, "*SPRING")[0]
    if len(rows) == 1:
        name = _add(deck, keyword, SpringSection, place, stiffness=k * deck.draft.units.stiffness)
        _give(deck, keyword, Use(section=name))
        return
    components = [whole(each, rows[0][0], "*SPRING") - 1 for each in rows[0][1][:2]]
    if len(components) < 2 or not all(0 <= c < 6 for c in components) or len({c // 3 for c in components}) > 1:
        deck.draft.note("*SPRING", "springs that do not join two translations or two rotations are left out", place)
        _give(deck, keyword, Use())
        return
    turns = components[0] >= 3
    k *= deck.draft.units.rotational_stiffness if turns else deck.draft.units.stiffness
    e = [np.eye(3)[c % 3] for c in components]
    if components[0] == components[1]:
        values: dict[str, object] = {"stiffness": k, "direction": tuple(e[0].tolist())}
    else:
        g = np.concatenate([-e[0], e[1]])
        values = {"matrix": tuple(map(tuple, (k * np.outer(g, g)).tolist()))}
    name = _add(deck, keyword, RotationalSpringSection if turns else SpringSection, place, **values)
    _give(deck, keyword, Use(section=name, kind="rotational_spring" if turns else ""))


KEYWORDS = {
    "SOLID SECTION": solid_section,
    "SHELL SECTION": shell_section,
    "SHELL GENERAL SECTION": shell_general_section,
    "BEAM SECTION": beam_section,
    "BEAM GENERAL SECTION": beam_general_section,
    "SPRING": spring,
}
