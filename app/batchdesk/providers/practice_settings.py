"""Settings of the practice server, and their way over a command line.

``add_arguments`` and ``settings_from`` serve every command that starts the server;
``arguments`` turns settings back into the words that a child process is started with.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from batchdesk.providers.practice_faults import FAULTS, PracticeError, check_faults, parse_faults

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from batchdesk.providers.practice_limits import HeaderStyle

_PORT_MAX = 65535
_LATENCY_MAX_S = 600
_SIGMA_MAX = 3


@dataclass(frozen=True, slots=True)
class PracticeSettings:
    """How the practice server behaves.

    Attributes:
        port: On 127.0.0.1; 0 for any free one.
        latency_s: How long an answer takes (its median, with a spread).
        latency_sigma: Lognormal spread of the latency; 0 for none.
        rpm: Requests per minute; None for no limit.
        tpm: Tokens per minute; None for no limit.
        burst: Requests that a rested server takes at once; None: a tenth of a minute's worth.
        limit_step_s: Limits refill in steps of this many seconds; 0: continuously.
        count_refused: Whether refused requests use the limit up too.
        limit_headers: What the ``x-ratelimit-remaining-*`` headers tell: ``level``: what is really
            left; ``minute``: as if a whole minute's worth could be saved up (as several services
            do, whatever their burst); ``none``: no such headers.
        slots: Requests worked on at once, the others queue and are never refused; None: all.
        faults: Share of requests, 0 to 1, per name in ``FAULTS``.
        seed: The same seed and text give the same answer and the same fault.
        api_key: If given, requests with another key get 401.

    Raises:
        PracticeError: a value that makes no sense, with what would.
    """

    port: int = 0
    latency_s: float = 0.2
    latency_sigma: float = 0.0
    rpm: float | None = None
    tpm: float | None = None
    burst: float | None = None
    limit_step_s: float = 0.0
    count_refused: bool = False
    limit_headers: HeaderStyle = "level"
    slots: int | None = None
    faults: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    api_key: str | None = None

    def __post_init__(self) -> None:
        check_faults(self.faults)
        _check("port", self.port, 0, _PORT_MAX)
        _check("latency", self.latency_s, 0, _LATENCY_MAX_S)
        _check("latency-sigma", self.latency_sigma, 0, _SIGMA_MAX)
        _check("limit-step", self.limit_step_s, 0, 60)
        for name, value in (
            ("rpm", self.rpm),
            ("tpm", self.tpm),
            ("burst", self.burst),
            ("slots", self.slots),
        ):
            if value is not None:
                _check(name, value, 1, 1e9)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the practice server's options to a parser."""
    default = PracticeSettings()
    add = parser.add_argument
    add("--port", type=int, default=default.port, help="0: any free one (default)")
    add("--latency", type=float, default=default.latency_s, metavar="SECONDS")
    add("--latency-sigma", type=float, default=0.0, metavar="SIGMA", help="lognormal spread")
    add("--rpm", type=float, metavar="N", help="requests allowed per minute")
    add("--tpm", type=float, metavar="N", help="tokens allowed per minute")
    add("--burst", type=float, metavar="N", help="requests taken at once (a tenth of --rpm)")
    add("--limit-step", type=float, default=0.0, metavar="SECONDS", help="refill in steps")
    add("--count-refused", action="store_true", help="refused requests use the limit up too")
    add("--limit-headers", choices=["level", "minute", "none"], default="level")
    add("--slots", type=int, metavar="N", help="requests worked on at once; others queue")
    add(
        "--faults",
        default="",
        metavar="NAME=RATE,…",
        help="share of requests per fault: " + "; ".join(f"{k}: {v}" for k, v in FAULTS.items()),
    )
    add("--seed", type=int, default=0)
    add("--api-key", metavar="KEY", help="refuse requests with another key")


def settings_from(namespace: argparse.Namespace) -> PracticeSettings:
    """The settings that ``add_arguments`` let in.

    Raises:
        PracticeError: see ``PracticeSettings``.
    """
    return PracticeSettings(
        port=namespace.port,
        latency_s=namespace.latency,
        latency_sigma=namespace.latency_sigma,
        rpm=namespace.rpm,
        tpm=namespace.tpm,
        burst=namespace.burst,
        limit_step_s=namespace.limit_step,
        count_refused=namespace.count_refused,
        limit_headers=namespace.limit_headers,
        slots=namespace.slots,
        faults=parse_faults(namespace.faults),
        seed=namespace.seed,
        api_key=namespace.api_key,
    )


def parse_settings(argv: Sequence[str]) -> PracticeSettings:
    """Settings from a command line's words.

    Raises:
        PracticeError: an unknown option or a value that makes no sense.
    """
    parser = _Parser(prog="batchdesk practice", description="The practice server. Not a model.")
    add_arguments(parser)
    return settings_from(parser.parse_args(list(argv)))


def arguments(settings: PracticeSettings) -> list[str]:
    """The words from which ``parse_settings`` makes equal settings."""
    words = [
        f"--port={settings.port}",
        f"--latency={settings.latency_s!r}",
        f"--latency-sigma={settings.latency_sigma!r}",
        f"--limit-step={settings.limit_step_s!r}",
        f"--limit-headers={settings.limit_headers}",
        f"--seed={settings.seed}",
    ]
    for name in ("rpm", "tpm", "burst", "slots"):
        value = getattr(settings, name)
        if value is not None:
            words.append(f"--{name}={value!r}")
    if settings.count_refused:
        words.append("--count-refused")
    if settings.faults:
        rates = ",".join(f"{name}={rate!r}" for name, rate in settings.faults.items())
        words.append(f"--faults={rates}")
    if settings.api_key is not None:
        words.append(f"--api-key={settings.api_key}")
    return words


class _Parser(argparse.ArgumentParser):
    """Raises its complaints instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise PracticeError("The practice server cannot be started so: {problem}.", problem=message)


def _check(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise PracticeError(
            "The practice server's {name} is {value:g}. Give a value from {low:g} to {high:g}.",
            name=name,
            value=value,
            low=low,
            high=high,
        )
