"""Words for the codes of the engine, translatable. One Words object serves the whole window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QLocale, QObject

from batchdesk.domain.job import ProviderSpec
from batchdesk.domain.snapshot import HoldReason, Snapshot
from batchdesk.domain.task import ErrorKind, RunState, SkipReason, TaskState
from batchdesk.domain.verdict import Decision

MISSING = "–"  # noqa: RUF001 - the sign for a missing number


class Words(QObject):
    """Codes in, words of the window's language out."""

    def provider(self, spec: ProviderSpec) -> str:
        """Who answers: a built-in server by its words, a service by its model."""
        built_in = {"practice": self.tr("practice server"), "local": self.tr("built-in model")}
        return built_in.get(spec.preset) or spec.model or spec.preset

    def task_state(self, state: TaskState) -> str:
        """A task's state, as badges show it."""
        return {
            TaskState.BLOCKED: self.tr("Waiting"),
            TaskState.PENDING: self.tr("Waiting"),
            TaskState.RUNNING: self.tr("In flight"),
            TaskState.WAITING: self.tr("To retry"),
            TaskState.PASSED: self.tr("Passed"),
            TaskState.REVIEW: self.tr("Review"),
            TaskState.ACCEPTED: self.tr("Accepted"),
            TaskState.REJECTED: self.tr("Rejected"),
            TaskState.DEAD: self.tr("Failed"),
            TaskState.SKIPPED: self.tr("Skipped"),
        }[state]

    def run_state(self, state: RunState, cause: ErrorKind | None) -> str:
        """A run's state, with the cause when it paused by itself."""
        if state is RunState.PAUSED and cause is not None:
            return self.tr("Paused: {0}").format(self.error(cause))
        return {
            RunState.PREPARING: self.tr("Preparing"),
            RunState.READY: self.tr("Ready"),
            RunState.RUNNING: self.tr("Running"),
            RunState.PAUSED: self.tr("Paused"),
            RunState.STOPPED: self.tr("Stopped"),
            RunState.FINISHED: self.tr("Finished"),
        }[state]

    def decision(self, decision: Decision) -> str:
        """A reviewer's word."""
        return {
            Decision.ACCEPTED: self.tr("accepted"),
            Decision.EDITED: self.tr("edited and accepted"),
            Decision.REJECTED: self.tr("rejected"),
            Decision.RERUN: self.tr("to be asked again"),
        }[decision]

    def error(self, kind: ErrorKind) -> str:
        """A kind of failure, in a few words."""
        return {
            ErrorKind.RATE_LIMITED: self.tr("too many requests"),
            ErrorKind.QUOTA_EXHAUSTED: self.tr("no quota or balance left"),
            ErrorKind.OVERLOADED: self.tr("service overloaded"),
            ErrorKind.SERVER_ERROR: self.tr("service error"),
            ErrorKind.CONNECT_TIMEOUT: self.tr("no connection in time"),
            ErrorKind.CONNECT_FAILED: self.tr("no connection"),
            ErrorKind.READ_TIMEOUT: self.tr("no answer in time"),
            ErrorKind.CONNECTION_RESET: self.tr("connection broken"),
            ErrorKind.DEADLINE_EXCEEDED: self.tr("total time used up"),
            ErrorKind.AUTH: self.tr("key refused"),
            ErrorKind.FORBIDDEN: self.tr("not allowed"),
            ErrorKind.MODEL_NOT_FOUND: self.tr("no such model or address"),
            ErrorKind.NOT_AN_API: self.tr("not a model service"),
            ErrorKind.BAD_REQUEST: self.tr("request refused"),
            ErrorKind.CONTEXT_TOO_LONG: self.tr("too long for the model"),
            ErrorKind.PAYLOAD_TOO_LARGE: self.tr("too large for the service"),
            ErrorKind.CONTENT_FILTERED: self.tr("refused by the content filter"),
            ErrorKind.TRUNCATED: self.tr("answer cut off"),
            ErrorKind.MALFORMED_OUTPUT: self.tr("answer not in the asked form"),
            ErrorKind.EMPTY_OUTPUT: self.tr("empty answer"),
            ErrorKind.MISALIGNED: self.tr("answer for another row"),
            ErrorKind.TEMPLATE_FAILED: self.tr("prompt cannot be filled in"),
            ErrorKind.STORAGE_FULL: self.tr("no space for the project file"),
            ErrorKind.INTERNAL: self.tr("fault of Batchdesk"),
        }[kind]

    def what_to_do(self, cause: ErrorKind) -> str:
        """What the person can do about a run that paused by itself."""
        known = {
            ErrorKind.RATE_LIMITED: self.tr(
                "The service asks to wait until the time that stands first; resume after it."
            ),
            ErrorKind.QUOTA_EXHAUSTED: self.tr(
                "Top up the account, or wait until the quota renews; then resume."
            ),
            ErrorKind.AUTH: self.tr("Correct the key in Settings; then resume."),
            ErrorKind.FORBIDDEN: self.tr("Ask for access or use another key; then resume."),
            ErrorKind.MODEL_NOT_FOUND: self.tr(
                "Check the model and the address on the Prompt page."
            ),
            ErrorKind.NOT_AN_API: self.tr("Check the address; it usually ends in /v1."),
            ErrorKind.CONNECT_FAILED: self.tr("Check the address and the network; then resume."),
            ErrorKind.CONNECT_TIMEOUT: self.tr("Check the network; then resume."),
            ErrorKind.BAD_REQUEST: self.tr("Correct the prompt or the model; then run again."),
            ErrorKind.CONTEXT_TOO_LONG: self.tr(
                "Shorten the prompt or choose a model with a larger window."
            ),
            ErrorKind.STORAGE_FULL: self.tr("Free some space on the disk; then resume."),
        }
        return known.get(cause, self.tr("Everything saved so far is safe; resume to go on."))

    def skipped(self, reason: str | None) -> str:
        """Why a row was not sent."""
        known = {
            SkipReason.EMPTY: self.tr("empty row"),
            SkipReason.DUPLICATE: self.tr("duplicate"),
            SkipReason.FILTERED: self.tr("filtered out"),
            SkipReason.UNCHANGED: self.tr("unchanged"),
            SkipReason.TOO_LONG: self.tr("too long for the model"),
            SkipReason.PILOT: self.tr("answered in the pilot"),
        }
        return (
            known.get(SkipReason(reason)) or reason if reason in set(SkipReason) else reason or ""
        )

    def finding(self, code: str, detail: Mapping[str, Any] | None = None) -> str:
        """A check's finding by its ``check/code``, with the values of its detail."""
        values = dict(detail or {})
        if code == "confidence/low" and "value" in values:
            return self.tr("Confidence {0} is below {1}").format(
                self.number(values["value"], 2), self.number(values["at_least"], 2)
            )
        if code == "labels/not_allowed" and "value" in values:
            return self.tr("“{0}” is not an allowed value").format(values["value"])
        if code == "agreement/answers_differ" and "share" in values:
            return self.tr("Answers differ: {0} agree").format(self.percent(values["share"]))
        known = {
            "confidence/low": self.tr("Low confidence"),
            "confidence/unknown": self.tr("Confidence unknown"),
            "labels/not_allowed": self.tr("Value not allowed"),
            "agreement/answers_differ": self.tr("Answers differ"),
            "parsable/repaired": self.tr("Answer had to be repaired"),
            "parsable/not_json": self.tr("Answer not readable"),
            "parsable/cut": self.tr("Answer not whole"),
            "parsable/several": self.tr("Several answers in one"),
            "parsable/not_repairable": self.tr("Answer not readable"),
            "parsable/empty": self.tr("Empty answer"),
            "parsable/not_finite": self.tr("A number in the answer is too large or none at all"),
            "parsable/too_deep": self.tr("Answer nested too deep"),
            "complete/truncated": self.tr("Answer cut off"),
            "filtered/content_filtered": self.tr("Refused by the content filter"),
            "misaligned/other_row": self.tr("Answer for another row"),
            "misaligned/row_key_missing": self.tr("Answer does not name its row"),
            "required/blank": self.tr("Required field is blank"),
            "required/missing": self.tr("Required field is missing"),
            "schema/required": self.tr("Field missing"),
            "schema/enum": self.tr("Value not allowed"),
            "schema/const": self.tr("Value not allowed"),
            "schema/type": self.tr("Wrong type of value"),
            "schema/not_checkable": self.tr("A value that cannot be checked"),
            "schema/pattern_time": self.tr("The pattern took too long"),
            "schema/additionalProperties": self.tr("Field that was not asked for"),
            "schema/minimum": self.tr("Number too small"),
            "schema/exclusiveMinimum": self.tr("Number too small"),
            "schema/maximum": self.tr("Number too large"),
            "schema/exclusiveMaximum": self.tr("Number too large"),
            "schema/minLength": self.tr("Text too short"),
            "schema/maxLength": self.tr("Text too long"),
            "schema/pattern": self.tr("Text not in the asked form"),
            "schema/format": self.tr("Text not in the asked form"),
            "schema/minItems": self.tr("Too few entries"),
            "schema/maxItems": self.tr("Too many entries"),
            "schema/uniqueItems": self.tr("An entry occurs twice"),
            "other/other": self.tr("Other reason"),
        }
        if code in known:
            return known[code]
        check, _, rest = code.partition("/")
        if check == "error" and rest in set(ErrorKind):
            return self.error(ErrorKind(rest))
        if check == "schema":
            return self.tr("Not as the schema asks ({0})").format(rest)
        return rest or code

    def held_back(self, snapshot: Snapshot) -> str:
        """What holds the run back, as a sentence; empty if nothing does."""
        match snapshot.hold:
            case HoldReason.IN_FLIGHT:
                return self.tr("Held back by the limit of {0} requests at once.").format(
                    self.number(snapshot.limit)
                )
            case HoldReason.REQUESTS_PER_MINUTE:
                return self.tr("Held back by requests per minute: {0}.").format(
                    self.used(snapshot.requests_per_s, snapshot.told_requests_per_s)
                )
            case HoldReason.TOKENS_PER_MINUTE:
                return self.tr("Held back by tokens per minute: {0}.").format(
                    self.used(snapshot.tokens_per_s, snapshot.told_tokens_per_s)
                )
            case HoldReason.PACE if snapshot.pace_per_s is not None:
                return self.tr(
                    "Held back by the pace learned from refusals: {0} requests per minute."
                ).format(self.number(snapshot.pace_per_s * 60))
            case HoldReason.OUTAGE if snapshot.breaker_probe_s is not None:
                return self.tr("The service does not answer. Next try in {0}.").format(
                    self.duration(max(1.0, round(snapshot.breaker_probe_s)))
                )
        return {
            HoldReason.PACE: self.tr("Held back by the pace learned from refusals."),
            HoldReason.REFUSED: self.tr("The service refused; it is tried again in a moment."),
            HoldReason.OUTAGE: self.tr("The service does not answer. The next try is under way."),
            HoldReason.SHARED: self.tr("Another run on the same account has its turn."),
            HoldReason.RETRY_BUDGET: self.tr(
                "Only retries are left, and they have had their share."
            ),
            HoldReason.DEGRADED: self.tr("Slowed down: too many rows failed in the last minute."),
            HoldReason.LATENCY_MARK: self.tr(
                "Slowed down: answers take longer than the job allows."
            ),
            HoldReason.RETRY_WAIT: self.tr("All that is left waits to be tried again."),
            HoldReason.PREPARING: self.tr("Rows are being read from the project file."),
            HoldReason.NO_WORK: self.tr("All that is left is under way."),
        }.get(snapshot.hold, "")

    def used(self, rate: float, told: float | None) -> str:
        """What is used of a limit, both per second; told per minute: ``98 % of 600,000 used``."""
        if not told:
            return self.tr("{0} used").format(self.number(rate * 60))
        share = self.percent(min(1.0, rate / told))
        return self.tr("{0} of {1} used").format(share, self.number(told * 60))

    def file_problem(self, kind: str, count: int) -> str:
        """What was wrong in a file, with how often."""
        known = {
            "ragged_short": self.tr("%n row(s) with too few cells", "", count),
            "ragged_long": self.tr("%n row(s) with too many cells", "", count),
            "nul_bytes": self.tr("%n row(s) with NUL characters, removed", "", count),
            "undecodable": self.tr("%n place(s) that do not fit the encoding", "", count),
            "duplicate_column": self.tr("%n column name(s) twice, renamed", "", count),
            "empty_column_name": self.tr("%n column(s) without a name, named", "", count),
            "duplicate_key": self.tr("%n id(s) twice, renamed", "", count),
            "empty_key": self.tr("%n row(s) without an id, numbered", "", count),
            "not_an_object": self.tr("%n line(s) that are not objects, left out", "", count),
            "invalid_json": self.tr("%n line(s) that are not JSON, left out", "", count),
            "nested_too_deeply": self.tr("%n object(s) nested too deeply, left out", "", count),
            "blank_line": self.tr("%n blank line(s), left out", "", count),
            "open_quote": self.tr("%n quote(s) not closed", "", count),
            "moved_column": self.tr("%n column name(s) reserved, renamed", "", count),
            "above_header": self.tr("%n row(s) above the column names, left out", "", count),
            "cell_error": self.tr("%n cell(s) with an error such as #N/A, kept", "", count),
            "no_cached_value": self.tr("%n formula(s) without a saved result, empty", "", count),
            "bad_cell": self.tr("%n cell(s) that cannot be read, empty", "", count),
            "binary_cell": self.tr("%n cell(s) of bytes, shown as hexadecimal", "", count),
            "hidden_sheet": self.tr("%n hidden sheet(s), not read", "", count),
            "other_table": self.tr("%n further sheet(s) or list(s), not read", "", count),
            "unreadable_file": self.tr("%n file(s) that cannot be read, left out", "", count),
            "no_text": self.tr("%n document(s) without text, empty", "", count),
        }
        return known.get(kind, kind)

    # -- numbers ----------------------------------------------------------------------------

    def number(self, value: float | None, decimals: int = 0) -> str:
        """A number with grouped thousands; a dash for None."""
        if value is None:
            return MISSING
        return QLocale().toString(float(value), "f", decimals)

    def percent(self, share: float | None, decimals: int = 0) -> str:
        """A share as a percentage."""
        if share is None:
            return MISSING
        return self.tr("{0} %").format(self.number(share * 100, decimals))

    def duration(self, seconds: float | None) -> str:
        """``24 ms``, ``0.8 s``, ``12 s``, ``3 min 20 s``, ``2 h 5 min``."""
        if seconds is None:
            return MISSING
        if 0 < seconds < 0.1:  # noqa: PLR2004 - tenths would say nothing
            return self.tr("{0} ms").format(self.number(seconds * 1000))
        if seconds < 10:  # noqa: PLR2004 - tenths matter below ten seconds
            return self.tr("{0} s").format(self.number(seconds, 1))
        minutes, rest = divmod(round(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        if hours:
            return self.tr("{0} h {1} min").format(hours, minutes)
        if minutes:
            return self.tr("{0} min {1} s").format(minutes, rest)
        return self.tr("{0} s").format(rest)
