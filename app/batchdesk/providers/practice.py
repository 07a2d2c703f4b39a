"""The built-in practice server: an OpenAI-compatible service with limits and faults to learn with.

It is not a model: answers come from word lists and patterns, every one of them says so, and the
same seed gives the same answers and faults. ``serve`` runs it in the foreground, ``child_main`` as
a child process (see ``providers.child``), ``PracticeServer`` on a loop of one's own.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import math
import sys
import time
from collections import deque
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from aiohttp import web

from batchdesk.errors import UserError
from batchdesk.providers import practice_acts as acts
from batchdesk.providers import practice_wire as wire
from batchdesk.providers.child import announce, watch_parent
from batchdesk.providers.practice_answers import answer, fraction
from batchdesk.providers.practice_faults import (
    ANSWER_FAULTS,
    PracticeError,
    Seen,
    applies,
    draw,
    spoil,
)
from batchdesk.providers.practice_limits import RateLimits, retry_headers
from batchdesk.providers.practice_settings import PracticeSettings, parse_settings
from batchdesk.providers.practice_stats import PracticeStats, digest
from batchdesk.runtime import allow_many_files, loop_factory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

HOST = "127.0.0.1"
_SLOW_FACTOR = 10
_FIRST_TOKEN_SHARE = 0.4  # of the latency, when streaming
_SEEN_MAX = 64
_BODY_MAX = 64 * 1024**2  # bytes
_HEADERS = {"x-batchdesk-practice": "not a model"}
_NORMAL = NormalDist()
_PAGE = b"<!DOCTYPE html><html><body><h1>Sign in to the network</h1></body></html>"
_FAILED = "The server had an error while processing your request."
_LIMITED = "Rate limit reached for practice. Try again in 1s."
_OVERLOADED = "The server is overloaded. Try again in 1s."
_REFUSALS: dict[str, tuple[int, str, str, str]] = {
    "429": (429, _LIMITED, "requests", "rate_limit_exceeded"),
    "500": (500, _FAILED, "server_error", "server_error"),
    "503": (503, _OVERLOADED, "server_error", "overloaded"),
}


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
        self._limits = self._make_limits(settings.rpm, settings.tpm)
        self._slots = asyncio.Semaphore(settings.slots) if settings.slots else None
        self._seen: deque[Seen] = deque(maxlen=_SEEN_MAX)
        self._runner: web.AppRunner | None = None

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
        runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=0.2)
        await runner.setup()
        try:
            site = web.TCPSite(runner, HOST, self._settings.port, backlog=1024)
            await site.start()
        except OSError as error:
            await runner.cleanup()
            raise _cannot_listen(self._settings.port, error) from error
        self._runner = runner
        port: int = runner.addresses[0][1]
        return port

    async def stop(self) -> None:
        """Close the port and all connections."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def _make_limits(self, rpm: float | None, tpm: float | None) -> RateLimits:
        return RateLimits(
            rpm=rpm,
            tpm=tpm,
            burst=self._settings.burst,
            step_s=self._settings.limit_step_s,
            count_refused=self._settings.count_refused,
            style=self._settings.limit_headers,
            now_s=self._clock(),
        )

    # The chat endpoint

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        self._stats.enter()
        try:
            response = await self._admit(request)
            if response is None:
                return acts.gone()
            self._stats.by_status[response.status] += 1
            return response
        finally:
            self._stats.leave()

    async def _admit(self, request: web.Request) -> web.StreamResponse | None:
        """Check the key, the request and the limits; then answer or act a fault out."""
        if not self._may_enter(request):
            message = "Incorrect API key provided."
            return self._error(401, message, "invalid_request_error", "invalid_api_key")
        raw = await request.read()
        try:
            asked = wire.read_request(raw)
        except wire.BadRequestError as error:
            return self._error(400, str(error), "invalid_request_error", "bad_request")
        if refusal := self._limits.admit(asked.prompt_tokens, self._clock()):
            more = retry_headers(refusal.wait_s)
            return self._error(429, refusal.message, refusal.kind, "rate_limit_exceeded", more)
        name = request.headers.get("Idempotency-Key")
        key = digest(raw) if name is None else digest(name)
        attempt = self._stats.attempt(key)
        fault = draw(self._settings.faults, self._settings.seed, key, attempt)
        return await self._act(request, asked, key, attempt, fault)

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
        if fault in _REFUSALS:
            status, message, kind, code = _REFUSALS[fault]
            more = retry_headers(1) if fault != "500" else {}
            return self._error(status, message, kind, code, more)
        row = digest(asked.question.row_key or asked.question.text)
        if fault == "hang":
            self._stats.billed(key, row)
            await acts.hang(request)
            return None
        latency_s = self._latency(key, attempt) * (_SLOW_FACTOR if fault == "slow" else 1)
        used = wire.usage(asked.prompt_tokens, replies)
        self._limits.settle(used["completion_tokens"])
        streams = asked.stream and fault not in {"reset", "html"}
        await self._work(latency_s * (_FIRST_TOKEN_SHARE if streams else 1))
        self._stats.billed(key, row)
        if fault == "reset":
            acts.reset_connection(request)
            return None
        self._stats.answer(key, used["prompt_tokens"], used["completion_tokens"])
        headers = _HEADERS | self._limits.headers(self._clock())
        if fault == "html":
            return web.Response(body=_PAGE, content_type="text/html", headers=headers)
        ident = f"practice-{key:016x}-{attempt}"
        if streams:
            events = wire.stream_events(ident, asked, replies, used)
            return await acts.send_events(
                request, events, headers, latency_s * (1 - _FIRST_TOKEN_SHARE)
            )
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
        if not self._settings.latency_sigma:
            return self._latency_s
        at = fraction("latency", self._settings.seed, key, attempt)
        spread = self._settings.latency_sigma * _NORMAL.inv_cdf(min(max(at, 1e-9), 1 - 1e-9))
        return self._latency_s * math.exp(spread)

    async def _work(self, seconds: float) -> None:
        if self._slots is None:
            if seconds:
                await asyncio.sleep(seconds)
            return
        async with self._slots:
            await asyncio.sleep(seconds)

    def _may_enter(self, request: web.Request) -> bool:
        key = self._settings.api_key
        return key is None or request.headers.get("Authorization") == f"Bearer {key}"

    def _error(
        self,
        status: int,
        message: str,
        kind: str,
        code: str,
        more: Mapping[str, str] | None = None,
    ) -> web.Response:
        headers = _HEADERS | self._limits.headers(self._clock()) | dict(more or {})
        body = wire.error_body(message, kind, code)
        return web.Response(
            status=status, body=body, content_type="application/json", headers=headers
        )

    # Everything else

    async def _models(self, request: web.Request) -> web.Response:
        if not self._may_enter(request):
            message = "Incorrect API key provided."
            return self._error(401, message, "invalid_request_error", "invalid_api_key")
        return web.Response(
            body=wire.models_body(), content_type="application/json", headers=_HEADERS
        )

    async def _health(self, _: web.Request) -> web.Response:
        return web.json_response({"status": "ok"}, headers=_HEADERS)

    async def _show_stats(self, _: web.Request) -> web.Response:
        return web.json_response(self._stats.as_json(), headers=_HEADERS)

    async def _reset(self, _: web.Request) -> web.Response:
        """Zero the counts; the same requests then meet the same faults again."""
        self._stats = self._stats.cleared()
        self._seen.clear()
        return web.json_response({"status": "ok"}, headers=_HEADERS)

    async def _change_limits(self, request: web.Request) -> web.Response:
        """New limits from now on, for practice with a service that changes its mind.

        The body may hold ``rpm``, ``tpm`` (null: no limit) and ``latency`` in seconds.
        """
        try:
            wanted: Any = await request.json()
            rpm, tpm = wanted.get("rpm"), wanted.get("tpm")
            latency_s = float(wanted.get("latency", self._latency_s))
            PracticeSettings(rpm=rpm, tpm=tpm, latency_s=latency_s)
        except (ValueError, TypeError, AttributeError, UserError) as error:
            return self._error(400, str(error), "invalid_request_error", "bad_request")
        self._limits = self._make_limits(rpm, tpm)
        self._latency_s = latency_s
        return web.json_response({"status": "ok"}, headers=_HEADERS)

    async def _not_found(self, request: web.Request) -> web.Response:
        message = f"Unknown request URL: {request.method} {request.path}."
        return self._error(404, message, "invalid_request_error", "unknown_url")


def _cannot_listen(port: int, error: OSError) -> PracticeError:
    if error.errno == errno.EADDRINUSE:
        return PracticeError(
            "Port {port} is already in use on this computer. Stop the program that uses it, or "
            "choose another port (0: any free one).",
            port=port,
        )
    return PracticeError(
        "Port {port} cannot be used: {reason}. Choose another port (0: any free one).",
        port=port,
        reason=error.strerror or str(error),
    )


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
