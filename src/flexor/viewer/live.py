"""A run that goes on: the page is told how far it is, and may ask it to pause, to go on and to stop."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flexor.errors import FlexorError
from flexor.viewer.json_text import json_text
from flexor.viewer.story import GOING

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

EVERY = 0.25
"""Seconds between looks."""
IDLE = 15.0
"""Seconds after which the page is told that nothing has changed, so that it knows the server is there."""


@dataclass
class Wishes:
    """What the reader asked for; the solver looks at it between its chunks of steps."""

    stopping: threading.Event = field(default_factory=threading.Event)
    paused: threading.Event = field(default_factory=threading.Event)

    def wait(self) -> bool:
        """Rest while paused; whether to stop."""
        while self.paused.is_set() and not self.stopping.is_set():
            time.sleep(0.05)
        return self.stopping.is_set()


State = dict[str, Any]


class Live:
    """Follows a run.

    state: rows, time, until, status.   wishes: None if the run belongs to another program.
    story: summary, warnings and cutbacks of a run of this status, told with the state.
    """

    def __init__(
        self, state: Callable[[], State], wishes: Wishes | None = None, story: Callable[[str], State] | None = None
    ) -> None:
        self._state, self._wishes, self._story = state, wishes, story

    def routes(self) -> list[Any]:
        from starlette.routing import Route

        found = [Route("/api/live", self._events)]
        if self._wishes is not None:
            found += [
                Route(f"/api/{what}", self._command(what), methods=["POST"]) for what in ("stop", "pause", "resume")
            ]
        return found

    def told(self) -> State:
        """How far it is."""
        state = self._state()
        if self._wishes is not None and state["status"] == "running" and self._wishes.paused.is_set():
            state["status"] = "paused"
        return {**state, "commands": self._wishes is not None}

    def news(self, known: int) -> State:
        """How far it is and how it goes; of the cut-backs only those that follow the known ones."""
        state = self.told()
        if self._story is not None:
            with suppress(FlexorError):  # as of a file that is gone; the state tells of it
                told = self._story(state["status"])
                state |= {**told, "cutbacks": {"first": known, "times": told["cutbacks"][known:]}}
        return state

    def _command(self, what: str) -> Callable[[Request], Response]:
        def answer(request: Request) -> Response:
            from starlette.responses import Response

            assert self._wishes is not None
            if what == "stop":
                self._wishes.stopping.set()
            elif what == "pause":
                self._wishes.paused.set()
            else:
                self._wishes.paused.clear()
            return Response(json.dumps(self.told()), media_type="application/json")

        return answer

    async def _events(self, request: Request) -> Response:
        from starlette.responses import StreamingResponse

        return StreamingResponse(self._stream(request), media_type="text/event-stream")

    async def _stream(self, request: Request) -> AsyncIterator[str]:
        import anyio

        last, said, known = None, 0.0, 0
        while not await request.is_disconnected():
            state = await anyio.to_thread.run_sync(self.news, known)
            cutbacks = state.get("cutbacks", {"times": []})["times"]
            if state != last or cutbacks or time.monotonic() - said > IDLE:
                last, said, known = state, time.monotonic(), known + len(cutbacks)
                yield f"data: {json_text(state)}\n\n"
            if state["status"] not in GOING:
                return
            await anyio.sleep(EVERY)
