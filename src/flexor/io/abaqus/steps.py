"""*STEP: which step of a deck is taken, and what the keywords that are not read mean for the answer.

Supports and loads are those of the first static step (of the first step if none is static) and what holds on from
the steps before it. Perturbation steps (natural modes, buckling, response to vibration, or *STEP, PERTURBATION) leave nothing
to the steps behind them (Abaqus Analysis User's Guide, General and perturbation procedures). Later steps are further load cases or analyses of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from flexor.io.abaqus.keywords import Keyword
from flexor.io.abaqus.materials import IGNORED
from flexor.mesh.note import Concern, Severity

_HARMLESS = (
    *("STEP", "END STEP", "STATIC", "FREQUENCY", "DYNAMIC", "BUCKLE", "STEADY STATE DYNAMICS", "MODAL DYNAMIC"),
    *("COMPLEX FREQUENCY", "HEAT TRANSFER", "COUPLED TEMPERATURE-DISPLACEMENT", "VISCO", "GREEN", "NO ANALYSIS"),
    *("OUTPUT", "NODE OUTPUT", "ELEMENT OUTPUT", "NODE FILE", "EL FILE", "NODE PRINT", "EL PRINT", "RESTART"),
    *("CONTACT OUTPUT", "CONTACT FILE", "CONTACT PRINT", "ENERGY OUTPUT", "ENERGY PRINT", "ENERGY FILE", "MODAL FILE"),
    *("SECTION PRINT", "SECTION FILE", "FACE PRINT", "FILE FORMAT", "FILE OUTPUT", "MONITOR", "PRINT", "TIME POINTS"),
    *("INTEGRATED OUTPUT", "INTEGRATED OUTPUT SECTION", "RADIATION FILE", "MODAL OUTPUT", "ELEMENT MATRIX OUTPUT"),
    *("PREPRINT", "CONTROLS", "AMPLITUDE", "PHYSICAL CONSTANTS", "VALUES AT INFINITY", "SOLVER", "NODE RESPONSE"),
    *("SUBSTRUCTURE GENERATE", "MATRIX GENERATE", "MATRIX OUTPUT", "DISTRIBUTION", "DISTRIBUTION TABLE", "FILTER"),
    *("SURFACE INTERACTION", "SURFACE BEHAVIOR", "FRICTION", "GAP CONDUCTANCE", "CONTACT DAMPING", "CONTACT CONTROLS"),
    *("SELECT EIGENMODES", "MODAL DAMPING", "USER MATERIAL", "DEPVAR", "NODAL THICKNESS", "DESIGN VARIABLES"),
    *("CFLUX", "DFLUX", "FILM", "RADIATE", "DIAGNOSTICS", "VIEWFACTOR", "SECTION CONTROLS", "BULK VISCOSITY"),
)
"""Analyses, what they print, and parts of things that are told by themselves."""
_IN_TIME = ("DYNAMIC", "MODAL DYNAMIC", "STEADY STATE DYNAMICS", "VISCO", "COUPLED TEMPERATURE-DISPLACEMENT")
"""Analyses whose supports and loads make another answer than in statics."""
_OTHER_LOADS = ("TEMPERATURE", "INITIAL CONDITIONS", "BASE MOTION", "PRE-TENSION SECTION", "INERTIA RELIEF", "DFLOW")
_OF_STEPS = ("BOUNDARY", "CLOAD", "DLOAD", "DSLOAD", "TEMPERATURE", "MODEL CHANGE", "BASE MOTION")
_LOADS = (*_OTHER_LOADS, "CLOAD", "DLOAD", "DSLOAD")

_PERTURBATIONS = ("FREQUENCY", "COMPLEX FREQUENCY", "BUCKLE", "STEADY STATE DYNAMICS", "MODAL DYNAMIC", "GREEN")
"""Procedures that look at small motions about a state and do not change it."""

Unread = tuple[str, Severity, Concern]


def number_steps(keywords: Sequence[Keyword]) -> int:
    """Tell each keyword its step; the number of the one that is taken, 0 if there is none."""
    number, static = 0, 0
    for keyword in keywords:
        if keyword.name == "STEP":
            number += 1
        keyword.step = number
        if keyword.name == "STATIC" and not static:
            static = number
    return static or min(number, 1)


def passing(keywords: Sequence[Keyword], chosen: int) -> frozenset[int]:
    """Numbers of the perturbation steps before the chosen one, whose supports and loads end with them."""
    found = {
        keyword.step
        for keyword in keywords
        if keyword.name in _PERTURBATIONS or (keyword.name == "STEP" and "PERTURBATION" in keyword.options)
    }
    return frozenset(step for step in found if 0 < step < chosen)


def unread(keyword: Keyword, chosen: int, known: bool, passed: Collection[int] = ()) -> Unread | None:
    """Why a keyword is not in the mesh, how much that matters and for what; None if it is read. passed: as of `passing`."""
    name, concerns = keyword.name, _concern(keyword.name)
    if keyword.step in passed and name in _OF_STEPS:
        why = f"of step {keyword.step}, a perturbation, does not hold in step {chosen}; what holds in all stands before *STEP"
        return why, "approximate", concerns
    if keyword.step > chosen and name in _OF_STEPS:
        return f"of steps behind step {chosen} is left out; supports and loads are those of it", "approximate", concerns
    if known:
        return None
    if name == "STEP" and "NLGEOM" in keyword.options and keyword.options["NLGEOM"].upper() != "NO":
        return "large displacements (NLGEOM) are left out: statics are linear", "approximate", "loads"
    if name == "INITIAL CONDITIONS" and keyword.options.get("TYPE", "").upper() == "TEMPERATURE":
        why = "initial temperatures are left out: there is no thermal expansion, and materials do not depend on temperature"
        return why, "approximate", "loads"
    if name in _IN_TIME and keyword.step == chosen:
        return f"supports and loads of step {chosen} are taken as a static load case", "approximate", "loads"
    if name in _HARMLESS:
        return "analysis or output, not part of a mesh", "harmless", concerns
    if name in IGNORED:
        severity: Severity = "approximate" if name == "PLASTIC" else "harmless"
        return f"{IGNORED[name]} is left out", severity, "loads"
    return "not supported, left out", "left out", concerns


def _concern(name: str) -> Concern:
    return "loads" if name in _LOADS else "mesh"
