"""Flexor: dynamics of mechanisms with rigid and flexible bodies.

    import flexor as fx

    arm = fx.RigidBody("arm", mass=1.2, inertia=(1e-4, 0.01, 0.01), center_of_mass=(0.25, 0, 0))
    pin = fx.Revolute("pin", fx.ground, arm, axis="z")
    model = fx.Model("pendulum", [arm, pin], gravity=(0, -9.81, 0))
    model.check()
    run = model.dynamics(until="2 s", step="1 ms")
    run["pin.angle"].plot()

Names are loaded when they are first used, so that `import flexor` alone costs next to nothing. Editors and type checkers read
them, with the arguments of each, from `__init__.pyi`. `docs/stubs.py` writes that file, and the names of items in `item_names.py`.
"""

from __future__ import annotations

import importlib
from typing import Any

from flexor.item_names import ITEM_NAMES

__version__ = "0.1.0"

_NAMES: dict[str, str] = {
    "bodies": "Box Cone Cylinder Extruded Marker MarkerRef Plane Revolved Sphere Stl Torus Triangles ground",
    "bodies.shape_body.characteristic_set": "CharacteristicSet",
    "bodies.shape_body.geometry": "HollowCylinder TurnedPart",
    "bodies.shape_body.profile": "ProfileArc",
    "bodies.side": "Side",
    "contact.contact_friction": "ContactFriction",
    "contact.normal_laws": "Hertz HertzLine Penalty",
    "contact.surfaces.triangles": "InwardSurface OpenSurface",
    "control": "UserBlock",
    "errors": """AssemblyError CompileError ComponentError DivergenceError FileError FlexorError LawError ModelError Problem
        SingularError SolveError UnitError""",
    "fatigue": """BeyondCurve BeyondStrength CoarseRows Cycles Damage FKM FaintStress Gerber Goodman McDiarmid MeanStressIgnored Morrow OtherStress SNCurve
        SmithWatsonTopper StressTurns damage_of rainflow
        reliability_factor surface_factor turning_points""",
    "forces": "UserLaw",
    "forces.spring_parts": "BoucWen Failure Stop Yield",
    "functions": """Constant Expression Function Harmonics Polynomial Product Ramp Scaled Sine Step Sum Table
        clearance constant expression harmonics polynomial ramp sine step table""",
    "coordinates.profile": "Profile",
    "io": "mesh_step read_matrices read_mesh write_inp write_vtu",
    "materials": "Aluminium Isotropic Orthotropic Steel",
    "mesh.note": "IncompleteMesh",
    "elements.assembly.loads": "Centrifugal Gravity PointLoad Pressure Traction",
    "mesh.section": """BoxProfile BushSection Circle GeneralSection IProfile Rectangle RotationalSpringSection ShellSection
        SpringSection Tube""",
    "mesh.select": "box cylinder nearest plane sphere",
    "model": "Component Instance Model Report",
    "reduce.damping": "ModalDamping Rayleigh",
    "reduce.interface": "Interface",
    "bodies.beam.section_stiffness": "StiffnessSection",
    "reduce.methods": "CraigBampton FreeInterface Guyan Krylov Modal ResponseModes",
    "reduce": "MeshStudy ReducedBody ShortOfFrequency reduce_mesh",
    "recover": "BodyHistory StrainGauge StressHistory StressIncomplete export_vtu section_forces",
    "recover.harmonic_stress": "HarmonicStress RandomStress",
    "results": "Run",
    "results.pressure_map": "PressureMap PressureUnknown",
    "results.side_pressure": "CoarsePressure SidePressure",
    "results.sunk": "SunkContact UnseenOverlap",
    "results.spectrum": "Spectrum UnevenTimes Waterfall",
    "results.vibration": "Vibration",
    "solve": """AccuracyMissed BeyondLinear CoarseSpectrum CutResponse DoubtfulModel EnergyDrift FrequencyResponse FrozenFunction GeneralizedAlpha HHT
        IncompleteCurve LeapingContact LinearModel MeanLeftOut MovingState Newmark NoModes PeriodicMotions RandomResponse RedundantConstraints
        SpectralResponse SteepAngles Tolerances TooFewHarmonics TruncatedModes TurnsNotCounted UncertainStability
        Undersampled UnresolvedContact UnseenLoad UnstableEquilibrium VelocitiesLeftOut""",
    "units": "si",
    "viewer.show": "view",
}
"""All but the items that are listed in registries: bodies, joints, forces, contacts."""
_FOLDER_OF = {
    **{name: folder for folder, names in ITEM_NAMES.items() for name in names},
    **{name: folder for folder, names in _NAMES.items() for name in names.split()},
}

__all__ = sorted(_FOLDER_OF)


def __getattr__(name: str) -> Any:
    if name not in _FOLDER_OF:
        from difflib import get_close_matches

        near = get_close_matches(name, __all__, 1)
        raise AttributeError(f"flexor has no '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
    value = getattr(importlib.import_module(f"flexor.{_FOLDER_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
