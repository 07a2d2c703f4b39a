"""Long texts cut as a file is read: the column, tokens of a chunk, overlap; off until chosen.

How a dataset was read comes in; ChunkOptions go out, and what chunks of a look into a file are
like.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QVBoxLayout, QWidget

from batchdesk.gui.pages.prompt_inputs import InvalidInputError, NumberLine
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.words import Words
from batchdesk.session import Dataset, TablePeek
from batchdesk.session.reading import Chunked, ChunkOptions, chunk_options, chunked

_LEAST_TOKENS = 16
_LINES_SHOWN = 3
_LIKELY = "text"  # the column of a folder's texts, and a usual name


class ChunkChoice(QWidget):
    """The box that cuts long texts, and under it, while it is ticked, how.

    Args:
        model: The name of the model whose tokens are counted; empty for an estimate.
        words: Numbers for people.

    Signals:
        changed(): The person chose, and it can be used.
    """

    changed = Signal()

    def __init__(
        self, model: Callable[[], str], words: Words, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._model, self._words = model, words
        self._read: Chunked | None = None
        self._rows = 0  # of the table as it was read
        self._sizes = (0, 0)  # tokens and overlap: the last that could be used
        self.cut = QCheckBox(self.tr("Cut long texts"))
        self.cut.setToolTip(self.tr("A row with a long text becomes several, one for each part."))
        self.column = QComboBox()
        self.column.setMinimumWidth(80)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.column.setSizeAdjustPolicy(policy)
        self.tokens = NumberLine(self.tr("Tokens of a part"), _LEAST_TOKENS, whole=True)
        self.overlap = NumberLine(self.tr("Tokens repeated"), 0, whole=True)
        self.note = PlainLabel("", Type.LABEL, "text2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.cut)
        column.addWidget(self._details())
        self.column.setAccessibleName(self.tr("Column with long texts"))
        self.cut.toggled.connect(lambda _on: self._edited())
        self.column.activated.connect(lambda _index: self._edited())
        self.tokens.edited.connect(self._edited)
        self.overlap.edited.connect(self._edited)

    def _details(self) -> QWidget:
        self.details = QWidget()
        grid = QGridLayout(self.details)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, 70)
        rows = (
            (self.tr("Column"), self.column),
            (self.tokens.accessibleName(), self.tokens),
            (self.overlap.accessibleName(), self.overlap),
        )
        for place, (name, control) in enumerate(rows):
            grid.addWidget(ElidingLabel(name, Type.BODY, "text2", least=60), place, 0)
            grid.addWidget(control, place, 1)
        grid.addWidget(self.note, len(rows), 0, 1, 2)
        return self.details

    def show_dataset(self, dataset: Dataset) -> None:
        """Show how a dataset's texts were cut; no signal."""
        read = self._read = chunked(dataset)
        self._rows = dataset.row_count
        told = chunk_options("", "") if read is None else read.options
        self._sizes = (told.tokens, told.overlap)
        controls = (self.cut, self.column, self.tokens, self.overlap)
        blockers = [QSignalBlocker(control) for control in controls]
        self.cut.setChecked(read is not None)
        self.column.clear()
        added = () if read is None else read.added
        self.column.addItems([name for name in dataset.columns if name not in added])
        wanted = _LIKELY if read is None else told.column
        self.column.setCurrentIndex(max(0, self.column.findText(wanted)))
        self.tokens.set_value(told.tokens)
        self.overlap.set_value(told.overlap)
        del blockers
        self._show_details()

    def options(self) -> ChunkOptions | None:
        """What is chosen now; None: texts stay whole."""
        if not self.cut.isChecked():
            return None
        column, (tokens, overlap) = self.column.currentText(), self._sizes
        told = None if self._read is None else self._read.options
        if told is not None and (column, tokens, overlap) == (
            *(told.column, told.tokens, told.overlap),
        ):
            return told  # as it was counted then, whatever model the job has now
        return chunk_options(column, self._model(), tokens=tokens, overlap=overlap)

    def told(self) -> ChunkOptions | None:
        """How the dataset's texts were cut."""
        return None if self._read is None else self._read.options

    def lines(self, peek: TablePeek) -> list[str]:
        """The first parts in a look into a file; none where nothing was to be cut."""
        cut = peek.format.get("chunks")
        if not cut:
            return []
        at = peek.columns.index(cut["added"][0])
        text = peek.columns.index(cut["options"]["column"])
        parts = [row for row in peek.rows if row[at + 1] != "1"][:_LINES_SHOWN]
        words = self.tr("{0} of {1}: {2}")
        shown = [words.format(row[at], row[at + 1], row[text]) for row in parts]
        return shown or [self.tr("None of the first rows has so long a text.")]

    def _edited(self) -> None:
        sizes, fault = [], ""
        for line in (self.tokens, self.overlap):
            try:
                sizes.append(int(line.number()))
                line.setToolTip("")
            except InvalidInputError as error:
                fault = str(error)
                line.setToolTip(fault)
        if fault:
            self._show_details(fault)
            return
        self._sizes = (sizes[0], sizes[1])
        self._show_details()
        self.changed.emit()

    def _show_details(self, fault: str = "") -> None:
        self.details.setVisible(self.cut.isChecked())
        options = self.options()
        if options is None:
            return
        counted = (
            self.tr("Tokens are counted with {0}.").format(options.encoding)
            if options.encoding
            else self.tr("Tokens are estimated.")
        )
        if self._read is not None and options == self._read.options:
            parts = self._words.number(self._rows)
            made = self.tr("%Ln row(s) of the file became {0}.", "", self._read.rows)
            counted = f"{made.format(parts)}\n{counted}"
        self.note.setText(fault or counted)
        self.note.set_colour("failed" if fault else "text2")
