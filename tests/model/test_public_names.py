"""The names that `import flexor as fx` offers, and what it costs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import flexor as fx

NAMES = """
    Aluminium AssemblyError AxialSpring Beam BeyondLinear BodyHistory Box BoxProfile BushSection Centrifugal Circle CompileError
    Constant CraigBampton Cylinder Cylindrical Distance DivergenceError DoubtfulModel EnergyDrift Expression FileError Fixed
    FlexibleBody FlexorError FreeInterface Function GeneralSection GeneralizedAlpha GenericPart Gravity Guyan HHT Harmonics
    IProfile IncompleteMesh Interface Isotropic JointSpring Krylov LawError Marker MarkerRef MeshLoad MeshStudy Modal
    ModalDamping Model ModelError Motor MovingState Newmark NoModes Orthotropic Planar PointForce PointLoad PointMass
    PointOnLine PointTorque Polynomial Pressure Prismatic Problem Product Ramp Rayleigh Rectangle
    ReducedBody RedundantConstraints Report ResponseModes Revolute RigidBody RollingDisc
    RotationalSpringSection Run Scaled ShellSection ShortOfFrequency Sine SingularError SolveError Sphere Spherical
    SpringSection Steel Step StiffnessSection Stl StrainGauge StressHistory StressIncomplete Sum Table Tolerances Traction Tube TurnsNotCounted UnitError Universal UnstableEquilibrium UserLaw
    VelocitiesLeftOut box constant cylinder export_vtu expression ground harmonics mesh_step nearest plane polynomial ramp read_matrices
    read_mesh reduce_mesh section_forces si sine sphere step table write_inp write_vtu
""".split()  # noqa: SIM905


def test_the_public_names_are_these():
    missing, new = set(NAMES) - set(fx.__all__), set(fx.__all__) - set(NAMES)
    assert not missing, "users rely on these names"
    assert not new, "add them to the list above"


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_there(name):
    assert getattr(fx, name) is getattr(fx, name)
    assert name in dir(fx)


def test_everything_registered_is_public():
    registered = [*fx.model.ITEMS, *fx.functions.FUNCTIONS, *fx.bodies.SHAPES]
    assert {kind.__name__ for kind in registered} <= set(fx.__all__)


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
