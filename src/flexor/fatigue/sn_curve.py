"""S-N curves: how many cycles of a stress a point withstands, straight lines in log S and log N.   FTG 9.1.3

SNCurve.basquin("71 MPa", slope=3)                                       one line
SNCurve([(1e4, "400 MPa"), (1e6, "200 MPa")], quantity="amplitude")      a table
SNCurve.dnv("D"), SNCurve.eurocode3(71), SNCurve.fkm("600 MPa")          design codes
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from flexor.declaration import Declaration, Modulus
from flexor.errors import ModelError, Problem
from flexor.fatigue import catalogue
from flexor.fatigue.factors import reliability_factor
from flexor.units import Quantity, si

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MOST_WHOLE = 30
_Slope = Annotated[float, Field(gt=0)]


class SNCurve(Declaration):
    """Cycles to failure by stress: points joined by straight lines in log N and log S."""

    noun: ClassVar[str] = "S-N curve"
    positional: ClassVar[tuple[str, ...]] = ("points",)
    type: Literal["sn_curve"] = "sn_curve"
    points: Annotated[tuple[tuple[float, Modulus], ...], Field(min_length=1)] = Field(
        description="(cycles, stress [Pa]) from short lives to long ones; the stress falls."
    )
    slope: _Slope | None = Field(
        None, description="m of N ~ S^-m above the first point; that between the first two points if left out."
    )
    last_slope: _Slope | None = Field(
        None, description="m below the last point; if left out, lower stresses do no damage (endurance limit)."
    )
    quantity: Literal["range", "amplitude"] = Field(
        "range", description="Whether its stresses are ranges (max − min) or amplitudes, half of them."
    )
    ratio: float | None = Field(
        None,
        description="R = min/max of the tests behind it; none: it holds for any mean stress, as those of welds.",
        lt=1,
    )
    kind: Literal["normal", "shear"] = Field(
        "normal", description="Whether it is of normal or of shear stress; the sign of shear means nothing."
    )
    survival: float | None = Field(
        None,
        description="Share of parts that survive what it says, e.g. 0.975; none: half of them, the mean.",
        ge=0.5,
        lt=1,
    )
    name: str = Field("", description="What it is called in results.")

    @model_validator(mode="before")
    @classmethod
    def _listed(cls, data: Any) -> Any:
        """Points may be given as an array; slopes with their sign are told apart."""
        if isinstance(data, dict):
            if isinstance(data.get("points"), np.ndarray):
                data = {**data, "points": data["points"].tolist()}
            for key in ("slope", "last_slope"):
                value = data.get(key)
                if isinstance(value, int | float) and not isinstance(value, bool) and not value > 0:
                    said = f"it would let life grow with stress; N ~ S^-m needs m > 0, write {key}={abs(value) or 3:g}"
                    raise ValueError(f"{key} = {value:g}: {said}")
        return data

    @model_validator(mode="after")
    def _falls(self) -> Self:
        N, S = np.array(self.points).T
        if not (np.all(N > 0) and np.all(S > 0)):
            raise ValueError("cycles and stresses must be positive; they are read in logarithms")
        if S.min() < catalogue.FAINTEST:
            raise ValueError(f"a stress of {S.min():.4g} Pa is hardly meant; write its unit, e.g. '{S.min():g} MPa'")
        for k in range(len(S) - 1):
            if not (S[k + 1] < S[k] and N[k + 1] > N[k]):
                pair = f"{N[k]:.4g} cycles at {S[k] / 1e6:.6g} MPa, then {N[k + 1]:.4g} at {S[k + 1] / 1e6:.6g} MPa"
                raise ValueError(f"from point {k + 1} to {k + 2} the slope is positive ({pair}); "
                                 "a longer life needs a lower stress: order the points from short lives to long")  # fmt: skip
        if len(S) == 1 and self.slope is None:
            raise ValueError("a single point has no slope; add slope: 3, or a second point")
        return self

    @classmethod
    def basquin(
        cls,
        strength: Quantity,
        slope: float,
        *,
        cycles: float = 2e6,
        endurance: Quantity | None = None,
        quantity: Literal["range", "amplitude"] = "range",
        ratio: float | None = None,
        name: str = "",
    ) -> Self:
        """N = cycles·(S/strength)^−slope; stresses below `endurance` do no damage.

        Of σa = σf′ (2N)^b it is basquin(σf′, −1/b, cycles=0.5, quantity="amplitude", ratio=-1).
        """
        S = float(si(strength, "stress"))
        points, last = [(cycles, S)], slope
        if endurance is not None:
            limit = float(si(endurance, "stress"))
            if not limit > 0:
                what, why = f"endurance = {endurance!r}", "stresses below it do no damage"
                raise ModelError(Problem(cls.called(name), what, why, "give a positive stress, or leave it out"))
            if limit != S and slope > 0 and cycles > 0 and S > 0:
                far = (cycles * (S / limit) ** slope, limit)
                points = [(cycles, S), far] if limit < S else [far]
            return cls(points=points, slope=slope, quantity=quantity, ratio=ratio, name=name)
        return cls(points=points, slope=slope, last_slope=last, quantity=quantity, ratio=ratio, name=name)

    @classmethod
    def from_intercepts(cls, lines: Sequence[tuple[float, float]], unit: str, **fields: Any) -> Self:
        """From log₁₀ N = log a − m log₁₀ S: (log a, m) of each line, steep ones (short lives) first; unit: of S, "MPa".

        Lines meet where they cut each other.
        """
        one = float(si(f"1 {unit}", "stress"))
        if not lines:
            raise ModelError(Problem("S-N curve", "there is no line", "", "give [(12.164, 3), (15.606, 5)]"))
        if len(lines) == 1:
            log_a, m = lines[0]
            S = 10 ** ((log_a - 6) / m) if m else math.nan
            return cls(points=[(1e6, one * S)], slope=m, last_slope=m, **fields)
        points = []
        for (log_a, m), (log_b, k) in pairwise(lines):
            if not k > m:
                what, why = f"the slope {k:g} comes after {m:g}", "lines of longer lives fall less steeply in S"
                raise ModelError(Problem("S-N curve", what, why, "order them by slope, smallest m first"))
            log_S = (log_b - log_a) / (k - m)
            points.append((10 ** (log_a - m * log_S), one * 10**log_S))
        return cls(points=points, slope=lines[0][1], last_slope=lines[-1][1], **fields)

    @classmethod
    def dnv(cls, detail: str, environment: str = "air", thickness: Quantity | None = None) -> Self:
        """DNV-RP-C203 (April 2016): B1 … W3 in "air", "seawater" (cathodic protection) or free "corrosion"; stress ranges.

        thickness: of the plate; beyond 25 mm it weakens the joint.
        """
        thick = None if thickness is None else float(si(thickness, "length"))
        return cls(**catalogue.dnv(detail, environment, thick))

    @classmethod
    def eurocode3(cls, category: float, stress: str = "normal", partial_factor: float = 1.0) -> Self:
        """EN 1993-1-9 by detail category, the stress range [MPa] at 2·10⁶ cycles; γMf divides it; stress: normal or shear."""
        return cls(**catalogue.eurocode3(category, stress, partial_factor))

    @classmethod
    def fkm(cls, strength: Quantity, material: str = "steel", stress: str = "normal") -> Self:
        """FKM guideline by ultimate strength, e.g. "600 MPa", and material; amplitudes at R = −1, polished, 97.5 % survive."""
        return cls(**catalogue.fkm(float(si(strength, "stress")), material, stress))

    def scaled(self, factor: float, because: str = "") -> Self:
        """All stresses multiplied, as by `surface_factor`, `reliability_factor`, or 1/notch factor."""
        if not 0 < factor < math.inf:
            what, why = f"factor = {factor:g}", "it multiplies the fatigue strength"
            raise ModelError(Problem(self.called(self.name), what, why, "e.g. 0.85"))
        note = f"{self.name or 'curve'} × {factor:.4g}{f' ({because})' if because else ''}"
        return self.replace(points=[(N, factor * S) for N, S in self.points], name=note)

    def surviving(self, survival: float, scatter: float = 0.08) -> Self:
        """The curve that such a share of all parts survives, from the share that survives this one (`survival`).

        scatter: standard deviation of the strength by its mean, 0.08 of specimens of steel; of welds about 0.15.
        """
        factor = reliability_factor(survival, scatter) / reliability_factor(self.survival or 0.5, scatter)
        return self.scaled(factor, f"{100 * survival:.6g} % survive").replace(survival=survival)

    def cycles(self, stress: Quantity | Sequence[Quantity] | np.ndarray) -> np.ndarray:
        """Cycles to failure at stresses [Pa, as `quantity` says]; infinite below the endurance limit."""
        from flexor.fatigue.counter import Counter

        given = np.asarray(si(stress, "stress"), dtype=np.float64)  # type: ignore[arg-type]
        if not np.all(given >= 0):
            what, why = f"stress = {stress!r:.40}", f"a stress {self.quantity} is not negative"
            raise ModelError(Problem(self.called(self.name), what, why, 'e.g. "120 MPa"'))
        ranges = given.ravel() * self.per_range
        damages, _ = Counter(len(ranges), curve=self).judged(ranges, np.zeros(len(ranges)), np.ones(len(ranges)))
        with np.errstate(divide="ignore"):
            return np.asarray(1 / damages).reshape(given.shape)

    def stress(self, cycles: float | np.ndarray) -> np.ndarray:
        """Stress [Pa, as `quantity` says] that is withstood so many times."""
        N, S = np.array(self.points).T
        if not np.all(np.asarray(cycles) > 0):
            what, why = f"cycles = {cycles!r:.40}", "a life is positive"
            raise ModelError(Problem(self.called(self.name), what, why, "e.g. 2e6"))
        x, y = np.log(np.asarray(cycles, dtype=float)), np.log(S)
        inner = np.interp(x, np.log(N), y)
        before = np.minimum(x - np.log(N[0]), 0) / self.first_slope
        after = np.maximum(x - np.log(N[-1]), 0) / (self.last_slope or math.inf)
        return np.exp(inner - before - after)

    @property
    def per_range(self) -> float:
        """Range of a unit of its stress: 1, or 2 of amplitudes."""
        return 2.0 if self.quantity == "amplitude" else 1.0

    @property
    def first_slope(self) -> float:
        """m above the first point."""
        return self.slope if self.slope is not None else self._between(0)

    @property
    def highest(self) -> float:
        """Range [Pa] above which nothing is known: that of the first point of a table."""
        return math.inf if self.slope is not None else self.per_range * self.points[0][1]

    @property
    def segments(self) -> list[dict[str, float]]:
        """Its lines from the lowest range up (`flexor.fatigue.counting.SNLine`)."""
        N, S = self.points[-1]
        found = [] if self.last_slope is None else [self._segment(0.0, N, S, self.last_slope)]
        for k in range(len(self.points) - 2, -1, -1):
            N, S = self.points[k + 1]
            found.append(self._segment(S, N, S, self._between(k)))
        N, S = self.points[0]
        return [*found, self._segment(S, N, S, self.first_slope)]

    def plot(self, file: Any = None) -> Figure:
        """Draw it: to an image file, or in a window."""
        from flexor.fatigue.pictures import draw_curve

        return draw_curve(self, file)

    def to_pylife(self) -> pd.Series:
        """As a Wöhler curve of pylife, in amplitudes [Pa]."""
        from flexor.fatigue.pylife import woehler

        return woehler(self)

    def _between(self, k: int) -> float:
        (N, S), (after, low) = self.points[k], self.points[k + 1]
        return math.log(after / N) / math.log(S / low)

    def _segment(self, least: float, N: float, S: float, slope: float) -> dict[str, float]:
        r = self.per_range
        near = round(slope)
        whole = near if abs(slope - near) < 1e-12 * slope and near <= MOST_WHOLE else 0
        return {"least": r * least, "inverse": 1 / (r * S), "damage": 1 / N, "slope": slope, "whole": whole}
