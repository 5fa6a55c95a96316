"""Mean-stress corrections: the amplitude that does as much at the stress ratio of the tests as one about another mean.

a amplitude, m mean stress, s amplitude at R = −1:

    Goodman   s = a/(1 − m/Rm)            SmithWatsonTopper   s = √(σ_max a),  σ_max = m + a
    Gerber    s = a/(1 − (m/Rm)²)         FKM                 s = a + M m for R ≤ 0; flatter above, see the theory manual
    Morrow    s = a/(1 − m/σf′)           McDiarmid           of shear and normal stress on a plane, see there
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from flexor.declaration import Declaration, Modulus
from flexor.errors import ModelError, Problem
from flexor.fatigue import counting
from flexor.fatigue.catalogue import FAINTEST, MPA, group_of
from flexor.fatigue.counting import CountingRule
from flexor.mistakes import suggestion
from flexor.units import Quantity, si


class MeanStress(Declaration):
    """Base of the corrections."""

    noun: ClassVar[str] = "mean-stress correction"
    code: ClassVar[int] = counting.UNCORRECTED

    @property
    def words(self) -> str:
        """What results say of it."""
        return type(self).__name__

    def tell(self, rule: CountingRule, ratio: float | None) -> None:
        """Write it into the rule of the kernels; ratio: R of the tests."""
        rule.correction = self.code
        rule.carried = 0.0 if ratio is None else (1 + ratio) / (1 - ratio)
        rule.strength = getattr(self, "strength", 1e300)
        rule.sensitivity = getattr(self, "sensitivity", 0.0)
        rule.credit = int(getattr(self, "compression", False))


class _Line(MeanStress):
    """A line or a curve from the amplitude at R = −1 down to a strength that a mean stress may not reach."""

    positional: ClassVar[tuple[str, ...]] = ("strength",)
    symbol: ClassVar[str] = "Rm"
    strength: Modulus = Field(description="Ultimate tensile strength Rm [Pa].", gt=1e4)

    @property
    def words(self) -> str:
        credit = ", compression credited" if getattr(self, "compression", False) else ""
        return f"{type(self).__name__}, {self.symbol} = {self.strength / MPA:.4g} MPa{credit}"


class Goodman(_Line):
    """A straight line to the ultimate strength."""

    code: ClassVar[int] = counting.GOODMAN
    type: Literal["goodman"] = "goodman"
    compression: bool = Field(
        False, description="Whether a compressive mean stress is a benefit; else it counts as none."
    )


class Gerber(_Line):
    """A parabola to the ultimate strength; compressive mean stress counts as none."""

    code: ClassVar[int] = counting.GERBER
    type: Literal["gerber"] = "gerber"


class Morrow(Goodman):
    """A straight line to the true fracture strength, or σf′ of Basquin's law."""

    code: ClassVar[int] = counting.MORROW
    symbol: ClassVar[str] = "σf′"
    type: Literal["morrow"] = "morrow"  # type: ignore[assignment]
    strength: Modulus = Field(description="True fracture strength σf or fatigue strength coefficient σf′ [Pa].", gt=1e4)


class McDiarmid(_Line):
    """Of shear on critical planes: tension across a plane weakens it, t = τ/(1 − σ_n/2Rm); compression counts as none.

    σ_n is the largest normal stress on the plane in the whole history. For measure="critical_shear" alone.
    """

    code: ClassVar[int] = counting.MCDIARMID
    type: Literal["mcdiarmid"] = "mcdiarmid"


class SmithWatsonTopper(MeanStress):
    """The geometric mean of amplitude and largest stress; cycles wholly in compression do no damage."""

    code: ClassVar[int] = counting.SWT
    type: Literal["swt"] = "swt"

    @property
    def words(self) -> str:
        return "Smith-Watson-Topper"


class FKM(MeanStress):
    """FKM guideline: straight lines in four fields of the Haigh diagram, by the mean-stress sensitivity M."""

    positional: ClassVar[tuple[str, ...]] = ("sensitivity",)
    code: ClassVar[int] = counting.FKM
    type: Literal["fkm"] = "fkm"
    sensitivity: Annotated[float, Field(ge=0, lt=1)] = Field(description="M, 0 (none) to less than 1.")

    @classmethod
    def of(cls, strength: Quantity, material: str = "steel", stress: str = "normal") -> Self:
        """M = a_M Rm/GPa + b_M by ultimate strength and material; of shear less."""
        group = group_of(material)
        Rm = float(si(strength, "stress"))
        if not Rm > FAINTEST:
            raise ModelError(Problem("FKM", f"the strength is {Rm:.4g} Pa", "", f'write its unit: "{Rm:g} MPa"'))
        M = group.slope * Rm / 1e9 + group.offset
        if stress not in ("normal", "shear"):
            raise ModelError(Problem("FKM", f"there is no stress '{stress}'", "", "normal or shear"))
        return cls(max(M, 0.0) * (group.shear if stress == "shear" else 1.0))

    @property
    def words(self) -> str:
        return f"FKM, M = {self.sensitivity:.4g}"


CORRECTIONS = (Goodman, Gerber, Morrow, SmithWatsonTopper, FKM, McDiarmid)
_WORDS = {"none": None, "swt": SmithWatsonTopper}


def correction_of(given: MeanStress | str | None) -> MeanStress | None:
    """A correction, "swt", or "none"."""
    if given is None or isinstance(given, MeanStress):
        return given
    if isinstance(given, str) and given in _WORDS:
        made = _WORDS[given]
        return made() if made else None
    known = [cls.__name__ for cls in CORRECTIONS]
    fix = suggestion(str(given), known) if isinstance(given, str) else ""
    example = 'fx.Goodman("600 MPa"), fx.Gerber(…), fx.Morrow(…), fx.FKM.of("600 MPa"), "swt" or "none"'
    raise ModelError(Problem("mean stress", f"there is no correction {given!r}", fix, f"write {example}"))
