"""A row rendered as it would be sent, the draft that closing saves, and keys told apart."""

from __future__ import annotations

import pytest

from batchdesk.domain.chat import Message
from batchdesk.domain.job import Example, Job, ProviderSpec, Stage
from batchdesk.errors import JobFileError
from batchdesk.session import Session, fault_names, has_stored_key, key_account, takes_stored_key

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


def job(user="{{ text }}", **stage):
    provider = ProviderSpec(preset="practice")
    return Job(name="j", provider=provider, stages=(Stage(name="s", user=user, **stage),))


@pytest.fixture
async def session(tmp_path):
    session = await Session.open(tmp_path / "p.batchdesk", create=True)
    yield session
    await session.close()


async def test_that_a_rendering_is_what_is_sent(session):
    example = Example(user="in", assistant='{"a": "out"}')
    asked = job(system="Be brief.", output=SCHEMA, examples=(example,))
    assert session.render(asked, ["text"], {"text": "hello"}, "row 7") == [
        Message("system", "Be brief."),
        Message("user", "in\n\nrow_key: example-1"),
        Message("assistant", '{"row_key": "example-1", "a": "out"}'),
        Message("user", "hello\n\nrow_key: row 7"),
    ]


async def test_that_a_rendering_names_the_missing_column(session):
    with pytest.raises(JobFileError, match="Did you mean 'text'"):
        session.render(job("{{ txt }}"), ["text"], {"text": "hello"}, "k")


async def test_that_closing_saves_the_draft_once(tmp_path):
    path = tmp_path / "p.batchdesk"
    session = await Session.open(path, create=True)
    session.keep_draft(job("one"))
    session.keep_draft(job("two"))
    await session.close()
    again = await Session.open(path)
    assert [(one.version, one.job) for one in await again.jobs()] == [(1, job("two"))]
    again.keep_draft(job("three"))
    again.keep_draft(None)
    await again.close()
    third = await Session.open(path)
    assert len(await third.jobs()) == 1
    await third.close()


@pytest.mark.parametrize(
    ("spec", "account", "takes"),
    [
        (ProviderSpec(preset="openai"), "api.openai.com", True),
        (ProviderSpec(preset="openai", base_url="https://proxy:8443/v1"), "proxy:8443", True),
        (ProviderSpec(), "", True),
        (ProviderSpec(preset="ollama"), "127.0.0.1:11434", False),
        (ProviderSpec(preset="practice"), "", False),
        (ProviderSpec(preset="local"), "", False),
        (ProviderSpec(preset="nobody"), "", False),
        (ProviderSpec(base_url="http://[::1"), "", True),
    ],
)
def test_that_a_key_belongs_to_a_host(spec, account, takes):
    assert (key_account(spec), takes_stored_key(spec)) == (account, takes)


def test_that_without_a_host_no_keyring_is_asked(monkeypatch):
    monkeypatch.setattr("batchdesk.credentials.find_key", lambda *_a, **_k: pytest.fail("asked"))
    assert not has_stored_key(ProviderSpec())


def test_that_the_practice_servers_faults_are_named():
    assert {"429", "reset", "malformed", "wrong_row", "slow"} <= set(fault_names())
