"""Who answers and how it is asked: provider, model, sampling, limits.

A job comes in; its ``provider``, its ``limits`` and the stage's sampling go out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from batchdesk.domain.job import CONCURRENCY_MAX, Job, Limits, PracticeSpec, ProviderSpec
from batchdesk.gui.pages.prompt_inputs import (
    Choice,
    FormRows,
    InvalidInputError,
    NumberLine,
    note,
    section_title,
)
from batchdesk.gui.pages.prompt_practice import PracticeSection
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.panel import Hairline
from batchdesk.session import key_account, services
from batchdesk.settings import SavedProvider

_LOCAL, _PRACTICE = "local", "practice"
_COMPATIBLE = "openai-compatible"
_OF_JOB = "job:"  # a provider that the job names and nobody saved
_SAVED = "saved:"


class ModelSection(QWidget):
    """Provider, model and how to ask.

    Signals:
        edited(): The person changed something.
        settings_wanted(): Set up a provider.
    """

    edited = Signal()
    settings_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec = ProviderSpec(preset=_PRACTICE)
        self._limits = Limits()
        self._saved: Sequence[SavedProvider] = ()
        self.provider = Choice(self.tr("Who answers"))
        self.model = QLineEdit()
        self.model.setAccessibleName(self.tr("Model"))
        self.model.setMinimumWidth(60)
        self.about = note()
        self.practice = PracticeSection()
        self._make_lines()
        self.more = Button(self.tr("More"), Kind.FLAT, icon="caret-right", height=24)
        self.more.setCheckable(True)
        self.add = Button(self.tr("Set up a service…"), Kind.FLAT, icon="plus", height=24)
        self._lay_out()
        self._connect()

    # -- in and out -------------------------------------------------------------------------

    def show_job(self, job: Job) -> None:
        """Show a job's provider, limits and sampling; no signal."""
        stage, limits = job.stages[0], job.limits
        self._spec, self._limits = job.provider, limits
        with QSignalBlocker(self):
            self.model.setText(job.provider.model)
            self.practice.show_practice(job.provider.practice)
            self.temperature.set_value(stage.temperature)
            self.max_tokens.set_value(stage.max_tokens)
            self.seed.set_value(stage.seed)
            self.top_p.set_value(stage.top_p)
            self.answers.set_value(stage.n)
            by_itself = limits.concurrency_max == CONCURRENCY_MAX
            self.at_once.set_value(None if by_itself else limits.concurrency_max)
            for name, line in self._limit_lines.items():
                line.set_value(getattr(limits, name))
            self._offer()

    def offer(self, saved: Sequence[SavedProvider]) -> None:
        """Offer these saved providers."""
        self._saved = saved
        self._offer()

    def provider_spec(self) -> ProviderSpec:
        """Who answers.

        Raises:
            InvalidInputError: something cannot be used.
        """
        model = self.model.text().strip()
        if not model and self._spec.preset not in {_LOCAL, _PRACTICE}:
            raise InvalidInputError(
                self.tr("Model: write the name under which the service knows the model.")
            )
        change: dict[str, Any] = {"model": model}
        if self._spec.preset == _PRACTICE:
            change["practice"] = self.practice.value()
        return self._spec.model_copy(update=change)

    def sampling(self) -> dict[str, Any]:
        """The stage's temperature, top_p, max_tokens, seed and n.

        Raises:
            InvalidInputError: something cannot be used.
        """
        return {
            "temperature": self.temperature.value(),
            "top_p": self.top_p.value(),
            "max_tokens": self.max_tokens.value(),
            "seed": self.seed.value(),
            "n": self.answers.number(),
        }

    def limits(self) -> Limits:
        """The limits; those without a control stay as they were.

        Raises:
            InvalidInputError: something cannot be used.
        """
        values = self._limits.model_dump()
        values["concurrency_max"] = self.at_once.value()
        values |= {name: line.value() for name, line in self._limit_lines.items()}
        return Limits.model_validate(values)

    # -- providers --------------------------------------------------------------------------

    def _offer(self) -> None:
        options: list[tuple[str | None, str]] = [
            (f"{_SAVED}{one.name}", one.name) for one in self._saved
        ]
        titles = self.built_in_words()
        options += list(titles.items())
        current = self._current()
        if current not in [code for code, _ in options]:
            options.append((current, self._own_words()))
        self.provider.offer(options, current)
        self._show_parts()

    def built_in_words(self) -> dict[str, str]:
        """What Batchdesk itself can start."""
        return {
            _LOCAL: self.tr("Built-in local model"),
            _PRACTICE: self.tr("Practice server (not a model)"),
        }

    def _current(self) -> str:
        if self._spec.preset in {_LOCAL, _PRACTICE}:
            return self._spec.preset
        for one in self._saved:
            if _same_service(one.spec, self._spec):
                return f"{_SAVED}{one.name}"
        return _OF_JOB

    def _own_words(self) -> str:
        title = next((s.title for s in services() if s.preset == self._spec.preset), "")
        if self._spec.preset == _COMPATIBLE:
            title = self.tr("OpenAI-compatible service")
        place = key_account(self._spec)
        return self.tr("{0} (of this prompt)").format(place or title)

    def _provider_chosen(self) -> None:
        code = self.provider.choice() or ""
        practice: PracticeSpec = self._spec.practice
        if code in {_LOCAL, _PRACTICE}:
            self._spec = ProviderSpec(preset=code, practice=practice)
            self.model.setText("")
        for one in self._saved:
            if code == f"{_SAVED}{one.name}":
                self._spec = one.spec.model_copy(update={"practice": practice})
                self.model.setText(one.spec.model)
        self._show_parts()
        self.edited.emit()

    def _show_parts(self) -> None:
        preset = self._spec.preset
        self.practice.setVisible(preset == _PRACTICE)
        self._model_row.setVisible(preset not in {_LOCAL, _PRACTICE})
        account = key_account(self._spec)
        about = {
            _LOCAL: self.tr(
                "On this computer, without key and network. Very small: it errs often."
            ),
            _PRACTICE: "",
        }.get(preset, self.tr("What “As sent” shows goes to {0}.").format(account))
        self.about.setText(about)
        self.about.setVisible(bool(about))

    # -- making -----------------------------------------------------------------------------

    def _make_lines(self) -> None:
        own = self.tr("its own")
        self.temperature = NumberLine(self.tr("Temperature"), 0, 2, empty=own)
        self.max_tokens = NumberLine(self.tr("Tokens at most"), 1, whole=True, empty=own)
        self.seed = NumberLine(self.tr("Seed"), float("-inf"), whole=True, empty=self.tr("none"))
        by_itself = self.tr("by itself")
        self.at_once = NumberLine(self.tr("Requests at once"), 1, 1000, whole=True, empty=by_itself)
        self.top_p = NumberLine(self.tr("Top p"), 0, 1, above=True, empty=own)
        self.answers = NumberLine(self.tr("Answers per row"), 1, 20, whole=True)
        self._limit_lines = self._limit_lines_by_name()

    def _limit_lines_by_name(self) -> Mapping[str, NumberLine]:
        told = self.tr("not told")
        usual = self.tr("as usual")
        self.rpm = NumberLine(self.tr("Requests a minute"), 0.1, empty=told)
        self.tpm = NumberLine(self.tr("Tokens a minute"), 0, above=True, empty=told)
        self.tries = NumberLine(self.tr("Tries per row"), 1, 100, whole=True)
        self.connect_s = NumberLine(self.tr("Connecting, s"), 0, above=True)
        self.read_s = NumberLine(self.tr("Silence, s"), 0, above=True, empty=usual)
        self.total_s = NumberLine(self.tr("One request, s"), 0, above=True)
        self.deadline_s = NumberLine(self.tr("One row in all, s"), 0, above=True)
        return {
            "rpm": self.rpm,
            "tpm": self.tpm,
            "attempts_max": self.tries,
            "timeout_connect_s": self.connect_s,
            "timeout_read_s": self.read_s,
            "timeout_total_s": self.total_s,
            "deadline_s": self.deadline_s,
        }

    def _lay_out(self) -> None:
        self._model_row = FormRows(6)
        self._model_row.add(self.tr("Model"), self.model)
        self._rows = FormRows(1)
        for name, control in (
            (self.tr("Temperature"), self.temperature),
            (self.tr("Tokens at most"), self.max_tokens),
            (self.tr("Seed"), self.seed),
            (self.tr("Requests at once"), self.at_once),
        ):
            self._rows.add(name, control)
        self._folded = FormRows(1)
        more: tuple[tuple[str, QWidget], ...] = (
            (self.tr("Requests a minute"), self.rpm),
            (self.tr("Tokens a minute"), self.tpm),
            (self.tr("Answers per row"), self.answers),
            (self.tr("Top p"), self.top_p),
            (self.tr("Tries per row"), self.tries),
            (self.tr("Connecting, s"), self.connect_s),
            (self.tr("Silence, s"), self.read_s),
            (self.tr("One request, s"), self.total_s),
            (self.tr("One row in all, s"), self.deadline_s),
        )
        for name, widget in more:
            self._folded.add(name, widget)
        self._folded.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (
            section_title(self.tr("Who answers")),
            self.provider,
            self._model_row,
            self.about,
            self.practice,
            self.add,
            Hairline(),
            section_title(self.tr("How it is asked")),
            self._rows,
            self.more,
            self._folded,
        ):
            column.addWidget(part)

    def _connect(self) -> None:
        for line in (
            self.temperature,
            self.max_tokens,
            self.seed,
            self.at_once,
            self.top_p,
            self.answers,
            *self._limit_lines.values(),
        ):
            line.edited.connect(self.edited)
        self.model.textEdited.connect(lambda _text: self.edited.emit())
        self.practice.edited.connect(self.edited)
        self.provider.edited.connect(self._provider_chosen)
        self.more.toggled.connect(self._fold)
        self.add.clicked.connect(lambda _on=False: self.settings_wanted.emit())

    def _fold(self, opened: bool) -> None:  # noqa: FBT001 - Qt's signal
        self._folded.setVisible(opened)
        self.more.set_icon("caret-down" if opened else "caret-right")


def _same_service(saved: ProviderSpec, used: ProviderSpec) -> bool:
    """Whether a job's provider is a saved one, whatever the model."""
    ignored = {"model", "practice", "structured_output"}
    return saved.model_dump(exclude=ignored) == used.model_dump(exclude=ignored)
