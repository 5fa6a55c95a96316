"""A slider-crank whose connecting rod is a finite-element mesh, at 3000 rpm; its stress, and what a rigid rod would say."""

from pathlib import Path

import numpy as np

import flexor as fx

rod = fx.FlexibleBody(
    "rod",
    mesh=Path(__file__).with_name("rod.inp"),
    material=fx.Steel(),
    interfaces={
        "big": fx.cylinder(at=(0, 0, 0), radius="18 mm", axis="z"),
        "small": fx.cylinder(at=("300 mm", 0, 0), radius="10 mm", axis="z"),
    },
    reduction=fx.CraigBampton(up_to="5 kHz", inertia_shapes=True),
    damping=fx.ModalDamping(0.02),
    formulation="floating",
    stiffening=True,  # it is pulled by a fifth of its buckling load
)
crank = fx.RigidBody("crank", mass=1.2, inertia=(2e-3, 2e-3, 4e-3))
piston = fx.RigidBody("piston", mass=0.5, inertia=(4e-4, 4e-4, 4e-4))
model = fx.Model(
    "flexible slider-crank",
    gravity=(0, -9.81, 0),
    items=[
        *(crank, rod, piston),
        fx.Revolute("main", fx.ground, crank, axis="z"),
        fx.Cylindrical("pin", crank.at("80 mm", 0, 0), rod["big"], axis="z"),
        fx.Spherical("wrist", rod["small"], piston),
        fx.Prismatic("bore", fx.ground, piston, axis="x"),
        fx.Motor("drive", joint="main", speed=fx.ramp(0, "3000 rpm", over="50 ms")),
    ],
)

stiff_model = model.with_item(rod.rigid())  # the mass of the mesh, nothing else

if __name__ == "__main__":
    model.check()
    run = model.dynamics(until="150 ms", step="50 us")
    stiff = stiff_model.dynamics(until="150 ms", step="50 us")
    print("largest stress:", run.stress("rod").max())
    print(f"peak torque: {run['drive.torque'].max():.1f} N m; with a rigid rod {stiff['drive.torque'].max():.1f} N m")
    wrist, stiff_wrist = (each["wrist.force"].norm().max() for each in (run, stiff))
    print(f"peak force in the wrist: {wrist:.0f} N; with a rigid rod {stiff_wrist:.0f} N")
    off = np.abs(run["piston.position_x"] - stiff["piston.position_x"]).max()
    print(f"the piston is up to {1e6 * off:.1f} µm away from where a rigid rod puts it")
