"""Before a full run: twenty rows twice, a forecast, and a tenth of the table as a pilot.

The part of a Session that tries a job out. A preview's two runs are started like any other; its
gates and its promise are read from the project file, as often as the screen asks.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

from batchdesk.domain.job import ConfidenceCheck, Job
from batchdesk.domain.task import RunKind, RunState, TaskState
from batchdesk.errors import ProjectError, UserError
from batchdesk.quality.evaluation import Evaluation
from batchdesk.session.forecast import Forecast, Kept, Work, as_json, from_json
from batchdesk.session.gates import ConfidenceTest, Gates, confidence_test, judge
from batchdesk.session.importing import Progress
from batchdesk.session.outcomes import Outcomes
from batchdesk.session.pilot import Compared, compare
from batchdesk.session.planning import (
    PlannedRow,
    Wanted,
    make_planner,
    make_run_of,
    prepare,
    reuses_answers,
)
from batchdesk.session.promises import held, mean_size, promise
from batchdesk.session.sampling import Choice, Chooser, How
from batchdesk.session.summary import RunSummary
from batchdesk.session.survey import survey
from batchdesk.store import previews, runs
from batchdesk.store.preparing import Planned
from batchdesk.store.previews import StoredPreview, Tried
from batchdesk.store.rows import Dataset
from batchdesk.store.runs import StoredRun

PILOT_SHARE = 0.1
_FIRST_20 = Choice()


@dataclass(frozen=True, slots=True)
class Preview:
    """A preview as it stands now.

    Attributes:
        evaluation: The first run's answers against the labels; None without labels.
        confidence: Whether low confidence means wrong, over both runs; None if it cannot be told.
        forecast: What a full run is promised to take; None before both runs have ended.
    """

    id: int
    first_run_id: int
    second_run_id: int
    choice: Choice
    work: Work
    is_finished: bool
    gates: Gates
    evaluation: Evaluation | None
    confidence: ConfidenceTest | None
    forecast: Forecast | None


class Previews(Outcomes, ABC):
    """Previews, pilots and what they promise, of one project."""

    @abstractmethod
    async def summary(self, run_id: int) -> RunSummary:
        """A run in figures."""

    async def make_preview(
        self,
        job: Job,
        dataset: Dataset,
        choice: Choice = _FIRST_20,
        *,
        on_progress: Progress | None = None,
    ) -> StoredPreview:
        """Two runs of the chosen rows, to be started by ``start``. May be cancelled.

        Looks at the whole table once, to know what a full run would be.

        Raises:
            UserError: the job does not fit the table, no row would be sent, or the provider could
                not be asked.
        """
        column = choice.column
        if column is not None and column not in dataset.columns:
            raise UserError("The table has no column {column!r} to choose by.", column=column)
        async with self._making:
            planner = await make_planner(self._project, job, dataset)
            chosen = _Chosen(choice)
            work = await survey(
                self._project,
                planner,
                dataset,
                see=chosen.see,
                on_progress=on_progress or _unheard,
            )
            plans, masks = chosen.plans(), planner.new_masks()
            if not plans:
                raise UserError(
                    "The job sends no row of this table: all are filtered out, empty, too long or "
                    "answered already."
                )
            make = partial(make_run_of, self._project, planner, dataset, RunKind.PREVIEW, plans)
            first, second = await make(masks=masks), await make(masks={})
        kept = {"choice": asdict(choice), "work": asdict(work), "known": chosen.known()}
        add = partial(previews.add, first_run_id=first, second_run_id=second, chosen=kept)
        return await self._stored_preview(await self._project.writer.run(add))

    async def preview(self, preview_id: int) -> Preview:
        """A preview as it stands now: gates and figures over the answers that have come.

        Raises:
            ProjectError: there is none with this id.
        """
        stored = await self._stored_preview(preview_id)
        run, other = await self.run(stored.first_run_id), await self.run(stored.second_run_id)
        stage, label = run.job.stages[0], run.job.data.label
        columns = (await self.dataset(run.dataset_id)).columns
        first, second = await self._tried(run.id), await self._tried(other.id)
        echo_key = await asyncio.to_thread(_echoes_key, run.job, columns)
        is_finished = run.state is other.state is RunState.FINISHED
        promised = from_json(stored.forecast) if stored.forecast else None
        if is_finished and promised is None:
            promised = await self._promise_of(stored, run)
        test = None
        if label is not None and stage.answer_field is not None:
            marks = [c.at_least for c in stage.checks if isinstance(c, ConfidenceCheck)]
            test = confidence_test(
                [*first, *second],
                label=label,
                answer_field=stage.answer_field,
                at=marks[0] if marks else None,
            )
        return Preview(
            id=stored.id,
            first_run_id=run.id,
            second_run_id=other.id,
            choice=_choice(stored),
            work=Work(**stored.chosen["work"]),
            is_finished=is_finished,
            gates=judge(first, second, answer_field=stage.answer_field, echo_key=echo_key),
            evaluation=(await self.summary(run.id)).evaluation,
            confidence=test,
            forecast=promised,
        )

    async def latest_preview(self, run_id: int) -> Preview | None:
        """The newest preview of the same job version and table as a run's."""
        stored = await self._latest_stored(await self.run(run_id))
        return None if stored is None else await self.preview(stored.id)

    async def make_run(
        self,
        job: Job,
        dataset: Dataset,
        *,
        kind: RunKind = RunKind.FULL,
        limit: int | None = None,
    ) -> int:
        """As in ``Library``; a full run keeps what the newest preview of the same job promised."""
        run_id = await super().make_run(job, dataset, kind=kind, limit=limit)
        if kind is RunKind.FULL and limit is None:
            with contextlib.suppress(UserError):  # a run without a promise is a run all the same
                found = await self.latest_preview(run_id)
                await self._keep_promise(run_id, found.forecast if found is not None else None)
        return run_id

    # -- pilots -----------------------------------------------------------------------------

    async def make_pilot(
        self, job: Job, dataset: Dataset, *, share: float = PILOT_SHARE, seed: int = 0
    ) -> int:
        """A run of a random part of the rows; the rest goes when it is released.

        Raises:
            UserError: the job does not fit the table, or sends no row of it.
        """
        sizes: dict[int, int] = {}
        planner = await make_planner(self._project, job, dataset)
        await survey(
            self._project,
            planner,
            dataset,
            see=lambda one, _known: sizes.update({one.row.id: one.size}),
            on_progress=_unheard,
        )
        if not sizes:
            raise UserError("The job sends no row of this table, so there is nothing to pilot.")
        rng = random.Random(seed)  # noqa: S311 - a sample, no secret
        only = frozenset(rng.sample(sorted(sizes), math.ceil(len(sizes) * share)))
        run_id = await self._make_run(job, dataset, RunKind.PILOT, Wanted(only=only))
        run = await self.run(run_id)
        stored = await self._latest_stored(run)
        if stored is not None:
            tried = await self._tried(stored.first_run_id, stored.second_run_id)
            known = {one.row_id for one in tried if one.state is TaskState.PASSED} & only
            reused = len(known) if reuses_answers(job.stages[0]) else 0
            work = Work(len(only), sum(sizes[row_id] for row_id in only), reused)
            promised = await self._promised(run, work, tried, stored.second_run_id)
            await self._keep_promise(run_id, promised)
        return run_id

    async def release_pilot(self, pilot_run_id: int) -> int:
        """The full run of what the pilot left; its answered rows are not sent again.

        Raises:
            ProjectError: the run is no pilot, or it has not finished.
        """
        run = await self.run(pilot_run_id)
        if run.kind is not RunKind.PILOT:
            raise ProjectError("Run {id} is not a pilot, so it has no rest.", id=pilot_run_id)
        if run.state is not RunState.FINISHED:
            raise ProjectError(
                "The pilot has not finished. Let it end, or resume it, before the rest is released."
            )
        dataset = await self.dataset(run.dataset_id)
        wanted = Wanted(pilot_run_id=pilot_run_id)
        rest_id = await self._make_run(run.job, dataset, RunKind.FULL, wanted)
        tried = await self._tried(pilot_run_id)
        rows = (await self.summary(rest_id)).counts.get(TaskState.PENDING, 0)
        size = await asyncio.to_thread(mean_size, run.job, dataset.columns, tried)
        promised = await self._promised(run, Work(rows, round(rows * size)), tried, pilot_run_id)
        await self._keep_promise(rest_id, promised)
        return rest_id

    async def pilot_against_preview(self, pilot_run_id: int) -> list[Compared]:
        """The pilot's figures beside those of the newest preview of its job; empty without one."""
        run = await self.run(pilot_run_id)
        stored = await self._latest_stored(run)
        if stored is None:
            return []
        before = (await self.summary(stored.first_run_id)).evaluation
        after = (await self.summary(pilot_run_id)).evaluation
        return compare(
            await self._tried(stored.first_run_id, stored.second_run_id),
            await self._tried(pilot_run_id),
            (before.answered if before else None, after.answered if after else None),
        )

    # -- forecasts --------------------------------------------------------------------------

    async def forecast_against_truth(self, run_id: int) -> list[Kept]:
        """What was promised of a run beside what it took so far; empty if nothing was."""
        return await held(self._project, await self.run(run_id), self._settings().prices)

    async def refresh_promise(self, preview_id: int) -> Forecast | None:
        """What a preview promises as things are now: what was answered since is not sent again.

        Looks at the whole table, and keeps the promise with the preview. None while the preview's
        runs have not finished.

        Raises:
            ProjectError: there is no preview with this id.
        """
        found = await self.preview(preview_id)
        if found.forecast is None:
            return None
        run = await self.run(found.first_run_id)
        dataset = await self.dataset(run.dataset_id)
        planner = await make_planner(self._project, run.job, dataset)
        work = await survey(
            self._project, planner, dataset, see=lambda _one, _known: None, on_progress=_unheard
        )
        tried = await self._tried(found.first_run_id, found.second_run_id)
        promised = await self._promised(run, work, tried, found.second_run_id)
        await self._keep_with(preview_id, promised)
        return promised

    async def _promise_of(self, stored: StoredPreview, run: StoredRun) -> Forecast | None:
        """What a preview promises of a full run; kept with it."""
        tried = await self._tried(stored.first_run_id, stored.second_run_id)
        work = Work(**stored.chosen["work"])
        if reuses_answers(run.job.stages[0]):  # then these rows will not be sent again
            passed = {one.row_id for one in tried if one.state is TaskState.PASSED}
            more = max(0, len(passed) - int(stored.chosen["known"]))
            work = replace(work, reused=work.reused + more)
        promised = await self._promised(run, work, tried, stored.second_run_id)
        await self._keep_with(stored.id, promised)
        return promised

    async def _keep_with(self, preview_id: int, promised: Forecast | None) -> None:
        if promised is not None and self._project.writable:
            keep = partial(previews.promise, preview_id=preview_id, forecast=as_json(promised))
            await self._project.writer.run(keep)

    async def _promised(
        self, run: StoredRun, work: Work, tried: Sequence[Tried], paced_by: int
    ) -> Forecast | None:
        columns = (await self.dataset(run.dataset_id)).columns
        prices = self._settings().prices
        return await promise(
            self._project, run.job, columns, work, tried=tried, paced_by=paced_by, prices=prices
        )

    async def _keep_promise(self, run_id: int, promised: Forecast | None) -> None:
        if promised is not None:
            keep = partial(runs.note, run_id=run_id, forecast=as_json(promised))
            await self._project.writer.run(keep)

    async def _tried(self, *run_ids: int) -> list[Tried]:
        found = [await self._project.read(partial(previews.tried, run_id=id_)) for id_ in run_ids]
        return [one for tried in found for one in tried]

    async def _stored_preview(self, preview_id: int) -> StoredPreview:
        found = await self._project.read(partial(previews.preview, preview_id=preview_id))
        if found is None:
            raise ProjectError("There is no preview {id} in this project.", id=preview_id)
        return found

    async def _latest_stored(self, run: StoredRun) -> StoredPreview | None:
        read = partial(previews.latest, job_id=run.job_id, dataset_id=run.dataset_id)
        return await self._project.read(read)


class _Chosen:
    """The rows that are chosen while the table is looked at."""

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._chooser = Chooser(choice)
        self._kept: dict[int, tuple[Planned, bool]] = {}

    def see(self, one: PlannedRow, is_known: bool) -> None:  # noqa: FBT001 - as survey calls it
        """The next row that would be sent, and whether an earlier answer would be taken."""
        stratum = one.row.cells.get(self._choice.column or "") or ""
        self._kept[one.row.id] = (one.plan, is_known)
        for dropped in self._chooser.see(one.row.id, one.size, stratum):
            del self._kept[dropped]

    def plans(self) -> list[Planned]:
        """The chosen rows in the order of the table."""
        return [self._kept[row_id][0] for row_id in self._chooser.chosen()]

    def known(self) -> int:
        """How many of them an earlier answer would be taken for."""
        return sum(self._kept[row_id][1] for row_id in self._chooser.chosen())


def _choice(stored: StoredPreview) -> Choice:
    kept = stored.chosen["choice"]
    return Choice(How(kept["how"]), kept["count"], kept["column"], kept["seed"])


def _echoes_key(job: Job, columns: Sequence[str]) -> bool:
    return prepare(job, columns).echo_key


def _unheard(share: float) -> None:
    """Progress that nobody asked for."""
    del share
