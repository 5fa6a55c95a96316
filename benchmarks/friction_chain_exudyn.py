"""The chain with friction in Exudyn.

The torque of friction acts in torsional spring-dampers beside the joints. Exudyn has no friction of its own for them; a symbolic user
function is evaluated in C++, without Python. Newton's relative tolerance is 1e-5 and all else as in ``rigid_chain_exudyn``, where the
settings were chosen.
"""

from __future__ import annotations

import warnings
from typing import Any

from benchmarks.friction_chain import SLIP_SPEED, SMOOTH_SPEED, STRIBECK, TORQUE
from benchmarks.rigid_chain import ChainRun
from benchmarks.rigid_chain_exudyn import axis_frame, build, counted, exu, items, link_ends, settings, solve

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from exudyn.advancedUtilities import CreateSymbolicUserFunction

esym = exu.symbolic


def friction(mbs, t, itemNumber, rotation, angularVelocity, stiffness, damping, offset):  # type: ignore[no-untyped-def]
    """The law of ``friction_chain``, in the words of Exudyn."""
    x = angularVelocity / SLIP_SPEED
    return TORQUE * (1.0 + STRIBECK * esym.exp(-(x * x))) * esym.tanh(angularVelocity / SMOOTH_SPEED)


def exudyn_chain(n: int, h: float, steps: int) -> ChainRun:
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    kept: list[Any] = []
    bodies = build(mbs, n, beside=lambda i, markers: kept.append(rub(mbs, i, markers)))
    seconds, solver = solve(mbs, settings(n, h, steps))
    return counted(seconds, solver, link_ends(mbs, bodies))


def rub(mbs: Any, i: int, markers: list[Any]) -> Any:
    """Friction between the markers of joint i; what is returned must live as long as the system."""
    law = CreateSymbolicUserFunction(
        mbs,
        function=friction,
        userFunctionName="springTorqueUserFunction",
        itemTypeName="ObjectConnectorTorsionalSpringDamper",
    )
    frame = axis_frame(i)
    mbs.AddObject(
        items.ObjectConnectorTorsionalSpringDamper(
            markerNumbers=markers, rotationMarker0=frame, rotationMarker1=frame, springTorqueUserFunction=law
        )
    )
    return law
