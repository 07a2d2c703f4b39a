"""Small painting helpers that the painted widgets share."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen

from batchdesk.gui.theme import theme

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter


def rounded(
    painter: QPainter,
    rect: QRectF,
    radius: float,
    ground: QColor | None = None,
    edge: QColor | None = None,
    *,
    width: float = 1.0,
) -> None:
    """A rounded box; its edge lies inside ``rect``."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QBrush(ground) if ground is not None else Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(edge, width) if edge is not None else Qt.PenStyle.NoPen)
    inset = width / 2 if edge is not None else 0.0
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius)


def write(
    painter: QPainter,
    rect: QRectF,
    text: str,
    font: QFont,
    colour: QColor,
    *,
    align: Qt.AlignmentFlag = LEFT,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> float:
    """One elided line of plain text; returns the width it took."""
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance(text)
    if width > rect.width() or "\n" in text:
        text = metrics.elidedText(text, elide, rect.width())
        width = metrics.horizontalAdvance(text)
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(rect, align | Qt.TextFlag.TextSingleLine, text)
    return width


def text_width(text: str, font: QFont) -> float:
    """Width of one line, pixels."""
    return QFontMetricsF(font).horizontalAdvance(text)


def hairline(painter: QPainter, start: QPointF, end: QPointF, shade: str = "border2") -> None:
    """A line of one pixel, not antialiased."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setPen(QPen(theme().tokens.colour(shade), 1))
    painter.drawLine(start, end)


def focus_ring(painter: QPainter, rect: QRectF, radius: float) -> None:
    """The ring of 2 pixels around what the keyboard is on."""
    rounded(painter, rect, radius, None, theme().tokens.colour("accent"), width=2.0)
