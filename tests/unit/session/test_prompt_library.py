"""Prompts kept for all projects, differences between versions, and examples from labels."""

from __future__ import annotations

import pytest
from tests.unit.session.tables import a_job, a_table

from batchdesk.domain.job import Example
from batchdesk.errors import UserError
from batchdesk.session.prompt_examples import labelled_examples
from batchdesk.session.prompt_library import (
    forget_prompt,
    keep_prompt,
    kept_prompts,
    with_kept,
)
from batchdesk.session.prompt_versions import Difference, differences


def test_that_a_kept_prompt_comes_back_as_it_was(tmp_path):
    stage = a_job(stage={"system": "Be exact.", "examples": (Example(user="a", assistant="b"),)})
    kept = keep_prompt("Sentiment: shop/1", stage.stages[0], tmp_path)
    assert kept.name == "Sentiment shop 1"
    assert kept_prompts(tmp_path) == [kept]
    assert kept_prompts(tmp_path)[0].stage == stage.stages[0]


def test_that_a_prompt_of_the_same_name_is_replaced_and_one_can_be_forgotten(tmp_path):
    keep_prompt("one", a_job().stages[0], tmp_path)
    kept = keep_prompt("one", a_job(stage={"system": "new"}).stages[0], tmp_path)
    assert [one.stage.system for one in kept_prompts(tmp_path)] == ["new"]
    forget_prompt(kept)
    forget_prompt(kept)
    assert kept_prompts(tmp_path) == []


def test_that_a_file_that_is_no_prompt_is_left_out_and_left_alone(tmp_path):
    (tmp_path / "broken.prompt.json").write_text("{")
    assert kept_prompts(tmp_path) == []
    assert (tmp_path / "broken.prompt.json").read_text() == "{"


@pytest.mark.parametrize("name", ["", "  ", "///", ".."])
def test_that_a_name_that_says_nothing_is_refused(tmp_path, name):
    with pytest.raises(UserError, match="letters or digits"):
        keep_prompt(name, a_job().stages[0], tmp_path)


def test_that_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be kept in"):
        keep_prompt("a", a_job().stages[0], tmp_path / "file" / "prompts")


def test_that_a_prompt_from_the_library_keeps_how_this_stage_is_asked():
    here = a_job(stage={"temperature": 0.5, "max_tokens": 9}).stages[0]
    kept = a_job(stage={"name": "other", "system": "Be exact.", "user": "{{ body }}"}).stages[0]
    taken = with_kept(here, kept)
    assert (taken.name, taken.temperature, taken.max_tokens) == ("classify", 0.5, 9)
    assert (taken.system, taken.user) == ("Be exact.", "{{ body }}")


def test_that_equal_jobs_do_not_differ():
    assert differences(a_job(), a_job()) == []


def test_that_texts_differ_by_line_and_settings_by_value():
    old = a_job(stage={"system": "One.\nTwo.\nThree."})
    new = a_job(stage={"system": "One.\n2.\nThree.", "max_tokens": 40})
    assert differences(old, new) == [
        Difference("system", ((" ", "One."), ("-", "Two."), ("+", "2."), (" ", "Three."))),
        Difference("max_tokens", (("+", "40"),)),
    ]


def test_that_an_allowed_value_that_came_is_told_at_its_field():
    old = a_job()
    output = {**(old.stages[0].output or {})}
    output["properties"] = {"label": {"enum": ["positive", "negative", "mixed"]}}
    new = a_job(stage={"output": output})
    assert differences(old, new) == [
        Difference(
            "output/properties/label/enum",
            (("-", "positive, negative"), ("+", "positive, negative, mixed")),
        )
    ]


async def test_that_each_value_of_the_label_gives_one_example(session, tmp_path):
    table = await a_table(session, tmp_path)
    job = a_job(data={"label": "label"})
    assert await labelled_examples(session, job=job, dataset=table) == [
        Example(user="I love it", assistant='{"label": "positive"}'),
        Example(user="It broke at once", assistant='{"label": "negative"}'),
    ]


async def test_that_examples_need_a_label_column(session, tmp_path):
    table = await a_table(session, tmp_path)
    with pytest.raises(UserError, match="Choose a label column"):
        await labelled_examples(session, job=a_job(), dataset=table)


async def test_that_a_field_that_no_column_has_cannot_be_made_up(session, tmp_path):
    table = await a_table(session, tmp_path)
    output = {
        "type": "object",
        "properties": {"label": {"type": "string"}, "summary": {"type": "string"}},
        "required": ["label", "summary"],
    }
    job = a_job(data={"label": "label"}, stage={"output": output})
    with pytest.raises(UserError, match="'summary', and no column has it"):
        await labelled_examples(session, job=job, dataset=table)
