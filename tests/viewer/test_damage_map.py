"""Damage as fields of a scene: the numbers of every node, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.viewer.report import report_text
from flexor.viewer.show import scene_of
from tests.viewer.browser import page_at, until
from tests.viewer.conftest import swing

CURVE = fx.SNCurve.basquin("2 MPa", 3, name="soft")


@pytest.fixture(scope="module", params=["floating", "full_mesh"])
def run(request) -> fx.Run:
    return swing(request.param).dynamics(until=0.05, step=2e-3, show=False)


@pytest.fixture(scope="module")
def damage(run) -> fx.Damage:
    return run.damage("arm", CURVE, measure="xx")


def fields(scene):
    mesh = next(body["mesh"] for body in scene.header["bodies"] if body["name"] == "arm")
    return mesh, {field["name"]: field for field in mesh["fields"]}


def test_every_vertex_has_the_damage_of_its_node(run, damage):
    scene = scene_of(run, damage=damage)
    mesh, found = fields(scene)
    assert {"stress", "fatigue damage", "fatigue stress range"} <= set(found)
    shown = found["fatigue damage"]
    assert shown["components"] == ["log10_damage", "log10_life"]
    assert "S-N curve soft (stress range); mean stress not corrected" in shown["note"]
    values, ranges = (
        scene.buffers.array(found[name]["constant"]) for name in ("fatigue damage", "fatigue stress range")
    )
    assert not scene.buffers.array(shown["shapes"]).any()
    row = {int(each): k for k, each in enumerate(run.body("arm").reduced.node_ids)}
    compared = 0
    for vertex, node in enumerate(scene.buffers.array(mesh["nodes"])):
        C = damage.values[row[int(node)]]
        if 1e-11 * np.nanmax(damage.values) < C:
            compared += 1
            assert values[vertex] == pytest.approx([np.log10(C), -np.log10(C)], rel=1e-6)
            assert ranges[vertex, 0] == pytest.approx(damage.largest[row[int(node)]], rel=1e-6)
    assert compared > 20
    assert np.isfinite(values).all()


def test_without_damage_the_range_is_shown(run):
    none = run.damage("arm", fx.SNCurve.basquin("9 GPa", 3, endurance="8 GPa"), measure="xx")
    _, found = fields(scene_of(run, damage=none))
    assert "fatigue damage" not in found
    assert "fatigue stress range" in found


def test_a_report_without_stress_keeps_it(run, damage):
    text = report_text(scene_of(run, damage=[damage]), stress=False)
    assert '"fatigue damage"' in text
    assert '"name":"stress"' not in text.replace(" ", "")


def test_what_is_no_map_is_refused(run, damage):
    with pytest.raises(fx.ModelError, match="is no map of a body"):
        scene_of(run, damage=fx.damage_of(1e8 * np.sin(np.arange(9.0)), CURVE, time=np.arange(9.0)))
    with pytest.raises(fx.ModelError, match="two damages of 'arm'"):
        scene_of(run, damage=[damage, damage])
    with pytest.raises(fx.ModelError, match="is no map of a body"):
        scene_of(run, damage=["arm"])


def test_the_page_shows_it(chromium, run, damage, tmp_path):
    """What the graphics card has at the worst node."""
    file = run.report(tmp_path / "damage.html", damage=damage)
    worst = damage.max().node
    with page_at(chromium, file.as_uri()) as page:
        page.evaluate("window.flexor.app.settings.set({ field: 'fatigue damage', component: 'log10_damage' })")
        until(page, "document.body.textContent.includes('log10_damage')")
        found = page.evaluate(
            f"""async () => {{ const {{ view, app }} = window.flexor, index = app.header.bodies.findIndex((b) => b.name === "arm");
            await view.settled();
            const body = view.picture.bodies[index];
            await body.prepareField("fatigue damage");
            body.deformer.show("fatigue damage", 0);
            return body.deformer.fieldAt(body.nodes.indexOf({worst})).value }}"""
        )
    assert found == pytest.approx(np.log10(damage.max().value), rel=1e-4)
