"""The server of the viewer: starlette on the loopback interface, for one page that knows the token."""

from __future__ import annotations

import logging
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from flexor.errors import FileError, Problem
from flexor.viewer.json_text import json_text
from flexor.viewer.page import BUNDLE, NAMED, bundle, served_page
from flexor.viewer.security import Guard, new_token
from flexor.viewer.stage import Refused, Stage

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from flexor.viewer.live import Live

LOOPBACK = "127.0.0.1"


def application(stage: Stage, token: str, port: int, live: Live | None = None) -> Guard:
    """The whole server as an ASGI application."""
    from starlette.applications import Starlette
    from starlette.routing import Route

    routes = [
        Route("/", lambda request: _html(served_page(f"{stage.names[0]}{NAMED}", token))),
        Route("/static/{name}", _static),
        Route("/api/header", _answer(lambda request: json_text(stage.header(_run(request))))),
        Route("/api/changed", _answer(lambda request: json_text(_changed(stage)))),
        Route(
            "/api/buffer/{number:int}",
            _answer(lambda request: stage.buffer(_run(request), int(request.path_params["number"]))),
        ),
        Route(
            "/api/frames",
            _answer(lambda request: stage.frames(_run(request), _whole(request, "first"), _whole(request, "count"))),
        ),
        Route(
            "/api/signal", _answer(lambda request: stage.signal(_run(request), request.query_params.get("name", "")))
        ),
    ]
    if live is not None:
        routes += live.routes()
    return Guard(Starlette(routes=routes, exception_handlers={404: _missing, 405: _missing}), token, port)


def _changed(stage: Stage) -> dict[str, list[str]]:
    """Names of the files that are others by now than the page shows."""
    return {"changed": [name for run, name in enumerate(stage.names) if stage.changed(run)]}


def _answer(make: Callable[[Request], str | bytes]) -> Callable[[Request], Response]:
    """A request answered by text (JSON) or bytes; what is refused is told as JSON."""

    def answer(request: Request) -> Response:
        from starlette.responses import Response

        try:
            body = make(request)
        except Refused as refused:
            return problem_response(refused.problem, refused.status)
        media = "application/json" if isinstance(body, str) else "application/octet-stream"
        return Response(body, media_type=media)

    return answer


def problem_response(problem: Problem, status: int) -> Response:
    """A problem as the page reads it."""
    from starlette.responses import Response

    told = {"where": problem.where, "what": problem.what, "why": problem.why, "fix": problem.fix}
    return Response(json_text({"error": told}), status, media_type="application/json")


def _missing(request: Request, error: Exception) -> Response:
    return problem_response(Problem("viewer", "there is nothing at this address"), 404)


def _html(text: str) -> Response:
    from starlette.responses import HTMLResponse

    return HTMLResponse(text)


def _static(request: Request) -> Response:
    """A part of the bundle, by its name; no path is ever made of what was asked for."""
    from starlette.responses import Response

    name = request.path_params["name"]
    if name not in BUNDLE:
        return problem_response(Problem("viewer", "there is nothing at this address"), 404)
    try:
        return Response(bundle(name), media_type=BUNDLE[name])
    except FileError as error:
        return problem_response(error.problems[0], 404)


def _whole(request: Request, name: str) -> int:
    text = request.query_params.get(name, "0")
    if not text.isascii() or not text.removeprefix("-").isdecimal() or len(text) > 15:
        raise Refused(Problem("viewer", f"{name} is no whole number"), 400)
    return int(text)


def _run(request: Request) -> int:
    return _whole(request, "run")


class View:
    """A server at work. In a notebook it shows itself; `close()` ends it.

    url: the address with its token.
    """

    def __init__(self, stage: Stage, port: int = 0, live: Live | None = None) -> None:
        import uvicorn

        bundle("viewer.js")  # told at once where it is missing
        self.stage = stage
        self._socket = _listening(port)
        port = self._socket.getsockname()[1]
        self.token = new_token()
        self.url = f"http://{LOOPBACK}:{port}/?token={quote(self.token)}"
        app = application(stage, self.token, port, live)
        config = uvicorn.Config(app, log_level="error", lifespan="off", access_log=False, timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    def run(self) -> None:
        """Serve until Ctrl-C."""
        told = logging.getLogger("uvicorn.error")
        told.addFilter(self._tells)
        try:
            with suppress(KeyboardInterrupt):
                self._server.run(sockets=[self._socket])
        finally:
            told.removeFilter(self._tells)

    def _tells(self, record: logging.LogRecord) -> bool:
        """Requests that the end of the server cuts off are no errors."""
        return not self._server.should_exit

    def start(self) -> View:
        """Serve beside the program that goes on."""
        self._thread = threading.Thread(target=self.run, name="flexor viewer", daemon=True)
        self._thread.start()
        return self

    def wait(self) -> None:
        """Until Ctrl-C, or until another thread closes it."""
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(timeout=0.5)

    def close(self) -> None:
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(timeout=5)
        self._socket.close()

    def open_browser(self) -> None:
        """Beside the program: one in the terminal would keep it from serving."""
        threading.Thread(target=webbrowser.open, args=(self.url,), name="flexor browser", daemon=True).start()

    def __repr__(self) -> str:
        return f"view of {', '.join(self.stage.names)} at {self.url}"

    def _repr_html_(self) -> str:
        """Within a notebook."""
        url = escape(self.url, quote=True)
        frame = f'<iframe src="{url}" width="100%" height="640" style="border:0" allowfullscreen></iframe>'
        return f'{frame}<p><a href="{url}" target="_blank">in a window of its own</a></p>'


def _listening(port: int) -> socket.socket:
    """A socket on the loopback interface alone."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((LOOPBACK, port))
        found.listen(128)
    except (OSError, OverflowError) as error:
        found.close()
        why = getattr(error, "strerror", None) or str(error)
        fix = "choose another with --port, or leave it out"
        raise FileError(Problem("viewer", f"port {port} cannot be used", why, fix)) from None
    return found
