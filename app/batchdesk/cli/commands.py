"""The commands themselves: each opens a Session, does one thing and says how it went."""

from __future__ import annotations

import argparse
import asyncio
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from batchdesk.cli.cleaning import tell_cleaning
from batchdesk.cli.limit_words import stalled_words
from batchdesk.cli.newer import import_or_follow
from batchdesk.cli.progress import ProgressLine
from batchdesk.cli.report import (
    as_left_behind,
    exit_code,
    forecast_json,
    forecast_lines,
    limits_json,
    summary_json,
    summary_lines,
)
from batchdesk.cli.sending import tell_what_is_sent
from batchdesk.cli.terminal import show, show_json, tell
from batchdesk.cli.words import PROBLEMS, RISKS, chunk_words, own_command
from batchdesk.domain.job import Job, Limits
from batchdesk.domain.task import RunState
from batchdesk.engine.events import Event, SnapshotTaken, Stalled
from batchdesk.errors import JobFileError, ProjectError, UserError
from batchdesk.providers import practice
from batchdesk.providers.practice_settings import settings_from
from batchdesk.session import Session, read_job_file
from batchdesk.session.chunked import chunked
from batchdesk.session.importing import options_of
from batchdesk.settings import Settings, load_settings, settings_file
from batchdesk.store.lock import is_held
from batchdesk.store.project import SUFFIX
from batchdesk.store.rows import Dataset


async def run(arguments: argparse.Namespace) -> int:
    """``batchdesk run``: import the table, make the run, carry it out, report."""
    job = read_job(arguments)
    project = arguments.project or Path.cwd() / f"{arguments.job.stem}{SUFFIX}"
    session = await Session.open(project, create=True, settings=own_settings())
    line = ProgressLine()
    try:
        warn_of_risk(session)
        dataset = await import_data(session, job, line)
        await tell_what_is_sent(session, without_path(job), dataset)
        run_id = await session.make_run(without_path(job), dataset, limit=arguments.limit)
        tell_cleaning((await session.run(run_id)).cleaning)
        return await _carry_out(session, run_id, line, arguments)
    finally:
        line.end()
        await session.close()


async def resume(arguments: argparse.Namespace) -> int:
    """``batchdesk resume``: go on with a run that is not finished."""
    session = await Session.open(arguments.project, settings=own_settings())
    line = ProgressLine()
    try:
        run_id = arguments.run or await _unfinished_run(session)
        return await _carry_out(session, run_id, line, arguments)
    finally:
        line.end()
        await session.close()


async def status(arguments: argparse.Namespace) -> int:
    """``batchdesk status``: every run of a project; works while one goes on."""
    session = await Session.open(arguments.project, read_only=True)
    try:
        is_open = is_held(session.path)  # by some Batchdesk: its runs may be under way
        summaries = [await session.summary(run.id) for run in await session.runs()]
        left = {
            one.run.id for one in summaries if one.run.state is RunState.RUNNING and not is_open
        }
        summaries = [as_left_behind(one) if one.run.id in left else one for one in summaries]
        if arguments.json:
            show_json(
                {
                    "project": str(session.path),
                    "runs": [
                        {
                            **summary_json(summary, session.path),
                            **limits_json(
                                await session.latest_figures(summary.run.id),
                                await session.limit_changes(summary.run.id),
                            ),
                        }
                        for summary in summaries
                    ],
                }
            )
            return 0
        if not summaries:
            show("No run yet.")
        for summary in reversed(summaries):
            cut = summary.run.id in left
            changes = await session.limit_changes(summary.run.id)
            words = summary_lines(
                summary,
                session.path,
                own_command(),
                interrupted=cut,
                is_only=len(summaries) == 1,
                changes=changes,
            )
            show(*words)
        return 0
    finally:
        await session.close()


def own_settings() -> Callable[[], Settings]:
    """The person's settings, read once; what is wrong with them is the window's to say."""
    try:
        settings, _ = load_settings(settings_file())
    except OSError:  # a user without a folder of their own, as in a container
        settings = Settings()
    return lambda: settings


def serve_practice(arguments: argparse.Namespace) -> int:
    """``batchdesk practice``: the practice server in the foreground, until Ctrl+C."""

    def ready(address: str) -> None:
        print(f"Practice server (not a model) at {address}", flush=True)
        print("Its answers are made up by rules. Ctrl+C ends it.", flush=True)

    practice.run(settings_from(arguments), ready)
    return 0


def read_job(arguments: argparse.Namespace) -> Job:
    """The job of a command line, with the table that it is to be carried out on.

    Raises:
        JobFileError: no job, or no table is named.
    """
    job = read_job_file(arguments.job)
    path = arguments.data or job.data.path
    if path is None:
        raise JobFileError("The job names no table. Add path to [data], or give --data FILE.")
    return job.model_copy(update={"data": job.data.model_copy(update={"path": path})})


def without_path(job: Job) -> Job:
    """The path says where the table was, not what the job is: it makes no new version."""
    return job.model_copy(update={"data": job.data.model_copy(update={"path": None})})


async def import_data(session: Session, job: Job, line: ProgressLine) -> Dataset:
    """Import the job's table and say how it was read."""
    path, options = job.data.path or Path(), options_of(job)
    dataset = await import_or_follow(session, path, job.data.key, options, line)
    line.end()
    how = ", ".join(str(part) for part in (dataset.format["name"], dataset.format["encoding"]))
    tell(f"{dataset.source}: {dataset.row_count:,} rows, {len(dataset.columns)} columns ({how})")
    if (cut := chunked(dataset)) is not None:
        tell(f"  the rows are chunks of {cut.rows:,} rows of the file: {chunk_words(cut.options)}")
    for kind, count in dataset.problem_counts.items():
        where = await _where(session, dataset, kind)
        tell(f"  note: {count:,} × {PROBLEMS.get(kind, kind)}{where}")
    return dataset


async def _where(session: Session, dataset: Dataset, kind: str) -> str:
    """The first lines of the file where a problem was found."""
    found = [line for what, line, _ in await session.problems(dataset.id) if what == kind]
    lines = list(dict.fromkeys(str(line) for line in found if line is not None))
    if not lines:
        return ""
    more = ", …" if len(lines) > 5 else ""  # noqa: PLR2004 - enough to find the pattern
    return f": line {', '.join(lines[:5])}{more}"


async def _carry_out(
    session: Session, run_id: int, line: ProgressLine, arguments: argparse.Namespace
) -> int:
    """Start a run, show its progress, let Ctrl+C pause it, and report."""
    limits = (await session.run(run_id)).job.limits

    session.subscribe(partial(_hear, line))
    await session.start(run_id)
    _override(session, run_id, limits, arguments)
    with _Interrupts(lambda: _pause(session, run_id, line), lambda: session.stop(run_id)):
        await session.wait(run_id)
    line.end()
    summary = await session.summary(run_id)
    changes = await session.limit_changes(run_id)
    kept = await session.forecast_against_truth(run_id)
    if arguments.json:
        promised = {"forecast": forecast_json(kept)} if kept else {}
        show_json({**summary_json(summary, session.path), **promised})
    else:
        lines = summary_lines(
            summary,
            session.path,
            own_command(),
            is_only=len(await session.runs()) == 1,
            changes=changes,
            advice=line.advice,
        )
        show(*lines, *forecast_lines(kept))
    return exit_code(summary)


def _hear(line: ProgressLine, event: Event) -> None:
    if isinstance(event, SnapshotTaken):
        line.snapshot(event.snapshot)
    elif isinstance(event, Stalled):
        line.end()
        tell(stalled_words(event.for_s))


def _override(session: Session, run_id: int, limits: Limits, arguments: argparse.Namespace) -> None:
    """Limits of the command line stand above the job's; called before anything is sent."""
    if arguments.concurrency is not None:
        at_once = arguments.concurrency
        session.pin(run_id, None if at_once == "auto" else at_once)
    if arguments.rpm is not None or arguments.tpm is not None:
        session.set_told(run_id, arguments.rpm or limits.rpm, arguments.tpm or limits.tpm)


def _pause(session: Session, run_id: int, line: ProgressLine) -> None:
    line.end()
    tell("Pausing: the requests under way finish. Ctrl+C again stops at once.")
    session.pause(run_id)


class _Interrupts:
    """Ctrl+C: the first calls ``first``, every later one ``again``; SIGTERM is a later one."""

    def __init__(self, first: Callable[[], None], again: Callable[[], None]) -> None:
        self._actions = [again, first]
        self._loop = asyncio.get_running_loop()
        self._before: Any = None

    def __enter__(self) -> None:
        self._before = signal.signal(signal.SIGINT, self._interrupted)
        self._term_before = signal.signal(signal.SIGTERM, self._terminated)

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)
        signal.signal(signal.SIGTERM, self._term_before)

    def _interrupted(self, *_: object) -> None:
        action = self._actions.pop() if len(self._actions) > 1 else self._actions[0]
        self._loop.call_soon_threadsafe(action)

    def _terminated(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._actions[0])


async def _unfinished_run(session: Session) -> int:
    runs = await session.runs()
    unfinished = [run.id for run in runs if run.state is not RunState.FINISHED]
    if not runs:
        raise ProjectError(
            "No run of this project was finished being made. Start it with `batchdesk run`."
        )
    if not unfinished:
        raise ProjectError("Every run of this project has finished; there is nothing to resume.")
    if len(unfinished) > 1:
        raise ProjectError(
            "Several runs are not finished: {runs}. Say which one with --run.",
            runs=", ".join(str(id_) for id_ in sorted(unfinished)),
        )
    return unfinished[0]


async def latest_run(session: Session) -> int:
    """The id of the newest run.

    Raises:
        UserError: the project has none.
    """
    runs = await session.runs()
    if not runs:
        raise UserError("This project has no run yet.")
    return runs[0].id


def warn_of_risk(session: Session) -> None:
    """Say so if the project lies where its log is not safe."""
    if session.risk is not None:
        tell(f"Warning: {RISKS[session.risk]}")
