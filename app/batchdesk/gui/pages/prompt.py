"""The Prompt page: what is asked of whom, what the answer must be, and a real row as it is sent.

Every change that makes sense goes into the desk's job at once; one that does not is named in a
sentence, stays as typed, and leaves the job as it was. `prompt_saving` keeps the versions.
"""

from __future__ import annotations

from collections.abc import Sequence

import pydantic
from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QSplitter, QStackedWidget

from batchdesk.domain.job import Job, Stage
from batchdesk.gui.desk import Desk
from batchdesk.gui.models.rows import used_columns
from batchdesk.gui.pages import prompt_check_edits as edits
from batchdesk.gui.pages.prompt_answer import AnswerSection
from batchdesk.gui.pages.prompt_checks import ChecksSection
from batchdesk.gui.pages.prompt_costs import CostLine
from batchdesk.gui.pages.prompt_examples import ExamplesSection
from batchdesk.gui.pages.prompt_first import first_jobs_of
from batchdesk.gui.pages.prompt_hints import HintsPanel
from batchdesk.gui.pages.prompt_inputs import InvalidInputError, note
from batchdesk.gui.pages.prompt_layout import side, three_columns
from batchdesk.gui.pages.prompt_model import ModelSection
from batchdesk.gui.pages.prompt_rows import RowsBar
from batchdesk.gui.pages.prompt_saving import Saving
from batchdesk.gui.pages.prompt_schema import FieldKind
from batchdesk.gui.pages.prompt_sent import SentPanel
from batchdesk.gui.pages.prompt_taking import Taking
from batchdesk.gui.pages.prompt_texts import TextsPanel
from batchdesk.gui.pages.prompt_trying import Trying
from batchdesk.gui.pages.prompt_versions import VersionsSection
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.empty import EmptyState
from batchdesk.gui.widgets.page import Command, Page
from batchdesk.gui.words import Words


class PromptPage(Page):
    """Edits the desk's job and starts runs of it.

    Args:
        desk: What is edited and asked.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__("Prompt")
        self.head.set_title(self.tr("Prompt"))
        self._desk, self._words = desk, Words(self)
        self._mine: Job | None = None  # the job that this page put on the desk
        self._fault = ""
        self.saving = Saving(desk, self)
        self.library = Button(self.tr("Library…"), icon="folder-open")
        self.save = Button(self.tr("Save version"))
        self.run_all = Button("", icon="play")
        self.go_on = Button(self.tr("Continue to preview"), Kind.PRIMARY, icon="arrow-right")
        for tool in self._tools():
            self.head.add_tool(tool)
        self.model = ModelSection()
        self.texts = TextsPanel()
        self.sent = SentPanel(desk, self._words)
        self.answer = AnswerSection()
        self.checks = ChecksSection()
        self.examples = ExamplesSection()
        self.rows = RowsBar(desk, self._words)
        self.trying = Trying(desk, self._words, self)
        self.costs = CostLine(desk, self._words)
        self.hints = HintsPanel(desk, self._words)
        self.versions = VersionsSection(desk)
        self.taking = Taking(desk, self, self.examples)
        self.status = note()
        self.empty = EmptyState(
            "chat-text",
            self.tr("Open a table first; then its columns can be put into a prompt."),
            self.tr("Go to Data"),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._columns())
        self.column.addWidget(self.rows)
        self.column.addWidget(self._stack, 1)
        self.column.addWidget(self.status)
        self._connect()
        self.model.offer(desk.settings.providers)
        self._dataset_changed()
        self._job_changed()
        first_jobs_of(desk).make()

    # -- Page -------------------------------------------------------------------------------

    def help_text(self) -> str:
        """See Page."""
        return self.tr(
            "Write what the model is told for all rows, and the text for each row; a click on a "
            "column puts it where the cursor is. “As sent” shows a real row filled in. At the "
            "left choose who answers, at the right what the answer must be. Try one row here and "
            "some on the Preview page before you run all. Changes are kept by themselves; a "
            "version is saved when you stop typing, leave the page, or start a run."
        )

    def commands(self) -> Sequence[Command]:
        """See Page."""
        return (
            Command(self.library.text(), self.library.click, "", self.library.isEnabled),
            Command(self.save.text(), self.saving.save, self.tr("Ctrl S"), self.save.isEnabled),
            Command(self.go_on.text(), self.go_on.click, "", self.go_on.isEnabled),
            Command(self.run_all.text(), self.run_all.click, "", self.run_all.isEnabled),
        )

    def shown(self) -> None:
        """See Page."""
        if self.saving.waits:
            self.saving.rest()
        self.texts.user.setFocus(Qt.FocusReason.OtherFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not self.window().isHidden():  # of a closing window the Session saves the draft
            self.saving.save()

    def _tools(self) -> tuple[Button, ...]:
        return self.library, self.save, self.run_all, self.go_on

    # -- from the desk ----------------------------------------------------------------------

    def _dataset_changed(self) -> None:
        dataset = self._desk.dataset
        self.texts.chips.set_columns(dataset.columns if dataset is not None else ())
        self.sent.show_dataset(dataset)
        self._show_used()
        self._show_ways()

    def _job_changed(self) -> None:
        job = self._desk.job
        if job is not None and job is not self._mine:
            if self._mine is None or _as_edited_here(job) != _as_edited_here(self._mine):
                self._show_job(job)
                self._fault = ""
            self._mine = job
            self.sent.show_job(job)
        self._mine = job
        self._show_used()
        self._show_ways()

    def _show_job(self, job: Job) -> None:
        stage = job.stages[0]
        self.texts.show_texts(stage.system, stage.user)
        self.model.show_job(job)
        self.rows.show_filter(job.data.where)
        self.answer.show_stage(stage)
        self.checks.show_checks(stage.checks, self.answer.field_names())
        self.examples.show_examples(stage.examples)
        self._show_other_checks(stage.checks)

    # -- from the person --------------------------------------------------------------------

    def _edited(self) -> None:
        """Take the change into the job, or say why that cannot be."""
        base = self._desk.job
        if base is None:
            return
        try:
            job = self._collected(base)
        except InvalidInputError as error:
            self._fault = str(error)
        except pydantic.ValidationError as error:
            self._fault = self._sentence(error)
        else:
            self._fault = ""
            self._take(base, job)
        if self._fault:
            self._check_texts(base)
        self._show_ways()

    def _check_texts(self, base: Job) -> None:
        """Fill in the template alone: what is wrong elsewhere must not keep an old error of it."""
        system, user = self.texts.texts()
        try:
            stage = Stage.model_validate(dict(base.stages[0]) | {"system": system, "user": user})
        except pydantic.ValidationError:
            return
        self.sent.show_job(base.model_copy(update={"stages": (stage, *base.stages[1:])}))

    def _take(self, base: Job, job: Job) -> None:
        self._show_other_checks(job.stages[0].checks)
        if job != base:
            self._mine = job
            self._desk.edit_job(job)
            self.saving.rest()
        self.sent.show_job(job)

    def _collected(self, base: Job) -> Job:
        """The job as the page says it.

        Raises:
            InvalidInputError: something cannot be used.
            pydantic.ValidationError: parts that do not fit each other.
        """
        system, user = self.texts.texts()
        if not user.strip():
            raise InvalidInputError(self.tr("Text per row: it is empty. Insert a column."))
        checks = edits.with_confidence(self.answer.checks(), self.checks.value())
        self.answer.set_checks(checks)
        texts = {"system": system, "user": user, "examples": self.examples.filled()}
        changed = {**texts, **self.answer.values(), **self.model.sampling()}
        stage = Stage.model_validate(dict(base.stages[0]) | changed)
        data = base.data.model_copy(update={"where": self.rows.filter()})
        parts = {
            "data": data,
            "provider": self.model.provider_spec(),
            "limits": self.model.limits(),
            "stages": (stage, *base.stages[1:]),
        }
        return Job.model_validate(dict(base) | parts)

    def _sentence(self, error: pydantic.ValidationError) -> str:
        first = error.errors()[0]
        place = " ".join(str(part) for part in first["loc"])
        words = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
        return self.tr("{0}: {1}.").format(place, words) if place else f"{words}."

    def _fields_changed(self) -> None:
        one = edits.confidence(self.answer.checks())
        current = one.field if one is not None else self.checks.field.choice()
        self.checks.offer_fields(self.answer.field_names(), current)

    def _remove_check(self, gone: object) -> None:
        self.answer.set_checks(tuple(one for one in self.answer.checks() if one is not gone))
        self._edited()

    def _replace(self, job: Job) -> None:
        """Another job, from elsewhere than the page's own controls."""
        self._desk.edit_job(job)
        self.saving.rest()

    def _run(self) -> None:
        self.saving.save(self._desk.start_new_run)

    # -- showing ----------------------------------------------------------------------------

    def _show_used(self) -> None:
        dataset = self._desk.dataset
        used = used_columns(self._desk.job, dataset.columns) if dataset is not None else ()
        self.texts.chips.set_used(used)
        job = self._desk.job
        label = job.data.label if job is not None else None
        self.answer.show_label(label, is_sent=label in used)
        self.examples.show_way(label)
        self.rows.count_for(dataset, job)

    def _show_other_checks(self, checks: edits.Checks) -> None:
        texts = self.answer.names_of(FieldKind.TEXT)
        choices = self.answer.names_of(FieldKind.CHOICE)
        self.checks.show_others(edits.own_checks(checks, texts, choices))

    def _show_ways(self) -> None:
        desk, dataset, job = self._desk, self._desk.dataset, self._desk.job
        self._stack.setCurrentIndex(1 if job is not None else 0)
        for tool in self._tools():
            tool.setVisible(job is not None)
        self.rows.setVisible(job is not None)
        none = self.tr("Open a table first.") if dataset is None else ""
        count = dataset.row_count if dataset is not None else 0
        no_rows = self.tr("The table has no rows.") if dataset is not None and not count else ""
        why = none or no_rows or self._fault or self.sent.error or self.rows.why_none()
        self._show_row(none or no_rows or self._fault or self.sent.error)
        self.go_on.set_why_not(why)
        self.run_all.set_why_not(why)
        if not why:
            self.run_all.setToolTip(self.rows.left_out())
            self.run_all.setAccessibleDescription(self.rows.left_out())
        saved = self.tr("This version is saved.") if not self.saving.waits else ""
        self.save.set_why_not(self._fault or saved)
        self._name_buttons(count)
        self._show_status()
        if job is not None:
            version = desk.job_version
            words = self.tr("{0} · version {1}") if version is not None else self.tr("{0} · edited")
            self.head.set_subtitle(words.format(job.name, version))
        else:
            self.head.set_subtitle("")

    def _show_row(self, why_not: str) -> None:
        """What is tried and reckoned of the row on show."""
        job, dataset, row = self._desk.job, self._desk.dataset, self.sent.row
        self.trying.show_prompt(job, dataset, row, why_not)
        counted = self.rows.count
        is_whole = dataset is not None and not self._leaves_out()
        known = dataset.row_count if dataset is not None and is_whole else None
        self.costs.show_prompt(job, dataset, row, counted.sent if counted is not None else known)

        self._check_prompt()

    def _check_prompt(self) -> None:
        job, dataset = self._desk.job, self._desk.dataset
        self.hints.check(job, dataset, self.costs.mean, self.costs.rows)

    def _leaves_out(self) -> bool:
        """Whether the job may send fewer rows than the table has."""
        job = self._desk.job
        return bool(self.rows.filter()) or (job is not None and bool(job.clean))

    def _name_buttons(self, rows: int) -> None:
        """``rows``: all of the table; what is sent of them may not be known yet."""
        counted = self.rows.count
        count = counted.sent if counted is not None else rows
        if counted is None and self._leaves_out():
            self.run_all.setText(self.tr("Run all chosen rows"))
        else:
            self.run_all.setText(self.tr("Run all %Ln row(s)", "", count))
        self.run_all.updateGeometry()
        self.run_all.update()

    def _show_status(self) -> None:
        self.status.setVisible(self._desk.job is not None)
        if self._fault:
            self.status.setText(self.tr("Not taken yet: {0}").format(self._fault))
        elif self.saving.waits:
            self.status.setText(
                self.tr("Changes are kept; a version is saved when you stop typing.")
            )
        else:
            self.status.setText(self.tr("Everything is saved."))
        self.status.set_colour("failed" if self._fault else "text2")

    # -- making -----------------------------------------------------------------------------

    def _columns(self) -> QSplitter:
        right = (
            (self.tr("Answer"), self.answer),
            (self.tr("Checks"), self.checks),
            (self.tr("Examples"), self.examples),
        )
        left = ((self.tr("Versions"), self.versions), ("", self.model))
        self.sent.add_tool(self.trying.button)
        self.sent.add(self.trying.outcome, 1)
        self.sent.add(self.costs)
        return three_columns(left, (self.texts, self.sent), (side(right), self.hints))

    def _connect(self) -> None:
        desk = self._desk
        for part in (
            self.texts,
            self.model,
            self.answer,
            self.checks,
            self.examples,
            self.rows,
        ):
            part.edited.connect(self._edited)
        self.answer.fields_changed.connect(self._fields_changed)
        self.checks.removed.connect(self._remove_check)
        self.examples.labelled_wanted.connect(self.taking.make_examples)
        self.taking.taken.connect(self._replace)
        self.sent.checked.connect(self._show_ways)
        self.sent.row_changed.connect(self._show_ways)
        self.costs.counted.connect(self._check_prompt)
        self.hints.mended.connect(self._replace)
        self.hints.place_wanted.connect(self.texts.show_place)
        self.versions.returned.connect(self._replace)
        self.library.clicked.connect(lambda _on=False: self.taking.show_library())
        self.rows.counted.connect(self._show_ways)
        self.model.settings_wanted.connect(lambda: desk.go_to.emit("settings"))
        self.empty.activated.connect(lambda: desk.go_to.emit("data"))
        self.save.clicked.connect(lambda _on=False: self.saving.save())
        self.go_on.clicked.connect(lambda _on=False: desk.go_to.emit("preview"))
        self.run_all.clicked.connect(lambda _on=False: self._run())
        desk.dataset_changed.connect(self._dataset_changed)
        desk.project_changed.connect(self._dataset_changed)
        desk.job_changed.connect(self._job_changed)
        desk.settings_changed.connect(lambda: self.model.offer(desk.settings.providers))
        shortcut = QShortcut(QKeySequence("Ctrl+S"), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.save.click)


def _as_edited_here(job: Job) -> tuple[object, ...]:
    """What this page shows of a job; the rest may change without it being shown anew."""
    return job.provider, job.stages, job.limits, job.data.where
