"""A run on a bench: a project in memory, a scripted provider, a simulated clock.

``Bench`` makes the rows and carries out runs; a *script* decides how each request ends. Every
answer names the row that it was asked about, so a mix-up cannot go unseen.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.unit.engine.simulated_loop import InlineStore, simulate
from tests.unit.store.files import add_tasks

from batchdesk.domain.chat import ChatRequest, ChatResponse, Choice, Usage
from batchdesk.domain.job import Job
from batchdesk.domain.task import ErrorKind, RunKind, RunState, TaskState
from batchdesk.engine.admission import Gate, GateLimits
from batchdesk.engine.events import Event, RunStateChanged, SnapshotTaken
from batchdesk.engine.plan import RunPlan
from batchdesk.engine.runner import Runner
from batchdesk.prepare.prompt import PromptBuilder
from batchdesk.providers.base import Capabilities, Provider, ProviderError
from batchdesk.quality.checks import Checker
from batchdesk.store import rows, runs, schema
from batchdesk.store.journal import RunJournal

WALL_AT_ZERO = 1_700_000_000.0  # the time of day when the simulated clock shows 0


@dataclass(frozen=True, slots=True)
class Ends:
    """How one request ends: an answer (``text``, or the right one), or an error."""

    after_s: float = 0.2
    kind: ErrorKind | None = None
    hint_s: float | None = None
    text: str | None = None
    finish_reason: str = "stop"
    bug: Exception | None = None


Script = Callable[[ChatRequest, int], Ends]


@dataclass(frozen=True, slots=True)
class Sent:
    """One request as the provider saw it; ``row`` is what the prompt named."""

    at: float
    row: str
    number: int  # 1 for the first request about that row
    request: ChatRequest


@dataclass
class FakeProvider:
    """Answers as the script says. Counts what is in flight; keeps every request."""

    script: Script
    sent: list[Sent] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0
    cancelled: int = 0
    _numbers: Counter[str] = field(default_factory=Counter)

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities()

    async def chat(self, request: ChatRequest) -> ChatResponse:
        row = row_of(request)
        self._numbers[row] += 1
        number = self._numbers[row]
        self.sent.append(Sent(asyncio.get_running_loop().time(), row, number, request))
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            ends = self.script(request, number)
            await asyncio.sleep(ends.after_s)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.in_flight -= 1
        if ends.bug is not None:
            raise ends.bug
        if ends.kind is not None:
            raise ProviderError(ends.kind, f"it said {ends.kind}", retry_after_s=ends.hint_s)
        text = json.dumps({"echo": row}) if ends.text is None else ends.text
        choice = Choice(text, ends.finish_reason)
        return ChatResponse((choice,), Usage(10, 5), 200, "request", "response")

    async def close(self) -> None:
        """Nothing to close."""

    def by_row(self) -> dict[str, list[Sent]]:
        found: dict[str, list[Sent]] = {}
        for one in self.sent:
            found.setdefault(one.row, []).append(one)
        return found


def row_of(request: ChatRequest) -> str:
    """Which row a request is about: the rest of the prompt's first line."""
    return request.messages[-1].content.split("\n", 1)[0].removeprefix("Row ")


def always(ends: Ends) -> Script:
    return lambda _request, _number: ends


def a_job(**changes: Any) -> Job:
    """One stage whose answer is ``{"echo": "<the row's text>"}``."""
    stage = {
        "name": "echo",
        "user": "Row {{ text }}",
        "temperature": 0,
        "max_tokens": 50,
        "echo_key": False,
        "output": {
            "type": "object",
            "properties": {"echo": {"type": "string"}},
            "required": ["echo"],
        },
        **changes.pop("stage", {}),
    }
    return Job.model_validate(
        {"name": "bench", "provider": {"model": "m"}, "stages": [stage], **changes}
    )


def a_project(path: Path | None = None) -> sqlite3.Connection:
    """A project file, in memory or where nobody waits for the disk."""
    connection = sqlite3.connect(path or ":memory:", isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    schema.migrate(connection)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


class Bench:
    """One project with one table; ``make_run`` then ``runner``.

    Args:
        texts: One row each, with the text as its only column beside the key.
        path: Of the project file; without, it is in memory.
    """

    def __init__(
        self, texts: Sequence[str], job: Job | None = None, *, path: Path | None = None
    ) -> None:
        self.job = job or a_job()
        self.connection = a_project(path)
        self.store = InlineStore(self.connection)
        self.events: list[Event] = []
        self.gate: Gate | None = None
        self.dataset_id = rows.begin_dataset(
            self.connection, name="t", source="t.csv", key_column=None
        )
        rows.add_rows(
            self.connection,
            self.dataset_id,
            [(n, f"key-{n}", json.dumps({"text": text})) for n, text in enumerate(texts, 1)],
        )

    def make_run(self, states: Callable[[int], TaskState] | None = None) -> int:
        job_id = runs.add_job(self.connection, self.job)
        run_id = runs.add_run(
            self.connection, job_id=job_id, dataset_id=self.dataset_id, kind=RunKind.FULL
        )
        page = rows.rows_after(self.connection, self.dataset_id, 0, 1_000_000)
        state_of = states or (lambda _number: TaskState.PENDING)
        add_tasks(self.connection, run_id, [(r.id, state_of(r.number), None) for r in page])
        runs.set_state(self.connection, run_id, RunState.READY)
        return run_id

    def runner(
        self,
        run_id: int,
        provider: Provider,
        *,
        in_flight: int = 20,
        gate: Gate | None = None,
        rpm: float | None = None,
        tpm: float | None = None,
        reuses: bool = False,
        checker: Checker | None = None,
        builder: PromptBuilder | None = None,
        listener: Callable[[Event], None] | None = None,
        wall: Callable[[], float] | None = None,
    ) -> Runner:
        loop = asyncio.get_running_loop()
        stored = runs.run(self.connection, run_id)
        assert stored is not None
        self.gate = gate or Gate(GateLimits(start=in_flight, pinned=in_flight, rpm=rpm, tpm=tpm))
        stage = self.job.stages[0]
        return Runner(
            plan=RunPlan(
                project_uid="uid",
                limits=self.job.limits,
                builder=builder
                or PromptBuilder(self.job, ["text"], model="m", echo_key=bool(stage.echo_key)),
                checker=checker or Checker(stage, echo_key=bool(stage.echo_key)),
                max_tokens=stage.max_tokens,
                active_s=stored.active_s,
                reuses=reuses,
            ),
            journal=RunJournal(run_id, self.store, self.store),
            provider=provider,
            gate=self.gate,
            rng=random.Random(7),
            listener=listener or self.events.append,
            wall=wall or (lambda: WALL_AT_ZERO + loop.time()),
        )

    # -- what is in the file afterwards ---------------------------------------------------------

    def states(self, run_id: int) -> dict[str, int]:
        """Tasks by state, counted from the tasks themselves."""
        return dict(
            self.connection.execute(
                "SELECT state, count(*) FROM task WHERE run_id = ? GROUP BY state", (run_id,)
            )
        )

    def tasks(self, run_id: int) -> dict[str, dict[str, Any]]:
        """Every task by its row's text."""
        found = self.connection.execute(
            "SELECT json_extract(row.cells, '$.text') AS text, task.*, result.answer"
            " FROM task JOIN row ON row.id = task.row_id"
            " LEFT JOIN result ON result.id = task.result_id WHERE task.run_id = ?",
            (run_id,),
        )
        names = [column[0] for column in found.description]
        return {row[0]: dict(zip(names, row, strict=True)) for row in found}

    def attempts(self, run_id: int) -> list[dict[str, Any]]:
        found = self.connection.execute(
            "SELECT attempt.* FROM attempt JOIN task ON task.id = attempt.task_id"
            " WHERE task.run_id = ? ORDER BY attempt.id",
            (run_id,),
        )
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found]

    def run_row(self, run_id: int) -> tuple[Any, ...]:
        """(state, cause) of a run."""
        found: tuple[Any, ...] = self.connection.execute(
            "SELECT state, cause FROM run WHERE id = ?", (run_id,)
        ).fetchone()
        return found

    def moves(self) -> list[RunStateChanged]:
        return [event for event in self.events if isinstance(event, RunStateChanged)]

    def told(self) -> list[int]:
        """Every task that an event named, in order."""
        shown = [event for event in self.events if isinstance(event, SnapshotTaken)]
        return [task_id for event in shown for task_id in event.changed]

    def last_snapshot(self) -> SnapshotTaken:
        return [event for event in self.events if isinstance(event, SnapshotTaken)][-1]

    def assert_whole(self, run_id: int, *, was_shown: bool = True) -> None:
        """What must hold of a run that is not under way, whatever happened to it.

        Args:
            was_shown: Whether it lived to show its end.
        """
        states = self.states(run_id)
        counted = {str(k): v for k, v in runs.counts(self.connection, run_id).items()}
        assert counted == states
        assert "running" not in states
        assert self.gate is not None
        if was_shown:
            shown = self.last_snapshot().snapshot
            assert {str(state): count for state, count in shown.counts.items()} == states
            assert self.gate.in_flight.in_flight == 0
        assert self._answers_of_other_rows(run_id) == []
        numbers = self.connection.execute(
            "SELECT task.attempts, count(attempt.id), coalesce(max(attempt.number), 0),"
            " task.tries, coalesce(sum(attempt.counted), 0)"
            " FROM task LEFT JOIN attempt ON attempt.task_id = task.id"
            " WHERE task.run_id = ? GROUP BY task.id",
            (run_id,),
        )
        for attempts, recorded, highest, tries, counted_tries in numbers:
            assert attempts == recorded == highest
            assert tries == counted_tries

    def _answers_of_other_rows(self, run_id: int) -> list[str]:
        return [
            text
            for text, task in self.tasks(run_id).items()
            if task["state"] == "passed" and json.loads(task["answer"]) != {"echo": text}
        ]


def texts(count: int) -> list[str]:
    return [f"text {n}" for n in range(1, count + 1)]


def carry_out(bench: Bench, run_id: int, provider: FakeProvider, **options: Any) -> RunState:
    """Carry out a run to its end under a simulated clock."""

    async def main() -> RunState:
        return await bench.runner(run_id, provider, **options).run()

    return simulate(main())


def halted_after(
    bench: Bench,
    run_id: int,
    provider: FakeProvider,
    seconds: float,
    command: Callable[[Runner], None],
    **options: Any,
) -> RunState:
    """Carry out a run and give its runner a command meanwhile."""

    async def main() -> RunState:
        runner = bench.runner(run_id, provider, **options)
        running = asyncio.create_task(runner.run())
        await asyncio.sleep(seconds)
        command(runner)
        return await running

    return simulate(main())
