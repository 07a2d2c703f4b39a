import asyncio
import datetime as dt
import gzip
import ipaddress
import json
import socket
import ssl

import aiohttp
import httpx
import pytest

from batchdesk.domain.task import ErrorKind
from batchdesk.errors import JobFileError, UserError
from batchdesk.providers import http
from batchdesk.providers.base import ProviderError
from batchdesk.providers.http import HttpClient, HttpResponse, HttpTimeouts, checked_url

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
    assert error.kind in {ErrorKind.CONNECT_TIMEOUT, ErrorKind.READ_TIMEOUT}
    if error.kind is ErrorKind.CONNECT_TIMEOUT:  # where the system keeps to the queue's length
        assert error.message == "no connection within 0.2 s"


def test_that_the_transports_connect_timeout_is_connect_timeout():
    error = httpx.TimeoutException("")
    error.__cause__ = aiohttp.ConnectionTimeoutError()
    told = http._told(error, WAIT)
    assert (told.kind, told.message) == (ErrorKind.CONNECT_TIMEOUT, "no connection within 5 s")


async def test_that_a_tls_handshake_that_hangs_is_connect_timeout(serve_raw):
    async with serve_raw(silent) as server:
        timeouts = HttpTimeouts(connect_s=0.2, read_s=5.0, total_s=10.0)
        error = await fault(server.base_url.replace("http:", "https:"), timeouts)
    assert error.kind in {ErrorKind.CONNECT_TIMEOUT, ErrorKind.CONNECT_FAILED}


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


@pytest.fixture
def own_certificate(tmp_path):
    """A TLS context with a certificate that nobody else signed."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = tmp_path / "own.pem"
    pem.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    return context, pem


async def test_that_a_certificate_nobody_vouches_for_is_refused_before_anything_is_sent(
    serve_raw, own_certificate, caplog
):
    async with serve_raw(sends(whole()), own_certificate[0]) as server:
        error = await fault(server.base_url)
    assert error.kind is ErrorKind.CONNECT_FAILED
    assert error.message == "the certificate of 127.0.0.1 is not trusted: self-signed certificate"
    assert server.asked == []


async def test_that_a_certificate_named_in_ssl_cert_file_is_trusted(
    serve_raw, own_certificate, monkeypatch
):
    monkeypatch.setenv("SSL_CERT_FILE", str(own_certificate[1]))
    async with serve_raw(sends(whole()), own_certificate[0]) as server:
        assert (await post(server.base_url)).body == '{"a": 1}'


async def test_that_a_body_without_end_is_not_an_api(serve_raw, monkeypatch):
    monkeypatch.setattr(http, "_MOST_BYTES", 2**20)
    async with serve_raw(sends(whole(b"x" * (2**20 + 1)))) as server:
        error = await fault(server.base_url)
    assert (error.kind, error.message) == (
        ErrorKind.NOT_AN_API,
        "the response is longer than 1 MiB",
    )


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
        await post(server.base_url, times=2)
    assert "cookie" not in server.asked[1].headers


async def test_that_a_proxy_is_not_used_for_this_computer(serve_raw, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    async with serve_raw(sends(whole())) as server:
        assert (await post(server.base_url)).status == 200


async def test_that_a_proxy_is_used_for_other_hosts(serve_raw, monkeypatch):
    async with serve_raw(sends(whole())) as server:
        # Without a scheme, as many people write it.
        monkeypatch.setattr(
            "urllib.request.getproxies", lambda: {"http": f"127.0.0.1:{server.port}"}
        )
        monkeypatch.setattr("urllib.request.proxy_bypass", lambda _host: False)
        assert (await post("http://api.invalid/v1")).status == 200
    assert server.asked[0].line == "POST http://api.invalid/v1/x HTTP/1.1"


async def test_that_a_proxy_that_refuses_a_tunnel_is_connect_failed(serve_raw, monkeypatch):
    async with serve_raw(sends(whole(b"", "", "403 Forbidden"))) as server:
        monkeypatch.setattr("urllib.request.getproxies", lambda: {"https": server.base_url[:-3]})
        monkeypatch.setattr("urllib.request.proxy_bypass", lambda _host: False)
        error = await fault("https://api.invalid/v1")
    assert (error.kind, error.message) == (
        ErrorKind.CONNECT_FAILED,
        "the proxy refused: 403 Forbidden",
    )
    assert "authorization" not in server.asked[0].headers


def test_that_a_proxy_of_an_unknown_kind_is_told_in_a_sentence(monkeypatch):
    monkeypatch.setattr("urllib.request.getproxies", lambda: {"https": "socks5://u:p@10.0.0.1:1"})
    monkeypatch.setattr("urllib.request.proxy_bypass", lambda _host: False)
    with pytest.raises(UserError, match="of the kind socks5, which Batchdesk cannot use") as caught:
        HttpClient("https://api.example.com/v1", {})
    assert "u:p" not in str(caught.value)


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


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://api.example.com/v1/", "https://api.example.com/v1"),
        (" HTTP://API.Example.com:8080/v1 ", "http://api.example.com:8080/v1"),
        ("https://api.example.com/v1/chat/completions", "https://api.example.com/v1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_that_an_address_is_put_in_order(url, address):
    assert checked_url(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.example.com/v1",
        "ftp://example.com",
        "https://",
        "http://h:99999/",
        "http://h:x/",
        "http://a b/",
        "http://[::1/",
        "http://h/a b",
        "file:///etc/passwd",
        "http://h:0/",
    ],
)
def test_that_what_is_no_address_is_refused(url):
    with pytest.raises(JobFileError, match=r"is not one: write it like https://api.example.com/v1"):
        checked_url(url)


@pytest.mark.parametrize(
    "url", ["https://u:pass@h.io/v1", "https://h.io/?k=pass", "https://h.io#pass"]
)
def test_that_an_address_with_a_secret_in_it_is_refused_without_repeating_it(url):
    with pytest.raises(
        JobFileError, match=r"service at h\.io holds more than an address"
    ) as caught:
        checked_url(url)
    assert "pass@" not in str(caught.value)
    assert "k=pass" not in str(caught.value)
