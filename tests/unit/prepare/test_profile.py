"""Figures about a table: each by hand, bounded, and the same whatever the batches."""

from hypothesis import given
from hypothesis import strategies as st

from batchdesk.prepare import profile
from batchdesk.prepare.profile import Bin, ColumnFigures, Lengths, Profiler


def profiled(cells, **parts):
    made = Profiler(["a"], **parts)
    made.add((row, {"a": cell}) for row, cell in enumerate(cells, 1))
    return made.result()


def test_that_a_column_is_counted():
    figures = profiled(["x", None, "  ", "yy", "x", "x" * 7])
    assert (figures.rows, figures.tokens) == (6, None)
    assert figures.columns == (
        ColumnFigures(
            name="a",
            blanks=2,
            distinct=3,
            has_more=False,
            common=(("x", 2), ("yy", 1), ("xxxxxxx", 1)),
            characters=Lengths(
                bins=(Bin(1, 1, 2), Bin(2, 2, 1), Bin(3, 3, 0), Bin(4, 5, 0), Bin(6, 7, 1)),
                total=11,
                longest=((6, 7), (4, 2), (1, 1), (5, 1)),
            ),
        ),
    )


def test_that_a_missing_cell_is_blank_and_an_empty_table_has_no_bins():
    made = Profiler(["a", "b"])
    made.add([(1, {"a": "x"})])
    assert [column.blanks for column in made.result().columns] == [0, 1]
    assert Profiler(["a"]).result().columns[0].characters == Lengths()


def test_that_rows_are_counted_in_tokens_over_the_counted_columns_together():
    made = Profiler(
        ["a", "b", "c"],
        counted=["a", "b"],
        count_many=lambda texts: [len(text) for text in texts],
        limit=3,
    )
    made.add(
        [(1, {"a": "xx", "b": "y", "c": "zzzz"}), (2, {"a": "xx", "b": "yy"}), (3, {"a": None})]
    )
    assert made.result().tokens == Lengths(
        bins=(Bin(0, 0, 1), Bin(1, 1, 0), Bin(2, 2, 0), Bin(3, 3, 1), Bin(4, 5, 1)),
        total=7,
        longest=((2, 4), (1, 3), (3, 0)),
        over=1,
    )


def test_that_too_many_distinct_values_are_said_and_not_kept(monkeypatch):
    monkeypatch.setattr(profile, "DISTINCT_KEPT", 3)
    column = profiled(["a", "b", "c", "a", "d", "e"]).columns[0]
    assert (column.distinct, column.has_more, column.common) == (3, True, ())
    assert profiled(["a", "b", "c", "a"]).columns[0].has_more is False


def test_that_long_values_are_counted_but_not_shown():
    column = profiled(["x" * 201, "x" * 201, "y"]).columns[0]
    assert (column.distinct, column.common) == (2, (("y", 1),))


def test_that_few_longest_rows_are_kept_the_first_of_equals_first():
    column = profiled(["x" * (n % 50 + 1) for n in range(1000)]).columns[0]
    assert len(column.characters.longest) == 20
    assert column.characters.longest[:3] == ((50, 50), (100, 50), (150, 50))


@given(st.lists(st.one_of(st.none(), st.text(max_size=40)), max_size=60), st.integers(1, 7))
def test_that_figures_add_up_whatever_the_parts(cells, size):
    rows = [(row, {"a": cell}) for row, cell in enumerate(cells)]
    made = Profiler(["a"])
    for start in range(0, len(rows), size):
        made.add(rows[start : start + size])
    whole = Profiler(["a"])
    whole.add(rows)
    figures = made.result()
    assert figures == whole.result()
    (column,) = figures.columns
    filled = [cell for cell in cells if cell and cell.strip()]
    assert column.blanks == len(cells) - len(filled)
    assert column.distinct == len(set(filled))
    assert sum(part.count for part in column.characters.bins) == len(filled)
    assert column.characters.total == sum(map(len, filled))
    for before, after in zip(column.characters.bins, column.characters.bins[1:], strict=False):
        assert after.least == before.most + 1
