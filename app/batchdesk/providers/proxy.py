"""Which proxy stands between this computer and an address: the person's, else the system's."""

from __future__ import annotations

import urllib.request
from urllib.parse import urlsplit

from batchdesk.domain.network import NO_PROXY
from batchdesk.errors import UserError


def proxy_for(base_url: str, chosen: str = "") -> str | None:
    """The proxy for an address, or None where it is asked straight.

    Args:
        base_url: The service's address.
        chosen: As in ``Network.proxy``.

    Raises:
        UserError: the proxy has no valid address, or is of a kind that is not supported.
    """
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    if host in ("localhost", "::1") or host.startswith("127.") or chosen == NO_PROXY:
        return None
    if urllib.request.proxy_bypass(host):  # NO_PROXY, or the system's own exceptions
        return None
    if chosen:
        return checked_proxy(chosen)
    proxy = urllib.request.getproxies().get(parts.scheme)
    if not proxy:
        return None
    proxy = _with_scheme(proxy)
    if not _is_address(proxy):
        raise UserError(
            "The proxy set for this computer has no valid address. Correct http_proxy or "
            "https_proxy, or name {host} in NO_PROXY.",
            host=host,
        )
    if urlsplit(proxy).scheme not in ("http", "https"):
        raise UserError(
            "The proxy set for this computer is of the kind {kind}, which Batchdesk cannot use. "
            "Set an HTTP proxy, or name {host} in NO_PROXY.",
            kind=urlsplit(proxy).scheme,
            host=host,
        )
    return proxy


def checked_proxy(text: str) -> str:
    """A proxy's address as a person wrote it, with its scheme.

    Raises:
        UserError: it cannot be used. The sentence repeats no password.
    """
    proxy = _with_scheme(text.strip())
    if not _is_address(proxy) or urlsplit(proxy).scheme not in ("http", "https"):
        raise UserError(
            "That is no proxy's address that can be used. Write it like http://proxy.example:8080."
        )
    if urlsplit(proxy).username is not None:
        raise UserError(
            "A proxy's name and password are not kept in the settings. Leave them out here, and "
            "set the environment variable https_proxy to the whole address if it needs them."
        )
    return proxy


def _with_scheme(proxy: str) -> str:
    return proxy if "://" in proxy else f"http://{proxy}"


def _is_address(proxy: str) -> bool:
    try:
        parts = urlsplit(proxy)
        return bool(parts.hostname) and (parts.port or 1) > 0 and not any(map(str.isspace, proxy))
    except ValueError:
        return False
