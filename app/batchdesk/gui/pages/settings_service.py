"""The form of one service: preset, name, address, model, key or variable, and a test.

A saved provider comes in; another goes out, never with a key: that is handed to the keyring.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from functools import partial

import pydantic
from PySide6.QtCore import QSignalBlocker, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from batchdesk.domain.job import ProviderSpec
from batchdesk.errors import UserError
from batchdesk.gui.desk import Asked, Desk
from batchdesk.gui.pages.settings_general import wrapped
from batchdesk.gui.pages.settings_told import Told
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.words import Words
from batchdesk.session import (
    ProviderTest,
    check_provider,
    has_stored_key,
    keep_key_for_now,
    key_account,
    services,
    store_key,
    takes_stored_key,
    try_provider,
)
from batchdesk.settings import SavedProvider

_AZURE_PLACE = "https://NAME.openai.azure.com"


class ServiceForm(QWidget):
    """Edits one saved provider.

    Args:
        desk: Is asked to store keys and to try the service.

    Signals:
        saved(SavedProvider): Keep this one.
        removed(): The shown one is to go.
        cancelled(): The new one is not wanted after all.
    """

    saved = Signal(object)
    removed = Signal()
    cancelled = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._words = desk, Words(self)
        self._services = {one.preset: one for one in services() if not one.is_built_in}
        self._base = ProviderSpec()
        self._taken: Collection[str] = ()
        self._asked: list[Asked] = []
        self.preset = QComboBox()
        for name, service in self._services.items():
            self.preset.addItem(self.service_words().get(name, service.title), name)
        self.name, self.address, self.model = QLineEdit(), QLineEdit(), QLineEdit()
        self.key, self.variable, self.version = QLineEdit(), QLineEdit(), QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key_state = wrapped("", Type.LABEL, "text2")
        self.message = wrapped()
        self.told = Told(self._words)
        self.model.setCompleter(self.told.models)
        self.get_key = Button(self.tr("Get a key"), Kind.FLAT, icon="key")
        self.for_now = Button(self.tr("Use it until Batchdesk is closed"))
        self.for_now.hide()
        self.save = Button(self.tr("Save"), Kind.PRIMARY)
        self.test = Button(self.tr("Test"), icon="play")
        self.forget = Button(self.tr("Forget the key"), Kind.FLAT, icon="key")
        self.remove = Button(self.tr("Remove"), Kind.FLAT, icon="trash")
        self.cancel = Button(self.tr("Cancel"), Kind.FLAT)
        self._lay_out()
        self._connect()

    def service_words(self) -> dict[str, str]:
        """Services whose titles are words and no brand names, in the window's language."""
        return {"openai-compatible": self.tr("OpenAI-compatible service")}

    # -- in and out -------------------------------------------------------------------------

    def show_provider(self, one: SavedProvider | None, taken: Collection[str]) -> None:
        """Show a saved provider, or an empty form for a new one.

        Args:
            one: None for a new one.
            taken: Names of the others.
        """
        self._taken = taken
        self._base = one.spec if one is not None else ProviderSpec()
        with QSignalBlocker(self.preset):
            self.preset.setCurrentIndex(max(0, self.preset.findData(self._base.preset)))
        self.name.setText(one.name if one is not None else "")
        self.address.setText(self._base.base_url or self._usual_address())
        self.model.setText(self._base.model)
        self.variable.setText(self._base.api_key_env or "")
        self.version.setText(self._base.api_version or "")
        self.key.clear()
        self.told.clear()
        self.remove.setVisible(one is not None)
        self.cancel.setVisible(one is None)
        self._say("")
        self._show_ways()
        self._ask_key_state()

    def provider(self) -> SavedProvider:
        """What the form says.

        Raises:
            UserError: something is missing or cannot be used.
        """
        name = self.name.text().strip()
        if not name:
            raise UserError(self.tr("Give the service a name."))
        if name in self._taken:
            raise UserError(self.tr("Another service has this name; give this one another."))
        spec = self.spec()
        return SavedProvider(name=name, spec=spec)

    def spec(self, *, needs_model: bool = True) -> ProviderSpec:
        """What the form says of the service.

        Raises:
            UserError: something is missing or cannot be used.
        """
        preset = str(self.preset.currentData())
        address = self.address.text().strip()
        if not address:
            words = self.tr("Write the address of the service, such as https://host/v1.")
            raise UserError(words)
        model = self.model.text().strip()
        if not model and needs_model:
            words = self.tr("Write the name under which the service knows the model.")
            raise UserError(words)
        usual = self._usual_address()
        values = {
            "preset": preset,
            "base_url": None if address == usual else address,
            "model": model,
            "api_key_env": self.variable.text().strip() or None,
            "api_version": (self.version.text().strip() or None) if self._is_azure() else None,
            "structured_output": self._base.structured_output,
        }
        try:
            spec = ProviderSpec.model_validate(values)
        except pydantic.ValidationError as error:
            if any("api_version" in wrong["loc"] for wrong in error.errors()):
                words = self.tr("Write the API version like 2024-10-21, or leave it empty.")
                raise UserError(words) from None
            words = self.tr(
                "“Or from the variable” takes the name of an environment variable, not a key. Put "
                "the key into the field above it."
            )
            raise UserError(words) from None
        check_provider(spec if model else spec.model_copy(update={"model": "?"}))
        return spec

    # -- acting -----------------------------------------------------------------------------

    def save_now(self) -> None:
        """Keep the provider, and its key in the keyring if one was typed."""
        self._with(lambda one: self._store_typed_key(one.spec, lambda: self._keep(one)))

    def try_now(self) -> None:
        """Ask the service for its models and for one word, and show what came."""
        try:
            spec = self.spec(needs_model=False)
        except UserError as error:
            self._say(sentence(error), "failed")
            return
        self._store_typed_key(spec, lambda: self._try(spec))

    def forget_now(self) -> None:
        """Take the key out of the keyring."""
        try:
            spec = self.spec()
        except UserError as error:
            self._say(sentence(error), "failed")
            return
        call = partial(asyncio.to_thread, store_key, spec, "")
        self._desk.ask_program(call, lambda _: self._ask_key_state(), self._key_refused)

    def _with(self, act: Callable[[SavedProvider], object]) -> None:
        try:
            one = self.provider()
        except UserError as error:
            self._say(sentence(error), "failed")
            return
        act(one)

    def _keep(self, one: SavedProvider) -> None:
        self._base = one.spec
        self._say(self.tr("Saved."), "passed")
        self.saved.emit(one)
        self._ask_key_state()

    def _store_typed_key(self, spec: ProviderSpec, then: Callable[[], object]) -> None:
        key = self.key.text().strip()
        if not key or not takes_stored_key(spec):
            then()
            return

        def stored(_: object) -> None:
            self.key.clear()
            self._ask_key_state()
            then()

        call = partial(asyncio.to_thread, store_key, spec, key)
        self._desk.ask_program(call, stored, self._key_refused)

    def _key_refused(self, error: UserError) -> None:
        self._say(sentence(error), "failed")
        self.for_now.setVisible(bool(self.key.text().strip()))

    def keep_for_now(self) -> None:
        """Keep the typed key in memory alone, where there is no keyring."""
        try:
            spec = self.spec(needs_model=False)
        except UserError as error:
            self._say(sentence(error), "failed")
            return
        call = partial(asyncio.to_thread, keep_key_for_now, spec, self.key.text().strip())

        def kept(_: object) -> None:
            self.key.clear()
            self.for_now.hide()
            words = self.tr("The key is used until Batchdesk is closed, then it is gone.")
            self._say(words, "passed")
            self._ask_key_state()

        self._desk.ask_program(call, kept, self._key_refused)

    def _try(self, spec: ProviderSpec) -> None:
        self._say(self.tr("Asking {0}…").format(key_account(spec)))
        self.test.set_why_not(self.tr("A test is under way."))
        network = self._desk.settings.network
        answered = partial(self._answered, spec.model)
        self._desk.ask_program(lambda: try_provider(spec, network), answered, self._not_answered)

    def _answered(self, model: str, test: ProviderTest) -> None:
        self.test.set_why_not("")
        self._say(self.told.answer_of(test), "passed")
        self.told.show_test(test, model)
        if not model:
            self.model.setFocus(Qt.FocusReason.OtherFocusReason)

    def _not_answered(self, error: UserError) -> None:
        self.test.set_why_not("")
        self._say(sentence(error), "failed")

    # -- the key ----------------------------------------------------------------------------

    def _ask_key_state(self) -> None:
        """Say whether a key is stored; the key itself is never shown."""
        spec = self._spec_for_key()
        for asked in self._asked:
            asked.cancel()
        self._asked = []
        account = key_account(spec)
        if self.variable.text().strip():
            words = self.tr("The key is taken from this variable, and nowhere else.")
            self._show_key_state(words, stored=False)
        elif not takes_stored_key(spec):
            words = self.tr("Such a server takes no key; if yours does, name a variable.")
            self._show_key_state(words, stored=False)
        elif not account:
            self._show_key_state("", stored=False)
        else:
            call = partial(asyncio.to_thread, has_stored_key, spec)
            self._asked = [self._desk.ask_program(call, partial(self._have_state, account))]

    def _have_state(self, account: str, found: bool) -> None:  # noqa: FBT001 - a result
        service = self._services[str(self.preset.currentData())]
        is_own = account == key_account(ProviderSpec(preset=service.preset))
        usual = service.api_key_env if is_own else None  # a key is not sent to another's address
        if found:
            words = self.tr("A key is stored for {0}.").format(account)
        elif usual:
            words = self.tr("No key is stored for {0}; the variable {1} is tried, too.")
            words = words.format(account, usual)
        else:
            words = self.tr("No key is stored for {0}.").format(account)
        self._show_key_state(words, stored=found)

    def _show_key_state(self, words: str, *, stored: bool) -> None:
        self.key_state.setText(words)
        self.forget.setVisible(stored)
        placeholder = self.tr("stored; type to replace it") if stored else self.tr("not stored")
        self.key.setPlaceholderText(placeholder)

    def _spec_for_key(self) -> ProviderSpec:
        address = self.address.text().strip() or None
        return ProviderSpec(preset=str(self.preset.currentData()), base_url=address)

    # -- showing ----------------------------------------------------------------------------

    def _usual_address(self) -> str:
        return self._services[str(self.preset.currentData())].base_url or ""

    def _preset_chosen(self) -> None:
        titles = {self.preset.itemText(place) for place in range(self.preset.count())}
        if not self.name.text().strip() or self.name.text() in titles:
            self.name.setText(self.preset.currentText())
        self.address.setText(self._usual_address())
        self.variable.clear()
        self.told.clear()
        self._say("")
        self._show_ways()
        self._ask_key_state()

    def _show_ways(self) -> None:
        service = self._services[str(self.preset.currentData())]
        has_key = takes_stored_key(self._spec_for_key())
        for widget in (self.key, self._names[self.key]):
            widget.setVisible(has_key)
        for widget in (self.version, self._names[self.version]):
            widget.setVisible(service.takes_version)
        self.get_key.setVisible(bool(service.key_page))
        self.get_key.setToolTip(service.key_page)
        self.address.setPlaceholderText(
            _AZURE_PLACE if service.takes_version else "https://host/v1"
        )
        self.model.setPlaceholderText(
            self.tr("the deployment's name")
            if service.takes_version
            else self.tr("as the service calls it")
        )
        self.told.show_service(service)

    def _is_azure(self) -> bool:
        return self._services[str(self.preset.currentData())].takes_version

    def _open_key_page(self) -> None:
        page = self._services[str(self.preset.currentData())].key_page
        QDesktopServices.openUrl(QUrl(page))

    def _say(self, words: str, colour: str = "text2") -> None:
        self.message.setText(words)
        self.message.set_colour(colour)
        self.message.setVisible(bool(words))
        self.for_now.hide()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        rows = (
            (self.tr("Service"), self.preset),
            (self.tr("Name"), self.name),
            (self.tr("Address"), self.address),
            (self.tr("Model"), self.model),
            (self.tr("API version"), self.version),
            (self.tr("Key"), self.key),
            (self.tr("Or from the variable"), self.variable),
        )
        self._names: dict[QWidget, QWidget] = {}
        for place, (name, control) in enumerate(rows):
            label = ElidingLabel(name, Type.BODY, "text2", least=90)
            grid.addWidget(label, place, 0, Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(control, place, 1)
            control.setAccessibleName(name)
            control.setMinimumWidth(120)
            self._names[control] = label
        self.version.setPlaceholderText(self.tr("empty for the v1 API"))
        self.variable.setPlaceholderText(self.tr("name of an environment variable"))
        grid.addWidget(self.key_state, len(rows), 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.save, self.test, self.for_now):
            buttons.addWidget(button)
        buttons.addStretch(1)
        for button in (self.get_key, self.forget, self.remove, self.cancel):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addLayout(grid)
        column.addLayout(buttons)
        column.addWidget(self.message)
        column.addWidget(self.told)

    def _connect(self) -> None:
        self.preset.activated.connect(lambda _index: self._preset_chosen())
        for line in (self.address, self.variable):
            line.editingFinished.connect(self._ask_key_state)
        self.save.clicked.connect(lambda _on=False: self.save_now())
        self.test.clicked.connect(lambda _on=False: self.try_now())
        self.get_key.clicked.connect(lambda _on=False: self._open_key_page())
        self.for_now.clicked.connect(lambda _on=False: self.keep_for_now())
        self.forget.clicked.connect(lambda _on=False: self.forget_now())
        self.remove.clicked.connect(lambda _on=False: self.removed.emit())
        self.cancel.clicked.connect(lambda _on=False: self.cancelled.emit())
