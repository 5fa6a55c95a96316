"""What a coupling will do, told before anything runs: mass added, stiffness, frequencies, and parameters that would do better."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from flexor.cosim.meta_model import Connection, MetaModel
from flexor.cosim.tlm.line import ALPHA, SHARE, TransmissionLine

MUCH = 0.1
"""Share of a neighbouring mass from which on a line changes the system."""
EXPLICIT = 2.0
"""Z h/m from which on a component that takes its force from the begin of a step is unstable at any other end."""


@dataclass(frozen=True)
class Inertia:
    """What a component has at an interface: the smallest mass [kg] and moment of inertia [kg m²] in any direction; None: not known."""

    mass: float | None = None
    inertia: float | None = None


@dataclass(frozen=True)
class Forecast:
    """What a connection will do."""

    connection: Connection
    ends: tuple[Inertia, Inertia]
    step: float
    """Longest step of the two components [s]."""

    @property
    def line(self) -> TransmissionLine:
        return self.connection.line

    @property
    def mass(self) -> float | None:
        """The smaller mass of the two ends [kg]."""
        return min((end.mass for end in self.ends if end.mass is not None), default=None)

    @property
    def inertia(self) -> float | None:
        """The smaller moment of inertia of the two ends [kg m²]."""
        return min((end.inertia for end in self.ends if end.inertia is not None), default=None)

    @property
    def share(self) -> float | None:
        """Parasitic mass as a share of the smaller mass."""
        return None if self.mass is None else self.line.parasitic_mass / self.mass

    @property
    def rotary_share(self) -> float | None:
        """Parasitic inertia as a share of the smaller inertia."""
        return None if self.inertia is None else self.line.parasitic_inertia / self.inertia

    @property
    def energy_share(self) -> float | None:
        """Kinetic energy in the line as a share of the ends', while all move together: m_p/(m_a + m_b)."""
        masses = [end.mass for end in self.ends]
        if any(mass is None or math.isinf(mass) for mass in masses):
            return None
        return self.line.parasitic_mass / sum(masses)  # type: ignore[arg-type]

    @property
    def coupling_frequency(self) -> float | None:
        """Frequency at which the ends swing against each other on the line [Hz]: √(k (1/m_a + 1/m_b))/2π."""
        if any(end.mass is None for end in self.ends):
            return None
        return math.sqrt(self.line.stiffness * sum(1 / end.mass for end in self.ends if end.mass)) / (2 * math.pi)

    @property
    def largest_delay(self) -> float | None:
        """Longest delay [s] with which a line as stiff as this one adds no more than a hundredth of the smaller mass and inertia."""
        found = [] if self.mass is None else [self.line.recommended_delay(self.mass)]
        if self.inertia is not None and self.line.rotary:
            found.append((1 - self.line.alpha) * math.sqrt(SHARE * self.inertia / self.line.rotational_stiffness))
        return min(found, default=None)

    @property
    def proposal(self) -> TransmissionLine | None:
        """With the delay as it is: impedances that add a hundredth of the masses, and the filter that NAK recommends."""
        if self.mass is None or math.isinf(self.mass):
            return None
        pace = self.line.delay / (1 - ALPHA)
        inertia = self.inertia if self.inertia is not None and math.isfinite(self.inertia) else 0.0
        rotary = SHARE * inertia / pace if self.line.rotary else 0.0
        return TransmissionLine(self.line.delay, SHARE * self.mass / pace, rotary, ALPHA)

    @property
    def explicit_number(self) -> float | None:
        """Z h/m: an implicit component is stable for any value; one that is not, for none of 2 or more, and gains energy below."""
        return None if self.mass is None else self.line.impedance * self.step / self.mass

    @property
    def doubts(self) -> list[str]:
        """What speaks against these parameters."""
        found = []
        if self.share is not None and self.share > MUCH:
            found.append(
                f"the line adds {self.line.parasitic_mass:.3g} kg, {100 * self.share:.0f} % of the mass at an end"
            )
        if self.rotary_share is not None and self.rotary_share > MUCH:
            told = f"{self.line.parasitic_inertia:.3g} kg m², {100 * self.rotary_share:.0f} %"
            found.append(f"the line adds {told} of the moment of inertia at an end")
        if self.explicit_number is not None and self.explicit_number > EXPLICIT:
            found.append(f"Z h/m = {self.explicit_number:.3g}: a component that is not implicit would be unstable")
        return found

    def told(self) -> list[str]:
        """The forecast in lines."""
        line = self.line
        rows = [f"{self.connection}"]
        waves = ", ".join(f"{f:.4g}" for f in line.standing_waves(3))
        rows.append(
            f"  stiffness {line.stiffness:.4g} N/m, {line.rotational_stiffness:.4g} N m/rad; standing waves at {waves} Hz, …"
        )
        rows.append(
            f"  adds {line.parasitic_mass:.4g} kg{_part(self.share)}, {line.parasitic_inertia:.4g} kg m²{_part(self.rotary_share)}"
        )
        for name, end in zip((self.connection.a, self.connection.b), self.ends, strict=True):
            rows.append(f"  {name}: {_known(end.mass, 'kg')}, {_known(end.inertia, 'kg m²')}")
        if self.coupling_frequency is not None:
            rows.append(f"  its ends swing against each other at {self.coupling_frequency:.4g} Hz")
        if self.energy_share is not None:
            rows.append(f"  holds {100 * self.energy_share:.3g} % of the kinetic energy of its ends")
        if self.explicit_number is not None:
            c = self.explicit_number
            others = f"return fast waves {(2 + c) / (2 - c):.3g} times as large" if c < EXPLICIT else "are unstable"
            rows.append(f"  stable with implicit components; others {others} (Z h/m = {c:.3g})")
        if self.largest_delay is not None and math.isfinite(self.largest_delay):
            rows.append(f"  largest sensible delay at this stiffness: {self.largest_delay:.3g} s")
        if self.proposal is not None:
            p = self.proposal
            rows.append(
                f'  proposal: Delay="{p.delay:.3g}" Zf="{p.impedance:.3g}" Zfr="{p.rotary:.3g}" alpha="{p.alpha:g}" '
                f"(stiffness {p.stiffness:.3g} N/m)"
            )
        return rows + [f"  doubtful: {doubt}" for doubt in self.doubts]


def _part(share: float | None) -> str:
    return "" if share is None else f" ({100 * share:.3g} % of the smaller end)"


def _known(value: float | None, unit: str) -> str:
    return f"? {unit}" if value is None else "held" if math.isinf(value) else f"{value:.4g} {unit}"


def forecasts(model: MetaModel, found: Mapping[str, Inertia]) -> list[Forecast]:
    """A forecast for each connection; found: inertia by component.interface, beyond what the meta-model declares."""
    result = []
    for connection in model.connections:
        ends = []
        for component, interface in connection.ends:
            sub = model.component(component)
            point = sub.point(interface) if sub is not None else None
            known = found.get(f"{component}.{interface}", Inertia())
            declared = Inertia(point.mass, point.inertia) if point is not None else Inertia()
            ends.append(Inertia(declared.mass or known.mass, declared.inertia or known.inertia))
        step = max(model.largest_step(component) for component, _ in connection.ends)
        result.append(Forecast(connection, (ends[0], ends[1]), step))
    return result
