"""The list of runs: figures of each run, live while it is under way, for a table view.

Summaries and snapshots of the desk come in; cells go out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from batchdesk.domain import progress
from batchdesk.domain.snapshot import Snapshot
from batchdesk.domain.task import ErrorKind, RunKind, RunState, TaskState
from batchdesk.gui.widgets.bars import Parts
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.table import Cell
from batchdesk.gui.words import MISSING, Words
from batchdesk.session import RunSummary

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()

NAME, PROGRESS, DONE, PASSED, REVIEW, FAILED, RATE, STATE = range(8)


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run as the list shows it. ``total`` are the rows to send: skipped ones do not count."""

    state: RunState
    cause: ErrorKind | None
    passed: int  # by the checks or by a person
    review: int
    rejected: int  # by a person
    failed: int  # given up
    skipped: int  # not sent
    in_flight: int
    done: int
    total: int
    active_s: float
    eta_s: float | None

    @property
    def waiting(self) -> int:
        """Rows that the run still has work with."""
        return max(0, self.total - self.done)

    @property
    def accepted_per_min(self) -> float | None:
        """Passed rows per minute that the run was active; None within the first second."""
        return self.passed / self.active_s * 60 if self.active_s >= 1 else None


def figures_of(summary: RunSummary, snapshot: Snapshot | None) -> RunFigures:
    """A run in figures: of the snapshot while the run is under way, else of the summary."""
    counts = snapshot.counts if snapshot else summary.counts

    def count(*states: TaskState) -> int:
        return sum(counts.get(state, 0) for state in states)

    return RunFigures(
        state=snapshot.state if snapshot else summary.run.state,
        cause=snapshot.cause if snapshot else summary.run.cause,
        passed=count(TaskState.PASSED, TaskState.ACCEPTED),
        review=count(TaskState.REVIEW),
        rejected=count(TaskState.REJECTED),
        failed=count(TaskState.DEAD),
        skipped=count(TaskState.SKIPPED),
        in_flight=snapshot.in_flight if snapshot else 0,
        done=progress.done(counts),
        total=progress.to_do(counts),
        active_s=snapshot.active_s if snapshot else summary.run.active_s,
        eta_s=snapshot.eta_s if snapshot else None,
    )


def badge_of(state: RunState, cause: ErrorKind | None) -> BadgeState:
    """The badge of a run's state."""
    if state is RunState.PAUSED and cause is not None:
        return BadgeState.CAUSE
    return {
        RunState.RUNNING: BadgeState.RUNNING,
        RunState.PAUSED: BadgeState.PAUSED,
        RunState.STOPPED: BadgeState.PAUSED,
        RunState.FINISHED: BadgeState.FINISHED,
    }.get(state, BadgeState.WAITING)


class RunsModel(QAbstractTableModel):
    """All runs of the project, the newest first."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words
        self._summaries: Sequence[RunSummary] = ()
        self._figures: list[RunFigures] = []
        self._versions: Mapping[int, int] = {}

    def set_runs(self, summaries: Sequence[RunSummary], live: Mapping[int, Snapshot]) -> None:
        """Show runs; ``live`` has the latest snapshot of those that are under way."""
        figures = [figures_of(one, live.get(one.run.id)) for one in summaries]
        same = [one.run.id for one in summaries] == [one.run.id for one in self._summaries]
        if same and figures:  # keeps the selection and where the person has scrolled to
            self._summaries, self._figures = summaries, figures
            self._changed(0, len(figures) - 1)
            return
        self.beginResetModel()
        self._summaries, self._figures = summaries, figures
        self.endResetModel()

    def set_versions(self, versions: Mapping[int, int]) -> None:
        """Job id → version of its name."""
        self._versions = versions
        if self._figures:
            self._changed(0, len(self._figures) - 1)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Fresh figures of a run."""
        row = self.row_of(snapshot.run_id)
        if row >= 0:
            self._figures[row] = figures_of(self._summaries[row], snapshot)
            self._changed(row, row)

    def row_of(self, run_id: int | None) -> int:
        """Where a run stands in the list; -1 if it is not there."""
        places = (n for n, one in enumerate(self._summaries) if one.run.id == run_id)
        return next(places, -1)

    def summary(self, row: int) -> RunSummary | None:
        """The run of a row."""
        return self._summaries[row] if 0 <= row < len(self._summaries) else None

    def figures(self, row: int) -> RunFigures:
        """The figures of a row."""
        return self._figures[row]

    def second_line(self, row: int) -> str:
        """Version, model and rows of a run."""
        summary = self._summaries[row]
        parts = []
        if summary.run.job_id in self._versions:
            parts.append(self.tr("prompt v{0}").format(self._versions[summary.run.job_id]))
        parts.append(self.model_word(summary))
        kinds = {RunKind.PREVIEW: self.tr("preview"), RunKind.PILOT: self.tr("pilot")}
        if summary.run.kind in kinds:
            parts.append(kinds[summary.run.kind])
        figures = self._figures[row]
        parts.append(self.tr("%Ln row(s)", "", figures.total))
        if figures.skipped:
            parts.append(self.tr("{0} skipped").format(self._words.number(figures.skipped)))
        return " · ".join(parts)

    def model_word(self, summary: RunSummary) -> str:
        """Who answers."""
        return self._words.provider(summary.run.job.provider)

    # -- what Qt asks -----------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._summaries)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else STATE + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            NAME: self.tr("Run"),
            PROGRESS: self.tr("Progress"),
            DONE: self.tr("Done"),
            PASSED: self.tr("Passed"),
            REVIEW: self.tr("Review"),
            FAILED: self.tr("Failed"),
            RATE: self.tr("Accepted/min"),
            STATE: self.tr("State"),
        }[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if column == NAME:
            return self._name_cell(row, role)
        if column == PROGRESS:
            return self._progress_cell(row, role)
        if column == STATE:
            return self._state_cell(row, role)
        return self._figure_cell(row, column, role)

    def _name_cell(self, row: int, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._summaries[row].run.job.name
        if role == Cell.SECOND:
            return self.second_line(row)
        return True if role == Cell.STRONG else None

    def _progress_cell(self, row: int, role: int) -> object:
        figures = self._figures[row]
        if role == Cell.PARTS:
            return Parts(
                figures.passed,
                figures.review + figures.rejected,  # both are a person's matter
                figures.failed,
                figures.in_flight,
                figures.total,
            )
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.progress_words(figures)
        return None

    def progress_words(self, figures: RunFigures) -> str:
        """How far a run is, in words."""
        words = self._words
        share = words.percent(figures.done / figures.total if figures.total else None)
        of_all = self.tr("{0} of {1}").format(
            words.number(figures.done), words.number(figures.total)
        )
        match figures.state:
            case RunState.FINISHED:
                return f"{of_all} · {words.duration(figures.active_s)}"
            case RunState.RUNNING if figures.eta_s is not None:
                left = self.tr("{0} left").format(words.duration(figures.eta_s))
                return f"{share} · {left}"
            case RunState.PAUSED if figures.cause is not None:
                return self.tr("{0} · paused by itself").format(share)
            case RunState.PAUSED:
                return self.tr("{0} · paused by you").format(share)
            case RunState.STOPPED:
                return self.tr("{0} · stopped by you").format(share)
            case RunState.READY | RunState.PREPARING:
                return self.tr("not started")
        return share

    def _state_cell(self, row: int, role: int) -> object:
        figures = self._figures[row]
        if role == Cell.STATE:
            return badge_of(figures.state, figures.cause)
        if role == Cell.TINTED:
            return True
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._words.run_state(figures.state, figures.cause)
        return None

    def _figure_cell(self, row: int, column: int, role: int) -> object:
        figures = self._figures[row]
        never_ran = figures.active_s <= 0 and figures.done == 0
        value: float | None = {
            DONE: figures.done,
            PASSED: figures.passed,
            REVIEW: figures.review,
            FAILED: figures.failed,
            RATE: figures.accepted_per_min,
        }[column]
        if role == Qt.ItemDataRole.DisplayRole:
            return MISSING if never_ran else self._words.number(value)
        if role == Cell.TONE:
            if never_ran or not value:
                return "text3"
            return {REVIEW: "review", FAILED: "failed"}.get(column, "text")
        return None

    def _changed(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, STATE))


def _alignment(column: int) -> Qt.AlignmentFlag:
    right = DONE <= column <= RATE
    across = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return across | Qt.AlignmentFlag.AlignVCenter
