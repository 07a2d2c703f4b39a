"""Services without a project: what is offered, and what a test of one tells."""

from __future__ import annotations

import json

import pytest
from tests.unit.providers.conftest import raw_server

from batchdesk.domain.chat import LimitState
from batchdesk.domain.job import ProviderSpec
from batchdesk.domain.network import Network
from batchdesk.errors import UserError
from batchdesk.providers.model_list import ListedModel
from batchdesk.session import check_network, services, try_provider

LISTED = json.dumps({"data": [{"id": "big", "context_length": 4096}, {"id": "small"}]}).encode()
SAID = json.dumps({"choices": [{"message": {"content": " OK\n"}}]}).encode()
LIMITS = b"x-ratelimit-limit-requests: 60\r\nx-ratelimit-limit-tokens: 9000\r\n"


def answers(by_path):
    """A server that answers a path with (status, headers, body)."""

    async def act(asked, writer):
        status, headers, body = by_path[asked.line.split()[1]]
        head = b"HTTP/1.1 %d x\r\ncontent-length: %d\r\n%s\r\n" % (status, len(body), headers)
        writer.write(head + body)
        await writer.drain()

    return raw_server(act)


def spec(server, model: str = "big") -> ProviderSpec:
    return ProviderSpec(base_url=server.base_url, model=model)


async def test_that_a_test_tells_the_models_the_limits_and_the_answer():
    paths = {"/v1/models": (200, b"", LISTED), "/v1/chat/completions": (200, LIMITS, SAID)}
    async with answers(paths) as server:
        test = await try_provider(spec(server))
    assert test.models == (ListedModel("big", 4096), ListedModel("small"))
    assert (test.text, test.no_list) == ("OK", "")
    assert test.limits.requests == LimitState(60.0)
    assert test.limits.tokens == LimitState(9000.0)
    assert test.seconds is not None
    assert [asked.line.split()[0] for asked in server.asked] == ["GET", "POST"]


async def test_that_without_a_model_only_the_list_is_asked_for():
    async with answers({"/v1/models": (200, LIMITS, LISTED)}) as server:
        test = await try_provider(spec(server, ""))
    assert (test.seconds, test.text, len(test.models)) == (None, "", 2)
    assert test.limits.requests == LimitState(60.0)
    assert len(server.asked) == 1


async def test_that_a_service_without_a_list_may_answer_all_the_same():
    paths = {"/v1/models": (404, b"", b"{}"), "/v1/chat/completions": (200, b"", SAID)}
    async with answers(paths) as server:
        test = await try_provider(spec(server))
    assert (test.text, test.models) == ("OK", ())
    assert test.no_list


async def test_that_a_refused_list_without_a_model_is_told():
    body = json.dumps({"error": {"message": "Who are you?"}}).encode()
    async with answers({"/v1/models": (401, b"", body)}) as server:
        with pytest.raises(UserError, match=r"^The service did not answer: .*Who are you\?\.$"):
            await try_provider(spec(server, ""))


async def test_that_a_test_goes_the_way_that_the_settings_name():
    with pytest.raises(UserError, match="is no proxy's address"):
        await try_provider(
            ProviderSpec(base_url="https://api.example.com/v1", model="m"), Network(proxy="ftp://h")
        )


def test_that_services_tell_what_they_can_and_where_keys_are_got():
    by_name = {service.preset: service for service in services()}
    assert [n for n, service in by_name.items() if service.takes_version] == ["azure-openai"]
    assert by_name["deepseek"].key_page == "https://platform.deepseek.com/api_keys"
    assert by_name["deepseek"].abilities.structured_output == "json_object"


def test_that_proxy_and_certificates_are_checked_before_they_are_kept(tmp_path):
    assert check_network(Network()) == Network()
    assert check_network(Network(proxy="none")).proxy == "none"
    assert check_network(Network(proxy="proxy.example:8080")).proxy == "http://proxy.example:8080"
    with pytest.raises(UserError, match="is not there"):
        check_network(Network(ca_file=tmp_path / "none.pem"))
    with pytest.raises(UserError, match="no proxy's address"):
        check_network(Network(proxy="socks4://h:1"))
