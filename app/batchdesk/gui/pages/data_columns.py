"""The roles of the columns: which is the id, which the label, which the prompt sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.gui.models.rows import Role
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.empty import IconMark
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.session.reading import ColumnFigures

_LISTED = 40
_ICONS = {Role.ID: "hash", Role.LABEL: "tag", Role.USED: "text-t", Role.KEPT: "minus"}


class ColumnsSection(QWidget):
    """Choices of the id and the label column, over the list of all columns.

    Signals:
        id_chosen(object): A column's name, or None for row numbers; only by the person.
        label_chosen(object): A column's name, or None for no label; only by the person.
    """

    id_chosen = Signal(object)
    label_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.id_column = self._choice(self.tr("Id column"))
        self.label_column = self._choice(self.tr("Label column"))
        self.id_column.activated.connect(lambda: self.id_chosen.emit(self.id_column.currentData()))
        self.label_column.activated.connect(
            lambda: self.label_chosen.emit(self.label_column.currentData())
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        named = ((self.tr("Id"), self.id_column), (self.tr("Label"), self.label_column))
        for place, (name, control) in enumerate(named):
            grid.addWidget(ElidingLabel(name, Type.BODY, "text2", least=60), place, 0)
            grid.addWidget(control, place, 1)
        self.note = PlainLabel("", Type.LABEL, "text2", wrap=True)
        self.warning = PlainLabel("", Type.LABEL, "review", wrap=True)
        self.warning.hide()
        self.lines: list[_ColumnLine] = []
        self._figures: dict[str, str] = {}
        self._list = QVBoxLayout()
        self._list.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(grid)
        column.addWidget(self.warning)
        column.addWidget(self.note)
        column.addLayout(self._list)

    def show_roles(
        self, roles: Mapping[str, Role], label: str | None, *, why_no_id: str, why_no_label: str
    ) -> None:
        """Show the roles of a dataset's columns.

        Args:
            roles: By column, in the table's order.
            label: The label column, also where it is the id as well.
            why_no_id: Why the id cannot be changed; empty if it can.
            why_no_label: Why the label cannot be changed; empty if it can.
        """
        id_column = next((name for name, role in roles.items() if role is Role.ID), None)
        self._offer(self.id_column, self.tr("Row number"), list(roles), id_column, why_no_id)
        shown = label if label in roles else None
        self._offer(self.label_column, self.tr("None"), list(roles), shown, why_no_label)
        reasons = [why for why in (why_no_id, why_no_label) if why]
        self.note.setText("\n".join(reasons))
        self.note.setVisible(bool(reasons))
        self._list_columns(roles)

    def show_figures(self, figures: Sequence[ColumnFigures]) -> None:
        """Say of each column how many values and blanks it has."""
        self._figures = {one.name: self._told(one) for one in figures}
        for line in self.lines:
            line.show_figures(self._figures.get(line.name, ""))

    def _told(self, one: ColumnFigures) -> str:
        more = self.tr("over {0} values").format(QLocale().toString(one.distinct))
        told = [more if one.has_more else self.tr("%Ln value(s)", "", one.distinct)]
        if one.blanks:
            told.append(self.tr("%Ln blank", "", one.blanks))
        return ", ".join(told)

    def warn(self, words: str) -> None:
        """Warn of the chosen roles; nothing if empty."""
        self.warning.setText(words)
        self.warning.setVisible(bool(words))

    def role_words(self) -> dict[Role, str]:
        """Roles in the window's language."""
        return {
            Role.ID: self.tr("Id"),
            Role.LABEL: self.tr("Label"),
            Role.USED: self.tr("Text to send"),
            Role.KEPT: self.tr("Kept"),
        }

    def _choice(self, name: str) -> QComboBox:
        control = QComboBox()
        control.setAccessibleName(name)
        control.setMinimumWidth(80)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        control.setSizeAdjustPolicy(policy)
        return control

    def _offer(
        self, control: QComboBox, none: str, names: list[str], current: str | None, why: str
    ) -> None:
        with QSignalBlocker(control):
            control.clear()
            control.addItem(none, None)
            for name in names:
                control.addItem(name, name)
            control.setCurrentIndex(names.index(current) + 1 if current in names else 0)
        control.setEnabled(not why)
        control.setToolTip(why)

    def _list_columns(self, roles: Mapping[str, Role]) -> None:
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        words = self.role_words()
        self.lines = [_ColumnLine(n, role, words[role]) for n, role in [*roles.items()][:_LISTED]]
        for line in self.lines:
            line.show_figures(self._figures.get(line.name, ""))
            self._list.addWidget(line)
        more = len(roles) - _LISTED
        if more > 0:
            self._list.addWidget(ElidingLabel(self.tr("and %Ln more column(s)", "", more)))


class _ColumnLine(QWidget):
    """Icon, name and role of one column."""

    def __init__(self, name: str, role: Role, word: str) -> None:
        super().__init__()
        self.name = name
        self.figures = ElidingLabel("", Type.LABEL, "text3", least=0)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 1, 0, 1)
        row.setSpacing(8)
        colour = "text3" if role is Role.KEPT else "accent"
        row.addWidget(IconMark(_ICONS[role], 14, colour))
        row.addWidget(ElidingLabel(name, Type.BODY, "text", least=60))
        row.addWidget(self.figures, 1)
        tone = "text2" if role is Role.KEPT else "accent"
        row.addWidget(ElidingLabel(word, Type.LABEL, tone, least=30, align=_RIGHT))
        self._spoken = f"{name}: {word}"
        self.setAccessibleName(self._spoken)

    def show_figures(self, words: str) -> None:
        """How many values and blanks the column has."""
        self.figures.set_text(words)
        self.setAccessibleName(f"{self._spoken}, {words}" if words else self._spoken)


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
