"""A paused project is opened again: resumed to its end, reviewed by keyboard, exported, read.

Words: the project, where the export goes, and the file that takes what was seen (JSON).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from tests.e2e_gui.player import Person, play

PROJECT, OUT, TOLD = (Path(word) for word in sys.argv[1:4])
DECIDED = 20


def decide(me, review):
    """A accepts, twice if it asks; where there is no answer, R and Enter reject: (row, word)."""
    key, accepts = review.walk.view.row_key, review.bar.accept_button.isEnabled()

    me.key(Qt.Key.Key_A if accepts else Qt.Key.Key_R)
    if not accepts:
        me.key(Qt.Key.Key_Return)
    elif review.bar.accept_button.text() == "Accept anyway":
        me.key(Qt.Key.Key_A)
    return key, "accepted" if accepts else "rejected"


def next_item(review, decided):
    """Whether another item is before the person."""
    return lambda: review.walk.view is not None and review.walk.view.row_key != decided[0]


def story(me: Person):
    seen = {}
    yield me.there
    yield lambda: me.desk.session is not None and me.desk.runs
    page = me.go(5)
    yield page.start_button.isEnabled
    assert page.start_button.text() == "Resume"
    seen["done_at_start"] = page.facts().done
    me.click(page.start_button)
    yield lambda: me.desk.under_way
    yield lambda: not me.desk.under_way and page.facts().state.value == "finished"
    seen["done_tile"] = page.tiles.done.accessibleName()

    review = me.go(6)
    yield lambda: review.walk.view is not None
    yield lambda: review.queue.table.model().rowCount() >= DECIDED
    waiting = review.queue.table.model().rowCount()
    decided = []
    for number in range(DECIDED):
        decided.append(decide(me, review))
        yield next_item(review, decided[-1])
        if number == 9:  # one step back, and decided again
            me.key(Qt.Key.Key_U)
            yield (
                lambda: review.walk.view is not None and review.walk.view.row_key == decided[-1][0]
            )
            assert review.queue.table.model().rowCount() == waiting - 9
            decide(me, review)
            yield next_item(review, decided[-1])
    assert review.queue.table.model().rowCount() == waiting - DECIDED
    seen["decided"] = decided

    results = me.go(7)
    yield lambda: results._summary is not None and not results.isHidden()
    me.click(results.export_button)
    yield from me.give_path(OUT)
    yield lambda: OUT.exists() and not results.exporting.busy
    seen["export_says"] = results.exporting.banner.title.text()

    model, table = results.rows.model, results.rows.table
    seen["columns"] = [
        model.headerData(n, Qt.Orientation.Horizontal) for n in range(model.columnCount())
    ]
    rows: list[list[str]] = []
    bar = table.verticalScrollBar()
    bar.setValue(0)
    while len(rows) < model.rowCount():
        row = len(rows)
        index = model.index(row, 0)
        table.scrollTo(index)
        index.data()
        yield lambda row=row: model.view(row) is not None
        while len(rows) < model.rowCount() and model.view(len(rows)) is not None:
            rows.append([model.index(len(rows), n).data() for n in range(model.columnCount())])
    seen["rows"] = rows
    tiles = results.tiles
    seen["tiles"] = {
        name: getattr(tiles, name).accessibleName()
        for name in ("answered", "accepted", "review", "failed", "accuracy", "requests")
    }
    TOLD.write_text(json.dumps(seen), "utf-8")
    me.window.close()


if __name__ == "__main__":
    play(story, [PROJECT])
