"""A real FMU, compiled here, as a component: FMI 2 and 3, with and without a state that can be saved."""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from flexor.cosim.component.fmu import FmuMapping, LaggingForce, Slave, component
from flexor.cosim.meta_model import MetaModel
from flexor.cosim.run import run
from flexor.errors import ModelError
from tests.cosim.mass import mass
from tests.cosim.masses import pair

fmpy = pytest.importorskip("fmpy", reason="FMPy is not installed: pip install flexor[fmi]")
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(
    COMPILER is None or sys.platform != "linux" or platform.machine() != "x86_64",
    reason="the FMU of this test is compiled by a C compiler, for Linux on x86-64",
)
NAMES = ("F", "x", "v", "m", "k", "v0")
TWO = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="spring_mass" guid="1">
<CoSimulation modelIdentifier="spring_mass" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="{rewinds}"/>
<ModelVariables>{variables}</ModelVariables>
<ModelStructure><Outputs><Unknown index="2"/><Unknown index="3"/></Outputs></ModelStructure>
</fmiModelDescription>"""
THREE = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="spring_mass" instantiationToken="1">
<CoSimulation modelIdentifier="spring_mass" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUState="{rewinds}"/>
<ModelVariables>{variables}</ModelVariables>
<ModelStructure><Output valueReference="1"/><Output valueReference="2"/></ModelStructure>
</fmiModelDescription>"""


def build(folder: Path, version: int, rewinds: bool) -> Path:
    """The FMU, compiled with FMPy's headers."""
    library = folder / "spring_mass.so"
    headers = Path(fmpy.__file__).parent / "c-code"
    flags = ["-DFMI3"] if version == 3 else []
    source = Path(__file__).parent / "spring_mass_fmu.c"
    text = source.read_text().split("#else")[version - 2]
    named = re.findall(r"FullName\((fmi\w+)\)", (headers / f"fmi{version}Functions.h").read_text())
    stubs = folder / "stubs.c"  # FMPy asks for all functions of the standard
    stubs.write_text("".join(f"int {name}(void) {{ return 3; }}\n" for name in named if f"{name}(" not in text))
    command = [
        str(COMPILER),
        "-std=c11",
        "-shared",
        "-fPIC",
        "-O1",
        *flags,
        f"-I{headers}",
        str(source),
        str(stubs),
        "-o",
        str(library),
        "-lm",
    ]
    subprocess.run(command, check=True, capture_output=True)
    kinds = {"F": "input", "x": "output", "v": "output"}
    variables = ""
    for i, name in enumerate(NAMES):
        kind = kinds.get(name, "parameter")
        change = "fixed" if kind == "parameter" else "continuous"
        start = {"m": ' start="1"', "k": ' start="0"', "v0": ' start="0"', "F": ' start="0"'}.get(name, "")
        if version == 2:
            variables += f'<ScalarVariable name="{name}" valueReference="{i}" causality="{kind}" variability="{change}"><Real{start}/></ScalarVariable>'
        else:
            variables += (
                f'<Float64 name="{name}" valueReference="{i}" causality="{kind}" variability="{change}"{start}/>'
            )
    if version == 3:
        variables += '<Float64 name="time" valueReference="6" causality="independent" variability="continuous"/>'
    path = folder / f"spring_mass_{version}_{rewinds}.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        text = (TWO if version == 2 else THREE).format(rewinds=str(rewinds).lower(), variables=variables)
        archive.writestr("modelDescription.xml", text)
        archive.write(library, f"binaries/{'linux64' if version == 2 else 'x86_64-linux'}/spring_mass.so")
    return path


def mapping(path: Path, **more: object) -> FmuMapping:
    rod = {"dimensions": 1, "force": "F", "position": "x", "velocity": "v", **more}
    return FmuMapping(fmu=path.name, interfaces={"p": rod}, parameters={"m": 2.0, "k": 150.0})


def model() -> MetaModel:
    return pair(delay=1e-3, zf=100.0, stop=0.5)


def exact(t: np.ndarray) -> np.ndarray:
    """5 kg and the line's 0.1 kg on 150 N/m, pushed by 100 N."""
    w = np.sqrt(150 / (5 + model().connections[0].line.parasitic_mass))
    return 100 / 150 * (1 - np.cos(w * t))


@pytest.mark.parametrize("version", [2, 3])
def test_an_fmu_that_can_go_back(version: int, tmp_path: Path) -> None:
    path = build(tmp_path, version, rewinds=True)
    found = run(model(), {"a": mass(m=3.0, load=100.0), "b": component(mapping(path), tmp_path)}, out=tmp_path).waves
    python = run(model(), {"a": mass(m=3.0, load=100.0), "b": mass(m=2.0, k=150.0)}, out=tmp_path).waves
    assert found["b.p"].position == pytest.approx(python["b.p"].position, abs=1e-4)
    assert np.abs(found["b.p"].position[:, 0] - exact(found["b.p"].time)).max() < 3e-3
    for balance in found.balances(model().connections[0]):
        assert abs(balance.gained) < 1e-6 * balance.passed


def test_an_fmu_that_cannot_go_back(tmp_path: Path) -> None:
    path = build(tmp_path, 2, rewinds=False)
    told = run(
        model(), {"a": mass(m=3.0, load=100.0), "b": component(mapping(path, mass=2.0), tmp_path)}, out=tmp_path
    ).waves
    assert np.abs(told["b.p"].position[:, 0] - exact(told["b.p"].time)).max() < 3e-3
    with pytest.warns(LaggingForce, match="give `mass` at its interfaces"):
        lagging = run(
            model(), {"a": mass(m=3.0, load=100.0), "b": component(mapping(path), tmp_path)}, out=tmp_path
        ).waves
    assert np.abs(lagging["b.p"].position[:, 0] - exact(lagging["b.p"].time)).max() < 2e-2


def test_an_fmu_as_a_program(tmp_path: Path) -> None:
    path = build(tmp_path, 2, rewinds=True)
    (tmp_path / "rod.yaml").write_text(json.dumps(mapping(path).model_dump(mode="json")))
    both = model()
    sub = both.sub_models[1].replace(start_command=f"{sys.executable} -m flexor component", model_file="rod.yaml")
    found = run(
        both.replace(sub_models=[both.sub_models[0], sub]),
        {"a": mass(m=3.0, load=100.0)},
        folder=tmp_path,
        out=tmp_path,
    ).waves
    assert np.abs(found["b.p"].position[:, 0] - exact(found["b.p"].time)).max() < 3e-3


def test_mistakes_in_a_mapping(tmp_path: Path) -> None:
    path = build(tmp_path, 2, rewinds=True)
    slave = Slave(path, 0.0, 1.0, {})
    with pytest.raises(ModelError, match="it has no variable 'vel'"):
        slave.number("vel")
    slave.close()
    with pytest.raises(ModelError, match="force"):
        FmuMapping(fmu="a.fmu", interfaces={"p": {"position": "x", "velocity": "v"}})
