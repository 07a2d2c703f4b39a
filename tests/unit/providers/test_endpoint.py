import pytest

from batchdesk.providers.endpoint import Endpoint, endpoint_of


def test_that_most_services_are_asked_alike():
    where = endpoint_of("deepseek", "https://api.deepseek.com/v1")
    assert where == Endpoint("https://api.deepseek.com/v1")
    assert (where.chat_path, where.models_path, where.host) == (
        "/chat/completions",
        "/models",
        "api.deepseek.com",
    )
    assert where.key_headers("k") == {"authorization": "Bearer k"}
    assert where.key_headers(None) == {}


def test_that_only_openai_itself_gets_its_new_name_for_the_longest_answer():
    assert endpoint_of("openai", "https://api.openai.com/v1").max_tokens == "max_completion_tokens"
    assert endpoint_of("openai", "https://gate.example.com/v1").max_tokens == "max_tokens"


@pytest.mark.parametrize(
    "copied",
    [
        "https://r.openai.azure.com",
        "https://r.openai.azure.com/openai",
        "https://r.openai.azure.com/openai/v1",
        "https://r.openai.azure.com/openai/deployments/gpt/chat",
    ],
)
def test_that_any_part_of_azures_address_leads_to_it(copied):
    new = endpoint_of("azure-openai", copied, model="gpt")
    assert (new.base_url, new.chat_path) == (
        "https://r.openai.azure.com/openai/v1",
        "/chat/completions",
    )
    old = endpoint_of("azure-openai", copied, model="a/b", api_version="2024-10-21")
    assert old.base_url + old.chat_path == (
        "https://r.openai.azure.com/openai/deployments/a%2Fb/chat/completions"
        "?api-version=2024-10-21"
    )
    assert old.models_path == "/models?api-version=2024-10-21"
    assert old.key_headers("k") == new.key_headers("k") == {"api-key": "k"}
