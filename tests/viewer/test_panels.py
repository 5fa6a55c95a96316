"""The panels beside the view: tree, properties, energies, warnings, modes, Campbell diagram; names are shown as text."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.viewer.browser import page_of
from tests.viewer.cart import number
from tests.viewer.conftest import HOSTILE, LONG, swing
from tests.viewer.made_scenes import crowd, ground, made_page, made_scene


def test_tree_and_selection_are_one(cart_page):
    cart_page.locator("[data-tab=model]").click()
    cart_page.locator(".p-tree-item", has_text="rail").click()
    chosen = cart_page.evaluate(
        "(() => { const { kind, index } = window.flexor.app.selection.value; return [kind, index] })()"
    )
    items = cart_page.evaluate("window.flexor.app.header.items.map((item) => item.name)")
    assert chosen == ["item", items.index("rail")]
    assert "Prismatic" in cart_page.locator(".p-properties").inner_text()
    cart_page.evaluate("window.flexor.app.selection.set({ kind: 'body', index: 1, node: -1 })")
    assert cart_page.locator(".p-row[aria-selected=true] .p-label").inner_text() == "cart"
    row = cart_page.locator(".p-tree-body", has_text="cart")
    row.hover()
    row.get_by_label("Hide").click()
    assert cart_page.evaluate("window.flexor.app.hidden.value.bodies") == [1]
    cart_page.get_by_role("button", name="Show all").click()
    row.hover()
    row.get_by_label("Show this alone").click()
    assert cart_page.evaluate("window.flexor.app.hidden.value.bodies") == [0]


def test_energies_and_their_drift_are_shown(cart_page, cart):
    cart_page.locator("[data-tab=energy]").click()
    told = cart_page.locator(".p-told", has_text="drifts by").inner_text()
    check, largest = (
        cart["energy.check_sum"].values,
        max(np.abs(each.values).max() for each in cart.energies().values()),
    )
    share = np.abs(check - check[0]).max() / largest
    assert float(re.search(r"([\d.e−]+) %", told).group(1).replace("−", "-")) / 100 == pytest.approx(
        share, rel=0.1, abs=1e-9
    )
    assert cart_page.locator(".p-energy .p-card").count() == 2


def test_names_are_shown_as_text(chromium, stored):
    with page_of(chromium, stored, state="plots.panels=[]") as page:  # a dialog or an error on the console fails it
        page.locator(".p-tree-body", has_text=HOSTILE).click()
        assert page.locator(".p-properties .p-title").inner_text() == HOSTILE
        page.locator(".p-tree-item", has_text=LONG[:50]).click()
        page.locator("[data-tab=signals]").click()
        page.locator(".p-signals .p-search").fill("<script> velocity_x")
        page.locator(".p-signals .p-signal").first.click()
        page.locator(".p-card .u-over").wait_for()
        assert page.locator(".p-card .p-entry .p-label").first.inner_text().startswith(HOSTILE)
        for tab in ("energy", "run"):
            page.locator(f"[data-tab={tab}]").click()
        assert page.locator("#flexor script, #flexor img").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_modes_are_listed_and_chosen(chromium):
    modes = swing("superelement").modes(count=5)
    with page_of(chromium, modes) as page:
        rows = page.locator(".p-row.p-mode")
        rows.nth(2).click()
        assert page.evaluate("window.flexor.app.settings.value.mode") == 2
        shown = [number(text) for text in rows.locator("span:nth-child(2)").all_inner_texts()]
        assert shown == pytest.approx(modes.frequencies, rel=1e-4, abs=1e-4)
        assert rows.locator(".p-most").all_inner_texts() == modes.moves_most
        assert all(f"{name}   " in f"{line}   " for name, line in zip(modes.moves_most, str(modes).splitlines()[1:]))


def test_thousands_of_names_are_drawn_as_they_come_into_sight(chromium):
    with made_page(chromium, crowd()) as page:
        page.locator("[data-tab=signals]").click()
        field = page.locator(".p-signals .p-search")
        field.fill("joint_4711")
        page.locator(".p-signals .p-signal").wait_for()
        assert page.locator(".p-signals .p-signal .p-label").inner_text() == "joint_4711.angle"
        field.fill("angle")
        page.locator(".p-signals .p-signal", has_text="joint_3.angle").wait_for()
        assert page.locator(".p-signals .p-row").count() < 80
        page.locator("[data-tab=model]").click()
        page.evaluate("window.flexor.app.selection.set({ kind: 'item', index: 4711, node: -1 })")
        page.locator(".p-row[aria-selected=true]", has_text="joint_4711").wait_for()
        assert page.locator(".p-model .p-row").count() < 80


def test_an_equilibrium_is_a_table_of_values(chromium, mast_model):
    rest = mast_model.statics()
    with page_of(chromium, rest) as page:
        tabs = page.evaluate("[...document.querySelectorAll('.panels .p-tab')].map((e) => e.firstChild.textContent)")
        assert tabs == ["Values", "Summary"]
        page.locator("[data-tab=signals]").click()
        page.locator(".p-signals .p-search").fill("rope.force")
        page.locator(".p-signals .p-signal", has_text="rope.force").first.click()
        row = page.locator(".p-values .p-active")
        assert row.locator(".p-label").inner_text() == "force"
        shown, unit = row.locator(".p-value").inner_text().replace("−", "-").split(" ")
        scale = {"N": 1, "mN": 1e-3, "kN": 1e3}[unit]
        assert float(shown) * scale == pytest.approx(rest["rope.force"], rel=1e-5)
        assert page.locator(".u-over").count() == 0


def test_warnings_and_cut_backs_lead_to_their_time(chromium):
    with made_page(chromium, crowd()) as page:
        page.locator("[data-tab=run]").click()
        page.locator(".p-warning", has_text="bottoms out").click()
        assert page.evaluate("window.flexor.app.clock.value.time") == 0.25
        page.locator(".p-run .p-row", has_text="0.7 s").click()
        assert page.evaluate("window.flexor.app.clock.value.time") == 0.7


def test_point_of_a_campbell_diagram_chooses_speed_and_mode(chromium):
    speeds, branches = [0.0, np.pi * 10, np.pi * 20], [[20.0, 18.0, 16.0], [20.0, 22.0, 24.0]]
    modes = [{"frequency": f, "damping": 0.01, "kind": "bending", "whirl": ""} for branch in branches for f in branch]
    campbell = {
        "speeds": speeds,
        "frequencies": branches,
        "names": ["backward", "forward"],
        "modes": [[0, 1, 2], [3, 4, 5]],
    }
    fields = {"modes": modes, "campbell": campbell, "frames": {"count": 13, "width": 0}, "bodies": [ground()]}
    with made_page(chromium, made_scene("campbell", [0.0], {}, **fields)) as page:
        box = page.locator(".p-campbell .u-over").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * (1 - 22 / (1.05 * 24)))
        assert page.evaluate("window.flexor.app.settings.value.mode") == 4
        assert "22 Hz at 300 rpm" in page.locator(".p-campbell .p-range").inner_text()
        shown = page.locator(".p-row.p-mode span:nth-child(2)").all_inner_texts()
        assert [number(text) for text in shown] == [18, 22]
