"""flexor frequency, and what other commands say of its results."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import flexor as fx
from flexor.cli import app

M, K, C = 2.0, 800.0, 3.0


def flexor(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def model(tmp_path):
    mass = fx.PointMass("mass", M, position=(1, 0, 0))
    spring = fx.AxialSpring("spring", fx.ground, mass, stiffness=K, damping=C, free_length=1.0)
    items = [mass, spring, fx.PointForce("push", mass, direction="x", force=0), fx.Sensor("x", "mass.position_x")]
    fx.Model("one", items).save(tmp_path / "one.yaml")
    return tmp_path / "one.yaml"


def test_it_computes_writes_and_draws(model, tmp_path):
    done = flexor(
        "frequency", model, "--input", "push.force", "--from", "0.5", "--to", "8", "--points", "76", "--csv", "h.csv", "--npz", "h.npz",
        "--bode", "bode.png", "--nyquist", "nyquist.png",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "x / push.force: at most" in done.output
    file = tmp_path / "one.frequency.h5"
    kept = fx.FrequencyResponse.load(file)
    w = 2 * np.pi * np.linspace(0.5, 8, 76)
    np.testing.assert_allclose(kept["x"], 1 / (K + 1j * w * C - w**2 * M), rtol=1e-7)
    assert kept.unit("x", "push.force") == "m/N"
    table = np.loadtxt("h.csv", delimiter=",", skiprows=1)
    np.testing.assert_allclose(table[:, 1], np.abs(kept["x"]), rtol=1e-11)
    np.testing.assert_allclose(table[:, 2], np.degrees(np.angle(kept["x"])), rtol=1e-9)
    for picture in ("bode.png", "nyquist.png"):
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    again = flexor("frequency", file, "--csv", "h.csv", "--npz", "h.npz", "--bode", "bode.png")  # in their place
    assert again.exit_code == 0, again.output
    told = flexor("info", file)
    assert "76 frequencies from 0.5 to 8 Hz" in told.output
    facts = json.loads(flexor("info", file, "--json").output)
    assert facts["responses"][0]["peaks_hz"] == pytest.approx([3.2])


def test_options(model):
    done = flexor("frequency", model, "--input", "push", "--output", "mass.velocity_x", "--from", "60 rpm", "--to", "10 Hz",
                  "--log", "--points", "5", "--modal-damping", "0.02", "--out", "v.frequency.h5", "--json")  # fmt: skip
    assert done.exit_code == 0, done.output
    facts = json.loads(done.output)
    assert "in place of the model's damping" in facts["method"]
    kept = fx.FrequencyResponse.load("v.frequency.h5")
    np.testing.assert_allclose(kept.frequencies, np.geomspace(1, 10, 5))
    s, w = 2j * np.pi * kept.frequencies, np.sqrt(K / M)
    np.testing.assert_allclose(kept["mass.velocity_x"], s / M / (s**2 + 0.04 * w * s + w**2), rtol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--to", "8"], "--input"),
        (["--input", "push"], "--to"),
        (["--input", "push", "--from", "9", "--to", "8"], "below the lowest"),
        (["--input", "push", "--from", "0", "--to", "8", "--log"], "above zero"),
        (["--input", "push", "--to", "8 kg"], "--to"),
        (["--input", "pusch", "--to", "8"], "push.force"),
        (["--input", "push", "--to", "8", "--method", "modes"], "method"),
    ],
)
def test_bad_input(model, arguments, told):
    done = flexor("frequency", model, *arguments)
    assert done.exit_code == 2
    assert told in done.output


def test_files_are_kept_apart(model, tmp_path):
    """Other files are not replaced, and other commands say what this one is."""
    (tmp_path / "mine.frequency.h5").write_text("my notes")
    done = flexor("frequency", model, "--input", "push", "--to", "8", "--out", "mine.frequency.h5")
    assert done.exit_code == 2
    assert (tmp_path / "mine.frequency.h5").read_text() == "my notes"
    assert flexor("frequency", model, "--input", "push", "--to", "8", "--points", "3").exit_code == 0
    file = tmp_path / "one.frequency.h5"
    done = flexor("plot", file, "x")
    assert "it is a frequency response" in done.output
    assert "leave --to out" in flexor("frequency", file, "--to", "9").output
    data = bytearray(file.read_bytes())
    data[-40] ^= 255
    file.write_bytes(data)
    with pytest.raises(fx.FileError, match="check-sum"):
        fx.FrequencyResponse.load(file)
    with pytest.raises(fx.FileError, match="no such file"):
        fx.FrequencyResponse.load(tmp_path / "nowhere.frequency.h5")
