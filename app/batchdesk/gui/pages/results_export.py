"""Exporting a run from the Results page: where to, the wait, and what came of it.

A run and a path come in; the Session writes the file in the background, also while the run goes
on: a table, or a copy of the workbook that the rows came from. Out come a sentence and, when it is
done, the way to the folder.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from batchdesk.domain.job import Job
from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.sentences import sentence
from batchdesk.gui.widgets.banner import Banner, BannerKind
from batchdesk.gui.words import Words
from batchdesk.session import Session, StoredRun

_KINDS = (".csv", ".tsv", ".xlsx", ".jsonl", ".parquet", ".sqlite")
_KNOWN = frozenset({*_KINDS, ".tab", ".txt", ".ndjson", ".sqlite3", ".db", ".db3"})
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')  # in file names, on one system or another
_NAME_LENGTH = 80


def default_name(run: StoredRun) -> str:
    """A file name from the job's, fit for every system, with the run's number."""
    stem = _FORBIDDEN.sub(" ", run.job.name)[:_NAME_LENGTH].strip(" .") or "Batchdesk"
    return f"{stem} {run.id}.csv"


def masks(job: Job) -> bool:
    """Whether rows of a job are sent with masks, which an export can undo."""
    return any(step.step == "mask" for step in job.clean)


def with_suffix(path: Path, suffix: str) -> Path:
    """The path with a known suffix: its own, or else ``suffix`` behind its name."""
    return path if path.suffix.lower() in _KNOWN else path.with_name(f"{path.name}{suffix}")


def copied(path: Path, suffix: str) -> Path:
    """The path of a copy: with the workbook's suffix, which it must have."""
    return path if path.suffix.lower() == suffix else path.with_name(f"{path.name}{suffix}")


class Exporting(QWidget):
    """The sentence about an export; hidden while there is none.

    Signals:
        busy_changed(bool): An export has begun or ended.
    """

    busy_changed = Signal(bool)

    def __init__(self, desk: Desk, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._words = desk, words
        self._folder: Path | None = None  # of the last export
        self._serial = 0
        self.busy = False
        self.unmask = True
        self.dialog: QFileDialog | None = None
        self.native = True
        self.banner = Banner(BannerKind.NOTE, closable=True, close_word=self.tr("Close"))
        self.banner.closed.connect(lambda: self.setVisible(False))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.banner)
        self.setVisible(False)
        desk.project_changed.connect(self._forget)

    def ask_where(self, run: StoredRun) -> None:
        """Open the dialog for a file once it is known whether there is a workbook to copy."""
        self._desk.ask(
            lambda session: session.workbook(run.id),
            partial(self._open_dialog, run),
            lambda _error: self._open_dialog(run, None),
        )

    def _open_dialog(self, run: StoredRun, workbook: Path | None) -> None:
        """What is chosen in it is exported."""
        dialog = QFileDialog(self.window(), self.tr("Export the rows"))
        if not self.native:
            dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        filters = {
            self.tr("CSV, for spreadsheets (*.csv)"): ".csv",
            self.tr("TSV, tab between cells (*.tsv)"): ".tsv",
            self.tr("Excel workbook (*.xlsx)"): ".xlsx",
            self.tr("JSON Lines (*.jsonl)"): ".jsonl",
            self.tr("Parquet (*.parquet)"): ".parquet",
            self.tr("SQLite database (*.sqlite)"): ".sqlite",
        }
        copy = ""
        if workbook is not None:
            suffix = workbook.suffix.lower()
            copy = self.tr("Copy of the workbook, with the answers (*{0})").format(suffix)
            filters[copy] = suffix
        dialog.setNameFilters(list(filters))
        dialog.setDefaultSuffix("csv")
        project = self._desk.project_path
        folder = self._folder or (project.parent if project else Path.home())
        dialog.setDirectory(str(folder))
        dialog.selectFile(default_name(run))

        def other_kind(words: str) -> None:
            suffix = filters.get(words, ".csv")
            dialog.setDefaultSuffix(suffix)
            named = dialog.selectedFiles()
            if named and Path(named[0]).suffix in filters.values():
                dialog.selectFile(Path(named[0]).with_suffix(suffix).name)

        def chosen(name: str) -> None:
            words = dialog.selectedNameFilter()
            path = Path(name)
            if copy and words == copy:
                self.export(run.id, copied(path, filters[copy]), into_copy=True)
            else:
                self.export(run.id, with_suffix(path, filters.get(words, ".csv")))

        dialog.filterSelected.connect(other_kind)
        dialog.fileSelected.connect(chosen)
        dialog.finished.connect(dialog.deleteLater)
        self.dialog = dialog
        dialog.open()

    def export(self, run_id: int, target: Path, *, into_copy: bool = False) -> None:
        """Write a run's rows to a file in the background, or its answers into a copy."""
        if self.busy:
            return
        self._serial += 1
        self._set_busy(busy=True)
        self._say(self.tr("Writing {0} …").format(target.name), "", BannerKind.NOTE)
        self._desk.ask(
            partial(_export, run_id=run_id, target=target, copy=into_copy, unmask=self.unmask),
            partial(self._done, self._serial, target),
            partial(self._failed, self._serial),
        )

    def _done(self, serial: int, target: Path, count: int) -> None:
        if serial != self._serial:
            return
        self._folder = target.parent
        self._set_busy(busy=False)
        rows = self._words.number(count)
        words = self.tr("%n row(s) are in {0}", "", count).replace(f"{count} ", f"{rows} ", 1)
        self._say(words.format(target.name), str(target.parent), BannerKind.DONE)
        self.banner.add_button(
            self.tr("Open folder"), partial(open_folder, target.parent), icon="folder-open"
        )

    def _failed(self, serial: int, error: UserError) -> None:
        if serial == self._serial:
            self._set_busy(busy=False)
            self._say(self.tr("The rows were not exported"), sentence(error), BannerKind.ALARM)

    def _forget(self) -> None:
        self._serial += 1
        self._set_busy(busy=False)
        self.banner.setVisible(False)
        self.setVisible(False)

    def _say(self, title: str, body: str, kind: BannerKind) -> None:
        self.banner.clear_buttons()
        self.banner.show_message(title, body, kind)
        self.setVisible(True)

    def _set_busy(self, *, busy: bool) -> None:
        if busy != self.busy:
            self.busy = busy
            self.busy_changed.emit(busy)


def open_folder(folder: Path) -> None:
    """Show a folder in the system's own file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


async def _export(session: Session, *, run_id: int, target: Path, copy: bool, unmask: bool) -> int:
    write = session.export_into_copy if copy else session.export
    return await write(run_id, target, unmask=unmask)
