"""Whose certificates are trusted, against a real TLS server with an authority of its own."""

import asyncio
import datetime as dt
import ipaddress
import ssl
import sys

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from batchdesk.domain.network import Network
from batchdesk.domain.task import ErrorKind
from batchdesk.errors import UserError
from batchdesk.providers import tls
from batchdesk.providers.base import ProviderError
from batchdesk.providers.http import HttpClient, HttpTimeouts

WAIT = HttpTimeouts(connect_s=30.0, read_s=30.0, total_s=60.0)
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nOK"


def name_of(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, text)])


def pem_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def signed(subject, subject_key, issuer, issuer_key, *extensions, days: int = 1):
    now = dt.datetime.now(dt.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(subject_key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=30))
        .not_valid_after(now + dt.timedelta(days=days))
    )
    for extension in extensions:
        builder = builder.add_extension(
            extension, critical=isinstance(extension, x509.BasicConstraints)
        )
    return builder.sign(issuer_key, hashes.SHA256())


class Company:
    """An authority, and servers it vouches for."""

    def __init__(self, folder) -> None:
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = name_of("Company")
        use = x509.KeyUsage(*(False,) * 5, True, True, False, False)  # noqa: FBT003 - the standard's nine
        own = x509.SubjectKeyIdentifier.from_public_key(self.key.public_key())
        constraints = x509.BasicConstraints(ca=True, path_length=0)
        self.certificate = signed(
            self.name, self.key, self.name, self.key, constraints, use, own, days=99
        )
        self.pem = folder / "company.pem"
        self.pem.write_bytes(
            b"# Company\n" + self.certificate.public_bytes(serialization.Encoding.PEM)
        )
        self.der = folder / "company.cer"
        self.der.write_bytes(self.certificate.public_bytes(serialization.Encoding.DER))

    def server(self, host: str = "127.0.0.1", days: int = 1) -> ssl.SSLContext:
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(host))])
        by = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        certificate = signed(name_of("server"), key, self.name, self.key, names, by, days=days)
        file = self.folder / f"server-{host}-{days}.pem"
        file.write_bytes(pem_of(key) + certificate.public_bytes(serialization.Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


@pytest.fixture
def company(tmp_path):
    return Company(tmp_path)


@pytest.fixture(params=["openssl", "system"])
def way(request, monkeypatch):
    """Both ways of judging; on this system the second ends in OpenSSL too, through truststore."""
    if request.param == "system":
        monkeypatch.setattr(tls, "_SYSTEM_JUDGES", (sys.platform,))
    return request.param


async def says_ok(_asked, writer):
    writer.write(ANSWER)
    await writer.drain()


async def ask(base_url: str, network: Network) -> str:
    client = HttpClient(base_url, {"authorization": "Bearer sk-secret"}, network)
    try:
        return (await client.get("/models", WAIT)).body
    finally:
        await client.close()


async def test_that_a_server_of_the_companys_is_trusted_with_its_file(serve_raw, company, way):
    async with serve_raw(says_ok, company.server()) as server:
        assert await ask(server.base_url, Network(ca_file=company.pem)) == "OK"
        assert await ask(server.base_url, Network(ca_file=company.der)) == "OK"
    assert server.asked[0].line == "GET /v1/models HTTP/1.1"


async def test_that_without_the_file_nothing_is_sent(serve_raw, company, way, caplog):
    async with serve_raw(says_ok, company.server()) as server:
        with pytest.raises(ProviderError, match="is not trusted: ") as e:
            await ask(server.base_url, Network())
    assert (e.value.kind, server.asked) == (ErrorKind.CONNECT_FAILED, [])


@pytest.mark.parametrize(("host", "days"), [("127.0.0.2", 1), ("127.0.0.1", -1)])
async def test_that_another_name_and_an_old_certificate_are_refused_all_the_same(
    serve_raw, company, way, host, days
):
    async with serve_raw(says_ok, company.server(host, days)) as server:
        with pytest.raises(ProviderError, match="is not trusted"):
            await ask(server.base_url, Network(ca_file=company.pem))
    assert server.asked == []


async def test_that_many_connections_at_once_are_verified(serve_raw, company, way):
    # On Linux truststore reads all certificates anew for each, which is why it is not used here.
    many = 50 if way == "openssl" else 5
    async with serve_raw(says_ok, company.server()) as server:
        client = HttpClient(server.base_url, {}, Network(ca_file=company.pem))
        answers = await asyncio.gather(*(client.get("/x", WAIT) for _ in range(many)))
        await client.close()
    assert {answer.status for answer in answers} == {200}
    assert server.connections > 1


def test_that_the_system_way_works_on_the_runs_own_loop(serve_raw, company, monkeypatch):
    uvloop = pytest.importorskip("uvloop")
    monkeypatch.setattr(tls, "_SYSTEM_JUDGES", (sys.platform,))

    async def story() -> str:
        async with serve_raw(says_ok, company.server()) as server:
            return await ask(server.base_url, Network(ca_file=company.pem))

    assert uvloop.run(story()) == "OK"


@pytest.mark.parametrize("raw", [b"", b"no certificate", b"-----BEGIN CERTIFICATE-----\nAA\n"])
def test_that_a_file_without_certificates_is_told_before_anything_is_sent(tmp_path, raw):
    file = tmp_path / "x.pem"
    file.write_bytes(raw)
    with pytest.raises(UserError, match=r"x\.pem, holds none that can be read"):
        HttpClient("https://api.example.com/v1", {}, Network(ca_file=file))


def test_that_a_file_that_is_gone_is_told(tmp_path):
    with pytest.raises(UserError, match=r"gone\.pem, is not there"):
        HttpClient("https://api.example.com/v1", {}, Network(ca_file=tmp_path / "gone.pem"))


def test_that_every_context_demands_a_certificate_and_its_name(way, company):
    context = tls.client_context(
        ssl.create_default_context(),
        company.pem,
        platform=tls._SYSTEM_JUDGES[0] if way == "system" else "linux",
    )
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname is True
