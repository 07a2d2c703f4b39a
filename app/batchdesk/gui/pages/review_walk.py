"""The way through the review queue: which item is before the person, and where others stand.

Ids come in from the reader of the queue; tasks are read page by page around the item at hand, so
that the next one shows at once. Out goes the item to show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QObject, Signal

from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.models.queue import QueueModel
from batchdesk.gui.sentences import sentence
from batchdesk.gui.widgets.table import TableView
from batchdesk.session import TaskView


class Walk(QObject):
    """One item at a time.

    Args:
        desk: Where tasks are read.
        model: The queue; only the walk changes its ids.
        table: Shows the model; its current row follows, and leads when the person chooses.

    Attributes:
        current: The task before the person; None at an empty queue.
        view: What was read of it; None until it was.

    Signals:
        leaving(): The item at hand is about to be another one.
        shown(object): The item to show, as a TaskView; None at an empty queue or until it is read.
        failed(str): Tasks could not be read, and why.
    """

    leaving = Signal()
    shown = Signal(object)
    failed = Signal(str)

    def __init__(
        self, desk: Desk, model: QueueModel, table: TableView, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._model = model
        self._table = table
        self._put_off: list[int] = []  # for later in this sitting, in this order
        self._own = False  # the walk itself moves the table's row
        self.current: int | None = None
        self.view: TaskView | None = None
        model.wanted.connect(self._read)
        table.current_row.connect(self._chosen)

    @property
    def row(self) -> int:
        """Where the item stands; -1 if there is none."""
        return -1 if self.current is None else self._model.row_of(self.current)

    # -- the queue --------------------------------------------------------------------------

    def forget(self) -> None:
        """Another run: nothing is put off any more."""
        self._put_off.clear()
        self.take_over(())

    def take_over(self, ids: Sequence[int], keep: int | None = None) -> None:
        """Another queue; stays at ``keep`` if it is in it, else begins at the first item."""
        here, off = set(ids), set(self._put_off)
        self.leaving.emit()
        with self._moving():
            self._model.set_ids(
                [*(i for i in ids if i not in off), *(i for i in self._put_off if i in here)]
            )
        self._put(max(0, self._model.row_of(keep)) if keep is not None else 0)

    def join(self, ids: Sequence[int]) -> None:
        """New tasks at the end; the item at hand stays."""
        self._model.append(ids)
        if self.current is None:
            self._put(0)

    def changed(self, ids: Sequence[int]) -> None:
        """These tasks are others now; what is not before the person is read anew."""
        self._model.forget(id_ for id_ in ids if id_ != self.current)

    # -- moving -----------------------------------------------------------------------------

    def go(self, row: int) -> None:
        """Put the item in this row, or the last one, before the person."""
        self.leaving.emit()
        self._put(row)

    def step(self, by: int) -> None:
        """The next or the previous item, if there is one."""
        row = self.row + by
        if self.current is not None and 0 <= row < self._model.rowCount():
            self.go(row)

    def leave_out(self, task_id: int) -> None:
        """A task is decided; if it was at hand, the one after it is now."""
        row = self._model.row_of(task_id)
        if row < 0:
            return
        with self._moving():
            self._model.remove(row)
        if task_id == self.current:
            self.go(row)

    def put_off(self, task_id: int) -> None:
        """A task goes to the end for this sitting."""
        self._put_off = [*(id_ for id_ in self._put_off if id_ != task_id), task_id]
        row = self._model.row_of(task_id)
        with self._moving():
            self._model.remove(row)
        self._model.append([task_id])
        self.go(row)

    def put_back(self, row: int, task_id: int) -> None:
        """A step is undone: its task stands where it stood, and is at hand."""
        self._put_off = [id_ for id_ in self._put_off if id_ != task_id]
        here = self._model.row_of(task_id)
        with self._moving():
            if here >= 0:
                self._model.remove(here)
            row = self._model.insert(row, task_id)
        self.go(row)

    def _chosen(self, row: int) -> None:
        if not self._own and row >= 0 and self._model.ids()[row] != self.current:
            self.go(row)

    def _put(self, row: int) -> None:
        count = self._model.rowCount()
        if count == 0:
            self.current = None
            self._show(None)
            return
        row = min(row, count - 1)
        self.current = self._model.ids()[row]
        with self._moving():
            self._table.select_row(row)
        self._show(self._model.view(row))
        self._model.ask_around(row)

    def _show(self, view: TaskView | None) -> None:
        self.view = view
        self.shown.emit(view)

    # -- reading ----------------------------------------------------------------------------

    def _read(self, ids: Sequence[int]) -> None:
        def read(views: Sequence[TaskView]) -> None:
            self._model.keep(ids, views)
            found = self._model.view(self.row)
            if self.view is None and found is not None:
                self._show(found)

        def failed(error: UserError) -> None:
            self._model.keep(ids, ())
            self.failed.emit(sentence(error))

        self._desk.ask(lambda session: session.task_page(ids), read, failed)

    @contextmanager
    def _moving(self) -> Iterator[None]:
        before, self._own = self._own, True
        try:
            yield
        finally:
            self._own = before
