"""How this computer reaches services: its proxy and the certificates it trusts."""

from __future__ import annotations

from pathlib import Path

from batchdesk.domain.job import Spec


class Network(Spec):
    """What the person set; the defaults are the computer's own ways.

    Attributes:
        proxy: Empty: as the computer is set up; ``none``: straight; else the proxy's address.
            Servers on this computer, and those that NO_PROXY names, are always asked straight.
        ca_file: Certificates of an authority that is trusted too, such as a company's: a PEM or a
            DER file. TLS is verified in any case.
    """

    proxy: str = ""
    ca_file: Path | None = None


SYSTEM_NETWORK = Network()
NO_PROXY = "none"
