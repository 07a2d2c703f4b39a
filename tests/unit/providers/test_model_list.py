import json

import pytest

from batchdesk.domain.task import ErrorKind
from batchdesk.providers.base import ProviderError
from batchdesk.providers.http import HttpResponse
from batchdesk.providers.model_list import ListedModel, models_in


def answer(value, status: int = 200) -> HttpResponse:
    return HttpResponse(status, {}, value if isinstance(value, str) else json.dumps(value))


def test_that_names_and_windows_are_read_in_every_spelling():
    models = models_in(
        answer(
            {
                "data": [
                    {"id": "a"},
                    {"id": "b", "context_length": 262144},
                    {"id": "c", "max_model_len": 4096},
                    {"id": "d", "context_window": 0, "max_context_length": 8192},
                    {"id": "models/gemini-x"},
                ]
            }
        )
    )
    assert models == (
        ListedModel("a"),
        ListedModel("b", 262144),
        ListedModel("c", 4096),
        ListedModel("d", 8192),
        ListedModel("gemini-x"),
    )


def test_that_a_bare_list_counts_and_nonsense_in_it_does_not():
    models = models_in(answer([{"id": "a"}, {"id": 7}, None, {"id": " "}, {"id": "a"}, "b"]))
    assert models == (ListedModel("a"),)


@pytest.mark.parametrize("body", ["<html>", "", '{"models": []}', "7", '{"data": {}}'])
def test_that_what_is_no_list_is_told(body):
    with pytest.raises(ProviderError, match="not a list of models") as caught:
        models_in(answer(body))
    assert caught.value.kind is ErrorKind.NOT_AN_API


def test_that_a_refusal_keeps_its_own_words():
    body = {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}
    with pytest.raises(ProviderError, match="Incorrect API key provided") as caught:
        models_in(answer(body, 401))
    assert caught.value.kind is ErrorKind.AUTH
