"""The request for one row: rendered messages, examples, the row's key, and the note of a retry."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from batchdesk.domain.chat import ChatRequest, Message
from batchdesk.domain.job import ROW_KEY_FIELD, Job
from batchdesk.domain.task import ErrorKind
from batchdesk.errors import Phrase
from batchdesk.prepare.template import Cells, Template

# What is said to the model when its answer is asked for once more.
_FAULT_NOTES = {
    ErrorKind.MALFORMED_OUTPUT: "Your previous answer did not have the asked form ({detail}). "
    "Answer again, with nothing but the JSON object that was asked for.",
    ErrorKind.EMPTY_OUTPUT: "Your previous answer was empty. Answer again.",
    ErrorKind.MISALIGNED: "Your previous answer named another row. Answer again for this row, and "
    "copy its row_key exactly.",
}


class PromptBuilder:
    """Builds the requests of one stage.

    Args:
        job: The job version.
        columns: The table's columns; a template that names another one is an error here.
        model: The model's name as the provider knows it.
        echo_key: Whether answers must name their row.

    Attributes:
        used: The columns that the prompt refers to.
        schema: The JSON Schema that is asked for, with ``row_key`` first where it is echoed.
        sends_keys: Whether rows' own keys are sent.
        has_slow_note: Whether the slow lane's prompt differs.
    """

    def __init__(self, job: Job, columns: Sequence[str], *, model: str, echo_key: bool) -> None:
        stage = job.stages[0]
        self._stage = stage
        self._limits = job.limits
        self._model = model
        self._echo = echo_key
        self._hides_keys = any(step.step == "mask" for step in job.clean)
        system = Phrase("The system text of stage {stage!r}", stage=stage.name)
        user = Phrase("The user text of stage {stage!r}", stage=stage.name)
        self._system = Template(stage.system, columns, where=system)
        self._user = Template(stage.user, columns, where=user)
        self.used = self._system.used | self._user.used
        self.schema = _with_row_key(stage.output) if echo_key else stage.output
        self.sends_keys = echo_key and not self._hides_keys
        self.has_slow_note = bool(stage.slow_note)
        self._examples = tuple(self._example_turns())
        self._wants_logprobs = any(
            check.kind == "confidence" and check.source == "logprobs" for check in stage.checks
        )
        self._definition = _definition_hash(job, model)

    def input_version(self, cells: Cells) -> str:
        """Hash of the used columns and the definition: equal version, equal question."""
        digest = hashlib.sha256(self._definition)
        for name in sorted(self.used):
            digest.update(json.dumps([name, cells.get(name)], ensure_ascii=False).encode())
        return digest.hexdigest()[:32]

    def sent_key(self, row_key: str, row_id: int) -> str:
        """By which name a row is sent, and its answer known again.

        Where the job masks personal data, the table's own key may be some too, such as an e-mail
        address: then it is the row's id in the project file, which says nothing to anyone else.
        """
        return f"row-{row_id}" if self._hides_keys else one_line(row_key)

    def build(
        self,
        *,
        row_key: str,
        cells: Cells,
        idempotency_key: str,
        trace_id: str,
        content_try: int = 0,
        fault: ErrorKind | None = None,
        fault_detail: str = "",
        reviewer_note: str | None = None,
        is_slow: bool = False,
    ) -> ChatRequest:
        """The request for one row, whose key is as ``sent_key`` gives it.

        ``is_slow`` says whether it goes in the slow lane, for which the stage may have a note.
        ``content_try`` says how often a different answer was asked for already, ``fault`` and
        ``fault_detail`` what was wrong with the previous one.

        Raises:
            RenderError: the template fails for this row.
        """
        stage = self._stage
        turns: list[Message] = []
        system = self._system.render(cells)
        if system:
            turns.append(Message("system", system))
        turns.extend(self._examples)
        user = self._user.render(cells)
        if is_slow and self._stage.slow_note:
            user = f"{user}\n\n{self._stage.slow_note}"
        note = _FAULT_NOTES.get(fault) if fault and content_try else None
        if note:
            user = f"{user}\n\n{note.format(detail=fault_detail or 'not readable')}"
        if reviewer_note:
            user = f"{user}\n\nA reviewer looked at your previous answer and notes: {reviewer_note}"
        turns.append(Message("user", self._with_key(user, row_key)))
        read_s = self._limits.read_timeout_s(stream=stage.stream)
        return ChatRequest(
            model=self._model,
            messages=tuple(turns),
            idempotency_key=idempotency_key,
            trace_id=trace_id,
            schema=self.schema,
            temperature=stage.temperature,
            top_p=stage.top_p,
            seed=stage.seed,
            max_tokens=self._max_tokens(content_try, fault),
            n=stage.n,
            logprobs=self._wants_logprobs,
            stream=stage.stream,
            timeout_connect_s=self._limits.timeout_connect_s,
            timeout_read_s=read_s,
            timeout_total_s=self._limits.timeout_total_s,
        )

    def _max_tokens(self, content_try: int, fault: ErrorKind | None) -> int | None:
        """Four times as many for an answer that stopped at the limit; else as the stage says."""
        limit = self._stage.max_tokens
        if limit is not None and content_try and fault is ErrorKind.TRUNCATED:
            return limit * 4
        return limit

    def _with_key(self, text: str, row_key: str) -> str:
        return f"{text}\n\n{ROW_KEY_FIELD}: {one_line(row_key)}" if self._echo else text

    def _example_turns(self) -> list[Message]:
        """Worked examples; where keys are echoed, they show that too."""
        turns = []
        for number, example in enumerate(self._stage.examples, 1):
            key = f"example-{number}"
            turns.append(Message("user", self._with_key(example.user, key)))
            turns.append(Message("assistant", self._example_answer(example.assistant, key)))
        return turns

    def _example_answer(self, answer: str, key: str) -> str:
        if not self._echo:
            return answer
        try:
            parsed = json.loads(answer)
        except ValueError:
            return answer
        if not isinstance(parsed, dict):
            return answer
        return json.dumps({ROW_KEY_FIELD: key, **parsed}, ensure_ascii=False)


def one_line(key: str) -> str:
    """A row's key as it is sent and compared: runs of white space are one space."""
    return " ".join(key.split())


def _with_row_key(schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The schema with ``row_key`` as its first property: a plain string, never an enum."""
    if schema is None:
        return None
    key = {"type": "string", "description": "Copy the row_key given at the end of the message."}
    fields, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(fields, Mapping) or not isinstance(required, list):
        return dict(schema)  # not a JSON Schema: the checks refuse it with a sentence
    return {
        **schema,
        "properties": {ROW_KEY_FIELD: key, **fields},
        "required": [ROW_KEY_FIELD, *required],
    }


def _definition_hash(job: Job, model: str) -> bytes:
    """What makes two questions the same beside the row: the stage and who is asked."""
    stage = job.stages[0].model_dump(mode="json")
    if not stage["slow_note"]:  # as before there was one: earlier answers can be taken still
        del stage["slow_note"]
    definition = {
        "stage": stage,
        "model": model,
        "provider": [job.provider.preset, job.provider.base_url],
        "practice": job.provider.practice.seed if job.provider.preset == "practice" else None,
    }
    text = json.dumps(definition, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).digest()
