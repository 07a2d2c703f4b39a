"""JSON lists, whole or inside an object, are read item by item."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.errors import TableError
from batchdesk.tables import json_table, list_parts, open_reader
from batchdesk.tables.base import Part, ProblemKind, ReadOptions


def read(tmp_path, content: str, name: str = "t.json", **options):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    reader = open_reader(path, ReadOptions(**options))
    return reader, list(reader.rows())


def refusal(tmp_path, content: str, **options) -> str:
    with pytest.raises(TableError) as caught:
        read(tmp_path, content, **options)
    return str(caught.value)


def test_that_a_list_of_objects_gives_rows_with_their_lines(tmp_path):
    content = '[\n {"id": "001", "n": 1.50},\n {"id": null,\n  "more": [1, {"a": 2}]}\n]\n'
    reader, rows = read(tmp_path, content)
    assert reader.columns == ["id", "n", "more"]
    assert rows == [(2, ["001", "1.50"]), (3, [None, None, '[1,{"a":2}]'])]
    assert (reader.format.name, reader.problems) == ("json", [])


def test_that_the_list_of_an_object_is_found_and_a_second_one_named(tmp_path):
    content = '{"count": 2, "tags": ["x"], "data": [{"a": 1}, 7, {"a": 2}], "errors": [{"e": 1}]}'
    reader, rows = read(tmp_path, content)
    assert [cells for _, cells in rows] == [["1"], ["2"]]
    assert reader.format.table == "data"
    assert reader.problem_counts == {ProblemKind.NOT_AN_OBJECT: 1, ProblemKind.OTHER_TABLE: 1}
    reader, rows = read(tmp_path, content, table="errors")
    assert rows == [(1, ["1"])]
    assert "has no list 'nope' of objects" in refusal(tmp_path, content, table="nope")


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ('{"n": {"a": [{}]}, "a": [{"x": 1}], "tags": ["x"], "b": [ {"y": 2}, 7], "c": []}', "ab"),
        ('[{"a": [{"x": 1}]}, ', ""),
        ("{}", ""),
        ("7", ""),
    ],
)
def test_that_the_lists_of_an_object_can_be_chosen_from(tmp_path, content, names):
    path = tmp_path / "t.json"
    path.write_text(content, encoding="utf-8")
    assert list_parts(path) == [Part(name, "list") for name in names]


def test_that_a_list_before_the_chosen_one_may_be_larger_than_an_item(tmp_path, monkeypatch):
    monkeypatch.setattr(json_table, "ITEM_CHARACTERS_MAX", 1_000_000)
    large = json.dumps([{"a": "x" * 1000}] * 3000)
    content = f'{{"first": {large}, "wanted": [{{"b": 1}}], "last": {large}}}'
    reader, rows = read(tmp_path, content, table="wanted")
    assert (reader.columns, [cells for _, cells in rows]) == (["b"], [["1"]])
    assert [part.name for part in list_parts(tmp_path / "t.json")] == ["first", "wanted", "last"]


def test_that_a_mistake_among_the_lists_is_told(tmp_path):
    path = tmp_path / "t.json"
    path.write_text('{"a": [{"x": 1}],\n "b" [{"x": 1}]}', encoding="utf-8")
    with pytest.raises(TableError, match=r"t\.json is not JSON from line 2 on: a name and a colon"):
        list_parts(path)


def test_that_an_object_without_a_list_is_one_row(tmp_path):
    reader, rows = read(tmp_path, '{"a": 1, "b": {"c": 2}, "d": [3]}')
    assert reader.columns == ["a", "b", "d"]
    assert rows == [(1, ["1", '{"c":2}', "[3]"])]


@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
def test_that_nested_objects_become_columns_on_choice(tmp_path, name):
    line = '{"id": 1, "who": {"name": "Ann", "at": {"city": "Oslo"}, "none": {}}, "who.name": "B"}'
    content = f"[{line}]" if name == "t.json" else line + "\n"
    reader, rows = read(tmp_path, content, name, flatten=True)
    assert reader.columns == ["id", "who.name", "who.at.city", "who.none", "who.name (2)"]
    assert rows == [(1, ["1", "Ann", "Oslo", "{}", "B"])]
    assert reader.format.flatten


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('[{"a": 1},\n{"a": 2', "t.json is not JSON from line 2 on"),
        ('[{"a": 1},\n\n{"a" 2}]', "t.json is not JSON from line 3 on: Expecting ':' delimiter"),
        ('[{"a": 1} {"a": 2}]', "line 1 on: a comma or the end of the list is missing"),
        ('[{"a": 1}] x', "there is more after the end"),
        ('"text"', "holds no list of objects"),
        ("[]", "holds no list of objects"),
        ("[1, 2]", "holds no list of objects"),
        ("[" * 100_000, "has a value at line 1 that is nested deeper than 200 levels"),
        ('[{"a": "never closed', "Unterminated string"),
    ],
)
def test_that_a_mistake_is_told_with_its_line(tmp_path, content, sentence):
    assert sentence in refusal(tmp_path, content)


def test_that_an_object_nested_too_deeply_for_a_cell_is_reported(tmp_path):
    deep = "[" * 700 + "]" * 700
    reader, rows = read(tmp_path, f'[{{"a": 1}}, {{"a": {deep}}}, {{"a": 3}}]')
    assert [cells for _, cells in rows] == [["1"], ["3"]]
    assert reader.problem_counts == {ProblemKind.NESTED_TOO_DEEPLY: 1}


def test_that_as_many_levels_as_the_sentence_names_are_read(tmp_path):
    deep = '{"b":[' * 100 + "]}" * 100
    assert read(tmp_path, f'[{{"a": {deep}}}]')[1] == [(1, [deep])]


def test_that_an_item_longer_than_a_block_is_read(tmp_path):
    long = "x" * 700_000
    _, rows = read(tmp_path, json.dumps([{"a": long}, {"a": "y"}]))
    assert [cells for _, cells in rows] == [[long], ["y"]]


def test_that_a_mistake_in_a_large_file_is_found_without_reading_it_all(tmp_path, monkeypatch):
    monkeypatch.setattr(json_table, "ITEM_CHARACTERS_MAX", 1_000_000)
    content = '[{"a" 1},' + '{"a": "' + "x" * 3_000_000 + '"}]'
    assert "not JSON from line 1 on: Expecting ':' delimiter" in refusal(tmp_path, content)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.sampled_from("abc"), values, min_size=1), min_size=1), st.data())
def test_that_any_list_is_read_as_its_values_whatever_its_layout(tmp_path_factory, items, data):
    indent = data.draw(st.sampled_from([None, 0, 2]))
    path = tmp_path_factory.mktemp("json") / "t.json"
    path.write_text(json.dumps(items, indent=indent), encoding="utf-8")
    reader = open_reader(path)
    rows = [cells for _, cells in reader.rows()]
    assert len(rows) == len(items)
    for cells, item in zip(rows, items, strict=True):
        for column, cell in zip(reader.columns, cells, strict=False):
            value = item.get(column)
            if isinstance(value, str):
                assert cell == value.replace("\0", "")
            elif value is not None:
                assert json.loads(cell or "") == _without_nuls(value)
            else:
                assert cell is None


def _without_nuls(value):
    return json.loads(json.dumps(value).replace("\\u0000", "\\u0000"))
