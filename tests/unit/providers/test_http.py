import asyncio
import gzip
import json

import pytest

from batchdesk.domain.task import ErrorKind
from batchdesk.errors import UserError
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


async def test_that_a_whole_response_comes_with_status_headers_and_text(serve_raw):
    async with serve_raw(sends(whole(b"caf\xc3\xa9", "X-One: 1\r\n", "418 No"))) as server:
        response = await post(server.base_url)
    assert response == HttpResponse(418, {"content-length": "5", "x-one": "1"}, "café")
    assert server.asked[0].line == "POST /v1/x HTTP/1.1"
    assert server.asked[0].body == BODY


async def test_that_a_request_has_the_key_and_json_and_no_surprising_headers(serve_raw):
    async with serve_raw(sends(whole())) as server:
        await post(server.base_url)
    headers = server.asked[0].headers
    assert headers.pop("user-agent").startswith("Batchdesk/")
    assert headers == {
        "host": f"127.0.0.1:{server.port}",
        "accept": "application/json, text/event-stream",
        "accept-encoding": "identity",
        "authorization": "Bearer sk-secret",
        "content-type": "application/json",
        "content-length": "8",
    }


async def test_that_a_body_without_end_is_not_an_api(serve_raw, monkeypatch):
    monkeypatch.setattr(http, "_MOST_BYTES", 2**20)
    async with serve_raw(sends(whole(b"x" * (2**20 + 1)))) as server:
        error = await fault(server.base_url)
    assert (error.kind, error.message) == (
        ErrorKind.NOT_AN_API,
        "the response is longer than 1 MiB",
    )
    assert error.response_body == "x" * 65536


async def test_that_a_packed_body_is_bounded_by_its_unpacked_size(serve_raw, monkeypatch):
    monkeypatch.setattr(http, "_MOST_BYTES", 2**20)
    packed = gzip.compress(b"x" * (2**21))
    async with serve_raw(sends(whole(packed, "content-encoding: gzip\r\n"))) as server:
        error = await fault(server.base_url)
    assert error.kind is ErrorKind.NOT_AN_API


async def test_that_a_gzip_body_is_unpacked(serve_raw):
    packed = gzip.compress(BODY)
    async with serve_raw(sends(whole(packed, "content-encoding: gzip\r\n"))) as server:
        assert (await post(server.base_url)).body == '{"a": 1}'


async def test_that_a_body_wrongly_called_gzip_is_connection_reset(serve_raw):
    async with serve_raw(sends(whole(BODY, "content-encoding: gzip\r\n"))) as server:
        assert (await fault(server.base_url)).kind is ErrorKind.CONNECTION_RESET


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("é".encode(), "application/json; charset=iso-8859-1", "é"),  # UTF-8 whatever it says
        ("余额不足".encode("gbk"), "text/html; charset=gbk", "余额不足"),
        (b"caf\xe9", "text/plain", "caf\ufffd"),
        (b"caf\xe9", "text/plain; charset=nonsense-8", "caf\ufffd"),
        (b"\\ud800\xe9", "text/plain; charset=unicode_escape", "\\ud800\ufffd"),
        (b'\xef\xbb\xbf{"a": 1}', "application/json", '{"a": 1}'),
    ],
)
async def test_that_any_bytes_become_text(serve_raw, body, content_type, text):
    async with serve_raw(sends(whole(body, f"content-type: {content_type}\r\n"))) as server:
        assert (await post(server.base_url)).body == text


async def test_that_a_redirect_is_not_followed_and_the_key_goes_nowhere(serve_raw):
    async with serve_raw(sends(whole())) as other:
        more = f"location: {other.base_url}/x\r\n"
        async with serve_raw(sends(whole(b"", more, "307 Temporary Redirect"))) as server:
            response = await post(server.base_url)
    assert response.status == 307
    assert (other.connections, len(server.asked)) == (0, 1)


async def test_that_cookies_are_not_kept(serve_raw):
    async with serve_raw(sends(whole(BODY, "set-cookie: a=b\r\n"))) as server:
        # By name: cookies of bare addresses are never kept.
        await post(f"http://localhost:{server.port}", times=2)
    assert "cookie" not in server.asked[1].headers


async def test_that_cancelling_ends_the_request_at_once_and_the_client_lives_on(serve_raw):
    came = asyncio.Event()

    async def first_hangs(_asked, writer):
        came.set()
        if len(server.asked) == 1:
            await asyncio.sleep(60)
        writer.write(whole())
        await writer.drain()

    async with serve_raw(first_hangs) as server:
        client = HttpClient(server.base_url, {})
        task = asyncio.create_task(client.post("/x", BODY, {}, WAIT))
        await came.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await client.post("/x", BODY, {}, WAIT)).status == 200
        await client.close()


async def test_that_fifty_in_flight_use_fifty_connections(serve_raw):
    async with serve_raw(sends(whole())) as server:
        client = HttpClient(server.base_url, {})
        numbers = iter(range(1000))

        async def worker():
            for _ in numbers:
                await client.post("/x", BODY, {}, WAIT)

        await asyncio.gather(*(worker() for _ in range(50)))
        await client.close()
    assert len(server.asked) == 1000
    assert server.connections <= 50


async def test_that_lines_of_a_stream_are_told_as_they_come(serve_raw):
    told: list[str] = []
    seen_first = asyncio.Event()

    async def two(_asked, writer):
        writer.write(whole(b"")[:-2].replace(b"content-length: 0\r\n", b"connection: close\r\n"))
        writer.write(b"\r\ndata: one\r\n\r\n")
        await writer.drain()
        await seen_first.wait()  # for ever, if the first line were held back
        writer.write("data: zwei\u2028\n".encode())
        await writer.drain()
        return True

    def hear(line):
        told.append(line)
        seen_first.set()

    async with serve_raw(two) as server:
        client = HttpClient(server.base_url, {})
        response = await client.post_stream("/x", BODY, {}, WAIT, hear)
        await client.close()
    assert told == ["data: one", "", "data: zwei\u2028"]
    assert response.body == "data: one\r\n\r\ndata: zwei\u2028\n"


@pytest.mark.parametrize("key", ["sk-1\nx: y", "sk-…", "sk-\x00", "ключ"])
def test_that_a_key_that_no_header_may_hold_is_told_without_repeating_it(key):
    with pytest.raises(UserError, match="characters that cannot be part") as caught:
        HttpClient("https://api.example.com", {"authorization": f"Bearer {key}"})
    assert key not in str(caught.value)


async def test_that_the_key_is_in_no_part_of_an_error(serve_raw):
    async with serve_raw(sends(b"nonsense\r\n\r\n", then_ends=True)) as server:
        error = await fault(server.base_url)
    everything = [error, error.__cause__, error.__context__, vars(error)]
    assert "sk-secret" not in json.dumps([repr(one) for one in everything])
