"""The slider-crank mechanism of slider_crank.yaml, declared in Python."""

import flexor as fx

crank = fx.RigidBody("crank", mass=1.2, inertia=(2e-3, 2e-3, 4e-3), markers={"pin": ("80 mm", 0, 0)})
rod = fx.RigidBody(
    "rod",
    mass=0.8,
    inertia=(1e-4, 6e-3, 6e-3),
    center_of_mass=(0.15, 0, 0),
    markers={"small": (0.3, 0, 0)},
)
piston = fx.RigidBody("piston", mass=0.5)

model = fx.Model(
    "slider-crank",
    gravity=(0, -9.81, 0),
    items=[
        *(crank, rod, piston),
        fx.Revolute("main", fx.ground, crank, axis="z"),
        fx.Cylindrical("pin", crank["pin"], rod, axis="z"),
        fx.Spherical("wrist", rod["small"], piston),
        fx.Prismatic("bore", fx.ground, piston, axis="x"),
        fx.Motor("drive", joint="main", speed=fx.ramp(0, "3000 rpm", over="0.1 s")),
    ],
)

if __name__ == "__main__":
    model.check()
    run = model.dynamics(until="0.2 s", step="0.1 ms")
    print(run["drive.torque"].max())
