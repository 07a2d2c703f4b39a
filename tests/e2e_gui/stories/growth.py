"""Memory of the window while very many rows go through.

Words: the project with one run that waits to be started, the marks (rows done, with commas), and
the file for the figures (JSON).
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import psutil
from tests.e2e_gui.player import play

PROJECT, TOLD = Path(sys.argv[1]), Path(sys.argv[3])
MARKS = [int(mark) for mark in sys.argv[2].split(",")]


def story(me):
    rss = {}
    yield me.there
    yield lambda: me.desk.session is not None and me.desk.runs
    page = me.go(5)
    yield page.start_button.isEnabled
    me.click(page.start_button)
    began = time.monotonic()
    for mark in MARKS:
        while page.facts().done < mark:
            yield 0.1
        rss[mark] = psutil.Process().memory_info().rss / 2**20
    TOLD.write_text(json.dumps({"rss": rss, "seconds": time.monotonic() - began}), "utf-8")
    while me.desk.under_way:
        yield 0.1
    me.window.close()


if __name__ == "__main__":
    play(story, [PROJECT])
