"""Batch files: requests become rows and back, answers become lines."""

import json

import pytest

from batchdesk.errors import TableError
from batchdesk.tables import open_reader, open_writer

MESSAGES = [{"role": "user", "content": "Hi"}]
REQUEST = {
    "custom_id": "row-1",
    "method": "POST",
    "url": "/v1/chat/completions",
    "body": {"model": "m", "messages": MESSAGES, "temperature": 0},
}


def test_that_requests_are_unfolded(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(REQUEST) + "\n" + json.dumps({**REQUEST, "custom_id": "2"}) + "\n")
    reader = open_reader(path)
    assert reader.columns == [
        "custom_id", "messages", "body.model", "body.temperature", "method", "url",
    ]  # fmt: skip
    messages = '[{"role":"user","content":"Hi"}]'
    assert list(reader.rows()) == [
        (1, ["row-1", messages, "m", "0", "POST", "/v1/chat/completions"]),
        (2, ["2", messages, "m", "0", "POST", "/v1/chat/completions"]),
    ]
    assert reader.format.name == "batch-input"


def test_that_unfolded_requests_are_written_as_they_came(tmp_path):
    source, target = tmp_path / "t.jsonl", tmp_path / "out.batch-input.jsonl"
    source.write_text(json.dumps(REQUEST) + "\n")
    reader = open_reader(source)
    rows = [dict(zip(reader.columns, row, strict=True)) for _, row in reader.rows()]
    with open_writer(target, reader.columns) as writer:
        writer.write(rows)
    assert json.loads(target.read_text()) == REQUEST


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([{"custom_id": None, "messages": "[]"}], "Row 1 has no custom_id of its own"),
        ([{"custom_id": "a", "messages": "[]"}] * 2, "Row 2 has no custom_id of its own"),
        ([{"custom_id": "a", "messages": "Hi"}], "The messages of row 1 are no JSON list"),
    ],
)
def test_that_requests_that_the_service_would_refuse_are_told(tmp_path, rows, sentence):
    path = tmp_path / "t.batch-input.jsonl"
    with (
        pytest.raises(TableError, match=sentence),
        open_writer(path, ["custom_id", "messages"]) as writer,
    ):
        writer.write(rows)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(TableError, match="needs the column messages"):
        open_writer(path, ["custom_id"])


def test_that_answers_are_written_as_the_service_gives_them(tmp_path):
    path = tmp_path / "t.batch-output.jsonl"
    columns = [
        "custom_id", "answer.label", "answer.score", "batchdesk.state", "batchdesk.reason",
        "batchdesk.input_tokens", "batchdesk.output_tokens",
    ]  # fmt: skip
    with open_writer(path, columns) as writer:
        writer.write(
            [
                {"custom_id": "1", "answer.label": "pos", "answer.score": 0.9,
                 "batchdesk.input_tokens": 12, "batchdesk.output_tokens": 3},
                {"custom_id": "2", "batchdesk.state": "dead", "batchdesk.reason": "auth: no key"},
            ]
        )  # fmt: skip
    first, second = map(json.loads, path.read_text().splitlines())
    assert first["custom_id"] == "1"
    assert first["error"] is None
    body = first["response"]["body"]
    assert json.loads(body["choices"][0]["message"]["content"]) == {"label": "pos", "score": 0.9}
    assert body["usage"] == {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
    assert second["response"] is None
    assert second["error"] == {"code": "dead", "message": "auth: no key"}


def test_that_an_answer_of_plain_text_stays_plain(tmp_path):
    path = tmp_path / "t.batch-output.jsonl"
    with open_writer(path, ["id", "answer.text"]) as writer:
        writer.write([{"id": "a", "answer.text": 'say "hi"'}])
    line = json.loads(path.read_text())
    assert line["custom_id"] == "a"
    assert line["response"]["body"]["choices"][0]["message"]["content"] == 'say "hi"'
