"""Parts of the first start: cards of samples, the zone where files are dropped, recent projects."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.gui.theme import RADIUS_PANEL, Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.chips import Chip
from batchdesk.gui.widgets.empty import IconMark
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.panel import Hairline, Panel

_DESCRIPTION_LINES = 4
_RECENT_SHOWN = 4


class StepsStrip(Panel):
    """The steps of the work, numbered, side by side.

    Args:
        steps: Title and explanation of each.
    """

    def __init__(self, steps: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        row = QHBoxLayout()
        row.setSpacing(16)
        for number, (title, explanation) in enumerate(steps, 1):
            figure = PlainLabel(str(number), Type.FIGURE, "accent")
            words = QVBoxLayout()
            words.setSpacing(0)
            words.addWidget(ElidingLabel(title, Type.PANEL_TITLE, "text", least=60))
            words.addWidget(ElidingLabel(explanation, Type.LABEL, "text2", least=60))
            row.addWidget(figure)
            row.addLayout(words, 1)
        self.add(row)


class SampleCard(Panel):
    """A sample: what it is, a few of its rows, and the button that opens it.

    Args:
        icon: Icon name.
        title: What it is about.
        description: What the job does and who answers.

    Signals:
        opened: The person wants it.
    """

    opened = Signal()

    def __init__(
        self, icon: str, title: str, description: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(IconMark(icon, 20, "accent"))
        head.addWidget(ElidingLabel(title, Type.CARD_TITLE, "text", least=80), 1)
        self._description = PlainLabel(description, Type.BODY, "text2", wrap=True)
        self._description.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        line = self._description.fontMetrics().lineSpacing()
        self._description.setFixedHeight(line * _DESCRIPTION_LINES + 4)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(4)
        self.about = ElidingLabel("", Type.LABEL, "text2", least=60)
        self.button = Button(self.tr("Open sample"), icon="arrow-right")
        self.button.setAccessibleName(self.tr("Open the sample {0}").format(title))
        self.button.clicked.connect(lambda _checked=False: self.opened.emit())
        self.add(head)
        self.add(self._description)
        self.add(self._rows)
        self.add(self.about)
        self.add(self.button)
        self.body.addStretch(1)

    def show_rows(self, rows: Sequence[tuple[str, str]], about: str) -> None:
        """Show a few rows as (text, label), and a line about the whole table."""
        for text, label in rows:
            self._rows.addWidget(Hairline())
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(ElidingLabel(text, Type.BODY, "text", least=60), 1)
            if label:
                row.addWidget(Chip(label))
            self._rows.addLayout(row)
        self._rows.addWidget(Hairline())
        self.about.set_text(about)


class DropZone(QWidget):
    """Where a file is dropped or chosen.

    Args:
        detail: What may be dropped, and where the project will be.

    Signals:
        dropped(Path): A file was dropped.
        choose: The person wants to choose a file.
        choose_folder: The person wants to choose a folder.
    """

    dropped = Signal(object)
    choose = Signal()
    choose_folder = Signal()

    def __init__(self, detail: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self._above = False
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(ElidingLabel(self.tr("Open your own file"), Type.CARD_TITLE, "text"))
        self.detail = PlainLabel(detail, Type.BODY, "text2", wrap=True)
        words.addWidget(self.detail)
        self.button = Button(self.tr("Open file…"), Kind.PRIMARY, icon="folder-open")
        self.button.clicked.connect(lambda _checked=False: self.choose.emit())
        self.folder = Button(self.tr("Open folder…"))
        self.folder.clicked.connect(lambda _checked=False: self.choose_folder.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 14, 16, 14)
        row.setSpacing(16)
        row.addWidget(IconMark("upload-simple", 24, "accent"))
        row.addLayout(words, 1)
        row.addWidget(self.folder)
        row.addWidget(self.button)
        self.setMinimumHeight(theme().px(80))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_file(event) is not None:
            event.acceptProposedAction()
            self._mark(above=True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._mark(above=False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._mark(above=False)
        path = dropped_file(event)
        if path is not None:
            event.acceptProposedAction()
            self.dropped.emit(path)

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = theme().tokens
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            pen = QPen(tokens.colour("accent" if self._above else "ctl"), 1.4)
            pen.setDashPattern([6, 4])
            painter.setPen(pen)
            painter.setBrush(tokens.colour("sel" if self._above else "base"))
            box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(box, RADIUS_PANEL, RADIUS_PANEL)

    def _mark(self, *, above: bool) -> None:
        self._above = above
        self.update()


class RecentPanel(Panel):
    """The projects that were open last.

    Signals:
        chosen(Path): The person wants one.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.add(ElidingLabel(self.tr("Recent projects"), Type.PANEL_TITLE, "text"))
        self._list = QVBoxLayout()
        self._list.setSpacing(2)
        self.add(self._list)

    def show_paths(self, paths: Sequence[Path]) -> None:
        """Show the latest of these; hidden if there are none."""
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for path in paths[:_RECENT_SHOWN]:
            self._list.addWidget(self._line(path))
        self.setVisible(bool(paths))

    def _line(self, path: Path) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        button = Button(path.stem, Kind.FLAT, icon="file-text")
        button.setAccessibleName(self.tr("Open the project {0}").format(path.stem))
        button.clicked.connect(lambda _checked=False: self.chosen.emit(path))
        row.addWidget(button)
        row.addWidget(ElidingLabel(str(path.parent), Type.LABEL, "text3", least=60), 1)
        return line


def dropped_file(event: QDropEvent) -> Path | None:
    """The first local file of a drag; None if there is none."""
    for url in event.mimeData().urls():
        if url.isLocalFile():
            return Path(url.toLocalFile())
    return None
