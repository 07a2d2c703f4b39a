"""Files of batch requests and batch answers, as OpenAI's batch endpoint takes and gives them.

A line of an input file comes in and goes out as the row that is in it: ``custom_id``, ``messages``
and the rest of the request. Rows come in and go out as lines of an input or an output file, JSONL
of a fixed shape. Nothing is sent from here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from batchdesk.errors import TableError
from batchdesk.tables.atomic import AtomicFile
from batchdesk.tables.cells import json_text
from batchdesk.tables.objects import SURROGATE, Object

ENDPOINT = "/v1/chat/completions"
_BODY = "body."
_ANSWER = "answer."
_HTTP_OK = 200


def is_request(value: Object) -> bool:
    """Whether an object is a line of a batch input file."""
    if not isinstance(value, dict) or "custom_id" not in value:
        return False
    body = value.get("body")
    return isinstance(body, dict) and isinstance(body.get("messages"), list)


def unfolded(value: Object) -> Object:
    """``custom_id``, ``messages``, the rest of the body as ``body.…``, and what else there is."""
    if not isinstance(value, dict) or not isinstance(body := value.get("body"), dict):
        return value
    flat = {"custom_id": value.get("custom_id"), "messages": body.get("messages")}
    flat |= {_BODY + key: item for key, item in body.items() if key != "messages"}
    return flat | {key: item for key, item in value.items() if key not in ("custom_id", "body")}


class BatchInputWriter:
    """Writes one request a line; see ``base.Writer``.

    Needs the columns ``custom_id`` and ``messages`` (a list, or its JSON text). Columns ``body.…``
    go into the request's body, ``method`` and ``url`` beside it; other columns have no place in
    such a file and are left out.

    Args:
        path: The target; replaced if it exists.
        columns: Names in order.

    Raises:
        TableError: a column is missing; from any method: the file cannot be written.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._name = path.name
        self._count = 0
        self._seen: set[str] = set()
        for needed in ("custom_id", "messages"):
            if needed not in columns:
                raise TableError(
                    "A file of batch requests needs the column {column}, which the table lacks.",
                    column=needed,
                )
        self._file = AtomicFile(path)

    def __enter__(self) -> Self:
        self._file.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.__exit__(*exc)

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows.

        Raises:
            TableError: a ``custom_id`` is missing or stands twice, or messages are no list.
        """
        self._file.write(b"".join(_line(self._request(row)) for row in rows))

    def _request(self, row: Mapping[str, Any]) -> dict[str, Any]:
        self._count += 1
        custom_id = row.get("custom_id")
        if custom_id in (None, "") or str(custom_id) in self._seen:
            raise TableError(
                "Row {row} has no custom_id of its own: each request needs one.", row=self._count
            )
        self._seen.add(str(custom_id))
        body = {
            key.removeprefix(_BODY): _plain(value)
            for key, value in row.items()
            if key.startswith(_BODY) and value is not None
        }
        body["messages"] = self._messages(row.get("messages"))
        return {
            "custom_id": str(custom_id),
            "method": row.get("method") or "POST",
            "url": row.get("url") or ENDPOINT,
            "body": body,
        }

    def _messages(self, value: Any) -> list[Any]:
        messages = _plain(value)
        if isinstance(messages, list):
            return messages
        raise TableError(
            "The messages of row {row} are no JSON list: it should hold objects with role and "
            "content.",
            row=self._count,
        )


class BatchOutputWriter:
    """Writes one answer a line, as the batch endpoint gives them; see ``base.Writer``.

    ``custom_id`` is the column of this name, else the first one. The answer is the column
    ``content``, else ``answer.text`` as it is or all ``answer.…`` columns as one JSON object. A
    row without any of it is written as an error, with ``batchdesk.reason`` as its message.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        if not columns:
            raise TableError("A file of batch answers needs at least one column.")
        self._id = "custom_id" if "custom_id" in columns else columns[0]
        self._file = AtomicFile(path)
        self._count = 0

    def __enter__(self) -> Self:
        self._file.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.__exit__(*exc)

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows."""
        self._file.write(b"".join(_line(self._answer(row)) for row in rows))

    def _answer(self, row: Mapping[str, Any]) -> dict[str, Any]:
        self._count += 1
        content = _content(row)
        line: dict[str, Any] = {
            "id": f"batch_req_{self._count}",
            "custom_id": "" if row.get(self._id) is None else str(row.get(self._id)),
        }
        if content is None:
            message = row.get("batchdesk.reason") or "no answer"
            line["response"] = None
            line["error"] = {"code": row.get("batchdesk.state") or "failed", "message": message}
            return line
        line["response"] = {
            "status_code": _HTTP_OK,
            "request_id": f"req_{self._count}",
            "body": {
                "object": "chat.completion",
                "choices": [
                    {
                        "index": 0,
                        "message": {"role": "assistant", "content": content},
                        "finish_reason": "stop",
                    }
                ],
                "usage": _usage(row),
            },
        }
        line["error"] = None
        return line


def _content(row: Mapping[str, Any]) -> str | None:
    if row.get("content") is not None:
        return _as_text(row["content"])
    answers = {
        key.removeprefix(_ANSWER): value
        for key, value in row.items()
        if key.startswith(_ANSWER) and value is not None
    }
    if not answers:
        return None
    if answers.keys() == {"text"}:
        return _as_text(answers["text"])
    return json_text(answers)


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json_text(value)


def _usage(row: Mapping[str, Any]) -> dict[str, Any]:
    asked, given = row.get("batchdesk.input_tokens"), row.get("batchdesk.output_tokens")
    total = asked + given if isinstance(asked, int) and isinstance(given, int) else None
    return {
        "prompt_tokens": asked,
        "completion_tokens": given,
        "total_tokens": total,
    }


def _plain(value: Any) -> Any:
    """A value of a request's body: what a cell's text holds if it is JSON, else the text itself."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _line(value: dict[str, Any]) -> bytes:
    text = json_text(value) + "\n"
    try:
        return text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair: only an escape can hold it
        return SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode()
