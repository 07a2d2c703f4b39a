"""A project, a table and a job for tests of the session; runs ask the practice server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from batchdesk.domain.job import Job
from batchdesk.session import Dataset, Session

REVIEWS = (
    b"id,text,label\n1,I love it,positive\n2,It broke at once,negative\n3, ,\n4,Fine,positive\n"
)


def a_job(**changes: Any) -> Job:
    """One stage over the column ``text``, answered by the practice server at once."""
    stage = {
        "name": "classify",
        "user": "{{ text }}",
        "temperature": 0,
        "output": {
            "type": "object",
            "properties": {"label": {"enum": ["positive", "negative"]}},
            "required": ["label"],
        },
        "answer_field": "label",
        **changes.pop("stage", {}),
    }
    practice = {"latency_s": 0, **changes.pop("practice", {})}
    return Job.model_validate(
        {
            "name": "reviews",
            "provider": {"preset": "practice", "practice": practice},
            "stages": [stage],
            **changes,
        }
    )


async def a_table(
    session: Session, folder: Path, content: bytes = REVIEWS, *, key_column: str | None = "id"
) -> Dataset:
    """The content as a dataset."""
    path = folder / "reviews.csv"
    path.write_bytes(content)
    return await session.import_table(path, key_column=key_column)


async def until(ask: Callable[[], Awaitable[Any]], timeout_s: float = 30) -> Any:
    """What ``ask`` returns once that is true or not empty."""
    for _ in range(round(timeout_s / 0.02)):
        if found := await ask():
            return found
        await asyncio.sleep(0.02)
    raise AssertionError("it did not come about in time")
