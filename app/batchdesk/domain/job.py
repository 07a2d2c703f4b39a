"""The job file's schema: what to ask, of whom, about which table, within which limits.

Parsed from TOML by ``session`` and stored, as JSON, with each version of a job. Everything is
frozen: a changed job is a new version.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from batchdesk.domain.chat import StructuredOutput
from batchdesk.domain.clean import CleanStep, in_order
from batchdesk.domain.spec import Spec as Spec  # noqa: PLC0414 - settings and session take it here

ROW_KEY_FIELD = "row_key"
CONCURRENCY_MAX = 200  # requests in flight, unless the job says otherwise
_LONGEST_VARIABLE = 64
_SHORTEST_PLAIN_KEY = 24  # characters of a key that is but letters and digits


class DataSpec(Spec):
    """Which table, and the roles of its columns.

    Attributes:
        path: Relative to the job file.
        key: The id column; None for row numbers.
        label: The column with the right answer; None for no evaluation.
        where: A Jinja2 expression over the columns; rows where it is false are skipped.
        encoding: None to guess.
        separator: None to guess.
        sheet: Of a workbook; None for the first visible one.
        header_row: The row of the column names, from 1; None to guess.
        table: Of a database, or the list of a JSON file.
        flatten: Whether nested objects of JSON become columns such as ``a.b``.
        chunk_column: Its long texts are cut as the table is read, one row per chunk; None: none.
        chunk_tokens: Of a chunk at most; None: 2,000.
        chunk_overlap: Tokens that a chunk repeats of the one before; None: a twentieth of it.
    """

    path: Path | None = None
    key: str | None = None
    label: str | None = None
    where: str = ""
    encoding: str | None = None
    separator: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    sheet: str | None = None
    header_row: int | None = Field(default=None, ge=1)
    table: str | None = None
    flatten: bool = False
    chunk_column: Annotated[str, Field(min_length=1)] | None = None
    chunk_tokens: int | None = Field(default=None, ge=16)
    chunk_overlap: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _chunks_of_a_column(self) -> DataSpec:
        told = self.chunk_tokens is not None or self.chunk_overlap is not None
        if told and self.chunk_column is None:
            raise ValueError('chunk_tokens and chunk_overlap need chunk_column = "…" beside them')
        return self


class PracticeSpec(Spec):
    """Settings of the built-in practice server. It is not a model.

    Attributes:
        latency_s: How long an answer takes.
        rpm: Requests per minute it allows; None for no limit.
        tpm: Tokens per minute it allows; None for no limit.
        faults: Share of requests, 0 to 1, per fault name.
        seed: The same seed and text give the same answer and the same fault.
    """

    latency_s: float = Field(default=0.2, ge=0, le=600)
    rpm: int | None = Field(default=None, ge=1)
    tpm: int | None = Field(default=None, ge=1)
    faults: dict[str, Annotated[float, Field(ge=0, le=1)]] = Field(default_factory=dict)
    seed: int = 0


class ProviderSpec(Spec):
    """Who answers.

    Attributes:
        preset: A name from ``providers.presets``.
        api_key_env: The name of an environment variable; never a key.
        api_version: The version of Azure's older API, such as 2024-10-21; None: its v1 API.
        structured_output: Overrides what the preset says the service can do.
    """

    preset: str = "openai-compatible"
    base_url: str | None = None
    model: str = ""
    api_key_env: str | None = None
    api_version: Annotated[str, Field(pattern=r"^[0-9A-Za-z.-]{1,40}$")] | None = None
    structured_output: StructuredOutput | None = None
    practice: PracticeSpec = PracticeSpec()

    @field_validator("api_key_env")
    @classmethod
    def _a_name_not_a_key(cls, value: str | None) -> str | None:
        if value is not None and not _names_a_variable(value):
            raise ValueError("it takes the name of an environment variable, not a key itself")
        return value


def _names_a_variable(text: str) -> bool:
    """False for what no variable is called but keys look like."""
    if not text.replace("_", "").isalnum() or text[0].isdigit() or len(text) > _LONGEST_VARIABLE:
        return False
    looks_random = "_" not in text and any(char.isdigit() for char in text)
    return not text.lower().startswith("sk_") and not (
        looks_random and len(text) >= _SHORTEST_PLAIN_KEY
    )


class Example(Spec):
    """One worked example that stands before the row."""

    user: str
    assistant: str


class ConfidenceCheck(Spec):
    """Doubtful when the answer's confidence is below a threshold.

    Attributes:
        source: ``logprobs``: probability of the tokens of ``field``; ``field``: a number that the
            model itself gives in ``field``; ``agreement``: share of the ``n`` answers that agree.
        field: For ``logprobs`` the stage's answer field unless named; needed for ``field``.
    """

    kind: Literal["confidence"]
    source: Literal["logprobs", "field", "agreement"] = "logprobs"
    field: str | None = None
    at_least: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _field_named(self) -> ConfidenceCheck:
        if self.source == "field" and not self.field:
            raise ValueError('a confidence check with source = "field" needs field = "…"')
        return self


class LabelsCheck(Spec):
    """The field's value must be one of the allowed ones; synonyms become the value they name."""

    kind: Literal["labels"]
    field: str
    allowed: tuple[str, ...] = Field(min_length=1)
    synonyms: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _synonyms_lead_to_allowed(self) -> LabelsCheck:
        for word, value in self.synonyms.items():
            if value not in self.allowed:
                raise ValueError(f"the synonym {word!r} leads to {value!r}, which is not allowed")
        return self


class RequiredCheck(Spec):
    """The fields must be present and not blank (the schema alone lets "" pass)."""

    kind: Literal["required"]
    fields: tuple[str, ...] = Field(min_length=1)


CheckSpec = Annotated[ConfidenceCheck | LabelsCheck | RequiredCheck, Field(discriminator="kind")]


class Stage(Spec):
    """One step of a job: a prompt, how to ask, and how to check the answer.

    Attributes:
        output: JSON Schema of the answer; None for plain text.
        answer_field: Which field is compared with the label.
        echo_key: Whether the answer must name its row; None: where the output is a JSON object
            and the provider copes with it.
        n: Answers asked for per row; the most frequent one counts.
        stream: Whether the answer is received token by token.
        slow_note: What is added to the prompt of rows in the slow lane, which take long.
    """

    name: str = Field(min_length=1)
    system: str = ""
    user: str = Field(min_length=1)
    examples: tuple[Example, ...] = ()
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    seed: int | None = None
    n: int = Field(default=1, ge=1, le=20)
    max_tokens: int | None = Field(default=None, ge=1)
    output: dict[str, Any] | None = None
    answer_field: str | None = None
    echo_key: bool | None = None
    stream: bool = False
    slow_note: str = ""
    checks: tuple[CheckSpec, ...] = ()

    @field_validator("output")
    @classmethod
    def _output_is_json(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError(
                "it holds a date, a time or a number without an end, which JSON does not have; "
                "write it as text in quotes"
            ) from None
        return value


class Limits(Spec):
    """How hard to push and how long to wait. Every number has its unit in its name.

    Attributes:
        concurrency: Requests in flight, always so many; None: as many as the service copes with.
        concurrency_max: Most requests in flight that are tried by itself; a fixed number may be
            larger. None, which older jobs have, is the default.
        batch_size: Tasks taken from the project file at once.
        rpm: Requests per minute that the provider allows; None: unknown.
        tpm: Tokens per minute that the provider allows; None: unknown.
        attempts_max: Tries that the row itself could be blamed for.
        timeout_read_s: Longest silence between bytes; None: 60 when streaming, else the total.
        timeout_total_s: Per attempt.
        deadline_s: Per task over all attempts; stands still while the run does.
        latency_p95_max_s: Slower sending while 5 % of the answers take longer; None: never.
        slow_share: Share of the requests in flight that long rows have for themselves.
        slow_timeout_total_s: Per attempt of a long row; never less than ``timeout_total_s``.
        retry_share: Share of the requests of a minute that may be retries (10 always may).
        alarm_share: Share of the rows finished in the last minute that may fail for the
            provider's reasons before sending is slowed down.
    """

    concurrency: int | None = Field(default=None, ge=1, le=1000)
    concurrency_max: int = Field(default=CONCURRENCY_MAX, ge=1, le=1000)
    batch_size: int = Field(default=1000, ge=1, le=100_000)
    rpm: float | None = Field(default=None, ge=0.1)  # less would look as if it waited for ever
    tpm: float | None = Field(default=None, gt=0)
    attempts_max: int = Field(default=5, ge=1, le=100)
    retry_wait_base_s: float = Field(default=1.0, gt=0)
    retry_wait_max_s: float = Field(default=60.0, gt=0)
    timeout_connect_s: float = Field(default=10.0, gt=0)
    timeout_read_s: float | None = Field(default=None, gt=0)
    timeout_total_s: float = Field(default=120.0, gt=0)
    deadline_s: float = Field(default=3600.0, gt=0)
    latency_p95_max_s: float | None = Field(default=None, gt=0)
    slow_share: float = Field(default=0.2, gt=0, lt=1)
    slow_timeout_total_s: float = Field(default=600.0, gt=0)
    retry_share: float = Field(default=0.2, ge=0, le=1)
    alarm_share: float = Field(default=0.05, gt=0, le=1)

    @field_validator("concurrency_max", mode="before")
    @classmethod
    def _none_is_the_default(cls, value: object) -> object:
        return CONCURRENCY_MAX if value is None else value

    def read_timeout_s(self, *, stream: bool) -> float:
        """Longest silence between bytes: as set, else 60 s streaming, else the attempt's total."""
        if self.timeout_read_s is not None:
            return min(self.timeout_read_s, self.timeout_total_s)
        return min(60.0, self.timeout_total_s) if stream else self.timeout_total_s


class Job(Spec):
    """A whole job: one version of it."""

    name: str = Field(min_length=1)
    data: DataSpec = DataSpec()
    clean: tuple[CleanStep, ...] = ()
    provider: ProviderSpec = ProviderSpec()
    stages: tuple[Stage, ...] = Field(min_length=1)
    limits: Limits = Limits()

    @field_validator("clean")
    @classmethod
    def _each_step_once(cls, value: tuple[CleanStep, ...]) -> tuple[CleanStep, ...]:
        return in_order(value)

    def content_hash(self) -> str:
        """SHA-256 over the definition in canonical JSON: equal jobs, equal hash."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()
