"""Writes the tables of options in docs/how-to/analyses.md: `python -m docs.analyses`.

They come from signatures, docstrings and field descriptions; a test checks that they are up to date.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import flexor as fx
from flexor.declaration import Declaration
from flexor.law import law
from flexor.results.options import ANALYSES, COMMON, meanings

FILE = Path(__file__).parent / "how-to" / "analyses.md"
THINGS: dict[str, Any] = {f"Model.{name}": getattr(fx.Model, name) for name in ANALYSES} | {
    "MeshStudy": fx.MeshStudy,
    "MeshStudy.modes": fx.MeshStudy.modes,
    "read_mesh": fx.read_mesh,
    "read_matrices": fx.read_matrices,
    "mesh_step": fx.mesh_step,
    "UserLaw": fx.UserLaw,
    "law": law,
}
"""What the page tells the options of, by the name in its marks."""
_BLOCK = re.compile(r"(<!-- options of (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def page() -> str:
    """The page as it is, with its tables as they should be."""
    text = FILE.read_text(encoding="utf-8")
    return _BLOCK.sub(lambda block: block[1] + table(THINGS[block[2]]) + block[3], text)


def table(thing: Any) -> str:
    """Every option with its default and meaning."""
    parameters = {n: p for n, p in inspect.signature(thing).parameters.items() if n != "self"}
    told = _told(thing, parameters)
    rows = [f"| `{name}` | {_default(each)} | {_escaped(told.get(name, ''))} |\n" for name, each in parameters.items()]
    return "".join(["| option | default | meaning |\n", "| --- | --- | --- |\n", *rows])


def _told(thing: Any, names: dict[str, Any]) -> dict[str, str]:
    if isinstance(thing, type) and issubclass(thing, Declaration):
        return {name: field.description or "" for name, field in thing.model_fields.items()}
    return COMMON | meanings(inspect.getdoc(thing) or "", names)


def _default(parameter: inspect.Parameter) -> str:
    if parameter.default is inspect.Parameter.empty:
        return "*required*"
    default = parameter.default
    if isinstance(default, Declaration):
        return f"`{type(default).__name__}()`"
    return f"`{default!r}`".replace("|", "\\|")


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
    print(FILE)
