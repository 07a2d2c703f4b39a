"""What a runner needs to know of its run before it begins: frozen, made by the session."""

from __future__ import annotations

from dataclasses import dataclass

from batchdesk.domain.job import Limits
from batchdesk.prepare.prompt import PromptBuilder
from batchdesk.quality.checks import Checker


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a runner needs to know of its run.

    Attributes:
        project_uid: Part of every idempotency key, so that two projects never share one.
        active_s: How long the run was active before.
        reuses: Whether an earlier answer to the same question may be taken.
    """

    project_uid: str
    limits: Limits
    builder: PromptBuilder
    checker: Checker
    max_tokens: int | None
    active_s: float = 0.0
    reuses: bool = False
