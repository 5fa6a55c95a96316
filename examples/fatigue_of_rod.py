"""Fatigue life of the connecting rod of `flexor demo`: as forged, and machined; starts and hours at 3000 rpm.

Stress at all nodes is counted in rainflow cycles; the FKM guideline gives the strength of forged steel and what a mean stress does
to it, factors tell what is left of it by a rough skin and if 999 of 1000 rods shall survive instead of the guideline's 975.
"""

from pathlib import Path

import flexor as fx
from flexor.cli.demo import slider_crank

STRENGTH = "800 MPa"  # ultimate, of tempered steel
TURN, HOUR = 0.02, 3600.0  # s
model = slider_crank(str(Path(__file__).with_name("rod.inp")))

steel = fx.SNCurve.fkm(STRENGTH, "forged_steel")  # amplitudes, R = −1
rough = steel.scaled(fx.surface_factor(STRENGTH, "forged"), "as forged").surviving(0.999)
smooth = steel.scaled(fx.surface_factor(STRENGTH, "machined"), "machined").surviving(0.999)
mean_stress = fx.FKM.of(STRENGTH, "forged_steel")


def day(run: fx.Run, curve: fx.SNCurve) -> tuple[fx.Damage, fx.Damage, fx.Damage]:
    """Damage of a start (0 to 3000 rpm and on to 0.2 s), of one turn at speed, and of a day with 20 starts and 8 hours."""
    start = run.damage("rod", curve, mean_stress=mean_stress, between=(0, "0.2 s"))
    turn = run.damage("rod", curve, mean_stress=mean_stress, between=("0.18 s", "0.2 s"))
    return start, turn, 20 * start + 8 * HOUR / TURN * turn


if __name__ == "__main__":
    run = model.dynamics(until="0.2 s", step="0.1 ms")
    start, turn, forged = day(run, rough)
    machined = day(run, smooth)[2]
    print(forged)
    print(turn.cycles())
    print(f"as forged the rod lasts {forged.max().life:.3g} days")
    print(f"machined: {machined.max()}")
