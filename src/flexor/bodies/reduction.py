"""How a flexible body is reduced: declarations, which `flexor.reduce` turns into a basis.

fx.CraigBampton(up_to="5 kHz")          as many modes as that frequency needs
fx.CraigBampton(modes=12)
fx.Krylov(frequencies=("20 Hz", "140 Hz"))
"""

from __future__ import annotations

import importlib
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.declaration import Declaration, Frequency


class _Method(Declaration):
    noun: ClassVar[str] = "reduction"

    def basis(self, problem: Any) -> tuple[np.ndarray, tuple[str, ...]]:
        """(H, sentences): the basis of a problem, and what was chosen and why."""
        return importlib.import_module("flexor.reduce.methods").basis_of(self, problem)


class _Modes(_Method):
    """What methods with modes share."""

    positional: ClassVar[tuple[str, ...]] = ("modes",)
    modes: Annotated[int, Field(ge=0)] | Literal["auto"] = Field(
        "auto", description="Number of modes, or auto: as many as `up_to` needs."
    )
    up_to: Frequency | None = Field(None, description="Highest frequency the body must be right for [Hz].", gt=0)
    tolerance: float = Field(0.01, description="Largest relative frequency error below `up_to`, for auto.", gt=0, lt=1)

    @model_validator(mode="after")
    def _told(self) -> _Modes:
        if self.modes == "auto" and self.up_to is None:
            raise ValueError("modes: auto does not know how many; add e.g. up_to: 500 Hz, or give a number of modes")
        return self


class Guyan(_Method):
    """Static condensation to the connection nodes: exact statics, no vibration of its own.   FTG 3.1.2"""

    type: Literal["guyan"] = "guyan"


class CraigBampton(_Modes):
    """Static shapes of the connection nodes' motions and vibration modes with these held.   FTG 3.2"""

    type: Literal["craig_bampton"] = "craig_bampton"
    inertia_shapes: bool = Field(
        False,
        description="Add the static shapes of its own weight and centrifugal forces, the connection nodes held (up to "
        "12): the stress of slow and steady motion is then exact with few modes.",
    )


class ResponseModes(_Method):
    """Static shapes, shapes of harmonic motions of the connection nodes, and modes with these held.   NAK chapter 5"""

    positional: ClassVar[tuple[str, ...]] = ("frequencies",)
    type: Literal["response_modes"] = "response_modes"
    frequencies: tuple[Frequency, ...] = Field(description="Main excitation frequencies [Hz].", min_length=1)
    modes: int = Field(0, description="Number of held modes beside them.", ge=0)


class FreeInterface(_Modes):
    """Modes of the free body with residual attachment modes (Rubin, Craig-Chang)."""

    type: Literal["free_interface"] = "free_interface"


class Krylov(_Method):
    """Matches the motion of the connection nodes under loads on them at given frequencies.   ZE 2.4, 3.4

    Expansion points are s = 2πi·frequency, and `points` anywhere in the complex plane; conjugates come along.
    """

    positional: ClassVar[tuple[str, ...]] = ("frequencies",)
    type: Literal["krylov"] = "krylov"
    frequencies: tuple[Frequency, ...] = Field((), description="Expansion points on the imaginary axis [Hz].")
    points: tuple[tuple[float, float], ...] = Field(
        (), description="Further expansion points, real and imaginary part [rad/s]."
    )
    moments: int = Field(1, description="Moments matched at each point.", ge=1)
    up_to: Frequency | None = Field(
        None, description="Instead of points: choose them for frequencies up to this [Hz].", gt=0
    )
    tolerance: float = Field(0.01, description="Largest relative frequency error below `up_to`.", gt=0, lt=1)

    @model_validator(mode="after")
    def _told(self) -> Krylov:
        if not self.frequencies and not self.points and self.up_to is None:
            raise ValueError("there are no expansion points; add e.g. frequencies: [20 Hz, 140 Hz] or up_to: 500 Hz")
        if (self.frequencies or self.points) and self.up_to is not None:
            raise ValueError("expansion points and up_to are both given; up_to chooses the points, leave one out")
        return self

    @property
    def expansion_points(self) -> tuple[complex, ...]:
        """s [rad/s], one of each conjugate pair."""
        return (*(2j * np.pi * f for f in self.frequencies), *(complex(*s) for s in self.points))


class Modal(_Method):
    """Modes of the free body alone, for floating bodies; statics near joints is only approximate."""

    positional: ClassVar[tuple[str, ...]] = ("modes",)
    type: Literal["modal"] = "modal"
    modes: int = Field(0, description="Number of elastic modes.", ge=0)
    up_to: Frequency | None = Field(None, description="Take all modes up to this frequency [Hz].", gt=0)

    @model_validator(mode="after")
    def _told(self) -> Modal:
        if not self.modes and self.up_to is None:
            raise ValueError("there are no modes; add e.g. modes: 10 or up_to: 500 Hz")
        return self


METHODS = (CraigBampton, Guyan, ResponseModes, FreeInterface, Krylov, Modal)
Method = Annotated[CraigBampton | Guyan | ResponseModes | FreeInterface | Krylov | Modal, Field(discriminator="type")]
