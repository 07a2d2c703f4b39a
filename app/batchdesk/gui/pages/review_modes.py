"""What the keyboard is for on the Review page: deciding, editing the answer, or writing a note.

In come the modes that the page asks for; the form, the bar of actions and the letters follow. Kept
here, too: what was typed into items that were left, and whether the checks have refused an answer,
which the next press accepts anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QWidget

from batchdesk.gui.pages.review_actions import ActionBar
from batchdesk.gui.pages.review_answer import AnswerPanel
from batchdesk.session import TaskView


class Mode(Enum):
    """What the keyboard is for."""

    READ = "read"  # letters act
    EDIT = "edit"  # the form takes text
    REJECT = "reject"  # the note field takes text
    AGAIN = "again"  # as REJECT


class Modes:
    """The mode in force, and what it means for the panels.

    Args:
        answer: Its form takes text in EDIT.
        bar: Shows the actions of the mode.
        items: Has the focus again once an editor is left.
        letters: The keys that act in READ alone.

    Attributes:
        mode: The mode in force.
        refused: The person was told that the answer fails its checks.
    """

    def __init__(
        self, answer: AnswerPanel, bar: ActionBar, items: QWidget, letters: Sequence[QShortcut]
    ) -> None:
        self._answer, self._bar, self._items, self._letters = answer, bar, items, letters
        self._drafts: dict[int, Any] = {}  # edited answers of items left without deciding
        self.mode = Mode.READ
        self.refused = False

    def change(self, mode: Mode) -> None:
        """Another mode."""
        had_editor = self.mode is not Mode.READ
        self.mode = mode
        self.refused = False
        for letter in self._letters:
            letter.setEnabled(mode is Mode.READ)
        self._answer.set_editable(editable=mode is Mode.EDIT)
        if mode is Mode.EDIT:
            self._bar.show_edit()
        elif mode is Mode.READ:
            self._bar.show_actions()
            if had_editor:
                self._items.setFocus()

    def edit(self, view: TaskView) -> None:
        """The form takes changes; what was typed before is still there."""
        self.change(Mode.EDIT)
        if view.id in self._drafts:
            self._answer.put(self._drafts[view.id])
        self._answer.focus_first()

    def edited(self) -> None:
        """Something was typed into the form: its checks have not refused that."""
        if self.mode is Mode.EDIT and self.refused:
            self.refused = False
            self._bar.show_edit()

    def leave_item(self, view: TaskView | None) -> None:
        """What was typed is kept for when the person comes back to the item."""
        if self.mode is Mode.EDIT and view is not None and self._answer.answer() != view.answer:
            self._drafts[view.id] = self._answer.answer()
        self.change(Mode.READ)

    def drop_draft(self, task_id: int) -> None:
        """What was typed is decided, or not wanted."""
        self._drafts.pop(task_id, None)

    def forget(self) -> None:
        """Another project: no draft is of use there."""
        self._drafts.clear()

    def offer_accepting_anyway(self) -> None:
        """The answer as it is fails its checks."""
        self.refused = True
        self._bar.show_actions(anyway=True)

    def offer_saving_anyway(self) -> None:
        """What was typed fails its checks."""
        self.refused = True
        self._bar.show_edit(anyway=True)
        self._answer.focus_first()
