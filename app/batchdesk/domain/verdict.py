"""Check results, verdicts and decisions: what became of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from batchdesk.domain.task import ErrorKind


class CheckOutcome(StrEnum):
    """What one check says of one answer."""

    OK = "ok"
    DOUBTFUL = "doubtful"  # a person should look
    BAD = "bad"  # not usable as it is; asked for once more, then a person looks


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check's finding.

    Attributes:
        check: Which check: parsable, schema, required, labels, confidence, misaligned, …
        code: The finding as a code; words for it live at the edge.
        path: Where in the answer, such as ``sentiment`` or ``items/0/price``; empty for the whole.
        detail: Values that a sentence about it needs.
    """

    check: str
    outcome: CheckOutcome
    code: str
    path: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)


class Verdict(StrEnum):
    """The worst check result of an answer."""

    PASSED = "passed"
    REVIEW = "review"


class Decision(StrEnum):
    """A reviewer's word."""

    ACCEPTED = "accepted"
    EDITED = "edited"
    REJECTED = "rejected"
    RERUN = "rerun"


@dataclass(frozen=True, slots=True)
class Assessment:
    """An answer after all checks.

    Attributes:
        answer: The parsed answer (any JSON value), or the text when no schema was asked for.
        results: Only what was not ok.
        error_kind: The fault that earns one more try, if any check was bad.
        confidence: 0 to 1, or None where it was not measured.
        repaired: Whether the JSON had to be repaired.
    """

    answer: Any
    results: tuple[CheckResult, ...]
    error_kind: ErrorKind | None = None
    confidence: float | None = None
    repaired: bool = False

    @property
    def verdict(self) -> Verdict:
        """Passed only if nothing was found."""
        return verdict_of(result.outcome for result in self.results)


def verdict_of(outcomes: Iterable[CheckOutcome]) -> Verdict:
    """All ok: passed. Anything else: review."""
    return Verdict.PASSED if all(o is CheckOutcome.OK for o in outcomes) else Verdict.REVIEW
