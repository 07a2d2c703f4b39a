"""Requests over HTTP: the only module that uses aiohttp as a client.

In come a URL, headers and a JSON body; out come the status, the headers and the whole body, or a
ProviderError whose ErrorKind tells what the transport did. Retries and redirects are off here: the
engine has the one retry layer, and a key is never sent to another host than the chosen one.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
from yarl import URL

from batchdesk import __version__
from batchdesk.domain.network import SYSTEM_NETWORK, Network
from batchdesk.domain.task import ErrorKind
from batchdesk.errors import JobFileError, UserError
from batchdesk.providers.base import ProviderError
from batchdesk.providers.event_lines import EventLines
from batchdesk.providers.limit_headers import limits_of
from batchdesk.providers.proxy import proxy_for
from batchdesk.providers.tls import bundled_context, check_file, client_context

_MOST_BYTES = 64 * 1024 * 1024  # of one response; no chat completion is that long
_KEPT_BYTES = 64 * 1024  # of a response longer than that
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
        network: Through which proxy, and whom to trust.

    Raises:
        JobFileError: the address is not one.
        UserError: a header's value cannot be sent, or the proxy or the file of certificates cannot
            be used.
    """

    def __init__(
        self, base_url: str, headers: Mapping[str, str], network: Network = SYSTEM_NETWORK
    ) -> None:
        self._base_url = checked_url(base_url)
        self._proxy = proxy_for(self._base_url, network.proxy)
        self._ca_file = network.ca_file
        if self._ca_file is not None:  # told before the first request, not as a failed one
            check_file(self._ca_file)
        self._headers = {
            "user-agent": f"Batchdesk/{__version__}",
            "accept": "application/json, text/event-stream",
            "accept-encoding": "identity",  # answers are short: packing costs more than it saves
            "content-type": "application/json",
            **{name: _header_value(value) for name, value in headers.items()},
        }
        self._urls: dict[str, URL] = {}
        self._session: aiohttp.ClientSession | None = None

    async def get(self, path: str, timeouts: HttpTimeouts) -> HttpResponse:
        """Ask for something and return the whole response, whatever its status.

        Raises:
            ProviderError: no whole response came.
        """
        return await self._exchange("GET", path, timeouts)

    async def post(
        self, path: str, body: bytes, headers: Mapping[str, str], timeouts: HttpTimeouts
    ) -> HttpResponse:
        """Send JSON and return the whole response, whatever its status.

        Raises:
            ProviderError: no whole response came.
        """
        return await self._exchange("POST", path, timeouts, body, headers)

    async def post_stream(
        self,
        path: str,
        body: bytes,
        headers: Mapping[str, str],
        timeouts: HttpTimeouts,
        on_line: Callable[[str], None],
    ) -> HttpResponse:
        """The same, telling each line of the body as it comes.

        Raises:
            ProviderError: no whole response came.
        """
        return await self._exchange("POST", path, timeouts, body, headers, on_line=on_line)

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _exchange(
        self,
        method: str,
        path: str,
        timeouts: HttpTimeouts,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        on_line: Callable[[str], None] | None = None,
    ) -> HttpResponse:
        if self._session is None:  # made on the loop that uses it
            self._session = _session(self._base_url, self._proxy, self._ca_file, self._headers)
        url = self._urls.get(path)
        if url is None:
            url = self._urls[path] = URL(self._base_url + path)
        response: aiohttp.ClientResponse | None = None
        raw = bytearray()
        clock = asyncio.timeout(timeouts.total_s)
        try:
            async with (
                clock,
                self._session.request(
                    method,
                    url,
                    headers=headers,
                    data=body,
                    allow_redirects=False,
                    proxy=self._proxy,
                    # "connect" covers the host's name, the connection, the proxy and TLS.
                    timeout=aiohttp.ClientTimeout(
                        connect=timeouts.connect_s, sock_read=timeouts.read_s
                    ),
                ) as response,
            ):
                await _read(response, raw, on_line)
            return _whole(response, raw)
        except TimeoutError as error:
            fault = _late(timeouts) if clock.expired() else _told(error, timeouts)
        except (aiohttp.ClientError, OSError, UnicodeError) as error:
            fault = _told(error, timeouts)
        except ProviderError as error:
            fault = error
        if response is not None:
            fault.http_status = response.status
            fault.response_body = _text(raw, response)
            fault.limits = limits_of(_headers(response), time.time())
        raise fault  # out here it carries no cause: aiohttp's errors know the headers, so the key


def checked_url(url: str) -> str:
    """The address, its host in lower case, without a slash or ``/chat/completions`` at the end.

    Raises:
        JobFileError: it is not an http(s) address, or holds what does not belong there.
    """
    url = url.strip()
    try:
        parts = urlsplit(url)
        URL(url)  # stricter about ports and host names
        _ = (parts.hostname or "").encode("idna")  # as connecting does: 63 letters between dots
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
        parts = urlsplit("")
    if not is_address or any(c.isspace() for c in url):
        raise JobFileError(
            "The address {url!r} is not one: write it like https://api.example.com/v1.", url=url
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise JobFileError(
            "The address of the service at {host} holds more than an address: leave out name and "
            "password, and everything from ? or # on.",
            host=parts.hostname,
        )
    path = parts.path.rstrip("/").removesuffix("/chat/completions").rstrip("/")
    return f"{parts.scheme}://{parts.netloc.lower()}{path}"


def _session(
    base_url: str, proxy: str | None, ca_file: Path | None, headers: Mapping[str, str]
) -> aiohttp.ClientSession:
    if base_url.startswith("https:") or (proxy or "").startswith("https:"):
        context = client_context(bundled_context(), ca_file)
    else:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # trusts nobody; not used
    connector = aiohttp.TCPConnector(
        limit=0,  # the gate decides how many requests are in flight
        keepalive_timeout=_KEEP_ALIVE_S,
        ssl=context,
    )
    return aiohttp.ClientSession(
        connector=connector, cookie_jar=aiohttp.DummyCookieJar(), headers=headers
    )


async def _read(
    response: aiohttp.ClientResponse, raw: bytearray, on_line: Callable[[str], None] | None
) -> None:
    """Read the body, unpacked though no packing is asked for, into ``raw``."""
    lines = EventLines()
    async for chunk in response.content.iter_any():
        raw += chunk
        if len(raw) > _MOST_BYTES:
            del raw[_KEPT_BYTES:]  # what it was shows at its start; each try would keep it all
            raise ProviderError(
                ErrorKind.NOT_AN_API, f"the response is longer than {_MOST_BYTES // 2**20} MiB"
            )
        if on_line is not None:
            for line in lines.feed(chunk):
                on_line(line)
    if on_line is not None:
        for line in lines.end():
            on_line(line)


def _late(timeouts: HttpTimeouts) -> ProviderError:
    return ProviderError(ErrorKind.READ_TIMEOUT, f"no whole answer within {timeouts.total_s:g} s")


def _told(error: Exception, timeouts: HttpTimeouts) -> ProviderError:
    """What the transport's fault means."""
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return ProviderError(
            ErrorKind.CONNECT_TIMEOUT, f"no connection within {timeouts.connect_s:g} s"
        )
    if isinstance(error, aiohttp.ServerTimeoutError):
        return ProviderError(ErrorKind.READ_TIMEOUT, f"silent for {timeouts.read_s:g} s")
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return ProviderError(
            ErrorKind.CONNECT_FAILED, f"the proxy refused: {error.status} {error.message}"
        )
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return ProviderError(
            ErrorKind.CONNECT_FAILED,
            f"the certificate of {error.host} is not trusted: {_certificate_words(error)}",
        )
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return ProviderError(
            ErrorKind.CONNECT_FAILED, f"there is no host named {error.host}, or no network"
        )
    if isinstance(error, aiohttp.ClientConnectorError):
        return ProviderError(
            ErrorKind.CONNECT_FAILED,
            f"no connection to {error.host}:{error.port}: {_system_words(error.os_error)}",
        )
    if isinstance(error, aiohttp.ClientResponseError):
        return ProviderError(
            ErrorKind.NOT_AN_API,
            f"what answers there does not speak HTTP: {_one_line(error.message)}",
        )
    return ProviderError(ErrorKind.CONNECTION_RESET, str(error) or type(error).__name__)


def _certificate_words(error: aiohttp.ClientConnectorCertificateError) -> str:
    inner = error.certificate_error
    return getattr(inner, "verify_message", "") or str(inner)


def _system_words(error: OSError) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "it was refused; is the server running?"
    return str(error.strerror or error)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _header_value(value: str) -> str:
    """A header's value, checked; the value may be a key, so no error may repeat it.

    Raises:
        UserError: characters that no header may hold.
    """
    if not (value.isascii() and value.isprintable()):
        raise UserError(
            "The key holds characters that cannot be part of one, such as line breaks or "
            "typographic signs. Copy it anew."
        )
    return value


def _text(raw: bytearray, response: aiohttp.ClientResponse) -> str:
    """UTF-8, as JSON is, whatever the header says; else in the encoding that the header names."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        text = raw.decode(response.charset or "utf-8", "replace")
        text.encode()  # some encodings make halves of characters, which nothing can write
    except (LookupError, ValueError):  # no such encoding, or none that makes text
        return raw.decode("utf-8", "replace")
    return text


def _whole(response: aiohttp.ClientResponse, raw: bytearray) -> HttpResponse:
    return HttpResponse(response.status, _headers(response), _text(raw, response))


def _headers(response: aiohttp.ClientResponse) -> dict[str, str]:
    """Of a name that stands twice, the last; what is not ASCII as Latin-1, as HTTP has it."""
    return {
        name.decode("latin-1").lower(): value.decode("latin-1")
        for name, value in response.raw_headers
    }
