"""The commands of `flexor` and what they have in common: errors, exit codes, --version.

Exit codes: 0 all is well; 1 a run failed; 2 the model, a file or the command line is wrong; 130 Ctrl-C.
"""

from __future__ import annotations

import errno
import os
import sys

import typer
from typer.core import TyperGroup

from flexor import __version__
from flexor.cli.campbell import campbell
from flexor.cli.check import check
from flexor.cli.cosim import component, cosim
from flexor.cli.demo import demo
from flexor.cli.eig import eig
from flexor.cli.fatigue import fatigue
from flexor.cli.frequency import frequency
from flexor.cli.info import info
from flexor.cli.new import new
from flexor.cli.output import INTERRUPTED, WRONG, as_json, exit_code, print_json
from flexor.cli.plot import plot
from flexor.cli.reduce import reduce
from flexor.cli.report import report
from flexor.cli.run import run
from flexor.cli.static import static
from flexor.cli.terminal import watch_output
from flexor.cli.view import view
from flexor.errors import FileError, FlexorError


class Commands(TyperGroup):
    """Runs a command; errors of Flexor become a message and an exit code, others keep their traceback."""

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        try:
            return super().invoke(ctx)
        except FlexorError as error:
            code = exit_code(error)
            if as_json(ctx):
                print_json({"error": type(error).__name__, "message": str(error), "exit_code": code})
            print(f"{kind_of(error)}: {error}", file=sys.stderr)
            raise typer.Exit(code) from None
        except KeyboardInterrupt:
            print("stopped by Ctrl-C", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
        except OSError as error:  # what no command foresaw, and no mistake of the program
            if error.filename is None or error.errno == errno.EPIPE:
                raise
            print(f"file error: {error.filename}: {error.strerror}{_without_directory()}", file=sys.stderr)
            raise typer.Exit(WRONG) from None


def _without_directory() -> str:
    try:
        os.getcwd()
    except FileNotFoundError:
        return "; the working directory was deleted, change to another one"
    return ""


def kind_of(error: FlexorError) -> str:
    """What the error is about, in one word or two: "model error", "file error"."""
    word = type(error).__name__.removesuffix("Error")
    return f"{word.lower()} error" if word and word != "Flexor" and type(error).__name__ != word else "error"


app = typer.Typer(
    name="flexor",
    cls=Commands,
    help="Flexible multibody dynamics: check, run and look at mechanisms.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    demo,
    new,
    check,
    info,
    run,
    plot,
    eig,
    campbell,
    frequency,
    static,
    reduce,
    fatigue,
    view,
    report,
    cosim,
    component,
):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"flexor {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None: ...


def main() -> None:
    """Entry point of the command line."""
    output = watch_output()
    code: str | int | None = 0
    try:
        app()
    except SystemExit as end:
        code = end.code
    except FileError as error:  # what is printed before a command begins, as --help
        code = _untold(error)
    if not code and (lost := output.finish()) is not None:
        code = _untold(lost)
    sys.exit(code)


def _untold(error: FileError) -> int:
    print(f"{kind_of(error)}: {error}", file=sys.stderr)
    return WRONG
