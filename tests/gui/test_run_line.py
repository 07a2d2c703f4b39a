"""The line in words: a sentence for everything that can hold a run back, and what is behind it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from tests.gui.run_jobs import practice
from tests.gui.test_run_pictures import busy

from batchdesk.domain.snapshot import Advice, AdviceCode, HoldReason, LimitKind, LimitReason
from batchdesk.gui.words import Words
from batchdesk.gui.words_run import RunWords
from batchdesk.session import Stalled

NBSP = "\u00a0"
SENTENCES = {
    HoldReason.NOTHING: "Nothing holds the run back.",
    HoldReason.IN_FLIGHT: "Held back by the limit of 40 requests at once.",
    HoldReason.REQUESTS_PER_MINUTE: "Held back by requests per minute: 75 % of 600 used.",
    HoldReason.TOKENS_PER_MINUTE: "Held back by tokens per minute: 98 % of 600,000 used.",
    HoldReason.PACE: "Held back by the pace learned from refusals: 1,200 requests per minute.",
    HoldReason.REFUSED: "The service refused; it is tried again in a moment.",
    HoldReason.OUTAGE: "The service does not answer. Next try in 12 s.",
    HoldReason.SHARED: "Another run on the same account has its turn.",
    HoldReason.RETRY_BUDGET: "Only retries are left, and they have had their share.",
    HoldReason.DEGRADED: "Slowed down: too many rows failed in the last minute.",
    HoldReason.LATENCY_MARK: "Slowed down: answers take longer than the job allows.",
    HoldReason.RETRY_WAIT: "All that is left waits to be tried again.",
    HoldReason.NO_WORK: "All that is left is under way.",
    HoldReason.PREPARING: "Rows are being read from the project file.",
}


def held(reason, **changes):
    snapshot = replace(busy(1, 400, 1000.0), hold=reason, permitted_requests_per_s=9.9)
    if reason is HoldReason.OUTAGE:
        changes.setdefault("breaker_probe_s", 12.2)
    return replace(snapshot, **changes)


@pytest.fixture
def words(qapp):
    return RunWords(Words())


@pytest.mark.parametrize("reason", HoldReason)
def test_that_every_reason_has_its_sentence_with_figures(words, reason):
    assert words.standing(held(reason)).replace(NBSP, " ") == SENTENCES[reason]


@pytest.mark.parametrize("reason", HoldReason)
def test_that_every_reason_speaks_chinese(words, reason, language):
    language("zh_CN")
    said = [words.standing(held(reason)), words.hint(held(reason)), words.why(held(reason))]
    letters = {letter for text in said for letter in text if letter.isascii() and letter.isalpha()}
    assert not letters - set("sBatchdesk"), said
    assert said[0].endswith("。")


def test_that_the_share_of_retries_is_the_jobs(words):
    why = words.why(held(HoldReason.RETRY_BUDGET), 0.35).replace(NBSP, " ")
    assert why.startswith("Retries may be 35 % of the requests of a minute")


@pytest.mark.parametrize("reason", LimitReason)
@pytest.mark.parametrize("what", LimitKind)
def test_that_every_change_of_a_limit_has_words(words, what, reason):
    change = replace(busy(1, 24, 0.0).limit_changes[0], what=what, reason=reason)
    assert words.mark(change)
    assert words.code(change)
    assert words.detail(change)


def test_that_changes_say_from_where_to_where_and_rates_are_per_minute(words):
    (refused,) = busy(1, 26, 0.0).limit_changes
    refused = replace(refused, old=40 / 60, new=32 / 60, reason=LimitReason.REFUSED)
    assert words.mark(refused) == "429: 40/min → 32/min"
    (first,) = busy(1, 24, 0.0).limit_changes
    assert words.detail(first) == "Requests per minute: 1,200/min (refused (429))"
    (grown,) = busy(1, 70, 0.0).limit_changes
    assert words.mark(grown) == "faster: 32 → 40"
    (outage,) = busy(1, 250, 0.0).limit_changes
    assert words.mark(outage) == "no answers: outage"


@pytest.mark.parametrize("code", AdviceCode)
@pytest.mark.parametrize("speech", ["en", "zh_CN"])
def test_that_every_advice_is_a_sentence_with_its_figures(words, code, speech, language):
    language(speech)
    params = {"share": 0.93, "requests_per_s": 7.5, "tokens_per_s": 9.0, "limit": 44, "tokens": 912}
    said = words.advice(Advice(code, params)).replace(NBSP, " ")
    assert any(figure in said for figure in ("93", "450", "44", "912"))
    assert "{" not in said
    assert said.isascii() or speech == "zh_CN" or "“" in said


def test_that_every_hold_has_a_short_name(words):
    names = {words.hold(reason) for reason in HoldReason}
    assert len(names) == len(HoldReason)


def test_that_worse_things_come_first(words):
    alarm = held(HoldReason.IN_FLIGHT, degraded=True, growing=True)
    assert words.standing(alarm) == SENTENCES[HoldReason.DEGRADED]
    growing = held(HoldReason.IN_FLIGHT, growing=True)
    assert words.standing(growing).startswith("The queue grows without end")
    down = held(HoldReason.OUTAGE, degraded=True)
    assert words.standing(down).replace(NBSP, " ") == SENTENCES[HoldReason.OUTAGE]


def test_that_a_limit_by_the_person_or_at_the_ceiling_is_told_as_such(words):
    assert words.hint(held(HoldReason.IN_FLIGHT, pinned=True)) == "You fixed it."
    at_most = held(HoldReason.IN_FLIGHT, limit=200)
    assert words.hint(at_most) == "That is the ceiling; a higher one may help."
    waits = words.hint(held(HoldReason.RETRY_WAIT)).replace(NBSP, " ")
    assert waits == "The next one is sent in 12 s."


@pytest.fixture
def live(prepared, page_of):
    """A page whose run is under way only as far as it is told; and a way to tell it."""
    desk = prepared(practice(), 4, start=False)
    desk.ask(lambda session: session.make_run(desk.job, desk.dataset), desk.choose_run)
    desk.refresh_runs()
    desk.under_way.add(desk.run_id)
    page = page_of(desk)

    def tell(snapshot):
        desk.snapshots[desk.run_id] = replace(snapshot, run_id=desk.run_id)
        desk.snapshot.emit(desk.snapshots[desk.run_id])

    yield desk, page, tell
    desk.under_way.clear()


def test_that_why_opens_what_is_behind_the_sentence_and_closes_again(live, qtbot):
    _, page, tell = live
    tell(held(HoldReason.TOKENS_PER_MINUTE))
    line = page.line
    assert line.sentence.text().replace(NBSP, " ") == SENTENCES[HoldReason.TOKENS_PER_MINUTE]
    assert line.hint.text().startswith("More requests at once would not help")
    qtbot.keyClick(line.why, Qt.Key.Key_Return)
    assert line.reasons.isVisible()
    told = line.reasons.words.text()
    assert told.startswith("Tokens of prompts and answers count together.")
    assert "The instructions are about 912 tokens, 81 % of each request." in told.replace(NBSP, " ")
    qtbot.keyClick(line.reasons, Qt.Key.Key_Escape)
    assert not line.reasons.isVisible()
    tell(held(HoldReason.NO_WORK))
    assert line.hint.text().startswith("Tokens per minute are the limit")  # the first advice
    tell(held(HoldReason.NO_WORK, advice=(), at=1401.0))
    assert not line.why.isVisible()


def test_that_a_run_that_stalls_is_told_with_an_offer_to_pause(live, qtbot, monkeypatch):
    desk, page, tell = live
    paused: list[int] = []
    monkeypatch.setattr(desk, "pause", paused.append)
    snapshot = busy(desk.run_id, 100, 1000.0)
    tell(snapshot)
    desk.stalled.emit(Stalled(desk.run_id + 1, 60.0, HoldReason.NOTHING))
    assert not page.stalled.isVisible()
    desk.stalled.emit(Stalled(desk.run_id, 60.0, HoldReason.NOTHING))
    assert page.stalled.isVisible()
    assert (
        page.stalled.title.text().replace(NBSP, " ")
        == "No progress for 1 min 0 s, though rows wait"
    )
    tell(replace(snapshot, at=1101.0))
    assert page.stalled.isVisible()
    qtbot.mouseClick(page.stalled.pause, Qt.MouseButton.LeftButton)
    assert paused == [desk.run_id]
    tell(busy(desk.run_id, 110, 1000.0))
    assert not page.stalled.isVisible()
