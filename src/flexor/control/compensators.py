"""Compensators: P, I and D parts, the latter two also limited in frequency.   FTG 8.4.4

Equations follow from the transfer functions; the pure D parts differentiate their input (`flexor.control.derivative`).
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from flexor.control.block import Input, SingleInput
from flexor.control.derivative import derivative_term
from flexor.control.linear_block import LinearBlock, Time, linear_term
from flexor.control.realisation import StateMatrices, in_series, realised
from flexor.declaration import Number
from flexor.law import Term

GAIN = "K_p, the gain of the P part."
T_I = "T_i, in which the I part grows to the size of the P part under a constant input [s]."
T_D = "T_d, after which the P part would be as large as the D part is at once, if the input grows steadily [s]."
T_FI = "T_fi > T_i, beyond which the I part does not grow any more [s]."
T_FD = "T_fd < T_d, below which the D part does not follow any more [s]."


class PI(LinearBlock):
    """K_p (1 + 1/(T_i s)). Signal: value.   FTG type 31"""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "gain", "integral_time")
    type: Literal["pi"] = "pi"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "gain": 3.0, "integral_time": "0.4 s"},)
    gain: Number = Field(description=GAIN)
    integral_time: Time = Field(description=T_I)

    @property
    def linear(self) -> StateMatrices:
        return realised((self.gain * self.integral_time, self.gain), (self.integral_time, 0.0))


class PLimitedI(LinearBlock):
    """P and limited I, K_p (T_fi/T_i) (1 + T_i s)/(1 + T_fi s). Signal: value.   FTG type 32"""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "gain", "integral_time", "limit_time")
    type: Literal["p_limited_i"] = "p_limited_i"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"input": "tilt", "gain": 3.0, "integral_time": 0.4, "limit_time": 5.0},
    )
    gain: Number = Field(description=GAIN)
    integral_time: Time = Field(description=T_I)
    limit_time: Time = Field(description=T_FI)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        _longer("limit_time", self.limit_time, "integral_time", self.integral_time)
        return self

    @property
    def linear(self) -> StateMatrices:
        return realised(*_limited_integral(self.gain, self.integral_time, self.limit_time))


class PD(SingleInput):
    """K_p (1 + T_d s), which differentiates its input. Signal: value.   FTG type 33

    Where the rate can be read by a sensor, that is more exact: "60*tilt + 12*spin".
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "gain", "derivative_time")
    type: Literal["pd"] = "pd"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "gain": 3.0, "derivative_time": 0.2},)
    gain: Number = Field(description=GAIN)
    derivative_time: Time = Field(description=T_D)

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        """y = K_p (u + T_d u̇)"""
        rate = derivative_term(f"{self.name}.rate", inputs[0])
        D = self.gain * np.array([[1.0, self.derivative_time]])
        static = StateMatrices(np.zeros((0, 0)), np.zeros((0, 2)), np.zeros((1, 0)), D)
        return [rate, linear_term(self, static, (inputs[0], rate.name), False)]


class PLimitedD(LinearBlock):
    """P and limited D, K_p (1 + T_d s)/(1 + T_fd s). Signal: value.   FTG type 34"""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "gain", "derivative_time", "filter_time")
    type: Literal["p_limited_d"] = "p_limited_d"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"input": "tilt", "gain": 3.0, "derivative_time": 0.2, "filter_time": "10 ms"},
    )
    gain: Number = Field(description=GAIN)
    derivative_time: Time = Field(description=T_D)
    filter_time: Time = Field(description=T_FD)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        _longer("derivative_time", self.derivative_time, "filter_time", self.filter_time)
        return self

    @property
    def linear(self) -> StateMatrices:
        return realised((self.gain * self.derivative_time, self.gain), (self.filter_time, 1.0))


class PID(SingleInput):
    """K_p (1 + 1/(T_i s) + T_d s), which differentiates its input. Signal: value.   FTG type 35

    `rate` gives the D part the rate of the input where a sensor reads it, which is more exact than to differentiate.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "gain", "integral_time", "derivative_time")
    by_sensor: ClassVar[tuple[str, ...]] = ("input", "rate")
    type: Literal["pid"] = "pid"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"input": "tilt", "gain": 3.0, "integral_time": 0.4, "derivative_time": 0.2},
        {"input": "tilt", "gain": 3.0, "integral_time": 0.4, "derivative_time": 0.2, "rate": "spin"},
    )
    gain: Number = Field(description=GAIN)
    integral_time: Time = Field(description=T_I)
    derivative_time: Time = Field(description=T_D)
    rate: Input | None = Field(
        None, description="Rate of the input, if it can be read; else the input is differentiated."
    )

    @property
    def given_inputs(self):  # type: ignore[no-untyped-def]
        return (self.input,) if self.rate is None else (self.input, self.rate)

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        """ẋ = u/T_i, y = K_p (u + x + T_d u̇)"""
        before = [] if self.rate is not None else [derivative_term(f"{self.name}.rate", inputs[0])]
        rate = inputs[1] if self.rate is not None else before[0].name
        K = self.gain
        linear = StateMatrices(
            np.zeros((1, 1)),
            np.array([[1.0 / self.integral_time, 0.0]]),
            np.array([[K]]),
            K * np.array([[1.0, self.derivative_time]]),
        )
        return [*before, linear_term(self, linear, (inputs[0], rate), False)]


class PILimitedD(LinearBlock):
    """PI and limited D in series, K_p (1 + 1/(T_i s)) (1 + T_d s)/(1 + T_fd s). Signal: value.   FTG type 36"""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "gain", "integral_time", "derivative_time", "filter_time")
    type: Literal["pi_limited_d"] = "pi_limited_d"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"input": "tilt", "gain": 3.0, "integral_time": 0.4, "derivative_time": 0.2, "filter_time": 0.01},
    )
    gain: Number = Field(description=GAIN)
    integral_time: Time = Field(description=T_I)
    derivative_time: Time = Field(description=T_D)
    filter_time: Time = Field(description=T_FD)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        _longer("derivative_time", self.derivative_time, "filter_time", self.filter_time)
        return self

    @property
    def linear(self) -> StateMatrices:
        integral = (self.gain * self.integral_time, self.gain), (self.integral_time, 0.0)
        return realised(*in_series(integral, ((self.derivative_time, 1.0), (self.filter_time, 1.0))))


class PLimitedILimitedD(LinearBlock):
    """P, limited I and limited D in series, K_p (T_fi/T_i) (1 + T_i s)/(1 + T_fi s) · (1 + T_d s)/(1 + T_fd s). Signal: value.   FTG type 37"""

    positional: ClassVar[tuple[str, ...]] = (
        "name", "input", "gain", "integral_time", "limit_time", "derivative_time", "filter_time",
    )  # fmt: skip
    type: Literal["p_limited_i_limited_d"] = "p_limited_i_limited_d"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "input": "tilt", "gain": 3.0, "integral_time": 0.4, "limit_time": 5.0, "derivative_time": 0.2,
            "filter_time": 0.01,
        },
    )  # fmt: skip
    gain: Number = Field(description=GAIN)
    integral_time: Time = Field(description=T_I)
    limit_time: Time = Field(description=T_FI)
    derivative_time: Time = Field(description=T_D)
    filter_time: Time = Field(description=T_FD)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        _longer("limit_time", self.limit_time, "integral_time", self.integral_time)
        _longer("derivative_time", self.derivative_time, "filter_time", self.filter_time)
        return self

    @property
    def linear(self) -> StateMatrices:
        limited = _limited_integral(self.gain, self.integral_time, self.limit_time)
        return realised(*in_series(limited, ((self.derivative_time, 1.0), (self.filter_time, 1.0))))


def _limited_integral(gain: float, time: float, limit: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    steady = gain * limit / time
    return (steady * time, steady), (limit, 1.0)


def _longer(long: str, value: float, short: str, other: float) -> None:
    if value <= other:
        raise ValueError(
            f"{long} = {value:g} s is not longer than {short} = {other:g} s; exchange them, or leave the limit out"
        )
