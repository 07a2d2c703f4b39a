"""The Preview page on a real Session and the practice server: rows twice, gates, pilot, runs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from tests.gui.embedded import embedded

from batchdesk.domain.job import Job, PracticeSpec, ProviderSpec
from batchdesk.domain.task import RunKind, RunState, TaskState
from batchdesk.gui.models.preview import (
    CHECK,
    FIRST,
    LABEL,
    SECOND,
    Found,
    PreviewModel,
    tried_rows,
)
from batchdesk.gui.pages.preview import PreviewPage
from batchdesk.gui.pages.preview_choice import ChoiceStrip
from batchdesk.gui.pages.preview_forecast import ForecastPanel, RangeLine
from batchdesk.gui.widgets.chips import ChipTone
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.widgets.table import Cell
from batchdesk.gui.words import Words
from batchdesk.session import TaskView
from batchdesk.session.forecast import Forecast, Range
from batchdesk.session.sampling import Choice, How

TABLE = "id,text,label\n" + "".join(
    f"r{n:02},{'I love it' if n % 2 else 'It broke at once'} {n},"
    f"{'positive' if n % 2 else 'negative'}\n"
    for n in range(1, 41)
)


def a_job(**practice):
    return Job.model_validate(
        {
            "name": "reviews",
            "data": {"key": "id", "label": "label"},
            "provider": ProviderSpec(
                preset="practice", practice=PracticeSpec(latency_s=0.01, **practice)
            ),
            "stages": [
                {
                    "name": "s",
                    "user": "{{ text }}",
                    "temperature": 0,
                    "output": {
                        "type": "object",
                        "properties": {"label": {"enum": ["positive", "negative"]}},
                        "required": ["label"],
                    },
                    "answer_field": "label",
                }
            ],
        }
    )


@pytest.fixture
def project(desk, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(TABLE)
    desk.open(tmp_path / "p.batchdesk")
    desk.import_table(path, "id")
    desk.edit_job(a_job())
    return desk


@pytest.fixture
def page(project, qtbot):
    return shown(project, qtbot)


def shown(desk, qtbot):
    return embedded(PreviewPage(desk), qtbot)


def click(qtbot, button):
    assert button.isEnabled(), button.toolTip()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def try_rows(desk, page, qtbot):
    click(qtbot, page.strip.start)
    wait(desk)
    page._read()


def wait(desk):
    """Until all runs have ended."""
    desk.refresh_runs()
    ended = {RunState.FINISHED}
    desk.engine.spin_until(lambda: {one.run.state for one in desk.runs} == ended, 60)


def test_that_twenty_rows_are_tried_twice_and_the_gates_are_counted(project, page, qtbot):
    assert page.gates.format.figure.text() == "–"
    try_rows(project, page, qtbot)
    assert len(page.model.rows) == 20
    assert page.gates.format.figure.text() == "40 of 40"
    assert page.gates.stable.figure.text() == "20 of 20"
    assert page.gates.matched.figure.text() == "40 of 40"
    assert page.gates.accuracy.word.text() == "n = 20"
    assert page.badge.text() == "20 rows tried"
    assert project.job_version == 1
    assert [one.run.kind for one in project.runs] == [RunKind.PREVIEW] * 2
    assert {one.run.state for one in project.runs} == {RunState.FINISHED}


def test_that_the_label_s_values_take_turns_unless_the_person_chooses_otherwise(page, qtbot):
    qtbot.waitUntil(lambda: page.strip.choice().how is How.STRATIFIED)
    assert page.strip.choice() == Choice(How.STRATIFIED, 20, "label", 0)
    page.strip.how.choose(How.LONGEST)
    page.strip.how.edited.emit()
    page._show_ways()
    assert page.strip.choice().how is How.LONGEST


def test_that_other_rows_are_chosen_by_another_seed(qtbot):
    strip = ChoiceStrip()
    qtbot.addWidget(strip)
    strip.offer({"a": 2, "b": 3}, None)
    wanted: list[Choice] = []
    strip.wanted.connect(wanted.append)
    strip.how.choose(How.RANDOM)
    strip.how.edited.emit()
    strip.show_state(under_way=False, tried=True, why_not="")
    strip.other.click()
    strip.other.click()
    assert [one.seed for one in wanted] == [1, 2]


@pytest.mark.parametrize("typed", ["0", "201", "many"])
def test_that_a_number_of_rows_that_cannot_be_used_is_marked(qtbot, typed):
    strip = ChoiceStrip()
    qtbot.addWidget(strip)
    wanted: list[Choice] = []
    strip.wanted.connect(wanted.append)
    strip.count.setText(typed)
    strip.begin()
    assert wanted == []
    assert "from 1 to 200" in strip.count.toolTip()


def test_that_the_forecast_is_shown_and_all_rows_can_be_run(project, page, qtbot):
    assert page.forecast.none.isVisibleTo(page)
    try_rows(project, page, qtbot)
    assert not page.forecast.none.isVisibleTo(page)
    assert page.forecast.cost.figure.text() == "free"
    assert page.forecast.time.figure.text().endswith("s")
    gone: list[str] = []
    project.go_to.connect(gone.append)
    click(qtbot, page.forecast.run)
    assert gone == ["run"]
    wait(project)
    summary = project.summary(project.run_id)
    assert summary.run.kind is RunKind.FULL
    assert summary.run.forecast is not None
    assert summary.counts[TaskState.PASSED] + summary.counts.get(TaskState.REVIEW, 0) == 40


def only(job, where):
    return job.model_copy(update={"data": job.data.model_copy(update={"where": where})})


def test_that_buttons_pilot_and_forecast_count_the_rows_that_are_sent(project, page, qtbot):
    project.edit_job(only(a_job(), "label == 'positive' and id != 'r01'"))  # 19 of 40
    assert page.forecast.run.text() == "Run all chosen rows"
    qtbot.waitUntil(lambda: page.forecast.run.text() == "Run all 19 rows")
    assert page.forecast.pilot_facts.text() == "2 rows"
    try_rows(project, page, qtbot)
    assert page.forecast.title.text() == "Forecast for all 19 rows"
    assert page.forecast.run.text() == "Run all (0 to send)"  # at 0, answers are reused
    assert page.forecast.pilot_facts.text().startswith("2 rows · ")
    click(qtbot, page.forecast.pilot)
    wait(project)
    assert (project.runs[0].run.kind, project.runs[0].tasks) == (RunKind.PILOT, 2)


def test_that_rows_that_a_pilot_answered_are_not_counted_as_sent(project, page, qtbot):
    try_rows(project, page, qtbot)
    assert page.forecast.lines["reused"][0].text() == "20"
    click(qtbot, page.forecast.pilot)
    wait(project)
    page._runs_changed()
    session, loop = project.session, project.engine.loop
    ids = loop.run_until_complete(session.task_ids(project.runs[0].run.id))
    piloted = {one.row_key for one in loop.run_until_complete(session.task_page(ids))}
    known = len({row.key for row in page.model.rows} | piloted)
    assert 20 < known <= 24
    qtbot.waitUntil(lambda: page.forecast.lines["reused"][0].text() == str(known))
    assert page.forecast.run.text() == f"Run all ({40 - known} to send)"


def test_that_rows_are_not_spread_over_a_column_of_more_values_than_rows(qtbot):
    strip = ChoiceStrip()
    qtbot.addWidget(strip)
    strip.offer({"few": 3, "many": 21}, "many")
    assert [strip.how.itemData(n) for n in range(strip.how.count())][3:] == ["spread:few"]
    strip.count.setText("21")
    strip.count.textEdited.emit("21")
    assert [strip.how.itemData(n) for n in range(strip.how.count())][3:] == [
        "spread:many",
        "spread:few",
    ]


def test_that_two_long_numbers_of_tokens_are_shown_whole(qtbot):
    panel = ForecastPanel(Words())
    qtbot.addWidget(panel)
    some = Range(1.0, 2.0, 3.0)
    panel.show_forecast(
        Forecast(
            rows=10_777, reused=1_220, too_long=0, requests=some,
            input_tokens=Range(1e6, 1_036_151, 2e6), output_tokens=Range(1e5, 107_790, 2e5),
            instructions=1.0, micros=None, currency=None, seconds=some, bound_by="service",
        )
    )  # fmt: skip
    panel.resize(296, 700)
    panel.show()
    detail = panel.lines["tokens"][1]
    assert detail.text() == "1,036,151 in, 107,790 out"
    assert detail.width() >= detail.fontMetrics().horizontalAdvance(detail.text())


def test_that_a_changed_filter_is_counted_anew_and_nothing_is_promised_for_it(project, page, qtbot):
    try_rows(project, page, qtbot)
    assert page.forecast.run.text() == "Run all (20 to send)"
    assert page.forecast.run_facts.text() != ""
    project.edit_job(only(project.job, "label == 'positive'"))
    qtbot.waitUntil(lambda: page.forecast.run.text() == "Run all 20 rows")
    assert page.forecast.pilot_facts.text() == "2 rows"
    assert page.forecast.run_facts.text() == ""


def test_that_a_filter_that_leaves_no_row_says_why_nothing_can_be_run(project, page, qtbot):
    project.edit_job(only(a_job(), "label == 'none'"))
    qtbot.waitUntil(lambda: not page.forecast.run.isEnabled())
    told = "No row would be sent. Left out: 40 do not match the filter."
    assert page.forecast.run.toolTip() == told
    assert page.strip.start.toolTip() == told


def test_that_answers_that_do_not_fit_fail_the_gate_and_say_so_beside_the_buttons(
    project, page, qtbot
):
    project.edit_job(a_job(faults={"missing_field": 0.5}, seed=3))
    try_rows(project, page, qtbot)
    assert page.gates.format.word.text() == "Doubtful"
    assert page.gates.format.shape.state is BadgeState.REVIEW
    assert page.forecast.warning.text().startswith("Not passed: “Format”")
    assert page.forecast.run.isEnabled()


def test_that_a_changed_prompt_asks_for_another_trial(project, page, qtbot):
    try_rows(project, page, qtbot)
    assert page.forecast.warning.text() == ""
    stage = project.job.stages[0].model_copy(update={"system": "Other."})
    project.edit_job(project.job.model_copy(update={"stages": (stage,)}))
    assert "was changed" in page.forecast.warning.text()


def test_that_a_pilot_is_compared_and_its_rest_released(project, page, qtbot):
    try_rows(project, page, qtbot)
    click(qtbot, page.forecast.pilot)
    wait(project)
    assert project.runs[0].run.kind is RunKind.PILOT
    assert project.runs[0].tasks == 4
    page._runs_changed()
    assert page.pilot.isVisibleTo(page)
    assert not page.forecast.pilot.isVisibleTo(page)
    assert page.forecast.other.isVisibleTo(page)
    assert page.forecast.other.text().startswith("“Run the rest” sends only the rows that")
    assert "Pilot" in [cell.text() for cell in page.pilot.cells]
    click(qtbot, page.pilot.release)
    wait(project)
    assert project.runs[0].run.pilot_run_id == project.runs[1].run.id
    page._runs_changed()
    assert not page.pilot.isVisibleTo(page)
    assert not page.forecast.other.isVisibleTo(page)


def test_that_a_project_opened_again_shows_its_last_preview(project, page, qtbot):
    try_rows(project, page, qtbot)
    again = shown(project, qtbot)
    assert len(again.model.rows) == 20
    assert again.gates.format.figure.text() == "40 of 40"


# -- rows ------------------------------------------------------------------------------------


def task(key, answer, state=TaskState.PASSED, label="positive"):
    return TaskView(
        id=1,
        row_number=1,
        row_key=key,
        cells={"text": "some text", "label": label},
        state=state,
        reason=None,
        error_kind=None,
        error_message=None,
        attempts=1,
        answer=None if answer is None else {"label": answer},
        confidence=0.9,
        repaired=False,
        checks=[],
        input_tokens=1,
        output_tokens=1,
    )


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        (task("a", "positive"), task("a", "positive"), Found.PASSED),
        (task("a", "positive"), task("a", "Positive "), Found.PASSED),
        (task("a", "positive"), task("a", "negative"), Found.CHANGED),
        (task("a", "negative"), task("a", "negative"), Found.LABEL_DIFFERS),
        (task("a", "positive", TaskState.REVIEW), task("a", "positive"), Found.REVIEW),
        (task("a", None, TaskState.DEAD), task("a", "positive"), Found.FAILED),
        (task("a", "positive"), task("a", None, TaskState.RUNNING), Found.WAITING),
    ],
)
def test_that_a_row_says_the_first_thing_that_holds(first, second, found):
    (row,) = tried_rows(a_job(), [first], [second])
    assert row.found is found


def test_that_a_changed_answer_and_a_wrong_one_are_marked_in_the_table(qapp):
    model = PreviewModel(Words())
    first = [task("a", "positive"), task("b", "negative")]
    second = [task("a", "negative"), task("b", "negative")]
    model.set_rows(tried_rows(a_job(), first, second))
    assert model.data(model.index(0, SECOND), Cell.CHIP) is ChipTone.UNSTABLE
    assert model.data(model.index(1, FIRST), Cell.CHIP) is ChipTone.WRONG
    assert model.data(model.index(1, LABEL)) == "positive"
    assert [model.data(model.index(n, CHECK)) for n in (0, 1)] == ["changed", "label differs"]
    model.show_only(Found.CHANGED)
    assert [row.key for row in model.rows] == ["a"]


def test_that_the_range_of_the_forecast_is_shown_whole_on_a_narrow_panel(qtbot):
    line = RangeLine("Time")
    qtbot.addWidget(line)
    words = "2 h 40 min to 4 h 10 min, by the limit of requests"
    line.show_range(Range(1.0, 2.0, 3.0), "3 h", words)
    line.resize(250, line.heightForWidth(250))
    line.show()
    assert line.range.text() == words
    assert line.range.height() >= line.range.heightForWidth(line.range.width()) > 20
