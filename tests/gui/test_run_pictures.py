"""Pictures of the Run page in the middle of a busy run, to be looked at beside the mock-ups.

The figures are made up but add up; into ``build/screenshots`` like those of the other pages.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace

import pytest
from tests.gui.run_jobs import practice, run_to_end
from tests.gui.test_screenshots import FOLDER, SUFFIX, settle

from batchdesk.domain.job import Limits
from batchdesk.domain.snapshot import (
    Advice,
    AdviceCode,
    HoldReason,
    InFlight,
    LaneDepth,
    LimitChange,
    LimitKind,
    LimitReason,
    Percentiles,
    Phases,
    Snapshot,
    Waiting,
)
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.gui.pages import PAGES
from batchdesk.gui.pages.run import RunPage
from batchdesk.gui.theme import ThemeChoice
from batchdesk.gui.window import MainWindow

STEPS = 420  # seconds of the made-up run
ROWS = 5000


def busy(run_id: int, step: int, started: float) -> Snapshot:
    """The made-up run after so many seconds."""
    limit = 8 + step if step < 24 else 32 if step < 70 else min(40, 32 + (step - 70) // 6)
    bump = math.exp(-(((step - 260) / 25) ** 2))
    in_flight = min(limit, round(limit - 1 - 10 * bump - (8 if step > 280 else 0)))
    done = round(7.4 * step)
    failures = {
        ErrorKind.RATE_LIMITED: min(16, step // 3) if step > 20 else 0,
        ErrorKind.OVERLOADED: min(17, max(0, step - 250)),
        ErrorKind.READ_TIMEOUT: min(5, max(0, step - 262) // 4),
        ErrorKind.MALFORMED_OUTPUT: step // 32,
    }
    changes = {
        1: LimitChange(0, LimitKind.IN_FLIGHT, 8, 32, LimitReason.SLOW_START),
        24: LimitChange(0, LimitKind.PACE, None, 20, LimitReason.REFUSED),
        26: LimitChange(0, LimitKind.PACE, 20, 19.6, LimitReason.REOPENED),
        70: LimitChange(0, LimitKind.IN_FLIGHT, 32, 40, LimitReason.FASTER),
        250: LimitChange(0, LimitKind.BREAKER, 1, 0, LimitReason.OUTAGE),
        272: LimitChange(0, LimitKind.BREAKER, 0, 1, LimitReason.PROBE_ANSWERED),
        330: LimitChange(0, LimitKind.TOKENS, None, 10_000, LimitReason.TOLD),
    }
    at = started + step
    tasks = (
        InFlight(1, "R-03871", 1, 3.1, "service"),
        InFlight(2, "R-03868", 1, 0.8, "service"),
        InFlight(3, "R-01204", 2, 18.4, "service", slow=True),
        Waiting(4, "R-03702", 2, 12.0, ErrorKind.RATE_LIMITED),
        Waiting(5, "R-00077", 3, 31.0, ErrorKind.OVERLOADED, slow=True),
    )
    open_rows = ROWS - done
    return Snapshot(
        run_id=run_id, at=at, state=RunState.RUNNING, cause=None, active_s=float(step),
        counts={
            TaskState.PENDING: max(0, open_rows - 1500), TaskState.RUNNING: min(open_rows, 1491),
            TaskState.WAITING: 9, TaskState.PASSED: round(done * 0.923),
            TaskState.REVIEW: round(done * 0.07), TaskState.DEAD: round(done * 0.007),
        },
        in_flight=in_flight, limit=limit, buffered=1467, uncommitted=2,
        hold=HoldReason.TOKENS_PER_MINUTE, requests=done + 51, succeeded=done, reused=0,
        failures={kind: n for kind, n in failures.items() if n}, last_failure="upstream overloaded",
        input_tokens=0, output_tokens=0, finished_per_s=7.47, requests_per_s=7.5,
        tokens_per_s=9800.0, permitted_requests_per_s=None, permitted_tokens_per_s=9900.0,
        latency_recent=Percentiles(2.9 + bump / 2, 5.6 + 2.5 * bump, 8.4 + 6 * bump),
        latency_run=Percentiles(), first_token=Percentiles(p50=0.6),
        phases=Phases(12.0, 61.0, 190.0, 8700.0, 9.0, 31.0), eta_s=252.0, oldest_wait_s=48.0,
        tasks=tasks, ceiling=200, pace_per_s=20.0, fast=LaneDepth(1336, 7, 19, 11.0),
        slow=LaneDepth(131, 2, 5, 48.0), fill_per_s=0.0, drain_per_s=7.47,
        last_failures={
            ErrorKind.RATE_LIMITED: "Rate limit reached, retry in 12 s",
            ErrorKind.OVERLOADED: "upstream overloaded",
            ErrorKind.READ_TIMEOUT: "timed out while reading",
            ErrorKind.MALFORMED_OUTPUT: "field “topic” missing",
        },
        limit_changes=(replace(changes[step], at=at),) if step in changes else (),
        queue_wait_p50_s=0.4,
        advice=(
            Advice(AdviceCode.TOKENS_LIMIT, {"share": 0.93, "requests_per_s": 7.5}),
            Advice(AdviceCode.INSTRUCTIONS, {"share": 0.81, "tokens": 912.0}),
        ),
    )  # fmt: skip


@pytest.fixture
def look(theme, language):
    return theme, language


@pytest.fixture
def window_of(prepared, qtbot, theme, language):
    """Opens the window on the Run page of a busy run."""

    def make(choice: str, code: str, size: tuple[int, int]) -> MainWindow:
        theme.choose(ThemeChoice(choice))
        language(code)
        desk = prepared(practice(limits=Limits(concurrency=4)), 4, start=False)
        desk.ask(lambda session: session.make_run(desk.job, desk.dataset), desk.choose_run)
        desk.refresh_runs()
        desk.under_way.add(desk.run_id)
        window = MainWindow(desk, PAGES)
        qtbot.addWidget(window, before_close_func=lambda one: one._desk.under_way.clear())
        window.resize(*size)
        window.show()
        window.go_to("run")
        started = time.time() - STEPS
        for step in range(1, STEPS + 1):
            snapshot = busy(desk.run_id, step, started)
            desk.snapshots[desk.run_id] = snapshot
            desk.snapshot.emit(snapshot)
        settle(qtbot, window)
        return window

    return make


def save(qtbot, window, name: str) -> None:
    qtbot.wait(600)  # the charts draw in turn
    FOLDER.mkdir(parents=True, exist_ok=True)
    window.grab().save(str(FOLDER / f"{name}{SUFFIX}.png"))


@pytest.mark.parametrize(
    ("choice", "code", "size"),
    [
        ("light", "en", (1280, 800)),
        ("dark", "zh_CN", (1280, 800)),
        ("light", "en", (1024, 700)),
        ("light", "zh_CN", (1024, 700)),
    ],
)
def test_that_a_busy_run_is_pictured(window_of, qtbot, choice, code, size):
    window = window_of(choice, code, size)
    page = window.page("run")
    language = code.partition("_")[0]
    narrow = "-1024" if size[0] == 1024 else ""
    ending = f"{choice}-{language}{narrow}"
    save(qtbot, window, f"run-busy-{ending}")
    page.live.below.show_view("time")
    page.line.why.click()
    save(qtbot, window, f"run-why-{ending}")
    page.line.why.click()
    page.live.below.show_view("back")
    page.live.below.back.slider.setValue(560)
    save(qtbot, window, f"run-back-{ending}")
    assert (window.width(), window.height()) == size
    page.limits.click()
    save(qtbot, window, f"run-limits-{ending}")
    page.show_view("dead")
    assert not page.limits.box.isVisible() or page.limits.box.close_over() is None


@pytest.mark.parametrize(
    "shot", [("light", "en", (1280, 800)), ("dark", "zh_CN", (1024, 700))], ids=str
)
def test_that_failed_rows_are_pictured(prepared, qtbot, look, shot):
    theme, language = look
    choice, code, size = shot
    theme.choose(ThemeChoice(choice))
    language(code)
    limits = Limits(concurrency=4, attempts_max=1, alarm_share=1.0)
    desk = prepared(practice(limits=limits, **{"500": 0.5, "reset": 0.5}), 16)
    run_to_end(desk)
    window = MainWindow(desk, PAGES)
    qtbot.addWidget(window)
    window.resize(*size)
    window.show()
    window.go_to("run")
    page = window.page("run")
    assert isinstance(page, RunPage)
    page.show_view("dead")
    page.dead.kind_table.select_row(1)
    settle(qtbot, window)
    save(qtbot, window, f"run-dead-{choice}-{code.partition('_')[0]}-{size[0]}")
    assert page.dead.model.rowCount() > 0
    assert (window.width(), window.height()) == size
