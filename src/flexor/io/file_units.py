"""Units of files that carry none: SI as they stand, or a named system that is converted while reading."""

from __future__ import annotations

from dataclasses import dataclass

from flexor.errors import ModelError, Problem, UnitError
from flexor.units import si


@dataclass(frozen=True)
class FileUnits:
    """Factors from the file's units to SI; derived ones follow from length, mass and time."""

    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0

    @classmethod
    def of(cls, name: str) -> FileUnits:
        """From "SI" or length-mass-time: "mm-t-s" (forces in N, stresses in MPa), "m-kg-s", "mm-kg-ms", …"""
        if name.upper() == "SI":
            return cls()
        parts = name.split("-")
        try:
            if len(parts) != 3:
                raise UnitError("three units are needed")
            length, mass, time = (si(f"1 {u}", d) for u, d in zip(parts, ("length", "mass", "time")))
        except UnitError as error:
            fix = 'write "SI" or length-mass-time such as "mm-t-s" (millimetre, tonne, second)'
            raise ModelError(Problem("units", f"{name!r} is no system of units", str(error), fix)) from None
        return cls(length, mass, time)

    @property
    def is_si(self) -> bool:
        return (self.length, self.mass, self.time) == (1.0, 1.0, 1.0)

    @property
    def force(self) -> float:
        return self.mass * self.length / self.time**2

    @property
    def stress(self) -> float:
        return self.force / self.length**2

    @property
    def density(self) -> float:
        return self.mass / self.length**3

    @property
    def area(self) -> float:
        return self.length**2

    @property
    def second_moment(self) -> float:
        return self.length**4

    @property
    def inertia(self) -> float:
        return self.mass * self.length**2

    @property
    def stiffness(self) -> float:
        return self.force / self.length

    @property
    def rotational_stiffness(self) -> float:
        return self.force * self.length
