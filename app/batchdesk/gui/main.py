"""The application: fonts, translations, the crash hook, the two loops, and a clean end."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QApplication

from batchdesk import __version__, paths
from batchdesk.crash import save_crash_report
from batchdesk.gui import theme
from batchdesk.gui.bridge import EngineThread, EventQueue, Tasks, window_loop
from batchdesk.gui.desk import Desk
from batchdesk.gui.desk_files import files_of
from batchdesk.gui.garbage import Garbage
from batchdesk.gui.pages import PAGES
from batchdesk.gui.widgets.crash import CrashDialog
from batchdesk.gui.window import MainWindow
from batchdesk.session import Event, samples
from batchdesk.settings import Settings, load_settings, save_settings, settings_file

_log = logging.getLogger(__name__)


class Engine:
    """What the desk needs of both loops."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._thread = EngineThread()
        self._tasks = Tasks(loop)

    async def call(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Carry out a coroutine on the Session's loop."""
        return await self._thread.call(work)

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start a coroutine on the window's loop."""
        return self._tasks.start(work)

    def listener(self, hear: Callable[[Event], None]) -> Callable[[Event], None]:
        """A listener for the Session that calls ``hear`` on the window's loop."""
        return EventQueue(self._loop, hear).put

    async def close(self) -> None:
        """End what is under way, then the thread."""
        await self._tasks.close()
        await asyncio.to_thread(self._thread.close)


def run(arguments: Sequence[str], project: Path | None = None, sample: str | None = None) -> int:
    """Open the window and return the exit code when it is closed.

    Args:
        arguments: The program's name and what Qt may take for itself.
        project: A project to open; one that is missing is made.
        sample: The name of a bundled sample that a new project is filled with.
    """
    application = QApplication.instance() or QApplication(list(arguments))
    if not isinstance(application, QApplication):
        raise TypeError("another kind of Qt application is running already")
    application.setApplicationName("Batchdesk")
    application.setApplicationVersion(__version__)
    application.setQuitOnLastWindowClosed(False)
    settings, unreadable = load_settings(settings_file())
    translators = install_language(application, settings)
    theme.install(application, settings.theme)
    loop = window_loop(application)
    with loop:
        code: int = loop.run_until_complete(
            _live(loop, settings, Opening(project, sample, unreadable))
        )
    del translators
    return code


@dataclass(frozen=True, slots=True)
class Opening:
    """What the window shows first; ``unreadable``: why the settings could not be read."""

    project: Path | None
    sample: str | None
    unreadable: str | None


async def _live(loop: asyncio.AbstractEventLoop, settings: Settings, opening: Opening) -> int:
    engine = Engine(loop)
    desk = Desk(engine, settings)
    ended: asyncio.Future[None] = loop.create_future()

    def closed() -> None:
        if not ended.done():
            ended.set_result(None)

    window = MainWindow(desk, PAGES, on_closed=closed)
    _show_crashes(window, loop)
    desk.settings_changed.connect(lambda: save_settings(desk.settings, settings_file()))
    _collect_garbage(desk)
    window.show()
    if opening.unreadable is not None:
        words = QCoreApplication.translate(
            "MainWindow", "The settings could not be read ({0}) and were set aside."
        )
        desk.problem.emit(words.format(opening.unreadable))
    _open_first(desk, opening)
    await ended
    await desk.close_project()
    await engine.close()
    window.deleteLater()
    return 0


def _collect_garbage(desk: Desk) -> None:
    """On this thread; little of it as long as a run or an import is under way."""
    garbage, files = Garbage(desk), files_of(desk)

    def look() -> None:
        garbage.shorten(wanted=bool(desk.under_way) or files.importing is not None)

    desk.run_state.connect(lambda _event: look())
    desk.project_changed.connect(look)
    files.changed.connect(look)


def _open_first(desk: Desk, opening: Opening) -> None:
    """Open the project, or make it; a new one may be filled with a sample."""
    project = opening.project
    if project is None:
        return
    chosen = [sample for sample in samples() if sample.name == opening.sample]
    if chosen and not project.exists():
        files_of(desk).open_sample(chosen[0], project)
    else:
        desk.switch_project(project, create=not project.exists())


def install_language(application: QApplication, settings: Settings) -> list[QTranslator]:
    """Install the translations of the chosen language; keep the list alive."""
    language = settings.language
    if language == "system":
        language = "zh_CN" if QLocale.system().language() is QLocale.Language.Chinese else "en"
    QLocale.setDefault(QLocale(language))
    installed: list[QTranslator] = []
    for file in translation_files(language):
        translator = LoadedTranslator(file.read_bytes(), application)
        if not translator.isEmpty():
            application.installTranslator(translator)
            installed.append(translator)
    return installed


def translation_files(language: str) -> list[Path]:
    """Qt's own words (file dialogs, buttons) and then the window's; later ones go before."""
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    own = sorted((paths.resources() / "i18n" / language).glob("*.qm"))
    return [*([] if language == "en" else folder.glob(f"qtbase_{language}.qm")), *own]


class LoadedTranslator(QTranslator):
    """A translation held in memory: a file that is replaced meanwhile cannot pull it away."""

    def __init__(self, compiled: bytes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._compiled = compiled  # Qt reads from these bytes as long as the translator lives
        self.load(compiled)


def _show_crashes(window: MainWindow, loop: asyncio.AbstractEventLoop) -> None:
    """Whatever is not caught anywhere is a bug: log it, save a report, show it, go on."""

    def show(error: BaseException) -> None:
        _log.error("a bug", exc_info=error)
        CrashDialog(save_crash_report(error), type(error).__name__, window).open()

    def uncaught(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        del trace
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        show(error)

    def in_thread(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            loop.call_soon_threadsafe(show, arguments.exc_value)

    def in_loop(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is not None:
            show(error)

    sys.excepthook = uncaught
    threading.excepthook = in_thread
    loop.set_exception_handler(in_loop)
