"""The request for one row: its messages, its key, its examples, and what a retry adds."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import Message
from batchdesk.domain.job import Job
from batchdesk.domain.task import ErrorKind
from batchdesk.prepare.prompt import PromptBuilder, one_line
from batchdesk.prepare.template import RenderError

OUTPUT = {
    "type": "object",
    "properties": {"mood": {"type": "string"}},
    "required": ["mood"],
    "additionalProperties": False,
}
COLUMNS = ["text", "lang", "note"]


def job(stage: dict[str, Any] | None = None, **parts: Any) -> Job:
    return Job.model_validate(
        {
            "name": "j",
            **parts,
            "stages": [{"name": "s", "user": "Mood of: {{ text }}", **(stage or {})}],
        }
    )


def builder(
    stage: dict[str, Any] | None = None, *, echo_key=False, model="m", **parts: Any
) -> PromptBuilder:
    return PromptBuilder(job(stage, **parts), COLUMNS, model=model, echo_key=echo_key)


def build(made: PromptBuilder, text: str = "fine", row_key: str = "A-7", **more: Any):
    return made.build(
        row_key=row_key,
        cells={"text": text, "lang": "en", "note": None},
        idempotency_key="i",
        trace_id="t",
        **more,
    )


def test_that_a_row_goes_by_its_own_key_unless_personal_data_is_masked():
    plain, masked = builder(echo_key=True), builder(echo_key=True, clean=[{"step": "mask"}])
    assert (plain.sent_key("ann@example.com\n 2", 17), plain.sends_keys) == (
        "ann@example.com 2",
        True,
    )
    assert (masked.sent_key("ann@example.com", 17), masked.sends_keys) == ("row-17", False)
    assert not builder(echo_key=False).sends_keys


def test_that_a_plain_prompt_is_one_message():
    request = build(builder())
    assert request.messages == (Message("user", "Mood of: fine"),)
    assert (request.model, request.idempotency_key, request.trace_id, request.schema) == (
        "m",
        "i",
        "t",
        None,
    )


def test_that_system_and_examples_stand_before_the_row():
    made = builder(
        {"system": "Be brief in {{ lang }}.", "examples": [{"user": "u1", "assistant": "a1"}]}
    )
    assert build(made).messages == (
        Message("system", "Be brief in en."),
        Message("user", "u1"),
        Message("assistant", "a1"),
        Message("user", "Mood of: fine"),
    )
    assert made.used == {"text", "lang"}


def test_that_a_system_text_that_renders_to_nothing_is_left_out():
    assert build(builder({"system": "{{ note }}"})).messages == (Message("user", "Mood of: fine"),)


def test_that_an_echoed_key_is_in_message_examples_and_schema():
    made = builder(
        {"output": OUTPUT, "examples": [{"user": "u1", "assistant": '{"mood": "好"}'}]},
        echo_key=True,
    )
    request = build(made, row_key=" A\u00a0 7\n")
    assert request.messages == (
        Message("user", "u1\n\nrow_key: example-1"),
        Message("assistant", '{"row_key": "example-1", "mood": "好"}'),
        Message("user", "Mood of: fine\n\nrow_key: A 7"),
    )
    assert request.schema == {
        "type": "object",
        "properties": {
            "row_key": {
                "type": "string",
                "description": "Copy the row_key given at the end of the message.",
            },
            "mood": {"type": "string"},
        },
        "required": ["row_key", "mood"],
        "additionalProperties": False,
    }
    assert list(request.schema["properties"]) == ["row_key", "mood"]


@pytest.mark.parametrize("answer", ["not JSON", "[1]", '"x"'])
def test_that_an_example_that_is_no_object_stays_as_it_is(answer):
    made = builder(
        {"output": OUTPUT, "examples": [{"user": "u", "assistant": answer}]}, echo_key=True
    )
    assert build(made).messages[1] == Message("assistant", answer)


def test_that_the_jobs_own_schema_is_not_changed_by_the_echo():
    given_job = job({"output": OUTPUT})
    PromptBuilder(given_job, COLUMNS, model="m", echo_key=True)
    assert given_job.stages[0].output == OUTPUT


@pytest.mark.parametrize(
    "output", [{"type": "object"}, {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}]
)
def test_that_a_schema_without_fields_of_its_own_still_gets_the_key(output):
    schema = builder({"output": output}, echo_key=True).schema
    assert schema is not None
    assert (list(schema["properties"]), schema["required"]) == (["row_key"], ["row_key"])


@pytest.mark.parametrize("output", [{"properties": ["mood"]}, {"required": "mood"}])
def test_that_a_schema_that_is_none_is_left_for_the_checks_to_refuse(output):
    assert builder({"output": output}, echo_key=True).schema == output


def test_that_a_retry_says_what_was_wrong_before_the_key():
    made = builder({"output": OUTPUT}, echo_key=True)
    request = build(
        made, content_try=1, fault=ErrorKind.MALFORMED_OUTPUT, fault_detail="schema at mood: {x}"
    )
    assert request.messages[-1].content == (
        "Mood of: fine\n\nYour previous answer did not have the asked form (schema at mood: {x}). Answer again, with "
        "nothing but the JSON object that was asked for.\n\nrow_key: A-7"
    )


@pytest.mark.parametrize(
    ("fault", "note"),
    [
        (ErrorKind.EMPTY_OUTPUT, "Your previous answer was empty. Answer again."),
        (
            ErrorKind.MISALIGNED,
            "Your previous answer named another row. Answer again for this row, and copy its row_key exactly.",
        ),
        (
            ErrorKind.MALFORMED_OUTPUT,
            "Your previous answer did not have the asked form (not readable). Answer again, with nothing but the JSON object that was asked for.",
        ),
    ],
)
def test_that_each_fault_of_an_answer_has_its_note(fault, note):
    assert (
        build(builder(), content_try=1, fault=fault).messages[-1].content
        == f"Mood of: fine\n\n{note}"
    )


@pytest.mark.parametrize(
    ("content_try", "fault"),
    [(0, ErrorKind.EMPTY_OUTPUT), (1, None), (1, ErrorKind.RATE_LIMITED), (1, ErrorKind.TRUNCATED)],
)
def test_that_other_retries_ask_the_same_question(content_try, fault):
    assert build(builder(), content_try=content_try, fault=fault).messages == (
        Message("user", "Mood of: fine"),
    )


@pytest.mark.parametrize(
    ("stage", "content_try", "fault", "tokens"),
    [
        ({"max_tokens": 100}, 0, None, 100),
        ({"max_tokens": 100}, 1, ErrorKind.TRUNCATED, 400),
        ({"max_tokens": 100}, 0, ErrorKind.TRUNCATED, 100),
        ({"max_tokens": 100}, 1, ErrorKind.EMPTY_OUTPUT, 100),
        ({}, 1, ErrorKind.TRUNCATED, None),
    ],
)
def test_that_a_truncated_answer_gets_four_times_the_room(stage, content_try, fault, tokens):
    assert build(builder(stage), content_try=content_try, fault=fault).max_tokens == tokens


def test_that_the_settings_of_stage_and_limits_reach_the_request():
    stage = {
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 3,
        "n": 2,
        "stream": True,
        "checks": [{"kind": "confidence", "at_least": 0.5}],
    }
    request = build(builder(stage, limits={"timeout_connect_s": 4, "timeout_total_s": 90}))
    assert (request.temperature, request.top_p, request.seed, request.n, request.stream) == (
        0.5,
        0.9,
        3,
        2,
        True,
    )
    assert (request.timeout_connect_s, request.timeout_read_s, request.timeout_total_s) == (
        4,
        60,
        90,
    )
    assert request.logprobs is True


def test_that_probabilities_are_asked_for_only_where_a_check_needs_them():
    check = {"kind": "confidence", "source": "agreement", "at_least": 0.5}
    assert build(builder({"checks": [check]})).logprobs is False


def test_that_a_row_whose_prompt_fails_raises_for_that_row_alone():
    made = builder({"user": "{{ 6 // (text | int) }}"})
    assert build(made, "3").messages == (Message("user", "2"),)
    with pytest.raises(RenderError):
        build(made, "x")


def test_that_template_marks_in_cells_and_keys_are_not_evaluated():
    made = builder({"output": OUTPUT}, echo_key=True)
    assert (
        build(made, "{{ lang }} {% raw %}", row_key="{{ text }}").messages[-1].content
        == "Mood of: {{ lang }} {% raw %}\n\nrow_key: {{ text }}"
    )


# -- versions of the question -------------------------------------------------------------------

CELLS = {"text": "fine", "lang": "en", "note": None}


def test_that_the_version_is_the_same_for_the_same_question():
    assert builder().input_version(CELLS) == builder().input_version(dict(reversed(CELLS.items())))
    assert len(builder().input_version(CELLS)) == 32


@pytest.mark.parametrize("changed", [{"lang": "de"}, {"note": "new"}, {"more": "columns"}])
def test_that_columns_that_the_prompt_does_not_use_do_not_matter(changed):
    assert builder().input_version(CELLS) == builder().input_version({**CELLS, **changed})


@pytest.mark.parametrize("text", ["Fine", "fine ", "", None])
def test_that_a_changed_cell_that_is_used_is_a_new_question(text):
    assert builder().input_version(CELLS) != builder().input_version({**CELLS, "text": text})


def test_that_the_same_words_in_other_columns_are_a_new_question():
    made = builder({"user": "{{ text }}{{ lang }}"})
    assert made.input_version({"text": "ab", "lang": "c"}) != made.input_version(
        {"text": "a", "lang": "bc"}
    )


@pytest.mark.parametrize(
    "other",
    [
        {"stage": {"user": "Mood of {{ text }}"}},
        {"stage": {"system": "x"}},
        {"stage": {"temperature": 0}},
        {"stage": {"output": OUTPUT}},
        {"model": "m2"},
        {"provider": {"base_url": "http://127.0.0.1:1/v1"}},
        {"provider": {"preset": "practice"}},
    ],
)
def test_that_a_changed_stage_model_or_service_is_a_new_question(other):
    assert builder().input_version(CELLS) != builder(**other).input_version(CELLS)


@pytest.mark.parametrize(
    "other",
    [
        {"limits": {"rpm": 5}},
        {"data": {"label": "lang"}},
        {"provider": {"api_key_env": "OTHER_KEY"}},
    ],
)
def test_that_limits_labels_and_keys_do_not_change_the_question(other):
    assert builder().input_version(CELLS) == builder(**other).input_version(CELLS)


def test_that_the_practice_seed_is_part_of_a_practice_question_only():
    def version(preset: str, seed: int) -> str:
        return builder(provider={"preset": preset, "practice": {"seed": seed}}).input_version(CELLS)

    assert version("practice", 1) != version("practice", 2)
    assert version("openai-compatible", 1) == version("openai-compatible", 2)


@pytest.mark.parametrize(
    ("key", "sent"),
    [(" A  7 ", "A 7"), ("A\r\n7", "A 7"), ("A\u30007", "A 7"), ("x", "x"), (" ", "")],
)
def test_that_a_key_is_sent_on_one_line(key, sent):
    assert one_line(key) == sent


@given(st.text())
def test_that_one_line_is_one_line_and_final(key):
    sent = one_line(key)
    assert len(sent.splitlines()) <= 1
    assert one_line(sent) == sent


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.characters(exclude_categories=["Cs"])),
)
def test_that_two_texts_have_one_version_only_if_they_are_equal(one, other):
    made = builder()
    same = made.input_version({"text": one}) == made.input_version({"text": other})
    assert same is (one == other)


@given(st.dictionaries(st.sampled_from("abc"), st.integers() | st.text(), max_size=3))
def test_that_an_example_answer_keeps_its_fields_behind_the_key(fields):
    made = builder(
        {"output": OUTPUT, "examples": [{"user": "u", "assistant": json.dumps(fields)}]},
        echo_key=True,
    )
    shown = json.loads(build(made).messages[1].content)
    assert shown == {"row_key": "example-1", **fields}
    assert next(iter(shown)) == "row_key"


def test_that_rows_in_the_slow_lane_have_their_note_before_the_key():
    made = builder({"slow_note": "Be brief."}, echo_key=True)
    (message,) = build(made, is_slow=True).messages
    assert message.content == "Mood of: fine\n\nBe brief.\n\nrow_key: A-7"
    assert build(made).messages[0].content == "Mood of: fine\n\nrow_key: A-7"
    assert build(builder(), is_slow=True) == build(builder())
    assert (made.has_slow_note, builder().has_slow_note) == (True, False)


def test_that_a_note_for_slow_rows_makes_other_questions_and_none_leaves_them_as_they_were():
    assert builder({"slow_note": "Be brief."}).input_version(CELLS) != builder().input_version(
        CELLS
    )
    assert builder({"slow_note": ""}).input_version(CELLS) == builder().input_version(CELLS)
    # What earlier versions of Batchdesk made of it: their answers can be taken still.
    assert builder().input_version(CELLS) == "91c8ca703cab8e545429dd1357364250"
