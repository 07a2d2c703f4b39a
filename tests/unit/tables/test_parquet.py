"""Parquet is read as text and written with types."""

import datetime as dt
import decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from batchdesk.errors import TableError
from batchdesk.tables import open_reader, open_writer
from batchdesk.tables.base import ProblemKind


def test_that_every_type_has_its_usual_text(tmp_path):
    path = tmp_path / "t.parquet"
    stamp = dt.datetime(2024, 1, 2, 3, 4, 5)  # noqa: DTZ001 - a time without zone is meant
    table = pa.table(
        {
            "text": ["00123", None],
            "whole": [1, None],
            "number": [0.1, float("nan")],
            "money": [decimal.Decimal("1.50"), None],
            "stamp": pa.array([stamp, None], pa.timestamp("us")),
            "exact": pa.array([1_704_164_645_123_456_789, None], pa.timestamp("ns")),
            "day": [dt.date(2024, 1, 2), None],
            "yes": [True, False],
            "list": [[1, 2], None],
            "object": [{"x": 1, "y": "q"}, None],
            "bytes": [b"\xff", b"abc"],
            "kind": pa.array(["u", None]).dictionary_encode(),
        }
    )
    pq.write_table(table, path)
    reader = open_reader(path)
    assert reader.columns == table.column_names
    assert [cells for _, cells in reader.rows()] == [
        [
            "00123", "1", "0.1", "1.50", "2024-01-02 03:04:05", "2024-01-02 03:04:05.123456789",
            "2024-01-02", "true", "[1,2]", '{"x":1,"y":"q"}', "ff", "u",
        ],
        [None, None, "NaN", None, None, None, None, "false", None, None, "abc", None],
    ]  # fmt: skip
    assert reader.problem_counts == {ProblemKind.BINARY_CELL: 1}
    assert reader.progress() == 1.0


def test_that_written_columns_have_the_types_of_their_values(tmp_path):
    path = tmp_path / "t.parquet"
    columns = ["id", "whole", "number", "yes", "mixed", "nested", "empty"]
    with open_writer(path, columns) as writer:
        writer.write([{"id": "007", "whole": 7, "number": 1, "yes": True, "mixed": 1}])
        writer.write([{"number": 0.5, "mixed": "x", "nested": {"a": [1]}}])
    table = pq.read_table(path)
    assert [str(field.type) for field in table.schema] == [
        "string", "int64", "double", "bool", "string", "string", "string",
    ]  # fmt: skip
    assert table.to_pylist() == [
        {
            "id": "007",
            "whole": 7,
            "number": 1.0,
            "yes": True,
            "mixed": "1",
            "nested": None,
            "empty": None,
        },
        {
            "id": None,
            "whole": None,
            "number": 0.5,
            "yes": None,
            "mixed": "x",
            "nested": '{"a":[1]}',
            "empty": None,
        },
    ]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b"PAR1" + b"\xff" * 500 + b"PAR1", b"a,b\n1,2\n"])
def test_that_a_damaged_file_is_told(tmp_path, content):
    path = tmp_path / "t.parquet"
    path.write_bytes(content)
    with pytest.raises(TableError, match=r"t\.parquet cannot be read as Parquet"):
        open_reader(path)


def test_that_a_file_without_rows_is_told(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": pa.array([], pa.string())}), path)
    with pytest.raises(TableError, match="column names but no rows"):
        list(open_reader(path).rows())
