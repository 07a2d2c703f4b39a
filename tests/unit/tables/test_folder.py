"""A folder of documents is a table with one row per file."""

import json
import zipfile
from pathlib import Path

import pytest

from batchdesk.errors import TableError
from batchdesk.tables import fingerprint, open_reader
from batchdesk.tables.base import ProblemKind, ReadOptions

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def docx(path: Path, body: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>',
        )


def pdf(path: Path, *pages: str) -> None:
    """A small PDF with a line of text on each page."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET" if text else ""
        parts.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        parts.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    data, offsets = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{part}\nendobj\n".encode()
    start = len(data)
    data += f"xref\n0 {len(parts) + 1}\n0000000000 65535 f \n".encode()
    data += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    data += (
        f"trailer << /Size {len(parts) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    )
    path.write_bytes(data)


def read(folder: Path):
    reader = open_reader(folder)
    assert reader.columns == ["name", "text", "pages", "positions"]
    rows = {}
    for _, (name, text, pages, positions) in reader.rows():
        rows[name] = (text, pages, json.loads(positions or ""))
    return reader, rows


def parts_of(text: str, starts: list[int]) -> list[str]:
    return [text[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def test_that_each_kind_of_document_gives_its_text_and_places(tmp_path):
    folder = tmp_path / "docs"
    (folder / "in").mkdir(parents=True)
    (folder / "b.md").write_text("# Title\r\n\r\nFirst\nline\n \n\nSecond\n")
    (folder / "in" / "gbk.txt").write_bytes("这家酒店的服务很好，房间也很干净。".encode("gbk"))
    docx(
        folder / "a.docx",
        "<w:p><w:r><w:t>One</w:t><w:tab/><w:t>two</w:t></w:r></w:p><w:p/>"
        '<w:p><w:r><w:br w:type="page"/><w:t>Next &amp; last</w:t></w:r>'
        "<w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:delText>gone</w:delText></w:r></w:p>",
    )
    pdf(folder / "c.pdf", "Hello page one", "And page two")
    reader, rows = read(folder)
    assert list(rows) == ["a.docx", "b.md", "c.pdf", "in/gbk.txt"]
    assert rows["b.md"][:2] == ("# Title\n\nFirst\nline\n \n\nSecond\n", None)
    assert parts_of(rows["b.md"][0], rows["b.md"][2]["paragraphs"]) == [
        "# Title\n\n",
        "First\nline\n \n\n",
        "Second\n",
    ]
    assert rows["in/gbk.txt"][0] == "这家酒店的服务很好，房间也很干净。"
    text, pages, places = rows["a.docx"]
    assert (text, pages) == ("One\ttwo\nNext & last", "2")
    assert parts_of(text, places["pages"]) == ["One\ttwo\n", "Next & last"]
    assert places["paragraphs"] == [0, 8]
    text, pages, places = rows["c.pdf"]
    assert (text, pages) == ("Hello page one\n\nAnd page two", "2")
    assert parts_of(text, places["pages"]) == ["Hello page one\n\n", "And page two"]
    assert reader.problems == []
    assert reader.progress() == 1.0


def test_that_one_document_is_a_table_of_one_row(tmp_path):
    pdf(tmp_path / "c.pdf", "Hello page one", "And page two")
    (tmp_path / "other.txt").write_text("not asked for")
    reader, rows = read(tmp_path / "c.pdf")
    assert reader.format.name == "document"
    assert {name: row[:2] for name, row in rows.items()} == {
        "c.pdf": ("Hello page one\n\nAnd page two", "2")
    }
    (tmp_path / "n.MD").write_text("# One\n")
    assert read(tmp_path / "n.MD")[1]["n.MD"][0] == "# One\n"


def test_that_a_document_that_cannot_be_read_says_why(tmp_path):
    with pytest.raises(TableError, match=r"gone\.docx does not exist"):
        open_reader(tmp_path / "gone.docx")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    with pytest.raises(TableError, match=r"broken\.pdf is damaged or not a PDF document"):
        list(open_reader(tmp_path / "broken.pdf").rows())


def test_that_files_that_give_no_row_are_named(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.txt").write_text("good")
    (folder / ".hidden.txt").write_text("no")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 nothing")
    (folder / "lost.txt").symlink_to(folder / "nowhere.txt")
    (folder / "round").symlink_to(folder)
    pdf(folder / "scan.pdf", "")
    reader, rows = read(folder)
    assert {name: text for name, (text, _, _) in rows.items()} == {
        "good.txt": "good",
        "scan.pdf": "",
    }
    assert [(one.kind, one.detail["name"]) for one in reader.problems] == [
        (ProblemKind.UNREADABLE_FILE, "broken.docx"),
        (ProblemKind.UNREADABLE_FILE, "broken.pdf"),
        (ProblemKind.UNREADABLE_FILE, "lost.txt"),
        (ProblemKind.UNREADABLE_FILE, "picture.png"),
        (ProblemKind.NO_TEXT, "scan.pdf"),
    ]


def test_that_a_folder_without_documents_is_told(tmp_path):
    (tmp_path / "x.png").write_bytes(b"")
    with pytest.raises(TableError, match="has no file that can be read as a row"):
        open_reader(tmp_path)
    (tmp_path / "x.pdf").write_bytes(b"")
    with pytest.raises(TableError, match=r"No file of the folder .* could be read"):
        list(open_reader(tmp_path).rows())


def test_that_a_fingerprint_changes_with_any_file_and_option(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    first = fingerprint(tmp_path, ReadOptions())
    assert fingerprint(tmp_path, ReadOptions()) == first
    (tmp_path / "a.txt").write_text("b")
    second = fingerprint(tmp_path, ReadOptions())
    (tmp_path / "a.txt").rename(tmp_path / "c.txt")
    third = fingerprint(tmp_path, ReadOptions())
    file = tmp_path / "c.txt"
    others = [
        fingerprint(file, ReadOptions()),
        fingerprint(file, ReadOptions(flatten=True)),
        fingerprint(file, ReadOptions(sheet="x")),
        fingerprint(file, ReadOptions(table="x")),
        fingerprint(file, ReadOptions(header_row=2)),
    ]
    assert len({first, second, third, *others}) == 8
