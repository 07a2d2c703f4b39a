"""Two hundred hostile files, made by seed: what people and programs put under the name of a table.

A folder and a seed come in; files go out, each with how many rows are in it where that is certain.
Kinds repeat with other contents until there are enough.
"""

from __future__ import annotations

import io
import json
import random
import sqlite3
import string
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

COUNT = 200
_WORDS = ["good", "bad", "很好", "été", "naïve", "😀", "Ünïcödé", "\u202eabc", "a,b", 'say "x"', ""]


@dataclass(frozen=True, slots=True)
class Hostile:
    """One file; ``rows``: those a person would count, or None where nobody can tell."""

    kind: str
    path: Path
    rows: int | None


Maker = Callable[[random.Random], tuple[str, bytes, int | None]]


def make(folder: Path, seed: int) -> Iterator[Hostile]:
    """Make the files one by one; a file may be removed once it was looked at."""
    rng = random.Random(seed)
    for number in range(COUNT):
        kind, maker = _KINDS[number % len(_KINDS)] if number >= len(_RARE) else _RARE[number]
        suffix, data, rows = maker(rng)
        path = folder / f"{number:03d}{rng.choice(_NAMES)}{suffix}"
        path.write_bytes(data)
        if rng.random() < 0.05:  # now and then, the table is a link to the file
            path.rename(folder / "behind")
            path.symlink_to(folder / "behind")
        yield Hostile(kind, path, rows)
        path.unlink()


_NAMES = ["", " it's", ' "q"', " 😀", " #?&%20", " 很好", " a.b", "..", " \u202e"]


def _word(rng: random.Random) -> str:
    return rng.choice(_WORDS) + rng.choice(string.ascii_letters)


def _csv(rng: random.Random, rows: int = 20, separator: str = ",") -> str:
    lines = [separator.join(("id", "text", "label"))]
    for number in range(rows):
        text = '"' + _word(rng).replace('"', '""') + '"'
        lines.append(separator.join((str(number), text, rng.choice("xyz"))))
    return "\r\n".join(lines) + "\r\n"


def wrong_mark(rng: random.Random) -> tuple[str, bytes, int | None]:
    mark, encoding = rng.choice(
        [(b"\xff\xfe", "utf-8"), (b"\xef\xbb\xbf", "gb18030"), (b"\xfe\xff", "utf-16-le")]
    )
    return ".csv", mark + _csv(rng).encode(encoding, "replace"), None


def mixed_encodings(rng: random.Random) -> tuple[str, bytes, int | None]:
    lines = ["id,text\n"] + [
        f"{number},{rng.choice(['é', '很好', 'ü'])}x\n" for number in range(30)
    ]
    encodings = [rng.choice(["utf-8", "gb18030", "cp1252"]) for _ in lines]
    data = b"".join(
        line.encode(encoding, "replace") for line, encoding in zip(lines, encodings, strict=True)
    )
    return ".csv", data, 30


def lone_quote(rng: random.Random) -> tuple[str, bytes, int | None]:
    lines = _csv(rng, 30).splitlines(keepends=True)
    lines[rng.randrange(1, 30)] = '7,"never closed,x\r\n'
    return ".csv", "".join(lines).encode(), None


def ragged(rng: random.Random) -> tuple[str, bytes, int | None]:
    lines = ["a,b,c"] + [",".join("v" * rng.randrange(1, 9)) for _ in range(50)]
    return ".csv", "\n".join(lines).encode(), 50


def nuls(rng: random.Random) -> tuple[str, bytes, int | None]:
    data = bytearray(_csv(rng, 40).replace("\r", "").encode())
    for _ in range(20):
        data.insert(rng.randrange(20, len(data)), 0)
    return ".csv", bytes(data), 40


def noise(rng: random.Random) -> tuple[str, bytes, int | None]:
    suffix = rng.choice([".csv", ".jsonl", ".json", ".xlsx", ".xls", ".parquet", ".db", ".txt"])
    return suffix, rng.randbytes(rng.randrange(1, 5000)), None


def wrong_suffix(rng: random.Random) -> tuple[str, bytes, int | None]:
    data = rng.choice([_workbook(rng)[0], _database(rng), _csv(rng).encode(), b'{"a": 1}\n' * 9])
    return rng.choice([".csv", ".json", ".xls", ".parquet", ".sqlite", ".xlsx"]), data, None


def formulas(rng: random.Random) -> tuple[str, bytes, int | None]:
    cells = ["=cmd|'/c calc'!A0", "@SUM(1)", "+1+1", "-1+1", "\t=1", '=HYPERLINK("x")']
    lines = ["id,text"] + [f'{n},"{rng.choice(cells)!s}"'.replace('("x")', "()") for n in range(20)]
    return ".csv", "\n".join(lines).encode(), 20


def broken_jsonl(rng: random.Random) -> tuple[str, bytes, int | None]:
    good = [json.dumps({"a": _word(rng), "n": number}) for number in range(30)]
    bad = ['{"a": ', "null", "[1]", '"x"', "{'a': 1}", '{"a": 1} {"a": 2}', "[" * 5000, "\ufffd"]
    lines = ['{"a": "first"}'] + [rng.choice([rng.choice(bad), line]) for line in good]
    return ".jsonl", "\n".join(lines).encode(), 31


def odd_numbers(rng: random.Random) -> tuple[str, bytes, int | None]:
    values = ["NaN", "Infinity", "-Infinity", "1e999", "1" * 5000, "-0.0", "1E-400"]
    lines = [f'{{"a": {rng.choice(values)}}}' for _ in range(20)]
    if rng.random() < 0.5:
        return ".json", ("[" + ",".join(lines) + "]").encode(), 20
    return ".jsonl", "\n".join(lines).encode(), 20


def deep_json(rng: random.Random) -> tuple[str, bytes, int | None]:
    depth = rng.choice([50, 300, 600, 990, 5000, 200_000])
    opening, closing = rng.choice([("[", "]"), ('{"a":', "}")])
    deep = opening * depth + "1" + closing * depth
    if rng.random() < 0.5:
        return ".json", f'[{{"a": 1}}, {{"a": {deep}}}]'.encode(), None
    return ".jsonl", f'{{"a": 1}}\n{{"a": {deep}}}\n'.encode(), 2


def halves(rng: random.Random) -> tuple[str, bytes, int | None]:
    escapes = [r"\ud800", r"\udfff", r"\u0000", r"\ud83d\ude00"]
    lines = [f'{{"a{rng.choice(escapes)}": "{rng.choice(escapes)}"}}' for _ in range(10)]
    return ".jsonl", "\n".join(lines).encode(), 10


def cut_json(rng: random.Random) -> tuple[str, bytes, int | None]:
    text = json.dumps([{"a": _word(rng), "b": [number]} for number in range(40)])
    return ".json", text[: rng.randrange(1, len(text))].encode(), None


def workbook(rng: random.Random) -> tuple[str, bytes, int | None]:
    data, rows = _workbook(rng)
    return ".xlsx", data, rows


def cut_workbook(rng: random.Random) -> tuple[str, bytes, int | None]:
    data, _ = _workbook(rng)
    return rng.choice([".xlsx", ".xlsm"]), data[: rng.randrange(1, len(data))], None


def flipped_workbook(rng: random.Random) -> tuple[str, bytes, int | None]:
    data = bytearray(_workbook(rng)[0])
    for _ in range(rng.randrange(1, 40)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return ".xlsx", bytes(data), None


def odd_workbook(rng: random.Random) -> tuple[str, bytes, int | None]:
    sheet = rng.choice(
        [
            "<sheetData><row r='9999999999'><c r='A1'><v>1</v></c></row></sheetData>",
            "<sheetData><row><c r='ZZZ1'><v>1</v></c></row><row><c><v>2</v></c></row></sheetData>",
            "<sheetData><row r='-1'><c r='a1' t='s'><v>-1</v></c></row></sheetData>",
            "<sheetData>" + "<row><c t='zz'><v>x</v></c>" * 300 + "</row>" * 300 + "</sheetData>",
            (
                "<sheetData><row><c t='str'><v>a</v></c></row><row><c s='9999'><v>1e999</v></c></row>"
                "</sheetData><mergeCells><mergeCell ref='A1:XFD1048576'/></mergeCells>"
            ),
            "<sheetData><row><c s='-3'><v>nan</v></c><c><f>1/0</f></c></row></sheetData>",
            "<!DOCTYPE x [<!ENTITY a 'b'>]><sheetData/>",
            "",
        ]
    )
    return ".xlsx", _zipped(sheet), None


def zip_bomb(rng: random.Random) -> tuple[str, bytes, int | None]:
    size = rng.choice([30, 60]) * 2**20
    filler = b"<sheetData><row><c t='str'><v>" + b"a" * size
    return rng.choice([".xlsx", ".docx"]), _zipped(filler.decode()), None


def lying_zip(rng: random.Random) -> tuple[str, bytes, int | None]:
    data = bytearray(_workbook(rng)[0])
    place = data.rfind(b"PK\x01\x02")
    data[place + 24 : place + 28] = rng.choice([b"\xff\xff\xff\x7f", b"\0\0\0\0", b"\x01\0\0\0"])
    return ".xlsx", bytes(data), None


def database(rng: random.Random) -> tuple[str, bytes, int | None]:
    return ".sqlite", _database(rng), 20


def broken_database(rng: random.Random) -> tuple[str, bytes, int | None]:
    data = bytearray(_database(rng))
    for _ in range(rng.randrange(1, 200)):
        data[rng.randrange(16, len(data))] = rng.randrange(256)
    return ".db", bytes(data[: rng.randrange(100, len(data))]), None


def broken_parquet(rng: random.Random) -> tuple[str, bytes, int | None]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    pq.write_table(pa.table({"a": [_word(rng) for _ in range(50)], "b": list(range(50))}), stream)
    data = bytearray(stream.getvalue())
    for _ in range(rng.randrange(1, 30)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return ".parquet", bytes(data), None


def blank_lines(rng: random.Random) -> tuple[str, bytes, int | None]:
    lines = [rng.choice(["", "1,2", " ", ",", "3,4"]) for _ in range(50)]
    return ".csv", ("a,b\n" + "\n".join(lines) + "\n1,2\n").encode(), 51


def mixed_line_ends(rng: random.Random) -> tuple[str, bytes, int | None]:
    lines = [
        f"{number},{_word(rng)}".replace('"', "") + rng.choice(["\n", "\r", "\r\n"])
        for number in range(40)
    ]
    return ".tsv", ("id,text\n" + "".join(lines)).encode(), None


def odd_names(rng: random.Random) -> tuple[str, bytes, int | None]:
    names = ['"a"', "", " ", "a", "a", "answer.x", "batchdesk.state", "😀", "a\tb", '"""q"""']
    header = ",".join(rng.choice(names) for _ in range(8))
    return ".csv", (header + "\n" + ("1,2,3,4,5,6,7,8\n" * 10)).encode(), 10


def many_columns(rng: random.Random) -> tuple[str, bytes, int | None]:
    width = 100_000
    return (
        ".csv",
        (",".join(map(str, range(width))) + "\n" + "," * (width - 1) + "\n").encode(),
        None,
    )


def many_keys(rng: random.Random) -> tuple[str, bytes, int | None]:
    return ".jsonl", "".join(f'{{"k{number}": 1}}\n' for number in range(20_000)).encode(), None


def one_long_line(rng: random.Random) -> tuple[str, bytes, int | None]:
    return ".csv", b"text\n" + b"x" * 50_000_000 + b"\n", None


def one_long_json(rng: random.Random) -> tuple[str, bytes, int | None]:
    return (
        ".json",
        b"[" + b'{"a": "' + b"x" * 1000 + b'"},' * 1 + b'{"a": 1},' * 1_000_000 + b"{}]",
        None,
    )


def _zipped(sheet: str) -> bytes:
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "xl/workbook.xml",
            f"<workbook xmlns:r='{rel}'><sheets><sheet name='S' r:id='r1'/></sheets></workbook>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f"<R><Relationship Id='r1' Type='{rel}/worksheet' Target='worksheets/s.xml'/></R>",
        )
        body = sheet if sheet.startswith("<!") else f"<worksheet>{sheet}</worksheet>"
        archive.writestr("xl/worksheets/s.xml", body)
        archive.writestr("word/document.xml", body)
    return stream.getvalue()


def _workbook(rng: random.Random) -> tuple[bytes, int]:
    rows = rng.randrange(1, 30)
    sheet = "<sheetData><row><c t='str'><v>a</v></c><c t='str'><v>b</v></c></row>"
    for _ in range(rows):
        value = rng.choice(["1", "1e5", "-0.5", "45292.5", "x"])
        sheet += f"<row><c t='str'><v>t</v></c><c><v>{value}</v></c></row>"
    return _zipped(sheet + "</sheetData>"), rows


def _database(rng: random.Random) -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (a, b)")
    connection.executemany(
        "INSERT INTO t VALUES (?, ?)", [(_word(rng), rng.randbytes(9)) for _ in range(20)]
    )
    connection.commit()
    data = connection.serialize()
    connection.close()
    return data


_RARE: list[tuple[str, Maker]] = [
    (maker.__name__, maker) for maker in (many_columns, many_keys, one_long_line, one_long_json)
]
_KINDS: list[tuple[str, Maker]] = [
    (maker.__name__, maker)
    for maker in (
        wrong_mark, mixed_encodings, lone_quote, ragged, nuls, noise, wrong_suffix, formulas,
        broken_jsonl, odd_numbers, deep_json, halves, cut_json, workbook, cut_workbook,
        flipped_workbook, odd_workbook, zip_bomb, lying_zip, database, broken_database,
        broken_parquet, blank_lines, mixed_line_ends, odd_names,
    )
]  # fmt: skip
