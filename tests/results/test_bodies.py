"""Bodies that deform, asked for by name in a run or a position."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError
from flexor.mesh.generate import bar

STEEL = fx.Steel()


def mast():
    """A cantilever of 2 m, 40 × 20 mm, 100 N across at its tip, and a weight that does not deform."""
    beam = fx.Beam("mast", points=[(0, 0, 0), (2, 0, 0)], section=fx.Rectangle(0.04, 0.02), material=STEEL, divisions=8)
    weight = fx.RigidBody("weight", mass=1.0)
    return fx.Model("mast", [
        beam,
        weight,
        fx.Fixed("foot", fx.ground, beam["start"]),
        fx.Fixed("top", beam["end"], weight),
        fx.PointForce("push", on=beam["end"], direction="y", force=100),
    ])  # fmt: skip


def test_a_beam_has_section_forces_and_says_so():
    position = mast().statics()
    for ask in (position.stress, position.body, lambda name: position.vtu(name, "nowhere")):
        with pytest.raises(ModelError) as caught:
            ask("mast")
        text = str(caught.value)
        assert text.startswith("beam 'mast': a beam has no mesh in which stress is recovered; it has section forces")
        assert 'section_forces("mast").at("120 mm")' in text
        assert "mast.element 1.axial_force" in text
    assert "mast.element 1.axial_force" in position.signals
    forces = position.section_forces("mast")
    assert forces.force("Qy", "500 mm").values[0] == pytest.approx(100, rel=1e-2)
    assert abs(forces.force("Mz", "500 mm").values[0]) == pytest.approx(150, rel=1e-2)


def test_section_forces_over_a_run():
    run = mast().dynamics(until=2e-3, step=1e-3, show=False)
    series = run.section_forces("mast").force("N", "1 m")
    assert series.values.shape == run.time.shape
    with pytest.raises(ModelError, match=r"beam 'mast'.*section forces"):
        run.stress("mast")


def test_section_forces_of_beam_elements_in_a_mesh():
    mesh = bar(1.0, 0.02, 0.01, (4,), element="beam2", section=fx.Rectangle(0.02, 0.01), material=STEEL)
    body = fx.FlexibleBody("arm", mesh, interfaces={"root": "x_min", "tip": "x_max"})
    pull = fx.PointForce("pull", on=body["tip"], direction="x", force=50)
    position = fx.Model("arm", [body, fx.Fixed("clamp", fx.ground, body["root"]), pull]).statics()
    element = int(mesh.blocks[0].ids[1])
    np.testing.assert_allclose(position.section_forces("arm").force("N", element).values, 50, rtol=1e-6)


def test_other_names():
    position = mast().statics()
    with pytest.raises(ModelError, match=r"body 'weight': it does not deform; the model has no flexible body"):
        position.stress("weight")
    with pytest.raises(ModelError, match=r"body 'mats': there is no such body"):
        position.stress("mats")
