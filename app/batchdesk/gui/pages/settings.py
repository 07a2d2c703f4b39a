"""The Settings page: services with their keys, language, look, reviewer, places, privacy."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from batchdesk.gui.desk import Desk
from batchdesk.gui.pages.settings_general import (
    GeneralSection,
    PlacesSection,
    PrivacySection,
    wrapped,
)
from batchdesk.gui.pages.settings_network import NetworkSection
from batchdesk.gui.pages.settings_prices import PricesSection
from batchdesk.gui.pages.settings_service import ServiceForm
from batchdesk.gui.widgets.buttons import Button
from batchdesk.gui.widgets.page import Page
from batchdesk.gui.widgets.panel import Panel
from batchdesk.session import key_account
from batchdesk.settings import SavedProvider


class SettingsPage(Page):
    """Shows and changes the desk's settings.

    Args:
        desk: Keeps the settings.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__("Settings")
        self.head.set_title(self.tr("Settings"))
        self._desk = desk
        self._chosen = ""  # the name of the service in the form; empty: a new one
        self.general = GeneralSection(desk)
        self.places = PlacesSection(desk)
        self.network = NetworkSection(desk)
        self.prices = PricesSection(desk)
        self.add = Button(self.tr("Add a service"), icon="plus")
        self.lines: list[Button] = []
        words = self.tr(
            "None yet. The built-in local model and the practice server are always there and "
            "need no setting up."
        )
        self.none = wrapped(words, colour="text2")
        self.form = ServiceForm(desk)
        self.form_panel = _panel(self.tr("Service"), self.form)
        self.form_panel.hide()
        self.column.addWidget(self._columns(), 1)
        self.add.clicked.connect(lambda _on=False: self.choose(""))
        self.form.saved.connect(self._save)
        self.form.removed.connect(self._remove)
        self.form.cancelled.connect(self._cancel)
        desk.settings_changed.connect(self._show_lines)
        self._show_lines()

    def help_text(self) -> str:
        """See Page."""
        return self.tr(
            "Set up the services that may answer; then choose one on the Prompt page. A key goes "
            "into this computer's keyring, never into a project or a settings file. “Test” asks "
            "the service for its models and for one word, and shows how long that took and what "
            "it tells of its limits."
        )

    def shown(self) -> None:
        """See Page."""
        self.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def choose(self, name: str) -> None:
        """Show a saved service in the form; an empty name begins a new one."""
        self._chosen = name
        found = next((one for one in self._desk.settings.providers if one.name == name), None)
        others = [one.name for one in self._desk.settings.providers if one.name != name]
        self.form.show_provider(found, others)
        self.form_panel.set_title(found.name if found else self.tr("New service"))
        self.form_panel.show()
        self._show_lines()
        self.form.preset.setFocus(Qt.FocusReason.OtherFocusReason)

    def _save(self, one: SavedProvider) -> None:
        known = self._desk.settings.providers
        if any(other.name == self._chosen for other in known):
            kept = tuple(one if other.name == self._chosen else other for other in known)
        else:
            kept = (*known, one)
        self._chosen = one.name
        self._keep(kept)
        self.form_panel.set_title(one.name)
        self.form.remove.show()
        self.form.cancel.hide()

    def _remove(self) -> None:
        known = self._desk.settings.providers
        self.form_panel.hide()
        self._keep(tuple(one for one in known if one.name != self._chosen))
        self.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def _cancel(self) -> None:
        self.form_panel.hide()
        self.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def _keep(self, providers: tuple[SavedProvider, ...]) -> None:
        change = {"providers": providers}
        self._desk.change_settings(self._desk.settings.model_copy(update=change))

    def _show_lines(self) -> None:
        providers = self._desk.settings.providers
        for line in self.lines:
            line.hide()
            line.deleteLater()
        self.lines = []
        for one in providers:
            words = self.tr("{0}   {1}, {2}").format(
                one.name, one.spec.model, key_account(one.spec)
            )
            line = Button(words, icon="cpu")
            line.setCheckable(True)
            line.setChecked(self.form_panel.isVisibleTo(self) and one.name == self._chosen)
            line.clicked.connect(lambda _on=False, name=one.name: self.choose(name))
            self._list.addWidget(line)
            self.lines.append(line)
        self.none.setVisible(not providers)

    def _columns(self) -> QScrollArea:
        services = _panel(self.tr("Services"), self.none)
        services.add_tool(self.add)
        self._list = QVBoxLayout()
        self._list.setSpacing(6)
        services.add(self._list)
        general = _panel(self.tr("You"), self.general)
        places = _panel(self.tr("Where things are kept"), self.places)
        privacy = _panel(self.tr("What is sent where"), PrivacySection())
        prices = _panel(self.tr("Prices"), self.prices)
        network = _panel(self.tr("Network"), self.network)
        left = _column(services, self.form_panel, prices)
        right = _column(general, network, places, privacy)
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(left, 1)
        row.addWidget(right, 1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        return area


def _panel(title: str, content: QWidget) -> Panel:
    panel = Panel(title, head_line=True)
    panel.body.setContentsMargins(11, 8, 11, 11)
    panel.add(content)
    return panel


def _column(*panels: Panel) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(8)
    for panel in panels:
        column.addWidget(panel)
    column.addStretch(1)
    return whole
