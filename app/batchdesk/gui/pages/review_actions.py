"""The bar at the bottom of Review: what can be done with an item, its keys, and what was done.

It shows one of three faces: the actions, the two ways out of editing, or a field for a note. Out
go signals; what they mean is the page's matter.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QWidget

from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import ElidingLabel, KeyHint
from batchdesk.gui.widgets.panel import Hairline, Panel

_HEIGHT, _BUTTON_H = 50, 34
_HINTS_FROM = 1060  # narrower bars show the button for all keys only


class ActionBar(Panel):
    """Actions, editing and notes.

    Signals:
        accept(), edit(), reject(), again(), later(), undo(), keys(): Buttons of the first face.
        save(), leave(): Ways out of editing; a note is left the same way.
        noted(str): The note is given; it may be empty.
    """

    accept = Signal()
    edit = Signal()
    reject = Signal()
    again = Signal()
    later = Signal()
    undo = Signal()
    keys = Signal()
    save = Signal()
    leave = Signal()
    noted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(flush=True, parent=parent)
        self.setFixedHeight(theme().px(_HEIGHT))
        self.body.setContentsMargins(0, 0, 0, 0)
        self.said = ElidingLabel("", Type.LABEL, "text2", least=40)
        self._make_actions()
        self._make_edit()
        self._make_note()
        self.faces = QStackedWidget()
        for face in (self._actions_face(), self._edit_face(), self._note_face()):
            self.faces.addWidget(face)
        self.add(self.faces)

    def _make_actions(self) -> None:
        self.accept_button = _button(self.tr("Accept"), "A", Kind.PRIMARY)
        self.edit_button = _button(self.tr("Edit"), "E")
        self.reject_button = _button(self.tr("Reject…"), "R", Kind.DANGER)
        self.again_button = _button(self.tr("Try again…"), "T")
        self.later_button = _button(self.tr("Later"), "S")
        self.undo_button = _button(self.tr("Undo"), "U")
        self.keys_button = _button(self.tr("All keys"), "?", Kind.FLAT)
        for button, signal in (
            (self.accept_button, self.accept),
            (self.edit_button, self.edit),
            (self.reject_button, self.reject),
            (self.again_button, self.again),
            (self.later_button, self.later),
            (self.undo_button, self.undo),
            (self.keys_button, self.keys),
        ):
            button.clicked.connect(signal)

    def _actions_face(self) -> QWidget:
        face, row = _face()
        for button in (
            self.accept_button,
            self.edit_button,
            self.reject_button,
            self.again_button,
            self.later_button,
        ):
            row.addWidget(button)
        row.addWidget(Hairline(vertical=True))
        row.addWidget(self.undo_button)
        row.addWidget(self.said, 1)
        self._hint = KeyHint(["K", "J"], self.tr("previous, next"))
        self._hint.setMinimumWidth(1)  # hidden when narrow, so it must not keep the window wide
        row.addWidget(self._hint)
        row.addWidget(self.keys_button)
        return face

    def _make_edit(self) -> None:
        self.save_button = _button(self.tr("Accept"), self.tr("Ctrl+Enter"), Kind.PRIMARY)
        self.leave_button = _button(self.tr("Leave"), "Esc")
        self.edit_words = ElidingLabel("", Type.LABEL, "text2", least=40)
        self.save_button.clicked.connect(self.save)
        self.leave_button.clicked.connect(self.leave)

    def _edit_face(self) -> QWidget:
        face, row = _face()
        row.addWidget(self.save_button)
        row.addWidget(self.leave_button)
        row.addWidget(self.edit_words, 1)
        return face

    def _make_note(self) -> None:
        self.note = QLineEdit()
        self.note_words = ElidingLabel("", Type.LABEL_MEDIUM, "text", least=60)
        self.note_hint = ElidingLabel("", Type.LABEL, "text2", least=0)
        self.note_button = _button("", self.tr("Enter"), Kind.PRIMARY)
        self.note_leave = _button(self.tr("Leave"), "Esc")
        self.note.returnPressed.connect(self._note_given)
        self.note_button.clicked.connect(self._note_given)
        self.note_leave.clicked.connect(self.leave)

    def _note_face(self) -> QWidget:
        face, row = _face()
        row.addWidget(self.note_words)
        row.addWidget(self.note, 1)
        row.addWidget(self.note_hint)
        row.addWidget(self.note_button)
        row.addWidget(self.note_leave)
        return face

    # -- faces ------------------------------------------------------------------------------

    def show_actions(self, *, anyway: bool = False) -> None:
        """The actions; ``anyway`` once the person was told that the answer is not usable."""
        self.faces.setCurrentIndex(0)
        self.accept_button.setText(self.tr("Accept anyway") if anyway else self.tr("Accept"))
        self.accept_button.updateGeometry()

    def show_edit(self, *, anyway: bool = False) -> None:
        """The ways out of editing; ``anyway`` after the checks found something."""
        self.faces.setCurrentIndex(1)
        self.save_button.setText(self.tr("Accept anyway") if anyway else self.tr("Accept"))
        self.save_button.updateGeometry()
        found = self.tr("The checks found something; see the fields.")
        self.edit_words.set_text(
            found if anyway else self.tr("The model's answer is kept beside yours.")
        )
        self.edit_words.set_colour("review" if anyway else "text2")

    def ask_reject(self, row_key: str) -> None:
        """Asks why an answer is rejected."""
        self._ask(
            self.tr("Reject {0}").format(row_key),
            self.tr("Why? May stay empty"),
            self.tr("Reject"),
        )

    def ask_again(self, row_key: str, *, goes_on: bool) -> None:
        """Asks what the model is told; ``goes_on`` while the run is under way."""
        later = self.tr("Sent when the run is resumed")
        self._ask(
            self.tr("Try {0} again").format(row_key),
            self.tr("What the model is told. May stay empty"),
            self.tr("Try again"),
            self.tr("Sent while the run goes on") if goes_on else later,
        )

    def _ask(self, words: str, placeholder: str, button: str, hint: str = "") -> None:
        """Shows the field for a note with its question; the focus goes there."""
        self.note_words.set_text(words)
        self.note_hint.set_text(hint)
        self.note_button.setText(button)
        self.note_button.updateGeometry()
        self.note.clear()
        self.note.setPlaceholderText(placeholder)
        self.note.setAccessibleName(words)
        self.faces.setCurrentIndex(2)
        self.note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def say(self, words: str, *, problem: bool = False) -> None:
        """What was done, or why it could not be; stays until the next action."""
        self.said.set_colour("failed" if problem else "text2")
        self.said.set_text(words)
        if self.faces.currentIndex() == 1:
            self.edit_words.set_colour("failed" if problem else "text2")
            self.edit_words.set_text(words)

    def allow(self, *, reason: str, accept_reason: str, undo_reason: str) -> None:
        """Why actions are off; empty reasons turn them on.

        Args:
            reason: For all actions on an item.
            accept_reason: For accepting alone.
            undo_reason: For undo.
        """
        for button in (
            self.edit_button,
            self.reject_button,
            self.again_button,
            self.later_button,
        ):
            button.set_why_not(reason)
        self.accept_button.set_why_not(reason or accept_reason)
        self.undo_button.set_why_not(undo_reason)

    def _note_given(self) -> None:
        self.noted.emit(self.note.text().strip())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._hint.setVisible(self.width() >= _HINTS_FROM)


def _button(text: str, key: str, kind: Kind = Kind.SECONDARY) -> Button:
    button = Button(text, kind, key=key, height=_BUTTON_H)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus with the items
    return button


def _face() -> tuple[QWidget, QHBoxLayout]:
    face = QWidget()
    row = QHBoxLayout(face)
    row.setContentsMargins(7, 0, 11, 0)
    row.setSpacing(8)
    return face, row
