"""How the file is read: encoding and separator, with a sample of what another choice would give.

The person's choice is only looked at first; "Read again" imports the file that way.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QRectF, QSignalBlocker, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from batchdesk.errors import UserError
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.desk_files import Files, Place, look_into
from batchdesk.gui.pages.data_chunks import ChunkChoice
from batchdesk.gui.pages.data_parts import WITH_PARTS, PartChoice, options_shown
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import RADIUS, Type, theme
from batchdesk.gui.widgets.buttons import Button
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.paint import rounded
from batchdesk.gui.words import Words
from batchdesk.session import Dataset, ReadOptions, TablePeek
from batchdesk.session.reading import list_parts

_ENCODINGS = (
    ("utf-8", "UTF-8"),
    ("gb18030", "GB18030"),
    ("big5", "Big5"),
    ("shift_jis", "Shift JIS"),
    ("euc_kr", "EUC-KR"),
    ("cp1252", "Windows-1252"),
    ("cp1251", "Windows-1251"),
    ("cp1250", "Windows-1250"),
    ("utf-16", "UTF-16"),
)
_SAME = {"utf-8-sig": "utf-8"}  # the mark at the beginning is not worth a choice of its own
_UTF8 = "utf-8"
_SAMPLE_CHARACTERS = 160
_TEXTS = frozenset({"csv", "tsv", "jsonl", "batch-input", "None"})


class SampleBox(QWidget):
    """A few lines of a file in the type of raw text, on a ground of their own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 5, 8, 5)
        self._column.setSpacing(0)

    def set_lines(self, lines: list[tuple[str, str]]) -> None:
        """Show lines, each with the token of its colour."""
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for text, colour in lines:
            self._column.addWidget(ElidingLabel(text, Type.MONO, colour, least=40))
        self.setAccessibleName("\n".join(text for text, _ in lines))
        self.setVisible(bool(lines))

    def lines(self) -> list[str]:
        """What is shown."""
        return self.accessibleName().split("\n") if self.accessibleName() else []

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = theme().tokens
        with QPainter(self) as painter:
            ground, edge = tokens.colour("alt"), tokens.colour("border2")
            rounded(painter, QRectF(self.rect()), RADIUS, ground, edge)


class ReadingSection(QWidget):
    """Encoding, separator, sample, and the button that reads the file again.

    Args:
        desk: Is asked to look into the file.
        files: Knows where the dataset came from.
        words: Numbers for people.

    Signals:
        read_again(ReadOptions): Import the file so.
    """

    read_again = Signal(object)

    def __init__(
        self, desk: Desk, files: Files, words: Words, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._desk, self._files, self._words = desk, files, words
        self._dataset: Dataset | None = None
        self._looks: list[Asked] = []
        self.encoding = QComboBox()
        self.separator = QComboBox()
        self.guessed = [ElidingLabel(), ElidingLabel()]
        self.sample = SampleBox()
        self.note = PlainLabel("", Type.LABEL, "text2", wrap=True)
        self.again = Button(self.tr("Read again with these options"), icon="arrow-clockwise")
        self.again.clicked.connect(lambda: self.read_again.emit(self.chosen()))
        self.more = PartChoice()
        self.more.changed.connect(self._look)
        self.chunks = ChunkChoice(self._model, words)
        self.chunks.changed.connect(self._look)
        rows = ((self.tr("Encoding"), self.encoding), (self.tr("Separator"), self.separator))
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self._separator_name = ElidingLabel(rows[1][0], Type.BODY, "text2", least=60)
        self._encoding_name = ElidingLabel(rows[0][0], Type.BODY, "text2", least=60)
        names = [self._encoding_name, self._separator_name]
        for place, (name, control) in enumerate(rows):
            control.setAccessibleName(name)
            control.setMinimumWidth(80)
            control.activated.connect(self._look)
            grid.addWidget(names[place], place, 0)
            grid.addWidget(control, place, 1)
            grid.addWidget(self.guessed[place], place, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(grid)
        column.addWidget(self.more)
        for widget in (self.chunks, self.sample, self.note, self.again):
            column.addWidget(widget)

    def chosen(self) -> ReadOptions:
        """What the choices say now."""
        name = str(self._dataset.format.get("name")) if self._dataset is not None else ""
        encoding = self.encoding.currentData() if name in _TEXTS else None
        separator = self.separator.currentData() if self._has_separator() else None
        return replace(
            self.more.options(),
            encoding=encoding,
            separator=separator,
            chunks=self.chunks.options(),
        )

    def _model(self) -> str:
        job = self._desk.job
        return "" if job is None else job.provider.model

    def show_dataset(self, dataset: Dataset | None) -> None:
        """Show how a dataset was read."""
        self._dataset = dataset
        if dataset is None:
            return
        place = self._files.place(dataset)
        self._fill(dataset)
        why = "" if place is not None else self._why_not(dataset)
        for control in (self.encoding, self.separator, self.more, self.chunks):
            control.setEnabled(place is not None)
            control.setToolTip(why)
        self.more.show_format(dataset.format)
        self.chunks.show_dataset(dataset)
        if place is not None:
            name = str(dataset.format.get("name"))
            if name in WITH_PARTS:
                find = partial(asyncio.to_thread, list_parts, place.path)
                self._looks.append(
                    self._desk.ask_program(find, self.more.offer_parts, lambda _: None)
                )
        self._show_note(why, "text2")
        self.again.setVisible(False)
        self.sample.set_lines([])
        for label in self.guessed:
            label.set_text("")
        if place is not None:
            self._look()

    def _why_not(self, dataset: Dataset) -> str:
        """Why a table cannot be read again."""
        if dataset.path is None:
            return self.tr(
                "Where this file lies is not known. Add it again to read it in another way."
            )
        return self.tr(
            "{0} is not there any more. Put it back, or add it again from where it is, to read it "
            "in another way."
        ).format(dataset.path)

    def _fill(self, dataset: Dataset) -> None:
        encoding = str(dataset.format.get("encoding"))
        self._fill_choice(self.encoding, list(_ENCODINGS), _SAME.get(encoding, encoding))
        separators = [
            (",", self.tr("Comma  ,")),
            (";", self.tr("Semicolon  ;")),
            ("\t", self.tr("Tab")),
            ("|", self.tr("Bar  |")),
        ]
        separator = dataset.format.get("separator")
        self._fill_choice(self.separator, separators, separator)
        for widget in (self.separator, self._separator_name, self.guessed[1]):
            widget.setVisible(separator is not None)
        is_text = str(dataset.format.get("name")) in _TEXTS
        for widget in (self.encoding, self._encoding_name, self.guessed[0]):
            widget.setVisible(is_text)

    def _fill_choice(
        self, control: QComboBox, options: list[tuple[str, str]], current: str | None
    ) -> None:
        with QSignalBlocker(control):
            control.clear()
            known = [value for value, _ in options]
            if current not in known:
                options = [*options, (current or "", (current or "").upper())]
            for value, word in options:
                control.addItem(word, value or None)
            control.setCurrentIndex([value for value, _ in options].index(current or ""))

    def _is_as_imported(self) -> bool:
        if self._dataset is None:
            return True
        read = self._dataset.format
        encoding = str(read.get("encoding"))
        is_text = str(read.get("name")) in _TEXTS
        told = replace(
            options_shown(read),
            encoding=_SAME.get(encoding, encoding) if is_text else None,
            separator=read.get("separator") if self._has_separator() else None,
            chunks=self.chunks.told(),
        )
        return self.chosen() == told

    def _has_separator(self) -> bool:
        return self._dataset is not None and self._dataset.format.get("separator") is not None

    def _look(self) -> None:
        """Look into the file as the choices say, and with the other guess beside it."""
        place = self._files.place(self._dataset)
        if place is None:
            return
        self._show_guessed(place.options)
        for look in self._looks:
            look.cancel()
        chosen = Place(place.path, self.chosen())
        self.again.setVisible(not self._is_as_imported())
        self._looks = [look_into(self._desk, chosen, self._show_sample, self._show_error)]
        encoding = chosen.options.encoding
        if self._is_as_imported() and encoding is not None and encoding != _UTF8:
            other = Place(place.path, replace(chosen.options, encoding=_UTF8))
            look = look_into(self._desk, other, self._show_other, lambda _: None)
            self._looks.append(look)

    def _show_guessed(self, told: ReadOptions) -> None:
        guessed, as_imported = self.tr("guessed"), self._is_as_imported()
        for label, value in zip(self.guessed, (told.encoding, told.separator), strict=True):
            label.set_text(guessed if value is None and as_imported else "")

    def _show_sample(self, peek: TablePeek) -> None:
        separator = str(peek.format.get("separator") or " ")
        shown = [peek.columns, *peek.rows[:1]]
        lines = [*(_line(cells, separator) for cells in shown), *map(_cut, self.chunks.lines(peek))]
        self.sample.set_lines([(line, "text") for line in lines])
        if self._is_as_imported():
            self._show_note("", "text2")
            return
        broken = peek.problems.get("undecodable", 0)
        columns = self.tr("%Ln column(s)", "", len(peek.columns))
        if broken:
            fault = self.tr("%Ln line(s) looked at do not fit this encoding", "", broken)
            self._show_note(self.tr("{0}. {1}.").format(columns, fault), "failed")
        else:
            words = self.tr("{0}. Not read in yet.").format(columns)
            self._show_note(words, "text2")

    def _show_other(self, peek: TablePeek) -> None:
        if not peek.problems.get("undecodable"):
            return
        line = _line(peek.rows[0] if peek.rows else peek.columns, " ")
        lines = [(text, "text") for text in self.sample.lines()]
        told = self.tr("If it were read as UTF-8, this row would be: {0}").format(line)
        self.sample.set_lines([*lines, (told, "text2")])

    def _show_error(self, error: UserError) -> None:
        self.sample.set_lines([])
        self._show_note(sentence(error), "failed")
        if not self._is_as_imported():
            self.again.setVisible(False)

    def _show_note(self, words: str, colour: str) -> None:
        self.note.setText(words)
        self.note.set_colour(colour)
        self.note.setVisible(bool(words))


def _line(cells: tuple[str | None, ...], separator: str) -> str:
    """Cells as a line of the file would show them, cut to what a line can show."""
    return _cut(separator.join(cell or "" for cell in cells).replace("\t", " → "))


def _cut(text: str) -> str:
    return " ".join(text.split())[:_SAMPLE_CHARACTERS]
