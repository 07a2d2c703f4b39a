"""What is said before rows leave this computer."""

from __future__ import annotations

import json

import pytest

from batchdesk.domain.job import Job
from batchdesk.session import Session
from batchdesk.session.disclosure import covers, is_elsewhere, masked_in
from batchdesk.store.agreed import Agreement

MASK = {
    "step": "mask",
    "kinds": ["email", "phone"],
    "patterns": [{"name": "ORDER", "pattern": "A-[0-9]+"}],
}


def job(user: str = "Judge: {{ text }}", clean: tuple[object, ...] = (), **provider: object) -> Job:
    return Job.model_validate(
        {
            "name": "j",
            "provider": {"preset": "deepseek", "model": "deepseek-chat"} | provider,
            "stages": [
                {
                    "name": "s",
                    "system": "Be fair.",
                    "user": user,
                    "max_tokens": 50,
                    "output": {"type": "object", "properties": {"a": {"type": "string"}}},
                }
            ],
            "clean": clean,
        }
    )


@pytest.fixture
async def imported(session: Session, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "id,name,text\n1,Ann,  \n2,Bob,Write to bob@example.com about A-77.\n3,Cid,Fine.\n",
        encoding="utf-8",
    )
    return session, await session.import_table(path, key_column="id")


@pytest.mark.parametrize(
    ("url", "elsewhere"),
    [
        (None, False),
        ("http://127.0.0.1:11434/v1", False),
        ("http://[::1]:8080", False),
        ("http://localhost:1234/v1", False),
        ("http://10.1.2.3/v1", True),
        ("http://gpu-box:8000/v1", True),
        ("http://localhost.example.com", True),
        ("https://api.deepseek.com/v1", True),
    ],
)
def test_that_another_computer_is_every_one_but_this(url, elsewhere):
    assert is_elsewhere(url) is elsewhere


async def test_that_nothing_is_said_where_nothing_leaves(imported):
    session, dataset = imported
    assert await session.disclosure(job(preset="practice"), dataset) is None
    assert await session.disclosure(job(preset="ollama"), dataset) is None


async def test_that_the_first_rows_request_is_shown_as_it_would_go(imported):
    session, dataset = imported
    told = await session.disclosure(job(), dataset)
    assert (told.host, told.service, told.model) == (
        "api.deepseek.com",
        "DeepSeek",
        "deepseek-chat",
    )
    assert (told.columns, dict(told.masked)) == (("text",), {})
    assert (told.is_encrypted, told.names_row, told.is_agreed) == (True, True, False)
    assert not told.hides_keys
    assert told.row_key == "2"  # the first is empty and not sent
    body = json.loads(told.body)
    assert body["model"] == "deepseek-chat"
    assert body["max_tokens"] == 50
    assert body["response_format"] == {"type": "json_object"}
    assert body["messages"][-1]["content"] == (
        "Judge: Write to bob@example.com about A-77.\n\nrow_key: 2"
    )
    assert "Ann" not in told.body
    assert "Bob" not in told.body


async def test_that_masks_stand_in_the_example_and_are_named(imported):
    session, dataset = imported
    told = await session.disclosure(job(clean=(MASK,)), dataset)
    assert dict(told.masked) == {"text": frozenset({"email", "phone", "ORDER"})}
    assert "bob@example.com" not in told.body
    assert "A-77" not in told.body
    assert "[EMAIL_1]" in told.body
    assert "[ORDER_1]" in told.body
    assert (told.names_row, told.hides_keys) == (True, True)
    assert "row_key: row-2" in told.body


async def test_that_it_is_asked_once_and_again_only_for_more(imported):
    session, dataset = imported
    masked, plain = job(clean=(MASK,)), job()
    await session.agree(await session.disclosure(masked, dataset))
    assert (await session.disclosure(masked, dataset)).is_agreed
    assert (await session.disclosure(job("Now: {{ text }}", (MASK,)), dataset)).is_agreed
    assert not (await session.disclosure(plain, dataset)).is_agreed  # without the masks
    more = job("{{ name }}: {{ text }}", (MASK,))
    assert not (await session.disclosure(more, dataset)).is_agreed
    elsewhere = job(clean=(MASK,), base_url="https://gate.example.com/v1")
    assert not (await session.disclosure(elsewhere, dataset)).is_agreed
    in_clear = job(clean=(MASK,), base_url="http://api.deepseek.com/v1")
    told = await session.disclosure(in_clear, dataset)
    assert (told.is_agreed, told.is_encrypted) == (False, False)


async def test_that_what_was_agreed_is_kept_in_the_project_file(imported, tmp_path):
    session, dataset = imported
    await session.agree(await session.disclosure(job(), dataset))
    await session.close()
    again = await Session.open(tmp_path / "p.batchdesk")
    told = await again.disclosure(job(), dataset)
    assert told is not None
    assert told.is_agreed
    await again.close()


def test_that_fewer_columns_and_more_masks_are_covered():
    agreement = Agreement(frozenset({"a", "b"}), {"a": frozenset({"email"})})
    email = frozenset({"email"})
    assert covers(agreement, ("a",), {"a": email | {"phone"}})
    assert covers(agreement, ("b",), {})
    assert covers(agreement, (), {})
    assert not covers(agreement, ("a",), {})
    assert not covers(agreement, ("b", "c"), {})
    assert not covers(None, (), {})


def test_that_masks_count_for_the_columns_that_are_sent():
    step = MASK | {"columns": ["note", "text"]}
    assert masked_in(job(clean=(step,)), ("text",)) == {
        "text": frozenset({"email", "phone", "ORDER"})
    }
    assert masked_in(job(clean=(step,)), ("name",)) == {}


async def test_that_a_first_row_whose_prompt_fails_leaves_the_rest_said(imported):
    session, dataset = imported
    told = await session.disclosure(job("{{ text }} {{ 1 / (text | length - 36) }}"), dataset)
    assert told is not None
    assert (told.columns, told.row_key, told.body) == (("text",), "2", "")
