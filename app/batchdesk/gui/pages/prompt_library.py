"""Prompts kept for all projects: look at one, use it here, forget it, or keep the present one.

The present stage comes in; a stage made of a kept prompt goes out. The files are the Session's
business; they are read and written away from the window's thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from batchdesk.domain.job import Stage
from batchdesk.errors import UserError
from batchdesk.gui.desk import Desk
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.choice_box import ChoiceBox, Piece
from batchdesk.gui.widgets.labels import PlainLabel
from batchdesk.session.prompt_library import KeptPrompt, forget_prompt, keep_prompt, kept_prompts


class LibraryBox(ChoiceBox):
    """The library.

    Args:
        parent: The window.
        desk: Is asked to read and write files.

    Signals:
        used(object): The Stage of the prompt that the person wants here.
    """

    used = Signal(object)

    def __init__(self, parent: QWidget, desk: Desk) -> None:
        super().__init__(
            parent,
            self.tr("Prompt library"),
            self.tr("Texts, examples, answer and checks, kept on this computer for all projects."),
        )
        self._desk = desk
        self._stage: Stage | None = None
        self._kept: list[KeptPrompt] = []
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("Name"))
        self.name.setAccessibleName(self.tr("Name for the present prompt"))
        self.keep = Button(self.tr("Keep the present prompt"), icon="plus")
        self.use = Button(self.tr("Use this prompt"), Kind.PRIMARY)
        self.forget = Button("", Kind.FLAT, icon="trash")
        self.forget.setAccessibleName(self.tr("Remove this prompt from the library"))
        self.forget.setToolTip(self.forget.accessibleName())
        self.said = PlainLabel("", Type.LABEL, "failed", wrap=True)
        self.said.hide()
        self.column.insertWidget(self.column.count() - 1, self.said)
        self.buttons.addWidget(self.name, 1)
        self.buttons.addWidget(self.keep)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.forget)
        self.buttons.addWidget(self.use)
        self.chosen.connect(self._show)
        self.name.textChanged.connect(lambda _text: self._show_ways())
        self.name.returnPressed.connect(self.keep.click)
        self.keep.clicked.connect(lambda _on=False: self._keep())
        self.forget.clicked.connect(lambda _on=False: self._forget())
        self.use.clicked.connect(lambda _on=False: self._use())

    def show_library(self, stage: Stage, name: str) -> None:
        """Open; ``stage`` is the present prompt, ``name`` what it would be called."""
        self._stage = stage
        self.name.setText(name)
        self._say("")
        self._read("")
        self.open_centred()

    def _read(self, chosen: str) -> None:
        self._desk.ask_program(
            lambda: asyncio.to_thread(kept_prompts), partial(self._have, chosen=chosen)
        )

    def _have(self, kept: list[KeptPrompt], chosen: str) -> None:
        self._kept = kept
        names = [one.name for one in kept]
        self.offer(names, names.index(chosen) if chosen in names else 0)

    def _show(self, number: int) -> None:
        self._show_ways()
        if 0 <= number < len(self._kept):
            self.read(list(self._told(self._kept[number].stage)))
        else:
            self.read([(self.tr("No prompt is kept yet."), "text2", False)])

    def _told(self, stage: Stage) -> Iterator[Piece]:
        for title, text in (
            (self.tr("System text"), stage.system),
            (self.tr("Text per row"), stage.user),
        ):
            if text:
                yield (f"{title}\n", "text2", True)
                yield (f"{text}\n\n", "text", False)
        fields = (stage.output or {}).get("properties", {})
        if fields:
            yield (self.tr("Answer") + "\n", "text2", True)
            yield (", ".join(fields) + "\n", "text", False)

    def _show_ways(self) -> None:
        is_one = 0 <= self.list.currentRow() < len(self._kept)
        none = "" if is_one else self.tr("No prompt is kept yet.")
        self.use.set_why_not(none)
        self.forget.setVisible(is_one)
        self.keep.set_why_not("" if self.name.text().strip() else self.tr("Give it a name first."))

    def _keep(self) -> None:
        name, stage = self.name.text().strip(), self._stage
        if not name or stage is None:
            return
        self._desk.ask_program(
            lambda: asyncio.to_thread(keep_prompt, name, stage),
            lambda kept: self._read(kept.name),
            self._failed,
        )

    def _forget(self) -> None:
        kept = self._kept[self.list.currentRow()]
        self._desk.ask_program(
            lambda: asyncio.to_thread(forget_prompt, kept),
            lambda _none: self._read(""),
            self._failed,
        )

    def _use(self) -> None:
        stage = self._kept[self.list.currentRow()].stage
        self.close_over()
        self.used.emit(stage)

    def _failed(self, error: UserError) -> None:
        self._say(sentence(error))

    def _say(self, words: str) -> None:
        self.said.setText(words)
        self.said.setVisible(bool(words))
