"""Fixtures of the window's tests: fonts and theme, languages, and a desk on a real project."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_API", "pyside6")

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from tests.gui.fake_desk import FakeDesk

from batchdesk.gui import theme as look
from batchdesk.gui.main import LoadedTranslator, translation_files


@pytest.fixture(autouse=True)
def theme(qapp):
    """The application's theme: light, English, nothing moves."""
    theme = look.install(qapp, "light")
    theme.set_language("en")
    theme.motion = False
    return theme


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
