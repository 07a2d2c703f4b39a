"""How hard a run pushes, changed while it runs: limit fixed or by itself, ceiling, told rates.

In comes the Snapshot; out go the desk's commands. What is set holds for this run, from now
on and over a pause, until the project is closed.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QRadioButton,
    QSpinBox,
    QWidget,
)

from batchdesk.domain.job import CONCURRENCY_MAX
from batchdesk.domain.snapshot import Snapshot
from batchdesk.gui.desk import Desk
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.gui.widgets.overlay import Overlay
from batchdesk.gui.words import Words

_MOST_AT_ONCE = 1000
_MOST_RPM, _MOST_TPM = 1_000_000, 1_000_000_000
_SPIN_W, _NOTE_W = 130, 290
_INSIDE = 6  # beside the figures


class LimitsBox(Overlay):
    """The fields, below their button; Escape and a click elsewhere put it away unchanged.

    Args:
        apply: Called with what was chosen: fixed limit or None, ceiling, requests and tokens per
            minute or None.
    """

    def __init__(
        self,
        apply: Callable[[int | None, int, int | None, int | None], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._apply_to = apply
        self.setAccessibleName(self.tr("Limits of this run"))
        self.by_itself = QRadioButton(self.tr("By itself, up to"))
        self.fixed = QRadioButton(self.tr("Fixed at"))
        group = QButtonGroup(self)
        group.addButton(self.by_itself)
        group.addButton(self.fixed)
        self.ceiling = self._spin(1, _MOST_AT_ONCE, self.tr("Most requests at once"))
        self.limit = self._spin(1, _MOST_AT_ONCE, self.tr("Fixed number of requests at once"))
        self.rpm = self._spin(0, _MOST_RPM, self.tr("Requests per minute"))
        self.tpm = self._spin(0, _MOST_TPM, self.tr("Tokens per minute"))
        for told in (self.rpm, self.tpm):
            told.setSpecialValueText(self.tr("not told"))
        self.by_itself.toggled.connect(self._enable)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.addWidget(PlainLabel(self.tr("Requests at once"), Type.LABEL_MEDIUM), 0, 0, 1, 2)
        grid.addWidget(self.by_itself, 1, 0)
        grid.addWidget(self.ceiling, 1, 1)
        grid.addWidget(self.fixed, 2, 0)
        grid.addWidget(self.limit, 2, 1)
        told_title = PlainLabel(self.tr("What the service permits"), Type.LABEL_MEDIUM)
        grid.addWidget(told_title, 3, 0, 1, 2)
        grid.addWidget(PlainLabel(self.tr("Requests per minute")), 4, 0)
        grid.addWidget(self.rpm, 4, 1)
        grid.addWidget(PlainLabel(self.tr("Tokens per minute")), 5, 0)
        grid.addWidget(self.tpm, 5, 1)
        note = PlainLabel(
            self.tr(
                "For this run, at once and until the project is closed; the saved job stays as it "
                "is."
            ),
            Type.LABEL,
            "text2",
            wrap=True,
        )
        self.apply = Button(self.tr("Apply"), Kind.PRIMARY)
        self.apply.clicked.connect(self._applied)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.apply)
        note.setFixedWidth(theme().px(_NOTE_W))
        self.column.setContentsMargins(16, 12, 16, 14)
        self.column.setSpacing(10)
        self.column.addLayout(grid)
        self.column.addWidget(note)
        self.column.addLayout(buttons)

    def _spin(self, least: int, most: int, name: str) -> QSpinBox:
        spin = QSpinBox()
        spin.setRange(least, most)
        spin.setGroupSeparatorShown(True)
        spin.setAccelerated(True)
        spin.setFixedWidth(theme().px(_SPIN_W))
        inside = theme().px(_INSIDE)  # a style sheet's padding does not reach a spin box's text
        spin.lineEdit().setTextMargins(inside, 0, inside, 0)
        spin.setAccessibleName(name)
        return spin

    def show_limits(self, snapshot: Snapshot) -> None:
        """Fill the fields with what holds now."""
        (self.fixed if snapshot.pinned else self.by_itself).setChecked(True)
        self.ceiling.setValue(snapshot.ceiling or CONCURRENCY_MAX)
        self.limit.setValue(snapshot.limit)
        self.rpm.setValue(round((snapshot.told_requests_per_s or 0) * 60))
        self.tpm.setValue(round((snapshot.told_tokens_per_s or 0) * 60))
        self._enable()

    def open_below(self, button: QWidget) -> None:
        """Show it below a button, right edge to right edge."""
        self.adjustSize()
        corner = button.mapTo(button.window(), button.rect().bottomRight())
        self.move(max(0, corner.x() - self.width()), corner.y() + 4)
        self.open_over(self.limit if self.fixed.isChecked() else self.ceiling)

    def _enable(self) -> None:
        self.ceiling.setEnabled(self.by_itself.isChecked())
        self.limit.setEnabled(self.fixed.isChecked())

    def _applied(self) -> None:
        self.close_over()
        self._apply_to(
            self.limit.value() if self.fixed.isChecked() else None,
            self.ceiling.value(),
            self.rpm.value() or None,
            self.tpm.value() or None,
        )


class LimitsButton(Button):
    """Shows how many requests may be under way at once, and opens the fields.

    Args:
        desk: Gets the commands.
    """

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", menu_arrow=True, parent=parent)
        self._desk, self._words = desk, words
        self._snapshot: Snapshot | None = None
        self.box: LimitsBox | None = None
        self.clicked.connect(self._open)

    def refresh(self, snapshot: Snapshot | None) -> None:
        """A run as it stands; None: it is not under way."""
        self._snapshot = snapshot
        reason = "" if snapshot else self.tr("The run is not under way.")
        if reason != self.toolTip() or self.isEnabled() == bool(reason):
            self.set_why_not(reason)
        words = self._said(snapshot)
        if words != self.text():
            self.setText(words)
            self.updateGeometry()

    def _said(self, snapshot: Snapshot | None) -> str:
        if snapshot is None:
            return self.tr("Limits")
        if snapshot.pinned:
            return self.tr("Fixed at {0}").format(self._words.number(snapshot.limit))
        return self.tr("Ceiling {0}").format(self._words.number(snapshot.ceiling))

    def _open(self) -> None:
        if self._snapshot is None:
            return
        if self.box is None:  # made late: only now is it known which window it floats over
            self.box = LimitsBox(self._apply, self.window())
        if self.box.isVisible():
            self.box.close_over()
            return
        self.box.show_limits(self._snapshot)
        self.box.open_below(self)

    def _apply(self, limit: int | None, ceiling: int, rpm: int | None, tpm: int | None) -> None:
        """Only what the person changed goes to the engine."""
        now = self._snapshot
        if now is None:
            return
        run_id = now.run_id
        if limit != (now.limit if now.pinned else None):
            self._desk.pin(run_id, limit)
        if limit is None and ceiling != now.ceiling:
            self._desk.set_ceiling(run_id, ceiling)
        told = tuple(
            round((per_s or 0) * 60) or None
            for per_s in (now.told_requests_per_s, now.told_tokens_per_s)
        )
        if (rpm, tpm) != told:
            self._desk.set_told(run_id, rpm, tpm)
