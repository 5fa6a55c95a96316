"""Meta-models in files: the figure of the source, the same in YAML, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from flexor.cosim.meta_model import Connection, InterfacePoint, MetaModel, SubModel, load, save
from flexor.cosim.meta_model.file import from_text, to_text
from flexor.errors import FileError, ModelError

FIGURE_24_3 = """<?xml version="1.0" encoding="ISO-8859-1"?>

<!-- The meta-model definition file -->
<Model Name="SimpleAB">

  <!-- List of connected sub-models -->
  <SubModels>

    <SubModel Name="Dev_DGBB_NoC"
              StartCommand="StartTLMBeast"
              ExactStep="0">

      <!-- TLM interface points for SubModel A -->
      <InterfacePoint Name="TLMIR"/>

    </SubModel>
    <SubModel Name="Pendulum"
              StartCommand="startadams"
              ExactStep="0">

      <!-- TLM interface points for SubModel B -->
      <InterfacePoint Name="M9"/>

    </SubModel>
  </SubModels>

  <!-- List of TLM connections -->
  <Connections>

    <Connection From="Dev_DGBB_NoC.TLMIR" To="Pendulum.M9"
                Delay="1e-5" Zf="0.5e5" Zfr="500" alpha="0"/>

  </Connections>

  <!-- Parameters for the simulation -->
  <SimulationParams ManagerPort="11111"
                    StartTime="0" StopTime="1e-3"/>

</Model>
"""
PLAIN = MetaModel(
    "SimpleAB",
    [
        SubModel("Dev_DGBB_NoC", "StartTLMBeast", interface_points=[InterfacePoint("TLMIR")]),
        SubModel("Pendulum", "startadams", interface_points=[InterfacePoint("M9")]),
    ],
    [Connection("Dev_DGBB_NoC.TLMIR", "Pendulum.M9", delay=1e-5, zf=0.5e5, zfr=500)],
    manager_port=11111,
    stop_time=1e-3,
)


def test_the_figure_is_read() -> None:
    model = from_text(FIGURE_24_3.encode("iso-8859-1"))
    assert model == PLAIN
    assert model.largest_step("Pendulum") == pytest.approx(0.5e-5)


def test_what_is_written_is_the_figure_but_for_the_words_of_comments() -> None:
    written = to_text(PLAIN).splitlines()
    expected = FIGURE_24_3.replace("0.5e5", "50000").replace("0.001", "1e-3").splitlines()
    differ = [(a, b) for a, b in zip(written, expected, strict=True) if a != b]
    assert [a.strip() for a, _ in differ] == [
        "<!-- TLM interface points for Dev_DGBB_NoC -->",
        "<!-- TLM interface points for Pendulum -->",
        'StartTime="0" StopTime="0.001"/>',
    ]


FULL = MetaModel(
    'a "ring" & more ä',
    [
        SubModel("a", "flexor component", exact_step=True, model_file="a.yaml", step=1e-4,
                 interface_points=[InterfacePoint("arm.tip", mass=2, inertia=0.1), InterfacePoint("rail", dimensions=1)]),
        SubModel("b", interface_points=[InterfacePoint("hub"), InterfacePoint("rail", dimensions=1)]),
    ],
    [Connection("a.arm.tip", "b.hub", delay="0.1 ms", zf="2e4 N*s/m", zfr=3, alpha=0.2), Connection("a.rail", "b.rail", delay=2e-4, zf=7)],
    start_time=1, stop_time="2.5 s",
)  # fmt: skip


@pytest.mark.parametrize("ending", ["xml", "yaml", "json"])
@pytest.mark.parametrize("model", [PLAIN, FULL])
def test_files_keep_everything(tmp_path: Path, model: MetaModel, ending: str) -> None:
    path = save(model, tmp_path / f"model.{ending}")
    assert load(path) == model


def test_a_name_outside_of_latin_1(tmp_path: Path) -> None:
    model = PLAIN.replace(name="Ω")
    assert load(save(model, tmp_path / "m.xml")) == model


def test_yaml_with_units() -> None:
    text = """
name: two
sub_models:
  - {name: a, start_command: run-a, interface_points: [{name: p}]}
  - {name: b, start_command: run-b, exact_step: true, interface_points: [{name: q}]}
connections:
  - {a: a.p, b: b.q, delay: 20 us, zf: 200 kN*s/m, zfr: 500 N*m*s/rad}
stop_time: 1 s
"""
    model = from_text(text, "yaml")
    assert model.connections[0].delay == pytest.approx(2e-5)
    assert model.connections[0].zf == pytest.approx(2e5)
    assert model.largest_step("b") == pytest.approx(2e-5)
    with pytest.raises(ModelError, match="zf"):
        from_text(text.replace("200 kN*s/m", "200 kN/m"), "yaml")


WRONG = [
    ("To=\"Pendulum.M9\"", "To=\"Pendulum.M8\"", r"component 'Pendulum' has no interface 'M8'; did you mean 'M9'\?  \(m.xml:30\)"),
    ("To=\"Pendulum.M9\"", "To=\"Pendulam.M9\"", "there is no component 'Pendulam'"),
    ("To=\"Pendulum.M9\"", "To=\"Dev_DGBB_NoC.TLMIR\"", "both of its ends are the same"),
    ("<InterfacePoint Name=\"M9\"/>", "<InterfacePoint Name=\"M9\"/><InterfacePoint Name=\"M10\"/>", "no connection leads to its interface 'M10'"),
    ("Name=\"Pendulum\"", "Name=\"Dev_DGBB_NoC\"", "its name is given twice"),
    ("Delay=\"1e-5\"", "Delay=\"0\"", "delay"),
    ("Delay=\"1e-5\"", "Delay=\"1\"", "longer than the run"),
    ("Delay=\"1e-5\"", "Dealy=\"1e-5\"", "it has no attribute Dealy; did you mean 'Delay'"),
    ("alpha=\"0\"", "alpha=\"1\"", "alpha"),
    ("StopTime=\"1e-3\"", "StopTime=\"-1\"", "the end must lie after the start"),
    ("ExactStep=\"0\"", "ExactStep=\"no\"", "write 0 or 1"),
    ("ExactStep=\"0\"", "ExactStep=\"0\" Step=\"1e-5\"", "its step of 1e-05 s is too long"),
    ("ManagerPort=\"11111\"", "ManagerPort=\"111111\"", "manager_port"),
    ("<Connections>", "<Connections><Wire/>", "it has no element <Wire>"),
    ("<Connections>", "<Connections>hello", "text between"),
    ("</Model>", "", "it is no XML"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_mistakes_are_told_before_anything_starts(old: str, new: str, message: str) -> None:
    with pytest.raises((ModelError, FileError), match=message):
        from_text(FIGURE_24_3.replace(old, new), source="m.xml")


def test_entities_are_refused_at_once() -> None:
    bomb = '<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    text = FIGURE_24_3.replace("<Model ", bomb + "<Model ", 1).replace("SimpleAB", "&b;")
    with pytest.raises(FileError, match="document type or entities"):
        from_text(text)
    outside = FIGURE_24_3.replace("<Model ", '<!DOCTYPE m SYSTEM "file:///etc/passwd"><Model ', 1)
    with pytest.raises(FileError, match="document type or entities"):
        from_text(outside)


def test_ends_of_different_kinds() -> None:
    wrong = FULL.replace(
        connections=[
            Connection("a.arm.tip", "b.rail", delay=2e-4, zf=7),
            Connection("a.rail", "b.hub", delay=2e-4, zf=7),
        ]
    )
    with pytest.raises(ModelError, match="different dimensions"):
        from_text(to_text(wrong))
