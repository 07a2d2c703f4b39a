import asyncio
import socket
import sys

import aiohttp
import pytest

from batchdesk.domain.chat import LimitState
from batchdesk.domain.task import ErrorKind
from batchdesk.providers import http
from batchdesk.providers.base import ProviderError
from batchdesk.providers.http import HttpClient, HttpResponse, HttpTimeouts

BODY = b'{"a": 1}'
WAIT = HttpTimeouts(connect_s=5.0, read_s=5.0, total_s=10.0)


def whole(body: bytes = BODY, more: str = "", status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\ncontent-length: {len(body)}\r\n{more}\r\n".encode() + body


def sends(answer: bytes, *, then_ends: bool = False):
    async def act(_asked, writer):
        writer.write(answer)
        await writer.drain()
        return then_ends

    return act


async def silent(_asked, _writer):
    await asyncio.sleep(60)


async def post(base_url: str, timeouts: HttpTimeouts = WAIT, times: int = 1) -> HttpResponse:
    client = HttpClient(base_url, {"authorization": "Bearer sk-secret"})
    try:
        return [await client.post("/x", BODY, {}, timeouts) for _ in range(times)][-1]
    finally:
        await client.close()


async def fault(base_url: str, timeouts: HttpTimeouts = WAIT) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await post(base_url, timeouts)
    return caught.value


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_that_a_refused_port_is_connect_failed_and_says_where():
    port = free_port()
    error = await fault(f"http://127.0.0.1:{port}")
    assert error.kind is ErrorKind.CONNECT_FAILED
    assert (
        error.message
        == f"no connection to 127.0.0.1:{port}: it was refused; is the server running?"
    )


async def test_that_an_unknown_host_name_is_connect_failed_and_says_which(monkeypatch):
    monkeypatch.setattr("urllib.request.getproxies", dict)
    error = await fault("http://nobody.invalid")
    assert error.kind is ErrorKind.CONNECT_FAILED
    assert error.message == "there is no host named nobody.invalid, or no network"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems answer with a full queue too")
async def test_that_no_connection_in_time_is_connect_timeout():
    # A listening socket whose queue is full lets further connections hang.
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        address = deaf.getsockname()
        crowd = []
        for _ in range(4):
            one = socket.socket()
            one.settimeout(0)
            one.connect_ex(address)
            crowd.append(one)
        try:
            timeouts = HttpTimeouts(connect_s=0.2, read_s=5.0, total_s=10.0)
            error = await fault(f"http://127.0.0.1:{address[1]}", timeouts)
        finally:
            for one in crowd:
                one.close()
    assert (error.kind, error.message) == (
        ErrorKind.CONNECT_TIMEOUT,
        "no connection within 0.2 s",
    )


def test_that_the_transports_connect_timeout_is_connect_timeout():
    told = http._told(aiohttp.ConnectionTimeoutError(), WAIT)
    assert (told.kind, told.message) == (ErrorKind.CONNECT_TIMEOUT, "no connection within 5 s")


async def test_that_a_tls_handshake_that_hangs_is_connect_timeout(serve_raw):
    async with serve_raw(silent) as server:
        timeouts = HttpTimeouts(connect_s=0.2, read_s=5.0, total_s=10.0)
        error = await fault(server.base_url.replace("http:", "https:"), timeouts)
    assert error.kind is ErrorKind.CONNECT_TIMEOUT


async def test_that_a_host_name_that_is_never_found_is_connect_timeout(monkeypatch):
    async def ask_forever(*_args, **_more):
        await asyncio.sleep(60)

    monkeypatch.setattr("urllib.request.getproxies", dict)
    monkeypatch.setattr("aiohttp.resolver.DefaultResolver.resolve", ask_forever)
    error = await fault("http://slow.invalid", HttpTimeouts(0.1, 5.0, 10.0))
    assert error.kind is ErrorKind.CONNECT_TIMEOUT


async def test_that_a_connection_given_up_by_the_system_is_connection_reset(monkeypatch):
    async def gives_up(*_args, **_more):
        raise TimeoutError(110, "Connection timed out")

    monkeypatch.setattr("aiohttp.ClientSession._request", gives_up)
    error = await fault("http://127.0.0.1:9")
    assert error.kind is ErrorKind.CONNECTION_RESET
    assert "Connection timed out" in error.message


async def test_that_silence_is_read_timeout(serve_raw):
    async with serve_raw(silent) as server:
        error = await fault(server.base_url, HttpTimeouts(5.0, 0.1, 10.0))
    assert (error.kind, error.message) == (ErrorKind.READ_TIMEOUT, "silent for 0.1 s")
    assert error.response_body is None


async def test_that_silence_in_the_middle_is_read_timeout_and_keeps_what_came(serve_raw):
    async def half(_asked, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n" + BODY)
        await asyncio.sleep(60)

    async with serve_raw(half) as server:
        error = await fault(server.base_url, HttpTimeouts(5.0, 0.1, 10.0))
    assert error.kind is ErrorKind.READ_TIMEOUT
    assert (error.http_status, error.response_body) == (200, '{"a": 1}')


async def test_that_a_slow_drip_ends_at_the_total_time(serve_raw):
    async def drip(_asked, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n")
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.02)

    async with serve_raw(drip) as server:
        error = await fault(server.base_url, HttpTimeouts(5.0, 1.0, 0.2))
    assert (error.kind, error.message) == (ErrorKind.READ_TIMEOUT, "no whole answer within 0.2 s")


async def test_that_chunks_without_end_stop_at_the_total_time(serve_raw):
    async def chunks(_asked, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"1\r\nx\r\n")
            await writer.drain()
            await asyncio.sleep(0.02)

    async with serve_raw(chunks) as server:
        error = await fault(server.base_url, HttpTimeouts(5.0, 1.0, 0.2))
    assert error.kind is ErrorKind.READ_TIMEOUT


def cuts_off(first: bytes):
    async def act(_asked, writer):
        writer.write(first)
        await writer.drain()
        linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"  # close with a reset
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.transport.abort()
        return True

    return act


@pytest.mark.parametrize(
    "first",
    [
        b"",
        b"HTTP/1.1 200",
        b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ],
)
@pytest.mark.parametrize("way", [cuts_off, lambda first: sends(first, then_ends=True)])
async def test_that_a_connection_that_breaks_is_connection_reset(serve_raw, way, first):
    async with serve_raw(way(first)) as server:
        error = await fault(server.base_url)
    assert error.kind is ErrorKind.CONNECTION_RESET
    assert error.message
    assert len(server.asked) == 1


async def test_that_a_stale_kept_connection_is_told_and_the_request_not_sent_again(serve_raw):
    async def once(_asked, writer):
        if len(server.asked) > 1:
            return True  # takes the request and closes without a word
        writer.write(whole())
        await writer.drain()
        return False

    async with serve_raw(once) as server:
        with pytest.raises(ProviderError) as caught:
            await post(server.base_url, times=2)
    assert caught.value.kind is ErrorKind.CONNECTION_RESET
    assert (len(server.asked), server.connections) == (2, 1)


async def test_that_a_connection_closed_between_requests_is_replaced(serve_raw):
    client_done = []
    async with serve_raw(sends(whole(), then_ends=True)) as server:
        client = HttpClient(server.base_url, {})
        for _ in range(3):
            client_done.append((await client.post("/x", BODY, {}, WAIT)).status)
            await asyncio.sleep(0.02)  # the end of the connection arrives
        await client.close()
    assert client_done == [200, 200, 200]
    assert server.connections == 3


async def test_that_what_does_not_speak_http_is_not_an_api(serve_raw):
    async with serve_raw(sends(b"SSH-2.0-OpenSSH_9.6\r\n", then_ends=True)) as server:
        error = await fault(server.base_url)
    assert error.kind is ErrorKind.NOT_AN_API
    assert error.message.startswith("what answers there does not speak HTTP")


async def test_that_an_answer_that_breaks_off_still_tells_the_limits_of_its_headers(serve_raw):
    head = b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\nx-ratelimit-limit-requests: 60\r\n\r\nhalf"
    async with serve_raw(sends(head, then_ends=True)) as server:
        error = await fault(server.base_url)
    assert error.kind is ErrorKind.CONNECTION_RESET
    assert error.limits.requests == LimitState(60)
