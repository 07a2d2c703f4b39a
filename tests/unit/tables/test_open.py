"""Opening by suffix, and a sentence for everything that is no table."""

import errno
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.permissions import bound

from batchdesk.errors import TableError
from batchdesk.tables import open_reader, open_writer, source
from batchdesk.tables.base import ReadOptions
from batchdesk.tables.delimited import DelimitedReader


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("t.csv", "a,b\n1,2\n", "csv"),
        ("t.CSV", "a;b\n1;2\n", "csv"),
        ("t.tsv", "a\tb\n1\t2\n", "tsv"),
        ("t.tab", "a\n1\n", "tsv"),
        ("t.txt", "a|b\n1|2\n", "csv"),
        ("t.txt", "a\tb\n1\t2\n", "tsv"),
        ("t.txt", '\n{"a": 1}\n{"a": 2}\n', "jsonl"),
        ("t.txt", "{not json}\nx\n", "csv"),
        ("t.jsonl", '{"a": 1}\n', "jsonl"),
        ("t.ndjson", '{"a": 1}\n', "jsonl"),
    ],
)
def test_that_suffix_and_content_choose_the_format(tmp_path, name, content, kind):
    path = tmp_path / name
    path.write_text(content)
    reader = open_reader(path)
    assert reader.path == path
    assert reader.format.name == kind
    assert len(list(reader.rows())) >= 1


def failure(path: Path, options: ReadOptions | None = None) -> str:
    with pytest.raises(TableError) as caught:
        open_reader(path, options)
    return str(caught.value)


@pytest.mark.parametrize("name", ["t.ods", "t", "t.doc", "t.xlsb"])
def test_that_other_suffixes_name_the_formats_that_work(tmp_path, name):
    path = tmp_path / name
    path.write_text("a,b\n")
    assert failure(path) == (
        f"{name} is in no format that Batchdesk reads: use .csv, .tsv, .tab, .txt, .xlsx, .xlsm, "
        ".xls, .json, .jsonl, .ndjson, .parquet, .sqlite, .sqlite3, .db, .db3, .text, .md, "
        ".markdown, .pdf, .docx, or a folder of documents."
    )
    with pytest.raises(TableError) as caught:
        open_writer(path, ["a"])
    assert str(caught.value) == (
        f"{name} is in no format that Batchdesk writes: use .csv, .tsv, .tab, .txt, .xlsx, .jsonl, "
        ".ndjson, .parquet, .sqlite, .sqlite3, .db, .db3."
    )


def test_that_a_missing_file_a_folder_and_an_empty_file_have_their_own_sentences(tmp_path):
    missing = tmp_path / "no.csv"
    assert failure(missing) == f"{missing} does not exist: was it moved or renamed?"
    folder = tmp_path / "dir.csv"
    folder.mkdir()
    assert failure(folder) == (
        "The folder dir.csv has no file that can be read as a row: it takes .txt, .text, .md, "
        ".markdown, .pdf, .docx."
    )
    empty = tmp_path / "empty.csv"
    empty.touch()
    assert failure(empty) == "empty.csv is empty: it has not a single byte."
    marked = tmp_path / "marked.csv"
    marked.write_bytes(b"\xef\xbb\xbf")
    assert failure(marked).startswith("marked.csv has nothing but blank lines")


def test_that_a_file_that_may_not_be_read_is_named(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    path.chmod(0)
    with bound():
        assert failure(path).startswith("t.csv may not be read")


def test_that_a_refused_permission_is_named_whoever_asks(tmp_path, monkeypatch):
    def refuse(*_args):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert failure(tmp_path / "t.csv").startswith("t.csv may not be read")


def test_that_a_drive_that_fails_while_reading_is_named(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    reader = open_reader(path)
    assert isinstance(reader, DelimitedReader)
    reader._source.close()
    monkeypatch.setattr(reader._source, "_file", _BrokenFile())
    with pytest.raises(TableError, match=r"^t\.csv cannot be read on: Input/output error"):
        list(reader.rows())


class _BrokenFile:
    def read(self, _size):
        raise OSError(errno.EIO, "Input/output error")

    def close(self):
        pass


def test_that_a_workbook_under_a_csv_name_is_recognised(tmp_path):
    path = tmp_path / "t.csv"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
    sentence = (
        "t.csv looks like an Excel workbook, not text: open it in a spreadsheet program, save it "
        "as CSV (UTF-8) and read that file."
    )
    assert failure(path) == sentence
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100)
    assert failure(path) == sentence


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"PK\x03\x04rest", "a ZIP archive"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"\x89PNG\r\n", "a picture"),
        (b"SQLite format 3\x00", "a SQLite database"),
        (b"PAR1\x15", "a Parquet file"),
        (b"\x01\x02\x00\x00\x00\x07\n\x00\x00", "a binary file"),
    ],
)
def test_that_other_binary_files_are_recognised(tmp_path, content, what):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    assert failure(path) == f"t.csv looks like {what}, not text: export the table as CSV or JSONL."


@pytest.mark.parametrize("encoding", ["klingon", "hex", "rot13", "a\0b", "idna", "punycode"])
def test_that_an_unknown_encoding_is_refused(tmp_path, encoding):
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    assert failure(path, ReadOptions(encoding=encoding)).startswith(f"The encoding {encoding} is")


def test_that_an_encoding_that_the_file_is_not_in_is_told(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    assert failure(path, ReadOptions(encoding="utf-16")) == (
        "t.csv is not in the encoding utf-16: leave it empty to have it guessed, or name another."
    )


def test_that_names_that_no_file_can_have_are_told():
    assert "it has a NUL character" in failure(Path("a\0b.csv"))
    assert "too long" in failure(Path("x" * 300 + ".csv"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.csv", b"\xef\xbb\xbfa,b\r\n1,\r\n"),
        ("t.txt", b"\xef\xbb\xbfa,b\r\n1,\r\n"),
        ("t.TSV", b"\xef\xbb\xbfa\tb\r\n1\t\r\n"),
        ("t.tab", b"\xef\xbb\xbfa\tb\r\n1\t\r\n"),
        ("t.jsonl", b'{"a":"1","b":null}\n'),
        ("t.ndjson", b'{"a":"1","b":null}\n'),
    ],
)
def test_that_the_suffix_chooses_the_writer(tmp_path, name, data):
    with open_writer(tmp_path / name, ["a", "b"]) as writer:
        writer.write([{"a": "1", "b": None}])
    assert (tmp_path / name).read_bytes() == data


def test_that_closing_a_reader_early_leaves_no_open_file(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n2\n")
    reader = open_reader(path)
    assert next(reader.rows()) == (2, ["1"])
    reader.close()
    reader.close()


def test_that_a_block_may_end_anywhere_in_a_large_file(tmp_path):
    path = tmp_path / "t.csv"
    row = "1,很好的酒店\r\n"
    path.write_bytes(("id,text\r\n" + row * 60_000).encode())
    assert path.stat().st_size > 4 * source.BLOCK_BYTES
    reader = open_reader(path)
    rows = list(reader.rows())
    assert len(rows) == 60_000
    assert {tuple(cells) for _, cells in rows} == {("1", "很好的酒店")}
    assert rows[-1][0] == 60_001
    assert reader.problems == []


@given(
    st.lists(
        st.sampled_from([b'"', b",", b"\n", b"\r", b"\0", b"{", b"}", b":", b"[", b"1"])
        | st.binary(max_size=3)
    ),
    st.sampled_from(["t.csv", "t.tsv", "t.txt", "t.jsonl"]),
)
def test_that_any_bytes_are_either_rows_or_a_sentence(pieces, name):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(b"".join(pieces))
        try:
            reader = open_reader(path)
            rows = list(reader.rows())
        except TableError:
            return
        assert rows
        assert max(len(cells) for _, cells in rows) <= len(reader.columns)
        assert len(set(reader.columns)) == len(reader.columns)
        lines = [line for line, _ in rows]
        assert lines == sorted(set(lines))
        assert "\0" not in "".join(cell or "" for _, cells in rows for cell in cells)
