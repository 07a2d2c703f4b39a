"""How it went: requests without a usable answer, rows given up and rows left out, by kind.

A run in figures comes in; the kind or group whose rows are wanted goes out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.gui.pages.results_facts import Group
from batchdesk.gui.pages.results_quality import ShrinkingArea
from batchdesk.gui.theme import RADIUS_KEY, Type, theme
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.gui.widgets.paint import RIGHT, focus_ring, rounded, write
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.words import Words
from batchdesk.session import RunSummary

_LINE_H, _BAR_H, _COUNT_W, _SIDE = 24, 6, 64, 4


class KindLine(QAbstractButton):
    """Name, bar and count; a button where ``act`` is given.

    Args:
        name: What was counted.
        count: How often, in words.
        share: Length of the bar, 0 to 1.
        fill: Token of the bar.
        act: What a click does; None for a line that only shows.
    """

    def __init__(
        self,
        name: str,
        count: str,
        share: float,
        fill: str,
        *,
        act: Callable[[], object] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setText(name)
        self.count = count
        self._share, self._fill, self.acts = share, fill, act is not None
        self.setAccessibleName(f"{name}: {count}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if act else Qt.FocusPolicy.NoFocus)
        if act is not None:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.clicked.connect(lambda _checked=False: act())

    def sizeHint(self) -> QSize:
        return QSize(280, theme().px(_LINE_H))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(160), theme().px(_LINE_H))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.acts and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = theme()
        tokens = look.tokens
        with QPainter(self) as painter:
            rect = QRectF(self.rect())
            if self.acts and self.underMouse():
                rounded(painter, rect, RADIUS_KEY, tokens.colour("hover"))
            inner = rect.adjusted(_SIDE, 0, -_SIDE, 0)
            count_w = look.px(_COUNT_W)
            name_w = (inner.width() - count_w) * 0.56
            colour = tokens.colour("accent" if self.acts else "text")
            font = look.font(Type.LABEL_MEDIUM if self.acts else Type.LABEL)
            name = QRectF(inner.left(), 0, name_w - 8, rect.height())
            write(painter, name, self.text(), font, colour)
            left, width = inner.left() + name_w, inner.width() - name_w - count_w
            top = rect.center().y() - _BAR_H / 2
            track = QRectF(left, top, width, _BAR_H)
            rounded(painter, track, _BAR_H / 2, tokens.colour("border2"))
            filled = QRectF(left, top, max(float(_BAR_H), width * self._share), _BAR_H)
            rounded(painter, filled, _BAR_H / 2, tokens.colour(self._fill))
            figure = QRectF(inner.right() - count_w, 0, count_w, rect.height())
            strong = look.font(Type.LABEL_MEDIUM)
            write(painter, figure, self.count, strong, tokens.colour("text"), align=RIGHT)
            if self.hasFocus():
                focus_ring(painter, rect, RADIUS_KEY)


class CoursePanel(Panel):
    """The three lists.

    Signals:
        kind_chosen(object): Failed rows of an ErrorKind are wanted.
        group_chosen(object): Rows of a Group are wanted.
    """

    kind_chosen = Signal(object)
    group_chosen = Signal(object)

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent=parent)
        self._words = words
        self._shown: object = None
        self.set_title(self.tr("How it went"))
        self._lines = QWidget()
        self._column = QVBoxLayout(self._lines)
        self._column.setContentsMargins(0, 0, 6, 0)
        self._column.setSpacing(0)
        self.body.setContentsMargins(8, 0, 4, 6)
        self.add(ShrinkingArea(self._lines), 1)

    def lines(self) -> list[KindLine]:
        """The lines from top to bottom."""
        return [line for line in self._lines.findChildren(KindLine) if line.parent() is self._lines]

    def refresh(self, summary: RunSummary, skipped: Mapping[str, int] | None) -> None:
        """Show a run as it stands.

        Args:
            summary: The run's figures.
            skipped: Rows that were not sent, by reason; None: only their number is known.
        """
        count = self._words.number(summary.requests)
        parts = [self.tr("{0} requests").format(count)]
        if summary.reused:
            parts.append(self.tr("{0} answers reused").format(self._words.number(summary.reused)))
        self.set_subtitle(" · ".join(parts))
        left_out = summary.counts.get(TaskState.SKIPPED, 0)
        kinds = (dict(summary.failures), dict(summary.dead_kinds))
        shown = (*kinds, skipped, left_out, dict(summary.waiting_elsewhere))
        if shown != self._shown:
            self._shown = shown
            self._fill(summary, {"": left_out} if skipped is None else skipped)

    def _fill(self, summary: RunSummary, skipped: Mapping[str, int]) -> None:
        focused = [line.text() for line in self.lines() if line.hasFocus()]
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(None)
                widget.deleteLater()
        self._part(
            self.tr("Requests without a usable answer"),
            _named(summary.failures, self._words),
            "review.fill",
            None,
        )
        self._part(
            self.tr("Rows that failed"),
            _named(summary.dead_kinds, self._words),
            "failed.fill",
            self.kind_chosen.emit,
        )
        reasons = [
            (Group.SKIPPED, capital(self._words.skipped(reason)) or self.tr("Skipped"), count)
            for reason, count in sorted(skipped.items(), key=lambda item: -item[1])
            if count
        ]
        self._part(self.tr("Rows that were not sent"), reasons, "scroll", self.group_chosen.emit)
        for run_id, count in summary.waiting_elsewhere.items():
            words = self.tr("{0} of them wait for review in run {1}.").format(
                self._words.number(count), run_id
            )
            self._column.addWidget(_note(words))
        if not self._column.count():
            self._column.addWidget(_note(self.tr("Every request was answered.")))
        self._column.addStretch(1)
        for line in self.lines():
            if line.text() in focused:
                line.setFocus()

    def _part(
        self,
        title: str,
        counted: Sequence[tuple[object, str, int]],
        fill: str,
        act: Callable[[object], object] | None,
    ) -> None:
        if not counted:
            return
        label = PlainLabel(title, Type.LABEL, "text2")
        label.setContentsMargins(_SIDE, 6 if self._column.count() else 0, 0, 2)
        self._column.addWidget(label)
        most = max(count for _, _, count in counted)
        for code, name, count in counted:
            chosen = (lambda code=code: act(code)) if act is not None else None
            words = self._words.number(count)
            line = KindLine(name, words, count / most, fill, act=chosen)
            if act is not None:
                line.setToolTip(self.tr("Show these rows"))
            self._column.addWidget(line)


def _named(counted: Mapping[ErrorKind, int], words: Words) -> list[tuple[object, str, int]]:
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [(kind, capital(words.error(kind)), count) for kind, count in ordered if count]


def capital(words: str) -> str:
    """Words as they stand at the beginning of a line."""
    return words[:1].upper() + words[1:]


def _note(words: str) -> PlainLabel:
    label = PlainLabel(words, Type.BODY, "text2", wrap=True)
    label.setContentsMargins(_SIDE, 0, 0, 0)
    return label
