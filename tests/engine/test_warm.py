"""What is compiled beforehand: every law there is, wherever it stands."""

import re
from pathlib import Path

import flexor
from flexor.engine.warm import laws

DECLARED = re.compile(r"^@law\(.*?\)\ndef (\w+)\(", re.MULTILINE | re.DOTALL)


def test_every_law_is_compiled_beforehand():
    package = Path(flexor.__file__).parent
    declared = {name for file in package.rglob("*.py") for name in DECLARED.findall(file.read_text())}
    assert len(declared) > 15
    assert {law.name for law in laws()} == declared
