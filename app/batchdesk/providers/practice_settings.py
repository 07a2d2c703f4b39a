"""Settings of the practice server, and their way over a command line.

``add_arguments`` and ``settings_from`` serve every command that starts the server;
``arguments`` turns settings back into the words that a child process is started with.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NoReturn

from batchdesk.providers.practice_faults import FAULTS, PracticeError, check_faults, parse_faults
from batchdesk.providers.practice_plan import (
    After,
    Span,
    Step,
    parse_after,
    parse_spans,
    parse_steps,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from batchdesk.providers.practice_limits import HeaderStyle
    from batchdesk.providers.practice_plan import OutageMode

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
        window: ``bucket``, or ``sliding``: never more than the limit in any minute.
        count_refused: Whether refused requests use the limit up too.
        limit_headers: What the ``x-ratelimit-*`` headers tell: ``level``: what is really left;
            ``minute``: as if a whole minute's worth could be saved up (as several services do,
            whatever their burst); ``none``: no such headers; ``lying``: ten times the limit.
        limit_words: Whether a refusal names its limit: ``number`` or ``none``; None: as headers do.
        hint_s: What each refusal asks to wait, true or not; None: the truth.
        rpm_steps: Other limits of requests per minute from given seconds on.
        cap: Requests worked on at once, others get 429; None: no such limit.
        cap_words: What such a refusal says: the ``number``, that it is ``named``, or ``none``.
        slots: Requests worked on at once, the others queue and are never refused; None: all.
        slow_share: Share of rows that take ``slow_factor`` times as long, always the same ones.
        slow_over: Rows of more characters than this take ``slow_factor`` times as long.
        slow_factor: How many times as long.
        quota_after: From then on the account has no quota.
        revoke_after: From then on the key is not valid.
        outages: When the service is out of order.
        outage_mode: How: ``503``, ``hang`` (no answer) or ``refuse`` (no connection).
        time_scale: So many times as fast: latencies, windows, steps and plans, not the limits.
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
    window: Literal["bucket", "sliding"] = "bucket"
    limit_headers: HeaderStyle = "level"
    limit_words: Literal["number", "none"] | None = None
    hint_s: float | None = None
    rpm_steps: Sequence[Step] = ()
    cap: int | None = None
    cap_words: Literal["number", "named", "none"] = "number"
    slots: int | None = None
    slow_share: float = 0.0
    slow_over: int | None = None
    slow_factor: float = 10.0
    quota_after: After | None = None
    revoke_after: After | None = None
    outages: Sequence[Span] = ()
    outage_mode: OutageMode = "503"
    time_scale: float = 1.0
    faults: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    api_key: str | None = None

    def __post_init__(self) -> None:
        check_faults(self.faults)
        _check("port", self.port, 0, _PORT_MAX)
        _check("latency", self.latency_s, 0, _LATENCY_MAX_S)
        _check("latency-sigma", self.latency_sigma, 0, _SIGMA_MAX)
        _check("limit-step", self.limit_step_s, 0, 60)
        _check("slow-share", self.slow_share, 0, 1)
        _check("slow-factor", self.slow_factor, 1, 1000)
        _check("time-scale", self.time_scale, 0.001, 1000)
        for name, value in (
            ("rpm", self.rpm),
            ("tpm", self.tpm),
            ("burst", self.burst),
            ("slots", self.slots),
            ("cap", self.cap),
            ("slow-over", self.slow_over),
            *(("rpm-steps", step.rpm) for step in self.rpm_steps),
        ):
            if value is not None:
                _check(name, value, 1, 1e9)
        if self.hint_s is not None:
            _check("hint", self.hint_s, 0, 1e6)

    @property
    def tells_limits(self) -> bool:
        """Whether a refusal names its limit in words."""
        if self.limit_words is not None:
            return self.limit_words == "number"
        return self.limit_headers != "none"


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
    add(
        "--limit-step",
        "--quantum",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="refill in steps: so much in each SECONDS and no more",
    )
    add("--window", choices=["bucket", "sliding"], default="bucket", help="sliding: in any minute")
    add("--count-refused", action="store_true", help="refused requests use the limit up too")
    add("--limit-headers", choices=["level", "minute", "none", "lying"], default="level")
    add(
        "--limit-words",
        choices=["number", "none"],
        help="whether a refusal names its limit (unless the headers are none)",
    )
    add("--hint", type=float, metavar="SECONDS", help="each refusal's retry-after, true or not")
    add(
        "--rpm-steps",
        type=_read_by(parse_steps),
        default=(),
        metavar="AT:N,…",
        help="other limits of requests per minute from a second on; plans begin with the first "
        "request or a reset",
    )
    add("--cap", type=int, metavar="N", help="requests worked on at once; others are refused")
    add("--cap-words", choices=["number", "named", "none"], default="number")
    add("--slots", type=int, metavar="N", help="requests worked on at once; others queue")
    add("--slow-share", type=float, default=0.0, metavar="SHARE", help="of rows take far longer")
    add("--slow-over", type=int, metavar="N", help="rows of more characters take far longer")
    add("--slow-factor", type=float, default=10.0, metavar="N", help="how many times as long")
    after = _read_by(parse_after)
    add("--quota-after", type=after, metavar="N", help="no quota after N requests, or Ns: seconds")
    add("--revoke-after", type=after, metavar="N", help="the key is not valid any more after N")
    add(
        "--outage",
        type=_read_by(parse_spans),
        default=(),
        metavar="START:LENGTH,…",
        help="out of order, in seconds",
    )
    add("--outage-mode", choices=["503", "hang", "refuse"], default="503")
    add(
        "--time-scale",
        type=float,
        default=1.0,
        metavar="N",
        help="latencies, windows, steps and plans go so many times as fast; limits stay",
    )
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
        window=namespace.window,
        limit_headers=namespace.limit_headers,
        limit_words=namespace.limit_words,
        hint_s=namespace.hint,
        rpm_steps=namespace.rpm_steps,
        cap=namespace.cap,
        cap_words=namespace.cap_words,
        slots=namespace.slots,
        slow_share=namespace.slow_share,
        slow_over=namespace.slow_over,
        slow_factor=namespace.slow_factor,
        quota_after=namespace.quota_after,
        revoke_after=namespace.revoke_after,
        outages=namespace.outage,
        outage_mode=namespace.outage_mode,
        time_scale=namespace.time_scale,
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
        f"--window={settings.window}",
        f"--limit-headers={settings.limit_headers}",
        f"--cap-words={settings.cap_words}",
        f"--slow-share={settings.slow_share!r}",
        f"--slow-factor={settings.slow_factor!r}",
        f"--outage-mode={settings.outage_mode}",
        f"--time-scale={settings.time_scale!r}",
        f"--seed={settings.seed}",
    ]
    for name in ("rpm", "tpm", "burst", "slots", "cap", "slow_over"):
        value = getattr(settings, name)
        if value is not None:
            words.append(f"--{name.replace('_', '-')}={value!r}")
    if settings.limit_words is not None:
        words.append(f"--limit-words={settings.limit_words}")
    if settings.hint_s is not None:
        words.append(f"--hint={settings.hint_s!r}")
    for option, plan in (
        ("rpm-steps", settings.rpm_steps),
        ("quota-after", settings.quota_after),
        ("revoke-after", settings.revoke_after),
        ("outage", settings.outages),
    ):
        if plan:
            words.append(f"--{option}={words_of(plan)}")
    if settings.count_refused:
        words.append("--count-refused")
    if settings.faults:
        rates = ",".join(f"{name}={rate!r}" for name, rate in settings.faults.items())
        words.append(f"--faults={rates}")
    if settings.api_key is not None:
        words.append(f"--api-key={settings.api_key}")
    return words


def _read_by(read: Callable[[str], object]) -> Callable[[str], object]:
    """A reader whose complaint is the parser's own."""

    def reader(text: str) -> object:
        try:
            return read(text)
        except PracticeError as error:
            raise argparse.ArgumentTypeError(str(error).rstrip(".")) from error

    return reader


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
