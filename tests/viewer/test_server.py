"""The server answers to this machine, to its own page and to the token alone; what is wrong with a file is a message."""

import json
import re
import shutil
import sys
import types
from concurrent.futures import ThreadPoolExecutor

import httpx
import numpy as np
import pytest

import flexor as fx
from flexor.errors import FileError
from flexor.viewer import page
from flexor.viewer.server import View, application
from flexor.viewer.show import stage_of, stage_of_files
from flexor.viewer.stage import Stage
from tests.viewer.conftest import HOSTILE, LONG

PORT, TOKEN = 8765, "the-token"
HOME = f"http://127.0.0.1:{PORT}"
PATHS = (
    "/",
    "/api/header",
    "/api/buffer/0",
    "/api/frames?first=0&count=1",
    "/api/signal?name=time",
    "/static/viewer.js",
)


@pytest.fixture(autouse=True)
def _bundle(tmp_path, monkeypatch):
    """A page that is there, built or not."""
    static = tmp_path / "static"
    static.mkdir()
    for name in page.BUNDLE:
        (static / name).write_text(f"/* {name} */")
    (static / "secret.txt").write_text("secret")
    monkeypatch.setattr(page, "STATIC", static)


def asked(stage: Stage, path: str, token: str | None = TOKEN, method: str = "GET", **headers: str) -> httpx.Response:
    import asyncio

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=application(stage, TOKEN, PORT))
        async with httpx.AsyncClient(transport=transport, base_url=HOME) as client:
            url = path if token is None else f"{path}{'&' if '?' in path else '?'}token={token}"
            return await client.request(method, url, headers=headers)

    with ThreadPoolExecutor(1) as apart:  # in the main thread may be the event loop of a browser
        return apart.submit(lambda: asyncio.run(ask())).result()


@pytest.fixture(scope="module")
def stage(mast) -> Stage:
    return stage_of([mast])


def problem(answer: httpx.Response) -> dict:
    assert answer.headers["content-type"].startswith("application/json")
    return answer.json()["error"]


@pytest.mark.parametrize("path", PATHS)
def test_what_it_serves(stage, path):
    answer = asked(stage, path)
    assert answer.status_code == 200
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN[:-1], TOKEN + "x", "%00", "%ff"])
def test_without_the_token_nothing(stage, path, token):
    assert asked(stage, path, token).status_code == 401


def test_the_token_may_stand_in_a_header(stage):
    assert asked(stage, "/api/header", None, **{"X-Flexor-Token": TOKEN}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.com", f"evil.com:{PORT}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.evil.com:{PORT}", f"10.0.0.1:{PORT}", ""],
)
def test_other_hosts_are_refused(stage, host):
    """A page of evil.com whose name was made to point to this machine sends its own name."""
    assert asked(stage, "/api/header", Host=host).status_code == 421


@pytest.mark.parametrize("host", [f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"127.0.0.1:{PORT}"])
def test_this_machine_by_its_names(stage, host):
    assert asked(stage, "/api/header", Host=host).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.com", "null", "https://127.0.0.1:8765", "http://127.0.0.1", "http://localhost:1"]
)
def test_other_origins_are_refused(stage, origin):
    assert asked(stage, "/api/header", Origin=origin).status_code == 403


def test_its_own_origin_is_not(stage):
    assert asked(stage, "/api/header", Origin=HOME).status_code == 200


def test_pages_of_others_load_nothing_of_it(stage):
    assert (
        asked(stage, "/static/viewer.js", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}).status_code
        == 403
    )
    assert asked(stage, "/", **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/secret.txt",
        "/static/../page.py",
        "/static/..%2fpage.py",
        "/static/%2e%2e/page.py",
        "/static/....//page.py",
        "/static//etc/passwd",
        "/static/C:%5cboot.ini",
        "/static/viewer.js%00.txt",
        "/static/",
        "/../etc/passwd",
        "/api/../static/secret.txt",
        "/nothing",
    ],
)
def test_no_file_but_the_bundle(stage, path):
    answer = asked(stage, path)
    assert answer.status_code == 404
    assert "secret" not in answer.text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_only_reading(stage, method):
    assert asked(stage, "/api/header", method=method).status_code in (404, 405)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/buffer/9999", 404),
        ("/api/frames?first=-1&count=2", 400),
        ("/api/frames?first=x&count=2", 400),
        ("/api/frames?first=1&count=99999999999999999999999", 400),
        ("/api/signal?name=nothing", 404),
        ("/api/signal", 404),
        ("/api/header?run=1", 404),
        ("/api/header?run=-1", 404),
        ("/api/buffer/0?run=x", 400),
    ],
)
def test_what_is_not_there_is_told(stage, path, status):
    answer = asked(stage, path)
    assert answer.status_code == status
    assert problem(answer)["what"]


def test_data_are_those_of_the_scene(stage, mast):
    header = asked(stage, "/api/header").json()
    assert header["name"] == "mast"
    rows = np.frombuffer(asked(stage, "/api/frames?first=3&count=4").content, "<f4").reshape(
        4, header["frames"]["width"]
    )
    assert np.array_equal(rows, stage.scene().frames(3, 4))
    assert np.frombuffer(asked(stage, "/api/signal?name=rope.force").content) == pytest.approx(
        mast["rope.force"].values
    )
    assert len(asked(stage, "/api/frames?first=0&count=999999999").content) == 4 * len(mast) * header["frames"]["width"]


def test_two_runs_side_by_side(mast, stored):
    both = stage_of([mast, stored])
    assert asked(both, "/api/header").json()["runs"] == ["mast", "hostile.flexor.h5"]
    assert "runs" not in asked(both, "/api/header?run=1").json()
    assert asked(both, "/api/header?run=1").json()["bodies"][1]["name"] == HOSTILE


def test_names_are_never_html(stored):
    shown = stage_of([stored])
    text = asked(shown, "/").text
    assert "alert" not in text
    assert text.count("<script") == 1
    header = asked(shown, "/api/header").json()
    assert header["bodies"][1]["name"] == HOSTILE
    assert any(item["name"] == LONG for item in header["items"])


def cut(file, target, share):
    data = file.read_bytes()
    target.write_bytes(data[: int(share * len(data))])


@pytest.mark.parametrize("how", ["empty", "text", "half", "header", "flipped", "zeros", "other"])
def test_damaged_files_give_a_message(stored, tmp_path, how):
    file = tmp_path / "bad.flexor.h5"
    data = bytearray(stored.file.read_bytes())
    if how == "flipped":
        data[len(data) // 2] ^= 0xFF
    if how == "other":
        import h5py

        h5py.File(file, "w").close()
    else:
        changed = {
            "empty": b"",
            "text": b"<script>alert(1)</script>" * 100,
            "half": bytes(data[: len(data) // 2]),
            "header": bytes(data[:600]),
            "flipped": bytes(data),
            "zeros": bytes(len(data)),
        }
        file.write_bytes(changed[how])
    answer = asked(stage_of_files([file]), "/api/header")
    assert answer.status_code == 422
    told = problem(answer)
    assert told["what"]
    assert "Traceback" not in answer.text
    page_of_it = asked(stage_of_files([file]), "/")
    assert page_of_it.status_code == 200
    assert "alert" not in page_of_it.text


@pytest.mark.parametrize("seed", range(12))
def test_unchecked_files_never_break_the_server(stored, tmp_path, seed):
    """verify=False, with bytes changed here and there: a scene, or a message."""
    rng = np.random.default_rng(seed)
    data = np.frombuffer(stored.file.read_bytes(), np.uint8).copy()
    data[rng.integers(512, len(data), 40)] = rng.integers(0, 256, 40)
    file = tmp_path / "bad.flexor.h5"
    file.write_bytes(data.tobytes())
    shown = stage_of_files([file], verify=False)
    for path in ("/api/header", "/api/frames?first=0&count=20", "/api/buffer/0", "/api/signal?name=time"):
        answer = asked(shown, path)
        assert answer.status_code in (200, 404, 422)
        if answer.status_code != 200:
            assert problem(answer)["what"]
        elif "header" in path:
            json.loads(answer.text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


def test_a_server_listens_on_the_loopback_interface_alone(mast):
    shown = View(stage_of([mast])).start()
    try:
        assert shown._socket.getsockname()[0] == "127.0.0.1"
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32,}", shown.url)
        for _ in range(100):
            try:
                answer = httpx.get(shown.url)
                break
            except httpx.ConnectError:
                continue
        assert answer.status_code == 200
        assert "</iframe>" in shown._repr_html_()
    finally:
        shown.close()


def test_tokens_differ(mast):
    one, two = View(stage_of([mast])), View(stage_of([mast]))
    assert one.token != two.token
    one.close()
    two.close()


def test_a_port_in_use_is_told(mast):
    one = View(stage_of([mast]))
    one.start()
    with pytest.raises(FileError, match="cannot be used"):
        View(stage_of([mast]), int(one.url.split(":")[2].split("/")[0]))
    one.close()


def test_without_the_bundle_it_says_how_to_build_it(mast, tmp_path):
    shutil.rmtree(tmp_path / "static")
    with pytest.raises(FileError, match="make viewer"):
        View(stage_of([mast]))
    assert not page.is_built()


def test_what_cannot_be_shown_is_told():
    from flexor.viewer.show import scene_of

    with pytest.raises(fx.ModelError, match="int cannot be shown"):
        scene_of(3)


def test_view_in_a_program_goes_on_beside_it(mast, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    shown = fx.view(mast, wait=False)
    try:
        assert opened == [shown.url]
        assert shown.url in repr(shown)
    finally:
        shown.close()


def test_a_notebook_shows_it_below_the_cell(mast, monkeypatch):
    """No browser opens, nothing waits; the cell shows what `_repr_html_` gives."""

    class ZMQInteractiveShell:
        pass

    notebook = types.ModuleType("IPython")
    notebook.get_ipython = ZMQInteractiveShell
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setattr("webbrowser.open", lambda url: pytest.fail("a browser was opened"))
    shown = mast.view()
    try:
        assert f'<iframe src="{shown.url}"' in shown._repr_html_()
    finally:
        shown.close()
