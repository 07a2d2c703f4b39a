from urllib.parse import urlsplit

import pytest

from batchdesk.providers.http import checked_url
from batchdesk.providers.presets import PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_that_every_address_is_one_in_its_final_form(name):
    url = PRESETS[name].base_url
    if url is None:
        assert name in {"local", "practice", "openai-compatible"}
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
    assert len(set(titles)) == len(titles) == 16
