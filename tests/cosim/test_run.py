"""Whole runs: results, threads against processes, rings, different steps; and what goes wrong ends soon, with a name."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from flexor.cosim.meta_model import Connection, InterfacePoint, MetaModel, SubModel, save
from flexor.cosim.run import run
from flexor.cosim.tlm.end import UNTURNED, PointMotion
from flexor.cosim.tlm.manager import Manager
from flexor.cosim.tlm.plugin import SECRET, CosimError, TLMPlugin
from flexor.cosim.tlm.wave_log import WaveLog
from flexor.errors import FileError
from tests.cosim.mass import mass
from tests.cosim.masses import chain, pair

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOON = 60.0
"""Seconds within which a faulty run must have ended; it ends in well under two of them, plus the start of Python."""


def program(**options: float | str) -> str:
    words = " ".join(f"{name}={value}" for name, value in options.items())
    return f"{sys.executable} -m tests.cosim.mass {words}"


def test_two_masses_swing_as_one_with_the_parasitic_mass(tmp_path: Path) -> None:
    model = pair(delay=1e-3, zf=1000.0, stop=2.0)
    outcome = run(model, {"a": mass(load=100.0), "b": mass(k=150.0, d=10.0)}, out=tmp_path)
    found = outcome.waves["b.p"]
    m = 20 + model.connections[0].line.parasitic_mass
    w, z = np.sqrt(150 / m), 10 / (2 * np.sqrt(150 * m))
    wd = w * np.sqrt(1 - z**2)
    t = found.time
    exact = 100 / 150 * (1 - np.exp(-z * w * t) * (np.cos(wd * t) + z * w / wd * np.sin(wd * t)))
    assert np.abs(found.position[:, 0] - exact).max() < 2e-3  # 20 kg alone would be off by 0.02
    for balance in outcome.waves.balances(model.connections[0]):
        assert abs(balance.gained) < 1e-9 * balance.passed
    assert outcome.waves.gap(model.connections[0]) < 2e-3
    assert found.force(model.connections[0])[-1, 0] == pytest.approx(
        -outcome.waves["a.p"].force(model.connections[0])[-1, 0], rel=0.2
    )


def test_threads_and_processes_give_the_same(tmp_path: Path) -> None:
    in_threads = run(pair(), {"a": mass(load=100.0), "b": mass(k=150.0)}, out=tmp_path).waves
    model = pair(a=program(load=100.0), b=program(k=150.0))
    in_processes = run(model, folder=ROOT, out=tmp_path).waves
    for name in ("a.p", "b.p"):
        assert np.array_equal(in_threads[name].rows, in_processes[name].rows)


def test_three_in_a_ring_and_in_a_row(tmp_path: Path) -> None:
    """Two components with two interfaces each and one more; in a ring the third line leads back."""
    both = ("left", "right")
    row = run(
        chain(3, stop=0.2),
        {"a": mass(("right",), v0=0.0, load=30.0), "b": mass(both), "c": mass(("left",))},
        out=tmp_path,
    )
    ring = run(
        chain(3, stop=0.2, ring=True), {"a": mass(both, load=30.0), "b": mass(both), "c": mass(both)}, out=tmp_path
    )
    mp = chain(3).connections[0].line.parasitic_mass
    for outcome, lines, ends in ((row, 2, ("a.right", "c.left")), (ring, 3, ("a.right", "c.right"))):
        v = [outcome.waves[end].velocity[-1, 0] for end in ends]
        assert np.mean(v) == pytest.approx(30 * 0.2 / (30 + lines * mp), rel=0.15)


def test_components_with_different_steps(tmp_path: Path) -> None:
    """Steps of T and of T/7.3 …: waves are interpolated, none waits for ever, and no energy comes from it."""
    model = pair(stop=0.5, exact=False)
    outcome = run(model, {"a": mass(load=100.0, step=1e-3 / 2), "b": mass(k=150.0, step=1e-3 / 7.3)}, out=tmp_path)
    fine = run(model, {"a": mass(load=100.0, step=1e-3 / 20), "b": mass(k=150.0, step=1e-3 / 20)}, out=tmp_path)
    at = outcome.waves["b.p"].position[-1, 0]
    assert at == pytest.approx(fine.waves["b.p"].position[-1, 0], rel=2e-3)


def test_halving_the_delay_approaches_the_system_without_a_line(tmp_path: Path) -> None:
    """As stiff a line with half the delay has a quarter of the mass: the error falls by four."""
    errors = []
    for delay in (4e-3, 2e-3, 1e-3):
        model = pair(delay=delay, zf=1e5 * delay, stop=0.4)
        x = run(model, {"a": mass(load=100.0), "b": mass(k=150.0, d=10.0)}, out=tmp_path).waves["b.p"].position[-1, 0]
        errors.append(x)
    rates = (errors[0] - errors[1]) / (errors[1] - errors[2])
    assert rates == pytest.approx(4.0, rel=0.5)


# ---- faults


def ends_soon(model: object, message: str, tmp_path: Path, components: dict | None = None, **settings: float) -> None:
    began = time.monotonic()
    with pytest.raises(CosimError, match=message):
        run(model, components, folder=ROOT, out=tmp_path, **settings)  # type: ignore[arg-type]
    assert time.monotonic() - began < SOON


def nobody_left(tmp_path: Path) -> bool:
    """No program of a run is there any more."""
    found = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    return not [line for line in found.splitlines() if "tests.cosim.mass" in line and f" {os.getpid()} " in line]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("killed", r"component 'b': (its program has ended by signal 9|it has ended at t = )"),
        ("garbage", r"component 'b': it sends what is no message"),
        ("raises", r"component 'b': it has failed: RuntimeError: the bearing has seized"),
        ("leaves", r"component 'b': it has ended at t = 0.02"),
    ],
)
def test_a_component_that_goes_wrong(fault: str, message: str, tmp_path: Path) -> None:
    ends_soon(pair(a=program(load=100.0), b=program(k=150.0, fault=fault)), message, tmp_path)
    assert nobody_left(tmp_path)
    rows = WaveLog.load(tmp_path / "masses.waves")["a.p"].rows
    assert 20 <= len(rows) < 51  # what was computed until then


def test_a_component_that_stands_still(tmp_path: Path) -> None:
    model = pair(a=program(load=100.0), b=program(k=150.0, fault="stalls"))
    ends_soon(model, "component 'b': nothing has come from it for .* s, at t = 0.02", tmp_path, timeout=1.0)
    assert nobody_left(tmp_path)


def test_a_component_that_never_connects(tmp_path: Path) -> None:
    model = pair(a=program(load=100.0), b=program(fault="never"))
    ends_soon(model, "component 'b': it has not connected within 4 s", tmp_path, connect=4.0)
    assert nobody_left(tmp_path)


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    ends_soon(
        pair(a="no-such-program", b=program()),
        "component 'a': its start command 'no-such-program' cannot be run",
        tmp_path,
    )
    model = pair(a=f"{sys.executable} -c 'print(\"no licence\"); raise SystemExit(3)'", b=program())
    ends_soon(model, "component 'a': its program has ended with code 3; it said: no licence", tmp_path)
    assert nobody_left(tmp_path)


def test_the_same_name_twice(tmp_path: Path) -> None:
    model = pair(stop=10.0)
    manager = Manager(model, connect=10.0)

    def join(name: str) -> None:
        try:
            plugins.append(TLMPlugin.connect(name, manager.server, manager.secret, timeout=5))
        except CosimError as error:
            told.append(str(error))

    told: list[str] = []
    plugins: list[TLMPlugin] = []
    threads = [threading.Thread(target=join, args=("a",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    with pytest.raises(CosimError, match="component 'a': its name is taken"):
        manager.run()
    for thread in threads:
        thread.join(5)
    for plugin in plugins:
        with pytest.raises(CosimError, match="its name is taken"):
            plugin.register("p", 1)
    assert len(plugins) + len(told) == 2


def test_a_wrong_secret_lets_the_others_go_on(tmp_path: Path) -> None:
    """Who does not know the secret is turned away; the run is not disturbed."""
    told: list[str] = []
    good = mass(load=100.0)

    def with_intruder(plugin: TLMPlugin) -> None:
        host, port = plugin._link.getpeername()
        try:
            TLMPlugin.connect("b", f"{host}:{port}", "guessed", timeout=5)
        except CosimError as error:
            told.append(str(error))
        good(plugin)

    outcome = run(pair(), {"a": with_intruder, "b": mass(k=150.0)}, out=tmp_path)
    assert "it does not know the secret of this run" in told[0]
    assert outcome.waves["a.p"].time[-1] == pytest.approx(0.05)


def test_unknown_names_and_interfaces(tmp_path: Path) -> None:
    ends_soon(
        pair(), "component 'a': it has not registered its interface 'a.p'", tmp_path, {"a": mass(("q",)), "b": mass()}
    )

    def other_dimensions(plugin: TLMPlugin) -> None:
        plugin.register("p", 3)

    ends_soon(
        pair(), "interface 'p' has 3 dimensions; the meta-model says 1", tmp_path, {"a": other_dimensions, "b": mass()}
    )
    ends_soon(pair(), "its ends move differently at the start, by 1 m/s", tmp_path, {"a": mass(v0=1.0), "b": mass()})


def test_a_step_longer_than_the_delay(tmp_path: Path) -> None:
    def hasty(plugin: TLMPlugin) -> None:
        TLMPlugin.connect("b", "{}:{}".format(*plugin._link.getpeername()), step=2e-3, secret=secret)

    secret = "known"
    ends_soon(pair(), "component 'b': its step of 0.002 s is too long", tmp_path, {"a": hasty}, secret=secret)  # type: ignore[arg-type]


def test_a_manager_that_is_killed(tmp_path: Path) -> None:
    """Its components notice and end by themselves; the log can be read."""
    script = (
        "import sys, os; from pathlib import Path; from flexor.cosim.run import run; from tests.cosim.masses import pair\n"
        "from tests.cosim.test_run import program, ROOT\n"
        "run(pair(a=program(load=1.0), b=program(k=2.0), stop=1000.0), folder=ROOT, out=Path(sys.argv[1]))\n"
    )
    manager = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT)
    try:
        log = tmp_path / "masses.waves"
        until = time.monotonic() + 30
        while time.monotonic() < until and not (log.exists() and log.stat().st_size > 100_000):
            time.sleep(0.1)
        listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
        programs = [
            int(line.split()[0])
            for line in listed.splitlines()
            if f" {manager.pid} " in line and "tests.cosim.mass" in line
        ]
        assert len(programs) >= 2
    finally:
        manager.kill()
        manager.wait(10)
    while time.monotonic() < until and any(_there(pid) for pid in programs):
        time.sleep(0.1)
    assert not any(_there(pid) for pid in programs)
    assert len(WaveLog.load(log)["a.p"].rows) > 100
    assert "the manager has gone" in (tmp_path / "masses.a.log").read_text()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="programs are no groups of processes here")
@pytest.mark.parametrize("sign", ["SIGKILL", "SIGTERM"])
def test_programs_that_do_not_listen_end_with_a_killed_manager(sign: str, tmp_path: Path) -> None:
    save(pair(a=program(fault="never"), b=program(fault="never")), tmp_path / "masses.xml")
    words = [sys.executable, "-m", "flexor", "cosim", str(tmp_path / "masses.xml"), "--out", str(tmp_path)]
    inside = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    manager = subprocess.Popen(words, cwd=tmp_path, env=inside, stderr=subprocess.DEVNULL)
    programs: list[int] = []
    until = time.monotonic() + SOON
    try:
        while time.monotonic() < until and len(programs) < 2:
            time.sleep(0.1)
            listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
            programs = [
                int(line.split()[0])
                for line in listed.splitlines()
                if line.split()[1] == str(manager.pid) and "tests.cosim.mass" in line
            ]
    finally:
        manager.send_signal(getattr(signal, sign))
        manager.wait(SOON)
    assert len(programs) == 2
    while time.monotonic() < until and any(_there(pid) for pid in programs):
        time.sleep(0.1)
    assert not any(_there(pid) for pid in programs)


def _there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_coupling_that_gains_energy_is_stopped(tmp_path: Path) -> None:
    """A component that takes 5 % more of every wave: it would look like a success for a while."""

    def greedy(plugin: TLMPlugin) -> None:
        point = plugin.register("p", 1)
        assert point.end is not None
        taken = point.end.waves.at
        point.end.waves.at = lambda t: [1.05 * w for w in taken(t)]  # type: ignore[method-assign]
        inner = mass(k=150.0)
        plugin.register = lambda name, dimensions=3: point  # type: ignore[method-assign]
        inner(plugin)

    ends_soon(pair(stop=2.0), r"connection 'a.p – b.p': it gains energy: .* component 'b' does not take the waves", tmp_path,
              {"a": mass(load=100.0), "b": greedy})  # fmt: skip


def test_the_secret_is_not_in_the_command_line(tmp_path: Path) -> None:
    model = pair(
        a=f'{sys.executable} -c \'import os, sys; print(os.environ["{SECRET}"] in " ".join(sys.argv)); sys.exit(1)\'',
        b=program(),
    )
    ends_soon(model, "it said: False", tmp_path)


class Proxy:
    """Between a component and the manager; holds everything back for a while once `after` bytes have come through."""

    def __init__(self, server: str, after: int, seconds: float) -> None:
        host, port = server.split(":")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.server = "{}:{}".format(*self._listener.getsockname())
        self._to, self._after, self._seconds, self._seen = (host, int(port)), after, seconds, 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        near, _ = self._listener.accept()
        far = socket.create_connection(self._to)
        for a, b in ((near, far), (far, near)):
            threading.Thread(target=self._pass, args=(a, b), daemon=True).start()

    def _pass(self, a: object, b: object) -> None:
        try:
            while data := a.recv(65536):  # type: ignore[attr-defined]
                before, self._seen = self._seen, self._seen + len(data)
                if before < self._after <= self._seen:
                    time.sleep(self._seconds)
                b.sendall(data)  # type: ignore[attr-defined]
            b.shutdown(1)  # type: ignore[attr-defined]
        except OSError:
            pass


def test_a_network_that_stalls(tmp_path: Path) -> None:
    """Two seconds are waited for if there is time for it; if not, the run ends and names the component."""
    for patience, survives in ((10.0, True), (1.0, False)):
        manager = Manager(pair(), secret="s", timeout=patience, log=tmp_path / "stall.waves")

        def join(name: str, server: str, simulate: object) -> None:
            try:
                with TLMPlugin.connect(name, server, "s", timeout=10) as plugin:
                    simulate(plugin)  # type: ignore[operator]
            except CosimError:
                pass

        proxy = Proxy(manager.server, 1500, 2.0)
        threads = [
            threading.Thread(target=join, args=("a", manager.server, mass(load=1.0)), daemon=True),
            threading.Thread(target=join, args=("b", proxy.server, mass()), daemon=True),
        ]
        for thread in threads:
            thread.start()
        began = time.monotonic()
        if survives:
            manager.run()
        else:
            with pytest.raises(CosimError, match=r"component '.': nothing has come from it for"):
                manager.run()
        assert time.monotonic() - began < SOON
        assert len(WaveLog.load(tmp_path / "stall.waves")["a.p"].rows) >= (51 if survives else 2)
        for thread in threads:
            thread.join(5)


def test_a_port_that_is_taken_and_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        model = pair().replace(manager_port=taken.getsockname()[1])
        with pytest.raises(CosimError, match=r"it cannot listen at 127.0.0.1:.* give another ManagerPort"):
            run(model, {"a": mass(), "b": mass()}, out=tmp_path)
    with pytest.raises(FileError, match=r"wave log .* cannot be written; its folder does not exist"):
        run(pair(), {"a": mass(), "b": mass()}, out=tmp_path / "nowhere")
    (tmp_path / "masses.waves").write_text("my own notes")
    with pytest.raises(FileError, match="exists and would be lost"):
        run(pair(), {"a": mass(), "b": mass()}, out=tmp_path)


def test_the_error_tells_where_the_results_are(tmp_path: Path) -> None:
    with pytest.raises(CosimError) as caught:
        run(pair(), {"a": mass(), "b": mass(fault="raises")}, out=tmp_path)
    assert caught.value.result == tmp_path / "masses.waves"
    assert "results so far" in str(caught.value)
    with pytest.raises(FileError, match="is no wave log"):
        WaveLog.load(__file__)


def test_a_component_that_never_checks_in(tmp_path: Path) -> None:
    def sleepy(plugin: TLMPlugin) -> None:
        plugin.register("p", 1)
        time.sleep(3)

    message = "component 'b': it has not finished its initialisation within 0.5 s"
    ends_soon(pair(), message, tmp_path, {"a": mass(), "b": sleepy}, timeout=0.5)


def explicit(m: float) -> Callable[[TLMPlugin], None]:
    """A mass that takes its force from the begin of each step."""

    def simulate(plugin: TLMPlugin) -> None:
        point, x, v, t, h = plugin.register("p", 1), 0.0, 0.0, plugin.start, plugin.largest_step
        plugin.begin({point: PointMotion((x,), (v,))})
        for i in range(1, round((plugin.stop - plugin.start) / h) + 1):
            v += h / m * plugin.force(point, t, PointMotion((x,), (v,)))[0]
            x, t = x + h * v, plugin.start + i * h
            plugin.set_motion(point, t, PointMotion((x,), (v,)))
        plugin.done()

    return simulate


@pytest.mark.parametrize(("m", "exact"), [(0.049, True), (0.25, True), (0.1, False)])
def test_an_unstable_integration_is_no_success(m: float, exact: bool, tmp_path: Path) -> None:
    """Z h/m = 2.04, 0.4, 0.5: every wave is taken as it arrives, yet velocities would reach 1e11 m/s and more."""
    ends_soon(pair(stop=0.2 if m > 0.05 else 0.05, exact=exact), "(?s)'a.p – b.p': its waves grow without end.*component 'b' feeds energy into it at 'b.p'",
              tmp_path, {"a": mass(load=1.0), "b": explicit(m)})  # fmt: skip


@pytest.mark.parametrize("m", [(1e-3, 1e-3), (0.01, 10.0), (1e-3, 1e3)])
def test_ringing_and_loads_are_no_blow_up(m: tuple[float, float], tmp_path: Path) -> None:
    """Light masses that are loaded at once, on a line without a filter, in steps of its delay: it rings from sample to sample."""
    outcome = run(pair(stop=0.5), {"a": mass(m=m[0], load=1.0), "b": mass(m=m[1], k=1e5)}, out=tmp_path)
    assert np.abs(outcome.waves["a.p"].velocity).max() < 0.1


def test_a_manager_for_all_machines_has_a_secret_and_addresses() -> None:
    """0.0.0.0 is no address to connect to; an empty secret would be none."""
    manager = Manager(pair(), host="0.0.0.0", secret="")
    assert len(manager.secret) == 32
    port = manager.server.removeprefix("127.0.0.1:")
    assert manager.server_elsewhere == f"{socket.gethostname()}:{port}"
    manager._listener.close()
    here = Manager(pair())
    assert here.server == here.server_elsewhere
    here._listener.close()


@pytest.mark.parametrize("R", [(0.0,) * 9, (1, 0, 0, 0, 1, 0, 0, 0, -1), (2, 0, 0, 0, 2, 0, 0, 0, 2)])
def test_an_orientation_that_is_none(R: tuple[float, ...], tmp_path: Path) -> None:
    point = [InterfacePoint("p")]
    model = MetaModel(
        "space",
        [SubModel(name, interface_points=point) for name in "ab"],
        [Connection("a.p", "b.p", delay=1e-3, zf=10.0, zfr=1.0)],
        stop_time=0.1,
    )

    def turned(R: tuple[float, ...]) -> Callable[[TLMPlugin], None]:
        return lambda plugin: plugin.begin({plugin.register("p"): PointMotion((0, 0, 0), (0, 0, 0), R)})

    ends_soon(
        model,
        "component 'a': the initial orientation of 'a.p' is no rotation",
        tmp_path,
        {"a": turned(R), "b": turned(UNTURNED)},
    )


def _without_begin(plugin: TLMPlugin) -> None:
    plugin.force(plugin.register("p", 1), 1e-3, PointMotion((0.0,), (0.0,)))


def _too_far(plugin: TLMPlugin) -> None:
    point, still = plugin.register("p", 1), PointMotion((0.0,), (0.0,))
    plugin.begin({point: still})
    plugin.set_motion(point, 0.002, still)


def _in_space(plugin: TLMPlugin) -> None:
    plugin.begin({plugin.register("p", 1): PointMotion((0.0,) * 3, (0.0,) * 3)})


def _gives_up(plugin: TLMPlugin) -> None:
    plugin.begin({plugin.register("p", 1): PointMotion((0.0,), (0.0,))})
    raise CosimError("the bearing has seized")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (_without_begin, "asked for its force before the start; .*, call begin first"),
        (_too_far, r"a step at 'p' goes from 0 to 0.002 s; the line's delay is 0.001 s"),
        (_in_space, "has 3 positions and 3 velocities; it has 1 dimensions"),
        (_gives_up, "the bearing has seized"),
    ],
)
def test_a_component_that_asks_for_what_cannot_be(
    wrong: Callable[[TLMPlugin], None], message: str, tmp_path: Path
) -> None:
    """It is told at once, in its own words; no one waits for the other until time is up."""
    ends_soon(pair(), f"component 'b': it has failed: .*{message}", tmp_path, {"a": mass(load=1.0), "b": wrong})
    ends_soon(pair(), f"component '[ab]': it has failed: .*{message}", tmp_path, {"a": wrong, "b": wrong})
