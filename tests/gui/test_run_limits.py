"""Limits that are changed while a run goes on: what the person sets is what the engine gets."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from tests.gui.run_jobs import practice, run_to_end
from tests.gui.test_run_pictures import busy

from batchdesk.domain.job import Limits


@pytest.fixture
def asked(prepared, page_of, monkeypatch):
    """A page of a made-up run, and what was asked of the desk."""
    desk = prepared(practice(), 4, start=False)
    desk.ask(lambda session: session.make_run(desk.job, desk.dataset), desk.choose_run)
    desk.refresh_runs()
    desk.under_way.add(desk.run_id)
    calls: list[tuple[object, ...]] = []
    for name in ("pin", "set_ceiling", "set_told"):
        monkeypatch.setattr(desk, name, lambda *words, name=name: calls.append((name, *words)))
    page = page_of(desk)
    desk.snapshots[desk.run_id] = busy(desk.run_id, 400, 1000.0)
    desk.snapshot.emit(desk.snapshots[desk.run_id])
    yield desk, page, calls
    desk.under_way.clear()


def test_that_what_holds_now_is_shown_and_unchanged_asks_nothing(asked, qtbot):
    _, page, calls = asked
    assert page.limits.text() == "Ceiling 200"
    qtbot.mouseClick(page.limits, Qt.MouseButton.LeftButton)
    box = page.limits.box
    assert (box.by_itself.isChecked(), box.ceiling.value()) == (True, 200)
    assert (box.rpm.text(), box.tpm.text()) == ("not told", "600,000")
    assert (box.ceiling.isEnabled(), box.limit.isEnabled()) == (True, False)
    qtbot.mouseClick(box.apply, Qt.MouseButton.LeftButton)
    assert not box.isVisible()
    assert calls == []


def test_that_the_ceiling_is_moved_by_keys_alone(asked, qtbot):
    desk, page, calls = asked
    page.limits.setFocus()
    qtbot.keyClick(page.limits, Qt.Key.Key_Return)
    box = page.limits.box
    box.ceiling.selectAll()
    qtbot.keyClicks(box.ceiling, "64")
    qtbot.keyClick(box.apply, Qt.Key.Key_Return)
    assert calls == [("set_ceiling", desk.run_id, 64)]


def test_that_a_limit_is_fixed_and_let_go_again(asked, qtbot):
    desk, page, calls = asked
    page.limits.click()
    box = page.limits.box
    box.fixed.setChecked(True)
    box.limit.setValue(12)
    box.apply.click()
    assert calls.pop() == ("pin", desk.run_id, 12)
    fixed = replace(desk.snapshots[desk.run_id], pinned=True, limit=12, at=1401.0)
    desk.snapshots[desk.run_id] = fixed
    desk.snapshot.emit(fixed)
    assert page.limits.text() == "Fixed at 12"
    page.limits.click()
    assert box.fixed.isChecked()
    box.by_itself.setChecked(True)
    box.apply.click()
    assert calls == [("pin", desk.run_id, None)]


def test_that_told_rates_are_set_and_taken_back(asked):
    desk, page, calls = asked
    page.limits.click()
    page.limits.box.rpm.setValue(900)
    page.limits.box.apply.click()
    page.limits.click()
    page.limits.box.tpm.setValue(0)
    page.limits.box.apply.click()
    assert calls == [
        ("set_told", desk.run_id, 900, 600_000),
        ("set_told", desk.run_id, None, None),
    ]


def test_that_escape_changes_nothing(asked, qtbot):
    _, page, calls = asked
    page.limits.click()
    page.limits.box.ceiling.setValue(3)
    qtbot.keyClick(page.limits.box, Qt.Key.Key_Escape)
    assert not page.limits.box.isVisible()
    assert calls == []
    page.limits.click()
    assert page.limits.box.ceiling.value() == 200


def test_that_limits_of_a_run_that_rests_say_why_they_cannot_be_changed(prepared, page_of):
    desk = prepared(practice(), 3)
    page = page_of(desk)
    run_to_end(desk)
    assert not page.limits.isEnabled()
    assert page.limits.toolTip() == "The run is not under way."


def test_that_a_real_run_takes_a_fixed_limit(prepared, page_of):
    desk = prepared(practice(0.2, limits=Limits(concurrency=2)), 60)
    page = page_of(desk)
    desk.engine.spin_until(lambda: page.facts() and page.facts().snapshot)
    desk.pin(desk.run_id, 7)
    desk.engine.spin_until(lambda: page.facts().snapshot.in_flight == 7)
    assert page.limits.text() == "Fixed at 7"
    desk.pin(desk.run_id, None)
    desk.set_ceiling(desk.run_id, 3)
    desk.engine.spin_until(lambda: page.limits.text() == "Ceiling 3")
    desk.set_told(desk.run_id, 600, None)
    desk.engine.spin_until(lambda: page.live.limit.requests.figures.text().endswith(" of 600 told"))


def test_that_what_was_set_holds_when_the_run_is_resumed(prepared, page_of):
    desk = prepared(practice(0.05, limits=Limits(concurrency=2)), 400)
    page = page_of(desk)
    desk.engine.spin_until(lambda: page.facts() and page.facts().snapshot)
    desk.pin(desk.run_id, 3)
    desk.set_told(desk.run_id, 1200, None)
    desk.engine.spin_until(lambda: page.limits.text() == "Fixed at 3")
    page.pause()
    run_to_end(desk)
    page.start()
    desk.engine.spin_until(lambda: page.facts().is_running and page.facts().snapshot)
    assert page.facts().snapshot.pinned
    assert page.limits.text() == "Fixed at 3"
    assert page.facts().snapshot.told_requests_per_s == pytest.approx(20.0)
    page.stop()
    run_to_end(desk)
