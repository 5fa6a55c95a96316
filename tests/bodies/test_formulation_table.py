"""Every formulation of a flexible body answers what is asked of it, and nobody else asks for its name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.body import Start
from flexor.bodies.formulations import FORMULATIONS, Formulation
from flexor.mesh.generate import bar
from flexor.recover.from_signals import COORDINATES
from flexor.recover.of_body import HISTORIES
from flexor.reduce.meshed_body import MeshedBody
from flexor.reduce.reduced import ReducedBody
from flexor.results.mode_shapes import NODAL
from flexor.solve.bending import BENDING
from flexor.spatial import Pose

SOURCE = Path(fx.__file__).parent
MESH = bar(0.3, 0.02, 0.01, (3, 1, 1), material=fx.Steel())
FACTS = [name for name in Formulation.__annotations__ if name != "without_effect"]


def arm(formulation):
    ends = {"root": "x_min", "tip": "x_max"}
    return fx.FlexibleBody("arm", MESH, interfaces=ends, reduction=fx.CraigBampton(modes=2), formulation=formulation)


def test_what_a_user_may_write_is_the_table():
    assert get_args(fx.FlexibleBody.model_fields["formulation"].annotation) == tuple(FORMULATIONS)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_every_formulation_answers(name):
    kind, body = FORMULATIONS[name], arm(name)
    assert all(isinstance(getattr(kind, fact), bool) for fact in FACTS)
    assert set(kind.without_effect) <= set(fx.FlexibleBody.model_fields)
    assert (body.flexible, body.may_follow) == (kind.flexible, kind.may_follow)
    assert isinstance(body.made, MeshedBody)
    assert body.made.mass_properties.mass == pytest.approx(0.3 * 0.02 * 0.01 * 7850)
    node, at = body.carrier("tip", np.array([0.3, 0, 0]))
    parts = body.parts(Start(Pose(), np.zeros(6)))
    assert parts.terms
    np.testing.assert_allclose(parts.nodes[node].x, at, atol=1e-12)
    load, *_ = body.realisation.load("push", [fx.Pressure("x_max", 1.0)], fx.Constant(1.0), 1, 0)
    assert load.name == "push"


def test_tables_above_know_every_formulation():
    """All have a history; those of linear theory are watched, and their coordinates tell the shapes of modes."""
    kinds = set(FORMULATIONS.values())
    assert set(HISTORIES) == kinds
    reduces = {type(body.realisation) for body in map(arm, FORMULATIONS) if isinstance(body.made, ReducedBody)}
    assert set(COORDINATES) == reduces
    assert set(NODAL) == set(BENDING) <= {kind for kind in kinds if kind.flexible}


def test_nobody_compares_the_name_of_a_formulation():
    """Beams have formulations of their own."""
    asking = re.compile(r"formulation\s*(?:[=!]=|(?:not )?in)\s*[\"'(\[{]")
    files = [file for file in SOURCE.rglob("*.py") if file.parent.name != "beam"]
    assert not [str(file) for file in files if asking.search(file.read_text(encoding="utf-8"))]
