"""What the Run page of a project shows when the window is opened: read, told, closed.

Words: the project, and the file that takes what was seen (JSON).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.e2e_gui.player import Person, play

PROJECT, TOLD = Path(sys.argv[1]), Path(sys.argv[2])


def story(me: Person):
    yield me.there
    yield lambda: me.desk.session is not None and me.desk.runs
    page = me.go(5)
    yield lambda: page.facts() is not None
    tiles = page.tiles
    shown = {
        name: getattr(tiles, name).figure()
        for name in ("done", "passed", "review", "failed", "skipped")
    }
    start = page.start_button
    shown["button"] = [start.text(), start.isVisible() and start.isEnabled()]
    TOLD.write_text(json.dumps(shown), "utf-8")
    me.window.close()


if __name__ == "__main__":
    play(story, [PROJECT])
