"""What the commands print: text for people, one JSON object for programs."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Mapping
from typing import Annotated

import typer

from flexor.errors import CompileError, FlexorError, SolveError

FAILED, WRONG, INTERRUPTED = 1, 2, 130
"""Exit codes."""


def exit_code(error: FlexorError) -> int:
    """1 where a computation had begun, 2 where the input is to blame."""
    begun = isinstance(error, SolveError | CompileError) or getattr(error, "result", None) is not None
    return FAILED if begun else WRONG


def _remember(ctx: typer.Context, value: bool) -> bool:
    ctx.meta["flexor.json"] = value
    return value


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.", callback=_remember)]
"""Option --json of a command."""
Verify = Annotated[bool, typer.Option(help="Whether a results file must be what was written (length, check-sum).")]
"""Option --verify / --no-verify of a command."""


def as_json(ctx: typer.Context) -> bool:
    """Whether --json was given."""
    return bool(ctx.meta.get("flexor.json"))


def print_json(data: Mapping[str, object]) -> None:
    """Print an object; infinite and undefined numbers, which JSON does not know, become null."""
    text = json.dumps(_finite(data), indent=2, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:  # names must come out as they are
        text = json.dumps(_finite(data), indent=2, ensure_ascii=True)
    print(text)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    if hasattr(value, "tolist"):
        return _finite(value.tolist())
    if isinstance(value, float) and not -float("inf") < value < float("inf"):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def plain_warnings() -> None:
    """Warnings as one line on stderr, without the place in the program."""
    warnings.showwarning = lambda message, *_, **__: print(f"warning: {message}", file=sys.stderr)
