"""The versions of the job: the latest in a list, what differs from the present one, the way back.

The desk's job comes in; the job of an earlier version goes out when the person returns to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QDateTime, QLocale, QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from batchdesk.domain.job import Job
from batchdesk.gui.desk import Desk
from batchdesk.gui.pages.prompt_inputs import note
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.choice_box import ChoiceBox, Piece
from batchdesk.session import Session, StoredJob
from batchdesk.session.prompt_versions import Difference, differences

_LISTED = 3
_COLOURS = {"+": "passed", "-": "failed", " ": "text3"}


class VersionsSection(QWidget):
    """The latest versions, the present one first; each opens the comparison.

    Args:
        desk: Is asked for the versions.

    Signals:
        returned(object): The Job of the version that the person returns to.
    """

    returned = Signal(object)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.versions: list[StoredJob] = []
        self.lines: list[Button] = []
        self.box: VersionsBox | None = None
        self._none = note(self.tr("The first version is saved when you stop typing."))
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        self.all = Button(self.tr("Compare versions…"), Kind.FLAT, icon="git-diff", height=24)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._none)
        column.addLayout(self._list)
        column.addWidget(self.all)
        self.all.clicked.connect(lambda _on=False: self.compare(1))
        desk.job_changed.connect(self._job_changed)
        desk.project_changed.connect(self._read)
        self._read()

    def compare(self, number: int) -> None:
        """Open the comparison with a version, counted from the newest, 0."""
        job = self._desk.job
        if job is None or not self.versions:
            return
        if self.box is None:
            self.box = VersionsBox(self.window())
            self.box.returned.connect(self.returned)
        self.box.show_versions(self.versions, job, number)

    def _job_changed(self) -> None:
        """A saved job is another version, or takes the place of the newest one."""
        job, version = self._desk.job, self._desk.job_version
        if job is None or version is None:
            return
        newest = self.versions[0] if self.versions else None
        if newest is None or (newest.version, newest.job) != (version, job):
            self._read()

    def _read(self) -> None:
        if self._desk.session is None:
            self._show([])
            return
        self._desk.ask(Session.jobs, self._show)

    def _show(self, found: list[StoredJob]) -> None:
        job = self._desk.job
        self.versions = [one for one in found if job is not None and one.name == job.name]
        for line in self.lines:
            line.hide()
            line.deleteLater()
        self.lines = [self._line(n, one) for n, one in enumerate(self.versions[:_LISTED])]
        self._none.setVisible(not self.versions)
        self.all.setVisible(len(self.versions) > 1)

    def _line(self, number: int, stored: StoredJob) -> Button:
        line = Button(VersionWords().words(stored), Kind.FLAT, height=24)
        line.setToolTip(self.tr("What differs from the present one"))
        line.clicked.connect(lambda _on=False: self.compare(number))
        self._list.addWidget(line)
        return line


class VersionsBox(ChoiceBox):
    """All versions, what the present one has otherwise than the chosen one, and the way back.

    Signals:
        returned(object): The Job of the chosen version.
    """

    returned = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(
            parent,
            self.tr("Versions"),
            self.tr("Green lines are in the present one, red ones only in the chosen version."),
        )
        self._versions: list[StoredJob] = []
        self._job: Job | None = None
        self.back = Button(self.tr("Return to this version"), icon="arrow-counter-clockwise")
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.back)
        self.chosen.connect(self._show)
        self.back.clicked.connect(lambda _on=False: self._return())

    def show_versions(self, versions: list[StoredJob], job: Job, number: int) -> None:
        """Open with one version chosen."""
        self._versions, self._job = versions, job
        self.offer([VersionWords().words(one) for one in versions], number)
        self.open_centred()

    def _show(self, number: int) -> None:
        if self._job is None or not 0 <= number < len(self._versions):
            return
        found = differences(self._versions[number].job, self._job)
        same = self.tr("The present one says the same.")
        self.back.set_why_not("" if found else same)
        self.read(list(self._told(found)) if found else [(same, "text2", False)])

    def _told(self, found: list[Difference]) -> Iterator[Piece]:
        for number, one in enumerate(found):
            yield (("\n" if number else "") + self._place(one.place) + "\n", "text2", True)
            for sign, line in one.lines:
                shown = {"+": "+ ", "-": "\u2212 "}.get(sign, "   ")
                yield (f"{shown}{line}\n", _COLOURS.get(sign, "text"), False)

    def _place(self, place: str) -> str:
        known = {
            "system": self.tr("System text"),
            "user": self.tr("Text per row"),
            "temperature": self.tr("Temperature"),
            "max_tokens": self.tr("Tokens at most"),
            "answer_field": self.tr("Compare with the label"),
            "provider/model": self.tr("Model"),
            "provider/preset": self.tr("Service"),
            "data/where": self.tr("Only rows where"),
            "data/label": self.tr("Label"),
        }
        if place in known:
            return known[place]
        head, _, rest = place.partition("/")
        if head == "examples":
            return self.tr("Example {0}").format(rest)
        if head == "checks":
            return self.tr("Check {0}").format(rest)
        if head == "output":
            return self.tr("Answer: {0}").format(rest.removeprefix("properties/"))
        return place

    def _return(self) -> None:
        stored = self._versions[self.list.currentRow()]
        self.close_over()
        self.returned.emit(stored.job)


class VersionWords(QObject):
    """A version in words."""

    def words(self, stored: StoredJob) -> str:
        """Its number with when it was made."""
        made = QDateTime.fromSecsSinceEpoch(int(stored.created_at))
        today = made.date() == QDateTime.currentDateTime().date()
        form = QLocale.FormatType.ShortFormat
        when = QLocale().toString(made.time(), form) if today else QLocale().toString(made, form)
        return self.tr("Version {0} · {1}").format(stored.version, when)
