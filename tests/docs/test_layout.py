"""The table of folders in CONTRIBUTING stands in the order of the layers that imports obey."""

from __future__ import annotations

import re
import tomllib

from tests.docs.code_blocks import DOCS

TOP = DOCS.parent


def test_folders_are_told_in_the_order_of_the_layers():
    settings = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = [each for each in settings["tool"]["importlinter"]["contracts"] if each["type"] == "layers"]
    rank = {name: i for i, layer in enumerate(reversed(contract["layers"])) for name in re.findall(r"\w+", layer)}
    page = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.partition("| folder in `src/flexor` |")[2].partition("\n\n")[0]
    told = [name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert len(told) > 15
    assert [rank[name] for name in told] == sorted(rank[name] for name in told)
