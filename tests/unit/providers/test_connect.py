import gc
import json
import sys
import threading
from typing import Any

import pytest

from batchdesk.domain.chat import ChatRequest, Message
from batchdesk.domain.job import PracticeSpec, ProviderSpec
from batchdesk.domain.network import Network
from batchdesk.domain.task import ErrorKind
from batchdesk.errors import JobFileError, UserError
from batchdesk.providers import connect as connecting
from batchdesk.providers.base import ProviderError
from batchdesk.providers.child import ChildFailed
from batchdesk.providers.connect import account_key, choose, connect
from batchdesk.providers.local import LocalModelUnavailable
from batchdesk.providers.presets import PRESETS


def spec(preset: str = "openai-compatible", **more: Any) -> ProviderSpec:
    return ProviderSpec(preset=preset, **more)


REQUEST = ChatRequest("practice", (Message("user", "I love it.\nrow_key: 7"),), "k", "t")


class Keys:
    """A KeyLookup that remembers what it was asked."""

    def __init__(self, **keys: str) -> None:
        self.keys = keys
        self.asked: list[tuple[str, str | None, bool]] = []
        self.threads: list[threading.Thread] = []

    def __call__(self, account: str, variable: str | None, named: bool) -> str | None:  # noqa: FBT001 - a KeyLookup
        self.asked.append((account, variable, named))
        self.threads.append(threading.current_thread())
        return self.keys.get(variable or account)


# -- choosing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "near"), [("open-ai", "openai"), ("deepsek", "deepseek"), ("olama", "ollama")]
)
def test_that_an_unknown_preset_is_told_with_the_nearest_name(name, near):
    with pytest.raises(JobFileError) as caught:
        choose(spec(name, model="m"))
    assert str(caught.value) == f"There is no provider preset {name!r}. Did you mean {near!r}?"


def test_that_an_unknown_preset_like_no_other_is_told_with_all_names():
    with pytest.raises(
        JobFileError, match="There are: local, practice, openai-compatible, openai, "
    ):
        choose(spec("xyzzy"))


def test_that_a_missing_address_and_a_missing_model_are_told():
    with pytest.raises(JobFileError, match=r'Add base_url = "https://…" to \[provider\]'):
        choose(spec(model="m"))
    with pytest.raises(JobFileError, match=r'Add model = "…" to \[provider\]'):
        choose(spec("openai"))


def test_that_a_wrong_address_is_told():
    with pytest.raises(JobFileError, match=r"The address 'api\.example\.com' is not one"):
        choose(spec(base_url="api.example.com", model="m"))


def test_that_a_job_may_override_address_and_form_of_json():
    choice = choose(
        spec(
            "openai",
            base_url="https://gate.example.com/v1/",
            model="m",
            structured_output="instruction",
        )
    )
    assert choice.base_url == "https://gate.example.com/v1"
    assert choice.capabilities.structured_output == "instruction"
    assert PRESETS["openai"].capabilities.structured_output == "json_schema"


@pytest.mark.parametrize(
    ("host", "is_local"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9:8000", True),
        ("localhost:8000", True),
        ("[::1]:8000", True),
        ("10.1.2.3", True),
        ("192.168.1.20:8000", True),
        ("172.16.0.1", True),
        ("172.32.0.1", False),
        ("8.8.8.8", False),
        ("[2001:4860:4860::8888]", False),
        ("gpu-box:8000", True),
        ("gpu-box.local", True),
        ("api.example.com", False),
        ("localhost.example.com", False),
        ("10.1.2.3.example.com", False),
    ],
)
def test_that_a_host_on_this_computer_or_network_is_local(host, is_local):
    choice = choose(spec(base_url=f"http://{host}/v1", model="m"))
    assert choice.capabilities.is_local is is_local


def test_that_built_in_servers_need_neither_address_nor_model():
    assert (choose(spec("practice")).model, choose(spec("practice")).base_url) == ("practice", None)
    assert choose(spec("local")).model


def test_that_a_fault_that_the_practice_server_does_not_know_is_told_at_once():
    with pytest.raises(UserError, match="knows no fault “typo”"):
        choose(spec("practice", practice=PracticeSpec(faults={"typo": 0.1})))


# -- keys -----------------------------------------------------------------------------------


async def test_that_the_key_of_a_service_is_looked_up_by_host_and_usual_variable(serve_raw):
    keys = Keys(OPENAI_API_KEY="sk-1")
    connection = await connect(choose(spec("openai", model="gpt")), keys)
    await connection.provider.close()
    assert keys.asked == [("api.openai.com", "OPENAI_API_KEY", False)]
    assert (connection.model, connection.account, connection.concurrency) == (
        "gpt",
        "api.openai.com",
        20,
    )


async def test_that_the_key_arrives_at_the_service(serve_raw):
    async def act(_asked, writer):
        body = json.dumps({"choices": [{"message": {"content": "a"}}]}).encode()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(body) + body)

    async with serve_raw(act) as server:
        choice = choose(spec(base_url=server.base_url, model="m", api_key_env="MY_KEY"))
        connection = await connect(choice, Keys(MY_KEY="sk-mine"))
        await connection.provider.chat(REQUEST)
        await connection.provider.close()
    assert server.asked[0].headers["authorization"] == "Bearer sk-mine"


async def test_that_a_missing_key_is_told_with_its_variable():
    with pytest.raises(UserError) as caught:
        await connect(choose(spec("deepseek", model="m")), Keys())
    assert str(caught.value) == (
        "There is no key for DeepSeek. Put it into the keyring on the Settings page, or into the "
        "environment variable DEEPSEEK_API_KEY, and start again."
    )


async def test_that_a_services_key_is_not_sent_to_another_address_by_itself():
    keys = Keys(OPENAI_API_KEY="sk-1")
    choice = choose(spec("openai", base_url="https://elsewhere.example.com/v1", model="m"))
    with pytest.raises(
        UserError, match=r"elsewhere\.example\.com is not the usual address of OpenAI"
    ) as e:
        await connect(choice, keys)
    assert 'add api_key_env = "OPENAI_API_KEY"' in str(e.value)
    assert keys.asked == [("elsewhere.example.com", None, False)]  # one may be kept for that host


async def test_that_a_services_key_is_not_sent_in_clear_by_itself():
    keys = Keys(OPENAI_API_KEY="sk-1")
    choice = choose(spec("openai", base_url="http://api.openai.com/v1", model="m"))
    with pytest.raises(UserError, match="is not the usual address of OpenAI"):
        await connect(choice, keys)
    assert keys.asked == [("api.openai.com", None, False)]


@pytest.mark.parametrize("host", ["mine.openai.azure.com", "mine.services.ai.azure.com"])
async def test_that_every_resource_of_azure_is_azures_own(host):
    keys = Keys(AZURE_OPENAI_API_KEY="k")
    choice = choose(spec("azure-openai", base_url=f"https://{host}", model="m"))
    await (await connect(choice, keys)).provider.close()
    assert keys.asked == [(host, "AZURE_OPENAI_API_KEY", False)]


@pytest.mark.parametrize("host", ["openai.azure.com.example.com", "evil-openai.azure.com"])
async def test_that_what_only_looks_like_azure_gets_no_key_by_itself(host):
    choice = choose(spec("azure-openai", base_url=f"https://{host}", model="m"))
    with pytest.raises(UserError, match="is not the usual address of Azure OpenAI"):
        await connect(choice, Keys(AZURE_OPENAI_API_KEY="k"))


@pytest.mark.parametrize(
    ("version", "line"),
    [
        (None, "POST /openai/v1/chat/completions HTTP/1.1"),
        (
            "2024-10-21",
            "POST /openai/deployments/my%20one/chat/completions?api-version=2024-10-21 HTTP/1.1",
        ),
    ],
)
async def test_that_azure_is_asked_in_its_own_way(serve_raw, version, line):
    async def act(_asked, writer):
        body = json.dumps({"choices": [{"message": {"content": "a"}}]}).encode()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(body) + body)

    async with serve_raw(act) as server:
        choice = choose(
            spec(
                "azure-openai",
                base_url=f"http://127.0.0.1:{server.port}/openai/v1",
                model="my one",
                api_key_env="MY_KEY",
                api_version=version,
            )
        )
        connection = await connect(choice, Keys(MY_KEY="az-key"))
        await connection.provider.chat(REQUEST)
        await connection.provider.close()
    asked = server.asked[0]
    assert (asked.line, asked.headers["api-key"]) == (line, "az-key")
    assert "authorization" not in asked.headers


async def test_that_a_wrong_proxy_of_the_settings_is_told_before_anything_is_sent():
    choice = choose(spec("openai", model="m"))
    with pytest.raises(UserError, match="is no proxy's address"):
        await connect(choice, Keys(OPENAI_API_KEY="k"), Network(proxy="socks5://10.0.0.1:1"))


async def test_that_a_key_that_the_job_names_goes_to_the_address_that_it_names():
    keys = Keys(MY_KEY="sk-1")
    choice = choose(
        spec("openai", base_url="https://elsewhere.example.com/v1", model="m", api_key_env="MY_KEY")
    )
    await (await connect(choice, keys)).provider.close()
    assert keys.asked == [("elsewhere.example.com", "MY_KEY", True)]


@pytest.mark.parametrize("name", ["ollama", "lm-studio", "vllm", "llama.cpp"])
async def test_that_nobody_is_asked_for_a_key_that_a_service_does_not_take(name):
    keys = Keys()
    connection = await connect(choose(spec(name, model="m")), keys)
    await connection.provider.close()
    assert (keys.asked, connection.concurrency) == ([], 8)


async def test_that_a_key_is_looked_up_beside_the_event_loop():
    keys = Keys(OPENAI_API_KEY="sk-1")
    await (await connect(choose(spec("openai", model="m")), keys)).provider.close()
    assert keys.threads != [threading.current_thread()]


async def test_that_a_key_that_cannot_be_one_is_told_without_repeating_it():
    with pytest.raises(UserError, match="Copy it anew") as caught:
        await connect(choose(spec("openai", model="m")), Keys(OPENAI_API_KEY="sk-“1”"))
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize(
    ("base_url", "concurrency"),
    [("https://api.example.com/v1", 20), ("http://127.0.0.1:9/v1", 8), ("http://10.1.2.3/v1", 8)],
)
async def test_that_a_server_nearby_is_asked_less_at_once_to_start_with(base_url, concurrency):
    connection = await connect(choose(spec(base_url=base_url, model="m")), Keys())
    await connection.provider.close()
    assert connection.concurrency == concurrency


# -- accounts -------------------------------------------------------------------------------


def test_that_equal_keys_of_one_host_are_one_account_and_others_are_not():
    one = account_key("api.example.com", "sk-one")
    assert one == account_key("api.example.com", "sk-one")
    others = [
        account_key("api.example.com", "sk-two"),
        account_key("api.example.org", "sk-one"),
        account_key("api.example.com", None),
    ]
    assert len({one, *others}) == 4


def test_that_an_account_does_not_tell_its_key():
    told = account_key("api.example.com", "sk-one")
    assert told.startswith("api.example.com#")
    assert "sk-one" not in told
    assert len(told) == len("api.example.com#") + 32
    assert account_key("localhost:8000", None) == "localhost:8000"


async def test_that_two_connections_with_one_key_share_an_account():
    async def key_with(**keys: str) -> str:
        connection = await connect(choose(spec("openai", model="m")), Keys(**keys))
        await connection.provider.close()
        return connection.account_key

    assert await key_with(OPENAI_API_KEY="sk-1") == await key_with(OPENAI_API_KEY="sk-1")
    assert await key_with(OPENAI_API_KEY="sk-1") != await key_with(OPENAI_API_KEY="sk-2")


async def test_that_each_practice_server_is_an_account_of_its_own():
    choice = choose(spec("practice", practice=PracticeSpec(latency_s=0)))
    first, second = await connect(choice, Keys()), await connect(choice, Keys())
    await first.provider.close()
    await second.provider.close()
    assert first.account == second.account == "practice"
    assert first.account_key != second.account_key


# -- built-in servers -----------------------------------------------------------------------


async def test_that_the_practice_server_starts_answers_and_ends_cleanly():
    keys = Keys()
    choice = choose(spec("practice", practice=PracticeSpec(latency_s=0)))
    connection = await connect(choice, keys)
    try:
        response = await connection.provider.chat(REQUEST)
        assert not connection.provider.capabilities.is_model
    finally:
        await connection.provider.close()
    assert response.choices[0].text
    assert (connection.account, connection.concurrency, keys.asked) == ("practice", 20, [])
    with pytest.raises(ProviderError) as caught:  # it is gone
        await connection.provider.chat(REQUEST)
    assert caught.value.kind is ErrorKind.CONNECT_FAILED
    await connection.provider.close()
    del connection, response
    gc.collect()  # what was left open would warn now, which fails this test


async def test_that_practice_settings_reach_the_server():
    practice = PracticeSpec(latency_s=0, faults={"500": 1.0})
    connection = await connect(choose(spec("practice", practice=practice)), Keys())
    try:
        with pytest.raises(ProviderError) as caught:
            await connection.provider.chat(REQUEST)
    finally:
        await connection.provider.close()
    assert caught.value.kind is ErrorKind.SERVER_ERROR


async def test_that_a_child_that_cannot_start_gives_one_sentence(monkeypatch):
    command = [sys.executable, "-c", "import sys; sys.exit('no port is free')"]
    monkeypatch.setattr(connecting, "child_command", lambda *_words: command)
    with pytest.raises(ChildFailed) as caught:
        await connect(choose(spec("practice")), Keys())
    assert str(caught.value) == "The helper server could not start: no port is free"


async def test_that_a_missing_local_model_is_told_before_anything_starts(monkeypatch):
    refusal = LocalModelUnavailable("The model is not installed.")
    monkeypatch.setattr("batchdesk.providers.local.probe", lambda: refusal)
    with pytest.raises(UserError, match=r"^The model is not installed\.$"):
        await connect(choose(spec("local")), Keys())
