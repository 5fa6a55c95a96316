"""A cart that swings on a spring, its page, and what the hand does there."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flexor as fx
from tests.viewer.browser import page_of

FREQUENCY, AMPLITUDE = 10.0, 0.02
"""Of the cart on its spring [Hz], [m]."""


@pytest.fixture(scope="session")
def cart() -> fx.Run:
    """A cart on a rail swings on a spring."""
    body = fx.RigidBody("cart", mass=1, inertia=0.1, markers={"hook": (0.1, 0, 0)})
    rail = fx.Prismatic("rail", fx.ground, body, axis="x", start=AMPLITUDE)
    spring = fx.JointSpring("spring", joint="rail", stiffness=(2 * np.pi * FREQUENCY) ** 2)
    return fx.Model("cart", [body, rail, spring], gravity=(0, 0, -9.81)).dynamics(until=1, step=1e-3, show=False)


@pytest.fixture(scope="module")
def opened_cart(chromium: Any, cart: fx.Run) -> Iterator[Any]:
    with page_of(chromium, cart) as found:
        yield found


@pytest.fixture
def cart_page(opened_cart: Any) -> Any:
    """The page with its list of signals and no plots."""
    for tab in ("signals", "plots"):
        opened_cart.locator(f"[data-tab={tab}]").click()
    opened_cart.evaluate("window.flexor.setTime(0)")
    for title in ("Close all plots", "Show all of the time"):
        if opened_cart.get_by_label(title).is_visible():
            opened_cart.get_by_label(title).click()
    if opened_cart.locator(".p-plot-bar .p-tool.on").count():
        opened_cart.keyboard.press("k")
    return opened_cart


def plot(page: Any, name: str, *, apart: bool = False) -> None:
    """Search a signal and click it."""
    page.locator(".p-signals .p-search").fill(name)
    page.locator(".p-signals .p-signal", has_text=name).first.click(modifiers=["Shift"] if apart else [])


def cursor(page: Any, share: float, card: int = 0) -> None:
    """Click into a plot at a share of its width."""
    box = page.locator(".p-plots .p-card").nth(card).locator(".u-over").bounding_box()
    page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)


def legend(page: Any, card: int = 0) -> list[str]:
    """Values beside the names of a plot."""
    page.locator(".p-plots .p-card").nth(card).locator(".u-over").wait_for()
    return page.locator(".p-plots .p-card").nth(card).locator(".p-value").all_inner_texts()


def number(text: str) -> float:
    return float(re.match(r"[-\d.e]+", text.replace("−", "-")).group())


def saved_table(page: Any, path: Path, card: int = 0) -> tuple[list[str], np.ndarray]:
    """Headings and columns of a plot that is saved as CSV."""
    page.locator(".p-plots .p-card").nth(card).locator(".u-over").wait_for()
    with page.expect_download() as download:
        page.locator(".p-plots .p-card").nth(card).get_by_label("CSV").click()
    download.value.save_as(path)
    with path.open(encoding="utf-8", newline="") as file:
        headings, *rows = csv.reader(file)
    return headings, np.array(rows, dtype=float).T
