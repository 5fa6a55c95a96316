"""How a flexible body is reduced: declarations, each of which chooses a basis H of a free body and says what it chose and why.

fx.CraigBampton(up_to="5 kHz")          as many modes as that frequency needs
fx.CraigBampton(modes=12)
fx.Krylov(frequencies=("20 Hz", "140 Hz"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.declaration import Declaration, Frequency
from flexor.errors import ModelError, Problem

if TYPE_CHECKING:
    from flexor.reduce.free_body import FreeBody

Chosen = tuple[np.ndarray, tuple[str, ...]]
"""(H, sentences)"""


class _Method(Declaration):
    noun: ClassVar[str] = "reduction"
    by_connections: ClassVar[bool] = True
    """Whether it keeps the motions of connection nodes."""

    def basis(self, body: FreeBody) -> Chosen:
        """The basis of a body, and what was chosen and why."""
        if self.by_connections and not body.n_connections:
            why, fix = "it keeps the motions of connection nodes", "name interfaces, or use Modal"
            raise ModelError(Problem(f"reduction '{self.type}'", "the body has no interfaces", why, fix))  # type: ignore[attr-defined]
        return self._basis(body)

    def _basis(self, body: FreeBody) -> Chosen:
        raise NotImplementedError


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

    def _basis(self, body: FreeBody) -> Chosen:
        from flexor.reduce import basis  # loads SciPy

        return basis.guyan(body), ()


class CraigBampton(_Modes):
    """Static shapes of the connection nodes' motions and vibration modes with these held.   FTG 3.2"""

    type: Literal["craig_bampton"] = "craig_bampton"
    inertia_shapes: bool = Field(
        False,
        description="Add the static shapes of its own weight and centrifugal forces, the connection nodes held (up to "
        "12): the stress of slow and steady motion is then exact with few modes.",
    )

    def _basis(self, body: FreeBody) -> Chosen:
        from flexor.reduce import auto, basis  # loads SciPy

        said: tuple[str, ...]
        if isinstance(self.modes, int):
            H, said = basis.craig_bampton(body, self.modes), ()
        else:
            H, why = auto.enough_held_modes(body, self.up_to or 0.0, self.tolerance)
            said = (why,)
        if not self.inertia_shapes:
            return H, said
        more = basis.with_inertia_shapes(body, H)
        return more, (*said, f"{more.shape[1] - H.shape[1]} static shapes of its own inertia")


class ResponseModes(_Method):
    """Static shapes, shapes of harmonic motions of the connection nodes, and modes with these held.   NAK chapter 5"""

    positional: ClassVar[tuple[str, ...]] = ("frequencies",)
    type: Literal["response_modes"] = "response_modes"
    frequencies: tuple[Frequency, ...] = Field(description="Main excitation frequencies [Hz].", min_length=1)
    modes: int = Field(0, description="Number of held modes beside them.", ge=0)

    def _basis(self, body: FreeBody) -> Chosen:
        from flexor.reduce import basis  # loads SciPy

        return basis.response_modes(body, [2 * np.pi * f for f in self.frequencies], self.modes), ()


class FreeInterface(_Modes):
    """Modes of the free body with residual attachment modes (Rubin, Craig-Chang)."""

    type: Literal["free_interface"] = "free_interface"

    def _basis(self, body: FreeBody) -> Chosen:
        from flexor.reduce import auto, basis  # loads SciPy

        if isinstance(self.modes, int):
            return basis.free_interface(body, self.modes), ()
        H, why = auto.enough_free_modes(body, self.up_to or 0.0, self.tolerance)
        return H, (why,)


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

    def _basis(self, body: FreeBody) -> Chosen:
        from flexor.reduce import auto, basis  # loads SciPy

        if self.up_to is None:
            return basis.krylov(body, self.expansion_points, self.moments), ()
        H, why = auto.enough_points(body, self.up_to, self.tolerance, self.moments)
        return H, (why,)


class Modal(_Method):
    """Modes of the free body alone, for floating bodies; statics near joints is only approximate."""

    positional: ClassVar[tuple[str, ...]] = ("modes",)
    by_connections: ClassVar[bool] = False
    type: Literal["modal"] = "modal"
    modes: int = Field(0, description="Number of elastic modes.", ge=0)
    up_to: Frequency | None = Field(None, description="Take all modes up to this frequency [Hz].", gt=0)

    @model_validator(mode="after")
    def _told(self) -> Modal:
        if not self.modes and self.up_to is None:
            raise ValueError("there are no modes; add e.g. modes: 10 or up_to: 500 Hz")
        return self

    def _basis(self, body: FreeBody) -> Chosen:
        from flexor.reduce import basis  # loads SciPy

        H = basis.modal(body, self.modes, (2 * np.pi * (self.up_to or 0.0)) ** 2)
        if not H.shape[1]:
            lowest = body.free_modes(1)[0]
            what = f"the body has no elastic mode up to {self.up_to:g} Hz"
            why = f"its lowest has {np.sqrt(lowest[0]) / (2 * np.pi):.4g} Hz" if len(lowest) else "it cannot deform"
            fix = "raise up_to, give a number of modes, or use formulation: rigid"
            raise ModelError(Problem("reduction 'modal'", what, why, fix))
        return H, (f"{H.shape[1]} elastic modes of the free body",)


METHODS = (CraigBampton, Guyan, ResponseModes, FreeInterface, Krylov, Modal)
Method = Annotated[CraigBampton | Guyan | ResponseModes | FreeInterface | Krylov | Modal, Field(discriminator="type")]
