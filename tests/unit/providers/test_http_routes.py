import datetime as dt
import ipaddress
import socket
import ssl

import pytest

from batchdesk.domain.task import ErrorKind
from batchdesk.errors import JobFileError, UserError
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
        "http://a..b/",
        f"http://{'a' * 64}.example/v1",
        f"http://{'a' * 70_000}/v1",
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


@pytest.mark.parametrize("proxy", ["http://[::1", "http://a:xx", "http://", "a:99999999"])
def test_that_a_proxy_that_is_no_address_is_told_in_a_sentence(proxy, monkeypatch):
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setattr("urllib.request.proxy_bypass", lambda _host: False)
    with pytest.raises(UserError, match="has no valid address"):
        HttpClient("http://api.example.org/v1", {})
