"""Which rows are larger than all the tokens that the service allows in a minute.

Such a request goes alone and holds up everything behind it for more than a minute, so it is told
of before a run begins. In come a job and sizes of rows, out goes a count. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable

from batchdesk.domain.job import Job
from batchdesk.engine.duration import overhead_tokens
from batchdesk.prepare.prompt import PromptBuilder

_BYTES_PER_TOKEN = 4  # as the engine reserves them before anybody has counted
_OUTPUT_UNKNOWN = 256


class MinuteOfTokens:
    """The tokens per minute as the job tells them, beside what each request takes anyway."""

    def __init__(self, job: Job, builder: PromptBuilder) -> None:
        stage = job.stages[0]
        self._most_bytes: float | None = None  # of a row
        if job.limits.tpm is not None:
            answer = float((stage.max_tokens or _OUTPUT_UNKNOWN) * stage.n)
            rest = job.limits.tpm - overhead_tokens(builder) - answer
            self._most_bytes = rest * _BYTES_PER_TOKEN

    def larger(self, sizes: Iterable[int]) -> int:
        """How many rows are larger, of whose texts the bytes are given; 0 where nothing is told."""
        most = self._most_bytes
        return 0 if most is None else sum(size > most for size in sizes)
