"""The chain with friction in Flexor, with the settings of the chain without."""

from __future__ import annotations

import flexor as fx
from benchmarks.friction_chain import SLIP_SPEED, SMOOTH_SPEED, STRIBECK, TORQUE
from benchmarks.rigid_chain import ChainRun
from benchmarks.rigid_chain_flexor import chain_model, solve_chain


def flexor_chain(n: int, h: float, steps: int) -> ChainRun:
    """As of ``rigid_chain_flexor``, with friction in every joint."""
    chain = chain_model(n)
    rubs = [
        fx.Friction(
            f"friction{i}",
            f"joint{i}",
            coefficient=1.0,
            load=TORQUE,
            radius=1.0,
            stribeck=STRIBECK,
            slip_speed=SLIP_SPEED,
            model="tanh",
            smooth_speed=SMOOTH_SPEED,
        )
        for i in range(n)
    ]
    return solve_chain(chain.replace(items=(*chain.items, *rubs)), h, steps)
