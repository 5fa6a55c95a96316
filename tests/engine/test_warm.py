"""Warming the cache compiles every law that a model may use."""

from flexor.engine.warm import laws
from tests.laws import flexible
from tests.laws.samples import REGISTERED, samples_of


def test_the_laws_of_all_samples_are_warmed():
    warmed = {law.name for law in laws()}
    used = {term.law.name for sample in samples_of(*REGISTERED) for term in sample.terms()}
    for name in flexible.SAMPLES:
        used |= {term.law.name for term in flexible.sample(name).parts.terms}
    assert {"superelement", "floating_body", "exact_beam"} <= used
    assert used <= warmed
