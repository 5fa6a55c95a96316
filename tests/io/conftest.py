"""Decks of these tests are odd on purpose; what is left out of them is looked for in `notes`."""

import warnings

import pytest

from flexor.mesh.note import IncompleteMesh


@pytest.fixture(autouse=True)
def _odd_decks():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IncompleteMesh)
        yield
