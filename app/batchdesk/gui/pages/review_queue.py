"""The left column of Review: how far the queue is, what of it is shown, and its items.

Counts come in from the page; out go the filter as the person set it and the
table in which they choose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QVBoxLayout, QWidget

from batchdesk.gui.models.queue import CONFIDENCE, ITEM, QueueModel
from batchdesk.gui.theme import INSIDE, Type
from batchdesk.gui.widgets.bars import Parts, SegmentedBar
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.table import TableView
from batchdesk.gui.words import Words
from batchdesk.session import QueueFilter, Review, ReviewProgress

_ROW_H = 48
_TYPING_MS = 250  # the queue is read anew when typing rests this long
_PAGE_KEYS = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Right})


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """What waits in a run.

    Attributes:
        reasons: (``check/code``, how many), the most frequent first.
        dead: Dead letters.
        latest: The decision in the file that can be undone first.
    """

    progress: ReviewProgress
    reasons: Sequence[tuple[str, int]]
    dead: int
    latest: Review | None = None


class QueueView(TableView):
    """The items. Letters and the space bar are left to the page; no input method may take them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_ROW_H, parent=parent)
        self.horizontalHeader().setVisible(False)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on=False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> object:
        """Says that no text can be entered here, whatever item is current."""
        if query == Qt.InputMethodQuery.ImEnabled:
            return False
        return super().inputMethodQuery(query)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _PAGE_KEYS or (event.text() and event.text().isprintable()):
            event.ignore()
            return
        super().keyPressEvent(event)


class QueuePanel(Panel):
    """Progress, filters and items.

    Signals:
        filter_changed(): Other items are wanted; ask ``wanted``.
        left(): The person is done with a filter; the items should have the focus.
    """

    filter_changed = Signal()
    left = Signal()

    def __init__(self, model: QueueModel, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(flush=True, parent=parent)
        self._words = words
        self._counts: QueueCounts | None = None
        self.setMinimumWidth(200)
        self.setMaximumWidth(360)
        self.set_title(self.tr("To review"))
        self.decided = ElidingLabel("", Type.LABEL, "text2", least=40)
        self.add_tool(self.decided)
        self.bar = SegmentedBar()
        self.reason = QComboBox()
        self.order = QComboBox()
        self.reason.setAccessibleName(self.tr("Reason"))
        self.order.setAccessibleName(self.tr("Order"))
        self.search = QLineEdit(placeholderText=self.tr("Search rows (/)"), clearButtonEnabled=True)
        self.search.setAccessibleName(self.tr("Search in row keys and cells"))
        self.order.addItem(self.tr("In table order"), userData=False)
        self.order.addItem(self.tr("Least confident first"), userData=True)
        self.reason.addItem(self.tr("All reasons"), userData=None)
        for combo in (self.reason, self.order):
            combo.setMinimumContentsLength(6)
            combo.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
        self.table = QueueView()
        self.table.setAccessibleName(self.tr("Answers that wait for you"))
        self.table.setModel(model)
        self.table.set_columns({CONFIDENCE: 54}, stretch=(ITEM,))
        self._lay_out()
        self._listen()

    def _lay_out(self) -> None:
        filters = QVBoxLayout()
        filters.setContentsMargins(INSIDE - 1, 0, INSIDE - 1, 4)
        filters.setSpacing(6)
        for widget in (self.bar, self.reason, self.order, self.search):
            filters.addWidget(widget)
        self.add(filters)
        self.add(self.table, 1)

    def _listen(self) -> None:
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self.filter_changed)
        self.search.textChanged.connect(lambda _text: self._typing.start())
        self.search.returnPressed.connect(self._searched)
        for combo in (self.reason, self.order):
            combo.currentIndexChanged.connect(self.filter_changed)
            combo.activated.connect(self.left)

    def wanted(self) -> QueueFilter:
        """The filter as it is set."""
        reason = self.reason.currentData()
        dead = reason == _DEAD
        return QueueFilter(
            reason=None if dead else reason,
            dead=dead,
            text=self.search.text().strip(),
            by_confidence=bool(self.order.currentData()),
        )

    def is_filtered(self) -> bool:
        """Whether some of what waits may be hidden."""
        return self.wanted() != QueueFilter(by_confidence=bool(self.order.currentData()))

    def clear_filters(self, *, dead: bool = False) -> None:
        """Show all that wait, or all dead letters."""
        with QSignalBlocker(self.reason), QSignalBlocker(self.search):
            self.search.clear()
            self.reason.setCurrentIndex(max(0, self.reason.findData(_DEAD)) if dead else 0)
        self._typing.stop()
        self.filter_changed.emit()

    def reset(self) -> None:
        """Nothing is known, and nothing filtered; tells nobody."""
        self._counts = None
        self._typing.stop()
        self.decided.set_text("")
        self.bar.set_parts(Parts())
        with QSignalBlocker(self.reason), QSignalBlocker(self.search):
            self.search.clear()
            self.reason.clear()
            self.reason.addItem(self.tr("All reasons"), userData=None)

    def show_counts(self, counts: QueueCounts) -> None:
        """How many wait for what; the chosen reason stays chosen."""
        if counts == self._counts:
            return
        self._counts = counts
        progress = counts.progress
        total = progress.waiting + progress.decided
        of_all = self.tr("{0} of {1} decided").format(
            self._words.number(progress.decided), self._words.number(total)
        )
        self.decided.set_text(of_all)
        parts = Parts(passed=progress.accepted, failed=progress.rejected, total=total)
        self.bar.set_parts(parts, of_all)
        self._show_reasons(counts)

    def _show_reasons(self, counts: QueueCounts) -> None:
        chosen = self.reason.currentData()
        with QSignalBlocker(self.reason):
            self.reason.clear()
            count = self._words.number(counts.progress.waiting)
            self.reason.addItem(self.tr("All reasons ({0})").format(count), userData=None)
            for code, waiting in counts.reasons:
                self._add_reason(self._words.finding(code), waiting, code)
            if counts.dead or chosen == _DEAD:
                self._add_reason(self.tr("Failed rows"), counts.dead, _DEAD)
            if chosen is not None and self.reason.findData(chosen) < 0:
                self._add_reason(self._words.finding(chosen), 0, chosen)
            self.reason.setCurrentIndex(max(0, self.reason.findData(chosen)))

    def _add_reason(self, word: str, count: int, code: str) -> None:
        text = self.tr("{0} ({1})").format(word, self._words.number(count))
        self.reason.addItem(text, userData=code)

    def _searched(self) -> None:
        if self._typing.isActive():
            self._typing.stop()
            self.filter_changed.emit()
        self.left.emit()


_DEAD = "dead letters"  # stands in the list of reasons, is none of them
