"""Fatigue strength from design codes: tables as printed, in MPa.

DNV      DNVGL-RP-C203, edition April 2016, tables 2-1 (air), 2-2 (seawater, cathodic protection), 2-4 (seawater, free corrosion)
EC3      EN 1993-1-9:2005, figures 7.1 and 7.2
FKM      FKM guideline "Analytical strength assessment", 5th edition 2003, tables 2.2.1, 4.2.1, 4.3.x, 4.4.x: in amplitudes
"""

from __future__ import annotations

import math
from typing import NamedTuple

from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion

MPA = 1e6
FAINTEST = 1e4
"""Pa; a strength or a stress of less is most likely a number in MPa without its unit."""

DNV_AIR = {  # m1, log a1, log a2 (m2 = 5), stress range at the knee, exponent of thickness
    "B1": (4.0, 15.117, 17.146, 106.97, 0.00),
    "B2": (4.0, 14.885, 16.856, 93.59, 0.00),
    "C": (3.0, 12.592, 16.320, 73.10, 0.05),
    "C1": (3.0, 12.449, 16.081, 65.50, 0.10),
    "C2": (3.0, 12.301, 15.835, 58.48, 0.15),
    "D": (3.0, 12.164, 15.606, 52.63, 0.20),
    "E": (3.0, 12.010, 15.350, 46.78, 0.20),
    "F": (3.0, 11.855, 15.091, 41.52, 0.25),
    "F1": (3.0, 11.699, 14.832, 36.84, 0.25),
    "F3": (3.0, 11.546, 14.576, 32.75, 0.25),
    "G": (3.0, 11.398, 14.330, 29.24, 0.25),
    "W1": (3.0, 11.261, 14.101, 26.32, 0.25),
    "W2": (3.0, 11.107, 13.845, 23.39, 0.25),
    "W3": (3.0, 10.970, 13.617, 21.05, 0.25),
}
DNV_PROTECTED = {  # m1, log a1; the branch of m2 = 5 is that in air
    "B1": (4.0, 14.917), "B2": (4.0, 14.685), "C": (3.0, 12.192), "C1": (3.0, 12.049), "C2": (3.0, 11.901),
    "D": (3.0, 11.764), "E": (3.0, 11.610), "F": (3.0, 11.455), "F1": (3.0, 11.299), "F3": (3.0, 11.146),
    "G": (3.0, 10.998), "W1": (3.0, 10.861), "W2": (3.0, 10.707), "W3": (3.0, 10.570),
}  # fmt: skip
DNV_CORROSION = {  # log a of m = 3, without a limit
    "B1": 12.436, "B2": 12.262, "C": 12.115, "C1": 11.972, "C2": 11.824, "D": 11.687, "E": 11.533, "F": 11.378,
    "F1": 11.222, "F3": 11.068, "G": 10.921, "W1": 10.784, "W2": 10.630, "W3": 10.493,
}  # fmt: skip
DNV_THICKNESS = 0.025  # m, the reference
THICKEST = 1.0  # m
ENVIRONMENTS = ("air", "seawater", "corrosion")

EC3_NORMAL = (160, 140, 125, 112, 100, 90, 80, 71, 63, 56, 50, 45, 40, 36)
EC3_SHEAR = (100, 80)


class Group(NamedTuple):
    """Constants of a group of materials after FKM."""

    alternating: float
    """Strength in tension and compression (amplitude, R = −1, 10⁶ cycles) by the ultimate strength."""
    shear: float
    """Shear strength by that."""
    roughness: float
    """a_R of the roughness factor."""
    smooth: float
    """Ultimate strength Rm,N,min [MPa] of the roughness factor."""
    slope: float
    """a_M of the mean-stress sensitivity."""
    offset: float
    """b_M of it."""
    endless: bool
    """Whether the curve ends in a horizontal line at 10⁶ cycles; else it goes on to 10⁸."""


GROUPS = {
    "steel": Group(0.45, 0.577, 0.22, 400, 0.35, -0.10, True),
    "case_hardened_steel": Group(0.40, 0.577, 0.22, 400, 0.35, -0.10, True),
    "forged_steel": Group(0.40, 0.577, 0.22, 400, 0.35, -0.10, True),
    "stainless_steel": Group(0.40, 0.577, 0.22, 400, 0.35, -0.10, False),
    "cast_steel": Group(0.34, 0.577, 0.20, 400, 0.35, 0.05, True),
    "nodular_iron": Group(0.34, 0.65, 0.16, 400, 0.35, 0.08, True),
    "malleable_iron": Group(0.30, 0.75, 0.12, 350, 0.35, 0.13, True),
    "grey_iron": Group(0.30, 0.85, 0.06, 100, 0.00, 0.50, True),
    "aluminium": Group(0.30, 0.577, 0.22, 133, 1.00, -0.04, False),
    "cast_aluminium": Group(0.30, 0.75, 0.20, 133, 1.00, 0.20, False),
}
FINISHES = {  # k = a (Rm/MPa)^b:  Shigley, Mechanical Engineering Design, 8th ed., table 6-2
    "ground": (1.58, -0.085),
    "machined": (4.51, -0.265),
    "hot_rolled": (57.7, -0.718),
    "forged": (272.0, -0.995),
}


def dnv(detail: str, environment: str, thickness: float | None) -> dict[str, object]:
    """Fields of the curve of a detail; thickness [m] beyond 25 mm weakens it."""
    where = f"DNV-RP-C203 curve '{detail}'"
    if detail not in DNV_AIR:
        raise ModelError(Problem(where, "there is no such curve", "", suggestion(detail, DNV_AIR, "there are")))
    if environment not in ENVIRONMENTS:
        fix = suggestion(environment, ENVIRONMENTS, "there are")
        raise ModelError(Problem(where, f"there is no environment '{environment}'", "", fix))
    m1, log_a1, log_a2, _, k = DNV_AIR[detail]
    if thickness is not None and not 0 < thickness < THICKEST:
        why = "plates are thicker than nothing and thinner than a metre"
        raise ModelError(Problem(where, f"thickness = {thickness:.4g} m", why, 'write its unit: "32 mm"'))
    thin = 1.0
    if thickness is not None and thickness > DNV_THICKNESS:
        thin = (DNV_THICKNESS / thickness) ** (max(k, 0.15) if environment == "corrosion" and k else k)
    named = {"air": "in air", "seawater": "in seawater, cathodic protection", "corrosion": "in seawater, corroding"}
    name = f"DNV-RP-C203 {detail} {named[environment]}"
    if thin < 1:
        name += f", {1e3 * (thickness or 0):.4g} mm thick"
    if environment == "corrosion":
        S = 10 ** ((DNV_CORROSION[detail] - 6) / 3)
        return {"points": [(1e6, thin * S * MPA)], "slope": 3.0, "last_slope": 3.0, "survival": 0.977, "name": name}
    if environment == "seawater":
        m1, log_a1 = DNV_PROTECTED[detail]
    S = 10 ** ((log_a2 - log_a1) / (5.0 - m1))  # where log N = log a − m log S of both meet
    N = 10 ** (log_a1 - m1 * math.log10(S))
    return {"points": [(N, thin * S * MPA)], "slope": m1, "last_slope": 5.0, "survival": 0.977, "name": name}


def eurocode3(category: float, stress: str, partial_factor: float) -> dict[str, object]:
    """Fields of the curve of a detail category [MPa at 2·10⁶ cycles]."""
    where = f"EN 1993-1-9 category {category!r}"
    if stress not in ("normal", "shear"):
        raise ModelError(Problem(where, f"there is no stress '{stress}'", "", "normal or shear"))
    known = EC3_NORMAL if stress == "normal" else EC3_SHEAR
    if category not in known:
        why, fix = f"categories of {stress} stress are {', '.join(map(str, known))} MPa", "choose one of these"
        raise ModelError(Problem(where, "there is no such category", why, fix))
    if not partial_factor >= 1:
        why, fix = "γMf divides the strength", "1 to 1.35, see EN 1993-1-9 table 3.1"
        raise ModelError(Problem(where, f"partial_factor = {partial_factor:g}", why, fix))
    S = category * MPA / partial_factor
    name = f"EN 1993-1-9 category {category:g}{' shear' if stress == 'shear' else ''}"
    name += f", γMf = {partial_factor:g}" if partial_factor != 1 else ""
    if stress == "shear":  # m = 5 down to the cut-off at 10⁸
        return {
            "points": [(2e6, S), (1e8, S * (2 / 100) ** (1 / 5))],
            "slope": 5.0,
            "kind": stress,
            "survival": 0.95,
            "name": name,
        }
    constant = S * (2 / 5) ** (1 / 3)
    points = [(2e6, S), (5e6, constant), (1e8, constant * (5 / 100) ** (1 / 5))]
    return {"points": points, "slope": 3.0, "survival": 0.95, "name": name}


def fkm(strength: float, material: str, stress: str) -> dict[str, object]:
    """Fields of the curve of a material by its ultimate strength [Pa], in amplitudes at R = −1."""
    group = group_of(material)
    if stress not in ("normal", "shear"):
        raise ModelError(Problem("FKM curve", f"there is no stress '{stress}'", "", "normal or shear"))
    k1, k2 = (5.0, 15.0) if stress == "normal" else (8.0, 25.0)
    S = strength * group.alternating * (group.shear if stress == "shear" else 1.0)
    points = [(1e6, S)] if group.endless else [(1e6, S), (1e8, S * 100 ** (-1 / k2))]
    name = f"FKM {material.replace('_', ' ')}, Rm = {strength / MPA:.4g} MPa{', shear' if stress == 'shear' else ''}"
    return {
        "points": points,
        "slope": k1,
        "quantity": "amplitude",
        "ratio": -1.0,
        "kind": stress,
        "survival": 0.975,
        "name": name,
    }


def group_of(material: str) -> Group:
    """The constants of a material."""
    if material not in GROUPS:
        fix = suggestion(material, GROUPS, "there are")
        raise ModelError(Problem("FKM", f"there is no material '{material}'", "", fix))
    return GROUPS[material]
