"""A server that does to its clients exactly what a test says, byte for byte, on 127.0.0.1."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import pytest


@dataclass
class Asked:
    """One request as it came over the wire. Header names are in lower case."""

    line: str
    headers: dict[str, str]
    body: bytes


Act = Callable[[Asked, asyncio.StreamWriter], Awaitable[bool | None]]


@dataclass
class RawServer:
    """Counts connections, keeps requests, and lets ``act`` answer each; True ends the connection."""

    act: Act
    scheme: str = "http"
    port: int = 0
    connections: int = 0
    asked: list[Asked] = field(default_factory=list)

    @property
    def base_url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/v1"

    async def serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
                while not await self.act(await self._next(reader), writer):
                    pass
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
        except asyncio.CancelledError:
            writer.transport.abort()
            raise

    async def _next(self, reader: asyncio.StreamReader) -> Asked:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = (line.partition(":") for line in head[1:] if line)
        headers = {name.lower(): value.strip() for name, _, value in fields}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.asked.append(Asked(head[0], headers, body))
        return self.asked[-1]


Serve = Callable[..., contextlib.AbstractAsyncContextManager[RawServer]]


@contextlib.asynccontextmanager
async def raw_server(act: Act, tls: ssl.SSLContext | None = None) -> AsyncIterator[RawServer]:
    raw = RawServer(act, "https" if tls else "http")
    tasks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(raw.serve_one(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls)
    raw.port = server.sockets[0].getsockname()[1]
    try:
        yield raw
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)  # what was aborted is closed one step later


@pytest.fixture
def serve_raw() -> Serve:
    return raw_server
