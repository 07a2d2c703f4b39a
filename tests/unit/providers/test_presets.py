from urllib.parse import urlsplit

import pytest

from batchdesk.providers.http import checked_url
from batchdesk.providers.presets import PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_that_every_address_is_one_in_its_final_form(name):
    url = PRESETS[name].base_url
    if url is None:
        assert name in {"local", "practice", "openai-compatible", "azure-openai"}
    else:
        assert checked_url(url) == url


@pytest.mark.parametrize("name", PRESETS)
def test_that_a_service_on_the_internet_has_a_key_and_is_asked_over_tls(name):
    preset = PRESETS[name]
    if preset.base_url is None:
        return
    parts = urlsplit(preset.base_url)
    if preset.capabilities.is_local:
        assert (parts.hostname, preset.api_key_env) == ("127.0.0.1", None)
    else:
        assert parts.scheme == "https"
        assert (preset.api_key_env or "").endswith("_API_KEY")


def test_that_only_the_practice_server_is_no_model_and_says_so():
    assert [name for name, preset in PRESETS.items() if not preset.capabilities.is_model] == [
        "practice"
    ]
    assert "not a model" in PRESETS["practice"].title


def test_that_the_small_local_model_is_not_asked_to_name_the_row():
    assert [name for name, p in PRESETS.items() if not p.capabilities.echo_key] == ["local"]


def test_that_titles_are_different():
    titles = [preset.title for preset in PRESETS.values()]
    assert len(set(titles)) == len(titles) == 21


@pytest.mark.parametrize("name", PRESETS)
def test_that_a_service_with_a_key_says_where_to_get_one(name):
    preset = PRESETS[name]
    has_page = preset.key_page.startswith("https://")
    assert has_page is (preset.api_key_env is not None)
    assert has_page or preset.key_page == ""


def test_that_what_services_can_do_is_written_down():
    told = {name: preset.capabilities for name, preset in PRESETS.items()}
    assert {n for n, c in told.items() if not c.several} == {
        "anthropic", "gemini", "openrouter", "deepseek", "zhipu", "zai", "ollama", "lm-studio",
    }  # fmt: skip
    assert {n for n, c in told.items() if c.structured_output != "json_schema"} == {
        "anthropic", "deepseek", "dashscope", "dashscope-intl", "zhipu", "zai", "moonshot",
        "moonshot-intl", "siliconflow", "siliconflow-intl",
    }  # fmt: skip
    assert {n for n, c in told.items() if not c.stream_usage} == {"zhipu", "zai"}
    assert told["openai"].strict_limits == told["azure-openai"].strict_limits
    assert told["openai-compatible"].strict_limits is None
    assert told["local"].logprobs


@pytest.mark.parametrize("name", PRESETS)
def test_that_hosts_of_ones_own_are_whole_ends_of_names(name):
    assert all(host.startswith(".") and host.count(".") >= 3 for host in PRESETS[name].hosts)
