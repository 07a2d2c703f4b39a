"""Worked examples: pairs of what is asked and what is answered, sent before every row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.domain.job import Example
from batchdesk.gui.pages.prompt_inputs import note
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.fields import TextBox
from batchdesk.gui.widgets.labels import ElidingLabel


class ExampleBox(QWidget):
    """One example: its question and its answer."""

    edited = Signal()
    removed = Signal()

    def __init__(self, number: int, example: Example, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = self.tr("Example {0}").format(number)
        self.user = TextBox(2)
        self.assistant = TextBox(2)
        self.remove = Button("", Kind.FLAT, icon="trash", height=24)
        self.remove.setAccessibleName(self.tr("Remove example {0}").format(number))
        self.remove.setToolTip(self.remove.accessibleName())
        head = QHBoxLayout()
        head.addWidget(ElidingLabel(title, Type.LABEL_MEDIUM, "text", least=60))
        head.addStretch(1)
        head.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        named = (
            (self.user, example.user, self.tr("{0}: the text of the row")),
            (self.assistant, example.assistant, self.tr("{0}: the right answer")),
        )
        for box, text, name in named:
            box.setPlainText(text)
            box.setAccessibleName(name.format(title))
            box.setPlaceholderText(name.format(title))
            box.textChanged.connect(self.edited)
            column.addWidget(box)
        self.remove.clicked.connect(lambda _on=False: self.removed.emit())

    def example(self) -> Example:
        """The example as it is now."""
        return Example(user=self.user.toPlainText(), assistant=self.assistant.toPlainText())


class ExamplesSection(QWidget):
    """All examples.

    Signals:
        edited(): The person changed something.
        labelled_wanted(): The person wants examples made of rows with a label.
    """

    edited = Signal()
    labelled_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: list[ExampleBox] = []
        self.add = Button(self.tr("Add example"), Kind.FLAT, icon="plus", height=24)
        self.labelled = Button(self.tr("From labels"), Kind.FLAT, icon="tag", height=24)
        self.message = note("", "failed")
        self.message.hide()
        self._list = QVBoxLayout()
        self._list.setSpacing(8)
        add = QHBoxLayout()
        add.addWidget(self.add)
        add.addWidget(self.labelled)
        add.addStretch(1)
        self._none = note(self.tr("Show the model a few rows with the right answer."))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._none)
        column.addLayout(self._list)
        column.addLayout(add)
        column.addWidget(self.message)
        self.add.clicked.connect(lambda _on=False: self.add_example())
        self.labelled.clicked.connect(lambda _on=False: self.labelled_wanted.emit())

    def show_examples(self, examples: Sequence[Example]) -> None:
        """Show other examples; no signal."""
        with QSignalBlocker(self):
            for box in self.boxes:
                box.hide()
                box.deleteLater()
            self.boxes = [self._box(n, one) for n, one in enumerate(examples, 1)]
            self._none.setVisible(not self.boxes)

    def show_way(self, label: str | None) -> None:
        """Whether there is a label column to make examples of."""
        self.labelled.setVisible(label is not None)
        self.labelled.setToolTip(
            self.tr(
                "One row for each value of “{0}”, with the right answer. Leave these rows out of "
                "the run if you want to count how often the model is right."
            ).format(label)
        )

    def add_examples(self, examples: Sequence[Example]) -> None:
        """Add those that are not there yet."""
        have = self.filled()
        new = [one for one in examples if one not in have]
        self.say("" if new else self.tr("They are all there already."))
        if new:
            self.show_examples([*have, *new])
            self.edited.emit()

    def say(self, words: str) -> None:
        """A sentence below the examples; empty to take it away."""
        self.message.setText(words)
        self.message.setVisible(bool(words))

    def examples(self) -> tuple[Example, ...]:
        """The examples as they are now."""
        return tuple(box.example() for box in self.boxes)

    def filled(self) -> tuple[Example, ...]:
        """The examples that say anything; an empty one is not sent."""
        return tuple(one for one in self.examples() if one.user.strip() or one.assistant.strip())

    def add_example(self) -> None:
        """Add an empty example and go to it."""
        self.show_examples([*self.examples(), Example(user="", assistant="")])
        self.boxes[-1].user.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edited.emit()

    def _box(self, number: int, example: Example) -> ExampleBox:
        box = ExampleBox(number, example)
        box.edited.connect(self.edited)
        box.removed.connect(lambda box=box: self._remove(box))
        self._list.addWidget(box)
        return box

    def _remove(self, gone: ExampleBox) -> None:
        self.show_examples([box.example() for box in self.boxes if box is not gone])
        self.edited.emit()
