"""In the browser: files that cannot be shown."""

import pytest

from flexor.viewer.server import View
from flexor.viewer.show import stage_of_files


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_truncated_file_gives_an_error_page(chromium, stored, tmp_path, share):
    data = stored.file.read_bytes()
    file = tmp_path / "cut <b>.flexor.h5"
    file.write_bytes(data[: int(share * len(data))])
    view = View(stage_of_files([file])).start()
    page = chromium.new_page(color_scheme="light")
    try:
        page.goto(view.url)
        page.wait_for_selector(".failure")
        text = page.inner_text("body")
        assert page.evaluate("document.documentElement.dataset.theme") == "light"  # as the browser asks
        assert file.name in page.inner_text(".failure h1")
    finally:
        page.close()
        view.close()
    assert "Traceback" not in text
    assert "copy the file again" in text
