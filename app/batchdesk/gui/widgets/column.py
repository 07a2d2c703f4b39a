"""The contents of a scroll area whose wrapped words take the height that they have at its width.

Qt reckons with the height at the smallest width, which leaves a screenful of nothing at the end.
"""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget


class ScrolledColumn(QWidget):
    """Give it a layout; it is as high as that needs at the present width."""

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        layout = self.layout()
        if layout is not None and layout.hasHeightForWidth():
            width = max(hint.width(), self.width())
            hint.setHeight(layout.totalMinimumHeightForWidth(width))
        return hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            self.updateGeometry()
