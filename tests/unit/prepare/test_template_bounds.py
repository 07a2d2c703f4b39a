"""No template or filter makes more text, steps or seconds than a prompt could need."""

import pytest

from batchdesk.errors import JobFileError
from batchdesk.prepare.template import RenderError, RowFilter, Template
from batchdesk.prepare.template_bounds import Budget, TooMuchError

CHARACTERS = "it fills in more than 10,000,000 characters"
WIDTH = "a width or count in it is more than 100,000"
ITEMS = "a list in it has more than 100,000 items"
RANGE = "`range` gives more than 10,000 numbers in all"
DIGITS = "a number in it has too many digits"
GROWS = "{%% set ns = namespace(x=%s) %%}{%% for i in range(60) %%}%s{%% endfor %%}{{ ns.x }}"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("{{ 'a' * 9999999999 }}", CHARACTERS),
        ("{{ 9999999999 * text }}", CHARACTERS),
        ("{{ [text] * 100001 }}", ITEMS),
        ("{{ ([text] * 90000) | join }}", CHARACTERS),
        ("{{ ([text] * 90000) | join(', ') }}", CHARACTERS),
        ("{{ ''.join([text] * 90000) }}", CHARACTERS),
        ("{{ 9 ** 99999999 }}", DIGITS),
        ("{{ ('a' * 99999) | replace('a', 'b' * 99999) }}", CHARACTERS),
        ("{{ ('a' * 99999).replace('a', 'b' * 99999) }}", CHARACTERS),
        ("{{ text | center(2000000000) }}", WIDTH),
        ("{{ 'a' | center(2000000000) }}", WIDTH),
        ("{{ text.center(2000000000) }}", CHARACTERS),
        ("{{ ('a' * 9999 + '\t' * 9999).expandtabs(99999) }}", CHARACTERS),
        ("{{ ('\n' * 99999) | indent(99999) }}", CHARACTERS),
        ("{{ text | wordwrap(1, wrapstring='-' * 9999) }}", CHARACTERS),
        ("{{ '%999999999d' | format(1) }}", CHARACTERS),
        ("{{ '%*d' | format(999999999, 1) }}", CHARACTERS),
        ("{{ '%.999999999f' % 1.0 }}", CHARACTERS),
        ("{{ '{:999999999}'.format(1) }}", CHARACTERS),
        ("{{ '{:{}}'.format(1, 999999999) }}", CHARACTERS),
        ("{{ [1] | batch(9999999999, 0) | list }}", WIDTH),
        ("{{ 1.5 | round(999999999, 'ceil') }}", WIDTH),
        ("{{ (1).to_bytes(99999999999, 'big') }}", CHARACTERS),
        ("{{ range(10001) | length }}", RANGE),
        ("{{ range(99999999999999999999999) }}", RANGE),
        ("{% for i in range(9999) %}{% for j in range(9999) %}{% endfor %}{% endfor %}", RANGE),
        (GROWS % ("'ab'", "{% set ns.x = ns.x ~ ns.x %}"), CHARACTERS),
        (GROWS % ("'ab'", "{% set ns.x = ns.x + ns.x %}"), CHARACTERS),
        (GROWS % ("'ab'", "{% set ns.x %}{{ ns.x }}{{ ns.x }}{% endset %}"), CHARACTERS),
        (GROWS % ("['ab']", "{% set ns.x = [ns.x, ns.x] %}"), ITEMS),
        ("{% for a in text %}{{ text * 99 }}{% endfor %}", CHARACTERS),
    ],
)
def test_that_a_template_that_makes_too_much_fails_the_row_with_a_sentence(source, reason):
    template = Template(source, ["text"], where="The user text")
    with pytest.raises(RenderError) as caught:
        template.render({"text": "x" * 3000})
    assert str(caught.value) == f"The user text cannot be filled in: {reason}."


@pytest.mark.parametrize(
    "source",
    [
        "{% for a in text %}{% for b in text %}{{ text | upper | length }}{% endfor %}{% endfor %}",
        "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(40) }}",
    ],
)
def test_that_a_template_without_end_is_stopped_after_two_seconds(source):
    template = Template(source, ["text"], where="The user text")
    with pytest.raises(RenderError) as caught:
        template.render({"text": "x" * 3000})
    assert str(caught.value) == "The user text cannot be filled in: it takes longer than 2 s."


def test_that_a_budget_ends_after_two_seconds_by_its_clock():
    now = [10.0]
    budget = Budget(lambda: now[0])
    now[0] = 12.0
    for _ in range(8):
        budget.tick()
    now[0] = 12.1
    for _ in range(7):
        budget.tick()
    with pytest.raises(TooMuchError):  # every eighth looks at the clock
        budget.tick()


def test_that_each_rendering_has_a_budget_of_its_own():
    template = Template("{{ range(9000) | length }}{{ text }}", ["text"], where="The user text")
    assert [template.render({"text": "a"}) for _ in range(3)] == ["9000a", "9000a", "9000a"]


def test_that_lorem_ipsum_is_no_part_of_the_language():
    with pytest.raises(JobFileError, match="names a column 'lipsum'"):
        Template("{{ lipsum(n=100000) }}", ["text"], where="The user text")


@pytest.mark.parametrize(
    ("source", "reason"),
    [("'a' * 9999999999 == text", CHARACTERS), ("range(20000) | length > 1 or text", RANGE)],
)
def test_that_a_filter_that_makes_too_much_says_so(source, reason):
    with pytest.raises(JobFileError) as caught:
        RowFilter(source, ["text"]).matches({"text": "x"})
    assert str(caught.value) == f"The filter `where` cannot be decided for a row: {reason}."


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{% for w in text.split() %}{{ loop.index }}/{{ loop.length }} {% endfor %}", "1/2 2/2 "),
        ("{{ ['a', 1, none] | join('|') }}", "a|1|None"),
        ("{{ 'x' ~ 1 ~ text }}", "x1ab cd"),
        ("{{ '%05d, %s' | format(3, text) }}", "00003, ab cd"),
        ("{{ '%s-20260101202601' % text }}", "ab cd-20260101202601"),
        ("{{ '{:>7}'.format(text) }}", "  ab cd"),
        ("{{ text | center(9) }}|{{ text.replace(' ', '') }}", "  ab cd  |abcd"),
        ("{{ 3 * 'ab' }}{{ 2 ** 10 }}{{ 7 % 4 }}{{ 1 + 2 }}{{ [1] + [2] }}", "ababab102433[1, 2]"),
        ("{{ text.split() | map('upper') | join(attribute='0') }}", "AC"),
    ],
)
def test_that_what_a_prompt_needs_works_as_ever(source, text):
    assert Template(source, ["text"], where="The user text").render({"text": "ab cd"}) == text
