"""Requests over HTTP: the only module that imports httpx (on the aiohttp transport).

In come a URL, headers and a JSON body; out come the status, the headers and the whole body, or a
ProviderError whose ErrorKind tells what the transport did. Retries and redirects are off here: the
engine has the one retry layer, and a key is never sent to another host than the chosen one.
"""

from __future__ import annotations

import asyncio
import ssl
import urllib.request
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from batchdesk import __version__
from batchdesk.domain.task import ErrorKind
from batchdesk.errors import JobFileError
from batchdesk.providers.base import ProviderError

_MOST_BYTES = 64 * 1024 * 1024  # of one response; no chat completion is that long
_KEEP_ALIVE_S = 30.0  # shorter than the idle time-out of common servers


@dataclass(frozen=True, slots=True)
class HttpTimeouts:
    """Seconds; see engine.md: four time limits, never mixed."""

    connect_s: float
    read_s: float
    total_s: float


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A whole response. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: str


class HttpClient:
    """Connections to one service.

    Args:
        base_url: ``http(s)://host[:port]/path``, to which paths are appended.
        headers: Sent with every request, the key among them.

    Raises:
        JobFileError: the address is not one.
    """

    def __init__(self, base_url: str, headers: Mapping[str, str]) -> None:
        self._base_url = checked_url(base_url)
        self._client: httpx.AsyncClient | None = None
        self._headers = {"user-agent": f"Batchdesk/{__version__}", **headers}

    async def post(
        self, path: str, body: bytes, headers: Mapping[str, str], timeouts: HttpTimeouts
    ) -> HttpResponse:
        """Send JSON and return the whole response, whatever its status.

        Raises:
            ProviderError: no whole response came.
        """
        async with self._sending(path, body, headers, timeouts) as response:
            raw = bytearray()
            async for chunk in response.aiter_bytes():
                raw += chunk
                _check_size(len(raw))
            text = raw.decode(response.charset_encoding or "utf-8", "replace")
            return HttpResponse(response.status_code, _lower(response.headers), text)

    async def post_stream(
        self,
        path: str,
        body: bytes,
        headers: Mapping[str, str],
        timeouts: HttpTimeouts,
        on_line: Callable[[str], None],
    ) -> HttpResponse:
        """The same, telling each line as it comes when the response is an event stream.

        Raises:
            ProviderError: no whole response came.
        """
        async with self._sending(path, body, headers, timeouts) as response:
            lines: list[str] = []
            size = 0
            streams = response.headers.get("content-type", "").startswith("text/event-stream")
            async for line in response.aiter_lines():
                size += len(line)
                _check_size(size)
                lines.append(line)
                if streams:
                    on_line(line)
            return HttpResponse(response.status_code, _lower(response.headers), "\n".join(lines))

    async def close(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    @asynccontextmanager
    async def _sending(
        self, path: str, body: bytes, headers: Mapping[str, str], timeouts: HttpTimeouts
    ) -> AsyncIterator[httpx.Response]:
        if self._client is None:  # made on the loop that uses it
            self._client = _client(self._base_url, self._headers)
        request = self._client.build_request(
            "POST",
            self._base_url + path,
            content=body,
            headers={"content-type": "application/json", **headers},
            timeout=httpx.Timeout(timeouts.read_s, connect=timeouts.connect_s, pool=None),
        )
        try:
            async with asyncio.timeout(timeouts.total_s):
                response = await self._client.send(request, stream=True)
                try:
                    yield response
                finally:
                    await response.aclose()
        except TimeoutError:
            raise ProviderError(
                ErrorKind.READ_TIMEOUT, f"no whole answer within {timeouts.total_s:g} s"
            ) from None
        except httpx.HTTPError as error:
            raise _told(error, timeouts) from error
        except (aiohttp.ClientError, OSError) as error:
            raise ProviderError(ErrorKind.CONNECTION_RESET, _words(error)) from error


def checked_url(url: str) -> str:
    """The address without a slash at the end.

    Raises:
        JobFileError: it is not an http(s) address.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise JobFileError(
            "The address {url!r} is not one: write it like https://api.example.com/v1.", url=url
        )
    return url.rstrip("/")


def _client(base_url: str, headers: Mapping[str, str]) -> httpx.AsyncClient:
    context = ssl.create_default_context() if base_url.startswith("https:") else None
    connector = aiohttp.TCPConnector(
        limit=0,  # the gate decides how many requests are in flight
        keepalive_timeout=_KEEP_ALIVE_S,
        ssl=context if context is not None else True,
    )
    session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
    proxy = _proxy_for(base_url)
    transport = AiohttpTransport(client=session, proxy=httpx.Proxy(proxy) if proxy else None)
    return httpx.AsyncClient(transport=transport, headers=headers, follow_redirects=False)


def _proxy_for(base_url: str) -> str | None:
    """The system's or the environment's proxy for this address, if it has one."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    if host in ("localhost", "::1") or host.startswith("127.") or urllib.request.proxy_bypass(host):
        return None
    return urllib.request.getproxies().get(parts.scheme)


def _told(error: httpx.HTTPError, timeouts: HttpTimeouts) -> ProviderError:
    """What the transport's fault means; its own mapping blurs some, so its cause is asked."""
    cause = error.__cause__
    if isinstance(cause, aiohttp.ConnectionTimeoutError):
        return ProviderError(
            ErrorKind.CONNECT_TIMEOUT, f"no connection within {timeouts.connect_s:g} s"
        )
    if isinstance(cause, aiohttp.ServerTimeoutError):
        return ProviderError(ErrorKind.READ_TIMEOUT, f"silent for {timeouts.read_s:g} s")
    if isinstance(cause, aiohttp.ClientConnectorError | aiohttp.ClientProxyConnectionError):
        return ProviderError(ErrorKind.CONNECT_FAILED, _words(cause))
    if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL | httpx.ProxyError):
        return ProviderError(ErrorKind.CONNECT_FAILED, _words(error))
    return ProviderError(ErrorKind.CONNECTION_RESET, _words(cause or error))


def _words(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _lower(headers: httpx.Headers) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _check_size(size: int) -> None:
    if size > _MOST_BYTES:
        raise ProviderError(
            ErrorKind.NOT_AN_API, f"the response is longer than {_MOST_BYTES // 2**20} MiB"
        )
