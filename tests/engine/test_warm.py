"""What is compiled beforehand: every law there is, wherever it stands."""

import re
from pathlib import Path

import flexor
from flexor.engine.warm import laws
from tests.laws import flexible
from tests.laws.samples import REGISTERED, samples_of

DECLARED = re.compile(r"^@law\(.*?\)[^\n]*\ndef (\w+)\(", re.MULTILINE | re.DOTALL)
MADE = re.compile(r"\)\(\s*\w+\(\s*\"(\w+)\",")
"""Laws that are made for several coordinates: law(…)(sticking_friction("guide_friction", …))."""


def test_every_law_is_compiled_beforehand():
    package = Path(flexor.__file__).parent
    texts = [file.read_text() for file in package.rglob("*.py") if "law(" in file.read_text()]
    declared = {name for text in texts for name in (*DECLARED.findall(text), *MADE.findall(text))}
    assert len(declared) > 15
    assert {law.name for law in laws()} == declared


def test_the_laws_of_all_samples_are_warmed():
    warmed = {law.name for law in laws()}
    used = {term.law.name for sample in samples_of(*REGISTERED) for term in sample.terms()}
    used = {
        name for name in used if not name.startswith("touch_")
    }  # one for each pair of surfaces: made when it is needed
    for name in flexible.SAMPLES:
        used |= {term.law.name for term in flexible.sample(name).parts.terms}
    assert {"superelement", "floating_body", "exact_beam"} <= used
    assert used <= warmed
