"""A job file's mistakes: one sentence that names the key, the line, the place and what is right."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.job import Job
from batchdesk.errors import JobFileError
from batchdesk.session.job_file import parse_job, read_job_file
from batchdesk.session.job_lines import line_of

HERE = Path("folder")
STAGE = 'name = "j"\n[[stages]]\nname = "s"\nuser = "u"\n'  # four lines


def refusal(text: str) -> str:
    with pytest.raises(JobFileError) as caught:
        parse_job(text, "job.toml", HERE)
    return str(caught.value)


def test_that_the_smallest_job_has_the_documented_defaults():
    job = parse_job(STAGE, "job.toml", HERE)
    assert (job.name, job.stages[0].user, job.data.path) == ("j", "u", None)
    assert (job.limits.attempts_max, job.limits.deadline_s, job.provider.preset) == (
        5,
        3600.0,
        "openai-compatible",
    )


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("rows.csv", Path("folder/rows.csv")),
        ("../a b/表.csv", Path("folder/../a b/表.csv")),
        ("/data/rows.csv", Path("/data/rows.csv")),
    ],
)
def test_that_the_data_path_is_relative_to_the_job_file(written, path):
    assert parse_job(f'{STAGE}[data]\npath = "{written}"', "job.toml", HERE).data.path == path


def test_that_every_part_of_a_job_is_read():
    job = parse_job(
        STAGE
        + """
checks = [
  { kind = "labels", field = "mood", allowed = ["up", "down"], synonyms = { high = "up" } },
  { kind = "required", fields = ["mood"] },
  { kind = "confidence", at_least = 0.5 },
]
[stages.output]
type = "object"
[provider]
api_key_env = "MY_KEY_2"
[provider.practice]
latency_s = 0
faults = { rate_limited = 0.1 }
[limits]
rpm = 60
""",
        "job.toml",
        HERE,
    )
    assert [check.kind for check in job.stages[0].checks] == ["labels", "required", "confidence"]
    assert job.stages[0].output == {"type": "object"}
    assert (job.provider.api_key_env, job.provider.practice.faults, job.limits.rpm) == (
        "MY_KEY_2",
        {"rate_limited": 0.1},
        60.0,
    )


# -- no TOML -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "line", "key"),
    [
        ('[stages.output]\nproperties = { 情感 = { type = "string" } }', 6, "情感"),
        ("[stages.output.properties.情感]", 5, "情感"),
        ("情感 = 1", 5, "情感"),
        ("naïve-1 = 1", 5, "naïve-1"),
        ("a = { x = 1, 情感 = 2 }\r\n", 5, "情感"),
    ],
)
def test_that_a_name_that_needs_quotes_is_told_so(written, line, key):
    assert refusal(STAGE + written) == (
        f"job.toml, line {line}: the name {key} needs quotes, for it has other characters than A "
        f'to Z, a to z, 0 to 9, - and _: write "{key}".'
    )


@pytest.mark.parametrize("written", ["my key = 1", "a = 情感", "a = “x”"])
def test_that_other_mistakes_of_toml_are_in_the_parsers_words(written):
    assert refusal(STAGE + written).startswith("job.toml is not valid TOML: ")


# -- unknown keys, at every level ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "nmae = 1\n" + STAGE,
            "job.toml, line 1: 'nmae' is not a key of the top level. Did you mean 'name'?",
        ),
        (
            'name = "j"\n\n[[stage]]\nname = "s"\nuser = "u"\n',
            "job.toml, line 3: 'stage' is not a key of the top level. Did you mean 'stages'?",
        ),
        (
            STAGE + "[limit]\nrpm = 1",
            "job.toml, line 5: 'limit' is not a key of the top level. Did you mean 'limits'?",
        ),
        (
            STAGE + 'usr = "x"',
            "job.toml, line 5: 'usr' is not a key of [stages 1]. Did you mean 'user'?",
        ),
        (
            STAGE + "Temperature = 0",
            "job.toml, line 5: 'Temperature' is not a key of [stages 1]. Did you mean 'temperature'?",
        ),
        (
            STAGE + "[limits]\nconcurency = 5",
            "job.toml, line 6: 'concurency' is not a key of [limits]. Did you mean 'concurrency'?",
        ),
        (
            STAGE + "[provider.practice]\nlatency = 1",
            "job.toml, line 6: 'latency' is not a key of [provider.practice]. Did you mean 'latency_s'?",
        ),
        (
            STAGE + "[provider]\npractice = { rmp = 1 }",
            "job.toml, line 6: 'rmp' is not a key of [provider.practice]. Did you mean 'rpm'?",
        ),
        (
            STAGE + "[data]\nzzzz = 1",
            "job.toml, line 6: 'zzzz' is not a key of [data]. Known there: chunk_column, chunk_overlap, chunk_tokens, encoding, flatten, header_row, key, label, path, separator, sheet, table, where.",
        ),
        (
            STAGE + '[[stages.examples]]\nuser = "a"\nassistent = "b"',
            "job.toml, line 7: 'assistent' is not a key of [stages 1.examples 1]. Did you mean 'assistant'?",
        ),
        (
            STAGE + '[[stages.checks]]\nkind = "labels"\nfield = "x"\nallow = ["a"]',
            "job.toml, line 8: 'allow' is not a key of [stages 1.checks 1]. Did you mean 'allowed'?",
        ),
        (
            STAGE
            + '[[stages.checks]]\nkind = "required"\nfields = ["x"]\n[[stages.checks]]\nkind = "confidence"\natleast = 1',
            "job.toml, line 10: 'atleast' is not a key of [stages 1.checks 2]. Did you mean 'at_least'?",
        ),
        (
            STAGE
            + 'checks = [\n  { kind = "labels", field = "x", allowed = ["a"] },\n  { kind = "required", field = "x" },\n]',
            "job.toml, line 6: 'field' is not a key of [stages 1.checks 2]. Did you mean 'fields'?",
        ),
        (
            STAGE + '[[stages.checks]]\nkind = "required"\nallowed = ["x"]',
            "job.toml, line 7: 'allowed' is not a key of [stages 1.checks 1]. Known there: fields, kind.",
        ),
        (
            STAGE + 'provider = { modle = "m" }',
            "job.toml, line 5: 'provider' is not a key of [stages 1]. Known there: answer_field, checks, echo_key, examples, max_tokens, n, name, output, seed, slow_note, stream, system, temperature, top_p, user.",
        ),
        (
            STAGE + '[provider]\napi_key = "sk-1234567890"',
            "job.toml, line 6: 'api_key' is not a key of [provider]. Did you mean 'api_key_env'?",
        ),
        (
            STAGE + 'provider.modle = "m"',
            "job.toml, line 5: 'provider' is not a key of [stages 1]. Known there: answer_field, checks, echo_key, examples, max_tokens, n, name, output, seed, slow_note, stream, system, temperature, top_p, user.",
        ),
        (
            'name = "j"\n[provder.practice]\nseed = 1\n[[stages]]\nname = "s"\nuser = "u"',
            "job.toml, line 2: 'provder' is not a key of the top level. Did you mean 'provider'?",
        ),
        (
            'name = "j"\nlimits.rmp = 3\n[[stages]]\nname = "s"\nuser = "u"',
            "job.toml, line 2: 'rmp' is not a key of [limits]. Did you mean 'rpm'?",
        ),
    ],
)
def test_that_an_unknown_key_is_named_with_line_place_and_the_right_one(text, sentence):
    assert refusal(text) == sentence


def test_that_the_line_is_that_of_the_very_key_not_of_a_namesake():
    text = '''name = "rpm"
[provider.practice]
rpm = 5
[[stages]]
name = "s"
system = """
rpm = 1
[limits]
"""
user = "rpm = 2"
[limits]
# rpm = 7
rpm = "many"
'''
    assert refusal(text) == "job.toml, line 13: 'rpm' in [limits]: it takes a number."


# -- missing keys -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "job.toml: the top level needs a key 'name'."),
        ('name = "j"', "job.toml: the top level needs a key 'stages'."),
        ('name = "j"\n[[stages]]\nname = "s"', "job.toml, line 2: [stages 1] needs a key 'user'."),
        (
            STAGE + '[[stages.checks]]\nkind = "labels"\nfield = "x"',
            "job.toml, line 5: [stages 1.checks 1] needs a key 'allowed'.",
        ),
        (
            STAGE + '[[stages.checks]]\nfield = "x"',
            "job.toml, line 5: [stages 1.checks 1] needs a key 'kind'.",
        ),
        (
            STAGE + '[[stages.examples]]\nuser = "x"',
            "job.toml, line 5: [stages 1.examples 1] needs a key 'assistant'.",
        ),
    ],
)
def test_that_a_missing_key_is_named_with_its_place(text, sentence):
    assert refusal(text) == sentence


# -- wrong values -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "name = 5\n" + STAGE[len('name = "j"\n') :],
            "job.toml, line 1: 'name' in the top level: it takes text in quotes.",
        ),
        (
            'name = ""\n' + STAGE[len('name = "j"\n') :],
            "job.toml, line 1: 'name' in the top level: it must not be empty.",
        ),
        (
            'name = "j"\nstages = []',
            "job.toml, line 2: 'stages' in the top level: it must not be empty.",
        ),
        (
            'name = "j"\n[stages]\nname = "s"\nuser = "u"',
            "job.toml, line 2: write [[stages]] with two brackets on each side; every such table is one stage.",
        ),
        ("limits = 5\n" + STAGE, "job.toml, line 1: 'limits' in the top level: it takes a table."),
        (
            STAGE + 'max_tokens = "many"',
            "job.toml, line 5: 'max_tokens' in [stages 1]: it takes a whole number.",
        ),
        (
            STAGE + "max_tokens = 1.5",
            "job.toml, line 5: 'max_tokens' in [stages 1]: it takes a whole number.",
        ),
        (
            STAGE + 'stream = "perhaps"',
            "job.toml, line 5: 'stream' in [stages 1]: it takes true or false.",
        ),
        (
            STAGE + "temperature = 3",
            "job.toml, line 5: 'temperature' in [stages 1]: it must be less than or equal to 2.",
        ),
        (
            STAGE + "temperature = nan",
            "job.toml, line 5: 'temperature' in [stages 1]: it takes a number with an end.",
        ),
        (
            STAGE + "[limits]\ndeadline_s = inf",
            "job.toml, line 6: 'deadline_s' in [limits]: it takes a number with an end.",
        ),
        (
            STAGE + "[limits]\nbatch_size = 0",
            "job.toml, line 6: 'batch_size' in [limits]: it must be greater than or equal to 1.",
        ),
        (STAGE + "output = true", "job.toml, line 5: 'output' in [stages 1]: it takes a table."),
        (
            STAGE + "[stages.output]\ndefault = 2024-01-01",
            "job.toml, line 5: 'output' in [stages 1]: it holds a date, a time or a number without an end, which JSON does not have; write it as text in quotes.",
        ),
        (
            STAGE + "checks = 5",
            "job.toml, line 5: 'checks' in [stages 1]: it takes a list in [brackets].",
        ),
        (
            STAGE + '[[stages.checks]]\nkind = "labels"\nfield = "x"\nallowed = "a"',
            "job.toml, line 8: 'allowed' in [stages 1.checks 1]: it takes a list in [brackets].",
        ),
        (
            STAGE + '[[stages.checks]]\nkind = "labels"\nfield = "x"\nallowed = ["a", 1]',
            "job.toml, line 8: [stages 1.checks 1.allowed 2]: it takes text in quotes.",
        ),
        (
            STAGE + '[[stages.checks]]\nkind = "label"',
            "job.toml, line 5: 'label' is not a kind of check in [stages 1.checks 1]. Did you mean 'labels'?",
        ),
        (
            STAGE + '[[stages.checks]]\nkind = "xyz"',
            "job.toml, line 5: 'xyz' is not a kind of check in [stages 1.checks 1]. Known kinds: confidence, labels, required.",
        ),
        (
            STAGE
            + '[[stages.checks]]\nkind = "labels"\nfield = "x"\nallowed = ["a"]\nsynonyms = { b = "c" }',
            "job.toml, line 5: [stages 1.checks 1]: the synonym 'b' leads to 'c', which is not allowed.",
        ),
        (
            STAGE + '[[stages.checks]]\nkind = "confidence"\nsource = "field"\nat_least = 0.5',
            'job.toml, line 5: [stages 1.checks 1]: a confidence check with source = "field" needs field = "…".',
        ),
        (
            STAGE + '[data]\nseparator = "||"',
            "job.toml, line 6: 'separator' in [data]: String should have at most 1 character.",
        ),
        (
            STAGE + "[provider.practice.faults]\nrate_limited = 2",
            "job.toml, line 6: 'rate_limited' in [provider.practice.faults]: it must be less than or equal to 1.",
        ),
        (
            STAGE + '[provider]\nstructured_output = "yes"',
            "job.toml, line 6: 'structured_output' in [provider]: it must be 'json_schema', 'json_object' or 'instruction'.",
        ),
    ],
)
def test_that_a_wrong_value_is_named_with_line_place_and_what_would_be_right(text, sentence):
    assert refusal(text) == sentence


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-abc123",
        "sk_live_abc",
        "0123456789abcdef0123456789abcdef",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "abc.def",
        "my key",
        "A" * 65,
        "9LIVES",
    ],
)
def test_that_a_key_in_place_of_a_variable_is_refused_without_showing_it(key):
    sentence = refusal(f'{STAGE}[provider]\napi_key_env = "{key}"')
    assert (
        sentence
        == "job.toml, line 6: 'api_key_env' in [provider]: it takes the name of an environment variable, not a key itself."
    )


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "KEY2", "my_key", "_K", "DEEPSEEK_API_KEY_FOR_TEAM_2024"]
)
def test_that_names_of_variables_are_taken(name):
    assert (
        parse_job(f'{STAGE}[provider]\napi_key_env = "{name}"', "j", HERE).provider.api_key_env
        == name
    )


# -- the file itself ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name = ", "(at end of document)."),
        ('name = "j\n', "(at line 1, column 10)."),
        ("a = 1\na = 2\n", "(at line 2, column 6)."),
    ],
)
def test_that_a_slip_in_the_toml_is_told_with_its_place(text, place):
    sentence = refusal(text)
    assert sentence.startswith("job.toml is not valid TOML: ")
    assert sentence.endswith(place)


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a = " + "9" * 5000])
def test_that_toml_beyond_measure_is_a_sentence_too(text):
    assert refusal(text).startswith("job.toml is not valid TOML: ")


def test_that_two_stages_are_refused_with_what_to_do():
    assert refusal(STAGE + '[[stages]]\nname = "t"\nuser = "v"') == (
        "job.toml has 2 stages; this version of Batchdesk runs jobs of one stage. Put each stage into a job of its own."
    )


def test_that_a_file_with_a_byte_order_mark_is_read(tmp_path: Path):
    path = tmp_path / "作业.toml"
    path.write_bytes(
        b"\xef\xbb\xbf" + STAGE.replace('"u"', '"请评价"').replace("\n", "\r\n").encode()
    )
    assert read_job_file(path).stages[0].user == "请评价"


def test_that_a_file_that_is_not_utf8_says_so(tmp_path: Path):
    path = tmp_path / "job.toml"
    path.write_bytes(STAGE.replace('"u"', '"请"').encode("gb18030"))
    with pytest.raises(JobFileError) as caught:
        read_job_file(path)
    assert str(caught.value) == f"The job file {path} cannot be read: it is not UTF-8 text."


def test_that_a_missing_file_and_a_folder_say_so(tmp_path: Path):
    with pytest.raises(JobFileError) as caught:
        read_job_file(tmp_path / "no.toml")
    assert str(caught.value) == f"There is no job file {tmp_path / 'no.toml'}."
    with pytest.raises(JobFileError, match=re.escape(f"The job file {tmp_path} cannot be read: ")):
        read_job_file(tmp_path)


def test_that_braces_in_a_file_are_text_in_its_sentence():
    assert refusal('"{name}" = 1\n' + STAGE).startswith(
        "job.toml, line 1: '{name}' is not a key of the top level."
    )


# -- properties ---------------------------------------------------------------------------------

toml_values: st.SearchStrategy[Any] = st.sampled_from(
    [
        "1",
        "-1",
        "0.5",
        "nan",
        "true",
        '"x"',
        "[]",
        "[1]",
        "{}",
        "{ x = 1 }",
        "2024-01-01",
        "[[1], {}]",
    ]
)


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "name",
                "data",
                "provider",
                "stages",
                "limits",
                "x",
                "stages.0",
                "limits.rpm",
                "data.path",
                "provider.practice.seed",
                '"k v"',
            ]
        ),
        toml_values,
        max_size=4,
    )
)
def test_that_any_toml_is_a_job_or_a_sentence_about_the_file(settings):
    text = "\n".join(f"{key} = {value}" for key, value in settings.items())
    try:
        made: Job | str = parse_job(text, "job.toml", HERE)
    except JobFileError as error:
        made = str(error)
    assert isinstance(made, Job) or (made.startswith("job.toml") and made.endswith((".", "?")))


@given(st.text(max_size=80) | st.text("[]{}=\"'.,#\n abc1", max_size=60))
def test_that_any_text_at_all_is_a_sentence(text):
    assert refusal(text).startswith("job.toml")


@given(
    st.lists(
        st.sampled_from(
            ["", "# x = 1", 'y = "x = 1"', 'z = """\nx = 1\n"""', "w = [\n  1,\n]", "v = { x = 1 }"]
        ),
        unique=True,
    )
)
def test_that_a_key_is_found_on_the_line_where_it_is_set(before):
    text = "\n".join([*before, "x = 1"])
    assert line_of(text, ("x",)) == len(text.splitlines())


def test_that_a_key_of_an_inline_table_is_not_looked_for_above_its_table():
    text = STAGE + 'system = """\n{ rmp = 1 }\n"""\n[provider]\npractice = { rmp = 1 }'
    assert refusal(text) == (
        "job.toml, line 9: 'rmp' is not a key of [provider.practice]. Did you mean 'rpm'?"
    )


def test_that_a_limit_that_would_wait_for_ever_is_refused():
    assert refusal(STAGE + "[limits]\nrpm = 1e-9") == (
        "job.toml, line 6: 'rpm' in [limits]: it must be greater than or equal to 0.1."
    )


def test_that_a_file_of_very_many_brackets_is_nested_too_deeply():
    with pytest.raises(JobFileError) as caught:
        parse_job("a = " + "[" * 100_000, "job.toml", Path())
    assert str(caught.value) == "job.toml is not valid TOML: it is nested too deeply."
