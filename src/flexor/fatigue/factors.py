"""Factors on the fatigue strength: roughness of the surface, reliability. `curve.scaled(factor)` applies them."""

from __future__ import annotations

import math
from numbers import Real
from statistics import NormalDist

from flexor.errors import ModelError, Problem
from flexor.fatigue.catalogue import FINISHES, MPA, group_of
from flexor.mistakes import suggestion
from flexor.units import Quantity, si


def surface_factor(
    strength: Quantity,
    finish: str = "machined",
    *,
    roughness: Quantity | None = None,
    material: str = "steel",
    stress: str = "normal",
) -> float:
    """How much of the strength of polished specimens a surface leaves, at most 1.

    strength: ultimate.   finish: "ground", "machined", "hot_rolled", "forged" (Marin's factor after Shigley);
    roughness: or Rz, "12.5 µm" (FKM guideline):  K = 1 − a_R log Rz/µm · log 2Rm/Rm,min;  stress: "shear" takes f_W,τ a_R.
    """
    Rm = float(si(strength, "stress")) / MPA
    if not Rm > 1e-2:
        raise ModelError(Problem("surface factor", f"the strength is {Rm:.3g} MPa", "", 'write its unit: "600 MPa"'))
    if roughness is not None:
        Rz, group = 1e6 * float(si(roughness, "length")), group_of(material)
        if not 0 < Rz < 1e3:
            what, fix = f"Rz = {Rz:.4g} µm is no roughness", 'write its unit: "12.5 µm"'
            raise ModelError(Problem("surface factor", what, "", fix))
        if Rz <= 1:
            return 1.0
        if stress not in ("normal", "shear"):
            raise ModelError(Problem("surface factor", f"there is no stress '{stress}'", "", "normal or shear"))
        share = group.shear if stress == "shear" else 1.0
        return min(1.0, 1 - share * group.roughness * math.log10(Rz) * math.log10(2 * Rm / group.smooth))
    if finish not in FINISHES:
        fix = suggestion(finish, FINISHES, "there are")
        raise ModelError(Problem("surface factor", f"there is no finish '{finish}'", "", fix))
    a, b = FINISHES[finish]
    return min(1.0, a * Rm**b)


def reliability_factor(survival: float, scatter: float = 0.08) -> float:
    """How much of the mean strength a share `survival` of all parts has: 1 − z·scatter, normally distributed strength.

    For curves of the mean. Those of design codes already have a share of survivors: `curve.surviving(0.99)` goes on from there.

    survival: 0.5 … 0.999999;  scatter: standard deviation by mean, 0.08 of steels.
    """
    if not isinstance(survival, Real) or not 0.5 <= survival < 1:
        what, why = f"survival = {survival!r}", "the share of parts that survive is at least half and less than all"
        raise ModelError(Problem("reliability factor", what, why, "e.g. 0.99"))
    factor = 1 - scatter * NormalDist().inv_cdf(survival)
    if not (scatter >= 0 and factor > 0):
        what = f"scatter = {scatter:g} leaves no strength at {survival:g}"
        raise ModelError(Problem("reliability factor", what, "it is the standard deviation by the mean", "e.g. 0.08"))
    return factor
