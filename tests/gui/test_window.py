"""The window: pages by need, what the rail and the title say, keys, banner, and closing."""

from __future__ import annotations

import base64
import shutil
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.gui.main import LoadedTranslator, translation_files
from batchdesk.gui.rail_state import Facts, Missing, missing, percent, window_title
from batchdesk.gui.widgets.overlay import matching
from batchdesk.gui.widgets.page import Command, Page
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.window import MainWindow

NAMES = ("runs", "data", "prompt", "run", "review", "results", "settings")
COUNTS = {TaskState.PASSED: 50, TaskState.REVIEW: 12, TaskState.PENDING: 38}


class PlainPage(Page):
    """A page that counts how often it was shown, with one command."""

    def __init__(self, name, done):
        super().__init__(name)
        self.times = 0
        self.line = QLineEdit()
        self.column.addWidget(self.line)
        self._name, self._done = name, done

    def help_text(self):
        return f"About {self._name}."

    def commands(self):
        return [Command(f"Export {self._name}", lambda: self._done.append(self._name), "E")]

    def shown(self):
        self.times += 1


@pytest.fixture
def made():
    return []


@pytest.fixture
def done():
    return []


@pytest.fixture
def closed():
    return []


@pytest.fixture
def window(qtbot, desk, made, done, closed):
    def factory(name):
        def make(_desk):
            made.append(name)
            return PlainPage(name, done)

        return make

    window = MainWindow(
        desk, {name: factory(name) for name in NAMES}, on_closed=lambda: closed.append(1)
    )
    qtbot.addWidget(window, before_close_func=lambda one: one._desk.under_way.clear())
    window.show()
    qtbot.waitExposed(window)
    return window


def with_run(desk, tmp_path, counts=COUNTS, cause=None):
    """A project, a table and a run with these counts."""
    desk.open(tmp_path / "Reviews June.batchdesk")
    desk.dataset = SimpleNamespace()
    desk.runs = [SimpleNamespace(run=SimpleNamespace(id=1, cause=cause), counts=counts)]
    desk.choose_run(1)


def snapshot(desk, counts=COUNTS, uncommitted=0):
    shot = SimpleNamespace(counts=counts, uncommitted=uncommitted, run_id=1)
    desk.snapshots[1] = shot
    desk.snapshot.emit(shot)


# -- decisions --------------------------------------------------------------------------------


def test_that_each_step_says_what_is_missing():
    nothing = Facts(project=False, rows=False, counts=None)
    assert [missing(name, nothing) for name in NAMES] == [None, *[Missing.PROJECT] * 5, None]
    empty = Facts(project=True, rows=False, counts=None)
    assert [missing(name, empty) for name in NAMES] == [
        None,
        None,
        Missing.ROWS,
        Missing.RUN,
        Missing.RUN,
        Missing.RUN,
        None,
    ]
    begun = Facts(project=True, rows=True, counts={TaskState.PENDING: 5})
    assert [missing(name, begun) for name in NAMES] == [
        None,
        None,
        None,
        None,
        Missing.WAITING,
        Missing.ANSWERS,
        None,
    ]
    full = Facts(project=True, rows=True, counts=COUNTS)
    assert [missing(name, full) for name in NAMES] == [None] * 7


def test_that_a_review_that_is_through_can_still_be_looked_at():
    facts = Facts(project=True, rows=True, counts={TaskState.ACCEPTED: 3})
    assert missing("review", facts) is None


def test_that_100_percent_means_all():
    assert percent({TaskState.PASSED: 999, TaskState.PENDING: 1}) == 99
    assert percent({TaskState.PASSED: 10}) == 100
    assert percent({TaskState.PASSED: 1, TaskState.PENDING: 1, TaskState.SKIPPED: 8}) == 50
    assert percent({}) is None


def test_that_the_title_has_progress_project_and_program(tmp_path):
    assert (
        window_title(tmp_path / "Reviews June.batchdesk", "62 %")
        == "62 % – Reviews June – Batchdesk"
    )
    assert window_title(None, "") == "Batchdesk"


def test_that_commands_are_found_by_any_of_their_words():
    commands = [
        Command(words, lambda: None) for words in ("Go to Review", "Review: accept", "Open project")
    ]
    assert [c.words for c in matching(commands, "review")] == ["Review: accept", "Go to Review"]
    assert [c.words for c in matching(commands, "pro op")] == ["Open project"]
    assert matching(commands, "zzz") == []


# -- pages ------------------------------------------------------------------------------------


def test_that_a_page_is_made_at_its_first_visit(window, desk, made, tmp_path):
    assert made == ["runs"]
    desk.open(tmp_path / "a.batchdesk")
    desk.go_to.emit("data")
    desk.go_to.emit("runs")
    desk.go_to.emit("data")
    assert made == ["runs", "data"]
    assert window.current_page == "data"
    assert window.page("data").times == 2


def test_that_a_step_that_cannot_be_done_is_not_shown_and_says_why(window, desk, made):
    item = window.rail.item("prompt")
    assert (item.isEnabled(), item.reason) == (False, "open a project first")
    assert item.sizeHint().height() == 48
    desk.go_to.emit("prompt")
    assert (window.current_page, made) == ("runs", ["runs"])


def test_that_keys_and_clicks_go_to_pages(qtbot, window, desk, tmp_path):
    with_run(desk, tmp_path)
    qtbot.keyClick(window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    assert window.current_page == "review"
    qtbot.mouseClick(window.rail.item("data"), Qt.MouseButton.LeftButton)
    assert window.current_page == "data"
    assert [i.name for i in window.rail.items() if i.isChecked()] == ["data"]


def test_that_the_rail_is_icons_when_the_window_is_narrow(qtbot, window):
    assert window.rail.width() == 160
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: window.rail.width() == 56)
    assert window.rail.item("data").toolTip() == "Data, open a project first (Ctrl 2)"


def test_that_closing_the_project_goes_back_to_the_first_page(window, desk, tmp_path):
    desk.open(tmp_path / "a.batchdesk")
    window.go_to("data")
    desk.engine.start(desk.close_project())
    assert window.current_page == "runs"
    assert not window.rail.item("data").isEnabled()


# -- what is shown of the project and its run ---------------------------------------------------


def test_that_header_and_title_name_the_project(window, desk, tmp_path):
    assert (window.header.project.text(), window.windowTitle()) == ("No project", "Batchdesk")
    assert not window.header.saved.isVisible()
    desk.open(tmp_path / "R&D June.batchdesk")
    assert window.header.project.text() == "R&D June"
    assert window.header.project.shortcut().isEmpty()
    assert window.windowTitle() == "R&D June – Batchdesk"
    assert window.header.saved.text() == "Saved"


def test_that_progress_and_reviews_are_on_the_rail_and_progress_in_the_title(
    window, desk, tmp_path
):
    with_run(desk, tmp_path)
    assert window.rail.item("run").badge == ""
    assert window.rail.item("review").badge == "12"
    desk.under_way.add(1)
    snapshot(desk, {TaskState.PASSED: 61, TaskState.REVIEW: 1234, TaskState.RUNNING: 705})
    assert window.rail.item("run").badge == "64\u00a0%"
    assert window.rail.item("review").badge == "1,234"
    assert window.windowTitle() == "64\u00a0% – Reviews June – Batchdesk"
    assert "1,234" in window.rail.item("review").accessibleName()


def test_that_answers_not_yet_on_disk_are_counted(window, desk, tmp_path):
    with_run(desk, tmp_path)
    desk.under_way.add(1)
    snapshot(desk, uncommitted=1)
    assert window.header.saved.text() == "Saving 1 row"
    snapshot(desk, uncommitted=40)
    assert window.header.saved.text() == "Saving 40 rows"
    snapshot(desk)
    assert window.header.saved.text() == "Saved"


def test_that_a_run_paused_by_a_cause_is_marked_on_the_rail(window, desk, tmp_path):
    with_run(desk, tmp_path, cause=ErrorKind.QUOTA_EXHAUSTED)
    item = window.rail.item("run")
    assert (item.badge, item._badge_state) == ("paused by itself", BadgeState.CAUSE)


def test_that_a_problem_is_a_banner_until_it_is_closed_or_over(qtbot, window, desk):
    desk.problem.emit("The table could not be read.")
    assert window.banner.isVisible()
    qtbot.waitUntil(lambda: window.stack.y() >= 44 + 12 + 44)
    assert window.banner.title.text() == "The table could not be read."
    qtbot.mouseClick(window.banner._close, Qt.MouseButton.LeftButton)
    assert not window.banner.isVisible()
    desk.problem.emit("Again.")
    desk.problem.emit("")
    assert not window.banner.isVisible()
    qtbot.waitUntil(lambda: window.stack.y() == 44)


# -- command palette and help -------------------------------------------------------------------


def test_that_ctrl_k_finds_and_does_a_pages_command_and_gives_the_focus_back(qtbot, window, done):
    line = window.page("runs").line
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    box = window.palette_box
    assert box.isVisible()
    qtbot.keyClicks(box.field, "exp run")
    assert [c.words for c in box.found] == ["Export runs"]
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert (done, box.isVisible(), line.hasFocus()) == (["runs"], False, True)


def test_that_the_palette_offers_only_pages_that_can_be_shown(window, desk, tmp_path):
    window.open_palette()
    words = [c.words for c in window.palette_box.found]
    assert "Go to Settings" in words
    assert "Go to Review" not in words
    assert "Save a copy…" not in words
    with_run(desk, tmp_path)
    window.open_palette()
    assert "Go to Review" in [c.words for c in window.palette_box.found]


def test_that_arrows_choose_in_the_palette_and_escape_leaves_it(qtbot, window):
    window.open_palette()
    box = window.palette_box
    qtbot.keyClick(box.field, Qt.Key.Key_Up)
    assert box.list.currentIndex().row() == len(box.found) - 1
    qtbot.keyClick(box.field, Qt.Key.Key_Down)
    qtbot.keyClick(box.field, Qt.Key.Key_Down)
    assert box.list.currentIndex().row() == 1
    qtbot.keyClicks(box.field, "zzz")
    assert not box.list.isVisible()
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert box.isVisible()
    qtbot.keyClick(box.field, Qt.Key.Key_Escape)
    assert not box.isVisible()


def test_that_f1_explains_the_page_and_goes_away_again(qtbot, window):
    qtbot.keyClick(window, Qt.Key.Key_F1)
    assert window.help_box.isVisible()
    assert window.help_box.words() == "About runs."
    qtbot.keyClick(window.help_box, Qt.Key.Key_Escape)
    assert not window.help_box.isVisible()


# -- projects -----------------------------------------------------------------------------------


def test_that_a_new_project_is_made_where_the_person_says(window, desk, tmp_path):
    window.files.make()
    dialog = window.files.dialog
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "New.batchdesk"))
    dialog.close()
    assert desk.project_path == tmp_path / "New.batchdesk"
    assert (tmp_path / "New.batchdesk").is_file()


def test_that_a_copy_is_saved_where_the_person_says(window, desk, tmp_path):
    window.files.save_copy()
    assert not window.findChildren(QFileDialog)
    desk.open(tmp_path / "a.batchdesk")
    window.files.save_copy()
    (dialog,) = window.findChildren(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "copy.batchdesk"))
    dialog.close()
    assert (tmp_path / "copy.batchdesk").is_file()
    assert desk.project_path == tmp_path / "a.batchdesk"


def test_that_the_project_is_closed_from_the_menu_and_the_first_page_shows(window, desk, tmp_path):
    assert not window.header._close.isEnabled()
    desk.open(tmp_path / "a.batchdesk")
    window.go_to("data")
    window.header._close.trigger()
    assert desk.project_path is None
    assert window.current_page == "runs"
    assert window.header.project.text() == "No project"
    desk.open(tmp_path / "a.batchdesk")
    command = next(one for one in window.commands() if one.words == "Close project")
    assert command.enabled()
    command.act()
    assert desk.project_path is None


def test_that_closing_the_project_during_a_run_asks_and_pauses_first(
    window, desk, tmp_path, monkeypatch
):
    paused: list[int] = []
    monkeypatch.setattr(desk, "pause", paused.append)
    with_run(desk, tmp_path)
    desk.under_way.add(1)
    desk.leave_project()
    button_of(window.leaving.dialog, "Pause and close the project").click()
    assert paused == [1]
    assert window.banner.body.text() == "The project closes by itself then."
    assert desk.project_path is not None
    desk.under_way.clear()
    desk.run_state.emit(SimpleNamespace(run_id=1))
    assert desk.project_path is None
    assert not window.banner.isVisible()


def test_that_recent_projects_are_opened_from_the_menu(window, desk, tmp_path):
    for name in ("a", "b"):
        desk.open(tmp_path / f"{name}.batchdesk")
    actions = window.header._recent.actions()
    assert [action.text() for action in actions] == ["b", "a"]
    actions[1].trigger()
    assert desk.project_path == tmp_path / "a.batchdesk"


def test_that_the_open_project_chosen_again_just_shows(window, desk, tmp_path):
    with_run(desk, tmp_path)
    session, wanted = desk.session, []
    desk.leave_wanted.connect(lambda *_: wanted.append(1))
    desk.under_way.add(1)  # it must not even ask whether the run may be stopped
    desk.problem.emit("Something older.")
    window.header._recent.actions()[0].trigger()
    desk.switch_project(tmp_path / "x" / ".." / "Reviews June.batchdesk")
    assert not window.banner.isVisible()
    assert desk.session is session
    assert wanted == []
    assert desk.run_id == 1


# -- closing ------------------------------------------------------------------------------------


def test_that_closing_without_a_run_closes_and_remembers_the_place(window, desk, closed):
    window.close()
    assert closed == [1]
    assert len(base64.b64decode(desk.settings.geometry)) > 20


def test_that_closing_during_a_run_asks_and_staying_stays(qtbot, window, desk, closed, tmp_path):
    with_run(desk, tmp_path)
    desk.under_way.add(1)
    window.close()
    box = window.leaving.dialog
    assert isinstance(box, QMessageBox)
    assert (box.isVisible(), window.isVisible(), closed) == (True, True, [])
    assert box.text() == "1 run is under way."
    stay = next(b for b in box.buttons() if b.text() == "Stay")
    qtbot.mouseClick(stay, Qt.MouseButton.LeftButton)
    assert (window.isVisible(), closed) == (True, [])


def test_that_pause_and_quit_waits_for_the_requests_in_flight(
    window, desk, closed, tmp_path, monkeypatch
):
    paused: list[int] = []
    monkeypatch.setattr(desk, "pause", paused.append)
    with_run(desk, tmp_path)
    desk.under_way.add(1)
    window.close()
    button = next(b for b in window.leaving.dialog.buttons() if b.text() == "Pause and quit")
    button.click()
    assert (paused, closed) == ([1], [])
    assert window.banner.title.text() == "Pausing; the requests in flight finish first"
    desk.under_way.clear()
    desk.run_state.emit(SimpleNamespace(run_id=1))
    assert closed == [1]


def button_of(box, words):
    return next(one for one in box.buttons() if one.text() == words)


def test_that_another_project_during_a_run_asks_and_staying_changes_nothing(window, desk, tmp_path):
    with_run(desk, tmp_path)
    desk.under_way.add(1)
    desk.switch_project(tmp_path / "other.batchdesk", create=True)
    box = window.leaving.dialog
    assert isinstance(box, QMessageBox)
    assert box.text() == "1 run is under way."
    button_of(box, "Stay").click()
    assert desk.project_path == tmp_path / "Reviews June.batchdesk"
    assert desk.under_way == {1}


def test_that_the_other_project_opens_once_the_requests_in_flight_are_finished(
    window, desk, closed, tmp_path, monkeypatch
):
    paused: list[int] = []
    monkeypatch.setattr(desk, "pause", paused.append)
    with_run(desk, tmp_path)
    desk.under_way.add(1)
    desk.switch_project(tmp_path / "other.batchdesk", create=True)
    button_of(window.leaving.dialog, "Pause and open the other project").click()
    assert paused == [1]
    assert window.banner.title.text() == "Pausing; the requests in flight finish first"
    assert desk.project_path == tmp_path / "Reviews June.batchdesk"
    desk.under_way.clear()
    desk.run_state.emit(SimpleNamespace(run_id=1))
    assert desk.project_path == tmp_path / "other.batchdesk"
    assert (closed, window.banner.isVisible()) == ([], False)


def test_that_the_keys_stay_with_the_page_that_is_shown(window, desk, tmp_path):
    with_run(desk, tmp_path)
    page = window.page("data")
    page.line.hide()
    page.shown = window.header.project.setFocus
    window.go_to("data")
    assert window.focusWidget() is page


# -- size and languages -------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_that_the_frame_fits_a_small_screen_in_both_languages(
    qtbot, language, desk, tmp_path, code
):
    language(code)
    window = MainWindow(desk, dict.fromkeys(NAMES, lambda _desk: Page("x")))
    qtbot.addWidget(window, before_close_func=lambda one: one._desk.under_way.clear())
    desk.open(
        tmp_path
        / ("A very long name of a project that nobody reads to its end " * 3 + ".batchdesk")
    )
    window.show()
    window.resize(1024, 700)
    centre = window.centralWidget()
    assert centre is not None
    least = centre.minimumSizeHint()
    assert least.width() <= 1024
    assert least.height() <= 700
    assert window.size() == QSize(1024, 700)


def test_that_the_rail_speaks_chinese(qtbot, language, desk):
    language("zh_CN")
    window = MainWindow(desk, dict.fromkeys(NAMES, lambda _desk: Page("x")))
    qtbot.addWidget(window)
    assert [item.text() for item in window.rail.items()] == [
        "运行记录",
        "数据",
        "提示词",
        "运行",
        "复核",
        "结果",
        "设置",
    ]
    assert window.rail.item("data").reason == "先打开项目"
    assert window.header.project.text() == "未打开项目"


def test_that_qts_own_buttons_speak_chinese(qtbot, language):
    language("zh_CN")
    box = QMessageBox()
    qtbot.addWidget(box)
    box.setStandardButtons(QMessageBox.StandardButton.Cancel)
    assert box.button(QMessageBox.StandardButton.Cancel).text() == "取消"


def test_that_a_translation_that_is_replaced_while_in_use_still_speaks(qapp, tmp_path):
    [file] = [one for one in translation_files("zh_CN") if one.name == "window.qm"]
    copy = tmp_path / "window.qm"
    shutil.copy(file, copy)
    translator = LoadedTranslator(copy.read_bytes(), qapp)
    copy.write_bytes(b"")
    assert translator.translate("MainWindow", "Runs") == "运行记录"
