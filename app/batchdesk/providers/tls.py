"""Whose certificates are trusted. TLS is always verified: nothing here turns that off.

On Windows and macOS the system itself judges (truststore): OpenSSL sees only a part of its store
there. On Linux OpenSSL's own way is the system's; truststore would read all certificates anew for
every connection (its issue 212: 16 ms each, and growing with OpenSSL 3.0 to 3.3).
"""

from __future__ import annotations

import os
import ssl
import sys
from pathlib import Path

import certifi

from batchdesk.errors import UserError

_SYSTEM_JUDGES = ("win32", "darwin")


def bundled_context() -> ssl.SSLContext:
    """Trusts the authorities that come with the program, or those of SSL_CERT_FILE or _DIR."""
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if file:
        return ssl.create_default_context(cafile=file)
    if folder:
        return ssl.create_default_context(capath=folder)
    return ssl.create_default_context(cafile=certifi.where())


def client_context(
    bundled: ssl.SSLContext, ca_file: Path | None, *, platform: str = sys.platform
) -> ssl.SSLContext:
    """What verifies the servers that are asked.

    Args:
        bundled: See ``bundled_context``; it is added to and returned where the system does not
            judge.
        ca_file: Trusted too; a PEM or a DER file.

    Raises:
        UserError: the file cannot be read or holds no certificate.
    """
    context = bundled
    if platform in _SYSTEM_JUDGES:
        context = _judged_by_system()
    else:
        context.load_default_certs()  # the computer's own, such as a company's
    if ca_file is not None:
        trust_file(context, ca_file)
    return context


def check_file(ca_file: Path) -> None:
    """Check that a file holds certificates.

    Raises:
        UserError: it cannot be read or holds none.
    """
    trust_file(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), ca_file)


def trust_file(context: ssl.SSLContext, ca_file: Path) -> None:
    """Trust the certificates in a file too.

    Raises:
        UserError: the file cannot be read or holds no certificate.
    """
    try:
        raw = ca_file.read_bytes()
        if b"-----BEGIN CERTIFICATE-----" in raw:
            context.load_verify_locations(cafile=str(ca_file))
        else:
            context.load_verify_locations(cadata=raw)
    except FileNotFoundError as error:
        raise UserError(
            "The file of trusted certificates, {path}, is not there. Choose another in the "
            "settings, or none.",
            path=str(ca_file),
        ) from error
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise UserError(
            "The file of trusted certificates, {path}, holds none that can be read. Choose a PEM "
            "or DER file in the settings, or none.",
            path=str(ca_file),
        ) from error


def _judged_by_system() -> ssl.SSLContext:
    import truststore  # noqa: PLC0415 - loads the system's libraries, which only two systems need

    context: ssl.SSLContext = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if own := os.environ.get("SSL_CERT_FILE"):
        trust_file(context, Path(own))
    return context
