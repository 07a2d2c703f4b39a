"""Where it goes wrong: answers against labels; a cell opens its rows.

A run in figures comes in; a cell's label and answer go out. Without labels it says what to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from batchdesk.gui.pages.results_facts import matrix_labels
from batchdesk.gui.theme import theme
from batchdesk.gui.widgets.confusion import ConfusionMatrix
from batchdesk.gui.widgets.empty import EmptyState
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.words import Words
from batchdesk.session import RunSummary


class LiveMatrix(ConfusionMatrix):
    """A matrix whose counts may change while a cell is selected."""

    def update_counts(self, labels: Sequence[str], counts: Mapping[tuple[str, str], int]) -> None:
        """Other counts; cursor and selection stay where they are, if their cells still exist."""
        selected, at = self.selected(), self._at
        self.set_counts(labels, counts)
        self._at = min(at[0], max(0, len(labels) - 1)), min(at[1], max(0, len(labels) - 1))
        if selected is not None:
            self.select(*selected)

    def select(self, label: str, answer: str) -> None:
        """Selects a cell without a signal; one that does not exist selects nothing."""
        known = label in self._labels and answer in self._labels
        self._selected = (self._labels.index(label), self._labels.index(answer)) if known else None
        self.update()


class QualityPanel(Panel):
    """The confusion matrix, or what to do to see one.

    Signals:
        cell_selected(str, str): Label and answer of a cell; both empty: none any more.
        go_to(str): The page where something is to be chosen.
    """

    cell_selected = Signal(str, str)
    go_to = Signal(str)

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent=parent)
        self._words = words
        self._target = "data"
        self.set_title(self.tr("Where it goes wrong"))
        self.matrix = LiveMatrix(
            (
                self.tr("your label"),
                self.tr("the model answered"),
                self.tr("found"),
                self.tr("right"),
            )
        )
        self.matrix.cell_selected.connect(self.cell_selected)
        self._shown: object = None
        area = ShrinkingArea(self.matrix)
        self.empty = EmptyState("tag", "", " ")
        self.empty.activated.connect(lambda: self.go_to.emit(self._target))
        self._stack = QStackedWidget()
        self._stack.addWidget(area)
        self._stack.addWidget(ShrinkingArea(self.empty))
        self.body.setContentsMargins(11, 0, 11, 6)
        self.add(self._stack, 1)

    def refresh(self, summary: RunSummary) -> None:
        """Show a run as it stands; a selected cell stays selected."""
        evaluation = summary.evaluation
        if evaluation is None or not evaluation.answered.of:
            self._show_why(summary)
            return
        labels = matrix_labels(evaluation, summary.run.job)
        shown = (tuple(labels), dict(evaluation.confusion))
        if shown != self._shown:
            self._shown = shown
            self.matrix.update_counts(labels, evaluation.confusion)
        self._stack.setCurrentIndex(0)
        count = self._words.number(evaluation.answered.of)
        known = {name for pair in evaluation.confusion for name in pair}
        subtitle = self.tr("{0} labelled answers; a cell opens its rows").format(count)
        if len(labels) < len(known):
            subtitle = self.tr("the {0} most frequent of {1} values; a cell opens its rows").format(
                self._words.number(len(labels)), self._words.number(len(known))
            )
        self.set_subtitle(subtitle)

    def select_cell(self, label: str | None, answer: str | None) -> None:
        """Mark a cell as the one whose rows are shown, or none; without a signal."""
        if label is None or answer is None:
            self.matrix.clear_selection()
        else:
            self.matrix.select(label, answer)

    def _show_why(self, summary: RunSummary) -> None:
        job = summary.run.job
        self._shown = None
        self.set_subtitle("")
        word, detail = "", ""
        if job.data.label is None:
            sentence = self.tr("To see how often answers are right, choose a Label column.")
            detail = self.tr("The next run over the table is then compared with it.")
            word, self._target = self.tr("Go to Data"), "data"
        elif job.stages[0].answer_field is None:
            sentence = self.tr(
                "To compare answers with the labels, choose which field is compared."
            )
            word, self._target = self.tr("Go to Prompt"), "prompt"
        else:
            sentence = self.tr("No row with a label is answered yet.")
            detail = self.tr("Labels are in the column “{0}”.").format(job.data.label)
        self.empty.set_words(sentence, detail)
        self.empty.button.setText(word)
        self.empty.button.setVisible(bool(word))
        self.empty.button.updateGeometry()
        self._stack.setCurrentIndex(1)


class ShrinkingArea(QScrollArea):
    """Scrolls what has no room; its own smallest size is small."""

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(160), theme().px(60))
