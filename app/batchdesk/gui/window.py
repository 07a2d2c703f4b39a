"""The window: header bar, rail, banner, and the pages, each made at its first visit.

In come the desk and the pages' factories. The window shows what the desk says of the project and
its runs, and asks before it closes during a run. Nothing modal appears on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from batchdesk.domain.task import ErrorKind, TaskState
from batchdesk.gui.agreeing import Agreeing
from batchdesk.gui.desk import Desk
from batchdesk.gui.leaving import Leaving
from batchdesk.gui.project_files import ProjectFiles
from batchdesk.gui.rail_state import Facts, Missing, missing, percent, window_title
from batchdesk.gui.theme import NBSP, PAGE_X, PAGE_Y, RAIL_NARROW_BELOW
from batchdesk.gui.widgets.banner import Banner, BannerKind
from batchdesk.gui.widgets.header import Header
from batchdesk.gui.widgets.overlay import CommandPalette, HelpPopover
from batchdesk.gui.widgets.page import Command, Page
from batchdesk.gui.widgets.rail import Rail, RailItem
from batchdesk.gui.widgets.states import BadgeState
from batchdesk.gui.words import Words

PageFactory = Callable[[Desk], QWidget]

_ICONS = {
    "runs": "stack",
    "data": "table",
    "prompt": "chat-text",
    "preview": "flask",
    "run": "play-circle",
    "review": "checks",
    "results": "chart-bar",
    "settings": "gear-six",
}
_BELOW_THE_LINE = frozenset({"settings"})
_LEAST, _USUAL = QSize(1024, 700), QSize(1280, 800)


class MainWindow(QMainWindow):
    """The one window.

    Args:
        desk: What it shows and asks.
        pages: A factory for each page by name, in the order of work.
        on_closed: Called once the window has closed for good.
    """

    def __init__(
        self,
        desk: Desk,
        pages: Mapping[str, PageFactory],
        on_closed: Callable[[], object] | None = None,
    ) -> None:
        super().__init__()
        self._desk, self._factories, self._on_closed = desk, pages, on_closed
        self._pages: dict[str, QWidget] = {}
        self._current = ""
        self.files = ProjectFiles(self, desk)
        self.header = Header()
        self.rail = self._make_rail()
        self.banner = Banner(BannerKind.ALARM, closable=True, close_word=self.tr("Close"))
        self.leaving = Leaving(self, desk, self.banner, lambda: self.show_problem(""))
        self.agreeing = Agreeing(self, desk)
        self.stack = QStackedWidget()
        self._lay_out()
        self.palette_box = CommandPalette(
            self, self.tr("Find a page or a command"), self.tr("Nothing is called that.")
        )
        self.help_box = HelpPopover(self)
        self._make_shortcuts()
        self._listen()
        self.resize(_USUAL)
        self.setMinimumSize(_LEAST)
        if desk.settings.geometry:
            self.restoreGeometry(QByteArray.fromBase64(desk.settings.geometry.encode()))
        self._show_all()
        self.go_to(next(iter(pages)))

    # -- pages ------------------------------------------------------------------------------

    @property
    def current_page(self) -> str:
        """The name of the page shown."""
        return self._current

    def page(self, name: str) -> QWidget:
        """A page by name, made if this is the first time.

        Raises:
            KeyError: There is no such page.
        """
        if name not in self._pages:
            page = self._factories[name](self._desk)
            self._pages[name] = page
            self.stack.addWidget(page)
        return self._pages[name]

    def go_to(self, name: str) -> None:
        """Shows a page, unless something is missing for it."""
        if name not in self._factories or self.rail.item(name).reason:
            return
        page = self.page(name)
        self._current = name
        self.rail.choose(name)
        self.stack.setCurrentWidget(page)
        self.palette_box.close_over()
        self.help_box.close_over()
        page.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(page, Page):
            page.shown()
        self._keep_focus_in(page)

    def _keep_focus_in(self, page: QWidget) -> None:
        """What the page wanted to focus may be hidden yet; the header must not get the keys."""
        focused = self.focusWidget()
        if focused is not page and not page.isAncestorOf(focused):
            page.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- making -----------------------------------------------------------------------------

    def _page_word(self, name: str) -> str:
        return {
            "runs": self.tr("Runs"),
            "data": self.tr("Data"),
            "prompt": self.tr("Prompt"),
            "preview": self.tr("Preview"),
            "run": self.tr("Run"),
            "review": self.tr("Review"),
            "results": self.tr("Results"),
            "settings": self.tr("Settings"),
        }.get(name, name)

    def _make_rail(self) -> Rail:
        items: list[RailItem] = []
        other: list[RailItem] = []
        for number, name in enumerate(self._factories, start=1):
            item = RailItem(
                name,
                self._page_word(name),
                _ICONS.get(name, "file-text"),
                self.tr("Ctrl {0}").format(number),
            )
            (other if name in _BELOW_THE_LINE else items).append(item)
        rail = Rail(items, other)
        rail.setAccessibleName(self.tr("Pages"))
        return rail

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        self._above = QWidget()  # the banner and the space around it
        around = QVBoxLayout(self._above)
        around.setContentsMargins(PAGE_X, PAGE_Y, PAGE_X, 0)
        around.addWidget(self.banner)
        right.addWidget(self._above)
        self._above.setVisible(False)
        right.addWidget(self.stack, 1)
        below = QHBoxLayout()
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(self.rail)
        below.addLayout(right, 1)
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(below, 1)
        self.setCentralWidget(centre)

    def _make_shortcuts(self) -> None:
        for number, name in enumerate(self._factories, start=1):
            if number <= 9:  # noqa: PLR2004 - there are nine digits to press
                self._shortcut(f"Ctrl+{number}", partial(self.go_to, name))
        self._shortcut("Ctrl+K", self.open_palette)
        self._shortcut("F1", self.open_help)
        for action in self.header.actions_for_window():
            self.addAction(action)

    def _shortcut(self, keys: str, act: Callable[[], object]) -> None:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.activated.connect(act)

    def _listen(self) -> None:
        desk = self._desk
        for signal in (
            desk.project_changed,
            desk.dataset_changed,
            desk.job_changed,
            desk.runs_changed,
            desk.settings_changed,
        ):
            signal.connect(self._show_all)
        desk.run_changed.connect(lambda _run: self._show_all())
        desk.snapshot.connect(lambda _snapshot: self._show_progress())
        desk.run_state.connect(lambda _event: self._show_progress())
        desk.project_changed.connect(self._project_changed)
        desk.problem.connect(self.show_problem)
        desk.go_to.connect(self.go_to)
        self.banner.closed.connect(lambda: self.show_problem(""))
        self.rail.chosen.connect(self.go_to)
        self.header.provider_wanted.connect(lambda: self.go_to("settings"))
        self.header.search_wanted.connect(self.open_palette)
        self.header.new_wanted.connect(self.files.make)
        self.header.open_wanted.connect(self.files.choose)
        self.header.copy_wanted.connect(self.files.save_copy)
        self.header.close_wanted.connect(desk.leave_project)
        self.header.recent_wanted.connect(desk.switch_project)

    # -- showing ----------------------------------------------------------------------------

    def show_problem(self, sentence: str) -> None:
        """Puts a sentence into the banner; an empty one takes the banner away."""
        waits = self.leaving.waits
        if not waits:
            self.banner.clear_buttons()
        if sentence:
            self.banner.show_message(sentence, "", BannerKind.ALARM)
        self._above.setVisible(bool(sentence) or waits)

    def _counts(self) -> Mapping[TaskState, int] | None:
        run_id = self._desk.run_id
        live = self._desk.snapshots.get(run_id) if run_id is not None else None
        if live is not None and run_id in self._desk.under_way:
            return live.counts
        summary = self._desk.summary(run_id)
        if summary is not None:
            return summary.counts
        return live.counts if live is not None else None

    def _cause(self) -> ErrorKind | None:
        summary = self._desk.summary(self._desk.run_id)
        running = self._desk.run_id in self._desk.under_way
        return summary.run.cause if summary is not None and not running else None

    def _show_all(self) -> None:
        desk = self._desk
        self.header.set_project(desk.project_path)
        self.header.set_recent(desk.settings.recent)
        provider = desk.job.provider if desk.job is not None else None
        self.header.set_provider(Words().provider(provider) if provider else "")
        self._show_progress()

    def _show_progress(self) -> None:
        desk, counts = self._desk, self._counts()
        facts = Facts(desk.project_path is not None, desk.dataset is not None, counts)
        for item in self.rail.items():
            what = missing(item.name, facts)
            here = item.name == self._current and desk.project_path is not None
            item.set_reason(self._reason(what) if what is not None and not here else "")
        share = percent(counts) if counts is not None else None
        running = desk.run_id is not None and desk.run_id in desk.under_way
        progress = self.tr("{0} %").format(share).replace(" ", NBSP) if share is not None else ""
        waits = counts.get(TaskState.REVIEW, 0) if counts is not None else 0
        self._badge("review", f"{waits:,}" if waits else "", BadgeState.REVIEW)
        if self._cause() is not None:
            self._badge("run", self.tr("paused by itself"), BadgeState.CAUSE)
        else:
            self._badge("run", progress if running else "", BadgeState.RUNNING)
        live = desk.snapshots.get(desk.run_id) if desk.run_id is not None else None
        self.header.set_unsaved(live.uncommitted if live is not None and running else 0)
        self.setWindowTitle(window_title(desk.project_path, progress if running else ""))

    def _badge(self, name: str, words: str, state: BadgeState) -> None:
        if name in self._factories:
            self.rail.item(name).set_badge(words, state)

    def _reason(self, what: Missing) -> str:
        return {
            Missing.PROJECT: self.tr("open a project first"),
            Missing.ROWS: self.tr("needs rows"),
            Missing.RUN: self.tr("no run yet"),
            Missing.WAITING: self.tr("nothing waits"),
            Missing.ANSWERS: self.tr("no answers yet"),
        }[what]

    def _project_changed(self) -> None:
        if self._desk.project_path is None and self._current:
            self._current = ""
            self._show_progress()
            self.go_to(next(iter(self._factories)))

    # -- commands ---------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        """What the command palette offers now: the page's own, then pages and the project."""
        page = self._pages.get(self._current)
        own = list(page.commands()) if isinstance(page, Page) else []
        pages = [
            Command(
                self.tr("Go to {0}").format(item.text()),
                partial(self.go_to, item.name),
                self.tr("Ctrl {0}").format(number),
                item.isEnabled,
            )
            for number, item in enumerate(self.rail.items(), start=1)
        ]
        has_project = self._desk.project_path is not None
        return [
            *own,
            *pages,
            Command(self.tr("New project…"), self.files.make, self.tr("Ctrl N")),
            Command(self.tr("Open project…"), self.files.choose, self.tr("Ctrl O")),
            Command(self.tr("Save a copy…"), self.files.save_copy, enabled=lambda: has_project),
            Command(
                self.tr("Close project"), self._desk.leave_project, enabled=lambda: has_project
            ),
            Command(self.tr("Explain this page"), self.open_help, "F1"),
        ]

    def open_palette(self) -> None:
        """Opens the command palette below the search field."""
        centre, low = self.header.search_place()
        self.palette_box.open_with(self.commands(), centre, low + 8)

    def open_help(self) -> None:
        """Explains the page; pressed again, puts the words away."""
        if self.help_box.isVisible():
            self.help_box.close_over()
            return
        page = self._pages.get(self._current)
        words = page.help_text() if isinstance(page, Page) else ""
        keys = [
            ([self.tr("Ctrl K")], self.tr("find a page or a command")),
            (
                [self.tr("Ctrl {0}").format(1), self.tr("Ctrl {0}").format(len(self._factories))],
                self.tr("first page, last page"),
            ),
            ([self.tr("Esc")], self.tr("close this")),
        ]
        title = self._page_word(self._current)
        right = self.width() - PAGE_X
        self.help_box.open_with(title, words, keys, right=right, top=self.header.height() + 8)

    # -- closing ----------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._desk.under_way and not self.leaving.agreed:
            event.ignore()
            self.leaving.ask_to_close()
            return
        geometry = bytes(self.saveGeometry().toBase64().data()).decode()
        self._desk.change_settings(self._desk.settings.model_copy(update={"geometry": geometry}))
        event.accept()
        if self._on_closed is not None:
            self._on_closed()

    # -- Qt ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rail.set_narrow(narrow=event.size().width() < RAIL_NARROW_BELOW)
        self.palette_box.close_over()
        self.help_box.close_over()
