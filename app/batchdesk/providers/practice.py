"""The built-in practice server: an OpenAI-compatible service with limits and faults to learn with.

It is not a model: answers come from word lists and patterns, every one of them says so, and the
same seed gives the same answers and faults. ``serve`` runs it in the foreground, ``child_main`` as
a child process (see ``providers.child``), ``PracticeServer`` on a loop of one's own.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import sys
import time
from collections import deque
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from aiohttp import web

from batchdesk.errors import UserError
from batchdesk.providers import practice_acts as acts
from batchdesk.providers import practice_door as doors
from batchdesk.providers import practice_wire as wire
from batchdesk.providers.child import announce, watch_parent
from batchdesk.providers.practice_answers import answer, fraction
from batchdesk.providers.practice_door import Door, Refused
from batchdesk.providers.practice_faults import ANSWER_FAULTS, Seen, applies, draw, spoil
from batchdesk.providers.practice_port import HOST, Port
from batchdesk.providers.practice_settings import PracticeSettings, parse_settings
from batchdesk.providers.practice_stats import PracticeStats, digest
from batchdesk.runtime import allow_many_files, loop_factory

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

_SLOW_FACTOR = 10
_FIRST_TOKEN_SHARE = 0.4  # of the latency, when streaming
_SEEN_MAX = 64
_BODY_MAX = 64 * 1024**2  # bytes
_HEADERS = {"x-batchdesk-practice": "not a model"}
_NORMAL = NormalDist()
_PAGE = b"<!DOCTYPE html><html><body><h1>Sign in to the network</h1></body></html>"


class PracticeServer:
    """The server on the running event loop.

    Args:
        settings: How it behaves.
        clock: Seconds, monotonic; for the limits.
    """

    def __init__(
        self, settings: PracticeSettings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._stats = PracticeStats()
        self._latency_s = settings.latency_s
        self._door = Door(settings, clock())
        self._slots = asyncio.Semaphore(settings.slots) if settings.slots else None
        self._seen: deque[Seen] = deque(maxlen=_SEEN_MAX)
        self._port: Port | None = None
        self._timers: list[asyncio.TimerHandle] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        """Listen on the loopback address; returns the port.

        Raises:
            PracticeError: the port is taken or not allowed.
        """
        app = web.Application(client_max_size=_BODY_MAX)
        app.add_routes(
            [
                web.post("/v1/chat/completions", self._chat),
                web.get("/v1/models", self._models),
                web.get("/health", self._health),
                web.get("/practice/stats", self._show_stats),
                web.post("/practice/reset", self._reset),
                web.post("/practice/limits", self._change_limits),
                web.route("*", "/{path:.*}", self._not_found),
            ]
        )
        self._port = Port(app)
        return await self._port.open(self._settings.port)

    async def stop(self) -> None:
        """Close the port and all connections."""
        self._unplan()
        if self._port is not None:
            await self._port.close()
            self._port = None

    def _plan(self) -> None:
        """Shut the port for each outage in which connections are refused, from now on."""
        port = self._port
        if port is None or self._settings.outage_mode != "refuse":
            return
        loop = asyncio.get_running_loop()
        for span in self._settings.outages:
            start_s = span.start_s / self._settings.time_scale
            length_s = span.length_s / self._settings.time_scale
            for at_s, act in ((start_s, port.shut), (start_s + length_s, port.reopen)):
                self._timers.append(loop.call_later(at_s, self._carry_out, act))

    def _carry_out(self, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        task = asyncio.get_running_loop().create_task(act())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _unplan(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    # The chat endpoint

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        self._stats.enter()
        if self._door.arrive(self._clock()):
            self._plan()
        try:
            response = await self._admit(request)
            if response is None:
                return acts.gone()
            self._stats.by_status[response.status] += 1
            return response
        finally:
            self._stats.leave()

    async def _admit(self, request: web.Request) -> web.StreamResponse | None:
        """Check the service, the key and the request; then answer or act a fault out."""
        outage = self._door.outage(self._clock())
        if outage == "hang":
            self._stats.refuse("outage")
            await acts.hang(request)
            return None
        if outage is not None:
            return self._refuse(doors.DOWN)
        if not self._may_enter(request):
            return self._refuse(doors.WRONG_KEY)
        raw = await request.read()
        try:
            asked = wire.read_request(raw)
        except wire.BadRequestError as error:
            return self._refuse(doors.bad_request(str(error)))
        refused = self._door.turn_away(asked.prompt_tokens, self._stats.working, self._clock())
        if refused is not None:
            return self._refuse(refused)
        name = request.headers.get("Idempotency-Key")
        key = digest(raw) if name is None else digest(name)
        attempt = self._stats.attempt(key)
        fault = draw(self._settings.faults, self._settings.seed, key, attempt)
        self._stats.begin()
        try:
            return await self._act(request, asked, key, attempt, fault)
        finally:
            self._stats.end()

    async def _act(
        self,
        request: web.Request,
        asked: wire.PracticeRequest,
        key: int,
        attempt: int,
        fault: str | None,
    ) -> web.StreamResponse | None:
        replies, fault = self._replies(asked, fault)
        if fault is not None:
            self._stats.by_fault[fault] += 1
        if fault in doors.FAULTS:
            return self._refuse(doors.FAULTS[fault])
        row = digest(asked.question.row_key or asked.question.text)
        if fault == "hang":
            self._stats.billed(key, row)
            await acts.hang(request)
            return None
        latency_s = self._latency(key, attempt) * self._times(asked, row, fault)
        used = wire.usage(asked.prompt_tokens, replies)
        self._door.settle(used["completion_tokens"])
        streams = asked.stream and fault not in {"reset", "html"}
        async with self._slots or contextlib.nullcontext():
            await asyncio.sleep(latency_s * (_FIRST_TOKEN_SHARE if streams else 1))
            self._stats.billed(key, row)
            if fault == "reset":
                acts.reset_connection(request)
                return None
            self._stats.answer(key, used["prompt_tokens"], used["completion_tokens"])
            headers = _HEADERS | self._door.headers(self._clock())
            if fault == "html":
                return web.Response(body=_PAGE, content_type="text/html", headers=headers)
            ident = f"practice-{key:016x}-{attempt}"
            if streams:
                events = wire.stream_events(ident, asked, replies, used)
                rest_s = latency_s * (1 - _FIRST_TOKEN_SHARE)
                return await acts.send_events(request, events, headers, rest_s)
        body = wire.completion(ident, asked, replies, used)
        return web.Response(body=body, content_type="application/json", headers=headers)

    def _replies(
        self, asked: wire.PracticeRequest, fault: str | None
    ) -> tuple[list[wire.Reply], str | None]:
        """The choices, spoiled by the fault if it is of that kind, and the fault that remains."""
        seed = self._settings.seed
        question = asked.question
        rights = [answer(question, seed, variant=variant) for variant in range(asked.n)]
        replies = []
        for right in rights:
            reply = wire.Reply(right, "stop")
            if fault is not None and not applies(fault, question, right):
                fault = None
            if fault in ANSWER_FAULTS:
                reply = wire.Reply(*spoil(fault, question, right, seed=seed, seen=self._seen))
            replies.append(wire.shorten(reply, asked.max_tokens))
        self._seen.append(Seen(question, rights[0]))
        return replies, fault

    def _latency(self, key: int, attempt: int) -> float:
        """Seconds that the work takes; lognormal around the set median if there is a spread."""
        latency_s = self._latency_s / self._settings.time_scale
        if not self._settings.latency_sigma:
            return latency_s
        at = fraction("latency", self._settings.seed, key, attempt)
        spread = self._settings.latency_sigma * _NORMAL.inv_cdf(min(max(at, 1e-9), 1 - 1e-9))
        return latency_s * math.exp(spread)

    def _times(self, asked: wire.PracticeRequest, row: int, fault: str | None) -> float:
        """How many times as long as usual a request takes."""
        wanted = self._settings
        times = float(_SLOW_FACTOR) if fault == "slow" else 1.0
        is_long = wanted.slow_over is not None and len(asked.question.text) > wanted.slow_over
        if is_long or (
            wanted.slow_share and fraction("slow row", wanted.seed, row) < wanted.slow_share
        ):
            times *= wanted.slow_factor
        return times

    def _may_enter(self, request: web.Request) -> bool:
        key = self._settings.api_key
        return key is None or request.headers.get("Authorization") == f"Bearer {key}"

    def _refuse(self, refused: Refused) -> web.Response:
        """Count it and say so."""
        self._stats.refuse(refused.reason)
        return self._error(refused)

    def _error(self, refused: Refused) -> web.Response:
        headers = _HEADERS | self._door.headers(self._clock()) | dict(refused.headers)
        body = wire.error_body(refused.message, refused.kind, refused.code)
        return web.Response(
            status=refused.status, body=body, content_type="application/json", headers=headers
        )

    # Everything else

    async def _models(self, request: web.Request) -> web.Response:
        if not self._may_enter(request):
            return self._error(doors.WRONG_KEY)
        return web.Response(
            body=wire.models_body(), content_type="application/json", headers=_HEADERS
        )

    async def _health(self, _: web.Request) -> web.Response:
        return web.json_response({"status": "ok"}, headers=_HEADERS)

    async def _show_stats(self, _: web.Request) -> web.Response:
        return web.json_response(self._stats.as_json(), headers=_HEADERS)

    async def _reset(self, _: web.Request) -> web.Response:
        """Zero the counts and begin anew, as it was started: the same faults and plans."""
        self._stats = self._stats.cleared()
        self._seen.clear()
        self._unplan()
        self._door = Door(self._settings, self._clock())
        self._latency_s = self._settings.latency_s
        return web.json_response({"status": "ok"}, headers=_HEADERS)

    async def _change_limits(self, request: web.Request) -> web.Response:
        """New limits from now on, for practice with a service that changes its mind.

        The body may hold ``rpm``, ``tpm`` (null: no limit), ``latency`` in seconds,
        ``quota_after`` (so many requests from now on; null: there is quota again), ``revoked``
        and ``outage`` ("503", "hang"; null: none). What it does not name stays.
        """
        try:
            wanted: Any = await request.json()
            latency_s = float(wanted.get("latency", self._latency_s))
            PracticeSettings(rpm=wanted.get("rpm"), tpm=wanted.get("tpm"), latency_s=latency_s)
            self._door.change(wanted, self._clock())
        except (ValueError, TypeError, AttributeError, UserError) as error:
            return self._error(doors.bad_request(str(error)))
        self._latency_s = latency_s
        return web.json_response({"status": "ok"}, headers=_HEADERS)

    async def _not_found(self, request: web.Request) -> web.Response:
        message = f"Unknown request URL: {request.method} {request.path}."
        return self._error(Refused("unknown", 404, message, "invalid_request_error", "unknown_url"))


async def serve(settings: PracticeSettings, on_ready: Callable[[str], None]) -> None:
    """Run the server until the task is cancelled; ``on_ready`` gets its address.

    Raises:
        PracticeError: the port is taken or not allowed.
    """
    server = PracticeServer(settings)
    port = await server.start()
    try:
        on_ready(f"http://{HOST}:{port}/v1")
        await asyncio.Event().wait()
    finally:
        await server.stop()


def run(settings: PracticeSettings, on_ready: Callable[[str], None]) -> None:
    """``serve`` on a fresh event loop, the fastest there is, until interrupted."""
    allow_many_files()
    with (
        contextlib.suppress(KeyboardInterrupt),  # how a person stops it
        asyncio.Runner(loop_factory=loop_factory()) as runner,
    ):
        runner.run(serve(settings, on_ready))


def child_main(argv: Sequence[str]) -> int:
    """Run as a child process: tell the port on standard output, end with standard input.

    Returns:
        The exit code: 1 if it could not start, with the reason on standard error.
    """
    try:
        settings = parse_settings(argv)
        watch_parent()
        run(settings, lambda address: announce(_port_of(address)))
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _port_of(address: str) -> int:
    return int(address.removesuffix("/v1").rpartition(":")[2])


if __name__ == "__main__":
    sys.exit(child_main(sys.argv[1:]))
