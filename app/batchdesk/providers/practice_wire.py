"""The practice server's wire format: OpenAI-style requests in, OpenAI-style bodies out.

Reads a chat request into a PracticeRequest (finding a JSON Schema in the prompt's text where the
request only asks for JSON), and writes completions, stream chunks and error bodies. Pure functions.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from batchdesk.domain.job import ROW_KEY_FIELD
from batchdesk.errors import BatchdeskError
from batchdesk.providers.practice_answers import Answer, Question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MODEL = "practice"
FINGERPRINT = "practice-server-not-a-model"
_CREATED = 1_767_225_600  # a fixed date: the same question gives the same bytes
_FENCED = re.compile(r"<data-([0-9a-f]{12})>\n(.*?)\n</data-\1>", re.DOTALL)
_KEY_LINE = f"{ROW_KEY_FIELD}: "
_BRACES_MAX = 40  # places in a text where a schema may begin
_STREAM_PIECES = 6
_N_MAX = 20
_ANY_OBJECT: dict[str, Any] = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
}
_TOKEN = re.compile(r"\s*\w+|\s*[^\w\s]|\s+")
_SURE = 0.9995


class BadRequestError(BatchdeskError):
    """A request that an OpenAI-style server answers with status 400."""


@dataclass(frozen=True, slots=True)
class PracticeRequest:
    """One chat request.

    Attributes:
        n: Choices asked for.
        max_tokens: None for no limit.
        prompt_tokens: As estimated.
    """

    question: Question
    n: int
    max_tokens: int | None
    stream: bool
    include_usage: bool
    logprobs: bool
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class Reply:
    """One choice of the answer."""

    answer: Answer
    finish_reason: str


def tokens_in(text: str) -> int:
    """The estimate of this server: a token is four bytes of UTF-8."""
    return max(1, math.ceil(len(text.encode("utf-8", "surrogatepass")) / 4))


def read_request(raw: bytes) -> PracticeRequest:
    """Read a request's body.

    Raises:
        BadRequestError: not JSON, or not a chat request.
    """
    try:
        body = json.loads(raw)
    except ValueError as error:
        raise BadRequestError(
            f"We could not parse the JSON body of your request: {error}"
        ) from error
    if not isinstance(body, dict) or not isinstance(body.get("messages"), list):
        raise BadRequestError("Missing required parameter: 'messages'.")
    turns = [
        (str(turn.get("role")), _text_of(turn.get("content")))
        for turn in body["messages"]
        if isinstance(turn, dict)
    ]
    if not any(role == "user" for role, _ in turns):
        raise BadRequestError("Invalid 'messages': at least one user message is needed.")
    n = body.get("n") or 1
    if not isinstance(n, int) or not 1 <= n <= _N_MAX:
        raise BadRequestError(f"Invalid 'n': an integer from 1 to {_N_MAX} is expected.")
    most = body.get("max_completion_tokens", body.get("max_tokens"))
    if most is not None and (not isinstance(most, int) or most < 1):
        raise BadRequestError("Invalid 'max_tokens': an integer of at least 1 is expected.")
    options = body.get("stream_options")
    return PracticeRequest(
        question=_question(turns, body.get("response_format")),
        n=n,
        max_tokens=most,
        stream=body.get("stream") is True,
        include_usage=isinstance(options, dict) and options.get("include_usage") is True,
        logprobs=body.get("logprobs") is True,
        prompt_tokens=tokens_in("".join(text for _, text in turns)),
    )


def _text_of(content: Any) -> str:
    """A message's text: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))


def _question(turns: Sequence[tuple[str, str]], response_format: Any) -> Question:
    """What is asked: the last user message is the row, earlier ones are examples.

    A retry may add a message that says what was wrong; the row is then the last message that
    carries a row key.
    """
    user = [text for role, text in turns if role == "user"]
    row = next((text for text in reversed(user) if _split_key(text)[1] is not None), user[-1])
    text, key = _split_key(row)
    text = _FENCED.sub(r"\2", text)  # what stands between the marks is what a reader sees
    return Question(text, key, _schema(turns, response_format))


def _split_key(message: str) -> tuple[str, str | None]:
    """The message without its last line ``row_key: …``, and that key."""
    before, _, last = message.rstrip("\r\n").rpartition("\n")
    if not last.startswith(_KEY_LINE):
        return message, None
    return before, last.removeprefix(_KEY_LINE).rstrip("\r")


def _schema(turns: Sequence[tuple[str, str]], response_format: Any) -> Mapping[str, Any] | None:
    kind = response_format.get("type") if isinstance(response_format, dict) else None
    if kind == "json_schema":
        named = response_format.get("json_schema")
        schema = named.get("schema") if isinstance(named, dict) else None
        if not isinstance(schema, dict):
            raise BadRequestError(
                "Missing required parameter: 'response_format.json_schema.schema'."
            )
        return schema
    for role, text in turns:
        if role in {"system", "developer"} and (found := _schema_in_system(text)) is not None:
            return found
    for role, text in reversed(turns):
        if role == "user" and (found := find_schema(text)) is not None:
            return found
    return _ANY_OBJECT if kind == "json_object" else None


def find_schema(text: str) -> dict[str, Any] | None:
    """The first JSON Schema of an object or of an enum that stands in a prompt, or None."""
    decoder = json.JSONDecoder()
    at = -1
    for _ in range(_BRACES_MAX):
        at = text.find("{", at + 1)
        if at < 0:
            return None
        try:
            value, _end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and _is_schema(value):
            return value
    return None


_schema_in_system = lru_cache(maxsize=64)(find_schema)


def _is_schema(value: dict[str, Any]) -> bool:
    if isinstance(value.get("properties"), dict) or "$schema" in value:
        return True
    return isinstance(value.get("enum"), list) or value.get("type") in {"object", "array"}


def shorten(reply: Reply, max_tokens: int | None) -> Reply:
    """Cut the answer at the request's own limit, as a model would."""
    if max_tokens is None or tokens_in(reply.answer.content) <= max_tokens:
        return reply
    raw = reply.answer.content.encode("utf-8", "surrogatepass")[: max_tokens * 4]
    return Reply(Answer(raw.decode("utf-8", "ignore"), None, reply.answer.marks), "length")


def usage(prompt_tokens: int, replies: Sequence[Reply]) -> dict[str, Any]:
    """The usage object; the estimate counts every choice."""
    completion = sum(tokens_in(reply.answer.content) for reply in replies)
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion,
        "total_tokens": prompt_tokens + completion,
        "prompt_tokens_details": {"cached_tokens": 0},
    }


def completion(
    ident: str, request: PracticeRequest, replies: Sequence[Reply], used: Mapping[str, Any]
) -> bytes:
    """The body of a whole answer."""
    choices = [
        {
            "index": index,
            "message": {"role": "assistant", "content": reply.answer.content, "refusal": None},
            "logprobs": {"content": logprobs(reply.answer)} if request.logprobs else None,
            "finish_reason": reply.finish_reason,
        }
        for index, reply in enumerate(replies)
    ]
    return _dump(_envelope(ident, "chat.completion") | {"choices": choices, "usage": used})


def stream_events(
    ident: str, request: PracticeRequest, replies: Sequence[Reply], used: Mapping[str, Any]
) -> list[bytes]:
    """The server-sent events of a streamed answer, ``[DONE]`` included."""
    envelope = _envelope(ident, "chat.completion.chunk")
    if request.include_usage:
        envelope["usage"] = None
    events = []

    def add(choices: list[dict[str, Any]]) -> None:
        events.append(_event(_dump(envelope | {"choices": choices})))

    for index, reply in enumerate(replies):
        first: dict[str, Any] = {"role": "assistant", "content": ""}
        add([{"index": index, "delta": first, "logprobs": None, "finish_reason": None}])
        for tokens in _pieces(logprobs(reply.answer)):
            text = "".join(token["token"] for token in tokens)
            spread = {"content": tokens} if request.logprobs else None
            delta = {"content": text}
            add([{"index": index, "delta": delta, "logprobs": spread, "finish_reason": None}])
        last = reply.finish_reason
        add([{"index": index, "delta": {}, "logprobs": None, "finish_reason": last}])
    if request.include_usage:
        events.append(_event(_dump(envelope | {"choices": [], "usage": used})))
    events.append(_event(b"[DONE]"))
    return events


def logprobs(answer: Answer) -> list[dict[str, Any]]:
    """Tokens that together are the content, each with the logarithm of its probability."""
    tokens = []
    marks = list(answer.marks)
    for match in _TOKEN.finditer(answer.content):
        start, end = match.span()
        probability = _SURE
        # The first word inside a value carries its doubt, the rest of the value follows from it.
        if marks and end > marks[0][0] and match.group().strip(' "'):
            probability = marks.pop(0)[2]
        tokens.append(
            {
                "token": answer.content[start:end],
                "logprob": round(math.log(probability), 5),
                "bytes": None,
                "top_logprobs": [],
            }
        )
    return tokens


def _pieces(tokens: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """At most six pieces of about the same number of tokens."""
    count = min(_STREAM_PIECES, len(tokens))
    edges = [round(at * len(tokens) / count) for at in range(count + 1)] if count else []
    return [tokens[start:end] for start, end in pairwise(edges)]


def error_body(message: str, kind: str, code: str | None) -> bytes:
    """The body of a refusal or failure."""
    return _dump({"error": {"message": message, "type": kind, "param": None, "code": code}})


def models_body() -> bytes:
    """The list of models: the one that is none."""
    model = {"id": MODEL, "object": "model", "created": _CREATED, "owned_by": "batchdesk"}
    return _dump({"object": "list", "data": [model]})


def _envelope(ident: str, kind: str) -> dict[str, Any]:
    return {
        "id": ident,
        "object": kind,
        "created": _CREATED,
        "model": MODEL,
        "system_fingerprint": FINGERPRINT,
    }


def _event(data: bytes) -> bytes:
    return b"data: " + data + b"\n\n"


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )
