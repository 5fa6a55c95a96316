"""flexor fatigue."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import flexor as fx
from flexor.cli import app
from flexor.cli.fatigue import curve_of, mean_stress_of
from flexor.mesh.generate import bar


def flexor(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A bar that is pulled and pressed."""
    folder = tmp_path_factory.mktemp("run")
    fx.write_inp(folder / "bar.inp", bar(0.2, 0.02, 0.01, (6, 1, 1), material=fx.Steel()))
    body = fx.FlexibleBody(
        "bar",
        mesh=folder / "bar.inp",
        material=fx.Steel(),
        interfaces={"root": fx.plane(at=(0, 0, 0), normal="x"), "tip": fx.plane(at=(0.2, 0, 0), normal="x")},
        reduction=fx.CraigBampton(2),
    )
    clamp = fx.Fixed("clamp", fx.ground, body["root"])
    pull = fx.PointForce("pull", body["tip"], direction="x", force=fx.expression("2e3*sin(200*pi*t)"))
    file = folder / "bar.flexor.h5"
    fx.Model("pulled", [body, clamp, pull]).dynamics(until="20 ms", step="0.1 ms", file=file, show=False)
    return file


def test_it_tells_damage_and_life(results, tmp_path):
    done = flexor("fatigue", results, "bar", "--curve", "dnv:D", "--vtu", tmp_path / "d.vtu")
    assert done.exit_code == 0, done.output
    assert "S-N curve    DNV-RP-C203 D in air (stress range, 97.7 % survive)" in done.output
    assert "mean stress  not corrected; the curve holds for any" in done.output
    assert (tmp_path / "d.vtu").exists()


def test_as_json(results):
    done = flexor("fatigue", results, "bar", "--curve", "fkm:200 MPa", "--mean-stress", "goodman:400 MPa", "--to", "10 ms",
                  "--stress-factor", "5", "--strength-factor", "0.5", "--json")  # fmt: skip
    told = json.loads(done.stdout)
    expected = fx.Run(results).damage(
        "bar",
        fx.SNCurve.fkm("200 MPa").scaled(0.5),
        mean_stress=fx.Goodman("400 MPa"),
        between=(0, 0.01),
        stress_factor=5.0,
    )
    assert told["damage"] == pytest.approx(expected.max().value)
    assert told["damage"] > 0
    assert told["life_repetitions"] == pytest.approx(1 / told["damage"])
    assert told["curve_quantity"] == "amplitude"
    assert told["mean_stress"] == "Goodman, Rm = 400 MPa"


def test_curves_by_name_and_from_files(tmp_path):
    assert curve_of("dnv:D:seawater:40 mm") == fx.SNCurve.dnv("D", "seawater", "40 mm")
    assert curve_of("eurocode3:71") == fx.SNCurve.eurocode3(71)
    assert curve_of("fkm:300 MPa:aluminium") == fx.SNCurve.fkm("300 MPa", "aluminium")
    file = tmp_path / "mine.yaml"
    file.write_text("points: [[1e5, 200 MPa], [1.0e+7, 60 MPa]]\nquantity: amplitude\nratio: -1\nname: mine\n")
    assert curve_of(str(file)) == fx.SNCurve([(1e5, 200e6), (1e7, 60e6)], quantity="amplitude", ratio=-1, name="mine")


def test_corrections_by_name():
    assert mean_stress_of("fkm:0.25") == fx.FKM(0.25)
    assert mean_stress_of("fkm:600 MPa:cast_steel") == fx.FKM.of("600 MPa", "cast_steel")
    assert mean_stress_of("gerber:600 MPa") == fx.Gerber("600 MPa")
    assert mean_stress_of("swt") == "swt"
    assert np.isclose(mean_stress_of("morrow:900 MPa").strength, 900e6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--curve", "dnv:H"], "there is no such curve"),
        (["--curve", "wood"], "'wood' is not understood; write dnv:D"),
        (["--curve", "none.yaml"], "cannot be read"),
        (["--curve", "eurocode3:x"], "'x' is no number"),
        (["--curve", "dnv:D", "--mean-stress", "goodman"], "'goodman' is not understood"),
        (["--curve", "dnv:D", "--from", "5 s"], "no row is between"),
        (["--curve", "dnv:D", "--measure", "von_mises"], "has no sign"),
    ],
)
def test_bad_input_is_told(results, arguments, said):
    done = flexor("fatigue", results, "bar", *arguments)
    assert done.exit_code == 2
    assert said in done.output


@pytest.mark.parametrize("text", ["points: [", "- 1", "points: [[1e5, 20 MPa], [1e6, 30 MPa]]"])
def test_bad_curve_files_are_told(results, tmp_path, text):
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    done = flexor("fatigue", results, "bar", "--curve", file)
    assert done.exit_code == 2
    assert "S-N curve" in done.output


def test_load_events(results):
    """Starts and a part at speed, from this file and named again as another one."""
    spans = ["--event", "10: 0 s: 10 ms", "--event", f"500: 10 ms: : {results}"]
    done = flexor("fatigue", results, "bar", "--curve", "dnv:D", *spans, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    run, curve = fx.Run(results), fx.SNCurve.dnv("D")
    first, second = (run.damage("bar", curve, between=span) for span in ((0, 0.01), (0.01, 0.02)))
    expected = 10 * first + 500 * second
    assert told["damage"] == pytest.approx(expected.max().value)
    assert [each["repetitions"] for each in told["events"]] == [10, 500]
    shown = flexor("fatigue", results, "bar", "--curve", "dnv:D", *spans)
    assert "event        10 × 0.01 s" in shown.output


def test_planes_and_survivors(results):
    done = flexor("fatigue", results, "bar", "--curve", "fkm:200 MPa", "--measure", "critical_shear", "--plane-step", "30 deg",
                  "--mean-stress", "mcdiarmid:400 MPa", "--survival", "0.99", "--stress-factor", "20", "--json")  # fmt: skip
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["survival"] == 0.99
    assert told["mean_stress"] == "McDiarmid, Rm = 400 MPa"
    assert np.linalg.norm(told["normal"]) == pytest.approx(1)


def test_partial_factors():
    assert curve_of("eurocode3:80:shear:1.15") == fx.SNCurve.eurocode3(80, "shear", 1.15)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--event", "often: 0 s: 1 s"], "'often: 0 s: 1 s' is not understood"),
        (["--event", "3: 0 s: 10 ms", "--from", "1 ms"], "--event beside --from"),
        (["--event", "-3: 0 s: 10 ms"], "-3.0 repetitions"),
        (["--event", "3: 5 s: 6 s"], "no row is between"),
        (["--event", "3: 0 s: 10 ms", "--plot", "x.png"], "it is a sum of load events"),
    ],
)
def test_bad_events_are_told(results, arguments, said):
    done = flexor("fatigue", results, "bar", "--curve", "dnv:D", *arguments)
    assert done.exit_code == 2
    assert said in done.output
