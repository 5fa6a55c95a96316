"""In the browser: what the page shows before anybody has touched it."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from tests.viewer.browser import page_of, until
from tests.viewer.test_shapes import chain

PROJECTED = """(at) => { const { camera, controls, renderer } = window.flexor.view.stage; camera.updateMatrixWorld();
    const p = controls.target.clone().set(...at).project(camera), box = renderer.domElement.getBoundingClientRect();
    return [p.x, p.y, box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height] }"""


def hanging() -> fx.Model:
    """A bar that is pulled along its own axis, on a spring that is long beside it."""
    bar = fx.RigidBody("bar", mass=1, inertia=0.01, center_of_mass=(0.15, 0, 0), markers={"tip": (0.3, 0, 0)})
    return fx.Model(
        "hanging",
        [
            bar,
            fx.Revolute("hinge", fx.ground, bar, axis="z"),
            fx.AxialSpring("spring", fx.ground.at(0.3, 2, 0), bar["tip"], stiffness=100),
            fx.PointForce("push", on=bar["tip"], direction="-x", force=100),
        ],
    )


@pytest.fixture(scope="module")
def page(chromium):
    with page_of(chromium, hanging().dynamics(until=0.02, step=1e-2, show=False)) as found:
        yield found


def test_the_first_view_holds_springs_to_the_ground(page):
    for end in ([0.3, 2, 0], [0.3, 0, 0], [0, 0, 0]):
        x, y = page.evaluate(PROJECTED, end)[:2]
        assert max(abs(x), abs(y)) < 1
    assert "viewpoint" not in page.evaluate("window.flexor.app.address.text()")


def test_an_arrow_inside_a_body_is_seen_through_it(page):
    """The longest arrow lies in the bar; pixels on the axis of the bar, seen with and without arrows."""
    import io

    from matplotlib.image import imread

    page.evaluate("window.flexor.app.hidden.set({items: [0, 1]})")
    page.keyboard.press("2")
    page.keyboard.press("f")
    seen = []
    for shown in ("true", "false"):
        page.evaluate(f"window.flexor.app.settings.set({{arrows: {shown}}})")
        page.evaluate("window.flexor.view.settled()")
        x, y = page.evaluate(PROJECTED, [0.28, 0, 0])[2:]
        clip = {"x": x - 1, "y": y - 1, "width": 3, "height": 3}
        seen.append(np.asarray(imread(io.BytesIO(page.screenshot(clip=clip))))[..., :3].mean(axis=(0, 1)))
    page.evaluate("window.flexor.app.settings.set({arrows: true})")
    page.evaluate("window.flexor.app.hidden.set({items: []})")
    assert np.abs(seen[0] - seen[1]).max() > 0.08


def test_like_parts_share_their_geometry(chromium):
    with page_of(chromium, chain(40)) as page:
        page.evaluate("window.flexor.view.settled()")
        assert page.evaluate("window.flexor.view.stage.renderer.info.render.calls") > 200
        assert page.evaluate("window.flexor.view.stage.renderer.info.memory.geometries") < 60


def test_a_drawing_waits_for_the_row_of_the_second_run(chromium):
    """Free fall with two gravities, x = g t²/2: both are right in the same picture, though the second run's row comes late."""

    def fall(g: float, step: float) -> object:
        ball = fx.RigidBody("ball", mass=1, inertia=0.1)
        rail = fx.Prismatic("rail", fx.ground, ball, axis="x")
        return fx.Model("fall", [ball, rail], gravity=(g, 0, 0)).dynamics(until=0.7, step=step, show=False)

    with page_of(chromium, fall(2, 1e-2), fall(4, 7e-3)) as page:
        until(page, "window.flexor.view.ghost.drawn")
        at = page.evaluate(
            """async () => { const { view, setTime } = window.flexor, { frames, picture } = view.ghost.shown, { sample } = frames;
            let asked = 0; frames.sample = (...given) => ++asked > 3 && sample.apply(frames, given);
            await setTime(49);
            return [view.picture, picture].map((one) => one.bodies[1].group.position.x) }"""
        )
    assert at == pytest.approx([0.49**2, 2 * 0.49**2], rel=1e-4)
