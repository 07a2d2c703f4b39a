"""Before rows leave this computer: what the person is shown, and what their word does."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow
from tests.gui.run_jobs import practice

from batchdesk.gui.agreeing import Agreeing
from batchdesk.gui.widgets.disclosure import DisclosureDialog
from batchdesk.session import Disclosure

MASKED = {"text": frozenset({"email", "ORDER"})}


def told(**changes) -> Disclosure:
    values: dict[str, Any] = {
        "address": "https://api.deepseek.com",
        "service": "DeepSeek",
        "model": "deepseek-chat",
        "is_encrypted": True,
        "columns": ("name", "text"),
        "masked": MASKED,
        "names_row": True,
        "row_key": "R-001",
        "body": '{\n  "model": "deepseek-chat"\n}',
    }
    return Disclosure(**values | changes)


@pytest.fixture
def dialog_of(qtbot):
    def make(disclosure: Disclosure) -> DisclosureDialog:
        dialog = DisclosureDialog(disclosure)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return make


def test_that_host_columns_masks_and_the_request_are_shown(dialog_of):
    dialog = dialog_of(told())
    assert dialog.title.text() == "Send rows to api.deepseek.com?"
    assert dialog.facts == [
        ("Service", "DeepSeek · https://api.deepseek.com"),
        ("Model", "deepseek-chat"),
        ("Columns sent", "name, text"),
        ("Masked", "name: nothing\ntext: ORDER, e-mail addresses"),
        ("Row ids", "sent with each row, so that its answer can be matched"),
    ]
    assert dialog.body.toPlainText() == '{\n  "model": "deepseek-chat"\n}'
    assert dialog.body.isReadOnly()
    assert not dialog.warning.isVisibleTo(dialog)


def test_that_ids_that_stay_here_are_said_to(dialog_of):
    words = "not sent: a number of the project stands for each row"
    assert dialog_of(told(hides_keys=True)).facts[-1] == ("Row ids", words)


def test_that_texts_without_masks_and_an_address_in_clear_are_said_plainly(dialog_of):
    dialog = dialog_of(
        told(masked={}, names_row=False, is_encrypted=False, address="http://10.0.0.9:8000")
    )
    assert dialog.facts[3:] == [
        ("Masked", "nothing: the texts go as they are"),
        ("Row ids", "not sent"),
    ]
    assert dialog.warning.isVisibleTo(dialog)
    assert dialog.warning.text().startswith("The address begins with http")


def test_that_the_safe_answer_has_the_focus_and_escape_means_no(dialog_of, qtbot):
    dialog = dialog_of(told())
    assert dialog.focusWidget() is dialog.stay
    with qtbot.waitSignal(dialog.rejected):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)


@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_that_it_fits_a_small_window(dialog_of, language, code):
    language(code)
    dialog = dialog_of(told(columns=tuple(f"column {n}" for n in range(30)), masked={}))
    assert dialog.minimumSizeHint().width() <= 1024
    assert dialog.width() <= 700
    assert dialog.height() <= 660
    assert dialog.minimumSizeHint().height() <= 660


@pytest.fixture
def window(desk, qtbot, prepared):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.show()
    agreeing = Agreeing(window, desk)
    # A server that is not there, on another computer by its name; nobody asks the network.
    job = practice()
    provider = job.provider.model_copy(
        update={"preset": "vllm", "base_url": "http://gpu-box.invalid:9/v1", "model": "m"}
    )
    prepared(job.model_copy(update={"provider": provider}), 3, start=False)
    desk.problems = []
    desk.problem.connect(desk.problems.append)
    return agreeing


def runs_of(desk):
    return desk.engine.loop.run_until_complete(desk.session.runs())


def test_that_no_run_is_made_before_the_person_agrees(desk, window, qtbot):
    desk.start_new_run()
    assert window.dialog is not None
    assert window.dialog.title.text() == "Send rows to gpu-box.invalid:9?"
    assert '"model": "m"' in window.dialog.body.toPlainText()
    qtbot.mouseClick(window.dialog.stay, Qt.MouseButton.LeftButton)
    assert window.dialog is None
    assert desk.problems[-1] == "Nothing was sent."
    assert runs_of(desk) == []


def test_that_once_agreed_it_is_not_asked_again(desk, window, qtbot):
    done = []
    desk.when_agreed(lambda: done.append(1))
    qtbot.mouseClick(window.dialog.send, Qt.MouseButton.LeftButton)
    assert done == [1]
    desk.when_agreed(lambda: done.append(2))
    assert window.dialog is None
    assert done == [1, 2]


def test_that_nothing_is_asked_where_nothing_leaves(desk, window):
    desk.edit_job(practice())
    done = []
    desk.when_agreed(lambda: done.append(1))
    assert (window.dialog, done) == (None, [1])


def test_that_the_question_goes_with_its_project(desk, window):
    desk.start_new_run()
    assert window.dialog is not None
    desk.leave_project()
    assert window.dialog is None
    assert desk.problems == []
