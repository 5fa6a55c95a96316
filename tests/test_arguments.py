"""Arguments of the wrong kind: refused in the package's own words, wherever they are given."""

from pathlib import Path

import numpy as np
import pytest

import flexor as fx
from flexor.errors import FileError, FlexorError, ModelError
from flexor.mesh.generate import bar, box, plate
from flexor.results import UnknownSignal

ARM = fx.RigidBody("arm", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0), markers={"tip": (1, 0, 0)})
PIN = fx.Revolute("pin", fx.ground, ARM)
MODEL = fx.Model("m", [ARM, PIN], gravity=(0, -9.81, 0))
MESH = box((1.0, 0.1, 0.1), (2, 1, 1))


@pytest.fixture(scope="module")
def run():
    return MODEL.dynamics(until=2e-3, step=1e-3, show=False)


@pytest.mark.parametrize("given", [5, None, b"x", "a\0b", "", 3.5, [1]])
def test_what_is_no_name_of_a_file(given, run):
    for use in (
        fx.Run,
        fx.read_mesh,
        fx.read_matrices,
        fx.Model.load,
        fx.ReducedBody.load,
        fx.MeshStudy,
        MODEL.save,
        run.to_csv,
        lambda file: fx.write_vtu(file, MESH),
        lambda file: fx.write_inp(file, MESH),
    ):
        with pytest.raises(FileError, match="is no name of a file"):
            use(given)
    if given is not None:
        for use in (
            lambda file: run.plot("pin.angle", file=file),
            lambda file: MODEL.dynamics(until=1e-3, step=1e-3, file=file, show=False),
        ):
            with pytest.raises(FileError, match="is no name of a file"):
                use(given)


@pytest.mark.parametrize("name", [5, None, b"x", [1], ("a",)])
def test_what_is_no_name_of_a_signal(name, run, tmp_path):
    rest, modes = MODEL.statics(), MODEL.modes(1)
    for use in (
        *(run.__getitem__, run.find, rest.__getitem__, rest.find, modes.__getitem__, modes.find),
        run.at(1e-3).__getitem__,
        lambda name: run.plot(name, file=tmp_path / "a.png"),
    ):
        with pytest.raises(UnknownSignal, match="is no name; signals are called by their names"):
            use(name)
    assert name not in run
    assert name not in rest
    for use in (run.body, run.stress, run.gauge, rest.gauge):
        with pytest.raises(ModelError):
            use(name)


def test_signals_of_what_was_not_recorded():
    run = MODEL.dynamics(until=2e-3, step=1e-3, show=False, record=["pin"])
    for name in ("arm.tip.position", "arm.position"):
        with pytest.raises(UnknownSignal, match=r"is not in this run; 'arm' was not recorded, run it with record="):
            run[name]
    with pytest.raises(UnknownSignal, match="did you mean"):
        run["pin.angel"]
    assert not run.find("tip")


def test_writers_with_file_and_mesh_exchanged(tmp_path):
    for writer in (fx.write_inp, fx.write_vtu):
        with pytest.raises(ModelError, match="file and mesh are given the wrong way round; the file comes first"):
            writer(MESH, tmp_path / "a")
        with pytest.raises(ModelError, match="5 is no mesh"):
            writer(tmp_path / "a", 5)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: box((1e308, 0.03, 0.02), (6, 1, 1), element="hex20"), "none beyond 1e\\+15 m"),
        (lambda: box((float("nan"), 0.03, 0.02), (6, 1, 1)), "do not make a body"),
        (lambda: box((1, 1, 1), (6, 1, 1), at=(1e300, 0, 0)), "is no place"),
        (lambda: box((1, 0.03, 0.02), (10**9, 1, 1)), r"make 1e\+09 elements; at most 1e\+07 are made"),
        (lambda: box((1, 0.03), (1, 1, 1)), "it needs 3 numbers"),
        (lambda: box(1, 2), "it needs 3 numbers"),
        (lambda: plate((1.0, 1.0), (8, 8), thickness=0.01, element="shell4"), r"plate\(\"1 m\", \"0.5 m\""),
        (lambda: plate(1, 1, 0.01, 8, element="shell4"), "it needs 2 whole numbers"),
        (lambda: bar(1, 0.1, 0.1, (0, 1, 1), element="beam2"), "it needs 1 whole number"),
        (lambda: box((1, 1, 1), (2.5, 1, 1)), "it needs 3 whole numbers"),
    ],
)
def test_generators_of_meshes(make, words):
    with pytest.raises(ModelError, match=words):
        make()
    assert box((1, 1, 1), np.array([2, 1, 1])).n_elements == 2


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "inf", "1e308 Pa", (1, 2), None, "5 N*m"])
def test_pressures_that_are_none(value):
    with pytest.raises(ModelError, match=r"load: pressure"):
        fx.Pressure("x_max", value)


def test_pressure_as_a_formula_of_something_else():
    for formula in ("1e5*t", "1e5 * t", "sin(t)"):
        with pytest.raises(ModelError, match="'t' is unknown; a formula may hold x, y, z"):
            fx.Pressure("z_max", formula)
    assert fx.Pressure("z_max", "5*x").pressure == "5*x"


def test_times_and_speeds_that_are_none():
    for time in (float("nan"), float("inf"), (1, 2)):
        with pytest.raises(ModelError, match=r"statics: time = .* is no finite number"):
            MODEL.statics(time=time)
    with pytest.raises(ModelError, match="its speeds are 5, not a list of them"):
        MODEL.campbell(5, 2)


def test_devices_and_folders_as_reduced_bodies(tmp_path):
    for path, kind in ((Path("/dev/zero"), "a device"), (tmp_path, "a folder")):
        if path.exists():
            with pytest.raises(FileError, match=f"this is {kind}, not a file"):
                fx.ReducedBody.load(path)
    with pytest.raises(FileError, match="there is no such file"):
        fx.ReducedBody.load(tmp_path / "nope.h5")


def test_a_joint_may_be_given_itself():
    assert fx.Motor("m", joint=PIN, speed=1) == fx.Motor("m", "pin", speed=1)
    assert fx.JointSpring("k", PIN, stiffness=1).joint == "pin"
    with pytest.raises(ModelError, match="'arm' is a rigid body, no joint"):
        MODEL.with_item(fx.Motor("m", ARM, speed=1)).check()
    with pytest.raises(ModelError, match="body is no text; write its name: 'arm'"):
        fx.MeshLoad("l", body=ARM, load=fx.Gravity())


def test_models_and_items_can_be_looked_up():
    again = fx.Model("m", [ARM.replace(), PIN], gravity=(0, -9.81, 0))
    assert {MODEL: 1}[again] == 1
    assert hash(ARM) != hash(ARM.replace(mass=2))
    assert isinstance(hash(fx.FlexibleBody("f", mesh=MESH, interfaces={"a": "x_min"})), int)


def test_loads_of_decks_beyond_all_measure_are_told_with_their_line(tmp_path):
    deck = "*NODE\n1,0,0,0\n2,1,0,0\n*NSET,NSET=A\n1,2\n*STEP\n*STATIC\n*CLOAD\nA,3,1e308\n*END STEP\n"
    (tmp_path / "c.inp").write_text(deck)
    with pytest.raises(FileError, match=r"\*CLOAD: '1e308' is beyond ±1e\+100.*c.inp:9"):
        fx.read_mesh(tmp_path / "c.inp")


def test_one_item_is_one_and_starts_have_units():
    assert repr(fx.Model("m", [ARM])) == "model 'm': 1 item"
    assert "start  0.3 rad" in str(PIN.replace(start=0.3))
    assert "start_rate  2 m/s" in str(fx.Prismatic("s", fx.ground, ARM, start_rate=2))
    with pytest.raises(FlexorError):
        MODEL["nope"]
