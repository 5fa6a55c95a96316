"""Who may ask the viewer's server: this machine alone, by the address that was printed.

A page from elsewhere that guesses the port cannot: its requests carry another Origin or Host (DNS rebinding), and it does not know the token.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from flexor.viewer.json_text import json_text
from flexor.viewer.page import FRAMES, POLICY

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

HOSTS = ("127.0.0.1", "localhost", "[::1]")
HEADERS = (
    (b"content-security-policy", f"{POLICY}; frame-ancestors {FRAMES}".encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-site"),
    (b"cache-control", b"no-store"),
)


def new_token() -> str:
    return secrets.token_urlsafe(24)


class Guard:
    """Lets requests through that are meant for this server, and adds what browsers need to know to every answer."""

    def __init__(self, app: App, token: str, port: int) -> None:
        self._app, self._token = app, token
        self._hosts = {f"{host}:{port}" for host in HOSTS} | ({*HOSTS} if port == 80 else set())
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        fault = self._fault(scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        if fault is None:
            await self._app(scope, receive, guarded)
            return
        status, what, fix = fault
        body = json_text({"error": {"where": "viewer", "what": what, "why": "", "fix": fix}}).encode()
        start = {"type": "http.response.start", "status": status, "headers": [(b"content-type", b"application/json")]}
        await guarded(start)
        await guarded({"type": "http.response.body", "body": body})

    def _fault(self, scope: Message) -> tuple[int, str, str] | None:
        """Status and reason of a refusal; None if the request may pass."""
        headers = [(name.lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        hosts = [value.lower() for name, value in headers if name == b"host"]
        given = dict(headers)
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 421, "this server answers to this machine alone", "open the address that flexor printed"
        if (origin := given.get(b"origin")) is not None and origin.lower() not in self._origins:
            return 403, "the request comes from another page", "open the address that flexor printed"
        if given.get(b"sec-fetch-site") == "cross-site" and given.get(b"sec-fetch-mode") != "navigate":
            return 403, "the request comes from another page", "open the address that flexor printed"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "there is no such request", ""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        tokens = [*query.get("token", ()), *([given[b"x-flexor-token"]] if b"x-flexor-token" in given else ())]
        if not any(secrets.compare_digest(each.encode("utf-8", "replace"), self._token.encode()) for each in tokens):
            return 401, "the token is missing or wrong", "open the whole address that flexor printed"
        return None
