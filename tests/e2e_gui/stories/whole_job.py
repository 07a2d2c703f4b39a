"""From a file to a run that is paused by closing the window: everything by clicks and keys.

Words: the table, and the file that takes what was seen (JSON).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton
from tests.e2e_gui.player import CTRL, play

TABLE, TOLD = Path(sys.argv[1]), Path(sys.argv[2])
FAULTS = {
    "500": "3",
    "reset": "2",
    "malformed": "2",
    "wrong_row": "2",
    "cut": "1",
    "missing_field": "1",
}


def answered(page):
    """How many rows have an outcome; rows that are not sent do not count."""
    facts = page.facts()
    return facts.done if facts else 0


def moved(live):
    """One figure of each of the four panels as drawn: queue, latency, failures, in flight."""
    bars = live.failures.chart
    return (
        tuple(live.queue.chart.drawn("waiting")),
        tuple(live.latency.chart.drawn("p95")),
        tuple(sum(high for _, _, high in bars.stacks(one.key)) for one in bars.series),
        tuple(live.limit.chart.drawn("in_flight")),
    )


def write_prompt(me, page):
    """The prompt, the answer, the practice server with its faults, and the checks."""
    me.write(page.texts.system, "Judge the review.")
    me.write(page.texts.user, "Review: ")
    page.texts.user.setFocus()
    me.key(Qt.Key.Key_End, CTRL)
    me.click(next(chip for chip in page.texts.chips.chips if chip.column == "text"))
    editor = page.answer.editor
    me.write(editor.name, "sentiment")
    me.choose(editor.kind, "one of…")
    me.write(editor.allowed, "positive\nnegative\nneutral")
    practice = page.model.practice
    me.write(practice.latency, "0.3")
    for fault, percent in FAULTS.items():
        me.choose(practice.add, practice.fault_words()[fault])
        me.type_text(percent)
    me.write(page.model.at_once, "40")
    me.write(page.rows.where, 'id < "2"')
    me.click_at(page.checks.wanted, 8, page.checks.wanted.height() // 2)
    me.write(page.checks.at_least, "0.8")


def story(me):
    seen = {}
    yield me.there
    runs = me.page("runs")
    yield runs.start.zone.button.isVisible
    me.click(runs.start.zone.button)
    yield from me.give_path(TABLE)
    yield lambda: me.window.current_page == "data"
    data = me.page("data")
    yield lambda: data.table.model.rowCount() == 3708 and data.table.model.cached(0) is not None
    assert data.table.model.index(0, 3).data().startswith("troubleshooting ad-2500")
    me.choose(data.columns.id_column, "id")
    yield lambda: me.desk.dataset.key_column == "id"
    me.click(data.go_on)
    yield lambda: me.window.current_page == "prompt"
    prompt = me.page("prompt")
    yield prompt.texts.user.isVisible
    write_prompt(me, prompt)
    assert not prompt.run_all.toolTip(), prompt.run_all.toolTip()
    data = me.go(2)
    me.choose(data.columns.label_column, "label")
    assert me.desk.job.data.label == "label"
    me.go(3)
    yield prompt.run_all.isEnabled
    seen["job"] = me.desk.job.model_dump(mode="json")
    me.click(prompt.run_all)
    yield lambda: me.window.current_page == "run"
    page = me.page("run")
    yield lambda: answered(page) >= 100
    first = moved(page.live)
    yield lambda: answered(page) >= 300
    yield 0.3
    second = moved(page.live)
    seen["panels"] = [a != b for a, b in zip(first, second, strict=True)]
    seen["failed_kinds"] = [
        line.name.text() for line in page.live.failures.legend if line.name.text()
    ]
    seen["in_flight_drawn"] = max(second[3])

    me.click(page.pause_button)
    yield lambda: page.facts().state.value == "paused"
    yield page.start_button.isEnabled
    paused_at = answered(page)
    yield 0.6
    assert answered(page) == paused_at, "a paused run went on"
    assert page.start_button.text() == "Resume"
    seen["paused_at"] = paused_at
    me.click(page.start_button)
    yield lambda: me.desk.under_way and answered(page) >= paused_at + 100

    me.window.close()
    yield lambda: me.asked_by(QMessageBox)
    asks = me.dialog(QMessageBox)
    words = [button.text() for button in asks.findChildren(QPushButton)]
    seen["asked"] = [asks.text(), words]
    assert me.window.isVisible()
    me.key(Qt.Key.Key_Escape)
    yield lambda: me.dialog(QMessageBox) is None and me.in_front()
    done = answered(page)
    yield lambda: answered(page) > done
    me.window.close()
    yield lambda: me.asked_by(QMessageBox)
    quit_button = next(
        button
        for button in me.dialog(QMessageBox).findChildren(QPushButton)
        if button.text() == "Pause and quit"
    )
    seen["project"] = str(me.desk.project_path)
    TOLD.write_text(json.dumps(seen), "utf-8")
    me.click(quit_button)


if __name__ == "__main__":
    play(story)
