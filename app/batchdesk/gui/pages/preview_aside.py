"""What the Preview page asks for by itself: columns to spread rows over, and a newer promise.

The desk's table and runs and the preview on show come in; columns with few values go out, and the
preview with what all rows will take once a pilot or a run has answered some of them.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from batchdesk.gui.desk import Desk
from batchdesk.gui.pages import preview_flow as flow
from batchdesk.gui.pages.preview_flow import Shown
from batchdesk.gui.row_counter import MOST_COUNTED


class PreviewAside(QObject):
    """Asks each question once.

    Args:
        desk: Is asked.

    Signals:
        columns_known(): ``columns`` are others.
        reckoned(object): The preview as Shown, with a newer promise.
    """

    columns_known = Signal()
    reckoned = Signal(object)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._columns: dict[str, int] = {}
        self._columns_of: int | None = None  # the id of the table
        self._reckoned_for: object = None

    def forget(self) -> None:
        """Another project or table is shown."""
        self._columns, self._columns_of, self._reckoned_for = {}, None, None

    def columns(self) -> dict[str, int]:
        """Columns of the desk's table with few values, and how many; none until it is known."""
        dataset = self._desk.dataset
        if dataset is None:
            return {}
        if self._columns_of != dataset.id:
            self._columns, self._columns_of = {}, dataset.id
            call = partial(flow.few_values, dataset_id=dataset.id)
            self._desk.ask(call, partial(self._have_columns, dataset.id))
        return self._columns

    def _have_columns(self, dataset_id: int, found: dict[str, int]) -> None:
        if dataset_id == self._columns_of:
            self._columns = found
            self.columns_known.emit()

    def reckon_anew(self, present: Shown | None) -> None:
        """Ask for a newer promise if runs ended after the preview, but not for the largest tables.

        Args:
            present: The preview of the job as it is now.
        """
        dataset = self._desk.dataset
        if present is None or present.preview.forecast is None or dataset is None:
            return
        since = flow.answered_since(self._desk.runs, present.preview)
        question = (present.preview.id, since)
        if since and question != self._reckoned_for and dataset.row_count <= MOST_COUNTED:
            self._reckoned_for = question
            call = partial(flow.refresh, preview_id=present.preview.id)
            self._desk.ask(call, self.reckoned.emit)
