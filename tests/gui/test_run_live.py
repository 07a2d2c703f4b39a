"""The live panels with made-up figures: marks, lanes, permitted rates, phases, and looking back."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.gui.run_jobs import practice, run_to_end
from tests.gui.test_run_pictures import STEPS, busy

from batchdesk.domain.job import Limits
from batchdesk.domain.snapshot import LimitChange, LimitKind, LimitReason
from batchdesk.domain.task import ErrorKind

NBSP = "\u00a0"
STARTED = 1_780_000_000.0


@pytest.fixture
def live(prepared, page_of):
    """A page in the middle of the made-up run, and a way to tell it a snapshot."""
    desk = prepared(practice(), 4, start=False)
    desk.ask(lambda session: session.make_run(desk.job, desk.dataset), desk.choose_run)
    desk.refresh_runs()
    desk.under_way.add(desk.run_id)
    page = page_of(desk)

    def tell(snapshot):
        desk.snapshots[desk.run_id] = snapshot
        desk.snapshot.emit(snapshot)

    for step in range(1, STEPS + 1):
        tell(busy(desk.run_id, step, STARTED))
    yield desk, page, tell
    desk.under_way.clear()


def plain(text):
    return text.replace(NBSP, " ")


def test_that_marks_say_where_and_why_the_limit_changed(live):
    _, page, _ = live
    chart = page.live.limit.chart
    chart.draw()
    codes = [mark.code for mark in chart.marks()]
    assert codes == ["429", "faster", "outage", "told"]
    first = chart.marks()[0]
    assert first.at == STARTED + 1
    assert first.detail == (
        "Requests at once: 8 → 32 (answers come cleanly)\\n"
        "Requests per minute: 1,200/min (refused (429))\\n"
        "Requests per minute: 1,200/min → 1,176/min (accepted again)"
    ).replace("\\n", "\n")
    places = [chart._area.x(mark.at) for mark in chart.marks()]
    assert all(b - a >= 40 for a, b in pairwise(places))


def test_that_a_hundred_changes_do_not_clutter_the_chart(live):
    _, page, tell = live
    changes = [
        LimitChange(STARTED + step * 4, LimitKind.PACE, step, step + 1, reason)
        for step in range(100)
        for reason in (LimitReason.REFUSED, LimitReason.REOPENED, LimitReason.GROWTH)
    ]
    tell(replace(busy(1, STEPS, STARTED + 1), run_id=page.facts().summary.run.id,
                 limit_changes=tuple(changes)))  # fmt: skip
    chart = page.live.limit.chart
    chart.draw()
    assert 2 <= len(chart.marks()) <= chart._area.rect.width() / 40 + 1


def test_that_told_and_learned_limits_are_told_apart(live):
    _, page, tell = live
    limit = page.live.limit
    assert plain(limit.tokens.figures.text()) == "588,000 of 600,000 told"
    assert plain(limit.tokens.share.text()) == "98 %"
    assert limit.requests.figures.text() == "450 of 1,200 learned"
    now = busy(page.facts().summary.run.id, STEPS, STARTED + 1)
    tell(replace(now, permitted_requests_per_s=9.9, pace_per_s=20.0))
    assert limit.requests.figures.text() == "450 of 600 told"  # the lower one counts
    tell(replace(now, at=now.at + 1, pace_per_s=None))
    assert limit.requests.figures.text() == "450; limit not told"


def test_that_a_fixed_limit_is_shown_as_fixed(live):
    _, page, tell = live
    assert page.live.limit.subtitle.text() == "requests at once"
    tell(replace(busy(page.facts().summary.run.id, STEPS, STARTED + 1), pinned=True))
    assert page.live.limit.subtitle.text() == "requests at once; fixed by you"
    assert plain(page.live.limit.chart.label("limit")) == "fixed  40"
    assert page.limits.text() == "Fixed at 40"


def test_that_the_queue_stands_by_lane_and_state_with_its_oldest_wait(live):
    _, page, _ = live
    queue = page.live.queue
    shown = {key: tuple(plain(f.text()) for f in pair) for key, pair in queue.figures.items()}
    assert shown == {
        "waiting": ("1,336", "131"),
        "to_retry": ("7", "2"),
        "in_flight": ("19", "5"),
        "oldest": ("11 s", "48 s"),
    }
    assert [head.isVisible() for head in queue.heads] == [True, True]
    assert queue.subtitle.text() == "rows; 385 more in the project file"
    assert queue.moves.text() == "448 rows/min out"


def test_that_fill_stands_against_drain_and_growing_is_said(live):
    _, page, tell = live
    now = busy(page.facts().summary.run.id, STEPS, STARTED + 1)
    tell(replace(now, fill_per_s=10.0))
    assert page.live.queue.moves.text() == "600 rows/min in, 448 out"
    tell(replace(now, at=now.at + 1, fill_per_s=10.0, growing=True))
    assert page.live.queue.moves.text() == "600 rows/min in, 448 out: grows without end"
    assert page.line.sentence.text().startswith("The queue grows without end")


def test_that_our_own_queue_wait_stands_beside_latency(live):
    _, page, _ = live
    words = plain(page.live.latency.own_wait.text())
    assert words == "wait in our own queue 0.4 s, not included"


def test_that_each_kind_of_failure_shows_what_was_said_last(live):
    _, page, _ = live
    legend = page.live.failures.legend
    said = {line.name.text(): line.last.text() for line in legend}
    assert said["Service overloaded"] == "“upstream overloaded”"
    assert said["Too many requests"] == "“Rate limit reached, retry in 12 s”"


def test_that_the_phases_stand_in_words_and_times(live, qtbot):
    _, page, _ = live
    below = page.live.below
    qtbot.mouseClick(below.views._buttons["time"], Qt.MouseButton.LeftButton)
    phases = {one.words: plain(one.figure) for one in below.time.bar.phases()}
    assert phases == {
        "preparing": "0.1 % · 12 s",
        "queueing": "0.7 % · 1 min 1 s",
        "waiting for a limit": "2.1 % · 3 min 10 s",
        "service": "97 % · 2 h 25 min",
        "checking": "0.1 % · 9.0 s",
        "writing": "0.3 % · 31 s",
    }
    assert sum(one.share for one in below.time.bar.phases()) == pytest.approx(1.0)
    assert "service 97" in below.time.bar.accessibleName()


def test_that_the_lane_of_each_task_is_shown(live):
    _, page, _ = live
    model = page.live.flights.model
    model.show_tasks(busy(1, 1, STARTED).tasks)
    lanes = {
        model.data(model.index(line, 0), Qt.ItemDataRole.DisplayRole): model.data(
            model.index(line, 1), Qt.ItemDataRole.DisplayRole
        )
        for line in range(model.rowCount())
    }
    assert lanes["R-01204"] == "slow"
    assert lanes["R-03871"] == "fast"


def test_that_the_slider_reads_the_figures_of_any_moment(live, qtbot):
    _, page, _ = live
    below = page.live.below
    qtbot.mouseClick(below.views._buttons["back"], Qt.MouseButton.LeftButton)
    below.back.slider.setValue(0)
    then = busy(1, 1, STARTED)
    assert page.live.at == pytest.approx(STARTED + 1)
    assert f"{then.in_flight} in flight, limit {then.limit}" in below.back.figures.text()
    assert below.back.changed.text().startswith("Requests at once: 8 → 32")
    assert "held back by: tokens per minute" in below.back.figures.text()
    assert [figure.text() for figure in page.live.queue.figures["in_flight"]] == ["19", "5"]
    assert plain(page.live.limit.chart.label("limit")) == f"limit  {then.limit}"
    assert page.live.limit.chart._cursor == page.live.at
    qtbot.keyClick(below.back.slider, Qt.Key.Key_End)
    assert page.live.at == pytest.approx(STARTED + STEPS)
    below.show_view("flights")
    assert page.live.at is None
    assert page.live.limit.chart._cursor is None


def test_that_pointing_at_a_chart_reads_all_of_them(live):
    _, page, _ = live
    chart = page.live.latency.chart
    chart.draw()
    QTest.mouseMove(chart, QPoint(round(chart._area.x(STARTED + 260)), 40))
    assert page.live.at == pytest.approx(STARTED + 260, abs=2)
    assert plain(page.live.latency.chart.label("p99")).startswith("P99  14")
    assert page.live.queue.chart._cursor == page.live.at
    page.live.point_at(None)
    assert plain(page.live.latency.chart.label("p99")) == "P99  8.4 s"


def test_that_a_finished_run_is_replayed_from_what_was_kept(prepared, page_of):
    limits = Limits(concurrency=4, attempts_max=1, alarm_share=1.0)
    desk = prepared(practice(0.2, limits=limits, **{"500": 0.2}), 60)
    run_to_end(desk)
    desk.snapshots.clear()
    changes = [LimitChange(0.0, LimitKind.IN_FLIGHT, 4, 3, LimitReason.QUEUEING)]

    async def kept(_run_id):
        series = await type(desk.session).meter_series(desk.session, desk.run_id)
        return [replace(changes[0], at=series[0][0])]

    desk.session.limit_changes = kept
    page = page_of(desk)
    live = page.live
    assert live.below.stack.currentWidget() is live.below.back
    for chart in (live.queue.chart, live.latency.chart, live.limit.chart, live.failures.chart):
        chart.draw()
    assert max(live.limit.chart.drawn("in_flight")) == 4
    assert [mark.words for mark in live.limit.chart.marks()] == ["queue: 4 → 3"]
    assert len(live.queue.chart.drawn("waiting")) >= 2
    assert [value for value in live.latency.chart.drawn("p50") if value == value]  # noqa: PLR0124 - NaN
    failed = page.facts().failures[ErrorKind.SERVER_ERROR]
    assert sum(high for _, _, high in live.failures.chart.stacks("service")) == failed > 0
    live.below.back.slider.setValue(0)
    early = live.below.back.figures.text()
    assert live.queue.moves.text().endswith(" out")
    assert live.queue.moves.text() != "0 rows/min out"
    assert live.queue.figures["oldest"][0].text() != "–"
    live.below.back.slider.setValue(1000)
    assert live.queue.figures["oldest"][0].text() == "–"  # none waits any more
    assert early != live.below.back.figures.text()
    assert live.below.back.figures.text().startswith("60 done · 0 wait")
