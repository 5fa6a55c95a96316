"""Debian's chromium, driven by Playwright, with WebGL2 in software."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from flexor.viewer.page import is_built
from flexor.viewer.server import View
from flexor.viewer.show import stage_of

FLAGS = [
    *("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"),
    "--disable-background-networking",
]
QUIET = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 120
"""How long a page may take on a busy machine."""
READY = f"""Promise.race([window.flexor.ready.then(() => "ready", (error) => String(error)),
    new Promise((done) => setTimeout(() => done("not ready in time"), {SECONDS}000))])"""


def program() -> str | None:
    """Where the browser is."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def installed() -> tuple[str | None, str]:
    """The browser, installed now where that is possible and none is there; else why there is none.

    Workers that run side by side take turns; FLEXOR_NO_INSTALL=1 leaves the machine as it is.
    """
    if (found := program()) is not None:
        return found, ""
    if os.environ.get("FLEXOR_NO_INSTALL") or shutil.which("apt-get") is None or os.geteuid() != 0:
        return None, "there is no chromium; as root: apt-get install chromium"
    with (Path(tempfile.gettempdir()) / "flexor-chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (found := program()) is not None:
            return found, ""
        for words in (("update", "-q"), ("install", "-y", "-q", "--no-install-recommends", "chromium")):
            try:
                done = subprocess.run(["apt-get", *words], capture_output=True, text=True, timeout=600, env=QUIET)
            except subprocess.TimeoutExpired:
                return None, "there is no chromium, and apt-get did not install it in ten minutes"
    why = (done.stderr.strip().splitlines() or ["apt-get failed"])[-1]
    return program(), f"there is no chromium, and apt-get could not install it: {why}"


@pytest.fixture(scope="session")  # its event loop stays in this thread: what begins one of its own does so in another
def chromium() -> Iterator[Any]:
    """A browser; tests are skipped, with the reason, where it or the page is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (pip install playwright)")
    if not is_built():
        pytest.skip("the viewer's page is not built (make viewer)")
    found, why = installed()
    if found is None:
        pytest.skip(why)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


def until(page: Any, expression: str) -> None:
    """Wait for an expression to hold; asked from here, as the page's policy forbids it to evaluate text."""
    end = time.monotonic() + SECONDS
    while not _holds(page, expression):
        assert time.monotonic() < end, f"{expression} does not hold"
        page.wait_for_timeout(30)


def _holds(page: Any, expression: str) -> bool:
    from playwright.sync_api import Error

    try:
        return bool(page.evaluate(expression))
    except Error as error:
        if "context was destroyed" not in str(error):  # the page loads itself anew
            raise
        return False


@contextmanager
def page_at(chromium: Any, address: str, *, wait: bool = True) -> Iterator[Any]:
    """A page at an address, when it is ready; it must leave no error on the console."""
    told: list[str] = []
    page = chromium.new_page(viewport={"width": 1280, "height": 800}, accept_downloads=True)
    page.set_default_timeout(1000 * SECONDS)
    page.on("console", lambda message: told.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("dialog", lambda dialog: (told.append(f"dialog {dialog.message}"), dialog.dismiss()))
    try:
        page.goto(address)
        until(page, "window.flexor !== undefined")
        if wait:
            assert page.evaluate(READY) == "ready"
        yield page
        assert told == []
    finally:
        page.close()


@contextmanager
def page_of(chromium: Any, *things: object, state: str = "") -> Iterator[Any]:
    """A page that a server shows, with a state in its address."""
    view = View(stage_of(things)).start()
    try:
        with page_at(chromium, f"{view.url}#{state}") as page:
            yield page
    finally:
        view.close()
