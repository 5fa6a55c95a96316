"""The fenced code blocks of a Markdown page."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def code_blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """(line, text) of every block in a language."""
    text = page.read_text(encoding="utf-8")
    return [
        (text[: match.start(2)].count("\n") + 1, match[2]) for match in _BLOCK.finditer(text) if match[1] == language
    ]
