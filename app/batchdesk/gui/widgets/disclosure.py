"""The question before rows leave this computer for the first time: what exactly is sent, and where.

A Disclosure comes in; ``accepted`` or ``rejected`` goes out. Nothing here sends anything.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.fields import TextBox
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.session import Disclosure

_WIDTH, _LINES = 640, 14
_AROUND, _HIGHEST = 120, 640  # pixels: title and buttons; the whole dialog


class DisclosureDialog(QDialog):
    """Says what is sent and asks. Escape and closing it mean no.

    Args:
        told: What would be sent.
        parent: The window.
    """

    def __init__(self, told: Disclosure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Before anything is sent"))
        self.setMinimumWidth(theme().px(_WIDTH))
        self.title = PlainLabel(
            self.tr("Send rows to {0}?").format(told.host), Type.PAGE_TITLE, wrap=True
        )
        self.facts: list[tuple[str, str]] = []
        self.warning = _wrapped("", "failed")
        self.body = TextBox(_LINES, mono=True)
        self.body.setReadOnly(True)
        self.send = Button(self.tr("Send them"), Kind.PRIMARY)
        self.stay = Button(self.tr("Do not send"))
        self.send.clicked.connect(lambda _on=False: self.accept())
        self.stay.clicked.connect(lambda _on=False: self.reject())
        self._tell(told)
        self._lay_out(told)
        self.setPalette(_ground(self.palette()))
        self.stay.setFocus(Qt.FocusReason.OtherFocusReason)

    def _tell(self, told: Disclosure) -> None:
        comma = self.tr(", ", "between items of a list")
        columns = comma.join(told.columns) or self.tr("none: only your own texts")
        self.facts = [
            (self.tr("Service"), f"{told.service} · {told.address}"),
            (self.tr("Model"), told.model),
            (self.tr("Columns sent"), columns),
            (self.tr("Masked"), self._masked(told, comma)),
            (self.tr("Row ids"), self._ids(told)),
        ]
        if not told.is_encrypted:
            words = self.tr(
                "The address begins with http: everybody on the way can read what is sent, the key "
                "too. Use https unless this network is your own."
            )
            self.warning.setText(words)
        self.warning.setVisible(not told.is_encrypted)

    def _masked(self, told: Disclosure, comma: str) -> str:
        if not told.masked:
            return self.tr("nothing: the texts go as they are")
        words = self.mask_words()
        parts = []
        for column in told.columns:
            kinds = sorted(words.get(kind, kind) for kind in told.masked.get(column, ()))
            what = comma.join(kinds) or self.tr("nothing")
            parts.append(
                self.tr("{0}: {1}", "a column and what is masked in it").format(column, what)
            )
        return "\n".join(parts)

    def _ids(self, told: Disclosure) -> str:
        if told.names_row and told.hides_keys:
            return self.tr("not sent: a number of the project stands for each row")
        if told.names_row:
            return self.tr("sent with each row, so that its answer can be matched")
        return self.tr("not sent")

    def mask_words(self) -> dict[str, str]:
        """Words for what can be masked."""
        return {
            "email": self.tr("e-mail addresses"),
            "phone": self.tr("telephone numbers"),
            "card": self.tr("bank cards"),
            "iban": self.tr("bank accounts"),
            "resident_id": self.tr("Chinese resident ids"),
            "ip": self.tr("IP addresses"),
            "url": self.tr("web addresses"),
        }

    def _lay_out(self, told: Disclosure) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for place, (name, words) in enumerate(self.facts):
            label = PlainLabel(name, Type.BODY, "text2")
            grid.addWidget(label, place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(_wrapped(words), place, 1)
        inside = QWidget()
        middle = QVBoxLayout(inside)
        middle.setContentsMargins(0, 0, 8, 0)
        middle.setSpacing(12)
        middle.addLayout(grid)
        middle.addWidget(self.warning)
        middle.addWidget(self._example(told))
        words = self.tr(
            "You are asked once for this project and service, and again only if more columns or "
            "fewer masks are to be sent. No other column leaves this computer."
        )
        middle.addWidget(_wrapped(words, "text2", Type.LABEL))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 12, 16)
        column.setSpacing(12)
        column.addWidget(self.title)
        column.addWidget(_scrolled(inside), 1)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(self.stay)
        row.addWidget(self.send)
        column.addLayout(row)
        width = theme().px(_WIDTH)
        needed = middle.totalHeightForWidth(width - 40) + theme().px(_AROUND)
        self.resize(width, min(needed, theme().px(_HIGHEST)))

    def _example(self, told: Disclosure) -> QWidget:
        """The first row's request, or why there is none to see."""
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        if told.body:
            words = self.tr("The request of row {0}, word for word:").format(told.row_key)
            self.body.setPlainText(told.body)
            self.body.setAccessibleName(words)
        elif told.row_key is not None:
            words = self.tr("The prompt of the first row cannot be made; the run will say why.")
        else:
            words = self.tr("None of the first rows would be sent, so there is none to show.")
        column.addWidget(_wrapped(words, "text2", Type.LABEL))
        column.addWidget(self.body)
        self.body.setVisible(bool(told.body))
        return whole


def _scrolled(inside: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.viewport().setAutoFillBackground(False)
    inside.setAutoFillBackground(False)
    return area


def _wrapped(words: str, colour: str = "text", role: Type = Type.BODY) -> PlainLabel:
    label = PlainLabel(words, role, colour, wrap=True)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    return label


def _ground(palette: QPalette) -> QPalette:
    palette.setColor(QPalette.ColorRole.Window, theme().tokens.colour("base"))
    return palette
