"""A program in C takes part: compiled here, with the client that comes with Flexor."""

from __future__ import annotations

import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import flexor as fx
from flexor.cosim.component.flexor_model import component
from flexor.cosim.meta_model import Connection, InterfacePoint, MetaModel, SubModel
from flexor.cosim.probe import probe
from flexor.cosim.run import run
from flexor.cosim.tlm.plugin import CosimError
from tests.cosim.mass import mass
from tests.cosim.masses import pair

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")


@pytest.fixture(scope="module")
def spring_mass(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, compiled with all warnings as errors and with checks of its memory where the compiler has them."""
    source = Path(str(files("flexor.cosim") / "c"))
    program = tmp_path_factory.mktemp("c") / "spring_mass"
    base = [str(COMPILER), "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-o", str(program)]
    tail = [str(source / "spring_mass.c"), str(source / "flexor_tlm.c"), "-lm"]
    if subprocess.run([*base, "-fsanitize=address,undefined", *tail], capture_output=True, check=False).returncode:
        subprocess.run([*base, *tail], check=True)
    return program


def test_it_does_what_the_same_in_python_does(spring_mass: Path, tmp_path: Path) -> None:
    for exact, alpha in ((True, 0.0), (False, 0.2)):
        plain = pair(stop=0.1, exact=exact)
        plain = plain.replace(connections=[plain.connections[0].replace(alpha=alpha)])
        in_python = run(
            plain, {"a": mass(load=100.0, m=3.0, step=1e-4), "b": mass(m=2.0, k=150.0, d=1.0)}, out=tmp_path
        ).waves
        command = f"{spring_mass} dimensions=1 mass=2 stiffness=150 damping=1"
        subs = [plain.sub_models[0], plain.sub_models[1].replace(start_command=command)]
        in_c = run(plain.replace(sub_models=subs), {"a": mass(load=100.0, m=3.0, step=1e-4)}, out=tmp_path).waves
        for name in ("a.p", "b.p"):
            assert in_c[name].rows == pytest.approx(in_python[name].rows, rel=1e-9, abs=1e-9)


def test_a_flexor_model_on_a_spring_in_c(spring_mass: Path, tmp_path: Path) -> None:
    """A sliding block in Flexor and a mass on a spring in C: one oscillator of both masses and that of the line."""
    block = fx.RigidBody("block", mass=2.0, inertia=(0.1, 0.1, 0.1), velocity=(0, 0, 0))
    push = fx.PointForce("push", block, direction="x", force=10.0)
    model = fx.Model("block", items=[block, push, fx.Prismatic("rail", fx.ground, block, axis="x")])
    line = Connection("flexor.block", "c.p", delay=1e-3, zf=200.0)
    subs = [
        SubModel("flexor", exact_step=True, interface_points=[InterfacePoint("block")]),
        SubModel("c", f"{spring_mass} mass=1 stiffness=400", exact_step=True, interface_points=[InterfacePoint("p")]),
    ]
    kept: list[fx.Run] = []
    outcome = run(
        MetaModel("mixed", subs, [line], stop_time=0.5),
        {"flexor": component(model, keep=kept.append)},
        out=tmp_path,
        timeout=60,
    )
    w = np.sqrt(400 / (3 + line.line.parasitic_mass))
    t = outcome.waves["c.p"].time
    exact = 10 / 400 * (1 - np.cos(w * t))
    assert np.abs(outcome.waves["c.p"].position[:, 0] - exact).max() < 1e-3  # of 50 mm
    assert kept[0]["block.position_x"].values[-1] == pytest.approx(exact[-1], abs=1e-3)


def test_it_tells_what_is_wrong(spring_mass: Path, tmp_path: Path) -> None:
    found = subprocess.run(
        [spring_mass, "b", "0", "1", "1e-3", "localhost:1"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 1
    assert "component 'b': no manager answers; localhost:1" in found.stderr
    model = pair(b=f"{spring_mass} dimensions=3")
    with pytest.raises(CosimError, match="interface 'p' has 3 dimensions; the meta-model says 1"):
        run(model, {"a": mass()}, out=tmp_path)
    assert "the meta-model says 1" in (tmp_path / "masses.b.log").read_text()
    with pytest.raises(CosimError, match="component 'a': it has failed: RuntimeError: the bearing has seized"):
        run(pair(b=f"{spring_mass} dimensions=1"), {"a": mass(fault="raises")}, out=tmp_path)
    assert "the bearing has seized" in (tmp_path / "masses.b.log").read_text()


def test_its_mass_is_found_by_a_test(spring_mass: Path, tmp_path: Path) -> None:
    """Pushed along x, y and z; it does not turn, so about its axes it seems held."""
    plain = pair(delay=1e-3, zf=50.0)
    points = [InterfacePoint("p")]
    subs = [
        plain.sub_models[0].replace(interface_points=points),
        plain.sub_models[1].replace(interface_points=points, start_command=f"{spring_mass} mass=2.5 stiffness=40"),
    ]
    found = probe(plain.replace(sub_models=subs), "b", tmp_path, tmp_path)
    assert found["b.p"].mass == pytest.approx(2.5, rel=0.01)
    assert found["b.p"].inertia == np.inf
