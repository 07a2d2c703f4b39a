"""The body of a chat completion request: what was asked for in, JSON out.

Only what was set is sent, so that services with fewer options cope. How JSON is asked for follows
the service's capabilities: ``json_schema``, else ``json_object`` with the schema in words, else
words alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from batchdesk.domain.chat import ChatRequest, Message
from batchdesk.providers.abilities import is_within
from batchdesk.providers.base import Capabilities

# Keywords that strict mode refuses; with them the schema still guides the answer, unenforced.
_NOT_IN_STRICT_MODE = frozenset(
    {"allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"}
    | {"patternProperties", "propertyNames", "minProperties", "maxProperties"}
    | {"unevaluatedProperties", "unevaluatedItems", "contains", "uniqueItems"}
    | {"minLength", "maxLength"}
)

to_json = json.JSONEncoder(ensure_ascii=False).encode


def request_body(
    request: ChatRequest, capabilities: Capabilities, max_tokens: str = "max_tokens"
) -> dict[str, Any]:
    """The request as JSON.

    Args:
        capabilities: What the service can do.
        max_tokens: What the service calls the longest answer.
    """
    body: dict[str, Any] = {"model": request.model, "messages": _messages(request.messages)}
    options = {
        "temperature": request.temperature,
        "top_p": request.top_p,
        "seed": request.seed if capabilities.seed else None,
        max_tokens: request.max_tokens,
        "n": request.n if request.n > 1 else None,
        "logprobs": request.logprobs or None,
    }
    body.update({name: value for name, value in options.items() if value is not None})
    if request.stream:
        body["stream"] = True
        if capabilities.stream_usage:
            body["stream_options"] = {"include_usage": True}
    if request.schema is not None:
        _ask_for_json(body, request.schema, capabilities)
    return body


class BodyWriter:
    """Writes bodies as text. The schema, the same for all rows of a stage, is written once.

    Args:
        capabilities: What the service can do.
        max_tokens: What the service calls the longest answer.
    """

    def __init__(self, capabilities: Capabilities, max_tokens: str = "max_tokens") -> None:
        self._capabilities = capabilities
        self._max_tokens = max_tokens
        self._schema: Mapping[str, Any] | None = None
        self._form = ""

    def write(self, request: ChatRequest) -> str:
        """The request as JSON text: what ``request_body`` says."""
        schema = request.schema
        if schema is None or self._capabilities.structured_output != "json_schema":
            return to_json(request_body(request, self._capabilities, self._max_tokens))
        if schema is not self._schema:
            self._form = to_json(_schema_form(schema, self._capabilities))
            self._schema = schema
        rest = replace(request, schema=None)
        text = to_json(request_body(rest, self._capabilities, self._max_tokens))
        return f'{text[:-1]}, "response_format": {self._form}}}'


def _schema_form(schema: Mapping[str, Any], capabilities: Capabilities) -> dict[str, Any]:
    strict = _is_strict(schema) and is_within(schema, capabilities.strict_limits)
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": schema, "strict": strict},
    }


def _ask_for_json(
    body: dict[str, Any], schema: Mapping[str, Any], capabilities: Capabilities
) -> None:
    form = capabilities.structured_output
    if form == "json_schema":
        body["response_format"] = _schema_form(schema, capabilities)
        return
    if form == "json_object":
        body["response_format"] = {"type": "json_object"}
    body["messages"] = _with_instruction(body["messages"], schema)


def _messages(messages: tuple[Message, ...]) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in messages]


def _with_instruction(
    messages: list[dict[str, str]], schema: Mapping[str, Any]
) -> list[dict[str, str]]:
    """The schema in words, at the end of the system text."""
    wanted = (
        "Answer with one JSON object and nothing else. It must satisfy this JSON Schema:\n"
        + json.dumps(schema, ensure_ascii=False)
    )
    if messages and messages[0]["role"] == "system":
        first = {"role": "system", "content": f"{messages[0]['content']}\n\n{wanted}"}
        return [first, *messages[1:]]
    return [{"role": "system", "content": wanted}, *messages]


def _is_strict(schema: Any) -> bool:
    """Whether a schema keeps strict mode's rules at every depth.

    Every property is required, none may stand beside them, and only some keywords are used.
    """
    if isinstance(schema, list):
        return all(_is_strict(item) for item in schema)
    if not isinstance(schema, Mapping):
        return True
    if not _NOT_IN_STRICT_MODE.isdisjoint(schema):
        return False
    properties = schema.get("properties") or {}
    if properties or schema.get("type") == "object":
        required = set(schema.get("required") or ())
        if schema.get("additionalProperties") is not False or set(properties) != required:
            return False
    inner = [*properties.values(), *(schema.get("$defs") or {}).values()]
    return _is_strict([*inner, schema.get("items"), schema.get("anyOf")])
