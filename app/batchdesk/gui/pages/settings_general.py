"""Language, theme and reviewer; where things are kept; versions; what is sent where."""

from __future__ import annotations

import platform
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, qVersion
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from batchdesk import __version__, paths
from batchdesk.gui.desk import Desk
from batchdesk.gui.desk_files import files_of
from batchdesk.gui.theme import ThemeChoice, Type, theme
from batchdesk.gui.widgets.buttons import Button
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.settings import Settings, settings_file

_PROJECTS = 1  # the line of the folder for new projects


class GeneralSection(QWidget):
    """What concerns the person: language, theme, name.

    Args:
        desk: Keeps the settings.
    """

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._started_in = desk.settings.language
        self.language = QComboBox()
        self.theme = QComboBox()
        self.reviewer = QLineEdit()
        self.restart = wrapped("", Type.LABEL, "review")
        self._fill()
        names = (
            (self.tr("Language"), self.language),
            (self.tr("Look"), self.theme),
            (self.tr("Reviewer"), self.reviewer),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(_grid(names))
        column.addWidget(self.restart)
        words = self.tr("Decisions in review are signed with this name, in the project file.")
        column.addWidget(wrapped(words, Type.LABEL, "text2"))
        self.language.activated.connect(lambda _index: self._language_chosen())
        self.theme.activated.connect(lambda _index: self._theme_chosen())
        self.reviewer.editingFinished.connect(self._keep_reviewer)
        desk.settings_changed.connect(self.show_settings)
        self.show_settings()

    def show_settings(self) -> None:
        """Show the settings as they are."""
        settings = self._desk.settings
        for control, value in ((self.language, settings.language), (self.theme, settings.theme)):
            with QSignalBlocker(control):
                control.setCurrentIndex(control.findData(value))
        if not self.reviewer.hasFocus():
            self.reviewer.setText(settings.reviewer)
        is_other = settings.language != self._started_in
        words = self.tr("The language changes when Batchdesk is started again.")
        self.restart.setText(words if is_other else "")
        self.restart.setVisible(is_other)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._keep_reviewer()

    def _fill(self) -> None:
        system = self.tr("As the system")
        for value, word in (("system", system), ("en", "English"), ("zh_CN", "简体中文")):
            self.language.addItem(word, value)
        looks = (("system", system), ("light", self.tr("Light")), ("dark", self.tr("Dark")))
        for value, word in looks:
            self.theme.addItem(word, value)
        self.reviewer.setPlaceholderText(self.tr("your name"))

    def _language_chosen(self) -> None:
        self._change({"language": self.language.currentData()})

    def _theme_chosen(self) -> None:
        chosen = self.theme.currentData()
        theme().choose(ThemeChoice(chosen))
        self._change({"theme": chosen})

    def _keep_reviewer(self) -> None:
        name = self.reviewer.text().strip()
        if name != self._desk.settings.reviewer:
            self._change({"reviewer": name})

    def _change(self, values: dict[str, str]) -> None:
        settings: Settings = self._desk.settings.model_copy(update=values)
        self._desk.change_settings(settings)


class PlacesSection(QWidget):
    """Where settings, projects and crash reports lie, and the versions.

    Args:
        desk: Keeps the folder of new projects.
    """

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._files = files_of(desk)
        self.dialog: QFileDialog | None = None
        rows = (
            (self.tr("Settings"), str(settings_file())),
            (self.tr("New projects"), str(self._files.folder)),
            (self.tr("Crash reports"), str(paths.user_data())),
            (self.tr("Version"), f"Batchdesk {__version__}"),
            (self.tr("Built with"), f"Qt {qVersion()} · Python {platform.python_version()}"),
        )
        self.lines: list[QLineEdit] = []
        named: list[tuple[str, QWidget]] = []
        for name, text in rows:
            line = QLineEdit()
            line.setReadOnly(True)
            _show_path(line, text)
            self.lines.append(line)
            named.append((name, line))
        self.change = Button(self.tr("Change…"), icon="folder-open")
        self.change.clicked.connect(lambda _on=False: self._choose())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        grid = _grid(named)
        layout = grid.layout()
        if isinstance(layout, QGridLayout):
            for place, line in enumerate(self.lines):
                layout.addWidget(line, place, 1, 1, 1 if place == _PROJECTS else 2)
            layout.addWidget(self.change, _PROJECTS, 2)
        column.addWidget(grid)
        words = self.tr(
            "A project is one file: rows, prompts, answers and decisions. It never holds a key."
        )
        column.addWidget(wrapped(words, Type.LABEL, "text2"))
        desk.settings_changed.connect(
            lambda: _show_path(self.lines[_PROJECTS], str(self._files.folder))
        )

    def keep_folder(self, folder: Path) -> None:
        """Make new projects in another folder."""
        self._desk.change_settings(self._desk.settings.model_copy(update={"projects": folder}))

    def _choose(self) -> None:
        self.dialog = QFileDialog(self, self.tr("Folder for new projects"))
        self.dialog.setFileMode(QFileDialog.FileMode.Directory)
        self.dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        self.dialog.fileSelected.connect(lambda name: self.keep_folder(Path(name)))
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.open()


class PrivacySection(QWidget):
    """What is sent where, in plain words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for words in (
            self.tr(
                "In a run, what “As sent” on the Prompt page shows goes to the service chosen "
                "there, with the form of the answer: your texts, the columns they name, and the "
                "row's id. No other column is sent, and nothing to anybody else."
            ),
            self.tr("The built-in model and the practice server send nothing over the network."),
            self.tr(
                "Before rows go to another computer for the first time, you are shown what exactly "
                "is sent, and asked."
            ),
            self.tr("Batchdesk sends no statistics, no crash reports, and looks for no updates."),
        ):
            column.addWidget(wrapped(words))


def _show_path(line: QLineEdit, text: str) -> None:
    line.setText(text)
    line.setCursorPosition(0)
    line.setToolTip(text)


def wrapped(words: str = "", role: Type = Type.BODY, colour: str = "text") -> PlainLabel:
    """Words over several lines that need no more height than their width asks for."""
    label = PlainLabel(words, role, colour, wrap=True)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    return label


def _grid(rows: tuple[tuple[str, QWidget], ...] | list[tuple[str, QWidget]]) -> QWidget:
    whole = QWidget()
    grid = QGridLayout(whole)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(1, 1)
    for place, (name, control) in enumerate(rows):
        label = ElidingLabel(name, Type.BODY, "text2", least=80)
        grid.addWidget(label, place, 0, Qt.AlignmentFlag.AlignVCenter)
        control.setAccessibleName(name)
        control.setMinimumWidth(100)
        grid.addWidget(control, place, 1)
    return whole
