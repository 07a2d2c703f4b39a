"""Jobs of the window's end-to-end tests."""

from __future__ import annotations

from batchdesk.domain.job import (
    ConfidenceCheck,
    DataSpec,
    Job,
    Limits,
    ProviderSpec,
    Stage,
)

SCHEMA = {
    "type": "object",
    "properties": {"sentiment": {"enum": ["positive", "negative", "neutral"]}},
    "required": ["sentiment"],
}


def a_job(provider: ProviderSpec, limits: Limits, *, at_least: float, stream: bool = False) -> Job:
    """Reviews judged, doubtful answers to review."""
    stage = Stage(
        name="judge",
        system="Judge the review.",
        user="Review: {{ text }}",
        temperature=0,
        max_tokens=100,
        output=SCHEMA,
        answer_field="sentiment",
        stream=stream,
        checks=(ConfidenceCheck(kind="confidence", at_least=at_least),),
    )
    data = DataSpec(key="id")
    return Job(name="Reviews", data=data, provider=provider, stages=(stage,), limits=limits)
