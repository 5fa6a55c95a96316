"""The page in the hand: keys after lists and buttons, the viewpoint in the address, fitting, principal values, two runs, videos."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from tests.viewer.browser import page_of, until
from tests.viewer.conftest import swing

PRINCIPAL = {"principal_1": 7, "principal_2": 8, "principal_3": 9, "tresca": 11, "max_shear": 12}


@pytest.fixture(scope="module")
def page(chromium, run):
    with page_of(chromium, run) as found:
        yield found


def tensors() -> np.ndarray:
    """(n, 6) components xx yy zz xy yz zx [Pa]: general states, and ones with two principal values that are (nearly) equal, in turned axes."""
    random = np.random.default_rng(3)
    axes = [np.linalg.qr(random.normal(size=(3, 3)))[0] for _ in range(60)]
    values = [
        *random.normal(size=(20, 3)),
        *(np.array([1, 4e-4, 4e-4 + 2.0**-k]) for k in range(12, 32)),
        *(np.array([-1, 1e-7 * k, 0]) for k in range(10)),
        *(np.array([1, 1, 1 - 10.0**-k]) for k in range(10)),
    ]
    found = [turn @ np.diag(each) @ turn.T for turn, each in zip(axes, values)]
    found += [np.diag(each) for each in np.eye(3)] + [np.eye(3), np.zeros((3, 3))]
    return 1e8 * np.array([[m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[1, 2], m[2, 0]] for m in found], dtype=np.float32)


def test_principal_values_on_the_gpu_have_the_digits_of_single_precision(page):
    """Against the eigenvalues of LAPACK, in parts of the largest component of each tensor."""
    given = tensors()
    shown = page.evaluate(
        """([given, codes]) => { const { view } = window.flexor, { renderer } = view.stage;
        const Deformer = view.picture.bodies.find((b) => b.deformer).deformer.constructor, n = given.length / 6;
        const made = new Deformer(renderer, new Float32Array(3 * n), 1, null, new Uint8Array(n).fill(1));
        made.addField("stress", new Float32Array(given), 6, null);
        made.update(new Float32Array([1]), 0);
        const out = codes.map((code) => { made.show("stress", code); return Array.from({ length: n }, (_, v) => made.fieldAt(v).value) });
        made.dispose(); return out }""",
        [given.ravel().tolist(), list(PRINCIPAL.values())],
    )
    xx, yy, zz, xy, yz, zx = given.astype(float).T
    exact = np.linalg.eigvalsh(np.moveaxis(np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]), -1, 0))[:, ::-1]
    span = exact[:, 0] - exact[:, 2]
    wanted = np.array([*exact.T, span, span / 2])
    assert np.abs(np.array(shown) - wanted).max(axis=0) == pytest.approx(0, abs=1e-6 * 1e8)


def test_keys_act_after_a_list_or_a_button_was_used(page):
    value = "window.flexor.app.{}.value.{}"
    page.evaluate("window.flexor.setTime(5)")
    page.locator("select[name=field]").click()
    page.keyboard.press("Escape")
    page.locator("select[name=field]").select_option("stress")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(value.format("clock", "row")) == pytest.approx(6)
    theme = page.evaluate("document.documentElement.dataset.theme")
    page.keyboard.press("d")
    assert page.evaluate("document.documentElement.dataset.theme") != theme
    assert page.evaluate(value.format("settings", "field")) == "stress"
    page.get_by_role("button", name="One frame on").click()
    page.keyboard.press("Space")
    assert page.evaluate(value.format("clock", "playing")) is True
    page.keyboard.press("Space")
    assert page.evaluate(value.format("clock", "playing")) is False
    page.evaluate("window.flexor.app.settings.set({field: ''})")


def test_the_address_holds_the_viewpoint_after_every_change(chromium, run):
    """After a drag, standard views, fitting, and both kinds of camera, each from the state before."""
    where = "[window.flexor.view.stage.viewpoint(), window.flexor.view.stage.camera.isOrthographicCamera === true]"
    told: list = []
    with page_of(chromium, run) as page:
        opening = page.evaluate("window.flexor.app.address.text()")
        address = page.url.partition("#")[0]
        assert "viewpoint" not in opening
        for keys in ("2", "6f", "o", "2of", "oo5"):
            canvas = page.locator(".view canvas").first.bounding_box()
            page.mouse.move(canvas["x"] + 40, canvas["y"] + 300)
            page.mouse.down()
            page.mouse.move(canvas["x"] + 90, canvas["y"] + 330, steps=3)
            page.mouse.up()
            for key in keys:
                page.keyboard.press(key)
            page.evaluate("window.flexor.view.settled()")
            told.append((page.evaluate(where), page.evaluate("window.flexor.app.address.text()")))
        for left, state in told:
            page.goto("about:blank")
            page.goto(f"{address}#{state}")
            until(page, "window.flexor?.app !== undefined")
            found = page.evaluate(where)
            assert found[1] is left[1]
            for key in ("position", "target", "height"):
                assert found[0][key] == pytest.approx(left[0][key], rel=1e-4, abs=1e-4 * left[0]["height"])
        left, state = told[0]
        pasted = """(state) => {
            const address = window.flexor.app.address;
            window.flexor = undefined;
            location.hash = state;
            address.write();  // what was still to be written there comes before the page hears of the link
        }"""
        page.evaluate(pasted, state)  # a link, into the page that shows another view
        until(page, "window.flexor?.app !== undefined")
        assert page.evaluate(where)[0]["position"] == pytest.approx(left[0]["position"], rel=1e-4, abs=1e-4)


def test_fit_shows_springs_and_arrows_too(chromium):
    """A small mass hangs on a long spring from the ground: the fixed end of the spring is in the picture."""
    mass = fx.RigidBody("mass", mass=1, inertia=0.01, position=(0, 0, 0))
    spring = fx.AxialSpring("spring", fx.ground.at(0, 3, 0), mass, stiffness=100)
    hanging = fx.Model(
        "hanging", [mass, fx.Prismatic("guide", fx.ground, mass, axis="y"), spring], gravity=(0, -9.81, 0)
    )
    with page_of(chromium, hanging.dynamics(until=0.02, step=1e-2, show=False)) as page:
        for keys in ("2f", "of"):
            for key in keys:
                page.keyboard.press(key)
            page.evaluate("window.flexor.view.settled()")
            x, y = page.evaluate(
                """(() => { const { view } = window.flexor, { camera, controls } = view.stage;
                camera.updateMatrixWorld(); const p = controls.target.clone().set(0, 3, 0).project(camera); return [p.x, p.y] })()"""
            )
            assert max(abs(x), abs(y)) < 1


def test_a_video_is_as_long_as_its_pass_however_slowly_it_is_drawn(page):
    """0.1 s at a tenth of the speed are 1 s, in 30 pictures that play on their own times."""
    page.evaluate("window.flexor.app.clock.set({speed: 0.1})")
    seconds, width, ended, shown = page.evaluate(
        """async () => { const { view } = window.flexor, settled = view.settled.bind(view);
        view.settled = async () => { await settled(); await new Promise((done) => setTimeout(done, 60)) }; // slow drawing
        const blob = await window.flexor.video(); view.settled = settled;
        const player = document.createElement("video"); player.muted = true; player.src = URL.createObjectURL(blob);
        await new Promise((done, fail) => { player.onloadeddata = done; player.onerror = () => fail(player.error.message) });
        const { duration, videoWidth } = player;
        player.currentTime = 0.9; await new Promise((done) => (player.onseeked = done));
        return [duration, videoWidth, player.currentTime, player.getVideoPlaybackQuality?.().totalVideoFrames ?? -1] }"""
    )
    assert seconds == pytest.approx(1, abs=0.04)
    assert width > 100
    assert ended == pytest.approx(0.9, abs=0.05)
    assert shown != 0


def test_the_second_of_two_runs_is_shown_at_once_with_its_values_and_its_end(chromium, run):
    short = swing("floating").dynamics(until=0.05, step=1e-3, show=False)
    state = 'plots.panels=[{"kind":"time","signals":["weight.position_x"]}]'
    with page_of(chromium, run, short, state=state) as page:
        until(page, "window.flexor.view.ghost.drawn")
        page.evaluate("window.flexor.setTime(10)")
        legend, note = page.locator(".p-plots .p-value").first, page.locator(".ghost-note")
        page.locator(".p-plots .p-value", has_text="dashed:").first.wait_for()
        assert legend.inner_text().count(" m") >= 2
        assert "ended" not in note.inner_text()
        page.evaluate("window.flexor.setTime(40)")
        assert "dashed: –" in legend.inner_text()
        assert "ended at 50 ms" in note.inner_text()
        page.locator("select.compare").select_option("-1")
        assert note.is_hidden()
        alone = page.evaluate("window.flexor.app.address.text()")
    with page_of(chromium, run, short, state=alone) as page:
        assert page.evaluate("window.flexor.app.settings.value.ghost") == -1


def test_the_legend_veils_no_more_than_itself(page):
    page.evaluate("window.flexor.app.settings.set({field: 'stress', component: 'von_mises'})")
    page.wait_for_selector(".legend:not([hidden])")
    page.evaluate("window.flexor.view.contours.settled")
    assert page.locator(".legend").evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)"
    row, ticks = (page.locator(each).first.bounding_box() for each in (".legend-row", ".legend .ticks"))
    assert row["width"] < 110
    assert ticks["x"] + ticks["width"] <= row["x"] + row["width"]
    page.evaluate("window.flexor.app.settings.set({field: ''})")
