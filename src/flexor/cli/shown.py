"""Options of commands whose result can be shown in the browser."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from flexor.fatigue import Damage

ViewOption = Annotated[bool, typer.Option("--view", help="Show it in the browser, too; Ctrl-C ends it.")]
Browser = Annotated[bool, typer.Option(help="Whether the viewer opens the browser.")]
Port = Annotated[
    int, typer.Option(help="Port of the viewer on this machine; any free one by default.", min=0, max=65535)
]


def show(thing: object, port: int, browser: bool, damage: Sequence[Damage] = ()) -> None:
    """Serve a thing until Ctrl-C; damage: fatigue of bodies of a run."""
    from flexor.viewer.server import View
    from flexor.viewer.show import stage_of

    shown = View(stage_of([thing], damage=damage), port)
    print(f"view: {shown.url}\nopen this address on this machine; Ctrl-C ends it", file=sys.stderr, flush=True)
    if browser:
        shown.open_browser()
    shown.run()
