"""The failed rows of a run: why each was given up, its raw exchanges, and asking again.

In comes the run; out go reruns through the review, each of which puts a row back until the run is
resumed. Raw text is shown as plain text, whatever it looks like.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QDateTime, QLocale, Qt, QTimer
from PySide6.QtWidgets import (
    QComboBox,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.models.dead import KIND, MESSAGE, ROW, TRIES, DeadModel, said
from batchdesk.gui.pages.run_facts import RunFacts
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import ROW_DENSE_H, Type, theme
from batchdesk.gui.widgets.banner import Banner, BannerKind
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.empty import EmptyState
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.gui.widgets.panel import Hairline, Panel
from batchdesk.gui.widgets.table import TableView
from batchdesk.gui.words import Words
from batchdesk.session import AttemptView, Session, TaskFilter, TaskView

_LONGEST_RAW = 100_000  # characters of one raw text that are shown
_AGAIN_MS = 1000
_DEAD = frozenset({TaskState.DEAD})


def pretty(raw: str) -> str:
    """Raw text for reading: indented if it is JSON, else as it is; what is too long is cut."""
    try:
        text = json.dumps(json.loads(raw), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        text = raw
    return text if len(text) <= _LONGEST_RAW else f"{text[:_LONGEST_RAW]}…"


class DeadPanel(Panel):
    """List of failed rows, details of the chosen one, and "Ask again".

    Args:
        desk: Is asked for rows and told of reruns.
    """

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", flush=True, parent=parent)
        self.set_title(self.tr("Failed rows"))
        self._desk, self._words = desk, words
        self._run_id: int | None = None
        self._facts: RunFacts | None = None
        self._known: int | None = None  # how many were failed when the list was read
        self._kinds: dict[ErrorKind, int] = {}
        self.kinds = QComboBox()
        self.kinds.setAccessibleName(self.tr("Show failed rows of this kind"))
        self.kinds.setMinimumContentsLength(12)
        self.kinds.activated.connect(lambda _: self._read())
        self.add_tool(self.kinds)
        self.ask_one = Button(self.tr("Ask this row again"))
        self.ask_all = Button()
        self.ask_one.clicked.connect(self._ask_one)
        self.ask_all.clicked.connect(self._ask_all)
        self.add_tool(self.ask_one)
        self.add_tool(self.ask_all)
        self.put_back = Banner(BannerKind.NOTE)
        self.put_back.add_button(self.tr("Resume the run"), self._resume, Kind.PRIMARY, "play")
        self.add(self.put_back)
        self.model = DeadModel(words, self._fetch, self)
        self.table = TableView(ROW_DENSE_H)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Failed rows"))
        self.table.set_columns({ROW: 110, KIND: 190, TRIES: 64}, (MESSAGE,))
        self.table.current_row.connect(self._choose)
        self.none = EmptyState("check", self.tr("No row has failed."))
        self.details = self._details()
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.table)
        self.split.addWidget(self.details)
        self.split.setSizes([200, 260])
        self.add(self.split, 1)
        self.add(self.none, 1)
        self._later = QTimer(self, interval=_AGAIN_MS, singleShot=True)
        self._later.timeout.connect(self._read)

    def _details(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(12, 0, 12, 6)
        column.setSpacing(4)
        column.addWidget(Hairline())
        self.why = PlainLabel("", Type.PANEL_TITLE, wrap=True)
        self.message = PlainLabel("", Type.BODY, "text2", wrap=True)
        self.message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.raw = QPlainTextEdit()
        self.raw.setReadOnly(True)
        self.raw.setFont(theme().font(Type.MONO))
        self.raw.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.raw.setTabChangesFocus(True)
        self.raw.setMinimumHeight(70)
        self.raw.setAccessibleName(self.tr("All tries with raw request and response"))
        column.addWidget(self.why)
        column.addWidget(self.message)
        column.addWidget(self.raw, 1)
        return holder

    # -- which rows -------------------------------------------------------------------------

    def refresh(self, facts: RunFacts) -> None:
        """A run as it stands; reads the list anew when other rows have failed."""
        self._facts = facts
        if facts.summary.run.id != self._run_id:
            self._run_id, self._known = facts.summary.run.id, None
            self.put_back.setVisible(False)
            self.kinds.setCurrentIndex(-1)
        if facts.is_running:
            self.put_back.setVisible(False)
        self._enable()
        if not self.isVisible():
            return
        dead = facts.count(TaskState.DEAD)
        if self._known is None:
            self._known = dead
            self._read()
        elif dead != self._known and not self._later.isActive():
            self._known = dead
            self._later.start()

    def _read(self) -> None:
        """Read which rows have failed, by kind and those of the chosen kind."""
        run_id, kind = self._run_id, self.kinds.currentData()
        if run_id is None:
            return
        wanted = TaskFilter(states=_DEAD, error_kinds=frozenset({kind} if kind else ()))
        self._desk.ask(
            partial(_dead, run_id=run_id, wanted=wanted), partial(self._show, run_id=run_id)
        )

    def _show(self, found: tuple[dict[ErrorKind, int], array[int]], *, run_id: int) -> None:
        if run_id != self._run_id:
            return
        kinds, ids = found
        self._show_kinds(kinds)
        chosen = self.model.id_at(self.table.currentIndex().row())
        self.model.set_ids(ids)
        self.split.setVisible(bool(ids))
        self.none.setVisible(not ids)
        if ids:
            line = self.model.line_of(chosen) if chosen is not None else -1
            self.table.select_row(max(0, line))
        self._enable()

    def _show_kinds(self, kinds: dict[ErrorKind, int]) -> None:
        if kinds == self._kinds and self.kinds.count():
            return
        self._kinds, chosen = kinds, self.kinds.currentData()
        self.kinds.clear()
        total = self._words.number(sum(kinds.values()))
        self.kinds.addItem(self.tr("All kinds ({0})").format(total), None)
        for kind, n in sorted(kinds.items(), key=lambda item: -item[1]):
            self.kinds.addItem(f"{self._words.error(kind)} ({self._words.number(n)})", kind)
        self.kinds.setCurrentIndex(max(0, self.kinds.findData(chosen)))

    def _fetch(self, ids: Sequence[int], then: Callable[[list[TaskView]], None]) -> None:
        self._desk.ask(lambda session: session.task_page(ids), then)

    # -- one row ----------------------------------------------------------------------------

    def _choose(self, line: int) -> None:
        task_id = self.model.id_at(line)
        self._enable()
        if task_id is None:
            self.why.setText("")
            self.message.setText("")
            self.raw.setPlainText("")
            return
        self._desk.ask(
            lambda session: _one(session, task_id), partial(self._show_one, task_id=task_id)
        )

    def _show_one(
        self, found: tuple[str, ErrorKind | None, str, list[AttemptView]], *, task_id: int
    ) -> None:
        if task_id != self.model.id_at(self.table.currentIndex().row()):
            return
        key, kind, message, attempts = found
        why = self._words.error(kind) if kind else ""
        self.why.setText(self.tr("{0}: {1}").format(key, why))
        self.message.setText(said(self._words, message))
        self.message.setVisible(bool(message))
        self.raw.setPlainText("\n\n".join(self._attempt(one) for one in attempts))

    def _attempt(self, attempt: AttemptView) -> str:
        words = self._words
        at = QDateTime.fromMSecsSinceEpoch(round(attempt.started_at * 1000))
        facts = [
            self.tr("Try {0}").format(words.number(attempt.number)),
            QLocale().toString(at, "yyyy-MM-dd HH:mm:ss"),
            words.duration(attempt.service_s),
        ]
        if attempt.http_status is not None:
            facts.append(f"HTTP {attempt.http_status}")
        if attempt.error_kind is not None:
            facts.append(words.error(attempt.error_kind))
        nothing = self.tr("(nothing)")
        parts = [f"── {' · '.join(facts)} ──"]
        if attempt.error_message:
            parts.append(said(words, attempt.error_message))
        for title, raw in (
            (self.tr("Request"), attempt.request),
            (self.tr("Response"), attempt.response),
        ):
            parts.append(f"{title}:\n{pretty(raw) if raw else nothing}")
        return "\n\n".join(parts)

    # -- asking again -----------------------------------------------------------------------

    def _enable(self) -> None:
        count = self.model.rowCount()
        self.ask_all.setText(self.tr("Ask all %Ln again", "", count))
        self.ask_all.updateGeometry()
        reason = ""
        if self._facts is not None and self._facts.is_running:
            reason = self.tr("Pause the run first; rows are put back while it rests.")
        elif not count:
            reason = self.tr("No row has failed.")
        self.ask_all.set_why_not(reason)
        if not reason and self.model.id_at(self.table.currentIndex().row()) is None:
            reason = self.tr("Choose a row first.")
        self.ask_one.set_why_not(reason)

    def _ask_one(self) -> None:
        task_id = self.model.id_at(self.table.currentIndex().row())
        if task_id is not None:
            self._ask_again([task_id])

    def _ask_all(self) -> None:
        ids = (self.model.id_at(line) for line in range(self.model.rowCount()))
        self._ask_again([task_id for task_id in ids if task_id is not None])

    def _ask_again(self, ids: list[int]) -> None:
        reviewer = self._desk.settings.reviewer
        self.ask_one.set_why_not(self.tr("Rows are being put back."))
        self.ask_all.set_why_not(self.tr("Rows are being put back."))
        self._desk.ask(lambda session: _rerun(session, ids, reviewer), self._asked, self._could_not)

    def _asked(self, count: int) -> None:
        self.put_back.show_message(
            self.tr("%Ln row(s) will be asked again.", "", count),
            self.tr("They wait until the run is resumed."),
        )
        self._read()
        self._desk.refresh_runs()

    def _could_not(self, error: UserError) -> None:
        self._desk.problem.emit(sentence(error))
        self._read()

    def _resume(self) -> None:
        if self._run_id is not None:
            self._desk.resume(self._run_id)


async def _dead(
    session: Session, *, run_id: int, wanted: TaskFilter
) -> tuple[dict[ErrorKind, int], array[int]]:
    """How many rows failed by kind, and the ids of those that are wanted."""
    summary = await session.summary(run_id)
    return dict(summary.dead_kinds), await session.task_ids(run_id, wanted)


async def _one(
    session: Session, task_id: int
) -> tuple[str, ErrorKind | None, str, list[AttemptView]]:
    """Key, kind, last message and all tries of a task."""
    attempts = await session.attempts(task_id)
    for view in await session.task_page([task_id]):
        return view.row_key, view.error_kind, view.error_message or "", attempts
    return "", None, "", attempts


async def _rerun(session: Session, ids: Sequence[int], reviewer: str) -> int:
    """Put rows back so that they are asked again; returns how many."""
    for task_id in ids:
        await session.review.decide(task_id, Decision.RERUN, reviewer=reviewer)
    return len(ids)
