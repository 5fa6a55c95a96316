"""The names that `import flexor as fx` offers, and what it costs."""

import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import flexor as fx
from docs.stubs import NAMES_FILE, names_text
from flexor.contact.normal_laws import NORMAL_LAWS
from flexor.declaration import Declaration
from flexor.item_names import ITEM_NAMES

NAMES = """
    BeyondCurve BeyondStrength CoarseRows Cycles Damage FKM FaintStress Gerber Goodman McDiarmid MeanStressIgnored Morrow OtherStress SNCurve
    SmithWatsonTopper StressTurns damage_of rainflow
    reliability_factor surface_factor turning_points
    FrozenFunction HarmonicStress IncompleteCurve PeriodicMotions RandomStress Spectrum TooFewHarmonics UncertainStability UnevenTimes Vibration Waterfall
    CoarseSpectrum CutResponse FrequencyResponse MeanLeftOut RandomResponse SpectralResponse LinearModel TruncatedModes Undersampled
    AccuracyMissed Aluminium AssemblyError BeyondLinear BodyHistory BoucWen Box BoxProfile BushSection Centrifugal Circle CompileError Component ComponentError Constant
    CharacteristicSet HollowCylinder ProfileArc TurnedPart Cone ContactFriction Extruded Hertz HertzLine Penalty Revolved Torus Triangles
    CraigBampton Cylinder DivergenceError DoubtfulModel EnergyDrift Expression Failure FileError FlexorError FreeInterface
    Function GeneralSection GeneralizedAlpha Gravity Guyan HHT Harmonics IProfile IncompleteMesh Instance Interface Isotropic
    Krylov LawError LeapingContact Marker MarkerRef MeshStudy Modal ModalDamping Model ModelError MovingState Newmark NoModes Orthotropic
    Plane PointLoad Polynomial Pressure Problem Product Profile Ramp Rayleigh Rectangle ReducedBody RedundantConstraints Report
    ResponseModes RotationalSpringSection Run Scaled ShellSection ShortOfFrequency Side Sine SingularError SolveError Sphere
    SpringSection Steel SteepAngles Step StiffnessSection Stl Stop StrainGauge StressHistory StressIncomplete Sum Table Tolerances
    Traction Tube TurnsNotCounted UnitError UnresolvedContact UnseenLoad UnseenOverlap SunkContact UnstableEquilibrium UserBlock UserLaw VelocitiesLeftOut Yield box clearance constant
    cylinder Cone Extruded InwardSurface OpenSurface PressureMap PressureUnknown SidePressure CoarsePressure Revolved Torus Triangles
    export_vtu expression ground harmonics mesh_step nearest plane polynomial ramp read_matrices read_mesh reduce_mesh
    section_forces si sine sphere step table view write_inp write_vtu
""".split()  # noqa: SIM905


ITEMS = [name for names in ITEM_NAMES.values() for name in names]


def test_the_public_names_are_these():
    """Those of items stand in a generated file, where a change shows that a name has come or gone."""
    others = set(fx.__all__) - set(ITEMS)
    missing, new = set(NAMES) - others, others - set(NAMES)
    assert not missing, "users rely on these names"
    assert not new, "add them to the list above"


def test_the_names_of_items_are_up_to_date():
    assert NAMES_FILE.read_text(encoding="utf-8") == names_text(), "run: python -m docs.stubs"


@pytest.mark.parametrize("name", [*NAMES, *ITEMS])
def test_every_name_is_there(name):
    assert getattr(fx, name) is getattr(fx, name)
    assert name in dir(fx)


def test_everything_registered_is_public():
    registered = [*fx.model.ITEMS, *fx.functions.FUNCTIONS, *fx.bodies.SHAPES]
    assert {kind.__name__ for kind in registered} <= set(fx.__all__)


@pytest.mark.parametrize("folder", [fx.bodies, fx.joints, fx.forces, fx.contact], ids=lambda folder: folder.__name__)
def test_what_is_declared_is_registered(folder):
    base = fx.bodies.Body if folder is fx.bodies else Declaration
    for found in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
        for thing in vars(importlib.import_module(found.name)).values():
            if isinstance(thing, type) and issubclass(thing, base) and thing.__module__ == found.name:
                listed = (
                    thing in (*fx.model.ITEMS, fx.UserLaw, fx.UserBlock, *NORMAL_LAWS)
                    or "type" not in thing.model_fields
                )
                line = f"from {found.name} import {thing.__name__} as {thing.__name__}"
                assert listed, f"add to {folder.__name__}/__init__.py: {line}"


def test_unknown_names():
    with pytest.raises(AttributeError, match="flexor has no 'Revolut'; did you mean 'Revolute'"):
        fx.Revolut  # noqa: B018
    assert not hasattr(fx, "__wrapped__")


def loaded(statement, modules):
    """Which of the modules are loaded after the statement has run in a fresh interpreter."""
    code = f"import sys; {statement}; print([m for m in {modules} if m in sys.modules])"
    folder = str(Path(fx.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": folder}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return run.stdout.strip()


def test_import_alone_loads_nothing_heavy():
    assert loaded("import flexor", ["numpy", "numba", "scipy", "pydantic", "yaml", "h5py"]) == "[]"


def test_declaring_a_model_loads_no_compiler():
    statement = (
        "import flexor as fx; a = fx.RigidBody('a', 1, 1);fx.Model('m', [a, fx.Revolute('j', fx.ground, a)]).check()"
    )
    assert loaded(statement, ["numba", "scipy", "h5py", "matplotlib"]) == "[]"
