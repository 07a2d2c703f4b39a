"""What is offered before a project is open, and that keys are kept only where they are asked for."""

from __future__ import annotations

import pytest

from batchdesk import credentials
from batchdesk.domain.job import ProviderSpec
from batchdesk.errors import TableError, UserError
from batchdesk.prepare.linter import LintCode, lint
from batchdesk.providers.connect import choose, connect
from batchdesk.session import (
    ReadOptions,
    has_stored_key,
    key_account,
    peek_table,
    read_job_file,
    samples,
    services,
    store_key,
    takes_stored_key,
    try_provider,
)
from batchdesk.session.planning import prepare


def test_that_the_bundled_samples_are_these():
    assert [sample.name for sample in samples()] == ["orders", "reviews-en", "reviews-zh"]


@pytest.mark.parametrize("name", ["orders", "reviews-en", "reviews-zh"])
def test_that_a_sample_job_fits_its_table(name):
    (sample,) = [one for one in samples() if one.name == name]
    job = read_job_file(sample.job_file)
    peek = peek_table(sample.table, count=1000)
    prepared = prepare(job, peek.columns)
    assert prepared.builder.used <= set(peek.columns)
    assert job.data.key in peek.columns
    assert job.data.label in peek.columns
    output = job.stages[0].output
    assert output is not None
    assert job.stages[0].answer_field in output["properties"]
    assert peek.problems == {}
    index = peek.columns.index(job.data.key)
    assert len({row[index] for row in peek.rows}) == len(peek.rows) >= 40
    for row in peek.rows:
        cells = dict(zip(peek.columns, row, strict=True))
        prepared.builder.build(row_key="k", cells=cells, idempotency_key="", trace_id="")


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("orders", []),
        ("reviews-zh", []),
        ("reviews-en", [LintCode.NO_FENCE]),  # its small model answers worse with marks
    ],
)
def test_that_the_prompt_check_has_nothing_against_a_sample_for_models_of_use(name, codes):
    (sample,) = [one for one in samples() if one.name == name]
    job = read_job_file(sample.job_file)
    columns = peek_table(sample.table).columns
    model = choose(job.provider).model
    assert [one.code for one in lint(job.stages[0], columns, model=model)] == codes


def test_that_services_begin_with_the_built_in_ones():
    offered = services()
    assert [service.preset for service in offered if service.is_built_in] == ["local", "practice"]
    assert [service.preset for service in offered[:2]] == ["local", "practice"]
    assert [service.preset for service in offered if not service.is_model] == ["practice"]


def test_that_a_peek_shows_the_first_rows_and_how_they_were_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("编号;评论\n1;很好\n2;\n3;差\n".encode("gb18030"))
    peek = peek_table(path, ReadOptions(encoding="gb18030"), count=2)
    assert peek.columns == ("编号", "评论")
    assert peek.rows == (("1", "很好"), ("2", ""))
    assert {"name": "csv", "encoding": "gb18030", "separator": ";"}.items() <= peek.format.items()
    assert peek.size == path.stat().st_size
    with pytest.raises(TableError):
        peek_table(tmp_path / "none.csv")


async def test_that_a_provider_is_tried_with_a_small_question():
    test = await try_provider(ProviderSpec.model_validate({"preset": "practice"}))
    assert test.text
    assert test.seconds is not None
    assert 0.2 <= test.seconds < 30  # its usual latency


async def test_that_a_provider_that_fails_is_told_in_its_own_words():
    spec = ProviderSpec.model_validate({"preset": "practice", "practice": {"faults": {"500": 1}}})
    with pytest.raises(UserError, match=r"^The service did not answer: .+[^.]\.$"):
        await try_provider(spec)


# -- keys ---------------------------------------------------------------------------------------


@pytest.fixture
def ring(monkeypatch):
    """A keyring that keeps keys by account, and remembers who was asked for."""
    kept: dict[str, str] = {}
    asked: list[str] = []

    def stored(account):
        asked.append(account)
        return kept.get(account)

    monkeypatch.setattr(credentials, "store_key", kept.__setitem__)
    monkeypatch.setattr(credentials, "_stored", stored)
    return kept, asked


async def asked_for(spec, ring):
    """The accounts whose key the keyring is asked for when a run connects."""
    connection = await connect(
        choose(spec),
        lambda account, variable, named: credentials.find_key(
            account, variable=variable, named_by_job=named
        ),
    )
    await connection.provider.close()
    return ring[1]


async def test_that_a_key_is_kept_under_the_host_that_a_run_asks_for(ring, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    spec = ProviderSpec(preset="openai", model="m")
    assert takes_stored_key(spec)
    assert not has_stored_key(spec)
    store_key(spec, "sk-1")
    assert ring[0] == {"api.openai.com": "sk-1"}
    assert has_stored_key(spec)
    ring[1].clear()
    assert await asked_for(spec, ring) == ["api.openai.com"]


@pytest.mark.parametrize("preset", ["ollama", "lm-studio", "vllm", "llama.cpp"])
async def test_that_no_key_is_kept_for_a_server_that_is_asked_without_one(ring, preset):
    spec = ProviderSpec(preset=preset, model="m")
    assert not takes_stored_key(spec)
    with pytest.raises(UserError, match="is asked without a key"):
        store_key(spec, "sk-1")
    assert not has_stored_key(spec)
    assert await asked_for(spec, ring) == []
    assert ring[0] == {}
    store_key(spec, "")  # one that was kept earlier can be forgotten


async def test_that_no_key_is_kept_where_a_variable_is_named(ring, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-2")
    spec = ProviderSpec(preset="vllm", model="m", api_key_env="MY_KEY")
    with pytest.raises(UserError, match="taken from the environment variable MY_KEY"):
        store_key(spec, "sk-1")
    assert await asked_for(spec, ring) == []
    assert ring[0] == {}


@pytest.mark.parametrize(
    ("spec", "account"),
    [
        (ProviderSpec(preset="openai"), "api.openai.com"),
        (ProviderSpec(base_url="http://box:8000/v1"), "box:8000"),
        (ProviderSpec(base_url="http://[half"), ""),
        (ProviderSpec(), ""),
        (ProviderSpec(preset="practice"), ""),
        (ProviderSpec(preset="unheard of"), ""),
    ],
)
def test_that_the_account_of_a_key_is_the_host(spec, account):
    assert key_account(spec) == account
