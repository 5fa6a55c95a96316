"""A transmission line: an elastic medium between two points, through which force waves run in the time T.   NAK 23

Written for the forces f that the line exerts on the bodies at its ends a and b and for their velocities v, both in a common
frame, the equations (23-1) are the same at both ends:

    f_a(t) = w_a(t) − Z v_a(t),     w_a(t) = Z v_b(t − T) − f_b(t − T)        and with a, b exchanged

What arrives at an end is the wave w; what leaves it is u = Z v − f = 2 Z v − w. The power that flows into the line at an end is
(u² − w²)/4Z, and w²/4Z is the power of a wave: the line keeps energy and gives it back, never more than it got.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from flexor.errors import ModelError, Problem

STEEL_MODULUS, STEEL_SOUND = 210e9, 5180.0
"""Young's modulus [Pa] and speed of sound [m/s] of steel, as in NAK (23-9)."""
SHARE = 0.01
"""Of the neighbouring masses, that a line should add at most."""
ALPHA = 0.2
"""Damping constant that NAK recommends."""


@dataclass(frozen=True)
class TransmissionLine:
    """Delay, impedances and damping of a connection; the same for all directions (isotropic)."""

    delay: float
    """T, from one end to the other [s]."""
    impedance: float
    """Zf, of forces [N s/m]; of a one-dimensional line in rotation that of torques [N m s/rad]."""
    rotary: float = 0.0
    """Zfr, of torques [N m s/rad]; 0: the line carries none."""
    alpha: float = 0.0
    """Damping constant of the filter (23-11), 0 ≤ α < 1."""

    def __post_init__(self) -> None:
        problems = []
        for name, value, unit in (("Delay", self.delay, "s"), ("Zf", self.impedance, "N s/m")):
            if not (value > 0 and math.isfinite(value)):
                fix = f"give {name} > 0 [{unit}]"
                problems.append(Problem("line", f"{name} = {value:g}", "no wave can run through it", fix))
        if not (self.rotary >= 0 and math.isfinite(self.rotary)):
            problems.append(Problem("line", f"Zfr = {self.rotary:g}", "", "give Zfr ≥ 0 [N m s/rad]"))
        if not 0 <= self.alpha < 1:
            why = "the filter would amplify or never let a wave through"
            problems.append(Problem("line", f"alpha = {self.alpha:g}", why, "give 0 ≤ alpha < 1, e.g. 0.2"))
        if problems:
            raise ModelError(problems)

    # ---- from what an engineer knows

    @classmethod
    def of_rod(
        cls, length: float, area: float, modulus: float = STEEL_MODULUS, sound: float = STEEL_SOUND, alpha: float = 0.0
    ) -> TransmissionLine:
        """A rod between the points: its length [m], section [m²], Young's modulus [Pa] and speed of sound [m/s]."""
        delay = length / sound  # NAK (23-6)
        impedance = modulus * area * delay / length  # NAK (23-3)
        return cls(delay, impedance, 0.25 * impedance * length**2, alpha)  # NAK (23-5)

    @classmethod
    def of_block(
        cls, length: float, modulus: float = STEEL_MODULUS, sound: float = STEEL_SOUND, alpha: float = 0.0
    ) -> TransmissionLine:
        """A cube of material with this edge [m]: k = E L₀, k_φ = E L₀³/4.   NAK (23-8), (23-9)"""
        return cls.of_rod(length, length**2, modulus, sound, alpha)

    @classmethod
    def of_stiffness(
        cls, stiffness: float, delay: float, rotational_stiffness: float = 0.0, alpha: float = 0.0
    ) -> TransmissionLine:
        """A line as stiff as wanted [N/m], [N m/rad] for a delay [s]. The filter softens it, which is made up for here."""
        pace = delay / (1 - alpha) if alpha < 1 else math.inf
        return cls(delay, stiffness * pace, rotational_stiffness * pace, alpha)

    # ---- what it does to the system

    @property
    def slow_delay(self) -> float:
        """Delay of slow waves [s]: the filter adds α T/(1 − α)."""
        return self.delay / (1 - self.alpha)

    @property
    def stiffness(self) -> float:
        """k = Zf/T [N/m], with the filter Zf (1 − α)/T.   NAK (23-3)"""
        return self.impedance / self.slow_delay

    @property
    def rotational_stiffness(self) -> float:
        """k_φ = Zfr/T [N m/rad], with the filter Zfr (1 − α)/T.   NAK (23-5)"""
        return self.rotary / self.slow_delay

    @property
    def parasitic_mass(self) -> float:
        """Mass that the line adds between its ends [kg]: Zf T, with the filter Zf T/(1 − α).   NAK (23-7)"""
        return self.impedance * self.slow_delay

    @property
    def parasitic_inertia(self) -> float:
        """Moment of inertia that it adds [kg m²]: Zfr T/(1 − α)."""
        return self.rotary * self.slow_delay

    def standing_waves(self, count: int = 3) -> list[float]:
        """Frequencies of its standing waves [Hz]: i/(2T).   NAK (23-10)"""
        return [i / (2 * self.delay) for i in range(1, count + 1)]

    def shares(self, *masses: float) -> list[float]:
        """The parasitic mass as a share of each of the neighbouring masses [kg]."""
        return [self.parasitic_mass / mass if mass > 0 else math.inf for mass in masses]

    def recommended_delay(self, *masses: float, share: float = SHARE) -> float:
        """Longest delay [s] with which a line as stiff as this adds at most `share` of the smallest mass [kg].

        m_p = k (T/(1 − α))², so T = (1 − α) √(share · m/k).
        """
        return (1 - self.alpha) * math.sqrt(share * min(masses) / self.stiffness)

    def with_delay(self, delay: float) -> TransmissionLine:
        """As stiff as this one, with another delay [s]."""
        factor = delay / self.delay
        return replace(self, delay=delay, impedance=self.impedance * factor, rotary=self.rotary * factor)

    def impedances(self, dimensions: int) -> tuple[float, ...]:
        """One for each component of a wave: of a 1-D line, or forces and torques of a 3-D one."""
        return (self.impedance,) if dimensions == 1 else (self.impedance,) * 3 + (self.rotary,) * 3
