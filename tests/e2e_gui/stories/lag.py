"""How late a 10 ms timer of the window is, idle and during a run; what the live panels cost.

Words: the project with one run that waits to be started, and the file for the figures (JSON).
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import psutil
from tests.e2e_gui.lateness import Lateness
from tests.e2e_gui.player import play

PROJECT, TOLD = Path(sys.argv[1]), Path(sys.argv[2])
IDLE_S, PANELS_S = 5.0, 5.0


def cpu_s():
    """CPU seconds of this process so far."""
    used = psutil.Process().cpu_times()
    return used.user + used.system


def story(me):
    seen = {}
    yield me.there
    yield lambda: me.desk.session is not None and me.desk.runs
    page = me.go(5)
    yield 3.0  # what loads after the window is up has loaded
    lateness = Lateness()
    yield IDLE_S
    seen["idle"] = lateness.take()
    me.click(page.start_button)
    yield lambda: page.facts().done >= 50
    lateness.take()
    begin, cpu, done = time.monotonic(), cpu_s(), page.facts().done
    yield PANELS_S
    seen["panels_cpu"] = (cpu_s() - cpu) / (time.monotonic() - begin)
    seen["rows_per_s"] = (page.facts().done - done) / (time.monotonic() - begin)
    seen["panels"] = lateness.take()
    me.go(8)
    yield 0.5
    lateness.take()
    begin, cpu = time.monotonic(), cpu_s()
    yield PANELS_S
    seen["settings_cpu"] = (cpu_s() - cpu) / (time.monotonic() - begin)
    seen["settings"] = lateness.take()
    me.go(5)
    lateness.take()
    ends = time.monotonic() + 60
    while page.facts().state.value != "finished":
        assert time.monotonic() < ends, (page.facts(), me.desk.under_way)
        yield 0.1
    seen["to_the_end"] = lateness.take()
    yield lambda: page.facts().summary.run.active_s > 1  # read anew after the end
    seen["active_s"] = page.facts().summary.run.active_s
    seen["passed"] = page.tiles.passed.figure()
    TOLD.write_text(json.dumps(seen), "utf-8")
    me.window.close()


if __name__ == "__main__":
    play(story, [PROJECT])
