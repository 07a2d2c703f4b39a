"""Words about a run's pace: what holds it back, why a limit changed, what would help.

Codes and figures of a Snapshot come in, sentences of the window's language go out.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from batchdesk.domain.snapshot import (
    Advice,
    AdviceCode,
    HoldReason,
    LimitChange,
    LimitKind,
    LimitReason,
    Snapshot,
    Waiting,
)
from batchdesk.gui.words import Words

_COLOURS = {
    LimitReason.REFUSED: "violet",
    LimitReason.OUTAGE: "failed",
    LimitReason.FAILURES: "failed",
    LimitReason.QUEUEING: "review",
    LimitReason.LATENCY_MARK: "review",
    LimitReason.TOLD: "review",
    LimitReason.HEADERS: "review",
    LimitReason.PERSON: "running",
}


class RunWords(QObject):
    """Sentences about one run.

    Args:
        words: Numbers, durations and the words that the whole window shares.
    """

    def __init__(self, words: Words, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words

    # -- what holds the run back ------------------------------------------------------------

    def standing(self, snapshot: Snapshot) -> str:
        """What holds the run back, worst first, as one sentence; never empty."""
        held = self._words.held_back(snapshot)
        if snapshot.hold is HoldReason.OUTAGE:
            return held
        if snapshot.degraded:
            return self.tr("Slowed down: too many rows failed in the last minute.")
        if snapshot.growing:
            return self.tr("The queue grows without end: more comes in than goes out.")
        return held or self.tr("Nothing holds the run back.")

    def hint(self, snapshot: Snapshot) -> str:
        """What would and would not help against what holds the run back; empty if nothing."""
        match snapshot.hold:
            case HoldReason.RETRY_WAIT:
                due = [task.due_s for task in snapshot.tasks if isinstance(task, Waiting)]
                wait = self._words.duration(min(due, default=0.0))
                return self.tr("The next one is sent in {0}.").format(wait)
            case HoldReason.IN_FLIGHT if snapshot.pinned:
                return self.tr("You fixed it.")
            case HoldReason.IN_FLIGHT if snapshot.limit >= snapshot.ceiling > 0:
                return self.tr("That is the ceiling; a higher one may help.")
        return {
            HoldReason.REQUESTS_PER_MINUTE: self.tr("More requests at once would not help."),
            HoldReason.TOKENS_PER_MINUTE: self.tr(
                "More requests at once would not help; a shorter prompt would."
            ),
            HoldReason.IN_FLIGHT: self.tr("It moves by itself with what the service can do."),
            HoldReason.PACE: self.tr("More requests at once would not help."),
            HoldReason.OUTAGE: self.tr("No row is lost; the run goes on by itself."),
            HoldReason.DEGRADED: self.tr("It recovers by itself once failures are rare."),
        }.get(snapshot.hold, "")

    def why(self, snapshot: Snapshot, retry_share: float = 0.2) -> str:
        """What is behind it, in a few sentences; empty where the sentence says it all.

        Args:
            retry_share: Of the requests of a minute, that may be retries; as the job sets it.
        """
        return {
            HoldReason.IN_FLIGHT: self.tr(
                "So many requests are under way at once. The limit grows while answers come as "
                "quickly as they did with few, and stops where more would only wait in the "
                "service's own queue."
            ),
            HoldReason.REQUESTS_PER_MINUTE: self.tr(
                "The limit was told by the job, the service's headers or its refusals. Requests "
                "are spread evenly, just under it."
            ),
            HoldReason.TOKENS_PER_MINUTE: self.tr(
                "Tokens of prompts and answers count together. What each row takes is reserved "
                "before it is sent and settled with what the service counted. Shorter prompts, "
                "examples or answers let more rows through."
            ),
            HoldReason.PACE: self.tr(
                "The service refused requests without telling its limit. The pace was learned "
                "from what it accepted between refusals and is tried upwards again and again."
            ),
            HoldReason.REFUSED: self.tr(
                "After a refusal sending stops for a moment; then one single request tries "
                "whether the service accepts again."
            ),
            HoldReason.OUTAGE: self.tr(
                "Nothing came through any more: requests fail or get no answer. One tries now and "
                "then; with its answer the run goes on at full speed. Tries that fell into the "
                "outage do not count against the rows."
            ),
            HoldReason.SHARED: self.tr(
                "Runs on the same account share its limits evenly, so that none of them starves."
            ),
            HoldReason.RETRY_BUDGET: self.tr(
                "Retries may be {0} of the requests of a minute, so that a storm of failures "
                "cannot feed itself."
            ).format(self._words.percent(retry_share)),
            HoldReason.DEGRADED: self.tr(
                "More rows than usual failed in the last minute for the service's reasons. Fewer "
                "requests are sent at once, and rows asked again wait."
            ),
            HoldReason.LATENCY_MARK: self.tr(
                "The job sets how long an answer may take; sending slows down while answers take "
                "longer."
            ),
            HoldReason.PREPARING: self.tr(
                "Reading and filling in prompts takes longer than sending. More requests at once "
                "would not help."
            ),
        }.get(snapshot.hold, "")

    def hold(self, reason: HoldReason) -> str:
        """What held a run back, in a few words without figures."""
        return {
            HoldReason.NOTHING: self.tr("nothing"),
            HoldReason.IN_FLIGHT: self.tr("the limit of requests at once"),
            HoldReason.REQUESTS_PER_MINUTE: self.tr("requests per minute"),
            HoldReason.TOKENS_PER_MINUTE: self.tr("tokens per minute"),
            HoldReason.PACE: self.tr("the learned pace"),
            HoldReason.REFUSED: self.tr("a refusal"),
            HoldReason.OUTAGE: self.tr("an outage of the service"),
            HoldReason.SHARED: self.tr("another run on the account"),
            HoldReason.RETRY_BUDGET: self.tr("the share of retries"),
            HoldReason.DEGRADED: self.tr("too many failures"),
            HoldReason.LATENCY_MARK: self.tr("slow answers"),
            HoldReason.RETRY_WAIT: self.tr("rows that wait to be tried again"),
            HoldReason.NO_WORK: self.tr("no rows left to send"),
            HoldReason.PREPARING: self.tr("reading of rows"),
        }[reason]

    # -- what would help --------------------------------------------------------------------

    def advice(self, advice: Advice) -> str:
        """One piece of advice as a sentence or two, with its figures."""
        words, params = self._words, advice.params
        share = words.percent(params.get("share"))
        limit = words.number(params.get("limit"))
        per_min = words.number((params.get("requests_per_s") or 0.0) * 60)
        match advice.code:
            case AdviceCode.PREPARING:
                return self.tr(
                    "The queue is empty {0} of the time: preparing rows is the bottleneck. More "
                    "requests at once would not help."
                ).format(share)
            case AdviceCode.REQUESTS_LIMIT:
                return self.tr(
                    "Requests per minute are the limit {0} of the time, at {1} now. More at once "
                    "would not help; a higher limit with the service would."
                ).format(share, per_min)
            case AdviceCode.TOKENS_LIMIT:
                return self.tr(
                    "Tokens per minute are the limit {0} of the time. A shorter prompt or shorter "
                    "answers would help."
                ).format(share)
            case AdviceCode.LEARNED_PACE:
                return self.tr(
                    "The service refuses more than about {0} requests per minute. If you know its "
                    "limits, set them under “Ceiling”: that saves the refusals."
                ).format(per_min)
            case AdviceCode.SERVICE_QUEUES:
                return self.tr(
                    "With {0} requests at once the service is busy: more would only queue there."
                ).format(limit)
            case AdviceCode.CEILING:
                return self.tr(
                    "The limit is at its ceiling of {0}: a higher one might be faster."
                ).format(limit)
            case AdviceCode.PINNED:
                return self.tr(
                    "You fixed the limit at {0}: a higher one, or letting it move by itself, might "
                    "be faster."
                ).format(limit)
            case AdviceCode.RETRIES:
                return self.tr(
                    "{0} of the requests give no usable answer; they cost time and money. See "
                    "“Failed requests by kind”."
                ).format(share)
            case AdviceCode.WRITING:
                return self.tr(
                    "Writing takes {0} of the time: the disk of the project file is slow."
                ).format(share)
            case AdviceCode.INSTRUCTIONS:
                return self.tr(
                    "The instructions are about {0} tokens, {1} of each request. Shorter ones "
                    "would be faster and cheaper."
                ).format(words.number(params.get("tokens")), share)

    # -- why a limit changed ----------------------------------------------------------------

    def colour(self, change: LimitChange) -> str:
        """The token of a change's mark."""
        return _COLOURS.get(change.reason, "text2")

    def code(self, change: LimitChange) -> str:
        """A change in one word, for a mark without room."""
        return {
            LimitReason.SLOW_START: self.tr("start", "mark"),
            LimitReason.QUEUEING: self.tr("queue", "mark"),
            LimitReason.TESTING: self.tr("test", "mark"),
            LimitReason.CONFIRMED: self.tr("held", "mark"),
            LimitReason.FASTER: self.tr("faster", "mark"),
            LimitReason.REFUSED: "429",
            LimitReason.REOPENED: self.tr("on", "mark"),
            LimitReason.GROWTH: self.tr("pace", "mark"),
            LimitReason.HEADERS: self.tr("stated", "mark"),
            LimitReason.TOLD: self.tr("told", "mark"),
            LimitReason.OUTAGE: self.tr("outage", "mark"),
            LimitReason.PROBE_ANSWERED: self.tr("back", "mark"),
            LimitReason.PERSON: self.tr("you", "mark"),
            LimitReason.FAILURES: self.tr("alarm", "mark"),
            LimitReason.RECOVERED: self.tr("over", "mark"),
            LimitReason.LATENCY_MARK: self.tr("slow", "mark"),
        }[change.reason]

    def mark(self, change: LimitChange) -> str:
        """A change in a few words: ``429: 40 → 32``."""
        if change.what in {LimitKind.BREAKER, LimitKind.ALARM}:
            return self.reason(change.reason)
        return self.tr("{0}: {1}").format(self.code(change), self._from_to(change))

    def detail(self, change: LimitChange) -> str:
        """A change in one line: what, why, from where to where."""
        why = self.reason(change.reason)
        if change.what in {LimitKind.BREAKER, LimitKind.ALARM}:
            return why
        return self.tr("{0}: {1} ({2})").format(self._what(change.what), self._from_to(change), why)

    def reason(self, reason: LimitReason) -> str:
        """Why a limit changed."""
        return {
            LimitReason.SLOW_START: self.tr("answers come cleanly"),
            LimitReason.QUEUEING: self.tr("the service queues"),
            LimitReason.TESTING: self.tr("test with fewer"),
            LimitReason.CONFIRMED: self.tr("held where nothing queues"),
            LimitReason.FASTER: self.tr("answers come faster"),
            LimitReason.REFUSED: self.tr("refused (429)"),
            LimitReason.REOPENED: self.tr("accepted again"),
            LimitReason.GROWTH: self.tr("no refusals"),
            LimitReason.HEADERS: self.tr("stated by the service"),
            LimitReason.TOLD: self.tr("told"),
            LimitReason.OUTAGE: self.tr("no answers: outage"),
            LimitReason.PROBE_ANSWERED: self.tr("the service is back"),
            LimitReason.PERSON: self.tr("set by you"),
            LimitReason.FAILURES: self.tr("alarm: many failures"),
            LimitReason.RECOVERED: self.tr("failures are rare again"),
            LimitReason.LATENCY_MARK: self.tr("slower than the job allows"),
        }[reason]

    def _what(self, what: LimitKind) -> str:
        return {
            LimitKind.IN_FLIGHT: self.tr("Requests at once"),
            LimitKind.CEILING: self.tr("Ceiling"),
            LimitKind.PACE: self.tr("Requests per minute"),
            LimitKind.TOKENS: self.tr("Tokens per minute"),
            LimitKind.BREAKER: self.tr("Outage"),
            LimitKind.ALARM: self.tr("Alarm"),
        }[what]

    def _from_to(self, change: LimitChange) -> str:
        """Rates per minute, as they stand beside the chart."""
        times = 60 if change.what in {LimitKind.PACE, LimitKind.TOKENS} else 1
        unit = self.tr("{0}/min") if times > 1 else "{0}"
        ends = [
            unit.format(self._words.number(value * times))
            for value in (change.old, change.new)
            if value is not None
        ]
        if change.new is None:
            return self.tr("none", "limit")
        return " → ".join(ends)
