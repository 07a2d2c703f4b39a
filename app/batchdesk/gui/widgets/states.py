"""What a row or a run is, as shape, colour and word: never colour alone.

`paint_shape` draws on a 14 by 14 grid into any square. `StateBadge` has a tint, `StateWord` has
none, `StateShape` is the shape by itself.
"""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPen, QPolygonF, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from batchdesk.gui.theme import RADIUS, StateColours, Type, theme
from batchdesk.gui.widgets.paint import rounded, text_width, write

_TURN_MS, _TICK_MS = 1200, 50
_ARC_DEGREES = 235


class BadgeState(StrEnum):
    """What a badge can say; each has its own shape."""

    PASSED = "passed"
    ACCEPTED = "accepted"
    FINISHED = "finished"
    REVIEW = "review"  # also doubtful
    FAILED = "failed"
    REJECTED = "rejected"
    RUNNING = "running"  # also in flight
    WAITING = "waiting"
    RETRY = "retry"  # waits to be tried again
    PAUSED = "paused"  # by the person
    CAUSE = "cause"  # paused by a cause
    SKIPPED = "skipped"


_COLOURS = {
    BadgeState.ACCEPTED: "passed",
    BadgeState.FINISHED: "passed",
    BadgeState.REJECTED: "failed",
    BadgeState.RETRY: "waiting",
    BadgeState.PAUSED: "waiting",
    BadgeState.CAUSE: "review",
}


def state_colours(state: BadgeState) -> StateColours:
    """The colours in force for a state."""
    return theme().tokens.state(_COLOURS.get(state, state.value))


def paint_shape(painter: QPainter, rect: QRectF, state: BadgeState, turn: float = 0.0) -> None:
    """Draws a state's shape into a square; ``turn`` (0 to 1) turns the running ring."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.topLeft())
    painter.scale(rect.width() / 14, rect.height() / 14)
    colour = theme().tokens.colour(_COLOURS.get(state, state.value))
    mark = QPen(theme().tokens.colour("base"), 1.7)
    mark.setCapStyle(Qt.PenCapStyle.RoundCap)
    mark.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setBrush(colour)
    painter.setPen(Qt.PenStyle.NoPen)
    match state:
        case BadgeState.PASSED | BadgeState.ACCEPTED | BadgeState.FINISHED:
            painter.drawEllipse(QPointF(7, 7), 6.5, 6.5)
            painter.setPen(mark)
            painter.drawPolyline([QPointF(4, 7.2), QPointF(6.2, 9.3), QPointF(10, 5)])
        case BadgeState.REVIEW:
            painter.drawPolygon([QPointF(7, 0), QPointF(14, 7), QPointF(7, 14), QPointF(0, 7)])
            _exclaim(painter, mark, 3.8, 7.2, 9.8)
        case BadgeState.CAUSE:
            edge = QPen(colour, 1.4)
            edge.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(edge)
            painter.drawPolygon([QPointF(7, 1.4), QPointF(13.2, 12.4), QPointF(0.8, 12.4)])
            _exclaim(painter, mark, 5.2, 8.2, 10.6)
        case BadgeState.FAILED | BadgeState.REJECTED:
            painter.drawPolygon(_octagon())
            painter.setPen(mark)
            painter.drawLine(QPointF(4.8, 4.8), QPointF(9.2, 9.2))
            painter.drawLine(QPointF(9.2, 4.8), QPointF(4.8, 9.2))
        case BadgeState.PAUSED:
            painter.drawRoundedRect(QRectF(2.6, 2, 3, 10), 0.8, 0.8)
            painter.drawRoundedRect(QRectF(8.4, 2, 3, 10), 0.8, 0.8)
        case _:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            _open_shape(painter, state, QPen(colour, 1.3), turn)
    painter.restore()


def _exclaim(painter: QPainter, pen: QPen, top: float, bottom: float, dot: float) -> None:
    painter.setPen(pen)
    painter.drawLine(QPointF(7, top), QPointF(7, bottom))
    painter.drawPoint(QPointF(7, dot))


def _octagon() -> QPolygonF:
    near, far = 4.2, 9.8
    edge, other = 0.4, 13.6
    corners = [(near, edge), (far, edge), (other, near), (other, far)]
    corners += [(far, other), (near, other), (edge, far), (edge, near)]
    return QPolygonF([QPointF(x, y) for x, y in corners])


def _open_shape(painter: QPainter, state: BadgeState, pen: QPen, turn: float) -> None:
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    circle = QRectF(1.2, 1.2, 11.6, 11.6)
    if state is BadgeState.RUNNING:
        ring = circle.adjusted(0.3, 0.3, -0.3, -0.3)
        painter.setPen(QPen(theme().tokens.colour("scroll"), 2))
        painter.drawEllipse(ring)
        pen.setWidthF(2)
        painter.setPen(pen)
        painter.drawArc(ring, round((90 - 360 * turn) * 16), -_ARC_DEGREES * 16)
    elif state is BadgeState.WAITING:
        painter.setPen(pen)
        painter.drawEllipse(circle)
        painter.drawPolyline([QPointF(7, 3.8), QPointF(7, 7.2), QPointF(9.3, 8.4)])
    elif state is BadgeState.RETRY:
        painter.setPen(pen)
        painter.drawArc(circle.adjusted(1, 1, -1, -1), 150 * 16, -290 * 16)
        painter.drawPolyline([QPointF(1.6, 2.2), QPointF(2.2, 5.0), QPointF(5.0, 4.6)])
    else:  # skipped
        pen.setDashPattern([1.6, 2.1])
        painter.setPen(pen)
        painter.drawEllipse(circle)
        painter.setPen(QPen(pen.color(), 1.5))
        painter.drawLine(QPointF(4.4, 7), QPointF(9.6, 7))


class StateShape(QWidget):
    """The shape by itself; its name for screen readers is ``word``.

    Args:
        state: What to draw.
        word: The state in words.
        size: Edge of the square, pixels.
    """

    def __init__(
        self, state: BadgeState, word: str, size: int = 14, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._state = state
        self.setFixedSize(theme().px(size), theme().px(size))
        self.set_state(state, word)

    @property
    def state(self) -> BadgeState:
        """What is drawn."""
        return self._state

    def set_state(self, state: BadgeState, word: str) -> None:
        """Another state."""
        self._state = state
        self.setAccessibleName(word)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            paint_shape(painter, QRectF(self.rect()), self._state)


class StateWord(QWidget):
    """Shape and word without a tint.

    Args:
        state: The shape and colour.
        word: What it says.
        turning: Whether the running ring may turn; only in page badges and the list of runs.
    """

    _TINTED = False

    def __init__(
        self,
        state: BadgeState,
        word: str,
        *,
        turning: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._state, self._word = state, word
        self._turning, self._turn = turning, 0.0
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self._tick)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(word)

    @property
    def state(self) -> BadgeState:
        """What is shown."""
        return self._state

    def text(self) -> str:
        """The word."""
        return self._word

    def set_state(self, state: BadgeState, word: str) -> None:
        """Another state and word."""
        if (state, word) == (self._state, self._word):
            return
        self._state, self._word = state, word
        self.setAccessibleName(word)
        self._pace()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = badge_width(self._word) if self._TINTED else word_width(self._word)
        return QSize(int(width + 0.999), theme().px(22))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._pace()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            rect = QRectF(self.rect())
            paint_badge(
                painter, rect, self._state, self._word, tinted=self._TINTED, turn=self._turn
            )

    def _pace(self) -> None:
        moves = self._turning and theme().motion and self._state is BadgeState.RUNNING
        if moves and self.isVisible():
            self._timer.start()
        else:
            self._timer.stop()

    def _tick(self) -> None:
        self._turn = (self._turn + _TICK_MS / _TURN_MS) % 1
        self.update()


class StateBadge(StateWord):
    """Shape and word on the state's tint."""

    _TINTED = True


def badge_width(word: str) -> float:
    """Width of a badge with this word, pixels."""
    return text_width(word, theme().font(Type.LABEL_MEDIUM)) + theme().px(26) + 12


def word_width(word: str) -> float:
    """Width of shape and word without a tint, pixels."""
    return text_width(word, theme().font(Type.BODY)) + theme().px(13) + 8 + 5


def paint_badge(
    painter: QPainter,
    rect: QRectF,
    state: BadgeState,
    word: str,
    *,
    tinted: bool,
    turn: float = 0.0,
) -> None:
    """Paints a badge into ``rect``: tint, shape at 7, word at 26."""
    look = theme()
    if tinted:
        tint = state_colours(state).tint
        rounded(painter, rect, RADIUS, QColor(tint))
    size = float(look.px(13))
    left = rect.left() + (7 if tinted else 0)
    paint_shape(painter, QRectF(left, rect.center().y() - size / 2, size, size), state, turn)
    words = rect.adjusted(look.px(26) if tinted else size + 8, 0, -4, 0)
    font = look.font(Type.LABEL_MEDIUM if tinted else Type.BODY)
    colour = _COLOURS.get(state, state.value) if tinted else "text"
    write(painter, words, word, font, look.tokens.colour(colour))
