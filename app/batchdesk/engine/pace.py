"""The pace that is learned from refusals (429): requests per second, none until the first one.

In come requests as they go and endings as they come, with the times of one monotonic clock; out
goes a hold. A refusal stops all sending for a moment, then one probe goes; when it is not refused,
sending goes on at what the service was seen to accept, a little below, and grows again. Why the
measure is right: a bucket of the service is as good as empty at each of two refusals, so what it
accepted between them, divided by the time, is its limit, whatever its burst.

Used by the gate alone.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from enum import Enum, auto

from batchdesk.domain.snapshot import HoldReason, LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind
from batchdesk.engine.header_level import USED_OF_HEADERS
from batchdesk.engine.part import Cost, Ending, Hold, Ticket, no_report
from batchdesk.engine.spacing import Spacing

# Constants by simulation (tests/simulation, seeds 0 to 63); what it said of the main ones: counting
# from reopening to reopening, not from cut to cut: used .948 instead of .922 with a per-second
# quantum, 1.6 % refused instead of 2.3 % with a burst of 50; slow growth by 0.5 %/s from 0.99 to
# 1.03, not by 1 %/s from 0.98 to 1.04: .968 instead of .947, 1.2 % instead of 1.6 %; the least of a
# cut by the last estimate too: 1.5 % instead of 2.1 %; fast growth that is linear: 2.0 % instead of
# 2.1 % with a minute bucket; requests instead of seconds at 5 a second: .95 instead of .87, 1.5 %
# instead of 3.0 %; the estimate kept after a long stop: full speed 9 s instead of 60 s after a
# storm of 20 s; stops of up to 30 s at a low pace or after six long ones: 12 a minute, where
# refused requests count, used .44 instead of .01 (its own probes used it up), and 13 s instead of 8
# to full speed after a storm of 2 minutes; climbing anew after 20 requests at a crawl: 30 requests
# instead of hundreds after refusals that had nothing to do with the pace; one a second at least
# after a storm that came with the first request: 16 s instead of 100 to full speed, and .55 instead
# of .44 used of 12 a minute; few refusals far below what was accepted before cut nothing: with one
# in twenty at random 36 to 48 a second after three minutes instead of 1, and 2.4 s instead of 8 to
# full speed when a limit returns.

_STOP_MIN_S = 0.05
_STOP_MAX_S = 5.0
_STOP_MAX_LONG_S = 30.0  # at a low pace, or where probes were refused again and again:
_STOP_MAX_REQUESTS = 3.0  # the time of so many requests,
_PROBES = 6  # or after so many at the usual most: perhaps they use up what there is
_REFUSAL_TIME_S = 0.1  # until a refusal comes back, at first
_REFUSAL_TIME_WEIGHT = 0.2  # of the newest in the moving mean
_ELAPSED_MIN_S = 0.2
_GAP_MAX_S = 10.0  # nobody asked for longer: a pause or a suspended computer, not sending time
_STOP_COUNTED_MAX_S = 60.0  # no minute's limit stops anyone for longer
_USED_OF_ESTIMATE = 0.99
_CUT_MAX = 0.8  # after a short stop a cut goes to this share of the pace at most,
_CUT_MAX_LONG = 0.1  # after a long one to this
_USED_ENOUGH = 0.8  # growth needs so much of the pace used
_LOOK_S = 0.2
_MANY = 25.0  # below so many a second, so many requests count as a second of growth
_KEPT_OF_CEILING = 0.95  # the last estimate still counts for so much after a long stop
_BELOW = 0.98  # below this share of the last estimate grow fast,
_NEAR = 1.03  # up to this one slowly,
_FAR = 8.0  # above this one the growth itself grows, however few requests there are
_SLOW = 0.005  # of the pace, per second
_SLOW_MIN = 0.001
_FAST = 0.33  # of the last estimate (far above it: of the pace), per second
_PACE_MIN = 0.05  # three a minute: no service is known to permit less
_CRAWL = 0.3  # so low the pace may be what a storm left:
_CRAWL_KEPT = 20  # after so many requests without a refusal it climbs fast, as at first
_CRAWL_KEPT_AT_LEAST = 10  # and after so few at the least pace there is
_KEPT_NOTHING = 2  # requests accepted, the probe with them: nothing was measured before the
_PACE_UNKNOWN = 1.0  # first refusal, and after a long stop it was a storm: begin here
_STORM_STOP_S = 1.0  # after so long a stop a refusal may take its time to come:
_STORM_JUDGED_S = 1.0
_NOISE_WINDOW = 100  # of so many requests heard of last
_NOISE_LEAST = 30  # at least so many; and only where a refusal is soon followed by others:
_NOISE_PACE_MIN = 1.0
_NOISE_SHARE = 0.2  # at most this share was refused: so few, and
_NOISE_BELOW = 0.7  # so far below what was accepted before: they come at any pace, and cut nothing
_REPORTED_STEP = 0.01  # growth is reported in steps of so much


class _Mode(Enum):
    OPEN = auto()
    STOPPED = auto()  # until ``_stop_until``; then one probe goes
    PROBING = auto()  # the probe is under way


class LearnedPace:
    """See the module.

    Args:
        on_change: Called with each change of the pace (growth in steps of 1 %); 0: stopped.
        known: Requests per second as headers or words state the limit; None: they do not.
    """

    def __init__(
        self,
        on_change: Callable[[LimitChange], None] = no_report,
        known: Callable[[], float | None] = lambda: None,
    ) -> None:
        self._on_change, self._known = on_change, known
        self._spacing = Spacing()
        self._ceiling = 0.0  # the last estimate; at the first cut 0: climb fast until the second
        self._cuts = 0
        self._reported: float | None = None
        self._mode = _Mode.OPEN
        self._stop_s = 0.0
        self._stop_until = -math.inf
        self._stopped_at = 0.0  # of ``_active_s``
        self._probe: Ticket | None = None
        self._probes = 0  # refused after a long stop, since the last cut
        self._is_known_limit = True  # whether the known limit can be the one that refused
        self._refusal_time_s = _REFUSAL_TIME_S
        self._newest = 0  # number of the newest ticket
        self._cut_number = 0  # requests up to this one went before the last cut
        self._seen_at: float | None = None
        self._active_s = 0.0  # time that passed, without pauses
        self._counted_from = 0.0  # of ``_active_s``
        self._counted_number = 0  # requests after this one are counted
        self._kept = 0  # of these: sent and not refused
        self._looked_at = 0.0  # of ``_active_s``
        self._taken = 0  # since then
        self._proven = 0.0  # the most that was accepted per second since refusals were many
        self._recent: deque[bool] = deque(maxlen=_NOISE_WINDOW)  # whether it was refused

    @property
    def per_second(self) -> float | None:
        """The pace; None: none was needed so far."""
        return self._spacing.per_second

    @property
    def is_probing(self) -> bool:
        """Whether one probe is under way; nothing else may go then."""
        return self._mode is _Mode.PROBING

    def hold(self, cost: Cost, now: float) -> Hold | None:
        """Stopped, probing, or not yet by the pace."""
        del cost
        self._pass(now)
        if self._mode is _Mode.STOPPED:
            return Hold(HoldReason.REFUSED, self._stop_until) if now < self._stop_until else None
        if self._mode is _Mode.PROBING and self._probe is not None:
            judged_at = self._probe.sent_at + self._judged_after_s()
            if now < judged_at:
                return Hold(HoldReason.REFUSED, judged_at)
            self._reopen(now)
        return self._spacing.hold(HoldReason.PACE, now)

    def take(self, ticket: Ticket) -> None:
        """A request goes; after a stop it is the probe."""
        now = ticket.sent_at
        self._pass(now)
        self._newest = ticket.number
        self._kept += 1
        self._spacing.pay(1.0, now)
        if self._mode is _Mode.STOPPED:
            self._mode, self._probe = _Mode.PROBING, ticket
        elif self._mode is _Mode.OPEN:
            self._taken += 1
            self._look(now)

    def hear(self, ending: Ending) -> None:
        """A refusal cuts, unless it was sent before the last cut; a probe's answer reopens."""
        self._pass(ending.ended_at)
        is_probe = self._probe is not None and ending.ticket.number == self._probe.number
        if not ending.cancelled:
            self._recent.append(_is_refusal(ending))
        if ending.cancelled:
            if is_probe:
                self._stop(0.0, ending.ended_at)  # another one may go
        elif _is_refusal(ending):
            self._refused(ending, is_probe=is_probe)
        elif is_probe:
            self._reopen(ending.ended_at)

    def settle(self, ticket: Ticket) -> None:
        """Nothing was held for it."""

    def resume(self, per_second: float, now: float) -> None:
        """Begin at a pace that was learned a while ago, before anything is sent.

        It counts as measured, so it grows slowly at first; one so low that a storm may have left
        it is climbed from fast.
        """
        self._pass(now)
        is_crawl = per_second < _CRAWL
        self._spacing.set_rate(max(_CRAWL, per_second), now)
        self._ceiling = 0.0 if is_crawl else per_second / _USED_OF_ESTIMATE
        self._cuts, self._reported = 1, self._spacing.per_second

    # -- refusals -------------------------------------------------------------------------------

    def _refused(self, ending: Ending, *, is_probe: bool) -> None:
        number, now = ending.ticket.number, ending.ended_at
        took_s = min(_STOP_MAX_S, max(0.0, now - ending.ticket.sent_at))
        self._refusal_time_s += _REFUSAL_TIME_WEIGHT * (took_s - self._refusal_time_s)
        if number > self._counted_number:
            self._kept = max(0, self._kept - 1)
        if is_probe:
            self._probes += self._stop_s >= _STOP_MAX_S
            longer_s = max(ending.hint_s or 0.0, 2 * self._stop_s)
            self._stop_s = min(self._longest_stop_s(), longer_s)
            self._stop(self._stop_s, now)
        elif number > self._cut_number and not self._is_noise():
            left = ending.limits.requests.remaining if ending.limits.requests else None
            self._is_known_limit = left is None or left < 1
            self._cut(now)

    def _is_noise(self) -> bool:
        """Whether refusals have nothing to do with the pace: a slower one did not end them."""
        pace, heard = self._spacing.per_second, len(self._recent)
        if sum(self._recent) > _NOISE_SHARE * max(heard, _NOISE_LEAST):
            self._proven = 0.0  # measured anew at the next reopening
        if pace is None or heard < _NOISE_LEAST:
            return False
        return _NOISE_PACE_MIN <= pace < _NOISE_BELOW * self._proven

    def _cut(self, now: float) -> None:
        pace = self._spacing.per_second
        self._cut_number = self._newest
        self._stopped_at, self._probes = self._active_s, 0
        self._stop_s = min(_STOP_MAX_S, max(_STOP_MIN_S, 1 / pace if pace else 0.0))
        self._stop(self._stop_s, now)
        self._report(0.0, LimitReason.REFUSED, now)

    def _judged_after_s(self) -> float:
        """After how long a probe that was not refused counts as accepted; in a storm, longer."""
        in_storm = self._stop_s >= _STORM_STOP_S
        return max(2 * self._refusal_time_s, _STORM_JUDGED_S if in_storm else 0.0)

    def _longest_stop_s(self) -> float:
        if self._probes >= _PROBES:
            return _STOP_MAX_LONG_S
        pace = self._spacing.per_second
        of_requests_s = _STOP_MAX_REQUESTS / pace if pace else 0.0
        return min(_STOP_MAX_LONG_S, max(_STOP_MAX_S, of_requests_s))

    def _stop(self, seconds: float, now: float) -> None:
        self._mode, self._probe = _Mode.STOPPED, None
        self._stop_until = now + seconds

    def _reopen(self, now: float) -> None:
        estimate = self._estimate()
        self._mode, self._probe = _Mode.OPEN, None
        self._proven = max(self._proven, estimate)
        self._ceiling = self._next_ceiling(estimate)
        self._cuts += 1
        self._spacing.set_rate(max(_PACE_MIN, _USED_OF_ESTIMATE * estimate), now)
        self._counted_from, self._counted_number, self._kept = self._active_s, self._newest, 0
        self._looked_at, self._taken = self._active_s, 0
        self._report(self._spacing.per_second, LimitReason.REOPENED, now)

    def _estimate(self) -> float:
        """What the service accepts per second, by what it accepted since it was last reopened."""
        pace, known = self._spacing.per_second, self._known()
        if pace is None and known is not None and self._is_known_limit:
            return known * USED_OF_HEADERS / _USED_OF_ESTIMATE
        stopped_s = self._stopped_s()
        open_s = self._stopped_at - self._counted_from
        elapsed_s = max(_ELAPSED_MIN_S, open_s + min(stopped_s, _STOP_COUNTED_MAX_S))
        estimate = self._kept / elapsed_s
        if pace is None:
            is_unknown = self._kept <= _KEPT_NOTHING and stopped_s >= _STOP_MAX_S
            return max(estimate, _PACE_UNKNOWN) if is_unknown else estimate
        if stopped_s < _STOP_MAX_S:
            return min(pace, max(self._least(pace), estimate))
        return max(_CUT_MAX_LONG * pace, estimate)

    def _least(self, pace: float) -> float:
        """How low one cut may go: by the pace and, where that climbed far, by the last estimate."""
        last = min(pace, self._ceiling) if self._ceiling > 0 else pace
        return _CUT_MAX * math.sqrt(pace * last)

    def _next_ceiling(self, estimate: float) -> float:
        """Where growth becomes slow: what was measured.

        After a long stop, which may have been a storm rather than a lower limit, what was measured
        before counts nearly as much; at the first cut nothing does.
        """
        if not self._cuts:
            return 0.0
        if self._stopped_s() < _STOP_MAX_S:
            return estimate
        return max(estimate, _KEPT_OF_CEILING * self._ceiling)

    def _stopped_s(self) -> float:
        return self._active_s - self._stopped_at

    # -- growth ---------------------------------------------------------------------------------

    def _look(self, now: float) -> None:
        pace = self._spacing.per_second
        if pace is None:
            return
        passed_s = self._active_s - self._looked_at
        if passed_s < max(_LOOK_S, 1 / pace) * (1 - 1e-6):
            return
        if self._taken >= _USED_ENOUGH * pace * passed_s:
            self._grow(pace, self._growth(pace, passed_s), now)
        self._looked_at, self._taken = self._active_s, 0

    def _growth(self, pace: float, passed_s: float) -> float:
        """By which share to grow. Far below 25 a second, requests count instead of seconds."""
        fast = _FAST * (passed_s if pace >= 1 else self._taken)
        kept = _CRAWL_KEPT if pace > 2 * _PACE_MIN else _CRAWL_KEPT_AT_LEAST
        if pace < _CRAWL and self._kept >= kept:
            self._ceiling = 0.0
        if pace > _FAR * self._ceiling:
            return fast
        if pace < _BELOW * self._ceiling:
            return min(fast, self._ceiling / pace - 1)
        seconds = min(passed_s, self._taken / _MANY)
        if pace > _NEAR * self._ceiling:
            return _FAST * seconds * self._ceiling / pace
        return max(_SLOW * seconds, _SLOW_MIN * passed_s)

    def _grow(self, pace: float, share: float, now: float) -> None:
        known = self._known()
        most = math.inf if known is None else USED_OF_HEADERS * known
        grown = min(pace * (1 + share), most)
        if grown > pace:
            self._spacing.set_rate(grown, now)
            if self._reported is None or grown >= (1 + _REPORTED_STEP) * self._reported:
                self._report(grown, LimitReason.GROWTH, now)

    # -- the clock and the report ---------------------------------------------------------------

    def _pass(self, now: float) -> None:
        """Time passes; of a long gap only a part counts, for nobody was sending."""
        if self._seen_at is not None and now > self._seen_at:
            pace = self._spacing.per_second
            gap_max_s = max(_GAP_MAX_S, 2 / pace if pace else 0.0)
            self._active_s += min(now - self._seen_at, gap_max_s)
        self._seen_at = now if self._seen_at is None else max(self._seen_at, now)

    def _report(self, new: float | None, reason: LimitReason, now: float) -> None:
        self._on_change(LimitChange(now, LimitKind.PACE, self._reported, new, reason))
        self._reported = new


def _is_refusal(ending: Ending) -> bool:
    """Whether the service says "too often". "Too many at once" is the in-flight limit's matter."""
    return ending.kind is ErrorKind.RATE_LIMITED and ending.limits.told_concurrency is None
