"""A newer file beside the table: what is new, changed, unchanged and gone, before it is read in.

A Comparison comes in; the wish to import goes out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.sentences import sentence
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.choice_box import ChoiceBox, Piece
from batchdesk.gui.words import MISSING, Words
from batchdesk.session import Dataset, Session
from batchdesk.session.increments import Comparison, Difference
from batchdesk.session.matching import Change

_SHOWN = 200  # characters of a cell
_CHANGES = (Change.NEW, Change.CHANGED, Change.VANISHED, Change.UNCHANGED)


class Newer(QObject):
    """The button that compares the table with a newer file, and what comes of it.

    Args:
        desk: Is asked to compare and to read in.
        words: Numbers for people.
        page: Holds the file dialog; its window shows the comparison.
    """

    def __init__(self, desk: Desk, words: Words, page: QWidget) -> None:
        super().__init__(page)
        self._desk, self._words, self._page = desk, words, page
        self._busy = self._wait = ""
        self.box: NewerBox | None = None
        self.button = Button(self.tr("Compare with a newer file…"), Kind.FLAT, icon="git-diff")
        self.button.clicked.connect(lambda _on=False: self.choose())
        desk.project_changed.connect(self._ended)

    def show_ways(self, wait: str) -> None:
        """``wait``: why nothing can be read now."""
        self._wait = wait
        self.button.set_why_not(wait or self._busy)

    def choose(self) -> None:
        """Let the person choose the newer file."""
        dataset = self._desk.dataset
        if dataset is None:
            return
        dialog = QFileDialog(self._page, self.tr("The newer file"))
        if dataset.path is not None:
            dialog.setDirectory(str(Path(dataset.path).parent))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.compare(Path(name)))
        dialog.open()

    def compare(self, path: Path) -> None:
        """Compare the table with a file, and show what was found."""
        dataset = self._desk.dataset
        if dataset is None:
            return
        self._begin(self.tr("The files are being compared."))
        self._desk.ask(
            partial(_compare, dataset_id=dataset.id, path=path),
            lambda found: self._show(found, path),
            self._failed,
        )

    def _show(self, found: Comparison, path: Path) -> None:
        self._ended()
        if self.box is None:
            self.box = NewerBox(self._page.window(), self._words)
            self.box.import_wanted.connect(self._import)
        self.box.show_comparison(found, path)

    def _import(self, path: Path) -> None:
        dataset = self._desk.dataset
        if dataset is not None:
            self._begin(self.tr("The newer file is being read in."))
            call = partial(_import_again, dataset_id=dataset.id, path=path)
            self._desk.ask(call, self._imported, self._failed)

    def _imported(self, dataset: Dataset) -> None:
        self._ended()
        self._desk.choose_dataset(dataset)

    def _failed(self, error: UserError) -> None:
        self._ended()
        self._desk.problem.emit(sentence(error))

    def _begin(self, busy: str) -> None:
        self._busy = busy
        self.show_ways(self._wait)

    def _ended(self) -> None:
        self._begin("")


async def _compare(session: Session, *, dataset_id: int, path: Path) -> Comparison:
    return await session.compare_table(dataset_id, path)


async def _import_again(session: Session, *, dataset_id: int, path: Path) -> Dataset:
    return (await session.import_again(dataset_id, path)).dataset


class NewerBox(ChoiceBox):
    """The four kinds of rows with samples, and the button that reads the file in.

    Args:
        parent: The window.
        words: Numbers for people.

    Signals:
        import_wanted(object): Read this Path in.
    """

    import_wanted = Signal(object)

    def __init__(self, parent: QWidget, words: Words) -> None:
        super().__init__(
            parent,
            self.tr("The newer file beside the table"),
            self.tr(
                "Nothing has been written yet. Rows that did not change and were answered are not "
                "sent again; the table as it was stays in the project."
            ),
        )
        self._words = words
        self._comparison: Comparison | None = None
        self._path = Path()
        self.go_on = Button(self.tr("Read the newer file in"), Kind.PRIMARY)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.go_on)
        self.chosen.connect(self._show)
        self.go_on.clicked.connect(lambda _on=False: self._import())

    def show_comparison(self, comparison: Comparison, path: Path) -> None:
        """Open with what was found."""
        self._comparison, self._path = comparison, path
        names = self._names()
        number = self._words.number
        self.offer([f"{names[one]}: {number(comparison.counts[one])}" for one in _CHANGES])
        same = self.tr("Nothing changed.") if comparison.is_same else ""
        self.go_on.set_why_not(same)
        self.open_centred()

    def _names(self) -> dict[Change, str]:
        return {
            Change.NEW: self.tr("New rows"),
            Change.CHANGED: self.tr("Changed rows"),
            Change.VANISHED: self.tr("Rows that are gone"),
            Change.UNCHANGED: self.tr("Unchanged rows"),
        }

    def _show(self, number: int) -> None:
        if self._comparison is not None and 0 <= number < len(_CHANGES):
            self.read(list(self._told(self._comparison, _CHANGES[number])))

    def _told(self, comparison: Comparison, change: Change) -> Iterator[Piece]:
        yield from self._columns(comparison)
        if change is Change.CHANGED and not comparison.by_key:
            words = self.tr(
                "Without an id column a changed row counts as one that is gone and a new one."
            )
            yield (f"{words}\n\n", "text2", False)
        if change is Change.UNCHANGED:
            words = self.tr("These rows are the same in the table and in the file.")
            yield (f"{words}\n", "text2", False)
        samples = comparison.samples.get(change, ())
        for one in samples:
            yield from self._row(one)
        more = comparison.counts[change] - len(samples)
        if samples and more > 0:
            yield (self.tr("and %Ln more", "", more), "text2", False)

    def _columns(self, comparison: Comparison) -> Iterator[Piece]:
        for words, names in (
            (self.tr("New columns: {0}"), comparison.added),
            (self.tr("Columns that are gone: {0}"), comparison.gone),
        ):
            if names:
                yield (words.format(", ".join(names)) + "\n\n", "review", False)

    def _row(self, one: Difference) -> Iterator[Piece]:
        yield (self.tr("Row {0}").format(one.key) + "\n", "text2", True)
        before, after = one.before or {}, one.after or {}
        if one.before is None or one.after is None:
            yield (f"{_line(after or before)}\n\n", "text", False)
            return
        for name in {**before, **after}:
            old, new = before.get(name), after.get(name)
            if old != new:
                yield (f"{name}: {_cell(old)}\n", "failed", False)
                yield (f"{name}: {_cell(new)}\n", "passed", False)
        yield ("\n", "text", False)

    def _import(self) -> None:
        self.close_over()
        self.import_wanted.emit(self._path)


def _line(cells: Mapping[str, str | None]) -> str:
    return " · ".join(_cell(cell) for cell in cells.values())[:_SHOWN]


def _cell(cell: str | None) -> str:
    return " ".join(cell.split())[:_SHOWN] if cell else MISSING
