"""Plots of the page: signals are searched, drawn, share the clock, become spectra and tables; addresses bring them back."""

from __future__ import annotations

import re
from urllib.parse import unquote

import numpy as np
import pytest

from tests.viewer.browser import page_of, until
from tests.viewer.cart import AMPLITUDE, FREQUENCY, cursor, legend, number, plot, saved_table
from tests.viewer.conftest import swung_run


def test_signals_are_searched_and_plotted(cart_page, cart):
    rows = cart_page.locator(".p-signals .p-signal")
    field = cart_page.locator(".p-signals .p-search")
    field.fill("*.force_?")
    rows.first.wait_for()
    until(cart_page, "document.querySelectorAll('.p-signals .p-signal').length === 3")
    assert rows.locator(".p-label").all_inner_texts() == cart.find("*.force_?")
    field.fill("no such thing")
    cart_page.locator(".p-signals .p-hint", has_text="No signal").wait_for()
    plot(cart_page, "rail.displacement")
    plot(cart_page, "spring.force")  # another unit: the axis on the right
    plot(cart_page, "cart.velocity_x")  # a third one: a plot of its own
    legend(cart_page, 1)
    names = [card.locator(".p-label").all_inner_texts() for card in cart_page.locator(".p-plots .p-card").all()]
    assert names == [["rail.displacement", "spring.force"], ["cart.velocity_x"]]
    plot(cart_page, "cart.velocity_x")  # again: away
    cart_page.locator(".p-plots .p-card").nth(1).wait_for(state="detached")


def test_signals_are_dragged_into_plots(cart_page):
    plot(cart_page, "rail.displacement")
    legend(cart_page)
    cart_page.locator(".p-signals .p-search").fill("cart.velocity")
    rows = cart_page.locator(".p-signals .p-signal", has_text="cart.velocity")
    rows.nth(0).drag_to(cart_page.locator(".p-plots .p-card .p-area"))
    rows.nth(1).drag_to(cart_page.locator(".p-plots .p-new"))
    legend(cart_page, 1)
    names = [card.locator(".p-label").all_inner_texts() for card in cart_page.locator(".p-plots .p-card").all()]
    assert names == [["rail.displacement", "cart.velocity_x"], ["cart.velocity_y"]]


def test_statistics_are_those_of_the_time_in_sight(cart_page):
    plot(cart_page, "rail.displacement")
    legend(cart_page)
    cart_page.get_by_label("Least, largest").click()
    told = cart_page.locator(".p-statistics").inner_text()
    least, largest, _, rms = (number(each) for each in re.findall(r"[−\d.e]+\d", told))
    assert (least, largest) == pytest.approx((-20, 20), rel=1e-3)  # mm
    assert rms == pytest.approx(20 / np.sqrt(2), rel=1e-3)


def test_cursor_of_a_plot_is_the_clock(cart_page, cart):
    plot(cart_page, "rail.displacement")
    plot(cart_page, "cart.velocity_x", apart=True)
    legend(cart_page, 1)
    cursor(cart_page, 0.3, card=1)
    time = cart_page.evaluate("window.flexor.app.clock.value.time")
    assert time == pytest.approx(0.3, abs=5e-3)
    expected = np.interp(time, cart.time, cart["rail.displacement"].values)
    shown = cart_page.locator(".p-plots .p-card").first.locator(".p-value").inner_text()
    assert shown.endswith(" mm")
    assert number(shown) / 1000 == pytest.approx(expected, abs=1e-3 * AMPLITUDE)
    cart_page.evaluate("window.flexor.setTime(625)")  # and the other way round
    velocity = legend(cart_page, 1)[0]
    assert velocity.endswith(" m/s")
    assert number(velocity) == pytest.approx(cart["cart.velocity_x"].values[625], rel=1e-3)
    place = """() => { const line = document.querySelector(".p-clock"), plot = line.parentElement;
        return (line.getBoundingClientRect().left - plot.getBoundingClientRect().left) / plot.clientWidth; }"""
    assert cart_page.evaluate(place) == pytest.approx(0.625, abs=5e-3)


def test_wheel_zooms_all_plots_and_a_second_cursor_measures(cart_page):
    plot(cart_page, "rail.displacement")
    legend(cart_page)
    cursor(cart_page, 0.5)
    cart_page.keyboard.press("k")
    cart_page.mouse.wheel(0, -400)
    until(cart_page, "window.flexor.app.address.text().includes('plots.range')")
    cursor(cart_page, 0.25)
    time = cart_page.evaluate("window.flexor.app.clock.value.time")
    assert 0.25 < time < 0.5
    told = cart_page.locator(".p-range").inner_text()
    assert number(told.split("Δt = ")[1]) == pytest.approx(time - 0.5, abs=5e-3)
    cart_page.locator(".p-plots .p-card .u-over").dblclick()
    until(cart_page, "!window.flexor.app.address.text().includes('plots.range')")


def test_spectrum_has_the_peak_of_the_spring(cart_page):
    plot(cart_page, "rail.displacement")
    legend(cart_page)
    cart_page.locator(".p-plots .p-card").get_by_label("Spectrum").click()
    frequency, amplitude = legend(cart_page, 1)[0].split(" Hz · ")
    assert number(frequency) == pytest.approx(FREQUENCY, rel=2e-3)
    assert amplitude.endswith(" mm")
    assert number(amplitude) / 1000 == pytest.approx(AMPLITUDE, rel=5e-3)


def test_density_integrates_to_the_variance(cart_page, cart, tmp_path):
    plot(cart_page, "rail.displacement")
    legend(cart_page)
    cart_page.locator(".p-plots .p-card").get_by_label("Spectrum").click()
    cart_page.get_by_label("Amplitudes, or power").select_option("psd")
    cart_page.locator(".p-plots .p-card").nth(1).get_by_label("Mean over").wait_for()
    headings, (frequency, density) = saved_table(cart_page, tmp_path / "psd.csv", card=1)
    assert headings == ["frequency [Hz]", "rail.displacement [m²/Hz]"]
    variance = np.var(cart["rail.displacement"].values)
    assert density.sum() * frequency[1] == pytest.approx(variance, rel=0.02)


def test_table_holds_what_the_run_holds(cart_page, cart, tmp_path):
    plot(cart_page, "rail.displacement")
    plot(cart_page, "spring.force")
    headings, columns = saved_table(cart_page, tmp_path / "plot.csv")
    assert headings == ["time [s]", "rail.displacement [m]", "spring.force [N]"]
    assert np.array_equal(columns, [cart.time, cart["rail.displacement"].values, cart["spring.force"].values])


def test_one_signal_over_another(cart_page, tmp_path):
    plot(cart_page, "rail.displacement")
    plot(cart_page, "spring.force")
    legend(cart_page)
    cart_page.get_by_label("Along x").select_option("rail.displacement")
    cart_page.locator(".p-plots .p-card", has_text="over rail.displacement").wait_for()
    headings, _ = saved_table(cart_page, tmp_path / "plot.csv")
    assert headings == ["time [s]", "rail.displacement [m]", "spring.force [N]"]
    box = cart_page.locator(".p-plots .p-card .u-over").bounding_box()
    cart_page.mouse.click(box["x"] + 2, box["y"] + 2)  # the curve ends there: largest pull of the spring to the left
    time = cart_page.evaluate("window.flexor.app.clock.value.time")
    assert (time * FREQUENCY) % 1 == pytest.approx(0.5, abs=0.06)


def test_address_brings_the_plots_back(cart_page, chromium, cart):
    plot(cart_page, "rail.displacement")
    plot(cart_page, "cart.velocity_x", apart=True)
    legend(cart_page, 1)
    state = cart_page.evaluate("window.flexor.app.address.text()")
    assert '"cart.velocity_x"' in unquote(state)
    with page_of(chromium, cart, state=state) as again:
        assert again.locator(".p-plots .p-card").count() == 2
    with page_of(chromium, cart, state='plots.panels=[{"kind":"pie"}]&plots.range=[1]&plots.active=1e9') as again:
        assert again.locator(".p-plots .p-card").count() == 0


def test_history_of_a_chosen_node_is_the_recovered_one(chromium, tmp_path):
    run = swung_run("floating")
    body = run.body("arm")
    with page_of(chromium, run, state='plots.panels=[]&settings.field="stress"&settings.component="von_mises"') as page:
        index = page.evaluate("window.flexor.app.header.bodies.findIndex((body) => body.name === 'arm')")
        page.evaluate(f"window.flexor.app.selection.set({{ kind: 'node', index: {index}, node: 3 }})")
        headings, (_, moved, stress) = saved_table(page, tmp_path / "node.csv")
    node = int(re.search(r"node (\d+)", headings[1]).group(1))
    at = list(body.reduced.node_ids).index(node)
    expected = np.linalg.norm(run.nodal("arm")[:, at, :3], axis=1)
    assert moved == pytest.approx(expected, abs=1e-4 * expected.max())
    history = run.stress("arm")
    exact = np.array([history.frame(time)[at] for time in run.time])
    assert stress == pytest.approx(exact, abs=1e-4 * history.max().value)


def test_another_run_is_drawn_dashed(chromium, cart):
    with page_of(
        chromium, cart, cart, state='settings.ghost=1&plots.panels=[{"kind":"time","signals":["rail.displacement"]}]'
    ) as page:
        page.locator(".p-plots .p-card", has_text="dashed:").wait_for()
