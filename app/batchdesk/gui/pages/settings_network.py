"""Proxy and certificates: how this computer reaches services."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from batchdesk.domain.network import NO_PROXY, Network
from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.pages.settings_general import wrapped
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.session import check_network

_SYSTEM, _OWN = "", "own"


class NetworkSection(QWidget):
    """What the person sets of proxy and certificates; kept once it is checked.

    Args:
        desk: Keeps the settings.
    """

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.way = QComboBox()
        self.way.addItem(self.tr("As this computer is set up"), _SYSTEM)
        self.way.addItem(self.tr("None"), NO_PROXY)
        self.way.addItem(self.tr("This one:"), _OWN)
        self.proxy = QLineEdit()
        self.proxy.setPlaceholderText("http://proxy.example:8080")
        self.proxy.setAccessibleName(self.tr("Address of the proxy"))
        self.file = QLineEdit()
        self.file.setReadOnly(True)
        self.file.setPlaceholderText(self.tr("none"))
        self.choose = Button(self.tr("Choose…"), icon="folder-open")
        self.remove = Button(self.tr("Remove"), Kind.FLAT)
        self.message = wrapped("", Type.LABEL, "failed")
        self.dialog: QFileDialog | None = None
        self._lay_out()
        self.way.activated.connect(lambda _index: self._way_chosen())
        self.proxy.editingFinished.connect(self._proxy_typed)
        self.choose.clicked.connect(lambda _on=False: self._choose())
        self.remove.clicked.connect(lambda _on=False: self.keep_file(None))
        desk.settings_changed.connect(self.show_settings)
        self.show_settings()

    def show_settings(self) -> None:
        """Show the settings as they are."""
        network = self._desk.settings.network
        is_own = network.proxy not in (_SYSTEM, NO_PROXY)
        with QSignalBlocker(self.way):
            self.way.setCurrentIndex(self.way.findData(_OWN if is_own else network.proxy))
        self.proxy.setText(network.proxy if is_own else "")
        self.proxy.setVisible(is_own)
        name = str(network.ca_file or "")
        self.file.setText(name)
        self.file.setToolTip(name)
        self.remove.setVisible(network.ca_file is not None)
        self._say("")

    def keep_file(self, path: Path | None) -> None:
        """Trust the certificates of a file too; None: of no file."""
        self._keep({"ca_file": path})

    def _way_chosen(self) -> None:
        way = str(self.way.currentData())
        self.proxy.setVisible(way == _OWN)
        self._say("")
        if way == _OWN:
            self.proxy.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._keep({"proxy": way})

    def _proxy_typed(self) -> None:
        typed = self.proxy.text().strip()
        if self.way.currentData() == _OWN and typed != self._desk.settings.network.proxy:
            self._keep({"proxy": typed or _SYSTEM})

    def _choose(self) -> None:
        self.dialog = QFileDialog(self, self.tr("File of trusted certificates"))
        self.dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        words = self.tr("Certificates ({0})").format("*.pem *.crt *.cer *.der")
        self.dialog.setNameFilters([words, self.tr("All files ({0})").format("*")])
        self.dialog.fileSelected.connect(lambda name: self.keep_file(Path(name)))
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.open()

    def _keep(self, change: dict[str, object]) -> None:
        wanted = self._desk.settings.network.model_copy(update=change)
        check = partial(asyncio.to_thread, check_network, wanted)
        self._desk.ask_program(check, self._kept, self._refused)

    def _kept(self, network: Network) -> None:
        settings = self._desk.settings.model_copy(update={"network": network})
        self._desk.change_settings(settings)

    def _refused(self, error: UserError) -> None:
        self._say(sentence(error))

    def _say(self, words: str) -> None:
        self.message.setText(words)
        self.message.setVisible(bool(words))

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        names = (self.tr("Proxy"), self.tr("Certificates"))
        for place, name in enumerate(names):
            label = ElidingLabel(name, Type.BODY, "text2", least=80)
            grid.addWidget(label, 2 * place, 0, Qt.AlignmentFlag.AlignVCenter)
        self.way.setAccessibleName(names[0])
        self.file.setAccessibleName(names[1])
        grid.addWidget(self.way, 0, 1)
        grid.addWidget(self.proxy, 1, 1)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.file, 1)
        row.addWidget(self.choose)
        row.addWidget(self.remove)
        grid.addLayout(row, 2, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(grid)
        column.addWidget(self.message)
        words = self.tr(
            "A company's own authority can be trusted beside this computer's. Certificates are "
            "always checked; servers on this computer are asked without a proxy."
        )
        column.addWidget(wrapped(words, Type.LABEL, "text2"))
