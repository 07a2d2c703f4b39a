"""The Run page on a desk with a real Session: what it shows is what the run did."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from tests.gui.run_jobs import a_job, buttons, plotted, practice, run_to_end, text

from batchdesk.domain.job import Job, Limits
from batchdesk.domain.task import ErrorKind, RunState, TaskState
from batchdesk.gui.models.flights import DOING, STATE
from batchdesk.gui.models.flights import ROW as FLIGHT_ROW
from batchdesk.gui.models.history import History
from batchdesk.gui.pages.run_dead_details import pretty
from batchdesk.gui.pages.run_failures import FAMILIES, family, legend
from batchdesk.gui.widgets.states import BadgeState


def test_that_every_panel_moves_while_a_run_is_under_way(prepared, page_of):
    limits = Limits(concurrency_max=4, retry_wait_base_s=0.2)
    desk = prepared(practice(0.05, limits=limits, **{"500": 0.2}), 200)
    page = page_of(desk)
    desk.engine.spin_until(lambda: (page.facts().done if page.facts() else 0) > 20)
    live = page.live
    before = plotted(live.queue.chart, "waiting")[-1]
    desk.engine.spin(0.6)
    assert plotted(live.queue.chart, "waiting")[-1] < before <= 200
    assert all(0.04 < value < 2 for value in plotted(live.latency.chart, "p50")[-2:])
    assert plotted(live.latency.chart, "first")[-1] > 0
    live.failures.chart.draw()
    drawn = sum(high for _, _, high in live.failures.chart.stacks("service"))
    assert drawn == page.facts().snapshot.failures["server_error"] > 0
    assert live.failures.legend[0].name.text() == "Service error"
    assert live.failures.legend[0].count.text() == f"{drawn:.0f}"
    assert live.failures.last.text().startswith("Last: “The server had an error")
    assert set(plotted(live.limit.chart, "limit")) == {4.0}
    assert max(plotted(live.limit.chart, "in_flight")) == 4.0
    assert live.limit.requests.figures.text().endswith("; limit not told")
    assert live.limit.requests.share.text() == "–"


def test_that_known_limits_show_what_is_used_of_them(prepared, page_of):
    limits = Limits(concurrency_max=4, rpm=600, tpm=1_000_000)
    desk = prepared(practice(limits=limits), 100)
    page = page_of(desk)
    desk.engine.spin_until(lambda: (page.facts().done if page.facts() else 0) > 10)
    assert page.live.limit.requests.figures.text().endswith(
        " of 600 told"
    )  # as told, though a hundredth is kept in reserve
    assert page.live.limit.tokens.figures.text().endswith(" of 1,000,000 told")
    assert page.live.limit.requests.share.text().endswith(" %")
    assert page.line.sentence.text().startswith("Held back by requests per minute: ")


@pytest.mark.parametrize(
    ("likely", "told"), [((40.0, 60.0), "40 s to 1 min 0 s"), ((70.0, 400.0), "at this speed")]
)
def test_that_a_range_of_time_left_is_told_only_around_the_time_left(
    prepared, page_of, monkeypatch, likely, told
):
    desk = prepared(practice(0.1), 60)
    page = page_of(desk)
    desk.engine.spin_until(lambda: page.facts() and page.facts().snapshot)
    facts = replace(page.facts(), snapshot=replace(page.facts().snapshot, eta_s=56.0))
    history = History()
    monkeypatch.setattr(history, "time_left_range", lambda _open: likely)
    page.tiles.refresh(history, facts)
    assert page.tiles.left.figure().replace("\u00a0", " ") == "56 s"
    assert page.tiles.left.context().replace("\u00a0", " ") == told


def test_that_the_head_and_tiles_say_what_the_run_did(prepared, page_of):
    desk = prepared(practice(), 12)
    page = page_of(desk)
    run_to_end(desk)
    assert page.head.title.text() == "Sentiment"
    assert page.head.subtitle.text().startswith("all 12 rows · practice server · ")
    assert (page.badge.state, page.badge.text()) == (BadgeState.FINISHED, "Finished")
    tiles = page.tiles
    assert (tiles.done.figure(), tiles.done.context()) == ("12", "of 12 · 100 %")
    assert (tiles.passed.figure(), tiles.passed.context()) == ("12", "100.0 % of done")
    assert [t.figure() for t in (tiles.review, tiles.failed, tiles.skipped)] == ["0", "0", "0"]
    assert tiles.left.figure() == "0"
    assert tiles.left.context().startswith("took ")
    assert page.line.sentence.text() == "Finished: every row has an outcome."
    assert buttons(page) == [False, False, False]
    assert page.start_button.toolTip() == "The run has finished; every row has an outcome."


def test_that_skipped_rows_are_neither_done_nor_to_do_and_the_end_leads_on(
    desk, page_of, qtbot, tmp_path
):
    table = tmp_path / "reviews.csv"
    texts = ["fine", "bad", "good", "", "", "poor"]
    table.write_text("id,text\n" + "\n".join(f"{n},{t}" for n, t in enumerate(texts, 1)))
    desk.open(tmp_path / "p.batchdesk")
    desk.import_table(table, key="id")
    desk.edit_job(practice())
    desk.start_new_run()
    page = page_of(desk)
    desk.engine.spin_until(lambda: page.facts() and page.facts().state is RunState.FINISHED)
    assert (page.tiles.done.figure(), page.tiles.done.context()) == ("4", "of 4 · 100 %")
    assert page.tiles.skipped.figure() == "2"
    assert page.head.subtitle.text().startswith("all 4 rows · ")
    assert not page.line.to_review.isVisible()
    with qtbot.waitSignal(desk.go_to) as asked:
        qtbot.mouseClick(page.line.to_results, Qt.MouseButton.LeftButton)
    assert asked.args == ["results"]


def test_that_the_end_offers_the_review_of_what_waits(prepared, page_of, qtbot):
    job = practice()
    check = {"kind": "confidence", "source": "logprobs", "at_least": 1.0}
    stage = {**job.stages[0].model_dump(), "checks": [check]}
    desk = prepared(Job.model_validate({**job.model_dump(), "stages": [stage]}), 3)
    page = page_of(desk)
    run_to_end(desk)
    assert page.line.to_review.text() == "Review 3"
    with qtbot.waitSignal(desk.go_to) as asked:
        qtbot.mouseClick(page.line.to_review, Qt.MouseButton.LeftButton)
    assert asked.args == ["review"]


def test_that_an_empty_answer_and_one_for_another_row_look_different():
    parts = {series.key: (series.colour, series.hatch) for series in FAMILIES}
    assert len(set(parts.values())) == len(FAMILIES)
    kinds = (ErrorKind.EMPTY_OUTPUT, ErrorKind.MISALIGNED, ErrorKind.MALFORMED_OUTPUT)
    assert len({family(kind) for kind in kinds}) == 3


def test_that_a_run_is_paused_and_resumed_by_its_buttons(prepared, page_of, qtbot):
    desk = prepared(practice(0.1), 80)
    page = page_of(desk)
    desk.engine.spin_until(lambda: (page.facts().done if page.facts() else 0) > 4)
    assert buttons(page) == [False, True, True]
    assert page.start_button.toolTip() == "The run is under way."
    assert page.stop_button.toolTip().endswith("Nothing is lost.")
    qtbot.mouseClick(page.pause_button, Qt.MouseButton.LeftButton)
    assert page.badge.text() == "Pausing"
    assert not page.pause_button.isEnabled()
    desk.engine.spin_until(lambda: not desk.under_way)
    assert buttons(page) == [True, False, False]
    assert (page.badge.state, page.badge.text()) == (BadgeState.PAUSED, "Paused")
    assert page.start_button.text() == "Resume"
    assert page.pause_button.toolTip() == "The run is not under way."
    assert page.stop_button.toolTip() == (
        "The run is paused: nothing is in flight, so there is nothing to stop."
    )
    desk.heard.clear()
    waiting = page.facts().open
    assert page.line.hint.text() == f"Nothing is lost; {waiting} rows wait for the run to go on."
    assert page.live.flights.model.rowCount() == 0
    qtbot.mouseClick(page.start_button, Qt.MouseButton.LeftButton)
    run_to_end(desk)
    assert desk.summary(desk.run_id).counts == {TaskState.PASSED: 80}


def test_that_stopping_needs_no_second_question(prepared, page_of, qtbot):
    desk = prepared(practice(1.0), 20)
    page = page_of(desk)
    desk.engine.spin_until(lambda: page.facts() and page.facts().snapshot)
    qtbot.keyClick(page.stop_button, Qt.Key.Key_Space)
    desk.engine.spin_until(lambda: not desk.under_way)
    assert desk.summary(desk.run_id).run.state is RunState.STOPPED
    assert page.badge.text() == "Stopped"
    assert buttons(page) == [True, False, False]


def test_that_a_run_that_paused_by_itself_says_why_and_what_to_do(prepared, page_of, qtbot):
    job = a_job(preset="openai-compatible", base_url="http://127.0.0.1:9/v1", model="m")
    desk = prepared(job, 30)
    page = page_of(desk)
    run_to_end(desk)
    banner = page.line.banner
    assert banner.isVisible()
    assert not page.line.line.isVisible()
    assert banner.title.text().startswith("Paused by itself at ")
    assert banner.title.text().endswith(": no connection")
    body = banner.body.text()
    assert body.startswith("What was said: “no connection to 127.0.0.1:9: ")
    assert "Nothing is lost: all answers are saved, and 30 rows wait." in body
    assert body.endswith("Check the address and the network; then resume.")
    assert banner.body.textFormat() == Qt.TextFormat.PlainText
    assert (page.badge.state, page.badge.text()) == (BadgeState.CAUSE, "Paused: no connection")
    assert page.tiles.failed.figure() == "0"
    qtbot.mouseClick(page.line.again, Qt.MouseButton.LeftButton)
    run_to_end(desk)
    assert banner.isVisible()
    assert desk.summary(desk.run_id).requests > 3


def test_that_a_page_that_is_opened_later_shows_the_cause_and_the_curves(prepared, page_of):
    job = a_job(preset="openai-compatible", base_url="http://127.0.0.1:9/v1", model="m")
    desk = prepared(job, 30)
    run_to_end(desk)
    page = page_of(desk)
    assert page.line.banner.title.text() == "Paused by itself: no connection"
    assert "“no connection to 127.0.0.1:9: " in page.line.banner.body.text()
    assert plotted(page.live.queue.chart, "waiting")[-1] == 30
    assert page.live.failures.legend[0].name.text() == "No connection"


def test_that_a_finished_run_shows_its_curves(prepared, page_of):
    desk = prepared(
        practice(0.2, limits=Limits(concurrency=4, alarm_share=1.0), **{"500": 0.2}), 40
    )
    run_to_end(desk)
    page = page_of(desk)
    depth = plotted(page.live.queue.chart, "waiting")
    assert len(depth) >= 2
    assert depth[-1] == 0 < depth[0]
    assert max(plotted(page.live.limit.chart, "in_flight")) == 4
    failed = sum(page.facts().failures.values())
    page.live.failures.chart.draw()
    bars = page.live.failures.chart
    drawn = [high for one in bars.series for _, _, high in bars.stacks(one.key)]
    assert sum(drawn) == failed > 0
    assert page.live.queue.moves.text() == "The queue is empty"
    assert page.live.limit.requests.figures.text().endswith("; limit not told")  # without a slider


def test_that_tasks_under_way_say_what_they_wait_for(prepared, page_of):
    limits = Limits(concurrency_max=4, retry_wait_base_s=30)
    desk = prepared(practice(0.3, limits=limits, **{"500": 0.3}), 30)
    page = page_of(desk)
    model = page.live.flights.model
    wanted = {"waiting for the answer", "Retry"}

    def seen():
        doing = [text(model, line, DOING) for line in range(model.rowCount())]
        return wanted <= {d if d.startswith("w") else d.split()[0] for d in doing}

    desk.engine.spin_until(seen)
    lines = {
        text(model, line, STATE): (text(model, line, FLIGHT_ROW), text(model, line, DOING))
        for line in range(model.rowCount())
    }
    assert lines["In flight"][0].startswith("R-0")
    assert lines["To retry"][1].endswith(" s (service error)")


def test_that_charts_rest_while_the_page_is_hidden(prepared, page_of):
    desk = prepared(practice(0.1), 60)
    page = page_of(desk)
    desk.engine.spin_until(lambda: page.facts() and page.facts().snapshot)
    page.hide()
    chart = page.live.queue.chart
    held = len(chart.drawn("waiting"))
    desk.engine.spin(0.8)
    assert len(chart.drawn("waiting")) == held
    page.show()
    assert len(chart.drawn("waiting")) > held


def test_that_an_empty_page_says_what_to_do(desk, page_of, qtbot, tmp_path):
    page = page_of(desk)
    assert page.empty.isVisible()
    assert page.empty.sentence.text() == "Open a project or a table to run a prompt over it."
    with qtbot.waitSignal(desk.go_to) as asked:
        qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert asked.args == ["runs"]
    desk.open(tmp_path / "p.batchdesk")
    assert page.empty.button.text() == "Go to Data"
    assert not page.start_button.isVisible()


def test_that_a_run_that_was_not_started_can_be(prepared, page_of):
    desk = prepared(practice(), 5, start=False)
    desk.ask(lambda session: session.make_run(desk.job, desk.dataset), desk.choose_run)
    desk.refresh_runs()
    page = page_of(desk)
    assert (page.start_button.text(), page.badge.text()) == ("Start", "Ready")
    assert page.line.sentence.text() == "Ready to start."
    page.start()
    run_to_end(desk)
    assert page.badge.text() == "Finished"


def test_that_what_cannot_start_is_told_and_can_be_tried_again(prepared, page_of, monkeypatch):
    monkeypatch.setenv("NO_SUCH_KEY", "made-up")
    job = a_job(
        preset="openai-compatible",
        base_url="http://127.0.0.1:9/v1",
        model="m",
        api_key_env="NO_SUCH_KEY",
    )
    desk = prepared(job, 5, start=False)
    desk.ask(lambda session: session.make_run(desk.job, desk.dataset), desk.choose_run)
    desk.refresh_runs()
    page = page_of(desk)
    told: list[str] = []
    desk.problem.connect(told.append)
    monkeypatch.delenv("NO_SUCH_KEY")  # gone since the run was made
    page.start()
    assert "NO_SUCH_KEY" in told[-1]
    assert buttons(page) == [True, False, False]


def test_that_the_page_speaks_chinese(prepared, page_of, language):
    language("zh_CN")
    desk = prepared(practice(limits=Limits(concurrency_max=4, attempts_max=1), **{"500": 1.0}), 3)
    page = page_of(desk)
    run_to_end(desk)
    assert page.live.queue.title.text() == "队列深度"
    assert page.live.latency.title.text() == "成功请求的延迟"
    assert page.live.failures.title.text() == "失败请求（按种类）"
    assert page.live.limit.title.text() == "并发上限与在途请求"
    assert page.tiles.done.context() == "共 3 · 100%"
    assert page.line.hint.text() == "3 行失败；请查看“失败的行”。"
    assert page.head.subtitle.text().startswith("全部 3 行 · ")
    page.show_view("dead")
    assert page.dead.ask_all.text() == "重新提问全部 3 行"
    assert "请求:" in page.dead.details.raw.toPlainText()


@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_that_the_page_fits_a_small_window(prepared, page_of, language, code):
    language(code)
    job = a_job(preset="openai-compatible", base_url="http://127.0.0.1:9/v1", model="m")
    desk = prepared(job, 30)
    page = page_of(desk)
    run_to_end(desk)
    for view in ("live", "dead"):
        page.show_view(view)
        least = page.minimumSizeHint()
        assert (least.width() <= 1024 - 56, least.height() <= 700 - 44) == (True, True), least


def test_that_raw_json_is_indented_and_other_text_is_left_alone():
    assert pretty('{"a":"你好"}') == '{\n  "a": "你好"\n}'
    assert pretty("<b>not JSON</b>") == "<b>not JSON</b>"
    assert pretty("x" * 100_001) == "x" * 100_000 + "…"


def test_that_the_legend_puts_rare_kinds_together():
    counts = {"rate_limited": 9, "auth": 1, "overloaded": 5, "read_timeout": 2, "server_error": 0}
    failures = {ErrorKind(kind): n for kind, n in counts.items()}
    assert legend(failures, 3) == [("rate_limited", 9), ("overloaded", 5), (None, 3)]
    assert legend(failures, 4) == [
        ("rate_limited", 9), ("overloaded", 5), ("read_timeout", 2), ("auth", 1),
    ]  # fmt: skip
