"""The Prompt page with real widgets: what is typed becomes the job, or a sentence says why not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from tests.gui.embedded import embedded

from batchdesk.domain.job import (
    ConfidenceCheck,
    Job,
    LabelsCheck,
    PracticeSpec,
    ProviderSpec,
    RequiredCheck,
    Stage,
)
from batchdesk.domain.task import RunKind, RunState, TaskState
from batchdesk.gui import row_counter
from batchdesk.gui.pages import prompt_check_edits as edits
from batchdesk.gui.pages.prompt import PromptPage
from batchdesk.gui.pages.prompt_first import longest_column
from batchdesk.gui.pages.prompt_inputs import InvalidInputError, NumberLine
from batchdesk.gui.pages.prompt_schema import AnswerField, FieldKind, form_of, schema_of
from batchdesk.gui.pages.prompt_texts import placeholder
from batchdesk.session import read_job_file, samples
from batchdesk.settings import SavedProvider, Settings

ENDS = Qt.MouseButton.LeftButton
TABLE = "id,text,my column,label\n" + "".join(
    f"r{n},text number {n} which is long,c{n},{'yes' if n % 2 else 'no'}\n" for n in range(1, 31)
)
SERVICE = SavedProvider(
    name="Office server",
    spec=ProviderSpec(preset="openai-compatible", base_url="https://models.example/v1", model="m1"),
)


@pytest.fixture
def project(desk, tmp_path):
    """A project with a table of 30 rows and no job."""
    path = tmp_path / "rows.csv"
    path.write_text(TABLE)
    desk.open(tmp_path / "p.batchdesk")
    desk.import_table(path, "id")
    return desk


@pytest.fixture
def page(project, qtbot):
    return shown(project, qtbot)


def shown(desk, qtbot):
    return embedded(PromptPage(desk), qtbot)


def sample_page(desk, qtbot, name):
    sample = next(one for one in samples() if one.name == name)
    desk.import_table(sample.table, "id")
    desk.edit_job(read_job_file(sample.job_file))
    return shown(desk, qtbot)


def click(qtbot, button):
    assert button.isEnabled(), button.toolTip()
    qtbot.mouseClick(button, ENDS)


def retype(qtbot, line, text):
    line.setFocus()
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClicks(line, text)


def choose(control, value):
    place = control.findData(value)
    assert place >= 0, [control.itemData(n) for n in range(control.count())]
    control.setCurrentIndex(place)
    control.activated.emit(place)


def rendered(page, qtbot):
    qtbot.waitUntil(lambda: not page.sent._timer.isActive())
    return page.sent.text.toPlainText()


def ended(desk):
    summary = desk.summary(desk.run_id)
    return summary is not None and summary.run.state is RunState.FINISHED


def versions(desk):
    found: list[Any] = []
    desk.ask(lambda session: session.jobs(), found.extend)
    return [one.version for one in found]


# -- the first job ---------------------------------------------------------------------------


def test_that_a_table_without_a_job_gets_a_sensible_first_one(project, page, qtbot):
    job = project.job
    assert job.name == "rows"
    assert job.data.key == "id"
    assert job.provider.preset == "practice"
    assert job.stages[0].user == "{{ fenced(text) }}"
    assert list(job.stages[0].output["properties"]) == ["answer"]
    assert job.stages[0].answer_field == "answer"
    assert rendered(page, qtbot).splitlines()[-4] == "text number 1 which is long"
    assert page.run_all.isEnabled()


@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_that_the_prompt_check_has_nothing_against_the_first_job(
    desk, qtbot, tmp_path, language, code
):
    language(code)
    path = tmp_path / "rows.csv"
    path.write_text("id,text\nr1,some words\n")
    desk.open(tmp_path / "p.batchdesk")
    desk.import_table(path, "id")
    page = shown(desk, qtbot)
    qtbot.waitUntil(lambda: page.hints.badge.isVisibleTo(page) and not page.hints._timer.isActive())
    assert [one.finding.code for one in page.hints.lines] == []
    assert ("没有" in desk.job.stages[0].system) == (code == "zh_CN")


def test_that_the_longest_column_is_never_the_id_where_there_is_another(project):
    rows: list[int] = []
    project.ask(lambda session: session.row_ids(1), rows.extend)
    found: list[Any] = []
    project.ask(lambda session: session.row_page(rows), found.extend)
    assert longest_column(project.dataset, found) == "text"


def test_that_a_job_that_is_there_is_not_replaced(desk, qtbot, tmp_path):
    desk.open(tmp_path / "p.batchdesk")
    sample_page(desk, qtbot, "orders")
    assert desk.job.name == "Order requests"


# -- texts -----------------------------------------------------------------------------------


def test_that_typed_text_is_the_jobs_and_is_sent(project, page, qtbot):
    page.texts.system.setFocus()
    page.texts.system.selectAll()
    qtbot.keyClicks(page.texts.system, "Be brief.")
    assert project.job.stages[0].system == "Be brief."
    assert project.job_version is None
    assert rendered(page, qtbot).startswith("System text\nBe brief.\n\nThis row\n")


def test_that_a_chip_inserts_the_column_at_the_cursor(project, page, qtbot):
    user = page.texts.user
    user.setFocus()
    user.selectAll()
    qtbot.keyClicks(user, "AB")
    qtbot.keyClick(user, Qt.Key.Key_Left)
    chips = {chip.column: chip for chip in page.texts.chips.chips}
    assert list(chips) == ["id", "text", "my column", "label"]
    qtbot.mouseClick(chips["my column"], ENDS)
    assert project.job.stages[0].user == 'A{{ row["my column"] }}B'
    assert "Ac1B" in rendered(page, qtbot)
    assert [chip.column for chip in page.texts.chips.chips if chip.used] == ["my column"]
    page.texts.system.setFocus()
    chips["label"].setFocus()
    qtbot.keyClick(chips["label"], Qt.Key.Key_Return)
    assert "{{ label }}" in project.job.stages[0].system


@pytest.mark.parametrize(
    ("column", "written"),
    [
        ("text", "{{ text }}"),
        ("标签", "{{ 标签 }}"),
        ("two words", '{{ row["two words"] }}'),
        ('say "hi"', r'{{ row["say \"hi\""] }}'),
        ("row", '{{ row["row"] }}'),
        ("not", '{{ row["not"] }}'),
        ("1st", '{{ row["1st"] }}'),
    ],
)
def test_that_a_column_is_written_so_that_the_template_finds_it(column, written, desk, tmp_path):
    assert placeholder(column) == written
    desk.open(tmp_path / "p.batchdesk")
    job = Job(
        name="j", provider=ProviderSpec(preset="practice"), stages=(Stage(name="s", user=written),)
    )
    [message] = desk.session.render(job, [column], {column: "cell"}, "k")
    assert message.content == "cell"


def test_that_a_missing_column_is_said_with_the_near_one_and_stops_the_run(project, page, qtbot):
    page.texts.user.setPlainText("{{ texte }}")
    rendered(page, qtbot)
    assert page.sent.problem.isVisibleTo(page)
    assert page.sent.problem.text() == (
        "The user text of stage 'answer' names a column 'texte' that the table does not have. "
        "Did you mean 'text'?"
    )
    assert not page.run_all.isEnabled()
    assert "texte" in page.run_all.toolTip()
    assert project.job.stages[0].user == "{{ texte }}"
    page.texts.user.setPlainText("{{ text }}")
    rendered(page, qtbot)
    assert not page.sent.problem.isVisibleTo(page)
    assert page.run_all.isEnabled()


def test_that_a_mended_template_loses_its_error_while_something_else_is_wrong(project, page, qtbot):
    page.texts.user.setPlainText("{{ texte }}")
    rendered(page, qtbot)
    assert page.sent.problem.isVisibleTo(page)
    retype(qtbot, page.model.temperature, "hot")
    page.texts.user.setPlainText("Read: {{ text }}")
    assert "Read: text number 1" in rendered(page, qtbot)
    assert not page.sent.problem.isVisibleTo(page)
    assert project.job.stages[0].user == "{{ texte }}"  # nothing is taken yet
    assert "Temperature" in page.run_all.toolTip()


def test_that_an_empty_text_per_row_is_named_and_the_job_stays(project, page, qtbot):
    page.texts.user.clear()
    assert page.status.text() == "Not taken yet: Text per row: it is empty. Insert a column."
    assert project.job.stages[0].user == "{{ fenced(text) }}"
    assert not page.save.isEnabled()
    assert not page.go_on.isEnabled()


def test_that_rows_are_stepped_through(page, qtbot):
    rendered(page, qtbot)
    assert page.sent.which.text() == "of 30 · r1"
    assert not page.sent.before.isEnabled()
    click(qtbot, page.sent.after)
    assert page.sent.which.text() == "of 30 · r2"
    assert "text number 2 which" in rendered(page, qtbot)
    click(qtbot, page.sent.before)
    assert page.sent.which.text() == "of 30 · r1"


# -- the answer ------------------------------------------------------------------------------


def test_that_a_field_is_made_a_choice_with_synonyms_and_compared(project, page, qtbot):
    editor = page.answer.editor
    retype(qtbot, editor.name, "mood")
    choose(editor.kind, "enum")
    assert "write the allowed values" in page.status.text()
    editor.allowed.setFocus()
    qtbot.keyClicks(editor.allowed, "good")
    qtbot.keyClick(editor.allowed, Qt.Key.Key_Return)
    qtbot.keyClicks(editor.allowed, "bad")
    qtbot.keyClicks(editor.synonyms, "fine = good")
    retype(qtbot, editor.description, "how it feels")
    stage = project.job.stages[0]
    assert stage.output == {
        "type": "object",
        "properties": {
            "mood": {"type": "string", "enum": ["good", "bad"], "description": "how it feels"}
        },
        "required": ["mood"],
        "additionalProperties": False,
    }
    assert stage.answer_field == "mood"
    assert stage.checks == (
        LabelsCheck(
            kind="labels", field="mood", allowed=("good", "bad"), synonyms={"fine": "good"}
        ),
    )
    editor.synonyms.appendPlainText("awful = terrible")
    assert page.status.text() == (
        "Not taken yet: Field mood: “awful” leads to “terrible”, which is not an allowed value."
    )
    assert project.job.stages[0].checks == stage.checks


def test_that_fields_are_added_and_removed_with_their_checks(project, page, qtbot):
    click(qtbot, page.answer.add)
    assert page.answer.editor.name.text() == "field"
    qtbot.keyClicks(page.answer.editor.name, "count")
    choose(page.answer.editor.kind, "integer")
    qtbot.keyClicks(page.answer.editor.least, "0")
    qtbot.keyClicks(page.answer.editor.most, "9.5")
    assert project.job.stages[0].output["properties"]["count"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 9.5,
    }
    qtbot.mouseClick(page.answer.lines[0], ENDS)
    assert page.answer.editor.name.text() == "answer"
    page.answer.editor.not_blank.click()
    assert project.job.stages[0].checks == (RequiredCheck(kind="required", fields=("answer",)),)
    click(qtbot, page.answer.editor.remove)
    stage = project.job.stages[0]
    assert list(stage.output["properties"]) == ["count"]
    assert stage.output["required"] == ["count"]
    assert (stage.answer_field, stage.checks) == (None, ())


def test_that_a_bad_field_keeps_what_was_typed_and_cannot_be_left(project, page, qtbot):
    click(qtbot, page.answer.add)
    retype(qtbot, page.answer.editor.name, "answer")
    assert "There is a field answer already" in page.status.text()
    qtbot.mouseClick(page.answer.lines[0], ENDS)
    assert page.answer.lines[1].isChecked()
    assert page.answer.editor.name.text() == "answer"
    qtbot.keyClicks(page.answer.editor.name, "2")
    assert page.status.text() != "Not taken yet"
    assert list(project.job.stages[0].output["properties"]) == ["answer", "answer2"]


def test_that_a_schema_beyond_the_fields_stays_json_word_for_word(project, page, qtbot):
    schema = {
        "type": "object",
        "properties": {"tags": {"type": "array", "items": {"type": "string"}}},
        "$defs": {"x": {"const": 1}},
    }
    stage = project.job.stages[0].model_copy(update={"output": schema, "answer_field": None})
    project.edit_job(project.job.model_copy(update={"stages": (stage,)}))
    assert page.answer.mode.choice() == "json"
    assert json.loads(page.answer.json.toPlainText()) == schema
    assert "stays JSON" in page.answer.message.text()
    choose(page.answer.mode, "fields")
    assert page.answer.mode.choice() == "json"
    page.texts.system.setPlainText("x")
    assert project.job.stages[0].output == schema
    page.answer.json.setPlainText('{"type": "object",')
    assert page.status.text().startswith("Not taken yet: The JSON Schema cannot be read: ")
    assert project.job.stages[0].output == schema
    page.answer.json.setPlainText('{"type": "object", "properties": {"a": {"type": "number"}}}')
    choose(page.answer.mode, "fields")
    assert [line.text() for line in page.answer.lines] == ["a"]


def test_that_plain_text_and_back_loses_no_field(project, page):
    before = project.job.stages[0]
    choose(page.answer.mode, "text")
    stage = project.job.stages[0]
    assert (stage.output, stage.answer_field) == (None, None)
    choose(page.answer.mode, "fields")
    assert project.job.stages[0] == before


@pytest.mark.parametrize("name", ["orders", "reviews-en", "reviews-zh"])
def test_that_looking_at_a_sample_and_touching_it_changes_only_what_was_touched(
    desk, qtbot, tmp_path, name
):
    desk.open(tmp_path / "p.batchdesk")
    page = sample_page(desk, qtbot, name)
    before = desk.job
    for index in range(len(page.answer.lines)):
        page.answer.choose(index)
    page._edited()
    assert desk.job == before
    page.texts.system.setPlainText("Other words.")
    stage = before.stages[0].model_copy(update={"system": "Other words."})
    assert desk.job == before.model_copy(update={"stages": (stage,)})
    assert page.answer.mode.choice() == "fields"


NAMES = st.text("abcdefg_ö价", min_size=1, max_size=6)
VALUES = st.lists(st.text("abc 好!", min_size=1, max_size=5).map(str.strip).filter(bool), min_size=1, unique=True)  # fmt: skip
DESCRIBED = st.fixed_dictionaries({}, optional={"description": st.text(min_size=1, max_size=9)})
PARTS = st.one_of(
    st.fixed_dictionaries({"type": st.just("string")}, optional={"maxLength": st.integers(1, 999)}),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["number", "integer"])},
        optional={"minimum": st.integers(-9, 9), "maximum": st.floats(-9, 9)},
    ),
    st.just({"type": "boolean"}),
    st.fixed_dictionaries({"enum": VALUES}, optional={"type": st.just("string")}),
)


@st.composite
def schemas(draw):
    fields = draw(st.dictionaries(NAMES, st.tuples(PARTS, DESCRIBED).map(lambda p: p[0] | p[1])))
    schema = {"type": "object", "properties": fields}
    if draw(st.booleans()):
        required = draw(st.lists(st.sampled_from(sorted(fields)), unique=True)) if fields else []
        schema["required"] = required
    if draw(st.booleans()):
        schema["additionalProperties"] = draw(st.booleans())
    if draw(st.booleans()):
        schema["title"] = draw(st.text(max_size=5))
    return schema


def limits_make_sense(schema):
    parts = schema["properties"].values()
    return all(part.get("minimum", -99) <= part.get("maximum", 99) for part in parts)


@given(schemas())
def test_that_a_schema_that_can_be_shown_comes_back_the_same(schema):
    form = form_of(schema)
    assert form is not None
    assert json.dumps(schema_of(form), sort_keys=True) == json.dumps(schema, sort_keys=True)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["string", "object", "a"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "type",
                        "properties",
                        "required",
                        "enum",
                        "a",
                        "maxLength",
                        "minimum",
                        "description",
                    ]
                ),
                inner,
            )
        ),
        max_leaves=12,
    ).filter(lambda value: isinstance(value, dict))
)
def test_that_any_object_is_shown_whole_or_not_at_all(schema):
    form = form_of(schema)
    assert form is None or schema_of(form) == schema


@settings(max_examples=15, deadline=None)
@given(schemas().filter(lambda schema: schema["properties"] and limits_make_sense(schema)))
def test_that_the_widgets_give_back_the_schema_that_they_show(schema):
    from batchdesk.gui.pages.prompt_answer import AnswerSection

    section = AnswerSection()
    stage = Stage(name="s", user="x", output=schema)
    section.show_stage(stage)
    for index in range(len(schema["properties"])):
        section.choose(index)
        assert section.values() == {"output": schema, "answer_field": None, "checks": ()}
    section.deleteLater()


@pytest.mark.parametrize(
    "part",
    [
        {"type": ["string", "null"]},
        {"type": "string", "pattern": "a"},
        {"type": "string", "minimum": 1},
        {"type": "string", "maxLength": 0},
        {"type": "number", "maximum": True},
        {"enum": ["a", None]},
        {"enum": [" a"]},
        {"enum": ["a\nb"]},
        {"enum": []},
        {"enum": ["a"], "type": "number"},
        {"type": "boolean", "description": 3},
        {"type": "boolean", "description": ""},
        {"$ref": "#"},
        True,
    ],
)
def test_that_what_the_fields_cannot_show_is_not_shown_as_fields(part):
    assert form_of({"type": "object", "properties": {"a": part}}) is None


def test_that_a_renamed_field_keeps_its_place_in_the_required_ones():
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "required": ["b", "a"],
    }
    form = form_of(schema)
    assert form is not None
    form = form.with_field(1, AnswerField("c", FieldKind.FLAG))
    assert schema_of(form)["required"] == ["c", "a"]


# -- checks ----------------------------------------------------------------------------------


def test_that_confidence_is_checked_as_chosen(project, page, qtbot):
    page.checks.wanted.click()
    assert project.job.stages[0].checks == (
        ConfidenceCheck(kind="confidence", source="logprobs", at_least=0.7),
    )
    retype(qtbot, page.checks.at_least, "0,85")
    choose(page.checks.source, "field")
    assert "choose the field" in page.status.text()
    choose(page.checks.field, "answer")
    assert project.job.stages[0].checks == (
        ConfidenceCheck(kind="confidence", source="field", field="answer", at_least=0.85),
    )
    retype(qtbot, page.answer.editor.name, "mood")
    assert project.job.stages[0].checks[0].field == "mood"
    retype(qtbot, page.checks.at_least, "7")
    assert page.status.text() == "Not taken yet: At least: it takes a number from 0 to 1."
    assert page.checks.at_least.text() == "7"
    assert page.checks.at_least.property("state") == "failed"
    assert project.job.stages[0].checks[0].at_least == 0.85
    page.checks.wanted.click()
    assert project.job.stages[0].checks == ()


def test_that_a_check_without_controls_is_listed_and_can_be_removed(project, page, qtbot):
    check = LabelsCheck(kind="labels", field="answer", allowed=("a", "b"), synonyms={"c": "a"})
    stage = project.job.stages[0].model_copy(update={"checks": (check,)})
    project.edit_job(project.job.model_copy(update={"stages": (stage,)}))
    assert page.checks._others.count() == 1
    assert page.checks.words(check) == "answer must be one of: a, b"
    page.texts.system.setPlainText("x")
    assert project.job.stages[0].checks == (check,)
    page.checks.removed.emit(check)
    assert project.job.stages[0].checks == ()


def test_that_synonyms_are_read_line_by_line():
    assert edits.pairs_of("a = b\n\n 好评＝positive ") == {"a": "b", "好评": "positive"}
    with pytest.raises(ValueError, match="only a word"):
        edits.pairs_of("a = b\nonly a word")
    assert edits.pairs_text({"a": "b", "c": "d"}) == "a = b\nc = d"


# -- model and limits ------------------------------------------------------------------------


def test_that_a_saved_service_is_chosen_with_its_model(project, page, qtbot):
    project.change_settings(Settings(providers=(SERVICE,)))
    choose(page.model.provider, "saved:Office server")
    assert project.job.provider == SERVICE.spec
    assert page.model.about.text() == "What “As sent” shows goes to models.example."
    assert not page.model.practice.isVisibleTo(page)
    retype(qtbot, page.model.model, "m2")
    assert project.job.provider.model == "m2"
    assert page.model.provider.currentText() == "Office server"
    page.model.model.clear()
    qtbot.keyClick(page.model.model, Qt.Key.Key_Backspace)
    page._edited()
    assert page.status.text().startswith("Not taken yet: Model: write the name")
    assert project.job.provider.model == "m2"


def test_that_a_service_that_nobody_saved_stays_the_prompts(project, page, qtbot):
    spec = ProviderSpec(
        base_url="http://10.0.0.7:8000/v1", model="x", structured_output="json_object"
    )
    project.edit_job(project.job.model_copy(update={"provider": spec}))
    assert page.model.provider.currentText() == "10.0.0.7:8000 (of this prompt)"
    page.texts.system.setPlainText("x")
    assert project.job.provider == spec


def test_that_limits_and_sampling_are_taken_and_empty_means_by_itself(project, page, qtbot):
    model = page.model
    retype(qtbot, model.at_once, "7")
    retype(qtbot, model.temperature, "")
    model.more.click()
    assert model.rpm.isVisibleTo(page)
    retype(qtbot, model.rpm, "600")
    retype(qtbot, model.read_s, "12.5")
    retype(qtbot, model.tries, "2")
    retype(qtbot, page.rows.where, "label == 'yes'")
    job = project.job
    assert (job.limits.concurrency_max, job.limits.rpm, job.limits.tpm) == (7, 600.0, None)
    assert (job.limits.timeout_read_s, job.limits.attempts_max) == (12.5, 2)
    assert job.stages[0].temperature is None
    assert job.data.where == "label == 'yes'"
    assert page.run_all.text() == "Run all chosen rows"
    retype(qtbot, model.at_once, "")
    assert project.job.limits.concurrency_max == 200
    assert model.at_once.text() == ""
    assert model.at_once.placeholderText() == "by itself"


def test_that_a_number_that_is_none_is_named_and_kept(project, page, qtbot):
    retype(qtbot, page.model.temperature, "hot")
    assert page.status.text() == (
        "Not taken yet: Temperature: it takes a number from 0 to 2, or nothing."
    )
    assert page.model.temperature.text() == "hot"
    kept = project.job.stages[0]
    assert kept.temperature is None  # as it was when the line was empty
    label = project.job.data.model_copy(update={"label": "label"})
    project.edit_job(project.job.model_copy(update={"data": label}))
    assert page.model.temperature.text() == "hot"  # a change elsewhere loses nothing typed here
    assert "Temperature" in page.status.text()
    retype(qtbot, page.model.temperature, "1.5")
    assert project.job.stages[0].temperature == 1.5
    assert project.job.data.label == "label"


@pytest.mark.parametrize(
    ("text", "whole", "value"),
    [
        ("", False, None),
        ("0.5", False, 0.5),
        ("0,5", False, 0.5),
        ("1,000", True, 1000),
        (" 7 ", True, 7),
    ],
)
def test_that_a_number_line_reads(qtbot, text, whole, value):
    line = NumberLine("N", 0, whole=whole, empty="none")
    qtbot.addWidget(line)
    line.setText(text)
    assert line.value() == value


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "1e999", "one", "0x10"])
def test_that_a_number_line_refuses(qtbot, text):
    line = NumberLine("N", 0)
    qtbot.addWidget(line)
    line.setText(text)
    with pytest.raises(InvalidInputError, match=r"N: it takes a number from 0 on\."):
        line.value()


# -- examples --------------------------------------------------------------------------------


def test_that_examples_are_added_edited_and_removed(project, page, qtbot):
    click(qtbot, page.examples.add)
    assert project.job.stages[0].examples == ()  # an empty one is not sent
    qtbot.keyClicks(page.examples.boxes[0].user, "in")
    qtbot.keyClicks(page.examples.boxes[0].assistant, "out")
    assert [(one.user, one.assistant) for one in project.job.stages[0].examples] == [("in", "out")]
    assert "Example 1\nin" in rendered(page, qtbot)
    click(qtbot, page.examples.boxes[0].remove)
    assert project.job.stages[0].examples == ()


# -- practice server and runs ----------------------------------------------------------------


def test_that_faults_of_the_practice_server_are_chosen_and_a_run_is_started(project, page, qtbot):
    practice = page.model.practice
    assert practice.isVisibleTo(page)
    assert practice.findChildren(type(page.status))  # the words that it is no model
    retype(qtbot, practice.latency, "0.01")
    retype(qtbot, practice.rpm, "100000")
    choose(practice.add, "malformed")
    retype(qtbot, practice.faults[0].percent, "25")
    assert project.job.provider.practice == PracticeSpec(
        latency_s=0.01, rpm=100_000, faults={"malformed": 0.25}
    )
    gone: list[str] = []
    project.go_to.connect(gone.append)
    click(qtbot, page.go_on)
    assert gone == ["preview"]
    click(qtbot, page.run_all)
    assert gone == ["preview", "run"]
    assert project.job_version == 1
    project.engine.spin_until(lambda: ended(project), 60)
    summary = project.summary(project.run_id)
    assert summary.run.kind is RunKind.FULL
    assert summary.run.job == project.job
    assert summary.tasks == 30
    done = sum(summary.counts.get(state, 0) for state in (TaskState.PASSED, TaskState.REVIEW))
    assert done == 30
    assert sum(summary.failures.values()) > 0


def test_that_all_rows_are_run_and_the_edited_job_is_a_version_first(project, page, qtbot):
    page.texts.system.setPlainText("Another text.")
    assert page.run_all.text() == "Run all 30 rows"
    click(qtbot, page.run_all)
    project.engine.spin_until(lambda: ended(project), 60)
    assert versions(project) == [1]
    summary = project.summary(project.run_id)
    assert (summary.run.kind, summary.tasks) == (RunKind.FULL, 30)
    assert summary.run.job.stages[0].system == "Another text."
    assert page.head.subtitle.text() == "rows · version 1"


def test_that_the_filter_and_the_rows_that_it_leaves_are_shown(project, page, qtbot):
    qtbot.waitUntil(lambda: page.rows.count is not None)
    assert page.rows.result.text() == "30 of 30 rows are sent."
    assert page.run_all.toolTip() == ""
    retype(qtbot, page.rows.where, "label == 'yes' and id != 'r1'")
    assert page.run_all.text() == "Run all chosen rows"
    qtbot.waitUntil(lambda: page.rows.count is not None)
    left_out = "Left out: 16 do not match the filter."
    assert page.rows.result.text() == f"14 of 30 rows are sent. {left_out}"
    assert page.run_all.text() == "Run all 14 rows"
    assert page.run_all.toolTip() == left_out
    retype(qtbot, page.rows.where, "label == 'maybe'")
    qtbot.waitUntil(lambda: page.rows.count is not None)
    assert not page.run_all.isEnabled()
    assert page.run_all.toolTip().startswith("No row would be sent.")


def test_that_a_large_table_is_not_counted(project, page, qtbot, monkeypatch):
    monkeypatch.setattr(row_counter, "MOST_COUNTED", 29)
    retype(qtbot, page.rows.where, "label == 'yes'")
    assert page.rows.result.text() == "Not counted: 30 rows in all"
    assert page.run_all.text() == "Run all chosen rows"
    assert not page.rows.counter.timer.isActive()


def test_that_the_label_is_named_or_said_to_be_none_and_a_sent_one_is_warned_of(project, page):
    assert page.answer.label_note.text() == "The label column is “label”."  # as guessed
    label = project.job.data.model_copy(update={"label": None})
    project.edit_job(project.job.model_copy(update={"data": label}))
    assert page.answer.label_note.text().startswith("No label column chosen")
    label = project.job.data.model_copy(update={"label": "label"})
    project.edit_job(project.job.model_copy(update={"data": label}))
    page.texts.user.setPlainText("{{ text }} {{ label }}")
    assert page.answer.label_note.text() == (
        "The prompt sends the label column “label”, so the model sees the right answer."
    )


def test_that_the_added_row_key_is_explained(project, page, qtbot):
    assert "row_key: r1" in rendered(page, qtbot)
    assert page.sent.about_key.isVisibleTo(page)
    page.answer.mode.choose("text")
    page.answer.mode.edited.emit()
    assert "row_key" not in rendered(page, qtbot)
    assert not page.sent.about_key.isVisibleTo(page)


# -- saving ----------------------------------------------------------------------------------


def test_that_a_version_is_made_when_typing_rests_and_none_per_key(project, page, qtbot):
    page.saving._timer.setInterval(150)
    qtbot.keyClicks(page.texts.system, " and more words")
    assert versions(project) == []
    assert page.status.text() == "Changes are kept; a version is saved when you stop typing."
    qtbot.waitUntil(lambda: project.job_version == 1)
    assert versions(project) == [1]
    assert page.status.text() == "Everything is saved."
    page.saving.rest()
    qtbot.wait(250)
    assert versions(project) == [1]


def test_that_leaving_the_page_and_ctrl_s_save(project, page, qtbot):
    page.texts.system.setPlainText("one")
    page.hide()
    assert versions(project) == [1]
    page.show()
    page.texts.system.setPlainText("two")
    qtbot.keyClick(page.texts.system, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert versions(project) == [1]  # within minutes, and no run used it
    assert page.head.subtitle.text() == "rows · version 1"
    assert not page.save.isEnabled()


def test_that_closing_the_project_keeps_what_was_typed_a_moment_ago(project, page, qtbot):
    path = project.project_path
    page.texts.system.setPlainText("last words")
    assert versions(project) == []
    project.engine.start(project.close_project())
    assert page.empty.isVisibleTo(page)
    project.open(path)
    assert project.job.stages[0].system == "last words"
    assert page.texts.system.toPlainText() == "last words"


def test_that_without_a_table_the_page_says_what_to_do(desk, qtbot):
    page = shown(desk, qtbot)
    assert page.empty.isVisibleTo(page)
    gone: list[str] = []
    desk.go_to.connect(gone.append)
    click(qtbot, page.empty.button)
    assert gone == ["data"]


@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_that_the_page_fits_a_small_window(project, qtbot, language, code):
    language(code)
    page = shown(project, qtbot)
    hint = page.minimumSizeHint()
    assert hint.width() <= 1024 - 56
    assert hint.height() <= 700 - 44
