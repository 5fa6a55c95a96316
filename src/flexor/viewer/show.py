"""Showing things: files and objects become scenes, a server shows them, and a browser opens."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexor.errors import FileError, ModelError, Problem
from flexor.fatigue import Damage
from flexor.io.read_mesh import mesh_of_file
from flexor.mesh.mesh import Mesh
from flexor.model import Model
from flexor.recover import StrainGauge
from flexor.reduce.full import NaturalModes
from flexor.reduce.reduced import ReducedBody
from flexor.results.mode_shapes import ModeShapes
from flexor.results.position import Position
from flexor.results.run import Run
from flexor.solve.campbell import Campbell
from flexor.viewer.damage_map import with_damage
from flexor.viewer.gauges import with_gauges
from flexor.viewer.of_campbell import scene_of_campbell
from flexor.viewer.of_mesh import scene_of_mesh
from flexor.viewer.of_mesh_modes import scene_of_mesh_modes
from flexor.viewer.of_model import scene_of_model
from flexor.viewer.of_modes import scene_of_modes
from flexor.viewer.of_position import scene_of_position
from flexor.viewer.of_reduced import scene_of_reduced
from flexor.viewer.of_run import scene_of_run
from flexor.viewer.report import write_report
from flexor.viewer.scene import Scene
from flexor.viewer.shown_file import mark_of, names_of, numbered
from flexor.viewer.stage import Make, Stage

if TYPE_CHECKING:
    from flexor.viewer.server import View

MESHES = (".inp", ".bdf", ".nas", ".dat", ".msh", ".fem", ".pch", ".blk")
SCENES: dict[type, Callable[[Any], Scene]] = {
    Run: scene_of_run,
    Model: scene_of_model,
    Mesh: scene_of_mesh,
    ReducedBody: scene_of_reduced,
    ModeShapes: scene_of_modes,
    Position: scene_of_position,
    Campbell: scene_of_campbell,
    NaturalModes: scene_of_mesh_modes,
}
_views: list[Any] = []
"""Servers beside the program, which live as long as it does."""


def scene_of(thing: object, gauges: Sequence[StrainGauge] = (), damage: Damage | Sequence[Damage] = ()) -> Scene:
    """The scene of a run, an equilibrium, a model, a mesh, a reduced body, modes (of a model or a mesh) or a Campbell diagram."""
    for kind, make in SCENES.items():
        if isinstance(thing, kind):
            found = make(thing)
            if not isinstance(thing, Run):
                return found
            return with_damage(with_gauges(found, thing, gauges), (damage,) if isinstance(damage, Damage) else damage)
    what, fix = f"a {type(thing).__name__} cannot be shown", "show a run, a model, a mesh, a reduced body or modes"
    raise ModelError(Problem("view", what, "", fix))


def scene_of_file(path: Path, verify: bool = True) -> Scene:
    """The scene of a results file, a model, a mesh or a reduced body."""
    return scene_of(thing_in(path, verify))


def thing_in(path: Path, verify: bool = True) -> object:
    """What is in a file, by its name."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise FileError(Problem(str(path), what, fix="check the path; runs write <model name>.flexor.h5"))
    if path.name.endswith(".reduced.h5"):
        return ReducedBody.load(path)
    if path.suffix.lower() in (".h5", ".hdf5"):
        return Run(path, verify)
    if path.suffix.lower() in MESHES:
        return mesh_of_file(path)
    return Model.load(path)


def stage_of(
    things: Sequence[object], gauges: Sequence[StrainGauge] = (), damage: Damage | Sequence[Damage] = ()
) -> Stage:
    """Things side by side, made when they are asked for."""
    names = numbered([name_of(thing) for thing in things])
    return Stage([partial(scene_of, thing, gauges, damage) for thing in things], names)


def stage_of_files(paths: Sequence[Path], verify: bool = True) -> Stage:
    makers: list[Make] = [partial(scene_of_file, path, verify) for path in paths]
    return Stage(makers, names_of(paths), [partial(mark_of, path) for path in paths])


def name_of(thing: object) -> str:
    """How a thing is called: its file, or its own name."""
    file = getattr(thing, "file", None)
    if isinstance(file, Path):
        return file.name
    own = getattr(thing, "name", None) or getattr(getattr(thing, "model", None), "name", None)
    return str(own or getattr(thing, "title", None) or type(thing).__name__)


def view(
    *things: object,
    gauges: Sequence[StrainGauge] = (),
    damage: Damage | Sequence[Damage] = (),
    port: int = 0,
    browser: bool | None = None,
    wait: bool | None = None,
) -> View:
    """Show things in the browser: a run, or two to compare.

    gauges: strain gauges on the flexible bodies of runs, drawn there, with their readings as signals.
    damage: fatigue damage of flexible bodies, `run.damage("rod", …)`, shown as fields beside stress.
    port: of the server on this machine; any free one if 0.   browser: whether to open one; not within a notebook by default.
    wait: whether to go on serving until Ctrl-C; so in a script by default, while a notebook or a prompt goes on.
    """
    from flexor.viewer.server import View

    shown = View(stage_of(things, gauges, damage), port)
    inline = in_notebook()
    if browser if browser is not None else not inline:
        shown.open_browser()
    if wait if wait is not None else not (inline or hasattr(sys, "ps1") or sys.flags.interactive):
        print(f"{shown} (Ctrl-C ends it)", file=sys.stderr)
        shown.run()
        return shown
    _views.append(shown)
    return shown.start()


def report(
    thing: object,
    file: str | Path,
    gauges: Sequence[StrainGauge] = (),
    damage: Damage | Sequence[Damage] = (),
    **options: Any,
) -> Path:
    """Write one page that shows a thing; options of `write_report`."""
    return write_report(scene_of(thing, gauges, damage), file, **options)


def in_notebook() -> bool:
    """Whether a notebook shows what an expression gives."""
    shell: Callable[[], object] | None = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return shell is not None and type(shell()).__name__ == "ZMQInteractiveShell"
