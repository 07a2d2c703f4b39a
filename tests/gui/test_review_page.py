"""The Review page with real widgets, real keys and a real Session."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import shutil
import sqlite3
import time

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QPlainTextEdit
from tests.gui.fake_desk import FakeDesk

from batchdesk.domain.job import ConfidenceCheck
from batchdesk.domain.task import TaskState
from batchdesk.domain.verdict import Decision
from batchdesk.errors import ProjectError
from batchdesk.gui.models.queue import QueueModel
from batchdesk.gui.pages.review import ReviewPage
from batchdesk.gui.pages.review_answer import AnswerPanel, fits_form
from batchdesk.gui.pages.review_attempts import pretty
from batchdesk.gui.pages.review_keys import KeysPopover
from batchdesk.gui.pages.review_modes import Mode
from batchdesk.gui.pages.review_sitting import ItemClock, Sitting, Step
from batchdesk.gui.pages.review_text import SourceText, used_columns, word_count
from batchdesk.gui.words import Words
from batchdesk.session import QueueFilter, TaskFilter, read_job_file, samples

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def desk(tmp_path):
    desk = FakeDesk()
    desk.open(tmp_path / "review.batchdesk")
    yield desk
    desk.shut()


class HandClock:
    """A clock that a test turns."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def hand():
    return HandClock()


def order_job(at_least=0.999, latency_s=0.001, **faults):
    """Five fields out of each message; every answer is doubtful at the usual threshold."""
    sample = next(one for one in samples() if one.name == "orders")
    job = read_job_file(sample.job_file)
    sure = ConfidenceCheck(kind="confidence", source="logprobs", at_least=at_least)
    stage = job.stages[0].model_copy(update={"checks": (*job.stages[0].checks, sure)})
    practice = job.provider.practice.model_copy(update={"latency_s": latency_s, "faults": faults})
    provider = job.provider.model_copy(update={"practice": practice})
    return sample, job.model_copy(update={"stages": (stage,), "provider": provider})


def start(desk, job, table, limit=None):
    desk.import_table(table, "id")
    desk.edit_job(job)
    desk.start_new_run(limit=limit)


def finish(desk):
    def ended():
        summary = desk.summary(desk.run_id)
        return summary is not None and summary.run.state.value == "finished"

    desk.engine.spin_until(ended)


def counts(desk):
    summary = desk.summary(desk.run_id)
    return summary.counts if summary else {}


@pytest.fixture(scope="session")
def run_of_30(qapp, tmp_path_factory):
    """A project with a finished run of 30 rows whose answers all wait."""
    path = tmp_path_factory.mktemp("reviewed") / "run.batchdesk"
    desk = FakeDesk()
    desk.open(path)
    sample, job = order_job()
    start(desk, job, sample.table, limit=30)
    finish(desk)
    assert counts(desk) == {TaskState.REVIEW: 30}
    desk.shut()
    return path


@pytest.fixture
def reviewed(run_of_30, tmp_path):
    """A desk with a copy of that project open."""
    path = tmp_path / "review.batchdesk"
    shutil.copy(run_of_30, path)
    desk = FakeDesk()
    desk.open(path)
    yield desk
    desk.shut()


@pytest.fixture
def page(qtbot, reviewed, hand):
    return open_page(qtbot, reviewed, hand)


def open_page(qtbot, desk, hand=time.monotonic):
    page = ReviewPage(desk, hand)
    qtbot.addWidget(page)
    page.resize(1120, 756)
    with qtbot.waitExposed(page):
        page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.shown()
    qtbot.waitUntil(page.queue.table.hasFocus)
    return page


def press(qtbot, *keys, modifier=Qt.KeyboardModifier.NoModifier):
    """Keys where the focus is, as a person's keyboard sends them."""
    for key in keys:
        qtbot.keyClick(QApplication.focusWidget(), key, modifier)


def row_key(page):
    return page.source.title.text()


def ask(desk, call):
    return desk.engine.loop.run_until_complete(call(desk.session))


def states(desk):
    ids = ask(desk, lambda s: s.task_ids(desk.run_id, TaskFilter()))
    return {t.row_key: t for t in ask(desk, lambda s: s.task_page(ids))}


def history(desk, key):
    return ask(desk, lambda s: s.review.history(states(desk)[key].id))


# -- the story -----------------------------------------------------------------------------------


def test_that_twenty_items_are_decided_by_keyboard_with_one_undo(qtbot, page, reviewed, hand):
    assert row_key(page) == "ord-001"
    for _ in range(12):
        hand.now += 2
        press(qtbot, "a")
    assert row_key(page) == "ord-013"
    press(qtbot, "u")
    assert row_key(page) == "ord-012"
    assert page.queue.table.currentIndex().row() == 0
    press(qtbot, "r")
    qtbot.keyClicks(QApplication.focusWidget(), "not a refund at all")
    press(qtbot, Qt.Key.Key_Return)
    for _ in range(8):
        press(qtbot, "a")
    after = states(reviewed)
    decided = [one for one in after.values() if one.state is not TaskState.REVIEW]
    assert len(decided) == 20
    assert after["ord-012"].state is TaskState.REJECTED
    assert {one.state for key, one in after.items() if key < "ord-012"} == {TaskState.ACCEPTED}
    assert row_key(page) == "ord-021"
    first, undone = history(reviewed, "ord-012")
    assert (first.decision, first.note, first.undone) == (
        Decision.REJECTED,
        "not a refund at all",
        False,
    )
    assert (undone.decision, undone.undone) == (Decision.ACCEPTED, True)
    qtbot.waitUntil(lambda: page.queue.decided.text() == "20 of 30 decided")
    assert " · 10 to review · " in page.head.subtitle.text()


def test_that_any_number_of_steps_is_undone_each_going_back_to_its_item(qtbot, page, reviewed):
    press(qtbot, "a", "j", "a", "s", "a")
    seen = []
    for _ in range(4):
        press(qtbot, "u")
        seen.append(row_key(page))
    assert seen == ["ord-005", "ord-004", "ord-003", "ord-001"]
    assert {one.state for one in states(reviewed).values()} == {TaskState.REVIEW}
    first_four = [page.queue.table.model().index(row, 0).data() for row in range(4)]
    assert first_four == ["ord-001", "ord-002", "ord-003", "ord-004"]
    assert not page.bar.undo_button.isEnabled()
    press(qtbot, "u")
    assert row_key(page) == "ord-001"


def test_that_an_edited_answer_is_stored_and_the_models_answer_kept(qtbot, page, reviewed):
    before = states(reviewed)["ord-001"].answer
    press(qtbot, "e")
    assert page.mode is Mode.EDIT
    page.answer.form.focus_field("customer")
    press(qtbot, Qt.Key.Key_A, modifier=CTRL)
    qtbot.keyClicks(QApplication.focusWidget(), "Ada Jarrett")
    press(qtbot, Qt.Key.Key_Return, modifier=CTRL)
    after = states(reviewed)["ord-001"]
    assert after.state is TaskState.ACCEPTED
    assert after.decision is Decision.EDITED
    assert after.answer == {**before, "customer": "Ada Jarrett"}
    [review] = history(reviewed, "ord-001")
    assert review.before == before
    assert review.after == after.answer
    assert row_key(page) == "ord-002"
    assert page.queue.table.hasFocus()


def test_that_letters_type_in_an_editor_and_decide_nothing(qtbot, page, reviewed):
    press(qtbot, "e")
    page.answer.form.focus_field("product")
    press(qtbot, Qt.Key.Key_A, modifier=CTRL)
    qtbot.keyClicks(QApplication.focusWidget(), "saturate")
    assert page.answer.answer()["product"] == "saturate"
    assert row_key(page) == "ord-001"
    assert not history(reviewed, "ord-001")


def test_that_letters_on_a_choice_of_the_form_decide_nothing_while_editing(qtbot, page, reviewed):
    press(qtbot, "e")
    page.answer.form.focus_field("wants")
    assert isinstance(QApplication.focusWidget(), QComboBox)
    press(qtbot, "a", "r", "s")
    assert row_key(page) == "ord-001"
    assert page.mode is Mode.EDIT
    assert not history(reviewed, "ord-001")


def test_that_a_failing_check_stands_at_its_field_and_takes_a_second_press(qtbot, page, reviewed):
    press(qtbot, "e")
    page.answer.form.focus_field("customer")
    press(qtbot, Qt.Key.Key_A, modifier=CTRL)
    press(qtbot, Qt.Key.Key_Delete)
    press(qtbot, Qt.Key.Key_Return, modifier=CTRL)
    field = page.answer.form.fields["customer"]
    assert field.control.accessibleDescription() == "Required field is blank"
    assert page.bar.save_button.text() == "Accept anyway"
    assert states(reviewed)["ord-001"].state is TaskState.REVIEW
    press(qtbot, Qt.Key.Key_Return, modifier=CTRL)
    after = states(reviewed)["ord-001"]
    assert (after.state, after.answer["customer"]) == (TaskState.ACCEPTED, "")


def test_that_a_change_after_a_finding_is_checked_anew(qtbot, page, reviewed):
    press(qtbot, "e")
    page.answer.form.focus_field("customer")
    press(qtbot, Qt.Key.Key_A, modifier=CTRL)
    press(qtbot, Qt.Key.Key_Delete)
    press(qtbot, Qt.Key.Key_Return, modifier=CTRL)
    qtbot.keyClicks(page.answer.form.fields["customer"].control, " ")
    assert page.bar.save_button.text() == "Accept"
    press(qtbot, Qt.Key.Key_Return, modifier=CTRL)
    assert page.bar.save_button.text() == "Accept anyway"
    assert states(reviewed)["ord-001"].state is TaskState.REVIEW


def test_that_escape_leaves_the_form_as_it_was(qtbot, page, reviewed):
    before = states(reviewed)["ord-001"].answer
    press(qtbot, "e")
    page.answer.form.focus_field("product")
    qtbot.keyClicks(QApplication.focusWidget(), "zzz")
    press(qtbot, Qt.Key.Key_Escape)
    assert page.mode is Mode.READ
    assert page.answer.answer() == before
    assert page.queue.table.hasFocus()
    press(qtbot, "a")
    assert states(reviewed)["ord-001"].decision is Decision.ACCEPTED


def test_that_what_was_typed_is_there_again_when_the_person_comes_back(qtbot, page):
    press(qtbot, "e")
    page.answer.form.focus_field("product")
    press(qtbot, Qt.Key.Key_A, modifier=CTRL)
    qtbot.keyClicks(QApplication.focusWidget(), "kettle")
    page.queue.table.select_row(4)
    assert (row_key(page), page.mode) == ("ord-005", Mode.READ)
    page.queue.table.select_row(0)
    assert page.answer.answer()["product"] != "kettle"
    press(qtbot, "e")
    assert page.answer.answer()["product"] == "kettle"


def test_that_an_edit_without_a_change_accepts_the_answer_as_it_is(qtbot, page, reviewed):
    press(qtbot, "e")
    press(qtbot, Qt.Key.Key_Return, modifier=CTRL)
    assert states(reviewed)["ord-001"].decision is Decision.ACCEPTED


def test_that_a_rejection_needs_no_note(qtbot, page, reviewed):
    press(qtbot, "r", Qt.Key.Key_Return)
    assert states(reviewed)["ord-001"].state is TaskState.REJECTED
    assert history(reviewed, "ord-001")[0].note is None


def test_that_a_task_is_asked_again_with_the_note_once_the_run_is_resumed(qtbot, page, reviewed):
    assert not page.tools.button.isVisible()
    press(qtbot, "t")
    assert page.bar.note_hint.text() == "Sent when the run is resumed"
    qtbot.keyClicks(QApplication.focusWidget(), "The order number begins with A")
    press(qtbot, Qt.Key.Key_Return)
    assert states(reviewed)["ord-001"].state is TaskState.PENDING
    assert page.tools.button.text() == "Resume: 1 to send"
    qtbot.mouseClick(page.tools.button, Qt.MouseButton.LeftButton)
    task = states(reviewed)["ord-001"]
    reviewed.engine.spin_until(lambda: states(reviewed)["ord-001"].state is TaskState.REVIEW)
    finish(reviewed)
    newest = ask(reviewed, lambda s: s.attempts(task.id))[0]
    assert "The order number begins with A" in json.loads(newest.request)["messages"][-1]["content"]
    assert not page.tools.button.isVisible()
    qtbot.waitUntil(lambda: page.queue.table.model().rowCount() == 30)
    page.queue.table.select_row(29)
    assert row_key(page) == "ord-001"
    assert "The order number begins with A" in page.source.attempts.before.text()


def test_that_later_goes_to_the_end_and_stays_there_when_the_queue_is_read_anew(qtbot, page):
    press(qtbot, "s")
    assert row_key(page) == "ord-002"
    model = page.queue.table.model()
    assert model.index(29, 0).data() == "ord-001"
    page.queue.order.setCurrentIndex(1)
    page.queue.order.setCurrentIndex(0)
    page.queue.table.scrollToBottom()
    assert model.index(29, 0).data() == "ord-001"


# -- answers that are not to be taken as they are ------------------------------------------------


def with_finding(desk, key, finding):
    """The stored answer of a row gets this finding; the window reads it anew."""
    path = desk.project_path
    task = states(desk)[key]
    desk.engine.start(desk.close_project())
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE result SET checks = ? WHERE id = (SELECT result_id FROM task WHERE id = ?)",
            (json.dumps([finding]), task.id),
        )
    desk.open(path)


OTHER_ROW = {
    "check": "misaligned",
    "outcome": "bad",
    "code": "other_row",
    "path": "",
    "detail": {"named": "ord-007"},
}


def test_that_an_answer_for_another_row_is_named_so_and_takes_a_second_press(qtbot, reviewed, hand):
    with_finding(reviewed, "ord-001", OTHER_ROW)
    page = open_page(qtbot, reviewed, hand)
    warning = page.answer.warning
    assert warning.isVisible()
    assert warning.words.text() == "This answer names another row"
    assert warning.mapTo(page.answer, warning.rect().topLeft()).y() < page.answer.area.y()
    press(qtbot, "a")
    assert row_key(page) == "ord-001"
    assert page.bar.accept_button.text() == "Accept anyway"
    press(qtbot, "j")
    assert not warning.isVisible()
    assert page.bar.accept_button.text() == "Accept"
    press(qtbot, "k", "a")
    assert states(reviewed)["ord-001"].state is TaskState.REVIEW
    press(qtbot, "a")
    assert states(reviewed)["ord-001"].state is TaskState.ACCEPTED
    assert (row_key(page), page.bar.accept_button.text()) == ("ord-002", "Accept")
    press(qtbot, "a")
    assert row_key(page) == "ord-003"


def test_that_an_unchanged_bad_answer_takes_a_second_press_in_the_form_too(qtbot, reviewed, hand):
    cut = {"check": "complete", "outcome": "bad", "code": "truncated", "path": "", "detail": {}}
    with_finding(reviewed, "ord-001", cut)
    page = open_page(qtbot, reviewed, hand)
    assert page.answer.warning.words.text() == "This answer failed its checks"
    press(qtbot, "e")
    press(qtbot, Qt.Key.Key_Return, modifier=CTRL)
    assert page.bar.save_button.text() == "Accept anyway"
    assert states(reviewed)["ord-001"].state is TaskState.REVIEW
    press(qtbot, Qt.Key.Key_Return, modifier=CTRL)
    assert states(reviewed)["ord-001"].decision is Decision.ACCEPTED


# -- earlier sittings ----------------------------------------------------------------------------


def test_that_decisions_of_an_earlier_sitting_are_undone_after_the_own_ones(qtbot, reviewed, hand):
    first = open_page(qtbot, reviewed, hand)
    press(qtbot, "a", "a")
    first.close()
    path = reviewed.project_path
    reviewed.engine.start(reviewed.close_project())
    reviewed.open(path)
    page = open_page(qtbot, reviewed, hand)
    assert row_key(page) == "ord-003"
    assert page.bar.undo_button.isEnabled()
    press(qtbot, "a")
    seen = []
    for _ in range(3):
        press(qtbot, "u")
        seen.append(row_key(page))
    assert seen == ["ord-003", "ord-002", "ord-001"]
    assert {one.state for one in states(reviewed).values()} == {TaskState.REVIEW}
    assert not page.bar.undo_button.isEnabled()


# -- around the page -----------------------------------------------------------------------------


def test_that_the_head_names_the_run(page, reviewed):
    job = reviewed.summary(reviewed.run_id).run.job
    assert page.head.subtitle.text().startswith(f"{job.name} · ")
    assert page.head.subtitle.text().endswith(" · 30 to review")


def test_that_resuming_gives_the_keys_back_to_the_items(qtbot, page, reviewed, monkeypatch):
    press(qtbot, "t", Qt.Key.Key_Return)
    monkeypatch.setattr(reviewed, "resume", lambda _run: page.tools.button.hide())
    page.tools.button.setFocus()
    press(qtbot, Qt.Key.Key_Space)
    assert not page.tools.button.isVisible()
    assert page.queue.table.hasFocus()


def test_that_the_desk_counts_anew_after_decisions_and_undo(qtbot, page, reviewed):
    press(qtbot, "a", "a")
    qtbot.waitUntil(lambda: counts(reviewed).get(TaskState.REVIEW) == 28)
    press(qtbot, "u")
    qtbot.waitUntil(lambda: counts(reviewed).get(TaskState.REVIEW) == 29)


def test_that_chinese_signs_are_called_characters(page, reviewed):
    view = page.walk.view
    assert page.source.subtitle.text().endswith(" words")
    page.source.show_view(dataclasses.replace(view, cells=dict.fromkeys(view.cells, "很好用 OK")))
    assert page.source.subtitle.text() == "row 1 · 4 characters"


# -- moving and looking --------------------------------------------------------------------------


def test_that_j_k_and_arrows_move_without_leaving_the_queue(qtbot, page):
    press(qtbot, "j", "j", Qt.Key.Key_Down)
    assert row_key(page) == "ord-004"
    press(qtbot, "k", Qt.Key.Key_Up, "k", "k")
    assert row_key(page) == "ord-001"
    page.source.text.setFocus()
    press(qtbot, "j")
    assert row_key(page) == "ord-002"


def test_that_no_input_method_can_take_the_letters(page):
    for widget in (page, page.queue.table, page.source.text, page.source.attempts.raw):
        widget.setFocus()
        assert not widget.inputMethodQuery(Qt.InputMethodQuery.ImEnabled)
        assert not widget.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)


def test_that_the_space_bar_scrolls_the_source(qtbot, page):
    page.source.text.show_cells({"text": "\n".join(f"paragraph {n}" for n in range(200))})
    bar = page.source.text.verticalScrollBar()
    press(qtbot, Qt.Key.Key_Space)
    first = bar.value()
    assert first > 0
    press(qtbot, Qt.Key.Key_Space)
    assert bar.value() > first
    press(qtbot, Qt.Key.Key_Space, Qt.Key.Key_Space, modifier=Qt.KeyboardModifier.ShiftModifier)
    assert bar.value() == 0
    assert row_key(page) == "ord-001"


def test_that_slash_searches_and_enter_goes_back_to_the_items(qtbot, page):
    press(qtbot, "/")
    assert page.queue.search.hasFocus()
    qtbot.keyClicks(page.queue.search, "ord-02")
    press(qtbot, Qt.Key.Key_Return)
    assert page.queue.table.hasFocus()
    assert page.queue.table.model().rowCount() == 10
    assert row_key(page) == "ord-020"
    press(qtbot, "/", Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: page.queue.table.model().rowCount() == 30)
    assert row_key(page) == "ord-020"


def test_that_the_least_confident_come_first_on_demand(page, reviewed):
    page.queue.order.setCurrentIndex(1)
    values = [float(page.queue.table.model().index(row, 1).data()) for row in range(30)]
    assert values == sorted(values)
    assert values[0] < values[-1]
    assert row_key(page) == "ord-001"


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_that_the_question_mark_shows_all_keys(qtbot, page):
    press(qtbot, "?")
    popover = QApplication.activePopupWidget()
    assert isinstance(popover, KeysPopover)
    assert len(popover.lines()) == 12
    qtbot.keyClick(popover, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None


def test_that_raw_exchanges_are_shown_as_plain_json(qtbot, page):
    attempts = page.source.attempts
    attempts._open("request")
    assert attempts.raw.toPlainText().startswith('{\n  "model": "practice"')
    attempts._open("response")
    assert '"choices"' in attempts.raw.toPlainText()


def test_that_all_columns_are_shown_on_demand(qtbot, page):
    text = page.source.text
    assert "order_number" not in text.toPlainText()
    page.source.choice.choose("all")
    page.source.choice.chosen.emit("all")
    assert "order_number\n" in text.toPlainText()
    assert [number for _, number in text.numbered()][:2] == [1, 2]


def test_that_markup_in_the_data_is_shown_as_it_is(qtbot):
    text = SourceText()
    qtbot.addWidget(text)
    text.show_cells({"text": "<b>bold</b>\n\n<img src=x>", "empty": None})
    assert text.toPlainText() == "text\n<b>bold</b>\n<img src=x>\nempty\n–"
    assert [(block.text(), n) for block, n in text.numbered()] == [
        ("<b>bold</b>", 1),
        ("<img src=x>", 2),
    ]


def test_that_a_very_long_cell_is_cut_and_says_so(qtbot):
    text = SourceText()
    qtbot.addWidget(text)
    text.show_cells({"text": "x" * 201_500})
    shown = text.toPlainText()
    assert shown == "x" * 200_000 + "\n… and 1,500 more characters that are not shown here"


# -- failures, dead letters and arrivals ---------------------------------------------------------


def test_that_a_decision_that_cannot_be_written_leaves_the_item_and_says_why(
    qtbot, page, reviewed, monkeypatch
):
    async def full(*_args, **_details):
        raise ProjectError("The disk is full. Free some space and decide again.")

    monkeypatch.setattr(reviewed.session.review, "decide", full)
    press(qtbot, "a")
    assert row_key(page) == "ord-001"
    assert page.bar.said.text() == "The disk is full. Free some space and decide again."
    monkeypatch.undo()
    press(qtbot, "a")
    assert row_key(page) == "ord-002"


def test_that_the_next_item_waits_until_the_decision_is_on_disk(qtbot, page, reviewed):
    reviewed.engine.at_once = False
    press(qtbot, "a", "a", "a")
    assert row_key(page) == "ord-001"
    reviewed.engine.spin(0.2)
    reviewed.engine.at_once = True
    assert row_key(page) == "ord-002"
    assert len(history(reviewed, "ord-001")) == 1
    assert not history(reviewed, "ord-002")


def test_that_a_step_that_cannot_be_undone_makes_way_for_the_one_before(qtbot, page, reviewed):
    press(qtbot, "a", "t", Qt.Key.Key_Return)
    reviewed.resume(reviewed.run_id)
    reviewed.engine.spin_until(lambda: states(reviewed)["ord-002"].state is TaskState.REVIEW)
    press(qtbot, "u")
    assert "cannot be undone" in page.bar.said.text()
    press(qtbot, "u")
    assert row_key(page) == "ord-001"


def test_that_an_unreadable_answer_can_be_edited_but_not_accepted(qtbot, desk):
    sample, job = order_job(malformed=1.0)
    start(desk, job, sample.table, limit=3)
    finish(desk)
    page = open_page(qtbot, desk)
    assert page.answer.none.text().startswith("The answer is not in the asked form")
    assert page.answer.raw.isVisible()
    assert not page.bar.accept_button.isEnabled()
    press(qtbot, "a")
    assert row_key(page) == "ord-001"
    press(qtbot, "e")
    for name, value in (("customer", "Ada"), ("order_number", "A-1"), ("product", "pan")):
        page.answer.form.focus_field(name)
        qtbot.keyClicks(QApplication.focusWidget(), value)
    page.answer.form.focus_field("quantity")
    qtbot.keyClicks(QApplication.focusWidget(), "2")
    page.answer.form.fields["wants"].control.setCurrentText("refund")
    press(qtbot, Qt.Key.Key_Return, modifier=CTRL)
    answer = states(desk)["ord-001"].answer
    assert (answer["customer"], answer["quantity"], answer["wants"]) == ("Ada", 2, "refund")


def test_that_failed_rows_are_looked_at_on_demand(qtbot, desk):
    sample, job = order_job(**{"500": 1.0})
    limits = job.limits.model_copy(update={"attempts_max": 1})
    job = job.model_copy(update={"limits": limits})
    start(desk, job, sample.table, limit=3)
    finish(desk)
    assert counts(desk) == {TaskState.DEAD: 3}
    page = open_page(qtbot, desk)
    assert page.empty.sentence.text() == "Nothing waits for you"
    assert page.empty.button.text() == "Look at failed rows (3)"
    qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert row_key(page) == "ord-001"
    assert page.queue.wanted() == QueueFilter(dead=True)
    press(qtbot, "r", Qt.Key.Key_Return)
    assert states(desk)["ord-001"].state is TaskState.REJECTED
    assert row_key(page) == "ord-002"


def test_that_a_reason_filters_the_queue(qtbot, desk):
    sample, job = order_job(missing_field=0.5)
    start(desk, job, sample.table, limit=30)
    finish(desk)
    page = open_page(qtbot, desk)
    codes = [page.queue.reason.itemData(row) for row in range(page.queue.reason.count())]
    assert codes[0] is None
    assert set(codes[1:]) == {"confidence/low", "schema/required"}
    page.queue.reason.setCurrentIndex(codes.index("schema/required"))
    expected = dict(ask(desk, lambda s: s.review.reasons(desk.run_id)))["schema/required"]
    assert page.queue.table.model().rowCount() == expected
    missing = [
        name
        for name, field in page.answer.form.fields.items()
        if field.control.accessibleDescription() == "Field missing"
    ]
    assert len(missing) == 1


def test_that_new_doubtful_answers_join_the_end_while_the_person_stays_put(qtbot, desk):
    sample, job = order_job(latency_s=0.3)
    job = job.model_copy(update={"limits": job.limits.model_copy(update={"concurrency_max": 3})})
    start(desk, job, sample.table, limit=20)
    page = open_page(qtbot, desk)
    desk.engine.spin_until(lambda: len(desk.snapshots) > 0)

    def some():
        desk.engine.spin(0.05)
        return page.queue.table.model().rowCount() >= 4

    qtbot.waitUntil(some, timeout=10_000)
    press(qtbot, "j")
    at, here = row_key(page), page.queue.table.model().rowCount()
    finish(desk)
    qtbot.waitUntil(lambda: page.queue.table.model().rowCount() == 20, timeout=5_000)
    assert here < 20
    assert row_key(page) == at
    assert page.queue.table.currentIndex().row() == 1


def test_that_a_hidden_page_looks_for_new_answers_only_once_it_is_shown(qtbot, page, reviewed):
    page.hide()
    calls = reviewed.engine.calls
    reviewed.tasks_changed.emit(reviewed.run_id, (1, 2))
    qtbot.wait(1100)
    assert reviewed.engine.calls == calls
    page.show()
    page.shown()
    qtbot.waitUntil(lambda: reviewed.engine.calls > calls)


def test_that_another_run_begins_without_filters_and_without_undo(qtbot, page, reviewed):
    press(qtbot, "a", "/")
    qtbot.keyClicks(page.queue.search, "ord-02")
    press(qtbot, Qt.Key.Key_Return)
    old = reviewed.run_id
    sample, job = order_job()
    start(reviewed, job, sample.table, limit=2)
    finish(reviewed)
    assert reviewed.run_id != old
    assert counts(reviewed) == {
        TaskState.PASSED: 1,
        TaskState.REVIEW: 1,
    }  # the accepted one is used again
    qtbot.waitUntil(lambda: page.queue.table.model().rowCount() == 1, timeout=3000)
    assert page.queue.search.text() == ""
    assert not page.bar.undo_button.isEnabled()
    assert page.queue.decided.text() == "0 of 1 decided"


def test_that_closing_the_project_while_reviewing_leaves_nothing_to_decide(qtbot, page, reviewed):
    press(qtbot, "a", "e")
    reviewed.engine.start(reviewed.close_project())
    assert page.empty.sentence.text() == "No run is open"
    assert page.right.currentWidget() is page.empty
    assert page.queue.decided.text() == ""
    assert page.queue.table.model().rowCount() == 0
    page.queue.table.setFocus()
    press(qtbot, "a", "u", "e", "r", "t", "s", "j")
    assert page.mode is Mode.READ
    qtbot.wait(150)


def test_that_a_decision_under_way_when_the_project_closes_is_on_disk(
    qtbot, page, reviewed, tmp_path
):
    reviewed.engine.at_once = False
    press(qtbot, "a")
    reviewed.engine.start(reviewed.close_project())
    reviewed.engine.spin(0.3)
    with sqlite3.connect(tmp_path / "review.batchdesk") as connection:
        [(count,)] = connection.execute("SELECT count(*) FROM review").fetchall()
    connection.close()
    assert count == 1
    assert page.empty.sentence.text() == "No run is open"


# -- who and how long ----------------------------------------------------------------------------


def test_that_seconds_count_only_while_the_window_is_in_front(qtbot, page, reviewed, hand):
    hand.now += 4.0
    QCoreApplication.sendEvent(page, QEvent(QEvent.Type.WindowDeactivate))
    hand.now += 600.0
    QCoreApplication.sendEvent(page, QEvent(QEvent.Type.WindowActivate))
    hand.now += 1.5
    press(qtbot, "a")
    hand.now += 2.0
    press(qtbot, "a")
    assert history(reviewed, "ord-001")[0].seconds == pytest.approx(5.5)
    assert history(reviewed, "ord-002")[0].seconds == pytest.approx(2.0)
    qtbot.waitUntil(lambda: "at your pace" in page.head.subtitle.text())
    pace = "28 to review · about 1 min 45 s at your pace (3.8 s each)"
    assert page.head.subtitle.text().endswith(f" · {pace}")


def test_that_decisions_are_signed_with_the_name_in_the_head(qtbot, page, reviewed):
    press(qtbot, "a")
    qtbot.keyClicks(page.tools.name, "Lin")
    qtbot.keyClick(page.tools.name, Qt.Key.Key_Return)
    assert reviewed.settings.reviewer == "Lin"
    assert page.queue.table.hasFocus()
    press(qtbot, "a")
    assert history(reviewed, "ord-001")[0].reviewer == ""
    assert history(reviewed, "ord-002")[0].reviewer == "Lin"


# -- size and speed ------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_that_the_page_fits_the_smallest_window_at_any_time(qtbot, reviewed, hand, language, code):
    language(code)
    page = open_page(qtbot, reviewed, hand)
    assert page.minimumSizeHint().width() <= 1024 - 56
    assert page.minimumSizeHint().height() <= 700 - 44
    press(qtbot, "t")
    assert page.minimumSizeHint().width() <= 1024 - 56
    page.resize(968, 656)
    assert (page.width(), page.height()) == (968, 656)


def test_that_the_next_item_shows_within_50_ms(qtbot, page):
    spent = []
    for _ in range(10):
        begun = time.perf_counter()
        press(qtbot, "j")
        spent.append(time.perf_counter() - begun)
    assert sorted(spent)[5] < 0.05


def test_that_a_long_queue_asks_for_pages_and_never_in_data(qtbot):
    model = QueueModel(Words())
    asked: list[tuple[int, ...]] = []
    model.wanted.connect(asked.append)
    model.set_ids(range(1, 100_001))
    assert model.index(50_000, 0).data() is None
    assert asked == []
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert asked[0] == tuple(range(49_985, 50_049))
    assert model.index(50_010, 0).data() is None
    qtbot.wait(20)
    assert len(asked) == 1  # that page is under way
    model.keep(asked[0], ())
    model.ask_around(0)
    assert asked[1] == tuple(range(1, 65))


# -- parts ---------------------------------------------------------------------------------------


def test_that_the_used_columns_are_those_the_prompt_names():
    job = order_job()[1]
    stage = job.stages[0].model_copy(
        update={"system": "text of {{ row['Full name'] }}", "user": '{{ body | trim }} "id"'}
    )
    job = job.model_copy(update={"stages": (stage,)})
    assert used_columns(job, ["id", "text", "Full name", "body", "bod"]) == ["Full name", "body"]
    none = job.model_copy(
        update={"stages": (stage.model_copy(update={"user": "x", "system": ""}),)}
    )
    assert used_columns(none, ["id", "text"]) == ["id", "text"]


@pytest.mark.parametrize(
    ("text", "words"), [("", 0), ("two words", 2), ("电池很好", 4), ("iPhone 15 很好。", 4)]
)
def test_that_words_are_counted_in_both_scripts(text, words):
    assert word_count(text) == words


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (None, ""),
        ('{"a":"ü","b":[1]}', '{\n  "a": "ü",\n  "b": [\n    1\n  ]\n}'),
        ("data: {}\n", "data: {}\n"),
        ("x" * 400_001, "x" * 400_000 + "\n…"),
    ],
)
def test_that_a_raw_body_is_made_readable(raw, shown):
    assert pretty(raw) == shown


def test_that_a_sitting_takes_steps_back_last_first():
    sitting = Sitting()
    assert sitting.undid() is None
    later = Step(1, "a", 0)
    again = Step(2, "b", 0, Decision.RERUN, 7)
    sitting.did(later)
    sitting.did(again)
    assert (sitting.last, sitting.reruns) == (again, 1)
    assert sitting.undid() == again
    assert (sitting.last, sitting.reruns) == (later, 0)


def test_that_a_clock_that_stands_counts_nothing():
    hand = HandClock()
    clock = ItemClock(hand)
    hand.now += 5
    assert clock.seconds() == 0
    clock.run()
    hand.now += 2
    clock.stand()
    hand.now += 9
    clock.run()
    hand.now += 1
    assert clock.seconds() == 3
    clock.restart()
    hand.now += 0.5
    assert clock.seconds() == 0.5


def test_that_an_answer_of_another_shape_does_not_fit_the_form(reviewed):
    view = next(iter(states(reviewed).values()))
    schema = {"type": "object", "properties": {"a": {}}}
    assert fits_form(view, schema)
    assert fits_form(view, None)


def test_that_a_plain_text_answer_has_one_large_field(qtbot, reviewed):
    _, job = order_job()
    text = job.stages[0].model_copy(update={"output": None, "answer_field": None, "checks": ()})
    view = dataclasses.replace(states(reviewed)["ord-001"], answer="One sentence.", checks=())
    panel = AnswerPanel(Words())
    qtbot.addWidget(panel)
    panel.set_job(job.model_copy(update={"stages": (text,)}))
    panel.show_view(view)
    [field] = panel.form.fields.values()
    assert isinstance(field.control, QPlainTextEdit)
    assert field.control.toPlainText() == "One sentence."
    assert field.control.isReadOnly()
    panel.set_editable(editable=True)
    field.control.setPlainText("Two sentences. Really.")
    assert panel.answer() == "Two sentences. Really."


def test_that_a_finding_without_a_field_stands_at_the_bottom(qtbot, reviewed):
    _, job = order_job()
    cut = {"check": "complete", "outcome": "bad", "code": "truncated", "path": "", "detail": {}}
    view = dataclasses.replace(states(reviewed)["ord-001"], answer="{", checks=(cut,))
    panel = AnswerPanel(Words())
    qtbot.addWidget(panel)
    panel.set_job(job)
    panel.show_view(view)
    assert panel.others.count() == 1
    assert panel.badge.text() == "1 failed"
    panel.show_view(states(reviewed)["ord-001"])
    assert panel.others.count() == 0
    assert panel.badge.text() == "1 doubtful"
