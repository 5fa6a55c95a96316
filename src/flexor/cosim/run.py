"""A whole co-simulation: manager, programs by their start commands, and components of this process in threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from flexor.cosim.meta_model import MetaModel
from flexor.cosim.processes import Processes, file_name
from flexor.cosim.tlm.manager import CONNECT, LOCAL, Manager
from flexor.cosim.tlm.plugin import LONGER, TIMEOUT, CosimError, TLMPlugin
from flexor.cosim.tlm.wave_log import ENDING, WaveLog

Simulate = Callable[[TLMPlugin], None]
"""A component in Python: given its plugin, connected, it registers its interfaces, simulates, and says `done`."""


@dataclass(frozen=True)
class Outcome:
    """What a co-simulation leaves behind."""

    model: MetaModel
    log: Path
    exchanged: int
    """Messages with waves that went through."""

    @property
    def waves(self) -> WaveLog:
        """Every wave, read from the log."""
        return WaveLog.load(self.log)


def run(
    model: MetaModel,
    components: Mapping[str, Simulate] | None = None,
    *,
    folder: str | Path = ".",
    out: str | Path | None = None,
    host: str = LOCAL,
    secret: str | None = None,
    timeout: float = TIMEOUT,
    connect: float = CONNECT,
    progress: Callable[[dict[str, float]], None] | None = None,
    announce: Callable[[str], None] | None = None,
    watch: bool = True,
) -> Outcome:
    """Simulate a meta-model; CosimError, which names the component to blame, if it had to stop. The log holds what there is by then.

    components: those that are Python functions of this process.   folder: where start commands run and model files lie.
    out: folder for the log and the programs' output, by default `folder`.   host: "0.0.0.0" lets other machines take part.
    announce: is told how to start the components that are started by hand.   watch: as of `Manager`.
    """
    components = dict(components or {})
    folder, out = Path(folder), Path(out if out is not None else folder)
    programs = Processes(model, folder, out)
    log = out / f"{file_name(model.name)}{ENDING}"
    manager = Manager(
        model,
        host=host,
        secret=secret,
        timeout=timeout,
        connect=connect,
        log=log,
        progress=progress,
        alive=programs.ended,
        watch=watch,
    )
    threads = [
        threading.Thread(
            target=_component, args=(name, simulate, manager, timeout + LONGER), name=f"component {name}", daemon=True
        )
        for name, simulate in components.items()
    ]
    try:
        by_hand = programs.start(
            manager.server,
            manager.secret,
            timeout + LONGER,
            without=set(components),
            elsewhere=manager.server_elsewhere,
        )
        if announce is not None:
            for line in by_hand:
                announce(line)
        for thread in threads:
            thread.start()
        manager.run()
        programs.finish()
    except CosimError as error:
        error.result = log
        raise
    finally:
        programs.end()
        for thread in threads:
            if thread.ident is not None:
                thread.join(timeout=5.0)
    return Outcome(model, log, manager.exchanged)


def _component(name: str, simulate: Simulate, manager: Manager, timeout: float) -> None:
    try:
        with TLMPlugin.connect(name, manager.server, manager.secret, timeout=timeout) as plugin:
            simulate(plugin)
    except Exception:
        pass
