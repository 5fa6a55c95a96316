import sys

import numpy as np
import pytest

from flexor.errors import FileError, FlexorError
from flexor.results.analyses import dynamics
from tests.results import synthetic

pytest.importorskip("matplotlib")


@pytest.fixture
def run(monkeypatch):
    synthetic.install(monkeypatch, dynamics=synthetic.dynamics)
    return dynamics(synthetic.MODEL, 0.5)


def test_one_subplot_per_unit_with_shared_time(run, tmp_path):
    figure = run.plot("main.angle", "pin.force", "drive.torque", "energy.[kp]*", file=tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels == ["main.angle [rad]", "pin.force [N]", "drive.torque [N m]", "energy [J]"]
    assert [axes.get_xlabel() for axes in figure.axes] == ["", "", "", "time [s]"]
    limits = {axes.get_xlim() for axes in figure.axes}
    assert limits == {(0.0, 0.5)}
    legend = [text.get_text() for text in figure.axes[1].get_legend().get_texts()]
    assert legend == ["pin.force_x", "pin.force_y", "pin.force_z"]
    assert figure.axes[0].get_legend() is None
    np.testing.assert_array_equal(figure.axes[1].lines[1].get_ydata(), run["pin.force_y"])


def test_signal_plots_itself(run, tmp_path):
    figure = run["rod.orientation"].plot(file=tmp_path / "a.svg")
    assert "svg" in (tmp_path / "a.svg").read_text()[:500]
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert legend == [f"rod.orientation_{axis}" for axis in "wxyz"]


def test_common_quantity_on_the_axis(run, tmp_path):
    from flexor.results import Signal
    from flexor.results.plot import plot

    both = [Signal(run["drive.torque"], run.time, f"{name}.torque", "N m") for name in ("main", "drive")]
    assert plot(both, file=tmp_path / "a.png", title="crank").axes[0].get_ylabel() == "torque [N m]"


def test_window_is_left_to_pyplot(run, monkeypatch):
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    shown = []
    monkeypatch.setattr(plt, "show", lambda **_: shown.append(True))
    figure = run.plot("main.angle")
    assert shown == [True]
    plt.close(figure)


def test_mistakes_are_told(run, tmp_path, monkeypatch):
    with pytest.raises(FlexorError, match="nothing to draw"):
        run.plot(file=tmp_path / "a.png")
    with pytest.raises(FileError, match="cannot be written"):
        run.plot("main.angle", file=tmp_path / "absent" / "a.png")
    with pytest.raises(FileError, match=r"ends in \.png, \.svg or \.pdf"):
        run.plot("main.angle", file=tmp_path / "a.docx")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(FlexorError, match=r"pip install 'flexor\[plot\]'"):
        run.plot("main.angle", file=tmp_path / "a.png")
