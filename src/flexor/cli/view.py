"""flexor view: models, runs, meshes and reduced bodies in the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from flexor.cli.output import Json, Verify, plain_warnings, print_json
from flexor.cli.shown import Browser, Port


def view(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Results (.h5; two are compared), model (.yaml, .json), mesh (.inp, .bdf, .msh …), reduced body."
        ),
    ],
    port: Port = 0,
    browser: Browser = True,
    verify: Verify = True,
    json: Json = False,
) -> None:
    """Show a run, a model, a mesh or a reduced body in the browser; Ctrl-C ends it."""
    from flexor.viewer.serve_files import serve_files

    plain_warnings()
    shown = serve_files(files, port, verify)
    if json:
        print_json({"url": shown.url, "files": files})
    else:
        print(f"{', '.join(file.name for file in files)}: {shown.url}")
        print("open this address on this machine; Ctrl-C ends it", file=sys.stderr)
    sys.stdout.flush()
    if browser:
        shown.open_browser()
    shown.run()
    if shown.stage.busy:  # nobody waits for that scene any more
        sys.stdout.flush()
        os._exit(0)
