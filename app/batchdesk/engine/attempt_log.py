"""One line of JSON for each attempt, through the logging module: what happened when, to which task.

Only numbers, ids and kinds: no text of a row, no answer, no message of a service, no key. Trace ids
follow a call to the service; task ids are for finding the row again. Where the lines go is decided
by whoever opened the logs; where nobody did, none is made. Lines are handed over together, a few
times a second: one at a time costs a tenth of all that an attempt costs.
"""

from __future__ import annotations

import json
import logging

from batchdesk.logs import ATTEMPTS
from batchdesk.store.tasks import TaskOutcome

_log = logging.getLogger(ATTEMPTS)


class AttemptLog:
    """The lines of one run."""

    def __init__(self, run_id: int) -> None:
        self._run_id = run_id
        self._lines: list[str] = []

    def add(self, outcome: TaskOutcome, writing_s: float) -> None:
        """Note an outcome that has been written; ``writing_s``: how long that took."""
        if outcome.attempt is not None and _log.isEnabledFor(logging.INFO):
            self._lines.append(line_of(self._run_id, outcome, writing_s))

    def flush(self) -> None:
        """Hand over what was noted."""
        if self._lines:
            lines, self._lines = self._lines, []
            _log.info("%s", "\n".join(lines))


def line_of(run_id: int, outcome: TaskOutcome, writing_s: float) -> str:
    """The line; times in epoch seconds, durations in seconds."""
    attempt = outcome.attempt
    if attempt is None:
        raise ValueError(f"task {outcome.task_id} ended without an attempt")
    return json.dumps(
        {
            "at": round(attempt.started_at, 3),
            "run": run_id,
            "batch": attempt.batch_id,
            "task": attempt.task_id,
            "trace": attempt.trace_id,
            "attempt": attempt.number,
            "error": attempt.error_kind,
            "http": attempt.http_status,
            "counted": attempt.counted,
            "state": outcome.state,
            "queue_s": round(attempt.queue_s, 3),
            "service_s": round(attempt.service_s, 3),
            "first_token_s": attempt.first_token_s and round(attempt.first_token_s, 3),
            "writing_s": round(writing_s, 3),
            "wait_s": None if outcome.due_at is None else round(outcome.due_at - outcome.at, 3),
            "input_tokens": attempt.input_tokens,
            "output_tokens": attempt.output_tokens,
        }
    )
