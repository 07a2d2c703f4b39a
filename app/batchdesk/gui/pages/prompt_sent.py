"""As sent: a real row of the table, filled into the prompt, as the model would get it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QSizePolicy, QTextEdit, QWidget

from batchdesk.domain.chat import Message
from batchdesk.domain.job import ROW_KEY_FIELD, Job
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.pages.prompt_inputs import InvalidInputError, NumberLine, note
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.words import Words
from batchdesk.session import Dataset, Session, StoredRow
from batchdesk.session.authoring import rendered

_PAUSE_MS = 120  # after the last change, so that typing stays smooth
_MOST_CHARACTERS = 20_000  # of one message; longer ones are cut on screen, not when sent


class SentPanel(Panel):
    """The rendering of one row, with the row before and the row after.

    Args:
        desk: Is asked for rows and renderings.
        words: Numbers for people.

    Attributes:
        error: Why the row cannot be filled in; empty if it can.

    Signals:
        checked(): ``error`` is up to date.
        row_changed(): Another row is on show, or none.
    """

    checked = Signal()
    row_changed = Signal()

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("As sent", head_line=True, parent=parent)
        self.set_title(self.tr("As sent"))
        self._desk, self._words = desk, words
        self._dataset: Dataset | None = None
        self._job: Job | None = None
        self._ids: array[int] = array("q")
        self._place = 0
        self._row: StoredRow | None = None
        self._asked: Asked | None = None
        self._messages: Sequence[Message] = ()
        self.error = ""
        self.before = Button("", Kind.FLAT, icon="caret-left", height=24)
        self.after = Button("", Kind.FLAT, icon="caret-right", height=24)
        self.number = NumberLine(self.tr("Row number"), 1, whole=True)
        self.which = ElidingLabel("", Type.LABEL_MEDIUM, "text", least=40)
        self.text = QTextEdit()
        self.problem = note("", "failed")
        self.about_key = note(
            self.tr(
                "Batchdesk adds “row_key”: the answer must repeat it, so that no answer is taken "
                "for another row's."
            )
        )
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._render)
        theme().changed.connect(self._draw)

    def show_dataset(self, dataset: Dataset | None) -> None:
        """Take the rows of another table."""
        self._dataset, self._row, self._place = dataset, None, 0
        self._ids = array("q")
        self._show_which()
        self.row_changed.emit()
        if dataset is not None:
            call = partial(Session.row_ids, dataset_id=dataset.id)
            self._desk.ask(call, lambda ids: self._have_ids(dataset, ids))

    def show_job(self, job: Job | None) -> None:
        """Render another job, a moment after the last change."""
        self._job = job
        self._timer.start()

    @property
    def row(self) -> StoredRow | None:
        """The row on show."""
        return self._row

    def go_to_typed(self) -> None:
        """Go to the row whose number was typed."""
        try:
            number = int(self.number.number())
        except InvalidInputError as error:
            self.number.setToolTip(str(error))
            return
        self.number.setToolTip("")
        self._place = min(number, len(self._ids)) - 1
        self._fetch()

    def step(self, by: int) -> None:
        """Go to a row before or after."""
        place = self._place + by
        if 0 <= place < len(self._ids):
            self._place = place
            self._fetch()

    # -- rows -------------------------------------------------------------------------------

    def _have_ids(self, dataset: Dataset, ids: array[int]) -> None:
        if dataset is self._dataset:
            self._ids = ids
            self._fetch()

    def _fetch(self) -> None:
        self._show_which()
        if not self._ids:
            self._render()
            return
        wanted = self._ids[self._place]
        call = partial(Session.row_page, ids=[wanted])
        self._desk.ask(call, lambda rows: self._have_row(wanted, rows))

    def _have_row(self, wanted: int, rows: list[StoredRow]) -> None:
        if rows and self._ids and self._ids[self._place] == wanted:
            self._row = rows[0]
            self._show_which()
            self.row_changed.emit()
            self._render()

    # -- rendering --------------------------------------------------------------------------

    def _render(self) -> None:
        self._timer.stop()
        if self._asked is not None:
            self._asked.cancel()
        job, dataset, row = self._job, self._dataset, self._row
        if job is None or dataset is None:
            self._show([], "")
            return
        call = partial(rendered, job=job, dataset=dataset, row=row)
        self._asked = self._desk.ask(
            call,
            lambda found: self._show(found, ""),
            lambda error: self._show(None, sentence(error)),
        )

    def _show(self, messages: Sequence[Message] | None, error: str) -> None:
        """New messages; None keeps the last ones beside the error."""
        self.error = error
        self.problem.setText(error)
        self.problem.setVisible(bool(error))
        if messages is not None:
            self._messages = messages
        self._draw()
        last = self._messages[-1].content if self._messages else ""
        names_row = last.rpartition("\n\n")[2].startswith(f"{ROW_KEY_FIELD}: ")
        self.about_key.setVisible(names_row)
        self.checked.emit()

    def _draw(self) -> None:
        place = self.text.verticalScrollBar().value()
        self.text.clear()
        cursor = self.text.textCursor()
        for number, message in enumerate(self._messages):
            self._insert(cursor, ("\n\n" if number else "") + self._turn(number) + "\n", head=True)
            text = message.content
            cut = text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + " …"
            self._insert(cursor, cut, head=False)
        self.text.verticalScrollBar().setValue(place)

    def _insert(self, cursor: QTextCursor, text: str, *, head: bool) -> None:
        look = theme()
        form = QTextCharFormat()
        form.setFont(look.font(Type.LABEL_MEDIUM if head else Type.BODY))
        faded = head or bool(self.error)
        form.setForeground(look.tokens.colour("text2" if faded else "text"))
        cursor.insertText(text, form)

    def _turn(self, number: int) -> str:
        message = self._messages[number]
        if message.role == "system":
            return self.tr("System text")
        if number == len(self._messages) - 1:
            return self.tr("This row")
        started = 1 if self._messages[0].role == "system" else 0
        example = (number - started) // 2 + 1
        if message.role == "assistant":
            return self.tr("Example {0}, the answer").format(example)
        return self.tr("Example {0}").format(example)

    def _show_which(self) -> None:
        count = len(self._ids)
        if self._row is not None and count:
            words = self.tr("of {0} · {1}").format(self._words.number(count), self._row.key)
        else:
            words = ""
        self.number.set_value(self._place + 1 if count else None)
        self.number.setEnabled(bool(count))
        self.which.set_text(words)
        first = self.tr("This is the first row.") if self._place == 0 else ""
        last = self.tr("This is the last row.") if self._place >= count - 1 else ""
        self.before.set_why_not(first)
        self.after.set_why_not(last)

    def _lay_out(self) -> None:
        self.before.setAccessibleName(self.tr("Row before"))
        self.after.setAccessibleName(self.tr("Row after"))
        self.before.clicked.connect(lambda: self.step(-1))
        self.after.clicked.connect(lambda: self.step(1))
        self.number.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.number.setFixedSize(theme().px(46), theme().px(26))
        self.number.returnPressed.connect(self.go_to_typed)
        for tool in (self.before, self.number, self.which, self.after):
            self.add_tool(tool)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("As sent"))
        self.text.setFrameShape(QTextEdit.Shape.NoFrame)
        self.text.setAcceptRichText(False)
        self.text.setTabChangesFocus(True)
        self.text.viewport().setAutoFillBackground(False)
        self.text.setUndoRedoEnabled(False)
        self.text.document().setDocumentMargin(2)
        self.text.setMinimumHeight(60)
        self.problem.hide()
        self.body.setContentsMargins(11, 6, 4, 8)
        self.add(self.text, 1)
        self.about_key.hide()
        self.add(self.about_key)
        self.add(self.problem)
