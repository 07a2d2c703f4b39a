"""The cleaning steps: which are wanted, how many rows each touches, and what it makes of a text.

A job and a table come in; the job's other steps go out. Counts are of a trial over the first rows,
a moment after each change; nothing is written before a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

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
from batchdesk.domain.job import Job
from batchdesk.errors import UserError
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.pages.data_masking import MaskOptions
from batchdesk.gui.pages.prompt_inputs import note
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.paint import RIGHT
from batchdesk.gui.words import Words
from batchdesk.session import Dataset, RowCount, Session
from batchdesk.session.cleaning import MOST_COMPARED
from batchdesk.session.reading import StepReport

MOST_TRIED = 20_000  # rows
_PAUSE_MS = 400
_SAMPLES, _SHOWN, _BEFORE = 4, 140, 30  # characters of a text, and of it before the change
_NEW: dict[str, CleanStep] = {
    "normalise": NormaliseStep(step="normalise"),
    "empty": EmptyStep(step="empty"),
    "duplicates": DuplicatesStep(step="duplicates"),
    "near_duplicates": NearDuplicatesStep(step="near_duplicates"),
    "mask": MaskStep(step="mask"),
    "length": LengthStep(step="length"),
}
_BY_SKIPPING = frozenset({"empty", "duplicates", "length"})


class StepLine(QWidget):
    """One step: wanted or not, its count, and a button for what it changed."""

    def __init__(self, name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.wanted = QCheckBox(words)
        self.count = ElidingLabel("", Type.LABEL_MEDIUM, "text", least=30, align=RIGHT)
        self.samples = Button("", Kind.FLAT, icon="caret-right", height=24)
        self.samples.setCheckable(True)
        self.samples.setAccessibleName(self.tr("What it changed: {0}").format(words))
        self.samples.setToolTip(self.samples.accessibleName())
        policy = self.samples.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.samples.setSizePolicy(policy)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.wanted, 1)
        row.addWidget(self.count)
        row.addWidget(self.samples)


class CleaningSection(QWidget):
    """All steps over the count of rows that will be sent.

    Args:
        desk: Is asked for a trial.
        words: Numbers for people.

    Signals:
        edited(object): Another tuple of steps for the job.
    """

    edited = Signal(object)

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._words = desk, words
        self._job: Job | None = None
        self._dataset: Dataset | None = None
        self._kept = dict(_NEW)  # a step that is taken out keeps its settings
        self._tried_for: object = None
        self._asked: Asked | None = None
        self._reports: dict[str, StepReport] = {}
        self.lines = [StepLine(name, words) for name, words in self._names().items()]
        self.masks = MaskOptions(words)
        self.masks.hide()
        self.near_limit = note()
        self.near_limit.hide()
        self.detail = PlainLabel("", Type.LABEL, "text2", wrap=True)
        self.sent = PlainLabel("", Type.LABEL_MEDIUM, "text", wrap=True)
        self.less = PlainLabel("", Type.LABEL, "text2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        under: dict[str, QWidget] = {"mask": self.masks, "near_duplicates": self.near_limit}
        for line in self.lines:
            column.addWidget(line)
            if line.name in under:
                column.addWidget(under[line.name])
            line.wanted.toggled.connect(self._toggled)
            line.samples.clicked.connect(
                lambda on, name=line.name: self._show_samples(name if on else "")
            )
        for widget in (self.detail, self.sent, self.less):
            column.addWidget(widget)
        self.detail.hide()
        self.masks.edited.connect(self._masks_edited)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._try)
        desk.project_closing.connect(self._forget)

    def show_job(self, job: Job | None, dataset: Dataset | None) -> None:
        """Show a job's steps and try them on a table."""
        self._job, self._dataset = job, dataset
        steps: dict[str, CleanStep] = {}
        if job is not None:
            steps = {one.step: one for one in job.clean}
        self._kept |= steps
        for line in self.lines:
            with QSignalBlocker(line.wanted):
                line.wanted.setChecked(line.name in steps)
            line.wanted.setEnabled(job is not None)
        self.masks.setVisible("mask" in steps)
        if isinstance(mask := steps.get("mask"), MaskStep):
            self.masks.show_step(mask)
        self._show_near_limit(dataset, wanted="near_duplicates" in steps)
        key = None
        if job is not None and dataset is not None:
            key = (dataset.id, job.clean, job.data.where, job.stages, job.provider.model)
        if key != self._tried_for:
            self._tried_for = key
            self._timer.start()

    def _names(self) -> dict[str, str]:
        return {
            "normalise": self.tr("Normalise and repair text"),
            "empty": self.tr("Leave out empty rows"),
            "duplicates": self.tr("Send equal rows once"),
            "near_duplicates": self.tr("Find nearly equal rows"),
            "mask": self.tr("Mask personal data"),
            "length": self.tr("Leave out rows too long"),
        }

    def _toggled(self) -> None:
        wanted = [line.name for line in self.lines if line.wanted.isChecked()]
        self.edited.emit(in_order(tuple(self._kept[name] for name in wanted)))

    def _show_near_limit(self, dataset: Dataset | None, *, wanted: bool) -> None:
        rows = dataset.row_count if dataset is not None else 0
        self.near_limit.setVisible(wanted and rows > MOST_COMPARED)
        told = self.tr("A run compares only the first {0} of the {1} rows.")
        number = self._words.number
        self.near_limit.setText(told.format(number(MOST_COMPARED), number(rows)))

    def _masks_edited(self, step: MaskStep) -> None:
        self._kept["mask"] = step
        self._toggled()

    # -- trying -----------------------------------------------------------------------------

    def _try(self) -> None:
        if self._asked is not None:
            self._asked.cancel()
        job, dataset = self._job, self._dataset
        if job is None or dataset is None:
            self._show((), None)
            return
        call = partial(Session.try_cleaning, job=job, dataset=dataset, at_most=MOST_TRIED)
        self._asked = self._desk.ask(call, self._have, self._failed)

    def _have(self, found: tuple[RowCount, Sequence[StepReport]]) -> None:
        count, reports = found
        self._show(reports, count)

    def _failed(self, error: UserError) -> None:
        self._show((), None)
        self.less.setText(sentence(error))
        self.less.show()

    def _show(self, reports: Sequence[StepReport], count: RowCount | None) -> None:
        self._reports = {one.step: one for one in reports}
        for line in self.lines:
            report = self._reports.get(line.name)
            line.count.set_text(self._count(report) if report is not None else "")
            line.samples.setVisible(report is not None and bool(report.samples or report.near))
            line.samples.setChecked(False)
        mask = self._reports.get("mask")
        self.masks.show_counts(mask.details if mask is not None else {})
        self.detail.hide()
        self.sent.setVisible(count is not None)
        self.less.setVisible(count is not None)
        if count is not None:
            self._show_sent(count)

    def _count(self, report: StepReport) -> str:
        if report.step == "near_duplicates":
            return self.tr("%Ln group(s)", "", len(report.near))
        touched = report.skipped if report.step in _BY_SKIPPING else report.changed
        return self._words.number(touched)

    def _show_sent(self, count: RowCount) -> None:
        out = {
            self.tr("%Ln filtered out", "", count.filtered): count.filtered,
            self.tr("%Ln empty", "", count.empty): count.empty,
            self.tr("%Ln equal", "", count.duplicate): count.duplicate,
            self.tr("%Ln too long", "", count.too_long): count.too_long,
        }
        total = count.sent + sum(out.values())
        whole = self._dataset is not None and total < self._dataset.row_count
        sent = self.tr("%Ln row(s) will be sent", "", count.sent)
        if whole:
            first = self.tr("{0} of the first {1}")
            sent = first.format(sent, self._words.number(total))
        self.sent.setText(sent)
        less = ", ".join(words for words, number in out.items() if number)
        self.less.setText(self.tr("Left out: {0}").format(less) if less else "")
        self.less.setVisible(bool(less))

    def _show_samples(self, name: str) -> None:
        for line in self.lines:
            line.samples.setChecked(line.name == name)
        report = self._reports.get(name)
        self.detail.setVisible(report is not None)
        if report is None:
            return
        told = []
        for one in report.samples[:_SAMPLES]:
            before, after = around_change(one.before, one.after)
            told.append(self.tr("{0}: {1}\n→ {2}").format(one.column, before, after))
        if not told:
            told = [self.tr("%Ln group(s) of rows are nearly equal.", "", len(report.near))]
        self.detail.setText("\n".join(told))

    def _forget(self) -> None:
        self._timer.stop()
        self._tried_for = None
        self._show((), None)


def around_change(before: str, after: str) -> tuple[str, str]:
    """Both texts in one line each, from shortly before the first place where they differ."""
    pairs = zip(before, after, strict=False)
    same = next((n for n, (one, other) in enumerate(pairs) if one != other), None)
    first = min(len(before), len(after)) if same is None else same
    start = max(0, first - _BEFORE)
    return _from(before, start), _from(after, start)


def _from(text: str, start: int) -> str:
    shown = text[start : start + _SHOWN].replace("\r\n", "⏎").replace("\n", "⏎").replace("\r", "⏎")
    more = "…" if start + _SHOWN < len(text) else ""
    return f"{'…' if start else ''}{shown}{more}"
