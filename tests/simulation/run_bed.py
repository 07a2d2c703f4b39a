"""Whole runs in simulated time: the real runner, gate and project file against a simulated service.

``SimulatedProvider`` puts a ``Service`` behind the provider's interface and keeps when requests
came and how they ended. ``Down`` is an outage that shows in several ways at once.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from dataclasses import dataclass

from tests.simulation.services import Reply, Service
from tests.unit.engine.bench import row_of
from tests.unit.engine.simulated_loop import SimulatedLoop

from batchdesk.domain.chat import ChatRequest, ChatResponse, Choice, Usage
from batchdesk.domain.task import ErrorKind
from batchdesk.providers.base import Capabilities, ProviderError

TOKENS = 15.0  # of a request, as the service counts it


@dataclass(frozen=True, slots=True)
class Call:
    """One request as the service saw it; ``kind`` None: answered."""

    at: float
    ended_at: float
    row: str
    kind: ErrorKind | None


class SimulatedProvider:
    """A service behind the provider's interface; a request that outlasts its time is given up.

    Args:
        keeps: Whether every call is kept; without, only their numbers.
    """

    def __init__(self, service: Service, seed: int = 1, *, keeps: bool = True) -> None:
        self.service = service
        self.calls: list[Call] = []
        self.ends: Counter[ErrorKind | None] = Counter()
        self.in_flight = 0
        self._rng = random.Random(seed)
        self._keeps = keeps

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities()

    async def chat(self, request: ChatRequest) -> ChatResponse:
        began = asyncio.get_running_loop().time()
        reply = self.service.reply(TOKENS, began, self._rng)
        if reply.after_s > request.timeout_total_s:
            reply = Reply(request.timeout_total_s, ErrorKind.READ_TIMEOUT)
        self.in_flight += 1
        try:
            await asyncio.sleep(reply.after_s)
        finally:
            self.in_flight -= 1
        return self._ended(request, began, reply)

    def _ended(self, request: ChatRequest, began: float, reply: Reply) -> ChatResponse:
        row = row_of(request)
        self.ends[reply.kind] += 1
        if self._keeps:
            self.calls.append(Call(began, asyncio.get_running_loop().time(), row, reply.kind))
        if reply.kind is not None and not reply.kind.is_of_answer:
            raise ProviderError(
                reply.kind,
                f"it said {reply.kind}",
                retry_after_s=reply.hint_s,
                limits=reply.limits,
            )
        text = "Sorry" if reply.kind is not None else json.dumps({"echo": row})
        choice = Choice(text, "stop")
        return ChatResponse(
            (choice,), Usage(10, 5), 200, "request", "response", limits=reply.limits
        )

    async def close(self) -> None:
        """Nothing to close."""

    def between(self, start: float, end: float) -> list[Call]:
        """The calls that came in a span of time."""
        return [call for call in self.calls if start <= call.at < end]


@dataclass(frozen=True, slots=True)
class Down:
    """Between two times nothing works, each request in one of several ways."""

    start: float
    end: float
    kinds: tuple[ErrorKind, ...] = (
        ErrorKind.SERVER_ERROR,
        ErrorKind.OVERLOADED,
        ErrorKind.CONNECT_FAILED,
        ErrorKind.CONNECTION_RESET,
        ErrorKind.CONNECT_TIMEOUT,
    )
    after_s: float = 0.05

    def reply(self, now: float, rng: random.Random) -> Reply | None:
        if not self.start <= now < self.end:
            return None
        return Reply(self.after_s, rng.choice(self.kinds))


def sleep_computer(seconds: float) -> None:
    """The computer sleeps now: the loop's clock jumps, and nothing happens meanwhile."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimulatedLoop)
    loop.pass_time(seconds)
