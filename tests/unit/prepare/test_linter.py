"""The linter: each warning with its place and figures, and fixes that make it go away."""

import csv
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchdesk import paths
from batchdesk.domain.job import Job, Stage
from batchdesk.prepare.fence import FENCE_RULE
from batchdesk.prepare.lint_text import fenced, parts_of
from batchdesk.prepare.lint_words import CHINESE
from batchdesk.prepare.linter import Figures, Finding, LintCode, Part, Place, lint
from batchdesk.prepare.template import Template

COLUMNS = ["text", "note", "Column name"]
MOOD = {
    "type": "object",
    "properties": {"mood": {"type": "string", "enum": ["good", "bad", "unknown"]}},
    "required": ["mood"],
    "additionalProperties": False,
}
SOUND: dict[str, Any] = {
    "name": "s",
    "system": FENCE_RULE,
    "user": "Mood of this review?\n{{ fenced(text) }}",
    "output": MOOD,
    "answer_field": "mood",
    "temperature": 0.0,
    "max_tokens": 100,
}


def stage(**parts: Any) -> Stage:
    return Stage.model_validate({**SOUND, **parts})


def found(code: LintCode, made: Stage, **more: Any) -> list[Finding]:
    return [one for one in lint(made, COLUMNS, **more) if one.code is code]


def only(code: LintCode, made: Stage, **more: Any) -> Finding:
    (one,) = found(code, made, **more)
    return one


def mended(one: Finding, made: Stage) -> Stage:
    assert one.fix is not None
    new = Stage.model_validate(one.fix(made).model_dump())
    Template(new.user, COLUMNS, where="user")
    Template(new.system, COLUMNS, where="system")
    return new


def schema(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def test_that_a_sound_prompt_has_no_warning():
    assert lint(stage(), COLUMNS, figures=Figures(60, 300.0, 5000, 12)) == ()


# -- fences ---------------------------------------------------------------------------------


def test_that_data_without_a_fence_is_found_where_it_stands_and_fenced_by_the_fix():
    made = stage(system="", user="Note {{ note }}.\n{{ fenced(text) }}")
    one = only(LintCode.NO_FENCE, made)
    assert one.place == Place(Part.USER, 5, 15)
    assert one.params == {"columns": ["note"]}
    new = mended(one, made)
    assert new.user == "Note {{ fenced(note) }}.\n{{ fenced(text) }}"
    assert new.system == FENCE_RULE
    assert found(LintCode.NO_FENCE, new) == []


@pytest.mark.parametrize(
    ("source", "out"),
    [
        ("{{ text }}", "{{ fenced(text) }}"),
        ("{{text|upper}}", "{{ fenced(text|upper) }}"),
        ('{{ row["Column name"] }}', '{{ fenced(row["Column name"]) }}'),
        ("a {{- text -}} b", "a {{- fenced(text) -}} b"),
        ("{% if note %}{{ note }}{% endif %}", "{% if note %}{{ fenced(note) }}{% endif %}"),
        ("{{ text | fenced }} {{ 1 + 1 }} {# {{ text }} #}", None),
        ("{% raw %}{{ text }}{% endraw %}", None),
        ("{{ text", None),
        ('{{ "}}" ~ text }}', '{{ fenced("}}" ~ text) }}'),
    ],
)
def test_that_placeholders_are_fenced_wherever_they_are(source, out):
    assert fenced(source, COLUMNS) == (source if out is None else out)


def test_that_examples_are_fenced_as_the_rows_will_be():
    examples = [
        {"user": "Review:\nIt broke.\nMood?", "assistant": '{"mood": "bad"}'},
        {"user": "Another form.", "assistant": '{"mood": "good"}'},
    ]
    made = stage(user="Review:\n{{ text }}\nMood?", examples=examples)
    new = mended(only(LintCode.NO_FENCE, made), made)
    rendered = Template(new.user, COLUMNS, where="user").render({"text": "It broke."})
    assert [one.user for one in new.examples] == [rendered, "Another form."]


def test_that_a_column_called_fenced_gets_the_filter():
    assert fenced("{{ fenced }}", ["fenced"]) == "{{ (fenced) | fenced }}"


def test_that_a_chinese_prompt_gets_the_chinese_rule():
    made = stage(system="判断评论的情绪。", user="评论：\n{{ text }}")
    assert (
        mended(only(LintCode.NO_FENCE, made), made).system == f"判断评论的情绪。\n\n{CHINESE.fence}"
    )


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["{{ text }}", "{{- note -}}", " ", "\n", "a }} b", "{# x #}", "é{"]))
)
def test_that_places_of_words_and_placeholders_are_exact(pieces):
    source = "".join(pieces)
    words, holders = parts_of(source)
    for part in words:
        assert source[part.start : part.end] == part.text
    for holder in holders:
        assert source[holder.start : holder.end].startswith("{{")
        assert source[holder.start : holder.end].endswith("}}")


# -- words ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Briefly say why.", "Briefly"),
        ("Name a few reasons.", "a few"),
        ("Write a short summary.", "short"),
        ("Answer in detail.", "in detail"),
        ("请简要说明原因。", "简要"),
        ("列出几条理由。", "几条"),
        ("适当展开。", "适当"),
    ],
)
def test_that_a_vague_word_is_found_and_a_fix_says_what_it_means(text, word):
    made = stage(system=f"{FENCE_RULE}\n{text}")
    one = only(LintCode.VAGUE_QUANTITY, made)
    assert one.params["word"] == word
    assert made.system[one.place.start : one.place.end] == word
    new = mended(one, made)
    assert f"“{word}”" in new.system
    assert found(LintCode.VAGUE_QUANTITY, new) == []


@pytest.mark.parametrize(
    "text",
    [
        "How many were ordered?",
        "A short-sleeved shirt.",
        "Name exactly 3 reasons.",
        "Somebody wrote it.",
    ],
)
def test_that_other_words_are_not_vague(text):
    assert found(LintCode.VAGUE_QUANTITY, stage(system=text)) == []


def test_that_a_vague_word_in_a_placeholder_is_a_column():
    assert found(LintCode.VAGUE_QUANTITY, stage(user="{{ fenced(brief) }}")) == []


@pytest.mark.parametrize(
    "text",
    [
        "Compare with the previous row.",
        "Use the same style as before.",
        "与上一条保持一致。",
        "参考之前的回答。",
    ],
)
def test_that_a_prompt_which_speaks_of_other_rows_is_found_and_the_sentence_taken_out(text):
    made = stage(system=f"{FENCE_RULE} {text} Be exact.")
    one = only(LintCode.HISTORY, made)
    new = mended(one, made)
    assert new.system.startswith(FENCE_RULE)
    assert new.system.endswith("Be exact.")
    assert found(LintCode.HISTORY, new) == []


def test_that_no_output_format_is_found_and_a_schema_made():
    made = stage(output=None, answer_field=None)
    new = mended(only(LintCode.NO_OUTPUT_FORMAT, made), made)
    assert new.output is not None
    assert new.output["required"] == ["answer"]
    assert found(LintCode.NO_OUTPUT_FORMAT, new) == []


@pytest.mark.parametrize(
    "text", ["Answer with one word.", "Reply in JSON.", "只回答“好”或“坏”。", "输出格式：一行。"]
)
def test_that_a_format_in_words_is_a_format(text):
    assert found(LintCode.NO_OUTPUT_FORMAT, stage(output=None, system=text)) == []


# -- schema ---------------------------------------------------------------------------------


def test_that_without_a_way_to_say_unknown_there_is_a_warning_and_the_fix_opens_one():
    labels = {"kind": "labels", "field": "mood", "allowed": ["good", "bad"]}
    made = stage(output=schema(mood={"type": "string", "enum": ["good", "bad"]}), checks=[labels])
    new = mended(only(LintCode.NO_UNKNOWN, made), made)
    assert new.user.endswith('If the data does not say, answer "unknown".')
    assert new.output is not None
    assert new.output["properties"]["mood"]["enum"] == ["good", "bad", "unknown"]
    assert new.checks[0].allowed == ("good", "bad", "unknown")  # type: ignore[union-attr] # it is the labels check
    assert found(LintCode.NO_UNKNOWN, new) == []


def test_that_a_fix_keeps_fields_that_may_be_anything():
    fields = schema(mood={"enum": ["good", "bad"]}, reason={"type": "string"})
    fields["properties"]["more"] = True
    made = stage(output=fields)
    for code in (LintCode.NO_UNKNOWN, LintCode.CONCLUSION_FIRST):
        new = mended(only(code, made), made)
        assert new.output is not None
        assert new.output["properties"]["more"] is True
    asked = stage(output=fields, system="Give `score` too.")
    new = mended(only(LintCode.FIELDS_DIFFER, asked), asked)
    assert new.output is not None
    assert list(new.output["properties"]) == ["mood", "reason", "more", "score"]


@pytest.mark.parametrize(
    "parts",
    [
        {"system": "Use null if the text does not mention it."},
        {"system": "没有提到的留空。"},
        {"output": schema(age={"type": ["integer", "null"]})},
        {"output": schema(mood={"enum": ["good", "其他"]})},
        {"output": None},
    ],
)
def test_that_a_way_to_say_unknown_is_recognised(parts):
    assert found(LintCode.NO_UNKNOWN, stage(**parts)) == []


def test_that_a_field_asked_for_in_words_but_not_in_the_schema_is_found_and_added():
    made = stage(system=f'{FENCE_RULE} Answer as {{"mood": "good", "reason": "…"}}.')
    one = only(LintCode.FIELDS_DIFFER, made)
    assert one.params == {"asked": "reason"}
    new = mended(one, made)
    assert new.output is not None
    assert list(new.output["properties"]) == ["mood", "reason"]
    assert new.output["required"] == ["mood", "reason"]
    assert found(LintCode.FIELDS_DIFFER, new) == []


def test_that_an_allowed_value_in_backticks_is_not_a_field():
    assert found(LintCode.FIELDS_DIFFER, stage(system="Say `good` or `bad`.")) == []


def test_that_examples_must_have_the_fields_of_the_schema():
    examples = [
        {"user": "a", "assistant": '{"mood": "good"}'},
        {"user": "b", "assistant": '{"feeling": "bad"}'},
        {"user": "c", "assistant": "no JSON"},
    ]
    findings = found(LintCode.FIELDS_DIFFER, stage(examples=examples))
    assert [(one.place, one.params) for one in findings] == [
        (Place(Part.EXAMPLES, 1), {"asked": "feeling"}),
        (Place(Part.EXAMPLES, 1), {"missing": "mood"}),
    ]


def test_that_a_conclusion_before_its_reasons_is_turned_round_in_schema_and_examples():
    made = stage(
        output=schema(
            mood={"enum": ["good", "unknown"]}, reason={"type": "string"}, n={"type": "integer"}
        ),
        examples=[{"user": "a", "assistant": '{"mood": "good", "reason": "很好", "n": 1}'}],
    )
    one = only(LintCode.CONCLUSION_FIRST, made)
    assert one.params == {"conclusion": "mood", "reason": "reason"}
    new = mended(one, made)
    assert new.output is not None
    assert list(new.output["properties"]) == ["reason", "mood", "n"]
    assert new.output["required"] == ["reason", "mood", "n"]
    assert new.examples[0].assistant == '{"reason": "很好", "mood": "good", "n": 1}'
    assert found(LintCode.CONCLUSION_FIRST, new) == []


# -- settings and cost ----------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.7, None])
def test_that_labels_are_asked_at_temperature_0(value):
    made = stage(temperature=value)
    one = only(LintCode.TEMPERATURE, made)
    assert one.params == {"value": value}
    assert mended(one, made).temperature == 0.0


@pytest.mark.parametrize(
    ("parts", "model"),
    [
        ({"temperature": 0.7, "n": 5}, ""),
        ({"temperature": None}, "gpt-5-mini"),
        (
            {"temperature": 0.7, "output": schema(story={"type": "string"}), "answer_field": None},
            "",
        ),
    ],
)
def test_that_a_temperature_with_a_reason_is_left_alone(parts, model):
    assert found(LintCode.TEMPERATURE, stage(**parts), model=model) == []


def test_that_a_limit_far_above_need_is_found_by_schema_or_by_real_answers():
    by_schema = only(LintCode.MAX_TOKENS, stage(max_tokens=4000))
    assert by_schema.params == {"value": 4000, "needed": 27, "better": 64}
    made = stage(max_tokens=4000, output=schema(story={"type": "string"}))
    assert found(LintCode.MAX_TOKENS, made) == []
    measured = only(LintCode.MAX_TOKENS, made, figures=Figures(10, 10.0, 5, answer_tokens=120))
    assert measured.params == {"value": 4000, "needed": 120, "better": 240}
    assert mended(measured, made).max_tokens == 240
    assert found(LintCode.MAX_TOKENS, stage(max_tokens=4000), model="deepseek-r1") == []


def test_that_a_system_text_longer_than_the_data_is_counted_over_all_rows():
    one = only(LintCode.SYSTEM_LONGER, stage(), figures=Figures(900, 45.4, 5000))
    assert one.place == Place(Part.SYSTEM)
    assert one.params == {
        "system_tokens": 900,
        "data_tokens": 45,
        "rows": 5000,
        "all_tokens": 4_500_000,
    }
    assert found(LintCode.SYSTEM_LONGER, stage(), figures=Figures(300, 45.0, 5000)) == []


# -- all together ---------------------------------------------------------------------------

TEXTS = st.lists(
    st.sampled_from(
        ["{{ text }}", "{{ fenced(note) }}", "briefly", "a few", "简要", "上一条", "the previous row",
         ' "reason": ', "`score`", "unknown", ". ", "\n", "Say more.", "情绪如何？", "{{", "“", "“briefly”"]
    ),
    max_size=8,
).map(" ".join)  # fmt: skip
FIELDS = st.lists(
    st.sampled_from(["mood", "reason", "score", "理由", "结论", "n"]), unique=True, max_size=5
).map(lambda names: schema(**{name: {"enum": ["a", "b"]} for name in names}))


@settings(deadline=None)
@given(TEXTS, TEXTS, st.one_of(st.none(), FIELDS), st.sampled_from([None, 0.0, 1.0]))
def test_that_every_fix_takes_its_warning_away_and_leaves_a_valid_stage(system, user, output, heat):
    made = stage(system=system, user=user or "x", output=output, temperature=heat)
    for one in lint(made, COLUMNS):
        if one.fix is not None:
            new = Stage.model_validate(one.fix(made).model_dump())
            again = [(other.code, other.params) for other in lint(new, COLUMNS)]
            before = [(other.code, other.params) for other in lint(made, COLUMNS)]
            key = (one.code, one.params)
            assert again.count(key) < before.count(key)


def test_that_the_samples_have_no_warning_that_a_newcomer_could_not_mend():
    for path in sorted((paths.resources() / "samples").glob("*.toml")):
        made = Job.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).stages[0]
        with path.with_suffix(".csv").open(encoding="utf-8-sig", newline="") as file:
            columns = next(csv.reader(file))
        for one in lint(made, columns):
            assert one.fix is not None, (path.name, one)
