"""What the practice server does with a connection besides answering: stream, hang, cut it off.

In come a request and what to send; nothing comes out but bytes, or silence, on the wire.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
import time
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HANG_S = 3600.0
_END_EVENTS = 3  # finish reason, usage, [DONE]
_HANG_LOOK_S = 0.25  # how soon a hanging request notices that its client has gone


async def send_events(
    request: web.Request, events: Sequence[bytes], headers: Mapping[str, str], seconds: float
) -> web.StreamResponse:
    """Send server-sent events, spread over ``seconds``; a client that has gone ends it."""
    response = web.StreamResponse(headers={**headers, "cache-control": "no-cache"})
    response.content_type = "text/event-stream"
    began = time.monotonic()
    writes = _together(events)
    try:
        await response.prepare(request)
        for done, data in enumerate(writes):
            # By the clock, so that late wake-ups do not add up.
            wait_s = began + seconds * done / (len(writes) - 1) - time.monotonic()
            if wait_s > 0:
                await asyncio.sleep(wait_s)
            await response.write(data)
        await response.write_eof()
    except ConnectionError:
        pass
    return response


def _together(events: Sequence[bytes]) -> list[bytes]:
    """The events as they are written, at least two: role and first words, …, the whole end."""
    end = max(2, len(events) - _END_EVENTS)
    return [b"".join(events[:2]), *events[2:end], b"".join(events[end:])]


async def hang(request: web.Request) -> None:
    """Do nothing until the client goes, or for an hour."""
    until = time.monotonic() + HANG_S
    while time.monotonic() < until:
        if request.transport is None or request.transport.is_closing():
            return
        await asyncio.sleep(_HANG_LOOK_S)


def reset_connection(request: web.Request) -> None:
    """Cut the connection so that the client sees a reset, not an orderly end."""
    transport = request.transport
    if transport is None:
        return
    connection = transport.get_extra_info("socket")
    if connection is not None:
        linger = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    transport.abort()


def gone() -> web.Response:
    """What the framework wants for a connection that is no more; nobody reads it."""
    response = web.Response()
    response.force_close()
    return response
