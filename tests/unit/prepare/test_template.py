"""Templates and filters: columns by any name, errors when made, nothing evaluated that is data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.errors import JobFileError
from batchdesk.prepare.template import RenderError, RowFilter, Template, is_blank

COLUMNS = ["text", "stars", "Review Text", "评论", "order-id"]
WHERE = "The user text of stage 'x'"


def render(source: str, cells: dict[str, str | None], columns: list[str] | None = None) -> str:
    return Template(source, columns or list(cells), where=WHERE).render(cells)


def refusal(source: str, columns: list[str] | None = None) -> str:
    with pytest.raises(JobFileError) as caught:
        Template(source, columns or COLUMNS, where=WHERE)
    return str(caught.value)


@pytest.mark.parametrize(
    ("source", "text", "used"),
    [
        ("Say: {{ text }}!", "Say: good!", {"text"}),
        ("{{ 评论 }}", "很好", {"评论"}),
        ('{{ row["Review Text"] }}', "long", {"Review Text"}),
        ("{{ row['order-id'] }}", "7", {"order-id"}),
        ("{{ row.text }}", "good", {"text"}),
        ("no columns\n", "no columns\n", set()),
        (
            "{% if stars | int > 3 %}{{ text }}{% else %}{{ 评论 }}{% endif %}",
            "good",
            {"stars", "text", "评论"},
        ),
        (
            "{% for word in row['Review Text'].split('n') %}[{{ word }}]{% endfor %}",
            "[lo][g]",
            {"Review Text"},
        ),
        ("{% set word = text | upper %}{{ word }}", "GOOD", {"text"}),
        ("{% for i in range(2) %}{{ i }}{{ loop.last }} {% endfor %}", "0False 1True ", set()),
        ("{% macro m(a) %}<{{ a }}>{% endmacro %}{{ m(text) }}", "<good>", {"text"}),
        (
            "{% for name, cell in row.items() %}{{ name }}={{ cell }};{% endfor %}",
            "text=good;stars=4;Review Text=long;评论=很好;order-id=7;",
            set(COLUMNS),
        ),
        ("{% for name in ['text', '评论'] %}{{ row[name] }}{% endfor %}", "good很好", set(COLUMNS)),
    ],
)
def test_that_columns_are_filled_in_and_known(source, text, used):
    template = Template(source, COLUMNS, where=WHERE)
    cells = {"text": "good", "stars": "4", "Review Text": "long", "评论": "很好", "order-id": "7"}
    assert (template.render(cells), template.used) == (text, used)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            "{{ txt }}",
            "The user text of stage 'x' names a column 'txt' that the table does not have. Did you mean 'text'?",
        ),
        (
            "{{ TEXT }}",
            "The user text of stage 'x' names a column 'TEXT' that the table does not have. Did you mean 'text'?",
        ),
        (
            "{{ 评价 }}",
            "The user text of stage 'x' names a column '评价' that the table does not have. Did you mean '评论'?",
        ),
        (
            '{{ row["Review text"] }}',
            "The user text of stage 'x' names a column 'Review text' that the table does not have. Did you mean row[\"Review Text\"]?",
        ),
        (
            "{{ order_id }}",
            "The user text of stage 'x' names a column 'order_id' that the table does not have. Did you mean row[\"order-id\"]?",
        ),
        (
            "{{ zzz }}",
            "The user text of stage 'x' names a column 'zzz' that the table does not have. It has: text, stars, Review Text, 评论, order-id.",
        ),
        (
            "{{ Review Text }}",
            "The user text of stage 'x' is not a valid template, line 1: expected token 'end of print statement', got 'Text'. Write row[\"Review Text\"] for the column 'Review Text'.",
        ),
        (
            "a\n{{ text",
            "The user text of stage 'x' is not a valid template, line 2: unexpected end of template, expected 'end of print statement'.",
        ),
        (
            "{{ text | uper }}",
            "The user text of stage 'x' is not a valid template, line 1: No filter named 'uper'.",
        ),
        (
            "{% if text is blak %}{% endif %}",
            "The user text of stage 'x' is not a valid template, line 1: No test named 'blak'.",
        ),
        (
            "{{ fenced.评论 }}",
            "The user text of stage 'x' says `fenced` without the column in parentheses. Write {{ fenced(评论) }}.",
        ),
        (
            "{{ fenced }}",
            "The user text of stage 'x' says `fenced` without the column in parentheses. Write {{ fenced(text) }}.",
        ),
        (
            '{{ fenced["Review Text"] }}',
            "The user text of stage 'x' says `fenced` without the column in parentheses. Write {{ fenced(row[\"Review Text\"]) }}.",
        ),
        (
            "{% include 'a' %}",
            "The user text of stage 'x' includes, imports or extends another template; it must stand alone.",
        ),
        (
            "{{ row.__class__ }}",
            "The user text of stage 'x' names a column '__class__' that the table does not have. It has: text, stars, Review Text, 评论, order-id.",
        ),
    ],
)
def test_that_a_wrong_template_is_refused_with_the_way_out(source, sentence):
    assert refusal(source) == sentence


def test_that_a_table_of_many_columns_is_listed_in_part():
    assert refusal("{{ zzz }}", [f"c{i}" for i in range(30)]).endswith(
        "It has: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, … (30 in all)."
    )


def test_that_an_empty_cell_is_blank_text_even_under_filters():
    assert (
        render(
            "[{{ a }}|{{ a | upper }}|{{ a ~ '!' }}|{{ a | length }}|{{ a or 'none' }}]",
            {"a": None},
        )
        == "[||!|0|none]"
    )


@pytest.mark.parametrize(
    "evil",
    [
        "{{ 7 * 7 }}",
        "{% for x in y %}",
        "{{ row.__class__ }}",
        "{# gone #}",
        "{{ text }}",
        "%}",
        "}}{{",
    ],
)
def test_that_a_cell_is_data_whatever_it_says(evil):
    assert (
        render("<{{ text }}> <{{ row['text'] }}> <{{ text | trim }}>", {"text": evil})
        == f"<{evil}> <{evil}> <{evil}>"
    )


@given(st.text())
def test_that_any_cell_comes_through_unchanged(cell):
    assert render("a{{ text }}b", {"text": cell}) == f"a{cell}b"


@given(
    st.text(min_size=1).filter(
        lambda name: "\\" not in name and '"' not in name and "\n" not in name and "\r" not in name
    )
)
def test_that_a_column_of_any_name_can_be_used(name):
    assert render(f'{{{{ row["{name}"] }}}}', {name: "cell"}) == "cell"


@pytest.mark.parametrize(
    "source",
    [
        "{{ text.__class__ }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ text['__class__'] }}",
        "{{ row['text'].__class__.__base__.__subclasses__() }}",
        "{{ text.format.__globals__ }}",
        "{{ '{0.__class__}'.format(text) }}",
        "{{ range.__init__ }}",
    ],
)
def test_that_the_sandbox_lets_no_template_out(source):
    template = Template(source, ["text"], where=WHERE)
    with pytest.raises(RenderError):
        template.render({"text": "x"})


def test_that_a_row_cannot_be_changed_by_a_template():
    cells: dict[str, str | None] = {"text": "x"}
    template = Template(
        "{% set gone = row.get('text') %}{{ gone }}{{ row.pop('text') }}",
        ["text", "pop"],
        where=WHERE,
    )
    with pytest.raises(RenderError):
        template.render(cells)
    assert cells == {"text": "x"}


def test_that_a_template_may_fail_for_one_row_and_says_why():
    template = Template("{{ 10 // (stars | int) }}", ["stars"], where=WHERE)
    assert template.render({"stars": "3"}) == "3"
    with pytest.raises(RenderError) as caught:
        template.render({"stars": "none"})
    assert (
        str(caught.value)
        == "The user text of stage 'x' cannot be filled in: integer division or modulo by zero."
    )


def test_that_a_column_chosen_by_another_cell_must_exist():
    template = Template("{{ row[text] }}", ["text", "stars"], where=WHERE)
    assert template.render({"text": "stars", "stars": "5"}) == "5"
    with pytest.raises(RenderError):
        template.render({"text": "moons", "stars": "5"})


def test_that_a_column_called_row_is_written_out():
    assert render('{{ row["row"] }}', {"row": "7", "text": "x"}) == "7"
    assert refusal("{{ row }}", ["row", "text"]) == (
        "The user text of stage 'x' says `row`, which means the whole row here, but the table has a column of that "
        'name. Write row["row"] for the column.'
    )


@pytest.mark.parametrize(
    "name", ["items", "keys", "values", "get", "pop", "copy", "range", "dict", "loop", "text"]
)
def test_that_a_column_wins_over_a_name_of_the_template_language(name):
    template = Template(f"{{{{ {name} }}}} {{{{ row.{name} }}}}", [name], where=WHERE)
    assert template.render({name: "cell"}) == "cell cell"
    assert template.used == {name}


# -- filters ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "cells", "wanted"),
    [
        ('stars | int > 3 and text == "good"', {"stars": "4", "text": "good"}, True),
        ("stars | int > 3", {"stars": "10"}, True),
        ("stars | int > 3", {"stars": None}, False),
        ("stars | int > 3", {"stars": "many"}, False),
        ("text | length > 3", {"text": None}, False),
        ('row["Review Text"]', {"Review Text": ""}, False),
        ('row["Review Text"]', {"Review Text": "0"}, True),
        ('"好" in 评论', {"评论": "很好"}, True),
        ("text is eq 'a' or text in ['b']", {"text": "b"}, True),
        ("not text", {"text": None}, True),
    ],
)
def test_that_a_filter_chooses_rows(source, cells, wanted):
    assert RowFilter(source, list(cells)).matches(cells) is wanted


def test_that_a_filter_knows_its_columns():
    assert RowFilter("stars | int > 3 or row['评论']", COLUMNS).used == {"stars", "评论"}


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            "star | int > 3",
            "The filter `where` names a column 'star' that the table does not have. Did you mean 'stars'?",
        ),
        ("text ==", "The filter `where` is not a valid condition: unexpected 'end of template'."),
        (
            "text }} {{ stars",
            "The filter `where` is not a valid condition: chunk after expression.",
        ),
        ("text | uper", "The filter `where` is not a valid condition: No filter named 'uper'."),
        (
            "Review Text == 'x'",
            "The filter `where` is not a valid condition: chunk after expression. Write row[\"Review Text\"] for the column 'Review Text'.",
        ),
    ],
)
def test_that_a_wrong_filter_is_refused(source, sentence):
    with pytest.raises(JobFileError) as caught:
        RowFilter(source, COLUMNS)
    assert str(caught.value) == sentence


def test_that_a_filter_that_compares_text_with_a_number_says_how_to():
    with pytest.raises(JobFileError) as caught:
        RowFilter("stars > 3", ["stars"]).matches({"stars": "4"})
    assert str(caught.value) == (
        "The filter `where` cannot be decided for a row: '>' not supported between instances of 'str' and 'int'. "
        "Cells are text: write `stars | int > 3` to compare numbers."
    )


@pytest.mark.parametrize(
    ("cells", "used", "blank"),
    [
        ({"a": None, "b": " \t\u3000\n"}, {"a", "b"}, True),
        ({"a": None, "b": "0"}, {"a", "b"}, False),
        ({"a": "", "b": "x"}, {"a"}, True),
        ({}, {"a"}, True),
        ({"a": ""}, set(), False),
    ],
)
def test_that_a_row_is_blank_when_all_that_the_prompt_uses_is(cells, used, blank):
    assert is_blank(cells, used) is blank


@pytest.mark.parametrize("depth", [300, 3000])
def test_that_a_template_or_filter_of_very_many_parentheses_is_refused(depth):
    source = "(1 + " * depth + "1" + ")" * depth
    assert refusal("{{ " + source + " }}") == f"{WHERE} is nested too deeply. Make it flatter."
    with pytest.raises(JobFileError, match="The filter `where` is nested too deeply"):
        RowFilter(source, COLUMNS)


def test_that_half_a_character_in_a_template_fails_the_row_with_a_sentence():
    with pytest.raises(RenderError, match=r"cannot be filled in: .*surrogates not allowed"):
        render(r"{{ '\ud800' }}{{ text }}", {"text": "x"})
