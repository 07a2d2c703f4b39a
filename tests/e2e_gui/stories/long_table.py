"""A very long table in the window: read, called off, read again, and looked at from end to end.

Words: the project, the table, its rows, and the file for the figures (JSON).
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import psutil
from PySide6.QtCore import Qt
from tests.e2e_gui.lateness import Lateness
from tests.e2e_gui.player import play

PROJECT, TABLE, ROWS, TOLD = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
CANCEL_AT = 0.3  # of the file


def rss_mib():
    """Resident memory now, MiB."""
    return psutil.Process().memory_info().rss / 2**20


def story(me):
    seen: dict[str, Any] = {"peak_mib": 0.0}
    yield me.there
    yield lambda: me.desk.session is not None
    yield lambda: me.desk.project_path is not None and me.window.isEnabled()
    yield 0.2
    data = me.go(2)
    yield data.empty.button.isVisible
    files = data._files
    me.click(data.empty.button)
    yield from me.give_path(TABLE)
    while not (files.importing and files.importing.share >= CANCEL_AT):
        yield 0.02
    assert data.importing.isVisible()
    began = time.monotonic()
    me.click(data.importing.cancel)
    yield lambda: not data.importing.isVisible()
    seen["cancel_shown_s"] = time.monotonic() - began
    told: list[Any] = []
    me.desk.ask(tables_to_read, told.append)
    while not told:
        yield 0.01
    seen["cancel_s"] = time.monotonic() - began
    seen["tables_left"] = told[0]
    me.desk.ask(rows_once_cleaned, told.append)
    while len(told) < 2:
        yield 0.01
    seen["cleaned_s"] = time.monotonic() - began
    seen["in_file"] = told[1]

    lateness = Lateness()
    began = time.monotonic()
    me.click(data.empty.button)
    yield from me.give_path(TABLE)
    shares = set()
    while me.desk.dataset is None:
        if files.importing:
            shares.add(round(files.importing.share, 2))
        seen["peak_mib"] = max(seen["peak_mib"], rss_mib())
        yield 0.05
    seen["import_s"] = time.monotonic() - began
    seen["shares"] = len(shares)
    while data.table.model.rowCount() < ROWS:
        seen["peak_mib"] = max(seen["peak_mib"], rss_mib())
        yield 0.02
    yield 1.0
    seen["import_lag"] = lateness.take()

    table = data.table.table
    bar = table.verticalScrollBar()
    table.setFocus()
    for _ in range(60):
        me.key(Qt.Key.Key_PageDown)
        yield 0.02
    for step in range(1, 41):
        bar.setValue(bar.maximum() * step // 40)
        yield 0.05
    me.key(Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    yield lambda: data.table.model.cached(ROWS - 1) is not None
    seen["last_row"] = data.table.model.index(ROWS - 1, 1).data()
    me.key(Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    yield 0.3
    seen["scroll_lag"] = lateness.take()
    seen["peak_mib"] = max(seen["peak_mib"], rss_mib())
    Path(TOLD).write_text(json.dumps(seen), "utf-8")
    me.window.close()


async def tables_to_read(session):
    """How many tables a reader finds once the writer has done what the cancelling asked for."""
    await session._project.writer.run(lambda connection: None)
    return len(await session.datasets())


async def rows_once_cleaned(session):
    """Datasets and rows in the file once the space is given back."""
    count = "SELECT (SELECT count(*) FROM dataset), (SELECT count(*) FROM row)"
    await session._project.cleaned()
    return await session._project.read(lambda connection: connection.execute(count).fetchone())


if __name__ == "__main__":
    play(story, [PROJECT])
