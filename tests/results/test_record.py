import signal
import threading

import numpy as np
import pytest

from flexor.errors import DivergenceError, FileError, SolveError
from flexor.results import Run
from flexor.results.analyses import dynamics
from flexor.results.progress import Progress
from tests.results import synthetic


def solver(monkeypatch, at_chunk=lambda number: None, **options):
    def solve(*args, **kw):
        synthetic.dynamics(*args, at_chunk=at_chunk, **options, **kw)

    synthetic.install(monkeypatch, dynamics=solve)


@pytest.fixture(autouse=True)
def _ctrl_c_is_heard():
    """As in a terminal; a shell that starts a job in the background lets it ignore the signal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(params=["memory", "file"])
def file(request, tmp_path):
    return tmp_path / "a.h5" if request.param == "file" else None


def test_a_model_becomes_text_once_and_only_for_a_file(file, monkeypatch):
    solver(monkeypatch)
    model, written = synthetic.model("name: crank"), []
    model.to_text = lambda: written.append("name: crank") or "name: crank"
    run = dynamics(model, 0.05, file=file)
    assert len(written) == (0 if file is None else 1)
    assert run.model is model  # with what it may hold in memory
    longer = run.continue_until(0.1)
    assert longer.model is model
    assert len(written) == (0 if file is None else 2)
    assert longer.model_text == "name: crank"


def test_ctrl_c_keeps_what_is_done(file, monkeypatch, capsys):
    before = signal.getsignal(signal.SIGINT)
    solver(monkeypatch, lambda number: signal.raise_signal(signal.SIGINT) if number == 5 else None)
    run = dynamics(synthetic.MODEL, 0.5, file=file)
    assert (run.status, run.message) == ("interrupted", "stopped by Ctrl-C")
    assert len(run) == 6 * 20  # the chunk during which it came is completed
    told = capsys.readouterr().err
    assert "stopping at the next step" in told
    assert "slider-crank: stopped at t = 0.119 s" in told
    assert signal.getsignal(signal.SIGINT) is before


def test_second_ctrl_c_stops_at_once(file, monkeypatch):
    def twice(number):
        if number == 5:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    solver(monkeypatch, twice)
    run = dynamics(synthetic.MODEL, 0.5, file=file)
    assert (run.status, len(run)) == ("interrupted", 5 * 20)


def test_ctrl_c_before_the_first_row_is_passed_on(file, monkeypatch):
    def solve(*_, **__):
        raise KeyboardInterrupt

    synthetic.install(monkeypatch, dynamics=solve)
    with pytest.raises(KeyboardInterrupt):
        dynamics(synthetic.MODEL, 0.5, file=file)


def test_other_threads_do_not_touch_the_handler(monkeypatch):
    solver(monkeypatch)
    found = []
    thread = threading.Thread(target=lambda: found.append(dynamics(synthetic.MODEL, 0.1)))
    thread.start()
    thread.join()
    assert found[0].status == "finished"


def test_solver_error_carries_the_results(file, monkeypatch):
    def diverge(number):
        if number == 3:
            raise DivergenceError("Newton's iteration did not converge", time=0.06, step=60)

    solver(monkeypatch, diverge)
    with pytest.raises(DivergenceError) as caught:
        dynamics(synthetic.MODEL, 0.5, file=file)
    run = caught.value.run
    assert (run.status, len(run)) == ("failed", 60)
    assert "did not converge\n  at t = 0.06 s, step 60" in run.message
    assert caught.value.result == file
    if file is not None:
        assert f"results so far: {file}" in str(caught.value)
        assert Run(file).status == "failed"


def test_solver_may_close_the_sink_itself(file, monkeypatch):
    def solve(*_, sink, **__):
        sink.open(synthetic.COLUMNS, {})
        sink.close("failed", "the diagnosis")
        raise SolveError("stopped")

    synthetic.install(monkeypatch, dynamics=solve)
    with pytest.raises(SolveError) as caught:
        dynamics(synthetic.MODEL, 0.5, file=file)
    assert caught.value.run.message == "the diagnosis"


def test_unexpected_error_closes_the_file(tmp_path, monkeypatch):
    def crash(number):
        if number == 2:
            raise ZeroDivisionError

    solver(monkeypatch, crash)
    with pytest.raises(ZeroDivisionError):
        dynamics(synthetic.MODEL, 0.5, file=tmp_path / "a.h5")
    run = Run(tmp_path / "a.h5")
    assert (run.status, run.message, len(run)) == ("failed", "ZeroDivisionError", 40)


def test_error_before_the_first_row_leaves_the_older_file(tmp_path, monkeypatch):
    older = synthetic.write(tmp_path / "a.h5")

    def solve(*_, **__):
        raise SolveError("cannot be assembled")

    synthetic.install(monkeypatch, dynamics=solve)
    with pytest.raises(SolveError) as caught:
        dynamics(synthetic.MODEL, 0.5, file=tmp_path / "a.h5")
    assert caught.value.result is None
    assert (tmp_path / "a.h5").read_bytes() == older


@pytest.fixture
def models(monkeypatch):
    monkeypatch.setattr(Run, "model", synthetic.MODEL)


@pytest.mark.usefixtures("models")
def test_continue_joins_the_rows(file, monkeypatch):
    solver(monkeypatch)
    run = dynamics(synthetic.MODEL, 0.25, 1e-3, file=file, rho=0.8)
    run_seconds = run.seconds
    longer = run.continue_until(0.5)
    whole = dynamics(synthetic.MODEL, 0.5, 1e-3)
    assert longer.status == "finished"
    for name in whole.names:
        np.testing.assert_array_equal(longer[name], whole[name])
    np.testing.assert_array_equal(longer.time, whole.time)
    assert longer.settings == {"until": 0.5, "step": 1e-3, "rho": 0.8}
    assert longer.file == file
    assert longer.seconds > run_seconds > 0


@pytest.mark.usefixtures("models")
def test_continue_after_a_failure_starts_at_the_checkpoint(file, monkeypatch):
    """Rows recorded after the checkpoint are computed anew."""

    def solve(model, until, step=1e-3, *, sink, progress, restart=None):
        if restart:
            return synthetic.dynamics(model, until, step, sink=sink, progress=progress, restart=restart)
        sink.open(synthetic.COLUMNS, {})
        sink.rows(synthetic.rows_at(step * np.arange(100)))
        sink.checkpoint({"step": 99})
        sink.rows(-synthetic.rows_at(step * np.arange(100, 150)))  # wrong on purpose
        raise SolveError("diverged")

    synthetic.install(monkeypatch, dynamics=solve)
    with pytest.raises(SolveError) as caught:
        dynamics(synthetic.MODEL, 0.2, 1e-3, file=file)
    assert len(caught.value.run) == 150
    run = caught.value.run.continue_until(0.2)
    np.testing.assert_array_equal(run["main.angle"], synthetic.OMEGA * run.time)
    np.testing.assert_array_equal(run.time, 1e-3 * np.arange(201))


@pytest.mark.usefixtures("models")
def test_continue_refuses_what_is_past_and_what_has_changed(file, monkeypatch):
    solver(monkeypatch)
    run = dynamics(synthetic.MODEL, 0.25, file=file)
    with pytest.raises(FileError, match=r"its checkpoint is at 0\.25 s, ask for a later time"):
        run.continue_until("0.2 s")

    def other(*_, sink, **__):
        sink.open([*synthetic.COLUMNS, ("new", "m")], {})

    synthetic.install(monkeypatch, dynamics=other)
    with pytest.raises(FileError, match="records other signals than before"):
        run.continue_until(0.5)
    assert len(run) == 251


def test_lines_where_there_is_no_terminal(capsys, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("flexor.results.progress.time.monotonic", lambda: now[0])
    with Progress("crank") as progress:
        now[0] = 104.0  # the first four seconds were spent on compiling
        progress(0.1, 100, 250, 0.25)
        assert capsys.readouterr().err == ""
        now[0] = 110.0
        progress(0.2, 200, 500, 0.5)
        progress(0.21, 210, 520, 0.52)
    assert capsys.readouterr().err == "crank: t = 0.2 s · step 200 · 2.5 iterations a step · 50 % · 12 s left\n"
    with Progress("crank", show=False) as progress:
        now[0] = 200.0
        progress(0.2, 200, 3, 0.5)
    assert capsys.readouterr().err == ""


def test_bar_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with Progress("crank") as progress:
        progress(0.2, 200, 500, 0.5)
    told = capsys.readouterr().err
    assert "crank" in told
    assert "t = 0.2 s · step 200 · 2.5 iterations a step" in told
    assert "50%" in told
