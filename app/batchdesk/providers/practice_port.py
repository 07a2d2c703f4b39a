"""The practice server's port: opened, shut so that connections are refused, and opened again.

In comes a web application; out comes the port that it is served on.
"""

from __future__ import annotations

import errno

from aiohttp import web

from batchdesk.providers.practice_faults import PracticeError

HOST = "127.0.0.1"


class Port:
    """One loopback port on which an application is served."""

    def __init__(self, app: web.Application) -> None:
        self._runner = web.AppRunner(
            app, access_log=None, handle_signals=False, shutdown_timeout=0.2
        )
        self._site: web.TCPSite | None = None
        self._number = 0

    async def open(self, number: int) -> int:
        """Listen; returns the port, which is another one only for 0.

        Raises:
            PracticeError: the port is taken or not allowed.
        """
        await self._runner.setup()
        try:
            await self._listen(number)
        except OSError as error:
            await self._runner.cleanup()
            raise _cannot_listen(number, error) from error
        self._number = self._runner.addresses[0][1]
        return self._number

    async def shut(self) -> None:
        """Refuse connections, and cut those that there are."""
        if self._site is None:
            return
        site, self._site = self._site, None
        await site.stop()
        server = self._runner.server
        for connection in list(server.connections) if server is not None else ():
            if connection.transport is not None:
                connection.transport.abort()

    async def reopen(self) -> None:
        """Listen again on the same port."""
        if self._site is None:
            await self._listen(self._number)

    async def close(self) -> None:
        """Close the port and all connections for good."""
        await self._runner.cleanup()

    async def _listen(self, number: int) -> None:
        site = web.TCPSite(self._runner, HOST, number, backlog=1024)
        await site.start()
        self._site = site


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
