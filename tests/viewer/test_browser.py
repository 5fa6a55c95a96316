"""The page in a browser: it shows the numbers that recovery gives, moves with the clock, and runs nothing that a model names."""

from __future__ import annotations

import dataclasses
import io
import json
import threading
from pathlib import Path

import numpy as np
import pytest

import flexor as fx
from flexor.results.analyses import over_time
from flexor.viewer.live import Live
from flexor.viewer.of_run import scene_of_run
from flexor.viewer.server import View
from flexor.viewer.show import report
from flexor.viewer.stage import Stage
from flexor.viewer.watch import Watch
from tests.viewer.browser import page_at, page_of, until
from tests.viewer.conftest import HOSTILE, LONG, swing

ROW = 37
COMPONENTS = ("xx", "yy", "zz", "xy", "yz", "zx")


@pytest.fixture(scope="module")
def page(chromium, run):
    with page_of(chromium, run) as found:
        yield found


def brightness(page) -> np.ndarray:
    """(height, width) of what is drawn in the view."""
    from matplotlib.image import imread

    canvas = page.locator(".view")
    return np.asarray(imread(io.BytesIO(canvas.screenshot())))[..., :3].sum(axis=-1)


def test_gpu_shows_what_recovery_gives(chromium, swung):
    history = swung.body("arm")
    number = {int(each): i for i, each in enumerate(history.reduced.node_ids)}
    with page_of(chromium, swung) as page:
        page.evaluate(f"window.flexor.setTime({ROW})")
        mesh = page.evaluate("window.flexor.app.header.bodies.find((b) => b.name === 'arm').mesh")
        ids = page.evaluate(
            """async () => { const { app } = window.flexor, { nodes } = app.header.bodies.find((b) => b.name === "arm").mesh;
            return [...new Uint32Array(await app.source.buffer(nodes.buffer))] }"""
        )
        chosen = [ids[0], ids[len(ids) // 2], ids[-3]]
        found = [page.evaluate(f"window.flexor.probe('arm', {each})") for each in chosen]
    points = history.points(ROW)
    size = np.ptp(points, axis=0).max()
    for each, probe in zip(chosen, found):
        assert probe["position"] == pytest.approx(points[number[each]], abs=1e-5 * size)
    if not mesh["modes"]:
        assert swung.model["arm"].formulation == "rigid"
        return
    moved = history.deformed(ROW)[:, :3]
    largest = np.abs(moved).max()
    assert largest > 1e-5
    stress = fx.StressHistory(history)
    tensors, highest = stress.tensor(history.times[ROW]), stress.max().value
    for each, probe in zip(chosen, found):
        assert probe["displacement"] == pytest.approx(moved[number[each]], abs=1e-4 * largest)
        tensor = tensors[number[each]]
        if not np.isfinite(tensor[0]):
            continue
        assert [probe["fields"][name] for name in COMPONENTS] == pytest.approx(tensor, abs=1e-4 * highest)
        for measure in ("von_mises", "principal_1", "principal_3", "signed_max", "tresca", "pressure"):
            wanted = fx.StressHistory(history, measure).frame(history.times[ROW])[number[each]]
            assert probe["fields"][measure] == pytest.approx(wanted, abs=1e-4 * highest)


def test_slider_moves_time_and_the_picture(page):
    page.evaluate("window.flexor.setTime(0)")
    before = brightness(page)
    assert before.std() > 0.02  # not empty
    page.locator(".time .slider").evaluate("s => { s.value = 0.74; s.dispatchEvent(new Event('input')) }")
    page.evaluate("window.flexor.view.settled()")
    assert page.evaluate("window.flexor.app.clock.value.time") == pytest.approx(0.074)
    assert "0.0740" in page.locator(".time .now").inner_text()
    after = brightness(page)
    assert (np.abs(after - before) > 0.1).sum() > 200


def test_keys_step_and_play(page):
    page.evaluate("window.flexor.setTime(5)")
    page.locator(".view canvas").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.flexor.app.clock.value.row") == pytest.approx(6)
    page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate("window.flexor.app.clock.value.row") == pytest.approx(16)
    page.keyboard.press("Space")
    until(page, "window.flexor.app.clock.value.row > 16.2 || window.flexor.app.clock.value.row < 16")
    page.keyboard.press("Space")
    assert page.evaluate("window.flexor.app.clock.value.playing") is False


def test_keys_act_after_a_button_was_clicked(page):
    page.evaluate("window.flexor.setTime(5)")
    page.get_by_title("One frame on").click()
    assert page.evaluate("document.activeElement === document.body")
    page.evaluate("window.flexor.setTime(5)")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.flexor.app.clock.value.row") == pytest.approx(6)


def test_a_click_chooses_a_body_then_its_node(page):
    """The middle of the arm on the screen is found by projecting a vertex."""
    page.evaluate("window.flexor.setTime(0)")
    page.evaluate("window.flexor.app.hidden.set({items: window.flexor.app.header.items.map((_, i) => i)})")
    at = page.evaluate(
        """async () => { const { view, app } = window.flexor; await view.settled();
        const index = app.header.bodies.findIndex((b) => b.name === "arm"), body = view.picture.bodies[index];
        const n = body.vertices.length / 3, mean = view.contours.at(body, 0).multiplyScalar(0);
        for (let v = 0; v < n; v++) mean.addScaledVector(view.contours.at(body, v), 1 / n);
        const p = mean.project(view.stage.camera), canvas = view.stage.renderer.domElement.getBoundingClientRect();
        return [canvas.left + (p.x + 1) / 2 * canvas.width, canvas.top + (1 - p.y) / 2 * canvas.height, index] }"""
    )
    page.mouse.click(at[0], at[1])
    chosen = page.evaluate("window.flexor.app.selection.value")
    assert (chosen["kind"], chosen["index"]) == ("body", at[2])
    page.mouse.click(at[0], at[1])
    chosen = page.evaluate("window.flexor.app.selection.value")
    assert chosen["kind"] == "node"
    assert chosen["node"] >= 0
    page.keyboard.press("Escape")
    assert page.evaluate("window.flexor.app.selection.value.kind") == "none"
    page.evaluate("window.flexor.app.hidden.set({items: []})")


def test_the_tree_chooses(page):
    page.locator(".tree").get_by_text("weight", exact=True).first.click()
    chosen = page.evaluate("window.flexor.app.selection.value")
    names = page.evaluate("window.flexor.app.header.bodies.map((b) => b.name)")
    assert (chosen["kind"], names[chosen["index"]]) == ("body", "weight")
    assert page.locator(".label.chosen").inner_text() == "weight"
    page.keyboard.press("Escape")


def test_contours_have_a_legend_with_the_range_of_all_frames(page, run):
    page.locator("select[name=field]").select_option("stress")
    page.wait_for_selector(".legend:not([hidden])")
    largest = fx.StressHistory(run.body("arm")).max().value
    until(page, f"window.flexor.view.legend.content?.high > {0.9999 * largest}")
    assert page.evaluate("window.flexor.view.legend.content.high") == pytest.approx(largest, rel=1e-4)
    assert "Pa]" in page.locator(".legend-title").inner_text()
    assert page.locator(".label.high").inner_text().startswith("max ")
    page.locator("select[name=field]").select_option("")
    assert page.locator(".legend").is_hidden()


def test_the_address_brings_a_view_back(chromium, page, run):
    page.evaluate(
        "window.flexor.app.settings.set({field: 'deformation', component: 'magnitude', bands: true, deformation: 7})"
    )
    page.evaluate("window.flexor.setTime(12)")
    state = page.evaluate("window.flexor.app.address.text()")
    page.evaluate("window.flexor.app.settings.set({field: '', bands: false, deformation: 1})")
    with page_of(chromium, run, state=state) as again:
        settings = again.evaluate("window.flexor.app.settings.value")
        assert (settings["field"], settings["bands"], settings["deformation"]) == ("deformation", True, 7)
        assert again.evaluate("window.flexor.view.shownRow") == pytest.approx(12)


def test_hostile_addresses_are_ignored(chromium, run):
    state = "settings.deformation=%22x%22&settings.theme=7&clock.row=1e999&hidden.bodies=%22all%22&settings.field=%22%3Cb%3E%22&selection.index=99"
    with page_of(chromium, run, state=state) as page:
        assert page.evaluate("window.flexor.app.settings.value.deformation") == 1
        assert page.evaluate("window.flexor.app.hidden.value.bodies.length") == 0
        page.evaluate("window.flexor.setTime(3)")
        assert brightness(page).std() > 0.02


def test_a_report_opens_from_disk(chromium, run, tmp_path: Path):
    file = report(run, tmp_path / "swing.html")
    with page_at(chromium, file.as_uri()) as page:
        page.evaluate("window.flexor.setTime(2)")
        probe = page.evaluate("window.flexor.probe('arm', {vertex: 0})")
        assert np.abs(probe["displacement"]).max() > 0
        assert probe["fields"]["von_mises"] > 0
        assert brightness(page).std() > 0.02


def test_names_are_text(chromium, stored):
    with page_of(chromium, stored) as page:
        assert page.title().startswith("</script>")
        assert page.get_by_text(HOSTILE, exact=False).count() >= 1
        assert page.locator(".tree script, .tree img, .panels script, .panels img").count() == 0
        page.evaluate("window.flexor.app.selection.set({kind: 'item', index: 0, node: -1})")
        page.evaluate("window.flexor.view.settled()")
        assert page.locator(".label.chosen").inner_text() == LONG
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_two_runs_are_shown_over_each_other(chromium, run):
    other = swing("rigid").dynamics(until=0.1, step=4e-3, show=False)
    with page_of(chromium, run, other) as page:
        page.evaluate("window.flexor.setTime(40)")
        page.locator("select.compare").select_option("-1")
        page.evaluate("window.flexor.view.settled()")
        before = brightness(page)
        page.locator("select.compare").select_option("1")
        until(page, "window.flexor.view.ghost.shown !== null")
        page.evaluate("window.flexor.view.settled()")
        until(page, "window.flexor.view.ghost.drawn")
        assert (np.abs(brightness(page) - before) > 0.05).sum() > 200


def test_modes_move(chromium):
    modes = swing("superelement").modes()
    with page_of(chromium, modes) as page:
        page.evaluate("window.flexor.app.clock.set({playing: false})")
        page.evaluate("window.flexor.app.settings.set({mode: 1})")
        page.evaluate("window.flexor.setTime(0)")
        before = brightness(page)
        page.evaluate("window.flexor.setTime(24)")  # half a cycle later
        assert (np.abs(brightness(page) - before) > 0.1).sum() > 200


def test_measured_lengths_and_angles_are_those_of_the_nodes(page, run):
    """Points are taken at drawn places of three vertices; their distance is told in mm, the angle at the second in degrees."""
    page.evaluate(f"window.flexor.setTime({ROW})")
    history, told = run.body("arm"), {}
    for mode, vertices in (("distance", (0, 9)), ("angle", (0, 9, 5))):
        nodes, told[mode] = page.evaluate(
            """async ([mode, vertices]) => { const { view, app } = window.flexor;
            const index = app.header.bodies.findIndex((b) => b.name === "arm"), body = view.picture.bodies[index];
            view.measure.start(mode);
            for (const v of vertices) view.measure.add({ kind: "body", index, at: view.contours.at(body, v) });
            const text = document.querySelector(".label.measure").textContent;
            view.measure.start("");
            return [vertices.map((v) => body.nodes[v]), text] }""",
            [mode, vertices],
        )
        number = {int(each): i for i, each in enumerate(history.reduced.node_ids)}
        points = [history.points(ROW)[number[each]] for each in nodes]
    a, b, c = points
    assert float(told["distance"].split(" mm")[0]) == pytest.approx(1000 * np.linalg.norm(b - a), rel=1e-4)
    cosine = (a - b) @ (c - b) / np.linalg.norm(a - b) / np.linalg.norm(c - b)
    assert float(told["angle"].removesuffix("°")) == pytest.approx(np.degrees(np.arccos(cosine)), abs=0.02)


def test_cuts_traces_and_views_change_the_picture(page):
    page.evaluate("window.flexor.setTime(40)")
    for change in (
        "app.settings.set({clip: 'x', clipAt: 0.5})",
        "app.settings.set({clip: ''}) ?? f.app.traces.set({points: ['2:-1']}) ?? f.app.settings.set({shadow: true, deformation: 30})",
        "app.settings.set({orthographic: true}) ?? f.view.stage.look('front')",
    ):
        before = brightness(page)
        page.evaluate(f"(async (f) => {{ f.{change}; await f.view.settled() }})(window.flexor)")
        page.wait_for_timeout(200)
        assert (np.abs(brightness(page) - before) > 0.05).sum() > 200
    page.evaluate("window.flexor.app.settings.set({orthographic: false, shadow: false, deformation: 1})")
    page.evaluate("window.flexor.app.traces.set({points: []})")


def test_pictures_and_videos(page):
    size, kind = page.evaluate("window.flexor.picture().then((b) => [b.size, b.type])")
    assert (kind, size > 10_000) == ("image/png", True)
    size, kind = page.evaluate("window.flexor.video(0.3).then((b) => [b.size, b.type])")
    assert (kind, size > 1_000) == ("video/webm", True)


def test_a_live_run_grows_is_stopped_and_kept(chromium, tmp_path: Path):
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0))
    model = fx.Model("pendulum", [arm, fx.Revolute("pin", fx.ground, arm)], gravity=(0, -9.81, 0))
    file, kept = tmp_path / "live.flexor.h5", []
    options = {"output": 1e-2}
    with Watch(file, 3600) as seen:

        def compute() -> None:
            kept.append(
                seen.follow(
                    lambda stop: over_time("dynamics", model, 3600, 1e-4, file, True, (False, None), False, options, stop)
                )
            )

        solver = threading.Thread(target=compute)
        solver.start()
        try:
            with page_at(chromium, seen.view.url) as page:
                before = page.evaluate("flexor.app.frames.count")
                until(page, f"flexor.app.frames.count > {before}")
                assert page.evaluate("flexor.app.times.length === flexor.app.frames.count")
                until(page, f"flexor.app.clock.value.row >= {before}")  # the newest row is followed
                page.locator("[data-tab=run]").click()
                summary = "Object.fromEntries([...document.querySelectorAll('.p-run dt')].map((e) => [e.textContent, e.nextSibling.textContent]))"
                first = page.evaluate(summary)
                assert {"steps", "iterations", "cut-backs", "wall time", "speed", "energy check-sum"} <= set(first)
                until(page, f"{summary}.steps !== {json.dumps(first['steps'])}")
                page.wait_for_selector(".p-solver .p-value")
                page.get_by_role("button", name="Pause", exact=True).click()
                until(page, f"{summary}.status === 'paused'")
                assert page.locator(".title .status").inner_text() == "paused"
                page.get_by_role("button", name="Go on").click()
                until(page, f"{summary}.status === 'running'")
                assert page.locator(".title .status").inner_text() == "running"
                page.get_by_role("button", name="Stop", exact=True).click()
                solver.join(timeout=60)
                until(page, "window.flexor?.app?.header.status === 'stopped'")  # the page has loaded itself anew
                assert page.evaluate("flexor.app.times.length") == len(kept[0])
                assert page.evaluate("flexor.app.clock.value.row") == len(kept[0]) - 1  # still at the newest row
        finally:
            seen._wishes.stopping.set()
            solver.join(timeout=60)
    assert fx.Run(file).status == kept[0].status
    assert 0 < kept[0].time[-1] < 3600


def test_a_page_that_waits_says_so(chromium, run):
    there = threading.Event()

    def made():
        there.wait(60)
        return scene_of_run(run)

    view = View(Stage([made], ["<b>long</b> run"])).start()
    try:
        with page_at(chromium, view.url, wait=False) as page:
            assert page.inner_text(".waiting") == "reading <b>long</b> run …"
            there.set()
            until(page, "window.flexor.app?.header.name === 'swing'")
            assert page.locator(".waiting").count() == 0
    finally:
        there.set()
        view.close()


def test_a_page_does_not_load_itself_anew_for_ever(chromium, run):
    """Even if the scene says that the run goes on while what follows it says that it has ended."""
    scene = scene_of_run(run)
    made = []

    def running():
        made.append(1)
        return dataclasses.replace(scene, header={**scene.header, "status": "running"})

    live = Live(lambda: {"rows": len(run), "time": 0.1, "until": 1.0, "status": "killed"})
    view = View(Stage([running], ["run"]), live=live).start()
    try:
        with page_at(chromium, view.url) as page:
            until(page, "document.querySelector('.live')?.innerText === 'killed'")
            page.wait_for_timeout(500)
            assert len(made) == 2  # when the page opened, and to see what became of the run
    finally:
        view.close()


def test_a_chosen_body_keeps_the_colours_of_the_legend(chromium, run):
    """Only its edges change."""
    state = 'settings.field="stress"&settings.extremes=false&settings.arrows=false&settings.glyphs=false&settings.grid=false'
    with page_of(chromium, run, state=state) as page:
        page.evaluate(f"window.flexor.setTime({ROW})")
        page.evaluate("window.flexor.view.contours.settled")
        pixels = """async (kind) => { const { app, view } = window.flexor;
            app.selection.set({ kind, index: app.header.bodies.findIndex((b) => b.name === "arm"), node: -1 });
            await view.settled();
            const { renderer, scene, camera } = view.stage, gl = renderer.getContext();
            view.picture.group.traverse((each) => { if (each.isLineSegments) each.visible = false });
            renderer.setRenderTarget(null); renderer.render(scene, camera);
            const found = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
            gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, found);
            window.drawn = (window.drawn ?? []).concat([found.filter((_, i) => i % 4 < 3)]) }"""
        for kind in ("none", "body"):
            page.evaluate(pixels, kind)
        spread, apart = page.evaluate(
            """(() => { const [plain, chosen] = window.drawn, low = [255, 255, 255], high = [0, 0, 0]; let apart = 0;
            plain.forEach((value, i) => { low[i % 3] = Math.min(low[i % 3], value); high[i % 3] = Math.max(high[i % 3], value);
                apart = Math.max(apart, Math.abs(value - chosen[i])) });
            return [Math.max(...high.map((value, i) => value - low[i])), apart] })()"""
        )
    assert spread > 100  # coloured
    assert apart <= 2


def test_the_legend_says_which_frames_its_range_holds(page, chromium):
    page.evaluate(
        "(async ({ app, view }) => { app.settings.set({ field: 'stress' }); await view.contours.settled })(window.flexor)"
    )
    assert page.evaluate("window.flexor.view.contours.naming().note") == "range of all frames"
    page.evaluate("window.flexor.view.contours.looked = 3")
    assert page.evaluate("window.flexor.view.contours.naming().note") == "range of 3 of 51 frames"
    page.evaluate("window.flexor.app.settings.set({ field: '' })")
    with page_of(chromium, swing("floating").modes(count=3), state='settings.field="stress"') as modes:
        assert "amplitude that is drawn, which is arbitrary" in modes.evaluate(
            "window.flexor.view.contours.naming().note"
        )


def test_the_address_holds_the_viewpoint_that_keys_chose(chromium, run):
    shown = "(({ view }) => [...view.stage.camera.position.toArray(), view.stage.metresPerPixel()])(window.flexor)"
    with page_of(chromium, run) as page:
        page.locator(".view canvas").first.focus()
        for key in ("2", "o"):
            page.keyboard.press(key)
            page.wait_for_timeout(600)
        wanted = page.evaluate(shown)
        page.reload()
        until(page, "window.flexor?.app !== undefined")
        assert page.evaluate("window.flexor.app.settings.value.orthographic") is True
        assert page.evaluate(shown) == pytest.approx(wanted, rel=1e-3, abs=1e-4)
