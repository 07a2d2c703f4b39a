"""The cleaning steps over a stream of rows: normalise, drop empty, duplicates, mask, length.

Rows come in as (id, cells) and go out with the columns that changed, and with the reason if they
are not to be sent. The cells that came in are never touched. Counts and samples for the screen
gather in ``Cleaner.reports``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice

from batchdesk.domain.clean import (
    CleanStep,
    DuplicatesStep,
    EmptyStep,
    LengthStep,
    MaskStep,
    NearDuplicatesStep,
    NormaliseStep,
    in_order,
)
from batchdesk.errors import JobFileError, Phrase
from batchdesk.prepare.masking import Masker
from batchdesk.prepare.near import NearDuplicates, NearGroup
from batchdesk.prepare.normalise import normalise
from batchdesk.prepare.template import Cells, is_blank

SAMPLES_KEPT = 20
_BATCH = 1000

Measure = Callable[[Sequence[Cells]], Sequence[int]]


class SkipReason(StrEnum):
    """Why a row is not sent."""

    EMPTY = "empty"
    DUPLICATE = "duplicate"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Skip:
    """A row that is not sent.

    Attributes:
        of: Id of the row that is sent for it, if it is a duplicate.
        tokens: What a row that is too long needs, and ``budget`` what there is.
    """

    reason: SkipReason
    of: int | None = None
    tokens: int | None = None
    budget: int | None = None


@dataclass(frozen=True, slots=True)
class CleanedRow:
    """What became of a row.

    Attributes:
        cells: All cells, as the prompt is to see them.
        changed: The columns that differ from the file, with their new texts.
        skip: Why the row is not sent; None: it is.
        tokens: As measured by the length step; None where nothing was measured.
    """

    id: int
    cells: Cells
    changed: Mapping[str, str]
    skip: Skip | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """A text before and after a step."""

    row: int
    column: str
    before: str
    after: str


@dataclass(slots=True)
class StepReport:
    """What a step did so far.

    Attributes:
        rows: Rows that came to it.
        changed: Rows of which it changed a text.
        skipped: Rows that it took out.
        details: How often each thing was done: fixes of ``Fix``, kinds of masks.
        samples: The first 20 changes.
        near: Rows that are nearly equal, after ``Cleaner.conclude``; a suggestion.
        compared: Rows that were compared for it: the first ones, where it is fewer than ``rows``.
    """

    step: str
    rows: int = 0
    changed: int = 0
    skipped: int = 0
    details: dict[str, int] = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)
    near: tuple[NearGroup, ...] = ()
    compared: int = 0


class Cleaner:
    """Runs a job's steps over rows.

    Args:
        steps: The steps; they run in the order of ``domain.clean.ORDER``.
        used: The columns that the prompts use.
        masks: The mapping of masks so far, token to value.
        measure: Tokens of rows, a batch at once; needed for the length step.
        budget: Tokens that a row may have; None: no limit is known, so the length step does
            nothing.

    Attributes:
        reports: One for each step, in their order.
        masker: Holds new masks (``masker.new()``) for storing; None without a mask step.

    Raises:
        JobFileError: a step stands there twice, names a column that is not there, or has a
            pattern that is none.
    """

    def __init__(
        self,
        steps: Sequence[CleanStep],
        used: Iterable[str],
        columns: Sequence[str],
        *,
        masks: Mapping[str, str] | None = None,
        measure: Measure | None = None,
        budget: int | None = None,
    ) -> None:
        try:
            self._steps = in_order(tuple(steps))
        except ValueError as error:
            raise JobFileError(
                "A cleaning step stands in the job twice: {reason}.", reason=str(error)
            ) from error
        self._used = sorted(used)
        self._measure, self._budget = measure, budget
        self._first: dict[bytes, int] = {}
        self._near: NearDuplicates | None = None
        self.masker: Masker | None = None
        self.reports = tuple(StepReport(one.step) for one in self._steps)
        for one in self._steps:
            _columns_exist(one, columns)
            if isinstance(one, MaskStep):
                self.masker = Masker(one, masks)
            if isinstance(one, NearDuplicatesStep):
                self._near = NearDuplicates(one.threshold)

    def clean(self, rows: Iterable[tuple[int, Cells]]) -> Iterator[CleanedRow]:
        """The rows in their order; may be called for one part of the rows after the other.

        Raises:
            PatternTimeoutError: a mask pattern of the user's own takes too long.
        """
        coming = iter(rows)
        while batch := list(islice(coming, _BATCH)):
            yield from self._cleaned([CleanedRow(row, cells, {}) for row, cells in batch])

    def conclude(self) -> Sequence[StepReport]:
        """The reports with what is known only once all rows went through; takes seconds."""
        for report in self.reports:
            if self._near is not None and report.step == "near_duplicates":
                report.near, report.compared = self._near.groups(), self._near.compared
        return self.reports

    def _cleaned(self, rows: list[CleanedRow]) -> list[CleanedRow]:
        for one, report in zip(self._steps, self.reports, strict=True):
            open_rows = [(at, row) for at, row in enumerate(rows) if row.skip is None]
            report.rows += len(open_rows)
            after = self._step(one, report, [row for _, row in open_rows])
            for (at, _), row in zip(open_rows, after, strict=True):
                report.skipped += row.skip is not None
                rows[at] = row
        return rows

    def _step(self, one: CleanStep, report: StepReport, rows: list[CleanedRow]) -> list[CleanedRow]:
        match one:
            case NormaliseStep():
                return [self._normalised(one, report, row) for row in rows]
            case EmptyStep():
                return [self._unless_blank(row) for row in rows]
            case DuplicatesStep():
                return [self._unless_seen(row) for row in rows]
            case NearDuplicatesStep():
                self._compare(rows)
                return rows
            case MaskStep():
                return [self._masked(one, report, row) for row in rows]
            case LengthStep():
                return self._measured(rows)

    def _normalised(self, one: NormaliseStep, report: StepReport, row: CleanedRow) -> CleanedRow:
        new: dict[str, str] = {}
        for name in one.columns or self._used:
            text = row.cells.get(name)
            if text:
                after, fixes = normalise(text, repair=one.repair)
                for fix in fixes:
                    report.details[fix] = report.details.get(fix, 0) + 1
                if fixes and after != text:
                    new[name] = after
        return _with(row, new, report)

    def _unless_blank(self, row: CleanedRow) -> CleanedRow:
        if not is_blank(row.cells, self._used):
            return row
        return _skipped(row, Skip(SkipReason.EMPTY))

    def _unless_seen(self, row: CleanedRow) -> CleanedRow:
        digest = hashlib.blake2b(digest_size=16)
        for name in self._used:
            text = (row.cells.get(name) or "").encode("utf-8", "surrogatepass")
            digest.update(len(text).to_bytes(8, "big") + text)
        first = self._first.setdefault(digest.digest(), row.id)
        if first == row.id or not self._used:
            return row
        return _skipped(row, Skip(SkipReason.DUPLICATE, of=first))

    def _compare(self, rows: list[CleanedRow]) -> None:
        if self._near is not None and self._used:
            for row in rows:
                self._near.add(row.id, "\n".join(row.cells.get(name) or "" for name in self._used))

    def _masked(self, one: MaskStep, report: StepReport, row: CleanedRow) -> CleanedRow:
        new: dict[str, str] = {}
        if self.masker is not None:
            for name in one.columns or self._used:
                text = row.cells.get(name)
                if text and (after := self.masker.mask(text)) != text:
                    new[name] = after
            report.details = self.masker.counts
        return _with(row, new, report)

    def _measured(self, rows: list[CleanedRow]) -> list[CleanedRow]:
        if self._measure is None or self._budget is None or not rows:
            return rows
        lengths = self._measure([row.cells for row in rows])
        return [self._fitting(row, n) for row, n in zip(rows, lengths, strict=True)]

    def _fitting(self, row: CleanedRow, tokens: int) -> CleanedRow:
        skip = None
        if self._budget is not None and tokens > self._budget:
            skip = Skip(SkipReason.TOO_LONG, tokens=tokens, budget=self._budget)
        return CleanedRow(row.id, row.cells, row.changed, skip, tokens)


def room(window: int, system: int, template: int, reserved: int) -> int:
    """Tokens that are left for a row's own text: 0 when the rest fills the window already."""
    return max(0, window - system - template - reserved)


def _with(row: CleanedRow, new: dict[str, str], report: StepReport) -> CleanedRow:
    """The row with new texts, noted in the report."""
    if not new:
        return row
    report.changed += 1
    for name, after in new.items():
        if len(report.samples) < SAMPLES_KEPT:
            report.samples.append(Sample(row.id, name, row.cells.get(name) or "", after))
    return CleanedRow(row.id, {**row.cells, **new}, {**row.changed, **new})


def _skipped(row: CleanedRow, skip: Skip) -> CleanedRow:
    return CleanedRow(row.id, row.cells, row.changed, skip)


def _columns_exist(one: CleanStep, columns: Sequence[str]) -> None:
    for name in getattr(one, "columns", ()):
        if name not in columns:
            raise JobFileError(
                "The cleaning step {step} names a column {name!r} that the table does not have. "
                "{hint}",
                step=one.step,
                name=name,
                hint=Phrase("Its columns are: {known}.", known=", ".join(columns[:12])),
            )
