"""The frame that a beam's deflection is seen from, and what the page makes of it."""

import numpy as np
import pytest

import flexor as fx
from flexor.spatial import quaternion_to_matrix
from flexor.viewer.of_run import scene_of_run
from tests.viewer.browser import page_of, until
from tests.viewer.conftest import body_of, row_of

FACTOR = 10


@pytest.fixture(scope="module")
def run() -> fx.Run:
    """A mast, clamped far from the origin, that is pulled at its tip, and a beam that swings about a hinge."""
    section, steel = fx.Tube("20 mm", "2 mm"), fx.Steel()
    mast = fx.Beam("mast", [(0, 0, 0), (0, 0, 1)], section, steel, divisions=4, position=(2, 0, 0))
    swing = fx.Beam("swing", [(0, 0, 0), (1, 0, 0)], section, steel, divisions=4)
    model = fx.Model(
        "beams",
        [
            *(mast, swing),
            fx.Fixed("foot", fx.ground.at(2, 0, 0), mast["start"]),
            fx.Revolute("pin", fx.ground, swing["start"], axis="y"),
            fx.PointForce("wind", on=mast["end"], direction="x", force=100),
        ],
        gravity=(0, 0, -9.81),
    )
    found: fx.Run = model.dynamics(until=0.3, step=5e-3, show=False)
    return found


def rigid(run: fx.Run, name: str, row: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions (k, 3) of the stations: moved, as if the beam were rigid, and at rest in its axes."""
    scene = scene_of_run(run)
    body, values = body_of(scene, name), row_of(scene, row)
    beam, at = body["beam"], body["pose"]
    x = values[beam["poses"] : beam["poses"] + 7 * beam["stations"]].reshape(-1, 7)[:, :3]
    rest = np.array(beam["rest"])[:, :3]
    return x, values[at : at + 3] + rest @ quaternion_to_matrix(values[at + 3 : at + 7]).T, rest


def test_a_clamp_on_the_ground_keeps_the_frame(run):
    x, straight, rest = rigid(run, "mast", len(run) - 1)
    assert straight == pytest.approx(rest + np.array([2, 0, 0]), abs=1e-6)
    assert x[-1, 0] - 2 > 1e-3  # it is bent


def test_a_hinge_keeps_its_point_and_the_rest_is_the_best_fit(run):
    for row in (0, 20, len(run) - 1):
        x, straight, _ = rigid(run, "swing", row)
        assert straight[0] == pytest.approx(x[0], abs=1e-6)
        assert np.linalg.norm(straight[-1] - straight[0]) == pytest.approx(1, abs=1e-6)
        assert np.linalg.norm(x - straight, axis=1).max() < 2e-3
    assert x[-1, 2] < -0.3  # it has swung


def test_the_page_enlarges_the_deflection_alone(chromium, run):
    row = len(run) - 1
    with page_of(chromium, run, state=f"settings.deformation={FACTOR}") as page:
        page.evaluate(f"window.flexor.setTime({row})")
        for name in ("mast", "swing"):
            x, straight, _ = rigid(run, name, row)
            wanted = straight + FACTOR * (x - straight)
            for station in (0, len(x) - 1):
                shown = page.evaluate(
                    f"""() => {{ const {{ app, view }} = window.flexor, {{ poses }} = view.picture;
                    const body = app.header.bodies.findIndex((b) => b.name === "{name}"), at = view.stage.camera.position.clone();
                    return poses.point(body, at, {station}, at).toArray() }}"""
                )
                assert shown == pytest.approx(wanted[station], abs=1e-5)
            if name == "mast":
                assert wanted[0] == pytest.approx((2, 0, 0), abs=1e-6)


def test_a_chosen_beam_draws_the_ways_of_its_ends(chromium, run):
    with page_of(chromium, run) as page:
        number = page.evaluate("window.flexor.app.header.bodies.findIndex((b) => b.name === 'swing')")
        page.evaluate(f"window.flexor.app.selection.set({{kind: 'body', index: {number}, node: -1}})")
        page.locator(".view canvas").first.focus()
        page.keyboard.press("t")
        assert page.evaluate("window.flexor.app.traces.value.points") == [f"{number}:0", f"{number}:4"]
        count = f"""(() => {{ const found = []; window.flexor.view.stage.scene.traverse((each) => {{
            const at = each.isLine && each.geometry.attributes.position;
            if (at && at.count === {len(run)}) found.push([...at.array]) }}); return found }})()"""
        until(page, f"{count}.length === 2")
        ways = page.evaluate(count)
        page.keyboard.press("t")
        assert page.evaluate("window.flexor.app.traces.value.points") == []
    ends = [np.asarray(run[f"swing.{end}.position"]) for end in ("start", "end")]
    assert [np.reshape(way, (-1, 3)) for way in ways] == [pytest.approx(end, abs=1e-5) for end in ends]
