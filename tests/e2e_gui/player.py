"""Plays a person at the real window: a story of clicks and keys, step by step, from a Qt timer.

A story is a generator; it acts, then yields what it waits for (a callable) or a pause in seconds.
It runs between the window's own events and never inside a coroutine, so that the nested event
handling of QTest cannot enter a task twice. The program itself is the real one: ``cli.main``.
"""

from __future__ import annotations

import ctypes
import logging
import os
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from types import GeneratorType
from typing import Any, TypeVar

os.environ.setdefault("QT_API", "pyside6")

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLabel, QLineEdit, QWidget

from batchdesk.cli import main
from batchdesk.gui.desk import Desk
from batchdesk.gui.window import MainWindow

W = TypeVar("W", bound=QWidget)
Wait = Callable[[], object] | float
Story = Callable[["Person"], Generator[Wait, None, None]]

NO_KEY = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
_EVERY_MS = 10
_PATIENCE_S = 20.0
_STEPS_TOLD = 20


class Person:
    """What a person can do and see."""

    def __init__(self) -> None:
        self._window: MainWindow | None = None

    @property
    def window(self) -> MainWindow:
        """The program's window, once it is there."""
        if self._window is None:
            found = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]
            assert found, "there is no window"
            self._window = found[0]
        return self._window

    @property
    def desk(self) -> Desk:
        """For looking only."""
        return self.window._desk

    def there(self) -> bool:
        """Whether the window is on the screen and has the keyboard."""
        return any(isinstance(w, MainWindow) for w in QApplication.topLevelWidgets()) and (
            self.in_front()
        )

    def in_front(self) -> bool:
        """Whether the window has the keyboard; asks for it, as no window manager does here."""
        if not self.window.isVisible() or not self.window.windowHandle().isExposed():
            return False
        if QApplication.activeWindow() is None:
            _give_keyboard(int(self.window.winId()))
        return self.window.isActiveWindow()

    def _focus(self) -> QWidget:
        """Where the keyboard is."""
        assert QApplication.activeWindow() is not None, "another program has the keyboard"
        focus: QWidget | None = QApplication.focusWidget()
        return focus if focus is not None else self.window

    def page(self, name: str) -> Any:
        """A page that has been visited."""
        return self.window._pages[name]

    def go(self, number: int) -> Any:
        """Ctrl and a digit; returns the page."""
        self.key(Qt.Key(Qt.Key.Key_0 + number), CTRL)
        return self.page(self.window.current_page)

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NO_KEY) -> None:
        """A key, where the keyboard is."""
        QTest.keyClick(self._focus(), key, modifier)

    def type_text(self, text: str) -> None:
        """Text, where the keyboard is."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self.key(Qt.Key.Key_Return)
            QTest.keyClicks(self._focus(), line)

    def click(self, widget: QWidget) -> None:
        """The left button in the middle of a widget that can be seen."""
        assert widget.isVisible(), widget
        assert widget.isEnabled(), widget.toolTip()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.rect().center())

    def click_at(self, widget: QWidget, x: int, y: int) -> None:
        """The left button at a place of a widget."""
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=QPoint(x, y))

    def choose(self, control: QComboBox, word: str) -> None:
        """Choose an entry with the keyboard."""
        row = control.findText(word)
        assert row >= 0, [control.itemText(n) for n in range(control.count())]
        assert control.isEnabled(), control.toolTip()
        self.click(control)
        view = control.view()
        assert view.isVisible(), "the list did not open"
        for _ in range(control.count()):
            at = view.currentIndex().row()
            if at == row:
                break
            QTest.keyClick(view, Qt.Key.Key_Down if at < row else Qt.Key.Key_Up)
        QTest.keyClick(view, Qt.Key.Key_Return)

    def write(self, field: QWidget, text: str) -> None:
        """Replace what a field holds, then leave it."""
        field.setFocus()
        assert field.hasFocus(), field
        self.key(Qt.Key.Key_A, CTRL)
        self.type_text(text)
        self.key(Qt.Key.Key_Tab)

    def dialog(self, kind: type[W]) -> W | None:
        """A dialog that is open."""
        widgets = [*QApplication.topLevelWidgets(), *self.window.findChildren(kind)]
        found = [w for w in widgets if isinstance(w, kind)]
        return next((w for w in found if w.isVisible()), None)

    def asked_by(self, kind: type[QWidget]) -> bool:
        """Whether a dialog is open and has the keyboard; a key before would go to the window."""
        found = self.dialog(kind)
        if found is None:
            return False
        if QApplication.activeWindow() is None and found.windowHandle().isExposed():
            _give_keyboard(int(found.winId()))
        return found.isActiveWindow()

    def dialog_open(self) -> bool:
        """Whether a file dialog is open."""
        return self.dialog(QFileDialog) is not None

    def give_path(self, path: Path) -> Generator[Wait, None, None]:
        """Answer the next file dialog with a path, by keyboard; ``yield from`` it."""
        yield self.dialog_open
        dialog = self.dialog(QFileDialog)
        assert dialog is not None
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        assert field is not None
        yield 0.2  # until the dialog has read its folder, which may empty the field
        while self.dialog_open():
            QTest.keyClick(field, Qt.Key.Key_A, CTRL)
            QTest.keyClicks(field, str(path))
            yield 0.2  # until what the field offers is there; Escape would close the dialog
            if (offered := field.completer().popup()) is not None:
                offered.hide()
            if field.text() == str(path):
                QTest.keyClick(field, Qt.Key.Key_Return)
                yield 0.3
        yield self.in_front


class _Player(QObject):
    """Carries a story on whenever what it waits for has come."""

    def __init__(self, story: Generator[Wait, None, None]) -> None:
        super().__init__()
        self._story = story
        self._wait: Wait = 0.0
        self._since = time.monotonic()
        self._busy = False
        self._begin = time.monotonic()
        self._steps: deque[str] = deque(maxlen=_STEPS_TOLD)
        self.error: str | None = None
        self.ended = False
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self._turn)
        self._timer.start()

    def _turn(self) -> None:
        if self._busy:  # QTest handles events while the story acts
            return
        self._busy = True
        try:
            self._go_on()
        except StopIteration:
            self.ended = True
            self._timer.stop()
        except BaseException:  # noqa: BLE001 - told at the end
            self.error = traceback.format_exc()
            self._tell()
            self._leave()
        finally:
            self._busy = False

    def _go_on(self) -> None:
        waited = time.monotonic() - self._since
        if isinstance(self._wait, float | int):
            ready: object = waited >= self._wait
        else:
            ready = self._wait()
            if not ready and waited > _PATIENCE_S:
                raise AssertionError(f"{_place(self._story)} waited {_PATIENCE_S} s in vain")
        if ready:
            self._wait = next(self._story)
            self._since = time.monotonic()
            self._steps.append(f"{self._since - self._begin:.2f} s: {_place(self._story)}")

    def _tell(self) -> None:
        """What is needed to find the reason: the last steps, the screen in words and as pictures."""
        now = time.monotonic() - self._begin
        load = ", ".join(f"{figure:.1f}" for figure in os.getloadavg())
        lines = [self.error or "", f"at {now:.2f} s, load {load}; the last steps:", *self._steps]
        lines += ["on the screen:", *_seen(), *_desk_state(), *_pictures()]
        sys.stderr.write("\n".join(lines) + "\n")

    def _leave(self) -> None:
        self._timer.stop()
        sys.stderr.flush()
        os._exit(70)  # the window may be in any state


def _place(story: Generator[Wait, None, None]) -> str:
    """Where a story stands, down to the part that it plays from elsewhere."""
    lines: list[str] = []
    part: Any = story
    while isinstance(part, GeneratorType) and part.gi_frame is not None:
        lines.append(f"{part.__name__} line {part.gi_frame.f_lineno}")
        part = part.gi_yieldfrom
    return ", ".join(lines) or "the end"


def _desk_state() -> list[str]:
    """What the desk knows of its runs."""
    found = []
    for window in QApplication.topLevelWidgets():
        if isinstance(window, MainWindow):
            desk = window._desk
            focus = QApplication.focusWidget()
            found.append(f"page {window.current_page}, keyboard at {focus}")
            found.append(f"under way: {desk.under_way}; dataset: {desk.dataset}")
            found += [f"run: {summary}" for summary in desk.runs]
            found += [f"snapshot: {snapshot}" for snapshot in desk.snapshots.values()]
    return found


def _pictures() -> list[str]:
    """Saves every window as a picture in the story's own home, and says where."""
    found = []
    for number, window in enumerate(QApplication.topLevelWidgets()):
        path = Path.home() / f"failed-{number}.png"
        if window.isVisible() and window.grab().save(str(path)):
            found.append(f"picture: {path}")
    return found


def _seen() -> list[str]:
    """Windows with what their fields and longer labels say, for a story that waits in vain."""
    found = []
    for window in QApplication.topLevelWidgets():
        if window.isVisible():
            found.append(f"{type(window).__name__} {window.windowTitle()!r}")
            fields = window.findChildren(QLineEdit)
            labels = window.findChildren(QLabel)
            found += [w.text()[:80] for w in fields if w.isVisible()]
            found += [w.text()[:80] for w in labels if w.isVisible()]
    return found


def play(story: Story, arguments: Sequence[object] = ()) -> None:
    """Open the window with the command line's words and play; ends the process.

    Exit codes: 0, the story was played to its end and the window closed without a word in the log
    or from Qt; else what went wrong is on standard error.
    """
    complaints: list[str] = []
    _die_with_parent()

    class Hearing(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            complaints.append(self.format(record))

    hearing = Hearing(logging.WARNING)
    logging.getLogger().addHandler(hearing)

    def qt_says(kind: QtMsgType, _context: object, words: str) -> None:
        if kind not in {QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg}:
            complaints.append(f"Qt: {words}")

    qInstallMessageHandler(qt_says)
    application = QApplication(sys.argv[:1])
    application.setEffectEnabled(Qt.UIEffect.UI_AnimateCombo, enable=False)
    player = _Player(story(Person()))
    code = main(["window", *map(str, arguments)])
    for words in complaints:
        sys.stderr.write(f"{words}\n")
    if player.error is None and not player.ended:
        sys.stderr.write("the window closed before the story had ended\n")
    sys.stderr.flush()
    sys.stdout.flush()
    os._exit(code or (1 if complaints or not player.ended else 0))


def _give_keyboard(window: int) -> None:
    """What a window manager does when a dialog closes; on this display there is none.

    Qt's own request carries the time of the last real key, and X ignores requests that are older
    than the last one.
    """
    if QApplication.platformName() != "xcb":
        return
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    x11.XSetInputFocus(display, ctypes.c_ulong(window), 2, 0)  # back to the parent; now
    x11.XCloseDisplay(display)


def _die_with_parent() -> None:
    """A test that is stopped takes its window along (Linux)."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(1, 9)
