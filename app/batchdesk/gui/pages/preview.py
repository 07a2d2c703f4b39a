"""The Preview page: a few rows twice, the gates, a forecast, and the start of a pilot or a run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from batchdesk.domain.task import RunKind
from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.models.preview import Found, tried_rows
from batchdesk.gui.pages import preview_flow as flow
from batchdesk.gui.pages.preview_aside import PreviewAside
from batchdesk.gui.pages.preview_choice import ChoiceStrip
from batchdesk.gui.pages.preview_flow import Shown
from batchdesk.gui.pages.preview_forecast import ForecastPanel
from batchdesk.gui.pages.preview_gates import GatesRow
from batchdesk.gui.pages.preview_pilot import PilotPanel
from batchdesk.gui.pages.preview_tried import TriedPanel
from batchdesk.gui.pages.prompt_first import first_jobs_of
from batchdesk.gui.row_counter import RowCounter
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import theme
from batchdesk.gui.widgets.empty import EmptyState
from batchdesk.gui.widgets.page import Command, Page
from batchdesk.gui.widgets.states import BadgeState, StateBadge
from batchdesk.gui.words import Words
from batchdesk.session import RunSummary, StoredJob
from batchdesk.session.pilot import Compared
from batchdesk.session.sampling import Choice

_REFRESH_MS = 400
_SIDE, _WIDE = 296, 1040


class PreviewPage(Page):
    """Tries the desk's job on some rows of its table.

    Args:
        desk: What is tried and asked.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__("Preview")
        self.head.set_title(self.tr("Preview"))
        self._desk, self._words = desk, Words(self)
        self._shown: Shown | None = None
        self._preview_id: int | None = None
        self._making = False
        self._reading = False
        self._looked_for: tuple[int, ...] | None = None
        self._counter = RowCounter(desk, self)
        self._aside = PreviewAside(desk, self)
        self.badge = StateBadge(BadgeState.RUNNING, "", turning=True)
        self.badge.hide()
        self.head.add_badge(self.badge)
        self.strip = ChoiceStrip()
        self.gates = GatesRow(self._words)
        self.tried = TriedPanel(self._words)
        self.model = self.tried.model
        self.pilot = PilotPanel(self._words)
        self.forecast = ForecastPanel(self._words)
        self.empty = EmptyState(
            "flask",
            self.tr("Write a prompt first; then try it here on a few rows."),
            self.tr("Go to Prompt"),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._splitter())
        self.column.addWidget(self._stack, 1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_REFRESH_MS)
        self._timer.timeout.connect(self._read)
        self._connect()
        first_jobs_of(desk).make()
        self._project_changed()

    # -- Page -------------------------------------------------------------------------------

    def help_text(self) -> str:
        """See Page."""
        return self.tr(
            "Before all rows are sent, a few are sent twice. Three gates are counted: whether the "
            "answers fit the fields, whether the same row gets the same answer, and whether each "
            "answer names its own row. Then you see what all rows will cost and how long they will "
            "take. A pilot runs a tenth of the rows and waits until you release the rest."
        )

    def commands(self) -> Sequence[Command]:
        """See Page."""
        forecast = self.forecast
        return (
            Command(self.tr("Try rows"), self.strip.start.click, "", self.strip.start.isEnabled),
            Command(forecast.pilot.text(), forecast.pilot.click, "", forecast.pilot.isEnabled),
            Command(forecast.run.text(), forecast.run.click, "", forecast.run.isEnabled),
        )

    def shown(self) -> None:
        """See Page."""
        self.strip.start.setFocus()
        self._read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_ways()

    # -- trying -----------------------------------------------------------------------------

    def _try(self, choice: Choice) -> None:
        self._desk.when_agreed(partial(self._begin, choice))

    def _begin(self, choice: Choice) -> None:
        job, dataset = self._desk.job, self._desk.dataset
        if job is None or dataset is None or self._making:
            return
        self._making = True
        self._show_ways()
        self._desk.ask(
            partial(flow.begin, job=job, dataset=dataset, choice=choice), self._begun, self._failed
        )

    def _begun(self, made: tuple[int, StoredJob]) -> None:
        self._making = False
        self._preview_id, stored = made
        if self._desk.job is not None and self._desk.job == stored.job:
            self._desk.edit_job(self._desk.job, stored.version)
        self.tried.show_all()
        self._read()
        self._desk.refresh_runs()

    def _failed(self, error: UserError) -> None:
        self._making = False
        self._desk.problem.emit(sentence(error))
        self._show_ways()

    def _stop(self) -> None:
        if self._shown is not None:
            for run_id in self._run_ids():
                self._desk.stop(run_id)

    def _run_ids(self) -> tuple[int, ...]:
        if self._shown is None:
            return ()
        return self._shown.preview.first_run_id, self._shown.preview.second_run_id

    def _is_under_way(self) -> bool:
        return self._making or any(one in self._desk.under_way for one in self._run_ids())

    # -- reading ----------------------------------------------------------------------------

    def _read(self) -> None:
        if self._preview_id is None or self._desk.session is None:
            return
        if self._reading:  # what is under way may be too old already
            self._timer.start()
            return
        self._reading = True
        call = partial(flow.read, preview_id=self._preview_id)
        self._desk.ask(call, self._have, self._not_read)

    def _have(self, shown: Shown | None) -> None:
        self._reading = False
        if shown is None:
            return
        self._preview_id = shown.preview.id
        self._shown = shown
        self._show_preview()

    def _have_anew(self, shown: Shown) -> None:
        if shown.preview.id == self._preview_id:
            self._shown = shown
            self._show_preview()

    def _not_read(self, error: UserError) -> None:
        self._reading = False
        self._desk.problem.emit(sentence(error))

    def _soon(self, run_id: int) -> None:
        if run_id in self._run_ids() and not self._timer.isActive():
            self._timer.start()

    def _project_changed(self) -> None:
        self._shown, self._preview_id, self._looked_for = None, None, None
        self._making = self._reading = False
        self._aside.forget()
        self._show_preview()
        self._runs_changed()

    def _runs_changed(self) -> None:
        """Find the preview of a project that was opened; show the pilot as it stands."""
        dataset = self._desk.dataset
        tried = [
            one.run.id
            for one in self._desk.runs
            if one.run.kind is RunKind.PREVIEW
            and dataset is not None
            and one.run.dataset_id == dataset.id
        ]
        if self._preview_id is None and tried and self._looked_for != tuple(tried):
            self._looked_for = tuple(tried)
            self._desk.ask(partial(flow.read_latest, run_id=tried[0]), self._have)
        self._show_pilot()
        self._show_ways()

    # -- showing ----------------------------------------------------------------------------

    def _show_preview(self) -> None:
        shown = self._shown
        preview = shown.preview if shown is not None else None
        self.gates.show_preview(preview)
        rows = tried_rows(shown.job, shown.first, shown.second) if shown is not None else []
        self.tried.show_rows(rows)
        self._show_columns()
        self.forecast.show_forecast(preview.forecast if preview is not None else None)
        done = sum(row.found is not Found.WAITING for row in rows)
        self._show_badge(len(rows), done)
        self._show_pilot()
        self._show_ways()

    def _show_columns(self) -> None:
        """The label where there is one and room for it: the marks tell of it too."""
        has_label = self._shown is not None and self._shown.job.data.label is not None
        has_room = self.width() >= theme().px(_WIDE)
        self.tried.show_label(wanted=has_label and has_room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_columns()

    def _show_badge(self, rows: int, done: int) -> None:
        self.badge.setVisible(bool(rows))
        if self._is_under_way():
            words = self.tr("{0} of {1} rows tried")
            self.badge.set_state(
                BadgeState.RUNNING,
                words.format(self._words.number(done), self._words.number(rows)),
            )
        elif self._shown is not None and self._shown.preview.is_finished:
            self.badge.set_state(BadgeState.FINISHED, self.tr("%Ln row(s) tried", "", rows))
        else:
            self.badge.set_state(BadgeState.PAUSED, self.tr("Stopped"))

    def _show_ways(self) -> None:
        desk = self._desk
        job, dataset = desk.job, desk.dataset
        self._stack.setCurrentIndex(0 if job is None or dataset is None else 1)
        label = job.data.label if job is not None else None
        self.strip.offer(self._aside.columns(), label)
        under_way = self._is_under_way()
        if self.isVisible():  # which rows are sent is counted only while somebody looks
            known = self._present() is not None
            self._counter.count_for(None if known else dataset, None if known else job)
            self._aside.reckon_anew(self._present())
        why = self._why_none()
        self.strip.show_state(under_way=under_way, tried=self._shown is not None, why_not=why)
        wait = self.tr("Rows are being tried.") if under_way else ""
        has_pilot = self._pilot() is not None
        present = self._present()
        promised = present.preview.forecast if present is not None else None
        self.forecast.show_ways(
            self._rows(), promised, self._warning(), why or wait, has_pilot=has_pilot
        )
        version = desk.job_version
        if job is not None:
            words = self.tr("{0} · version {1}") if version is not None else self.tr("{0} · edited")
            self.head.set_subtitle(words.format(job.name, version))
        else:
            self.head.set_subtitle("")

    def _why_none(self) -> str:
        dataset = self._desk.dataset
        if dataset is not None and not dataset.row_count:
            return self.tr("The table has no rows.")
        return "" if self._present() is not None else self._counter.why_none()

    def _rows(self) -> int | None:
        """Rows that a full run sends; None while that is not known."""
        present = self._present()
        if present is not None:
            return present.preview.work.rows
        return self._counter.count.sent if self._counter.count is not None else None

    def _present(self) -> Shown | None:
        """The preview, if it is of the job as it is now."""
        is_present = self._shown is not None and self._shown.job == self._desk.job
        return self._shown if is_present else None

    def _warning(self) -> str:
        shown = self._shown
        if shown is None or self._is_under_way():
            return ""
        if self._present() is None:
            return self.tr("The job was changed since these rows were tried. Try them again.")
        failed = self.gates.failed(shown.preview)
        if not failed:
            return ""
        told = [
            self.tr("“{0}” ({1} of {2})").format(
                name, self._words.number(gate.right), self._words.number(gate.of)
            )
            for name, gate in failed
        ]
        return self.tr("Not passed: {0}. You can run, but look at these rows first.").format(
            ", ".join(told)
        )

    # -- pilots and runs --------------------------------------------------------------------

    def _pilot(self) -> RunSummary | None:
        """The newest pilot of the present table whose rest was not released."""
        desk = self._desk
        released = {one.run.pilot_run_id for one in desk.runs}
        for one in desk.runs:
            if desk.dataset is None or one.run.dataset_id != desk.dataset.id:
                continue
            if one.run.kind is RunKind.PILOT:
                return one if one.run.id not in released else None
        return None

    def _show_pilot(self) -> None:
        pilot = self._pilot()
        if pilot is None:
            self.pilot.show_pilot(None, ())
            return

        def have(found: list[Compared]) -> None:
            self.pilot.show_pilot(pilot, found)

        self._desk.ask(partial(flow.compared, pilot_run_id=pilot.run.id), have)

    def _start_pilot(self) -> None:
        job, dataset = self._desk.job, self._desk.dataset
        if job is not None and dataset is not None:
            call = partial(flow.start_pilot, job=job, dataset=dataset)
            self._desk.when_agreed(partial(self._desk.start_made, call))

    def _start_run(self) -> None:
        self._desk.start_new_run()

    def _release(self, run_id: int) -> None:
        """What goes was agreed to before the pilot: it is the same job over the same table."""
        self._desk.start_made(partial(flow.release, pilot_run_id=run_id))

    def _look(self, run_id: int) -> None:
        self._desk.choose_run(run_id)
        self._desk.go_to.emit("run")

    # -- making -----------------------------------------------------------------------------

    def _splitter(self) -> QSplitter:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self.strip, self.pilot, self.gates):
            column.addWidget(part)
        column.addWidget(self.tried, 1)
        whole = QSplitter()
        whole.addWidget(left)
        whole.addWidget(self.forecast)
        whole.setChildrenCollapsible(False)
        whole.setStretchFactor(0, 1)
        whole.setSizes([780, theme().px(_SIDE)])
        return whole

    def _connect(self) -> None:
        desk = self._desk
        self.strip.wanted.connect(self._try)
        self.strip.stop_wanted.connect(self._stop)
        self.forecast.pilot_wanted.connect(self._start_pilot)
        self.forecast.run_wanted.connect(self._start_run)
        self.pilot.release_wanted.connect(self._release)
        self.pilot.look_wanted.connect(self._look)
        self.empty.activated.connect(lambda: desk.go_to.emit("prompt"))
        desk.project_changed.connect(self._project_changed)
        desk.dataset_changed.connect(self._project_changed)
        desk.job_changed.connect(self._show_ways)
        self._counter.counted.connect(self._show_ways)
        self._aside.columns_known.connect(self._show_ways)
        self._aside.reckoned.connect(self._have_anew)
        desk.runs_changed.connect(self._runs_changed)
        desk.tasks_changed.connect(lambda run_id, _ids: self._soon(run_id))
        desk.run_state.connect(lambda event: self._soon(event.run_id))
