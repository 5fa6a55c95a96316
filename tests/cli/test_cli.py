import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from flexor import Model
from flexor.cli import app
from flexor.cli.app import kind_of
from flexor.errors import DivergenceError, FileError, FlexorError, ModelError, SolveError
from flexor.results import Run, UnknownSignal
from flexor.solve.modes import Modes
from tests.results import synthetic

SOURCE = Path(__file__).parents[2] / "src"


def flexor(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path):
    return tmp_path


@pytest.fixture
def model(folder):
    assert flexor("new", "pendulum").exit_code == 0
    return folder / "pendulum.yaml"


@pytest.fixture
def solver(monkeypatch):
    """A solver that knows the answer; `calls` keeps what it was asked."""
    calls = []

    def dynamics(model, until, step=None, *, sink, progress, **settings):
        calls.append({"until": until, "step": step, **settings})
        synthetic.dynamics(model, 0.5, sink=sink, progress=progress)

    synthetic.install(monkeypatch, dynamics=dynamics)
    return calls


def test_nothing_heavy_is_imported_before_it_is_needed():
    heavy = "numpy", "scipy", "numba", "pydantic", "h5py", "yaml", "matplotlib", "rich", "starlette", "uvicorn"
    script = (
        f"import sys; sys.path.insert(0, {str(SOURCE)!r}); import flexor.cli; "
        f"flexor.cli.app(['--help'], standalone_mode=False); "
        f"print('heavy:', sorted(set(sys.modules) & set({heavy!r})))"
    )
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert output.splitlines()[-1] == "heavy: []"
    for command in ("demo", "new", "check", "info", "run", "plot", "eig"):
        assert f"\n  {command} " in output


def test_version_and_help():
    result = flexor("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("flexor")
    assert "Usage" in flexor("-h").stdout
    assert "--until" in flexor("run", "--help").stdout


def test_usage_errors_have_exit_code_2(model):
    assert flexor("nonsense").exit_code == 2
    assert flexor("run", model).exit_code == 2
    assert flexor("run", model, "--until", "1 s", "--rho", "high").exit_code == 2


# ---- new, check, info


def test_new_model_passes_its_check(model):
    result = flexor("check", model)
    assert (result.exit_code, result.stdout) == (0, f"{model}: no mistakes\n")


def test_new_does_not_overwrite(model):
    before = model.read_text()
    result = flexor("new", "pendulum.yaml")
    assert result.exit_code == 2
    assert result.stderr == "file error: pendulum.yaml: exists already; choose another name\n"
    assert model.read_text() == before
    assert flexor("new", "absent/pendulum").exit_code == 2


def test_check_prints_every_problem_on_its_line(model):
    text = model.read_text().replace("axis: z", "axis: [0, 0, 0]").replace("mass: 1.2 kg", "mass: 1.2 m")
    model.write_text(text.replace("joint: hinge", "joint: hinje"))
    result = flexor("check", model)
    assert result.exit_code == 2
    lines = result.stdout.splitlines()
    assert len(lines) == 3, result.stdout
    source = model.read_text().splitlines()
    for mistake, line in zip(("mass: 1.2 m", "axis: [0, 0, 0]", "joint: hinje"), lines, strict=True):
        number = next(i for i, text in enumerate(source, 1) if mistake in text)
        assert mistake.split(":")[0] in line
        assert line.endswith(f"({model}:{number})")


def test_check_as_json(model):
    result = flexor("check", model, "--json")
    assert json.loads(result.stdout) == {"file": str(model), "ok": True, "problems": [], "warnings": []}
    model.write_text(model.read_text().replace("axis: z", "axis: [0, 0, 0]"))
    result = flexor("check", model, "--json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["ok"], len(found["problems"])) == (2, False, 1)
    assert set(found["problems"][0]) == {"where", "what", "why", "fix", "source"}


def test_missing_file_and_its_json(folder):
    result = flexor("check", "absent.yaml")
    assert result.exit_code == 2
    assert "absent.yaml: does not exist" in result.stderr
    result = flexor("info", "absent.h5", "--json")
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert (found["error"], found["exit_code"]) == ("FileError", 2)


def test_info_of_a_model(model):
    result = flexor("info", model)
    assert result.stdout.splitlines()[0] == "model 'pendulum', gravity [0.0, -9.81, 0.0] m/s²"
    assert "   1 rigid_body: bar" in result.stdout
    assert json.loads(flexor("info", model, "--json").stdout)["items"]["revolute"] == ["hinge"]


# ---- run


def test_run_writes_results_named_after_the_model(model, solver):
    result = flexor("run", model, "--until", "1 s", "--step", "1 ms", "--rho", "0.7", "--record", "hinge")
    assert result.exit_code == 0, result.stderr
    path = model.parent / "pendulum.flexor.h5"
    assert f"results: {path}" in result.stdout
    assert "finished, 501 rows of 16 signals" in result.stdout
    assert len(Run(path)) == 501
    assert solver == [{"until": "1 s", "step": "1 ms", "integrator": 0.7, "record": ["hinge"]}]


@pytest.mark.usefixtures("solver")
def test_any_model_name_makes_a_file_name(model):
    model.write_text(model.read_text().replace("name: pendulum", 'name: "Pendel / groß: 2"'))
    assert flexor("run", model, "--until", "1 s").exit_code == 0
    assert (model.parent / "Pendel-groß-2.flexor.h5").exists()


def test_run_does_not_replace_the_model_by_its_results(model, solver):
    text = model.read_text()
    result = flexor("run", model, "--until", 1, "--step", 1e-3, "--out", model)
    assert result.exit_code == 2
    assert "exists and would be lost" in result.stderr
    assert model.read_text() == text


def test_run_keeps_an_older_file_on_request(model, solver):
    (model.parent / "a.h5").write_text("older")
    result = flexor("run", model, "--until", 1, "--step", 1e-3, "--out", "a.h5", "--keep")
    assert result.exit_code == 2
    assert "exists already" in result.stderr
    assert (model.parent / "a.h5").read_text() == "older"


@pytest.mark.usefixtures("solver")
def test_run_as_json(model):
    result = flexor("run", model, "--until", "1 s", "--out", "a.h5", "--json")
    found = json.loads(result.stdout)
    assert (found["status"], found["rows"], found["time"], found["steps"]) == (
        "finished",
        501,
        [0.0, 0.5],
        501,
    )
    assert found["energy_drift"]["joule"] == pytest.approx(5e-7)
    assert found["signals"]["main.angle"] == "rad"
    assert {"name": "main.angle", "value": 5.0, "unit": "rad", "time": 0.5} in found["largest"]


def failing(monkeypatch, error):
    def at_chunk(number):
        if number == 3:
            raise error

    def dynamics(model, until, step=None, **ties):
        synthetic.dynamics(model, 0.5, at_chunk=at_chunk, **ties)

    synthetic.install(monkeypatch, dynamics=dynamics)


def test_failed_run_has_exit_code_1_and_keeps_results(model, monkeypatch):
    failing(monkeypatch, DivergenceError("Newton's iteration did not converge", time=0.06))
    result = flexor("run", model, "--until", "1 s", "--out", "a.h5")
    assert result.exit_code == 1
    path = model.parent / "a.h5"
    assert result.stderr == (
        f"divergence error: Newton's iteration did not converge\n  at t = 0.06 s\n  results so far: {path}\n"
    )
    assert "Traceback" not in result.output
    assert (Run(path).status, len(Run(path))) == ("failed", 60)
    result = flexor("run", model, "--until", "1 s", "--out", "a.h5", "--json")
    assert json.loads(result.stdout)["error"] == "DivergenceError"


def test_full_disk_during_a_run_has_exit_code_1(model, monkeypatch):
    failing(monkeypatch, FileError("the disk is full"))
    assert flexor("run", model, "--until", "1 s", "--out", "a.h5").exit_code == 1


def test_interrupted_run_has_exit_code_130_and_keeps_results(model, monkeypatch):
    failing(monkeypatch, KeyboardInterrupt())
    result = flexor("run", model, "--until", "1 s", "--out", "a.h5")
    assert result.exit_code == 130
    assert "interrupted, 60 rows" in result.stdout
    assert "stopped at t = 0.059 s; results so far:" in result.stderr
    assert Run("a.h5").status == "interrupted"


def test_interruption_before_the_run_has_exit_code_130(model, monkeypatch):
    def dynamics(*_, **__):
        raise KeyboardInterrupt

    synthetic.install(monkeypatch, dynamics=dynamics)
    result = flexor("run", model, "--until", "1 s")
    assert (result.exit_code, result.stderr) == (130, "stopped by Ctrl-C\n")


def test_unexpected_errors_keep_their_traceback(model, monkeypatch):
    failing(monkeypatch, ZeroDivisionError("a bug"))
    result = flexor("run", model, "--until", "1 s")
    assert isinstance(result.exception, ZeroDivisionError)


@pytest.mark.usefixtures("folder")
def test_broken_model_is_not_run(model, solver):
    model.write_text(model.read_text().replace("joint: hinge", "joint: hinje"))
    result = flexor("run", model, "--until", "1 s")
    assert result.exit_code == 2
    assert "hinje" in result.stderr
    assert solver == []


# ---- results


@pytest.fixture
def results(model, solver):
    assert flexor("run", model, "--until", "1 s").exit_code == 0
    return model.parent / "pendulum.flexor.h5"


def test_info_of_results(results):
    result = flexor("info", results)
    assert "finished, 501 rows of 16 signals" in result.stdout
    assert "    pin: force\n" in result.stdout
    assert "    main: angle, angle_rate\n" in result.stdout
    assert json.loads(flexor("info", results, "--json").stdout)["rows"] == 501


def test_plot(results):
    pytest.importorskip("matplotlib")
    result = flexor("plot", results, "main.angle", "pin.*", "--out", "a.png")
    assert (result.exit_code, result.stdout) == (0, "plot: a.png\n")
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")
    flexor("plot", results, "main.angle")
    assert Path("pendulum.png").exists()
    result = flexor("plot", results, "main.angel")
    assert result.exit_code == 2
    assert "did you mean main.angle" in result.stderr


# ---- eig


def test_eig(model, monkeypatch):
    asked = {}

    def modes(model, count, **settings):
        asked.update(settings, count=count, model=model.name)
        shapes, names = np.array([[1.0, 0.2], [0.5, -1.0]]), ("arm: x", "arm: about z")
        values, ratios = np.array([1j, -0.1 + 2j]), np.array([0, 0.05])
        return Modes(np.array([1.0, 2.0]), values, ratios, shapes, names, complex=settings["complex"])

    synthetic.install(monkeypatch, modes=modes)
    result = flexor("eig", model, "--modes", 2, "--complex")
    assert result.exit_code == 0
    assert "   2                2             5   -0.1 +2i   arm: about z\n" in result.stdout
    assert asked == {"model": "pendulum", "count": 2, "at": "equilibrium", "complex": True}
    found = json.loads(flexor("eig", model, "--json", "--at-start", "--complex").stdout)
    assert found["modes"][1] == {"frequency_hz": 2.0, "damping_ratio": 0.05, "eigenvalue": [-0.1, 2.0]}
    assert asked["at"] == "start"
    undamped = flexor("eig", model).stdout
    assert "damping [%]" not in undamped
    assert "   2                2   arm: about z\n" in undamped
    found = json.loads(flexor("eig", model, "--json", "--at-start").stdout)
    assert found["modes"][1] == {"frequency_hz": 2.0, "eigenvalue": [-0.1, 2.0]}
    assert asked["at"] == "start"


def test_kinds_of_errors():
    kinds = {
        ModelError: "model error",
        FileError: "file error",
        SolveError: "solve error",
        FlexorError: "error",
    }
    for error, kind in kinds.items():
        assert kind_of(error("x")) == kind
    assert kind_of(UnknownSignal("x")) == "error"


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x/"])
def test_names_of_new_models_that_are_none(name, folder):
    assert flexor("new", name).exit_code == 2
    assert not list(folder.iterdir())


@pytest.mark.parametrize("name", ["a: b", "yes", "12", "# x", "press"])
def test_new_models_keep_their_name(name, folder):
    assert flexor("new", name).exit_code == 0
    assert Model.load(folder / f"{name}.yaml").name == name


# ---- the tree solver


def test_a_run_by_the_tree_solver(model, tmp_path):
    out = tmp_path / "tree.flexor.h5"
    result = flexor("run", model, "--until", "0.1 s", "--step", "1 ms", "--solver", "tree", "--out", out, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["settings"]["solver"] == "tree"
    assert "solver" in flexor("run", model, "--until", "0.1 s", "--step", "1 ms", "--solver", "twig").output


def test_info_draws_the_tree(model):
    result = flexor("info", model, "--tree")
    assert result.stdout.startswith("tree of 1 body and 1 joint: ")
    assert "by hinge" in result.stdout


def test_info_tells_of_components(folder):
    part = {"name": "link", "items": [{"type": "rigid_body", "name": "rod", "mass": 1, "inertia": 1}]}
    pair = {"name": "pair", "items": [{"type": "instance", "name": each, "use": "link.json"} for each in "ab"]}
    pin = {"type": "fixed", "name": "weld", "a": "left.a.rod", "b": "left.b.rod"}
    model = {"name": "m", "items": [{"type": "instance", "name": "left", "use": "pair.json"}, pin]}
    for name, data in (("link", part), ("pair", pair), ("m", model)):
        (folder / f"{name}.json").write_text(json.dumps(data))
    told = flexor("info", folder / "m.json").stdout
    assert "3 components: left (pair), left.a (link), left.b (link)" in told
    facts = json.loads(flexor("info", folder / "m.json", "--json").stdout)
    assert facts["components"] == {"left": "pair", "left.a": "link", "left.b": "link"}
    assert "left (2 bodies)" in flexor("info", folder / "m.json", "--tree").stdout
