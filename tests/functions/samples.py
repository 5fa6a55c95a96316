"""At least one function of each kind, all branches of their evaluators among them."""

from __future__ import annotations

import flexor.functions as fx

X = (-1.0, -0.2, 0.5, 1.1, 2.0, 3.5)
Y = (0.3, -0.4, 1.2, 0.9, 2.2, 0.3)

SAMPLES: dict[str, fx.Function] = {
    "constant": fx.constant(-2.5),
    "polynomial": fx.polynomial(1, -2, 0.5, 0.25),
    "ramp quintic": fx.ramp(1, "-2 m", over=1.3, start=0.4),
    "ramp before zero": fx.ramp(0.5, 2, over=1.3, start=-0.9),
    "ramp cosine": fx.ramp(1, 3, over=1.3, start=0.4, smooth="cosine"),
    "ramp linear": fx.ramp(1, 3, over=1.3, start=-0.4, smooth=False),
    "step": fx.step(1, 3, at=0.7),
    "step before zero": fx.step(1, 3, at=-0.7),
    "step cubic": fx.step(1, 3, at=0.7, width=0.5),
    "sine": fx.sine(2, frequency=0.7, phase="30 deg", offset=0.3),
    "sine started": fx.sine(2, frequency="300 rpm", phase="30 deg", offset=0.3, start=0.25),
    "sine pulse": fx.sine(2, frequency=0.7, cycles=1.5, start=-0.5),
    "harmonics": fx.harmonics(0.4, cosines=(1, 0, -0.5), sines=(0.2, 0.7), mean=0.1),
    "table linear": fx.table(X, Y),
    "table cubic": fx.table(X, Y, kind="cubic", extrapolation="linear"),
    "table akima": fx.table(X, Y, kind="akima", extrapolation="periodic"),
    "table cubic periodic": fx.table(X, Y, kind="cubic", extrapolation="periodic"),
    "table away from zero": fx.table([1, 1.5, 2.5], [3, 1, 2], kind="cubic", extrapolation="hold"),
    "expression": fx.expression("exp(-t^2)*sin(5*t) + 0.3*atan2(t, 2) - sqrt(t^2 + 1)"),
    "expression with kinks": fx.expression("if(t > 0.3, log(t + 1)*max(t, 1), abs(t + 0.4)^1.5) + step(t - 1)"),
    "scaled": -3 * fx.sine(2, frequency=0.7, start=0.25),
    "sum": fx.ramp(0, 1, over=0.8) + fx.sine(1, frequency=2) + 0.5 + fx.sine(0.2, frequency=3) + "cos(t)",
    "product": fx.sine(1, frequency=0.8) * fx.ramp(0, 1, over=0.8) * "1 + t^2",
}
ARGUMENTS = (-4.7, -1.03, -0.55, -0.13, 0.0, 0.21, 0.47, 0.83, 1.27, 2.61, 3.9, 7.3)
