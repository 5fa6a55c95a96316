"""A new item in a file of its own is seen by check, assembly, mobility and start: copies under other names give the same answers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
COPIES = (
    ("joints/distance.py", "Distance", "distance", "Strut", "strut"),
    ("joints/motor.py", "Motor", "motor", "Crankshaft", "crankshaft"),
    ("forces/joint_spring.py", "JointSpring", "joint_spring", "Barrel", "barrel"),
    ("forces/axial_spring.py", "AxialSpring", "axial_spring", "Helical", "helical"),
)
"""File, class and type of an item, and the names of its copy."""

MODELS = '''
import json
import sys

import flexor as fx
from flexor.joints import *
from flexor.forces import *


def models(Rod, Motor, Torsion, Spring):
    """Name and items."""
    arm = fx.RigidBody("arm", 1.0, (0.1, 0.1, 0.1), center_of_mass=(0.5, 0, 0))
    bob = fx.RigidBody("bob", 2.0, (0.2, 0.2, 0.2), position=(1.5, 0, 0))
    pin = fx.Revolute("pin", fx.ground, arm.at(0, 0, 0), axis="z")
    rod = Rod("rod", arm.at(1, 0, 0), bob.at(0, 0, 0), 0.7)
    yield "rod", arm, bob, pin, rod
    yield "rod as drawn", arm, bob, pin, Rod("rod", arm.at(1, 0, 0), bob.at(0, 0, 0))
    yield "no rod", arm, pin, Rod("rod", fx.ground.at(1, 0, 0), arm.at(1, 0, 0))
    yield "rod with a jump", arm, bob, pin, rod.replace(length={"type": "step", "initial": 0.5, "final": 0.6, "at": 0.2})
    yield "joint without variable", arm, bob, pin, rod, Motor("drive", "rod", speed=1.0)
    yield "motor", arm, pin, Motor("drive", "pin", position="0.2 + 0.3*sin(6*t)")
    led = pin.replace(enforcement="elimination")
    yield "motor by elimination", arm, led, Motor("drive", "pin", position="0.2 + 0.3*sin(6*t)", enforcement="elimination")
    yield "motor by elimination alone", arm, pin, Motor("drive", "pin", position=0, enforcement="elimination")
    yield "two motors", arm, pin, Motor("drive", "pin", speed=1.0), Motor("other", "pin", speed=2.0)
    yield "idle torsion", arm, pin, Torsion("coil", "pin", damping=2.0, free="10 deg")
    yield "torsion", arm, pin, Torsion("coil", "pin", stiffness=9.0, damping=0.1, free="10 deg")
    yield "torsion in N/m", arm, pin, Torsion("coil", "pin", stiffness="9 N/m")
    yield "idle spring", arm, bob, pin, Spring("coil", arm.at(1, 0, 0), bob.at(0, 0, 0))
    yield "spring", arm, pin, Spring("coil", fx.ground.at(0, 1, 0), arm.at(1, 0, 0), stiffness=30.0, free_length=1.2)
    yield "spring of no length", arm, pin, Spring("coil", fx.ground.at(1, 0, 0), arm.at(1, 0, 0), stiffness=3.0, free_length=1)
    dust = fx.RigidBody("dust", 0.0, position=(2, 0, 0))
    ball = fx.Spherical("ball", fx.ground.at(2, 0, 0), dust.at(0, 0, 0))
    yield "massless on a rod", arm, pin, dust, ball, Rod("rod", arm.at(1, 0, 0), dust.at(0, 1, 0))
    hinge = fx.Revolute("hinge", fx.ground.at(2, 0, 0), dust.at(0, 0, 0))
    yield "massless driven", arm, pin, dust, hinge, Motor("drive", "hinge", speed=1.0)
    yield "massless sprung", arm, pin, dust, hinge, Torsion("coil", "hinge", stiffness=1.0)
    link = fx.Revolute("link", arm.at(1, 0, 0), bob.at(-0.5, 0, 0), start_rate=2.0)
    for hold in (arm, bob):
        ends = fx.ground.at(0.5, 1, 0), hold.at(0.1, 0, 0)
        yield f"rests on {hold.name}, spring", arm, bob, link, Spring("hold", *ends, stiffness=100.0)
        yield f"rests on {hold.name}, rod", arm, bob, link, Rod("hold", *ends)


def told(name, items):
    model = fx.Model("m", items=items, gravity=(0, -9.81, 0))
    report = model.check(raise_errors=False)
    found = {"report": str(report)}
    if report.ok and "massless" not in name:  # their accelerations are not defined
        run = model.dynamics(until=0.05, step=0.01)
        found["run"] = {name: [float(value) for value in run[name]] for name in run.names}
    return found


kinds = [globals()[name] for name in sys.argv[1:]]
print(json.dumps({name: told(name, items) for name, *items in models(*kinds)}))
'''


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What check and run of the models say, with the items and with their copies."""
    folder = tmp_path_factory.mktemp("copies")
    shutil.copytree(SOURCE, folder / "src", ignore=shutil.ignore_patterns("__pycache__", "static"))
    for path, name, kind, other, word in COPIES:
        file = folder / "src/flexor" / path
        text = file.read_text().replace(f'"{kind}"', f'"{word}"')
        file.with_name(f"{word}.py").write_text(re.sub(rf"\b{name}\b", other, text))
        registry = file.with_name("__init__.py")
        line = f"from flexor.{path.split('/')[0]}.{file.stem} import {name} as {name}\n"
        more = line.replace(f".{file.stem} ", f".{word} ").replace(name, other)
        assert line in registry.read_text()
        registry.write_text(registry.read_text().replace(line, line + more))
    (folder / "models.py").write_text(MODELS)

    def said(names):
        environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
        command = [sys.executable, "-W", "ignore", str(folder / "models.py"), *names]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr[-4000:]
        return json.loads(done.stdout)

    return said([name for _, name, *_ in COPIES]), said([name for *_, name, _ in COPIES])


def test_a_copy_gets_the_same_report(answers):
    def in_words(text: str) -> str:
        for _, name, kind, other, word in COPIES:
            text = text.replace(word, kind.replace("_", " ")).replace(other.lower(), name.lower())
        return text

    before, after = answers
    assert len(before) == 22
    assert {name: in_words(each["report"]) for name, each in after.items()} == {
        name: in_words(each["report"]) for name, each in before.items()
    }


def test_the_reports_tell_something(answers):
    """Else it would be no wonder that they agree."""
    silent = {name for name, each in answers[0].items() if "no problems" in each["report"] and "rests" not in name}
    assert silent == {"rod as drawn", "torsion", "spring", "massless driven"}


def test_bodies_rest_where_they_are_held(answers):
    """Else it would be no wonder that they move in the same way."""
    for name, each in answers[0].items():
        if held := re.match("rests on (arm|bob)", name):
            start = {body: abs(each["run"][f"{body}.angular_velocity_z"][0]) for body in ("arm", "bob")}
            assert start.pop(held[1]) < 1e-9 < 1 < next(iter(start.values())), name


def test_a_copy_moves_in_the_same_way(answers):
    before, after = answers
    runs = [name for name, each in before.items() if "run" in each]
    assert len(runs) > 9
    for name in runs:
        assert before[name]["run"].keys() == after[name]["run"].keys()
        for signal, values in before[name]["run"].items():
            assert after[name]["run"][signal] == pytest.approx(values, rel=1e-12, abs=1e-12), (name, signal)
