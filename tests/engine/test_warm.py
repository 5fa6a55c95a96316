"""What is compiled beforehand: every law there is, wherever it stands."""

import inspect
import re
from pathlib import Path

import flexor
from flexor.engine.system import KERNELS, LATER
from flexor.engine.warm import laws
from flexor.hierarchy import stepper
from flexor.law.fingerprint import references
from tests.laws import flexible
from tests.laws.samples import REGISTERED, samples_of

CALLED = re.compile(r"call\(T\.(\w+), T\)")
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


def called_by(function, seen):
    """Kernels that a function calls through the table, in functions that it calls as well."""
    if function in seen:
        return set()
    seen.add(function)
    found = set(CALLED.findall(inspect.getsource(function)))
    for _, value in references(function):
        if inspect.isfunction(value) and value.__module__.startswith("flexor."):
            found |= called_by(value, seen)
    return found


def test_kernels_that_wait_are_called_by_none_that_does_not_name_them():
    assert called_by(KERNELS["loop"], set()) > {"step", "commit", "begin_anew"}
    for name, kernel in KERNELS.items():
        assert called_by(kernel, set()) & LATER.keys() == set(LATER.get(name, ())), name
    for kernel in (*stepper.KERNELS.values(), *stepper.THROUGH_TREE.values(), *stepper.ARTICULATED.values()):
        assert not called_by(kernel, set()) & LATER.keys(), kernel
