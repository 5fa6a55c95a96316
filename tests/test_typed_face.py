"""What type checkers and editors know of `import flexor as fx`: the stub is up to date, and mypy refuses slips of the pen."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import flexor as fx
from docs.stubs import FILE, Stub
from flexor.recover.export import VtuOptions, export_vtu
from flexor.recover.stress import StressOptions
from flexor.results.options import ANALYSES

TOP = Path(__file__).parents[1]
SCRIPT = """
import numpy as np
import flexor as fx

arm = fx.RigidBody("arm", "1.2 kg", (1e-4, 0.01, 0.01), center_of_mass=(0.25, 0, 0), markers={"tip": ["50 cm", 0, 0]})
fx.RigidBody("a", mas=1)                                            # call-arg
fx.RigidBody("a")                                                   # call-arg
fx.RigidBody("a", 1, position=(0, 1))                               # arg-type
fx.Revolut("pin", fx.ground, arm)                                   # attr-defined
pin = fx.Revolute("pin", fx.ground, arm["tip"], axis="z", start="30 deg", at=np.zeros(3))
fx.Revolute("pin", fx.ground, arm, axis=3)                          # arg-type
fx.Revolute("pin", fx.ground, arm, enforcement="penalty")           # arg-type
fx.Revolute("pin", fx.ground, fx.Steel())                           # arg-type
spring = fx.AxialSpring("spring", fx.ground.at("1 m"), "arm.tip", stiffness="20 N/mm", force="3*x^3", free_length=fx.ramp(1, 2, over=1))
fx.Motor("motor", pin, speed="3000 rpm")
fx.Motor("motor", arm, speed=1)                                     # arg-type
fx.Gear("gear", pin, "other.angle", teeth=(20, 60))
fx.Coupling("sum", {pin: 1.0, "other": -2.0})
fx.table(x=[0, 1], y=["0 N", "1 kN"])
fx.table(file="measured.csv", columns=(1, 3))
fx.table(x=[0, 1])                                                  # call-overload
rod = fx.FlexibleBody("rod", "rod.inp", material=fx.Steel(), interfaces={"big": fx.cylinder((0, 0, 0), "18 mm"), "small": "SMALL"})
fx.FlexibleBody("rod", "rod.inp", reduction=fx.Steel())             # arg-type
items = [arm, pin, spring]
model = fx.Model("pendulum", items, gravity=(0, -9.81, 0))
model.dynamics(untill=1)                                            # call-arg
model.dynamics("1 s", "1 ms", newton="quasi")                       # arg-type
model.dynamics("1 s", "1 ms", start=model.statics(), integrator=0.9)
model.modes("ten")                                                  # arg-type
model.sttatics()                                                    # attr-defined
a: fx.Run = model.with_item(rod).dynamics("1 s", error=1e-6)
b: np.ndarray = model.modes(6, start=a.at("0.5 s"))["arm.position"]
c: float = model.statics(angular_velocity=(0, 0, "300 rpm")).stress("rod").max().value
d: fx.Run = model.kinematics(1, 0.1).model.dynamics(1, 0.1)
e: fx.Model = fx.Model.load("model.yaml").without("pin").replace(name="free")
f: list[float] = [each.speed for each in model.campbell(["0 rpm", 100], rotor="pin").critical()]
g: str = arm.mass                                                   # assignment
h: fx.Function = 2 * fx.sine(1, frequency="50 Hz") + "3 N"
i: float = fx.ramp(0, 1, over="1 s")(0.5)
j: np.ndarray = fx.sine(1, frequency="50 Hz").derivative(np.linspace(0, 1, 5))
j = h(0.5)                                                          # assignment
fx.ground.at(0, 0, "1 m", orientation={"axis": "z", "angle": "30 deg"})
fx.ground.at(0, 0, orientation="z")                                 # arg-type
k: np.ndarray = a["arm.position"][10:20]
a["arm.position"].max() + "1 m"                                     # operator
a.sigal                                                             # attr-defined
a.stress("rod", surfce="bottom")                                    # call-arg
a.vtu("rod", "out", every="2")                                      # arg-type
model.items[0].nme                                                  # attr-defined
v: str = fx.__version__
"""


def test_stub_is_up_to_date():
    assert FILE.read_text(encoding="utf-8") == Stub().text(), "run: python -m docs.stubs"


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """What mypy says of the script and of the examples: (file, line) → code of the error."""
    folder = tmp_path_factory.mktemp("typed")
    script = folder / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    options = ["--config-file", os.devnull, "--ignore-missing-imports", "--follow-imports", "silent", "--no-pretty"]
    command = [sys.executable, "-m", "mypy", *options, "--python-version", "3.11", "--cache-dir", str(folder / "cache")]
    files = [script, *sorted((TOP / "examples").glob("*.py"))]
    environment = {**os.environ, "MYPYPATH": str(TOP / "src")}
    run = subprocess.run([*command, *map(str, files)], env=environment, cwd=folder, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    found = re.findall(r"^(.+?):(\d+): error: .*\[([\w-]+)\]$", run.stdout, re.MULTILINE)
    return {(Path(file).name, int(line)): code for file, line, code in found}


@pytest.mark.slow
def test_mypy_refuses_slips_and_nothing_else(complaints):
    expected = {}
    for number, line in enumerate(SCRIPT.splitlines(), start=1):
        if "  # " in line:
            expected["script.py", number] = line.rpartition("# ")[2]
    assert complaints == expected


def test_script_runs_where_mypy_is_content():
    """What mypy lets pass, Flexor takes, too: the declarations of the script."""
    lines = [line for line in SCRIPT.splitlines() if "  # " not in line and line]
    declared = [line for line in lines if not re.match(r"[a-fk]: |model\.dyn|.*measured\.csv", line)]
    names: dict[str, object] = {}
    exec("\n".join(declared), names)
    assert isinstance(names["model"], fx.Model)


@pytest.mark.parametrize("analysis", ANALYSES)
def test_help_tells_what_an_analysis_takes_and_returns(analysis):
    asked = inspect.signature(getattr(fx.Model, analysis))
    assert all(each.annotation is not each.empty for name, each in asked.parameters.items() if name != "self")
    assert inspect.isclass(asked.return_annotation)


def test_defaults_made_on_demand_are_no_required_arguments():
    assert inspect.signature(fx.UserLaw).parameters["scalars"].default == {}


def test_fields_hold_what_type_checkers_think():
    """`mass: Mass` is a float to mypy; so it is in an object."""
    body = fx.RigidBody("a", "1 kg", center_of_mass=["1 mm", 0, 0])
    assert isinstance(body.mass, float)
    assert isinstance(body.center_of_mass, tuple)
    assert typing.get_type_hints(fx.RigidBody)["mass"] is float


def test_version_and_marker_of_types():
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", fx.__version__)
    assert FILE.with_name("py.typed").is_file()


@pytest.mark.parametrize(("taker", "options"), [(export_vtu, VtuOptions), (fx.StressHistory, StressOptions)])
def test_options_that_are_passed_on_are_those_of_the_taker(taker, options):
    """`run.vtu(…)` and `run.stress(…)` tell the options of what they call."""
    named = {name: each for name, each in inspect.signature(taker).parameters.items() if each.kind is each.KEYWORD_ONLY}
    kinds = {name: each.annotation for name, each in named.items() if name != "sites"}
    assert kinds == {name: each.__forward_arg__ for name, each in options.__annotations__.items()}
