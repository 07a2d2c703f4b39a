from typing import Any

import pytest

from batchdesk.domain.job import ConfidenceCheck, Stage
from batchdesk.errors import JobFileError
from batchdesk.providers.abilities import check_abilities, is_within
from batchdesk.providers.base import Capabilities, StrictLimits

PLAIN = Stage(name="one", user="{{ text }}")
LOGPROBS = ConfidenceCheck(kind="confidence", at_least=0.5)
FIELD = ConfidenceCheck(kind="confidence", source="field", field="sure", at_least=0.5)


def test_that_a_stage_with_several_answers_is_refused_where_one_comes():
    stage = PLAIN.model_copy(update={"n": 3})
    with pytest.raises(JobFileError) as caught:
        check_abilities(stage, "DeepSeek", Capabilities(several=False))
    assert str(caught.value) == (
        "DeepSeek gives one answer to a request, and stage 'one' asks for 3. Set n = 1, or choose "
        "another service."
    )
    check_abilities(stage, "OpenAI", Capabilities())
    check_abilities(PLAIN, "DeepSeek", Capabilities(several=False))


def test_that_a_check_of_probabilities_is_refused_where_none_are_told():
    stage = PLAIN.model_copy(update={"checks": (LOGPROBS,)})
    with pytest.raises(JobFileError, match="Anthropic does not tell how probable"):
        check_abilities(stage, "Anthropic", Capabilities(logprobs=False))
    check_abilities(stage, "OpenAI", Capabilities())
    other = PLAIN.model_copy(update={"checks": (FIELD,)})
    check_abilities(other, "Anthropic", Capabilities(logprobs=False))


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def test_that_levels_fields_and_values_are_counted_at_every_depth():
    limits = StrictLimits(depth=3, properties=4, enum_values=5)
    assert is_within(nested(3), limits)
    assert not is_within(nested(4), limits)
    four = {"type": "array", "items": {"properties": {name: {} for name in "abcd"}}}
    assert is_within(four, limits)
    assert not is_within({"properties": {"x": four}}, limits)
    assert is_within({"properties": {"x": {"enum": [1, 2]}, "y": {"enum": [3, 4, 5]}}}, limits)
    assert not is_within({"anyOf": [{"enum": [1, 2, 3]}, {"enum": [4, 5, 6]}]}, limits)
    assert not is_within({"$defs": {"d": nested(4)}}, limits)
    assert is_within(nested(99), None)
