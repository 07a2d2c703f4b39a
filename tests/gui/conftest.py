"""Fixtures of the window's tests: fonts and theme, languages, and a desk on a real project."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_API", "pyside6")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QTranslator
from tests.gui.fake_desk import FakeDesk

from batchdesk.gui import theme as look
from batchdesk.gui.desk_files import files_of
from batchdesk.gui.main import LoadedTranslator, translation_files
from batchdesk.gui.pages.data import DataPage
from batchdesk.gui.pages.run import RunPage


@pytest.fixture(autouse=True)
def theme(qapp):
    """The application's theme: light, English, nothing moves."""
    theme = look.install(qapp, "light")
    theme.set_language("en")
    theme.motion = False
    yield theme
    for widget in qapp.topLevelWidgets():  # each one that stays makes the next style sheet slower
        widget.close()
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(autouse=True)
def language(qapp, theme):
    """English first; call it with ``zh_CN`` and then make the widgets."""
    installed: list[QTranslator] = []

    def speak(code: str) -> None:
        while installed:
            QCoreApplication.removeTranslator(installed.pop())
        QLocale.setDefault(QLocale(code))
        theme.set_language(code)
        for file in translation_files(code):
            translator = LoadedTranslator(file.read_bytes(), qapp)
            assert not translator.isEmpty(), file
            QCoreApplication.installTranslator(translator)
            installed.append(translator)

    speak("en")
    yield speak
    while installed:
        QCoreApplication.removeTranslator(installed.pop())


@pytest.fixture
def desk():
    """A desk without a project; ``desk.open(path)`` makes one."""
    desk = FakeDesk()
    yield desk
    desk.shut()


@pytest.fixture
def files(desk: FakeDesk, tmp_path):
    """How the desk opens files; new projects go into a folder of the test."""
    files = files_of(desk)
    files.folder = tmp_path / "projects"
    return files


@pytest.fixture
def data_page(desk: FakeDesk, files, qtbot):
    """The Data page on the screen."""
    page = DataPage(desk)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    qtbot.waitExposed(page)
    return page


@pytest.fixture
def prepared(desk: FakeDesk, tmp_path):
    """Opens a project with a table of some rows and starts a run of a job; returns the desk."""

    def prepare(job, rows: int, *, start: bool = True):
        table = tmp_path / "reviews.csv"
        lines = [f"R-{n:03d},The strap broke after {n} weeks." for n in range(1, rows + 1)]
        table.write_text("id,text\n" + "\n".join(lines), encoding="utf-8")
        desk.open(tmp_path / "p.batchdesk")
        desk.import_table(table, key="id")
        desk.edit_job(job)
        desk.heard.clear()
        desk.run_state.connect(lambda event: desk.heard.append(event.state))
        if start:
            desk.start_new_run()
        return desk

    return prepare


@pytest.fixture
def page_of(qtbot):
    made = []

    def make(desk):
        page = RunPage(desk)
        made.append(page)
        page.resize(1120, 756)
        page.show()
        return page

    yield make
    for page in made:  # gone before the next test changes the theme of all that lives
        page.close()
        page.deleteLater()
        QCoreApplication.sendPostedEvents(page, QEvent.Type.DeferredDelete.value)
